# SPDX-License-Identifier: GPL-3.0-or-later
"""Drags a joint as a whole: its frame and its partner keep their pose to each other."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import bpy
from mathutils import Matrix, Vector

from ...drawing.mouse.drag import FINE, AxisDrag, PlaneDrag, Travel, snapped, step_of
from ...drawing.mouse.handles import Handle, Part, place_of
from ...drawing.mouse.picking import Pixel, View, minus
from ...model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from ...model.geometry.frames import SHEAR_TOLERANCE, shear_of
from ...model.geometry.transform import IDENTITY_ROTATION, linear_part, matrix_from, translation_of
from ...model.joint import AXIS_NAMES, Freedom, JointSettings
from ..bridge.placed import plain
from ..bridge.poses.transforms import Kept
from ..bridge.read_settings import settings_of
from ..data.units import said, unit_length, value_of
from ..joints.authoring import AuthoringError, place_frame
from ..joints.editing import own_partner
from .joint_frames import in_model, model_frame, size_of
from .snapping import surface_point
from .values import HeldKeys
from .wording import FINE_DIGITS, label_of


@dataclass(frozen=True, slots=True)
class _Pose:
    """An object's own numbers, and where they put it."""

    kept: Kept
    parent_inverse: Matrix
    world: Matrix

    def put_back(self) -> None:
        """Give the object its numbers back."""
        self.kept.put_back()
        if self.kept.object.matrix_parent_inverse != self.parent_inverse:
            self.kept.object.matrix_parent_inverse = self.parent_inverse


class FrameDrag:
    """Moves or turns the frames of a joint; ``restore`` leaves no trace."""

    def __init__(self, joint: bpy.types.Object, handle: Handle, scene: bpy.types.Scene) -> None:
        """Take hold.

        Raises:
            AuthoringError: the frames cannot be moved; the message says why.
        """
        self.joint, self.handle, self.scene = joint, handle, scene
        if not joint.is_editable:
            message = f"{joint.name} is linked from another file: make it local to move it."
            raise AuthoringError(message)
        settings = settings_of(joint)
        frame = model_frame(joint, settings)
        if frame is None:
            message = f"{joint.name} has a scale of zero: give it a size first."
            raise AuthoringError(message)
        self.name = "Turn Joint" if handle.part is Part.TURN else "Move Joint"
        self._frame = frame
        self._origin = Vector(Z_UP_FROM_Y_UP.vector(translation_of(frame)))
        self._axes = Matrix(Z_UP_FROM_Y_UP.matrix(frame)).to_3x3().normalized()
        self._partner = joint.omi_physics_joint.connected_node
        moved = [joint, own_partner(joint)]
        self._poses = [_pose(obj, settings) for obj in moved if obj is not None]
        self._arm = minus(place_of(handle, frame, size_of(joint)), translation_of(frame))
        self._plane = PlaneDrag(translation_of(frame))
        self._offset = Vector()
        self._angle = Travel(0.0)
        self._constraint = ""
        self._axis = self._new_axis()
        self.change = Matrix.Identity(4)
        self._text = ""

    def _new_axis(self) -> AxisDrag:
        """Return the drag about the handle's axis, or along the axis that was chosen."""
        if self.handle.part is Part.TURN:
            return AxisDrag(Freedom.ANGULAR, self._frame, self.handle.axis, self._arm)
        frame = self._frame
        if not self._constraint.startswith("own"):
            frame = matrix_from(IDENTITY_ROTATION, translation_of(frame))
        chosen = "XYZ".find(self._constraint[-1:] or "X")
        return AxisDrag(Freedom.LINEAR, frame, Y_UP_FROM_Z_UP.axis[chosen], (0.0, 0.0, 0.0))

    def constrain(self, name: str) -> None:
        """Keep to an axis of the world; once more, of the joint; once more, to none."""
        if self.handle.part is Part.MOVE:
            steps = ("", f"world{name}", f"own{name}", "")
            same = self._constraint if self._constraint.endswith(name) else ""
            self._constraint = steps[steps.index(same) + 1]
            self._offset, self._axis = Vector(), self._new_axis()
            self._plane = PlaneDrag(translation_of(self._frame))
            self._move(Vector())

    def moved(self, context: bpy.types.Context, view: View, mouse: Pixel, keys: HeldKeys) -> None:
        """Follow the mouse."""
        if self.handle.part is Part.TURN:
            change = self.handle.sign * self._axis.moved(view, mouse)
            self._angle.add(change, fine=keys.fine)
            self._turn(self._angle.value(self._step(view, keys), -inf, inf))
            return
        self._offset += self._way(view, mouse) * (FINE if keys.fine else 1.0)
        aim = surface_point(context, view, mouse) if keys.snap else None
        if aim is not None:
            self._move(self._along(aim - self._origin))
            return
        step = self._step(view, keys)
        if keys.snap and not self._constraint:
            place = self._origin + self._offset
            self._move(Vector([snapped(value, step) for value in place]) - self._origin)
        elif self._constraint and self._offset.length > 0.0:
            self._move(self._offset.normalized() * snapped(self._offset.length, step))
        else:
            self._move(self._offset)

    def _way(self, view: View, mouse: Pixel) -> Vector:
        """Return how far the mouse has taken the frames, in Blender's axes."""
        if not self._constraint:
            return Vector(Z_UP_FROM_Y_UP.vector(self._plane.moved(view, mouse)))
        sign = Y_UP_FROM_Z_UP.sign["XYZ".index(self._constraint[-1])]
        return self._direction() * (sign * self._axis.moved(view, mouse))

    def _along(self, offset: Vector) -> Vector:
        return offset.project(self._direction()) if self._constraint else offset

    def _direction(self) -> Vector:
        """Return the axis that the motion keeps to; the world's X where there is none."""
        chosen = "XYZ".index(self._constraint[-1:] or "X")
        axes = self._axes if self._constraint.startswith("own") else Matrix.Identity(3)
        return axes.col[chosen]

    def _step(self, view: View, keys: HeldKeys) -> float:
        return step_of(
            self.handle.freedom,
            view.pixel_size(in_model(self._origin)),
            snap=keys.snap,
            fine=keys.fine,
            unit=unit_length(self.scene),
        )

    def typed(self, text: str) -> bool:
        """Set a typed angle or distance, and say whether it is one."""
        value = value_of(text, self.handle.freedom, self.scene)
        if value is None:
            return False
        if self.handle.part is Part.TURN:
            self._turn(value)
        else:
            self._move(self._direction() * value)
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
            for pose in self._poses:
                place_frame(pose.kept.object, change @ pose.world)

    @property
    def changed(self) -> bool:
        """Whether anything differs from before."""
        return bool(self.change != Matrix.Identity(4))

    def restore(self) -> None:
        """Put everything back, bit by bit; a partner that was made for this goes again."""
        self.change = Matrix.Identity(4)
        for pose in self._poses:
            pose.put_back()
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
        along = ""
        if self._constraint:
            whose = "the joint's" if self._constraint.startswith("own") else "global"
            along = f"  along {whose} {self._constraint[-1]}"
        return f"{self.label}{along}"


def _pose(obj: bpy.types.Object, settings: JointSettings) -> _Pose:
    """Return where an object is; a sheared one counts as its frame, since none can hold shear."""
    world = obj.matrix_world.copy()
    frame = model_frame(obj, settings)
    if frame is not None and shear_of(linear_part(plain(world))) > SHEAR_TOLERANCE:
        world = Matrix(Z_UP_FROM_Y_UP.matrix(frame))
    return _Pose(Kept.of(obj), obj.matrix_parent_inverse.copy(), world)
