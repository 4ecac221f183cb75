# SPDX-License-Identifier: GPL-3.0-or-later
"""What the handles of a joint are called, and what they stand at."""

from __future__ import annotations

import bpy

from ...drawing.mouse.handles import Handle, Part
from ...model.joint import AXIS_NAMES, Freedom
from ..data.units import said

FINE_DIGITS = 5
"""Significant digits of what is being dragged: a hundredth of a degree is seen to change."""
_PART_NAMES = {Part.MIN: "Minimum", Part.MAX: "Maximum", Part.TARGET: "Target"}


def label_of(handle: Handle) -> str:
    """Return what a handle is: "Maximum", "Minimum about Y", "Turn the joint about Z"."""
    axis = AXIS_NAMES[handle.listed_axis]
    if handle.part is Part.MOVE:
        return "Move the joint"
    if handle.part is Part.TURN:
        return f"Turn the joint about {axis}"
    if handle.together:
        return f"{_PART_NAMES[handle.part]} {handle.measure}"
    if handle.is_sole:
        return _PART_NAMES[handle.part]
    way = "about" if handle.freedom is Freedom.ANGULAR else "along"
    return f"{_PART_NAMES[handle.part]} {way} {axis}"


def tip_of(handle: Handle) -> str:
    """Return the tool tip of a handle; what it is and stands at is drawn beside it."""
    if handle.part is Part.MOVE:
        return "Move both frames of the joint. Ctrl snaps to corners, edges, faces, or the grid"
    if handle.part is Part.TURN:
        return "Turn both frames of the joint. Ctrl snaps, Shift is fine, digits set the angle"
    mirror = "" if handle.part is Part.TARGET else ", Alt moves both limits"
    return f"Drag to change it. Ctrl snaps, Shift is fine{mirror}, digits set the number"


def label_with_value(handle: Handle, scene: bpy.types.Scene) -> str:
    """Return what a handle is and stands at: "Maximum: 90°"."""
    label = label_of(handle)
    if handle.part in (Part.MOVE, Part.TURN):
        return label
    return f"{label}: {said(handle.value, handle.freedom, scene, FINE_DIGITS)}"
