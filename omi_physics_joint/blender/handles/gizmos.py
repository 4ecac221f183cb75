# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles as gizmos: what they look like, whether the mouse is on one, and all of the active joint.

Shapes are drawn flat on the screen with smooth edges. Bounds stand with their flat side at the
bound and their back outside: round for angles, square for distances; a minimum is hollow, a maximum
filled. So they can be told apart without colour.

Each starts the drag; they name its operator by its id and know none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from math import cos, pi, sin

import bpy
import blf
import gpu
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from ...drawing.mouse.handles import Handle, Part
from ...drawing.mouse.picking import Pixel, View, nearest
from ...drawing.strokes import FIXED, Role
from ..bridge.poses.away import is_anything_away
from ..overlay.viewport import user_theme
from .held import held
from .places import (
    PlacedHandle,
    grips,
    handles_allowed,
    joint_at_hand,
    label_with_value,
    placed_handles,
    screen_direction,
    seen,
    view_of,
)

Color = tuple[float, float, float]

RADIUS = 9.0
"""Of a shape in pixels at scale 1."""
LIT_GROWTH = 1.25
DARK = (0.06, 0.06, 0.06)
TEXT_SIZE = 12.0
LABEL_OFFSET = (16.0, 14.0)


def _arc(start: float, end: float, corners: int = 17) -> tuple[Pixel, ...]:
    """Return corners of a part of the unit circle."""
    step = (end - start) / (corners - 1)
    return tuple((cos(start + i * step), sin(start + i * step)) for i in range(corners))


SHAPES: dict[str, tuple[Pixel, ...]] = {
    "angular": _arc(0.5 * pi, 1.5 * pi),
    "linear": ((0.0, 1.0), (-0.85, 1.0), (-0.85, -1.0), (0.0, -1.0)),
    "target": ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)),
    "move": _arc(0.0, 2.0 * pi, 25)[:-1],
}
"""Convex outlines in radii; +X is where a bound leaves room."""


def draw_shape(
    region: bpy.types.Region,
    handle: Handle,
    pixel: Pixel,
    way: Pixel,
    color: Color,
    scale: float,
    *,
    lit: bool,
) -> None:
    """Draw a handle at a pixel, turned so that its +X runs along a direction of the screen."""
    name = handle.part if handle.part in SHAPES else handle.freedom
    filled = handle.part in (Part.MAX, Part.TARGET)
    radius = RADIUS * scale * (LIT_GROWTH if lit else 1.0)
    bright = _bright(color) if lit else color
    (right, up), (x, y) = way, pixel
    turned = Matrix.Identity(4)
    turned[0] = (radius * right, -radius * up, 0.0, x)
    turned[1] = (radius * up, radius * right, 0.0, y)
    area, rim = _batches(name)
    with _pixels(region):
        gpu.matrix.multiply_matrix(turned)
        _fill(area, (*bright, 1.0) if filled else (*DARK, 0.75))
        _line(region, rim, (*DARK, 0.9), 4.5 * scale)
        _line(region, rim, (1.0, 1.0, 1.0, 1.0) if filled else (*bright, 1.0), 2.0 * scale)


def draw_arc(
    region: bpy.types.Region, corners: Sequence[Pixel], color: Color, scale: float, *, lit: bool
) -> None:
    """Draw the arc by which a frame is turned."""
    bright = _bright(color) if lit else color
    line = _line_batch(corners)
    with _pixels(region):
        _line(region, line, (*DARK, 0.6), (6.0 if lit else 4.5) * scale)
        _line(region, line, (*bright, 1.0 if lit else 0.8), (3.5 if lit else 2.0) * scale)


def right_edge(area: bpy.types.Area, region: bpy.types.Region) -> float:
    """Return how far right in a region nothing hides it, in pixels: a sidebar may lie over it."""
    bars = [one for one in area.regions if one.type == "UI" and one.alignment == "RIGHT"]
    starts = [one.x - region.x for one in bars if one.width > 1 and one.x > region.x]
    return float(min([region.width, *starts]))


def draw_label(
    region: bpy.types.Region, right: float, pixel: Pixel, text: str, scale: float
) -> None:
    """Draw text beside a pixel, inside the region and left of ``right`` (see `right_edge`)."""
    blf.size(0, TEXT_SIZE * scale)
    width, height = blf.dimensions(0, text)
    pad = 5.0 * scale
    x = pixel[0] + LABEL_OFFSET[0] * scale
    if x + width + pad > right:
        x = pixel[0] - LABEL_OFFSET[0] * scale - width
    y = min(pixel[1] + LABEL_OFFSET[1] * scale, region.height - height - pad)
    left, bottom, end, top = x - pad, y - pad, x + width + pad, y + height + pad
    with _pixels(region):
        box = _area_batch(((left, bottom), (end, bottom), (end, top), (left, top)))
        _fill(box, (*DARK, 0.8))
        blf.color(0, 1.0, 1.0, 1.0, 1.0)
        blf.position(0, x, y, 0.0)
        blf.draw(0, text)


@contextmanager
def _pixels(region: bpy.types.Region) -> Iterator[None]:
    """Let coordinates be pixels of a region, with blending and in front of everything."""
    depth = gpu.state.depth_test_get()
    with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_identity()
        gpu.matrix.load_projection_matrix(_pixel_projection(region.width, region.height))
        gpu.state.depth_test_set("NONE")
        gpu.state.blend_set("ALPHA")
        try:
            yield
        finally:
            gpu.state.blend_set("NONE")
            gpu.state.depth_test_set(depth)


@lru_cache(maxsize=len(SHAPES))
def _batches(name: str) -> tuple[gpu.types.GPUBatch, gpu.types.GPUBatch]:
    """Return the area and the rim of a shape of radius one."""
    outline = SHAPES[name]
    return _area_batch(outline), _line_batch((*outline, *outline[:2]))


