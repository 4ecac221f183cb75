# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in the 3D view: those of the active joint beside their marks, and what play notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import bpy
import blf
from bpy_extras.view3d_utils import location_3d_to_region_2d

from ...drawing.joint_table import drawn_frames
from ...drawing.palette import FIXED
from ...drawing.strokes import Role
from ...drawing.value_labels import value_labels
from ..units import said
from .extras import Point
from .scenery import Scenery

FONT = 0
SIZE = 12.0
BESIDE_STAR = 30.0
"""Pixels from a point at which a red star or a force may be."""
WIDE = 90.0
"""Pixels that a number may take beside another."""
SHADOW = (0.0, 0.0, 0.0, 0.8)
VIOLATED = (1.0, 0.65, 0.65, 1.0)
GHOST = (*FIXED[Role.GHOST], 1.0)


@dataclass(frozen=True, slots=True)
class _Text:
    """A line of text at a point of the world."""

    point: Point
    text: str
    colour: tuple[float, ...]
    aside: float
    """Pixels to the right of the point."""


def draw_labels(
    context: bpy.types.Context, scenery: Scenery | None, notes: Iterable[tuple[Point, str]]
) -> None:
    """Write into the region of a context.

    Args:
        context: of a 3D view.
        scenery: whose active joint has its values written; None for no values.
        notes: what play has to say, and where in the world.
    """
    every = [] if scenery is None else list(_values(context, scenery))
    every += [_Text(point, text, GHOST, BESIDE_STAR) for point, text in notes]
    if not every:
        return
    scale = context.preferences.system.ui_scale
    blf.size(FONT, SIZE * scale)
    blf.enable(FONT, blf.SHADOW)
    blf.shadow(FONT, 3, *SHADOW)
    try:
        _write(context, every, scale)
    finally:
        blf.disable(FONT, blf.SHADOW)


def _values(context: bpy.types.Context, scenery: Scenery) -> Iterator[_Text]:
    """Yield the values of the active joint."""
    index = scenery.active
    if index is None or index >= scenery.table.count or not scenery.visible[index]:
        return
    if scenery.broken[index] or scenery.muted[index]:
        return
    frames = drawn_frames(scenery.table, scenery.joints, scenery.partners)
    hint = (*context.preferences.themes[0].view_3d.space.text_hi, 1.0)
    for label in value_labels(scenery.table, frames, scenery.values, index):
        way = f"{label.axis} " if label.axis else ""
        text = f"{way}{said(label.value, label.freedom, context.scene)}"
        if label.violated:
            yield _Text(label.point, f"! {text}", VIOLATED, BESIDE_STAR)
        else:
            yield _Text(label.point, text, hint, 8.0)


def _write(context: bpy.types.Context, texts: Iterable[_Text], scale: float) -> None:
    """Write texts, from the lowest up, each above the one before where they would meet."""
    places = [
        (place, one)
        for one in texts
        if (place := location_3d_to_region_2d(context.region, context.region_data, one.point))
    ]
    line = 1.35 * SIZE * scale
    used: list[tuple[float, float]] = []
    for place, one in sorted(places, key=lambda pair: pair[0].y):
        x, y = place.x + one.aside * scale, place.y - 0.35 * SIZE * scale
        while any(abs(y - v) < line and abs(x - u) < WIDE * scale for u, v in used):
            y += line
        used.append((x, y))
        blf.color(FONT, *one.colour)
        blf.position(FONT, x, y, 0.0)
        blf.draw(FONT, one.text)
