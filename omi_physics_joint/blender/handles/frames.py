# SPDX-License-Identifier: GPL-3.0-or-later
"""Drags a joint as a whole: its frame and its partner keep their pose to each other.

It snaps to corners, edges and faces under the mouse.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import dist

import bpy
from mathutils import Matrix, Vector
from mathutils.geometry import intersect_point_line

from ...drawing.mouse.drag import FINE, AxisDrag, PlaneDrag, Travel, snapped
from ...drawing.mouse.handles import Handle, Part, place_of
from ...drawing.mouse.picking import Pixel, View
from ...model.body import ZERO
from ...model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from ...model.geometry.frames import SHEAR_TOLERANCE, shear_of
from ...model.geometry.transform import (
    IDENTITY_ROTATION,
    linear_part,
    matrix_from,
    minus,
    translation_of,
)
from ...model.joint import AXIS_NAMES, Freedom, JointSettings
from ..bridge.placed import plain
from ..bridge.poses.transforms import Kept
from ..bridge.read_settings import settings_of
from ..data.units import said, value_of
from ..joints.authoring import AuthoringError, place_frame
from ..joints.editing import own_partner
from .places import FINE_DIGITS, held_frame, in_model, label_of, rigid_in_model, size_of
from .values import HeldKeys

REACH = 14.0
"""Pixels within which a corner wins over an edge, and an edge over a face."""
_Pose = tuple[Kept, Matrix, Matrix]
"""An object's own numbers, its parent inverse, and where both put it."""


class FrameDrag:
    """Moves or turns the frames of a joint; ``restore`` leaves no trace."""

    def __init__(self, joint: bpy.types.Object, handle: Handle, scene: bpy.types.Scene) -> None:
        """Take hold.

        Raises:
            AuthoringError: the frames cannot be moved; the message says why.
        """
        self.joint, self.handle, self.scene = joint, handle, scene
        if not joint.is_editable:
            raise AuthoringError(
                f"{joint.name} is linked from another file: make it local to move it."
            )
        settings = settings_of(joint)
        self._frame = frame = held_frame(joint, plain(joint.matrix_world), settings)
        self.name = "Turn Joint" if handle.part is Part.TURN else "Move Joint"
        self._origin = Vector(Z_UP_FROM_Y_UP.vector(translation_of(frame)))
        self._axes = Matrix(Z_UP_FROM_Y_UP.matrix(frame)).to_3x3().normalized()
        self._partner = joint.omi_physics_joint.connected_node
        moved = [joint, own_partner(joint)]
        self._poses = [_pose(obj, settings) for obj in moved if obj is not None]
        self._arm = minus(place_of(handle, frame, size_of(joint)), translation_of(frame))
        self._angle = Travel(0.0)
        self._text = ""
        self.change = Matrix.Identity(4)
        self._constrain("")

    def _constrain(self, constraint: str) -> None:
        """Begin anew along an axis, "global X" or "the joint's X", or across the view."""
        self._constraint = constraint
        self._offset, self._plane = Vector(), PlaneDrag(translation_of(self._frame))
        is_own, chosen = constraint.startswith("the joint"), "XYZ".index(constraint[-1:] or "X")
        self._direction = (self._axes if is_own else Matrix.Identity(3)).col[chosen].copy()
        self._sign = Y_UP_FROM_Z_UP.sign[chosen]
        frame = self._frame
        if self.handle.part is Part.TURN:
            self._axis = AxisDrag(Freedom.ANGULAR, frame, self.handle.axis, self._arm)
            return
        if not is_own:
            frame = matrix_from(IDENTITY_ROTATION, translation_of(frame))
        self._axis = AxisDrag(Freedom.LINEAR, frame, Y_UP_FROM_Z_UP.axis[chosen], ZERO)

    def constrain(self, name: str) -> None:
        """Keep to an axis of the world; once more, of the joint; once more, to none."""
        if self.handle.part is Part.MOVE:
            steps = ("", f"global {name}", f"the joint's {name}", "")
            same = self._constraint if self._constraint.endswith(name) else ""
            self._constrain(steps[steps.index(same) + 1])
            self._move(Vector())

    def moved(self, context: bpy.types.Context, view: View, mouse: Pixel, keys: HeldKeys) -> None:
        """Follow the mouse."""
        step = keys.step(self.handle.freedom, view, in_model(self._origin), self.scene)
        if self.handle.part is Part.TURN:
            change = self.handle.sign * self._axis.moved(view, mouse)
            self._angle.add(change, fine=keys.fine)
            self._turn(self._angle.value(step))
            return
        self._offset += self._way(view, mouse) * (FINE if keys.fine else 1.0)
        aim = surface_point(context, view, mouse) if keys.snap else None
        way = self._offset
        if aim is not None:
            way = aim - self._origin
            if self._constraint:
                way = way.project(self._direction)
        elif self._constraint and way.length > 0.0:
            way = way.normalized() * snapped(way.length, step)
        elif keys.snap and not self._constraint:
            place = self._origin + way
            way = Vector([snapped(value, step) for value in place]) - self._origin
        self._move(way)

    def _way(self, view: View, mouse: Pixel) -> Vector:
        """Return how far the mouse has taken the frames, in Blender's axes."""
        if not self._constraint:
            return Vector(Z_UP_FROM_Y_UP.vector(self._plane.moved(view, mouse)))
        return self._direction * (self._sign * self._axis.moved(view, mouse))

    def typed(self, text: str) -> bool:
        """Set a typed angle or distance, and say whether it is one."""
        value = value_of(text, self.handle.freedom, self.scene)
        if value is None:
            return False
        if self.handle.part is Part.TURN:
            self._turn(value)
        else:
            self._move(self._direction * value)
        return True

    def _turn(self, angle: float) -> None:
        self._text = said(angle, Freedom.ANGULAR, self.scene, FINE_DIGITS)
        there = Matrix.Translation(self._origin)
        turn = Matrix.Rotation(angle, 4, self._axes.col[self.handle.listed_axis])
        self._set(there @ turn @ there.inverted())

    def _move(self, offset: Vector) -> None:
        distances = (said(value, Freedom.LINEAR, self.scene, FINE_DIGITS) for value in offset)
        self._text = "  ".join(map(" ".join, zip(AXIS_NAMES, distances, strict=True)))
        self._set(Matrix.Translation(offset))

    def _set(self, change: Matrix) -> None:
        """Put the frames where a motion of the world takes them."""
        if change != self.change:
            self.change = change
            for kept, _, world in self._poses:
                place_frame(kept.object, change @ world)

    @property
    def changed(self) -> bool:
        """Whether anything differs from before."""
        return bool(self.change != Matrix.Identity(4))

    def restore(self) -> None:
        """Put everything back, bit by bit; a partner that was made for this goes again."""
        self.change = Matrix.Identity(4)
        for kept, parent_inverse, _ in self._poses:
            kept.put_back()
            if kept.object.matrix_parent_inverse != parent_inverse:
                kept.object.matrix_parent_inverse = parent_inverse
        data = self.joint.omi_physics_joint
        made = data.connected_node
        if made != self._partner:
            data.connected_node = self._partner
            self._poses = self._poses[:1]
            bpy.data.objects.remove(made)

    @property
    def label(self) -> str:
        """What is done, and how far."""
        return f"{label_of(self.handle)}: {self._text}" if self._text else label_of(self.handle)

    def summary(self) -> str:
        """Return what the header says."""
        return f"{self.label}  along {self._constraint}" if self._constraint else self.label


