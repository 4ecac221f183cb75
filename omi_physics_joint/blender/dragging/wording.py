# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in the units of a scene: how they are shown, and how typed ones are read."""

from __future__ import annotations

from math import degrees

import bpy

from ...drawing.handles import Handle, Part
from ...drawing.number_entry import ANGLES, LENGTHS, number_from
from ...model.joint import AXIS_NAMES, Freedom

_LENGTH_UNITS = {
    "KILOMETERS": "km",
    "METERS": "m",
    "CENTIMETERS": "cm",
    "MILLIMETERS": "mm",
    "MICROMETERS": "um",
    "MILES": "mi",
    "FEET": "ft",
    "INCHES": "in",
}
_PART_NAMES = {Part.MIN: "Minimum", Part.MAX: "Maximum", Part.TARGET: "Target"}


def length_unit(scene: bpy.types.Scene) -> str:
    """Return the unit of lengths of a scene; nothing where it has none."""
    units = scene.unit_settings
    if units.system == "NONE":
        return ""
    default = "m" if units.system == "METRIC" else "ft"
    return _LENGTH_UNITS.get(units.length_unit, default)


def unit_length(scene: bpy.types.Scene) -> float:
    """Return how long the unit of lengths is in Blender's own unit."""
    unit = length_unit(scene)
    return LENGTHS[unit] / scene.unit_settings.scale_length if unit else 1.0


def shown(value: float, freedom: Freedom, scene: bpy.types.Scene) -> str:
    """Return a number with its unit, as the scene shows it."""
    units = scene.unit_settings
    if freedom is Freedom.ANGULAR:
        if units.system_rotation == "RADIANS":
            return f"{_plain(value, 4)} rad"
        return f"{_plain(degrees(value), 2)}\N{DEGREE SIGN}"
    return f"{_plain(value / unit_length(scene), 5)} {length_unit(scene)}".strip()


def typed_value(text: str, freedom: Freedom, scene: bpy.types.Scene) -> float | None:
    """Return a typed number in rad or in Blender's own unit of length; None while it is none."""
    units = scene.unit_settings
    if freedom is Freedom.ANGULAR:
        default = 1.0 if units.system_rotation == "RADIANS" else ANGLES["d"]
        return number_from(text, ANGLES, default)
    default = unit_length(scene)
    lengths = {name: length / units.scale_length for name, length in LENGTHS.items()}
    return number_from(text, lengths, default)


def label_of(handle: Handle) -> str:
    """Return what a handle is: "Maximum about Y", "Turn about Z"."""
    axis = AXIS_NAMES[handle.listed_axis]
    if handle.part is Part.MOVE:
        return "Move the joint"
    if handle.part is Part.TURN:
        return f"Turn the joint about {axis}"
    way = "about" if handle.freedom is Freedom.ANGULAR else "along"
    return f"{_PART_NAMES[handle.part]} {way} {axis}"


def tip_of(handle: Handle) -> str:
    """Return the tool tip of a handle; what it is and stands at is drawn beside it."""
    if handle.part is Part.MOVE:
        return "Move both frames of the joint. Ctrl snaps to corners, edges, faces, or the grid"
    if handle.part is Part.TURN:
        return "Turn both frames of the joint. Ctrl snaps, Shift is fine, digits set the angle"
    mirror = "" if handle.part is Part.TARGET else ", Alt moves both bounds"
    return f"Drag to change it. Ctrl snaps, Shift is fine{mirror}, digits set the number"


def label_with_value(handle: Handle, scene: bpy.types.Scene) -> str:
    """Return what a handle is and stands at: "Maximum about Y: 90°"."""
    label = label_of(handle)
    if handle.part in (Part.MOVE, Part.TURN):
        return label
    return f"{label}: {shown(handle.value, handle.freedom, scene)}"


def _plain(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
