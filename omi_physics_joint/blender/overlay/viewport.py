# SPDX-License-Identifier: GPL-3.0-or-later
"""The draw handler of the 3D view: draws what is kept, and keeps it up to date.

Pictures are put onto the graphics card as a handful of batches for all joints.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from ...drawing.picture import Batch, Parts, Picture, picture
from ...drawing.played import draw_arrow, draw_pin, draw_spring, draw_touches, sight_of
from ...drawing.strokes import Pen, Sketch, Theme, palette
from ...drawing.world_lines import placed_sketches
from ..bridge.placed import plain
from ..interface.signals import signals
from .drawn_joints import LIVE, REST, DrawnJoints
from .extras import extras, show
from .labels import draw_labels

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

EXTRA = 2
"""What play adds, beside the two pools."""
MANY = 16
"""Views and scenes that are remembered before all are forgotten."""


@dataclass(slots=True)
class DrawnView:
    """What is drawn in one kind of view: the two pools and what play adds, and of what each is."""

    drawn: list[Drawable | None] = field(default_factory=lambda: [None] * 3)
    seen: list[object] = field(default_factory=lambda: [None] * 3)


@dataclass(slots=True)
class KeptScene:
    """A scene, and its views."""

    drawn: DrawnJoints = field(default_factory=DrawnJoints)
    views: dict[int, DrawnView] = field(default_factory=dict)


_kept: dict[tuple[int, str], KeptScene] = {}
_failed: set[str] = set()


def kept_of(scene: bpy.types.Scene, layer: bpy.types.ViewLayer) -> KeptScene:
    """Return what is kept between two redraws of a scene, as it was left."""
    key = (scene.session_uid, layer.name)
    if key not in _kept:
        if len(_kept) >= MANY:
            _kept.clear()
        _kept[key] = KeptScene()
    return _kept[key]


def update_view(context: bpy.types.Context) -> list[Drawable]:
    """Return everything to draw in the view of a context, made anew where it changed."""
    scene, layer, space = context.scene, context.view_layer, context.space_data
    options = scene.omi_physics_overlay
    kept = kept_of(scene, layer)
    drawn = kept.drawn
    drawn.refresh(scene, layer)
    # Views that see what the view layer shows share what is drawn, under the key 0.
    special = space.local_view or space.use_local_collections
    is_own = special or not space.show_object_viewport_empty
    if len(kept.views) >= MANY:
        kept.views.clear()
    view = kept.views.setdefault(int(space.as_pointer()) if is_own else 0, DrawnView())
    theme = user_theme(context)
    parts = Parts(options.frames, options.limits, options.values, options.drives, options.links)
    seen: tuple[object, ...] = (theme, parts, options.only_selected, drawn.versions[REST])
    if is_own:
        seen = (*seen, signals.look, drawn.versions[LIVE])
    for pool in (REST, LIVE):
        if view.seen[pool] == (seen, drawn.versions[pool]):
            continue
        visible = drawn.visible_in(layer, space) if is_own else drawn.visible
        if options.only_selected:
            visible = visible & (drawn.emphasis > 0)
        view.drawn[pool] = drawable(drawn.picture(pool, visible, parts, palette(theme)))
        view.seen[pool] = (seen, drawn.versions[pool])
    _update_extra(view, context, theme)
    return [one for one in view.drawn if one is not None]


def _update_extra(view: DrawnView, context: bpy.types.Context, theme: Theme) -> None:
    """Make what play adds anew, where it changed, or the view in which it has to have its size."""
    factor = context.scene.omi_physics_overlay.force_size
    if not (extras.forces or extras.pins or extras.spring or extras.touches):
        view.drawn[EXTRA] = view.seen[EXTRA] = None
        return
    height = gpu.state.viewport_get()[3]
    model_view = plain(gpu.matrix.get_model_view_matrix())
    projection = plain(gpu.matrix.get_projection_matrix())
    seen = (extras.version["lines"], factor, theme, model_view, projection, height)
    if seen == view.seen[EXTRA]:
        return
    view.seen[EXTRA] = seen
    sight, scale = sight_of(model_view, projection, height), context.preferences.system.ui_scale
    pen = Pen()
    for arrow in extras.forces:
        draw_arrow(pen, arrow, factor, sight)
    if extras.touches is not None:
        draw_touches(pen, extras.touches, factor, sight, scale)
    for point in extras.pins:
        draw_pin(pen, point, sight, scale)
    if extras.spring is not None:
        draw_spring(pen, *extras.spring)
    view.drawn[EXTRA] = sketched(pen.sketch(), theme)


def _draw_joints(context: bpy.types.Context) -> None:
    options, region = context.scene.omi_physics_overlay, context.region
    width = options.line_width * context.preferences.system.pixel_size
    canvas = Canvas((region.width, region.height), width, options.in_front)
    if extras.floor is None and not extras.outlined:
        _sketched.cache_clear()
    if extras.floor is not None:
        drawables = _sketched((extras.floor,), user_theme(context), 0)
        draw(drawables, replace(canvas, in_front=False))
    draw(update_view(context), canvas)
    for one in extras.outlined:
        drawables = _sketched(one.outlines, user_theme(context))
        for drawable, world in zip(drawables, one.worlds.tolist(), strict=True):
            with gpu.matrix.push_pop():
                gpu.matrix.multiply_matrix(Matrix(world))
                draw([drawable], canvas)


@lru_cache(maxsize=3)  # the same outlines and the same floor as long as they are those of one play
def _sketched(sketches: tuple[Sketch, ...], theme: Theme, emphasis: int = 2) -> list[Drawable]:
    """Put outlines, or a floor, onto the graphics card."""
    return [sketched(sketch, theme, emphasis) for sketch in sketches]


def _draw_labels(context: bpy.types.Context) -> None:
    options = context.scene.omi_physics_overlay
    if options.text:
        drawn = kept_of(context.scene, context.view_layer).drawn if options.values else None
        draw_labels(context, drawn, extras.outlined)


def _on_draw(draw: Callable[[bpy.types.Context], None]) -> None:
    """Draw where joints are shown; say once what went wrong, instead of in every redraw."""
    context = bpy.context
    space = context.space_data
    if space is None or space.type != "VIEW_3D" or not space.overlay.show_overlays:
        return
    try:
        if context.scene.omi_physics_overlay.show:
            draw(context)
    except Exception:  # noqa: BLE001 - Blender would print it in every redraw
        text = traceback.format_exc()
        if text not in _failed:
            _failed.add(text)
            print(f"omi_physics_joint: joints could not be drawn.\n{text}", file=sys.stderr)


def while_on() -> Iterator[None]:
    """Draw in all 3D views; at the end, forget everything."""
    space, drawn = bpy.types.SpaceView3D, {"POST_VIEW": _draw_joints, "POST_PIXEL": _draw_labels}
    handles = [
        space.draw_handler_add(_on_draw, (draw,), "WINDOW", when) for when, draw in drawn.items()
    ]
    yield
    for handle in handles:
        space.draw_handler_remove(handle, "WINDOW")
    _kept.clear()
    _failed.clear()
    show()
    _sketched.cache_clear()
    forget()