def _pose(obj: bpy.types.Object, settings: JointSettings) -> _Pose:
    """Return where an object is; a sheared one counts as its frame, since none can hold shear."""
    world = obj.matrix_world.copy()
    frame = rigid_in_model(plain(world), settings)
    if frame is not None and shear_of(linear_part(plain(world))) > SHEAR_TOLERANCE:
        world = Matrix(Z_UP_FROM_Y_UP.matrix(frame))
    return Kept.of(obj), obj.matrix_parent_inverse.copy(), world


def surface_point(context: bpy.types.Context, view: View, mouse: Pixel) -> Vector | None:
    """Return the point of the visible surface to snap to, in the world; None beside all objects."""
    ray = view.ray(mouse)
    depsgraph = context.evaluated_depsgraph_get()
    hit, place, _, face, obj, matrix = context.scene.ray_cast(
        depsgraph,
        Vector(Z_UP_FROM_Y_UP.vector(ray.origin)),
        Vector(Z_UP_FROM_Y_UP.vector(ray.direction)),
    )
    if not hit:
        return None
    shape = obj.evaluated_get(depsgraph).data
    if not isinstance(shape, bpy.types.Mesh) or not 0 <= face < len(shape.polygons):
        return place
    corners = [matrix @ shape.vertices[index].co for index in shape.polygons[face].vertices]
    nearest = _nearest(corners, view, mouse)
    if nearest is not None:
        return nearest
    edges = zip(corners, corners[1:] + corners[:1], strict=True)
    feet = [intersect_point_line(place, a, b) for a, b in edges]
    return _nearest([foot for foot, share in feet if 0.0 < share < 1.0], view, mouse) or place


def _nearest(points: Iterable[Vector], view: View, mouse: Pixel) -> Vector | None:
    """Return the point that is seen within reach of the mouse and next to it."""
    pixels = [(view.pixel(in_model(point)), point) for point in points]
    gaps = [(dist(pixel, mouse), point) for pixel, point in pixels if pixel is not None]
    gap, found = min(gaps, key=lambda one: one[0], default=(REACH, None))
    return found if gap < REACH else None
