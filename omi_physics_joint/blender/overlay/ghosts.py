# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws bodies where another motion has them. Outlines stay on the card, only matrices change."""

from __future__ import annotations

from dataclasses import dataclass, field

import bpy
import gpu
import numpy as np
from mathutils import Matrix

from ...drawing.palette import Theme
from ...drawing.picture import picture
from ...drawing.strokes import Sketch
from ...drawing.world_lines import placed_sketches
from . import batches
from .batches import Canvas, Drawable
from .extras import Ghost
from .theme import colours_of, user_theme


@dataclass(slots=True)
class _Card:
    """What lies on the graphics card."""

    outlines: tuple[Sketch, ...] | None = None
    theme: Theme | None = None
    drawables: list[Drawable] = field(default_factory=list)


_card = _Card()


def draw_ghost(ghost: Ghost | None, context: bpy.types.Context, canvas: Canvas) -> None:
    """Draw the outlines of a ghost; forget them where there is none."""
    if ghost is None:
        forget()
        return
    theme = user_theme(context)
    if _card.outlines is not ghost.outlines or _card.theme != theme:
        _card.outlines, _card.theme = ghost.outlines, theme
        _card.drawables = [_drawable(outline, theme) for outline in ghost.outlines]
    for drawable, world in zip(_card.drawables, ghost.worlds.tolist(), strict=True):
        with gpu.matrix.push_pop():
            gpu.matrix.multiply_matrix(Matrix(world))
            batches.draw([drawable], canvas)


def _drawable(outline: Sketch, theme: Theme) -> Drawable:
    (lines,) = placed_sketches([outline], np.eye(4)[None], np.zeros(1, np.intp))
    return batches.drawable(picture(lines, np.array([2]), colours_of(theme), is_blender=True))


def forget() -> None:
    """Let go of what lies on the card."""
    _card.outlines, _card.drawables = None, []
