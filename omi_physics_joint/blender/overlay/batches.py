# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts pictures onto the graphics card and draws them: a handful of batches for all joints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ...drawing.palette import Theme, palette
from ...drawing.picture import Batch, Picture, picture
from ...drawing.strokes import Sketch
from ...drawing.world_lines import placed_sketches

WIDTHS = {(0, 0): 1.0, (0, 1): 1.6, (1, 0): 1.4, (1, 1): 2.6}
"""Of lines, by emphasis and weight, as factors on the width of thin lines."""
LINES, TRACES, FILLS = "POLYLINE_FLAT_COLOR", "POLYLINE_UNIFORM_COLOR", "FLAT_COLOR"
"""Shaders: wide lines with a colour each, wide lines in one colour, surfaces."""
TRACE = (0.6, 0.6, 0.6, 0.18)
"""Colour of what is behind objects, where joints are not in front."""


@dataclass(frozen=True, slots=True)
class Drawable:
    """A picture on the graphics card."""

    lines: dict[tuple[int, int], gpu.types.GPUBatch]
    fills: gpu.types.GPUBatch | None


@dataclass(frozen=True, slots=True)
class Canvas:
    """How and where lines are drawn."""

    size: tuple[int, int]
    """Of the region in pixels."""
    width: float
    """Of thin lines in pixels."""
    in_front: bool


def user_theme(context: bpy.types.Context) -> Theme:
    """Return what the preferences say of axes and selection."""
    theme = context.preferences.themes[0]
    view, axes = theme.view_3d, theme.user_interface
    return Theme(
        (tuple(axes.axis_x), tuple(axes.axis_y), tuple(axes.axis_z)),
        tuple(view.object_selected),
        tuple(view.object_active),
    )


@cache
def _shader(name: str) -> gpu.types.GPUShader:
    return gpu.shader.from_builtin(name)


def drawable(made: Picture) -> Drawable:
    """Put a picture onto the graphics card."""
    return Drawable(
        {key: _batch("LINES", LINES, batch) for key, batch in made.lines.items()},
        _batch("TRIS", FILLS, made.fills) if len(made.fills.points) else None,
    )


def sketched(sketch: Sketch, theme: Theme, emphasis: int = 2) -> Drawable:
    """Put a sketch in Blender's world onto the graphics card, lit as what is active."""
    (lines,) = placed_sketches([sketch], np.eye(4)[None], np.zeros(1, np.intp))
    return drawable(picture(lines, np.array([emphasis]), palette(theme), is_blender=True))


def _batch(kind: str, shader: str, batch: Batch) -> gpu.types.GPUBatch:
    return batch_for_shader(_shader(shader), kind, {"pos": batch.points, "color": batch.colours})


def draw(drawables: list[Drawable], canvas: Canvas) -> None:
    """Draw pictures, dimmed lines first, and leave the state of the card as Blender expects it."""
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_mask_set(False)
    try:
        if canvas.in_front:
            gpu.state.depth_test_set("NONE")
        else:
            gpu.state.depth_test_set("GREATER")
            _draw_lines(drawables, canvas, TRACES)
            gpu.state.depth_test_set("LESS_EQUAL")
        for one in drawables:
            if one.fills is not None:
                one.fills.draw(_shader(FILLS))
        _draw_lines(drawables, canvas, LINES)
    finally:
        gpu.state.depth_test_set("NONE")
        gpu.state.depth_mask_set(True)
        gpu.state.blend_set("NONE")


def _draw_lines(drawables: list[Drawable], canvas: Canvas, name: str) -> None:
    shader = _shader(name)
    shader.bind()
    shader.uniform_float("viewportSize", canvas.size)
    if name == TRACES:
        shader.uniform_float("color", TRACE)
    for key, factor in WIDTHS.items():
        chosen = [one.lines[key] for one in drawables if key in one.lines]
        if chosen:
            shader.uniform_float("lineWidth", canvas.width * factor)
        for batch in chosen:
            batch.draw(shader)


forget = _shader.cache_clear
"""Lets go of the shaders."""
