# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in the 3D view: those of the active joint beside their marks, and what play notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import bpy
import blf
from bpy_extras.view3d_utils import location_3d_to_region_2d

from ...drawing.joint_table import drawn_frames
from ...drawing.strokes import FIXED
from ...drawing.value_labels import value_labels
from ..data.units import said
from .drawn_joints import DrawnJoints
from .extras import Outlined, Point

FONT = 0
SIZE = 12.0
BESIDE_STAR = 30.0
"""Pixels from a point at which a red star or a force may be."""
WIDE = 90.0
"""Pixels that a number may take beside another."""
SHADOW = (0.0, 0.0, 0.0, 0.8)
VIOLATED = (1.0, 0.65, 0.65, 1.0)


class _Text(NamedTuple):
    """A line of text at a point of the world."""

    point: Point
    text: str
    colour: tuple[float, ...]
    aside: float
    """Pixels to the right of the point."""


_Placed = tuple[_Text, float, float]
"""A text, and pixels."""


def draw_labels(
    context: bpy.types.Context, drawn: DrawnJoints | None, outlined: Iterable[Outlined]
) -> None:
    """Write into a 3D view: the values of the active joint of what is drawn, and what play says."""
    values = [] if drawn is None else list(_values(context, drawn))
    noted = [
        _Text(point, text, (*FIXED[one.role], 1.0), BESIDE_STAR)
        for one in outlined
        for point, text in one.notes
    ]
    if not (values or noted):
        return
    scale = context.preferences.system.ui_scale
    blf.size(FONT, SIZE * scale)
    blf.enable(FONT, blf.SHADOW)
    blf.shadow(FONT, 3, *SHADOW)
    try:
        for text, x, y in _arranged(_places(context, values), _places(context, noted), scale):
            blf.color(FONT, *text.colour)
            blf.position(FONT, x, y, 0.0)
            blf.draw(FONT, text.text)
    finally:
        blf.disable(FONT, blf.SHADOW)


def _values(context: bpy.types.Context, drawn: DrawnJoints) -> Iterator[_Text]:
    index = drawn.active
    if index is None or drawn.broken[index] or drawn.muted[index] or not drawn.visible[index]:
        return
    frames = drawn_frames(drawn.table, drawn.joints, drawn.partners)
    hint = (*context.preferences.themes[0].view_3d.space.text_hi, 1.0)
    for label in value_labels(drawn.table, frames, drawn.values, index):
        way = f"{label.axis} " if label.axis else ""
        text = f"{way}{said(label.value, label.freedom, context.scene)}"
        if label.violated:
            yield _Text(label.point, f"! {text}", VIOLATED, BESIDE_STAR)
        else:
            yield _Text(label.point, text, hint, 8.0)


def _places(context: bpy.types.Context, texts: Iterable[_Text]) -> list[_Placed]:
    """Return texts with the pixels of their points, those that the view shows."""
    region, view = context.region, context.region_data
    places = ((one, location_3d_to_region_2d(region, view, one.point)) for one in texts)
    return [(one, place.x, place.y) for one, place in places if place is not None]


def _arranged(values: list[_Placed], notes: list[_Placed], scale: float) -> Iterator[_Placed]:
    """Yield texts with the pixels where they begin.

    Each stands above those values that it would meet, values from the lowest up. A note that would
    meet another one is left out: there may be many, and the first ones say most.
    """
    line, wide = 1.35 * SIZE * scale, WIDE * scale
    begun: list[tuple[float, float]] = []
    noted: list[tuple[float, float]] = []

    def meets(x: float, y: float, others: list[tuple[float, float]]) -> bool:
        return any(abs(y - v) < line and abs(x - u) < wide for u, v in others)

    for used, texts in ((begun, sorted(values, key=lambda one: one[2])), (noted, notes)):
        for text, left, low in texts:
            x, y = left + text.aside * scale, low - 0.35 * SIZE * scale
            while meets(x, y, begun):
                y += line
            if not meets(x, y, noted):
                used.append((x, y))
                yield text, x, y
