# SPDX-License-Identifier: GPL-3.0-or-later
"""The second frame of a joint, which is no object of its own: where it is, and what it follows.

It stands where the joint does, moved by the joint's value, which only posing changes. While bodies
are shown away from rest it is carried by the second body instead (``away``).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import tau

from bpy.types import Object
from mathutils import Matrix, Quaternion, Vector

from ....model.geometry.frames import is_flat, rigid_frame
from ....model.geometry.transform import determinant, linear_part
from .away import carried_frame
from .transforms import NOISE, axis_and_angle

FIELDS = ("connected_position", "connected_rotation")
"""Properties of a joint that hold its value."""
PATHS = tuple(f"omi_physics_joint.{field}" for field in FIELDS)
"""The same as animation names them, on the joint's object."""


def name_of(joint: Object) -> str:
    """Return what the node of a second frame is called that is no object."""
    return joint.omi_physics_joint.connected_name or f"{joint.name} Second Frame"


def below(joint: Object) -> Object | None:
    """Return the object that says to which body the second frame belongs."""
    data = joint.omi_physics_joint
    found: Object | None = data.connected_node or data.connected_body
    return found


def value_of(joint: Object) -> Matrix | None:
    """Return the pose of the second frame in the frame of the joint; None at rest."""
    data = joint.omi_physics_joint
    position, rotation = Vector(data.connected_position), Vector(data.connected_rotation)
    if not (any(position) or any(rotation)):
        return None
    turn = Quaternion(rotation.normalized(), rotation.length) if any(rotation) else Quaternion()
    return Matrix.LocRotScale(position, turn, None)


def fields_of(value: Matrix, before: Vector | None = None) -> tuple[Vector, Vector]:
    """Return a rigid pose as the two properties hold it; turns go on from a rotation before."""
    axis, angle = axis_and_angle(value.to_quaternion())
    position, rotation = value.to_translation(), angle * axis
    if max(map(abs, (*position, *rotation))) <= NOISE:
        position, rotation = Vector(), Vector()
    return position, rotation if before is None else _nearest(rotation, before)


def _nearest(rotation: Vector, before: Vector) -> Vector:
    """Return the same turn with as many whole turns more as bring it near to another."""
    axis = rotation.normalized() if rotation.length > NOISE else before.normalized()
    turns = round((before.dot(axis) - rotation.dot(axis)) / tau)
    return rotation + axis * (tau * turns)


def set_value(joint: Object, value: Matrix | None) -> None:
    """Give a joint a value; None is rest."""
    before = Vector(joint.omi_physics_joint.connected_rotation)
    store(joint, fields_of(value, before) if value is not None else (Vector(), Vector()))


def store(joint: Object, values: Iterable[Iterable[float]]) -> None:
    """Store a value as the two properties hold it; numbers that stay are not stored anew."""
    data = joint.omi_physics_joint
    for field, new in zip(FIELDS, values, strict=True):
        if tuple(getattr(data, field)) != tuple(new):
            setattr(data, field, new)


def square(world: Matrix) -> Matrix:
    """Return the unscaled frame of a world matrix; one that is mirrored stays mirrored."""
    plain = tuple(map(tuple, world))
    linear = linear_part(plain)
    if is_flat(linear):
        return world
    frame = Matrix(rigid_frame(plain))
    return frame @ Matrix.Diagonal((1.0, 1.0, -1.0, 1.0)) if determinant(linear) < 0.0 else frame


def after(world: Matrix, value: Matrix | None) -> Matrix:
    """Return where a second frame is whose joint stands at a matrix and has a value."""
    return world if value is None else square(world) @ value


def between(joint: Matrix, second: Matrix) -> Matrix:
    """Return the value of a joint whose frames stand at two matrices: the way back of ``after``."""
    return square(joint).inverted_safe() @ square(second)


def second_world(joint: Object) -> Matrix | None:
    """Return where the second frame of a joint is now; None where it is connected to nothing."""
    data = joint.omi_physics_joint
    if data.connected_node is not None:
        return data.connected_node.matrix_world
    if data.connected_body is None:
        return None
    carried = carried_frame(joint)
    if carried is not None:
        return data.connected_body.matrix_world @ carried
    return after(joint.matrix_world, value_of(joint))


def keep_values(joints: Iterable[Object]) -> dict[Object, tuple[tuple[float, ...], ...]]:
    """Keep the values of joints, bit by bit, for ``store``."""
    return {
        joint: tuple(tuple(getattr(joint.omi_physics_joint, field)) for field in FIELDS)
        for joint in joints
    }
