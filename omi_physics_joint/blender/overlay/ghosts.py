# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws bodies where another motion has them. Outlines stay on the card, only matrices change."""

from __future__ import annotations

from functools import lru_cache

import bpy
import gpu
from mathutils import Matrix

from ...drawing.palette import Theme
from ...drawing.strokes import Sketch
from . import batches
from .batches import Canvas, Drawable
from .extras import Ghost
from .theme import user_theme


def draw_ghost(ghost: Ghost | None, context: bpy.types.Context, canvas: Canvas) -> None:
    """Draw the outlines of a ghost; forget them where there is none."""
    if ghost is None:
        forget()
        return
    drawables = _on_card(ghost.outlines, user_theme(context))
    for drawable, world in zip(drawables, ghost.worlds.tolist(), strict=True):
        with gpu.matrix.push_pop():
            gpu.matrix.multiply_matrix(Matrix(world))
            batches.draw([drawable], canvas)


@lru_cache(maxsize=1)  # the same outlines as long as they are those of one play
def _on_card(outlines: tuple[Sketch, ...], theme: Theme) -> list[Drawable]:
    return [batches.sketched(outline, theme) for outline in outlines]


forget = _on_card.cache_clear
"""Lets go of what lies on the card."""