def _area_batch(outline: Sequence[Pixel]) -> gpu.types.GPUBatch:
    indices = [(0, i, i + 1) for i in range(1, len(outline) - 1)]
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    points = [(*pixel, 0.0) for pixel in outline]
    return batch_for_shader(shader, "TRIS", {"pos": points}, indices=indices)


def _line_batch(corners: Sequence[Pixel]) -> gpu.types.GPUBatch:
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    return batch_for_shader(shader, "LINE_STRIP", {"pos": [(*pixel, 0.0) for pixel in corners]})


def _fill(batch: gpu.types.GPUBatch, color: tuple[float, ...]) -> None:
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    shader.uniform_float("color", color)
    batch.draw(shader)


def _line(
    region: bpy.types.Region, batch: gpu.types.GPUBatch, color: tuple[float, ...], width: float
) -> None:
    """Draw a line with smooth edges, as wide as so many pixels."""
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.uniform_float("viewportSize", (region.width, region.height))
    shader.uniform_float("lineWidth", width)
    shader.uniform_float("color", color)
    batch.draw(shader)


def _bright(color: Color) -> Color:
    """Return a colour half-way to white."""
    r, g, b = (0.5 + 0.5 * channel for channel in color)
    return r, g, b


@lru_cache(maxsize=16)
def _pixel_projection(width: int, height: int) -> Matrix:
    scale = Matrix.Diagonal((2.0 / width, 2.0 / height, -1.0, 1.0))
    return Matrix.Translation((-1.0, -1.0, 0.0)) @ scale


REACH = 15.0
"""Pixels at scale 1 within which a handle is taken hold of."""
MOVE_COLOR = (0.95, 0.95, 0.95)


class OMI_JOINT_GT_handle(bpy.types.Gizmo):
    """A bound, a target, or a way to move the frame of a joint"""

    bl_idname = "OMI_JOINT_GT_handle"
    __slots__ = ("number", "places")

    def setup(self) -> None:
        """Stand for nothing yet."""
        self.places: tuple[PlacedHandle, ...] = ()
        self.number = 0

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the handle, and what it stands at where the mouse is on it."""
        place = self.places[self.number]
        view = view_of(context.region, context.region_data)
        pixels = seen(view, place)
        if not pixels:
            return
        dragged = held()
        lit = self.is_highlight if dragged is None else place.handle.name == dragged.handle.name
        scale = context.preferences.system.ui_scale
        color = tuple(self.color)
        if place.arc:
            draw_arc(context.region, pixels, color, scale, lit=lit)
        else:
            way = screen_direction(view, place)
            draw_shape(context.region, place.handle, pixels[0], way, color, scale, lit=lit)
        if lit:
            text = dragged.label if dragged else label_with_value(place.handle, context.scene)
            right = right_edge(context.area, context.region)
            draw_label(context.region, right, pixels[len(pixels) // 2], text, scale)

    def test_select(self, context: bpy.types.Context, location: tuple[int, int]) -> int:
        """Say whether of all handles this one is nearest to the mouse, and within reach."""
        view = view_of(context.region, context.region_data)
        mouse = (float(location[0]), float(location[1]))
        scale = context.preferences.system.ui_scale
        return 0 if is_hit(view, self.places, self.number, mouse, scale) else -1


def is_hit(
    view: View, places: tuple[PlacedHandle, ...], number: int, mouse: Pixel, scale: float
) -> bool:
    """Return whether the mouse is on one of some handles: it is the nearest, and within reach."""
    return nearest(grips(view, places, RADIUS * scale), mouse, REACH * scale) == number


class OMI_JOINT_GGT_handles(bpy.types.GizmoGroup):
    """Handles of the active joint"""

    bl_idname = "OMI_JOINT_GGT_handles"
    bl_label = "Joint Handles"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT", "SHOW_MODAL_ALL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Ask for a joint."""
        return handles_allowed(context) and joint_at_hand(context) is not None

    def setup(self, context: bpy.types.Context) -> None:
        """Make the gizmos."""
        self.draw_prepare(context)

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Put a gizmo on each handle; joints have more or fewer, so surplus ones are hidden."""
        joint = joint_at_hand(context)
        places = _places(context, joint) if joint is not None else ()
        while len(self.gizmos) < len(places):
            gizmo = self.gizmos.new("OMI_JOINT_GT_handle")
            gizmo.use_draw_modal = True
        for number, gizmo in enumerate(self.gizmos):
            gizmo.hide = number >= len(places)
            if gizmo.hide:
                continue
            handle = places[number].handle
            before = gizmo.places[gizmo.number].handle.name if gizmo.places else None
            gizmo.places, gizmo.number = places, number
            if before != handle.name:
                gizmo.color = _color(handle, context)
                properties = gizmo.target_set_operator("omi_joint.drag")
                properties.part, properties.index = handle.part, handle.index
                properties.axis = str(handle.listed_axis)


def _places(context: bpy.types.Context, joint: bpy.types.Object) -> tuple[PlacedHandle, ...]:
    switches = context.scene.omi_physics_handles
    dragged = held()
    return placed_handles(
        joint,
        values=switches.show_values,
        frame=switches.show_frame and not is_anything_away(),
        held=(dragged.handle.part, dragged.handle.index) if dragged else None,
    )


def _color(handle: Handle, context: bpy.types.Context) -> tuple[float, float, float]:
    if handle.part is Part.TARGET:
        return FIXED[Role.DRIVE]
    if handle.part is Part.MOVE:
        return MOVE_COLOR
    if handle.is_sole:
        return FIXED[Role.SOLE]
    theme = user_theme(context)
    return theme.active if handle.hue is None else theme.axes[handle.hue]
