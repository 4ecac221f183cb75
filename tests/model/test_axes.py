# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds keep their meaning between Blender's axes and those of glTF: nothing is merely copied.

The physical tests map poses as the glTF exporter maps nodes and measure the coordinate there, so
that they know nothing of how bounds are converted.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from random import Random

import pytest
from hypothesis import given, settings

from omi_physics_joint.model.body import Motion, MotionType, Vector3
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP, AxisMap
from omi_physics_joint.model.geometry.transform import (
    Matrix,
    apply,
    difference,
    inverse,
    linear_part,
    multiply,
    rotation_from_quaternion,
    transpose,
)
from omi_physics_joint.model.joint import (
    AXES,
    Drive,
    DriveMode,
    Freedom,
    JointSettings,
    Limit,
    on_axes,
)
from omi_physics_joint.model.keys import Keys, reversed_bounds
from omi_physics_joint.model.mechanism import Node
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.settings.reversal import reversed_settings
from omi_physics_joint.model.shape import Box, Capsule
from omi_physics_joint.model.solid import Bounds
from tests.model.building import (
    allows,
    measured,
    motion_on,
    product,
    random_quaternion,
    random_rigid,
    random_vector,
    same_joint,
)
from tests.model.strategies import any_settings

# glTF from Blender: X stays, what was up along Z is up along Y, and Y comes out backwards along Z.
EXPORTER: Matrix = (
    (1.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 1.0, 0.0),
    (0.0, -1.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 1.0),
)
BOTH = pytest.mark.parametrize(
    ("axis_map", "change"),
    [(Y_UP_FROM_Z_UP, EXPORTER), (Z_UP_FROM_Y_UP, inverse(EXPORTER))],
    ids=["to glTF", "to Blender"],
)
EVERY_AXIS = pytest.mark.parametrize("axis", AXES)
BOTH_KINDS = pytest.mark.parametrize("freedom", list(Freedom))


def exported(world: Matrix, change: Matrix) -> Matrix:
    """Return the pose of a node as the glTF exporter maps it: world and local axes alike."""
    return product(change, world, inverse(change))


def limited(freedom: Freedom, axis: int, low: float, high: float) -> JointSettings:
    """Return settings with one limit on one axis."""
    return JointSettings(limits=(on_axes(Limit(min=low, max=high), freedom, (axis,)),))


def naive(axis_map: AxisMap, settings: JointSettings) -> JointSettings:
    """Return what a converter does that renames the axes and copies the bounds."""
    return AxisMap(axis_map.axis, (1, 1, 1)).settings(settings)


@BOTH
@EVERY_AXIS
@BOTH_KINDS
@pytest.mark.parametrize("seed", range(3))
def test_poses_at_the_bounds_stay_at_the_bounds(
    axis_map: AxisMap, change: Matrix, axis: int, freedom: Freedom, seed: int
) -> None:
    """Just inside a bound stays inside and just outside stays outside, on every axis."""
    settings = limited(freedom, axis, -0.3, 1.1)
    mapped = axis_map.settings(settings)
    joint = random_rigid(Random(seed))
    for value, allowed in ((-0.31, False), (-0.29, True), (1.09, True), (1.11, False)):
        connected = multiply(joint, motion_on(freedom, axis, value))
        poses = exported(joint, change), exported(connected, change)
        assert allows(settings, joint, connected) is allowed
        assert allows(mapped, *poses) is allowed


@BOTH
@EVERY_AXIS
@BOTH_KINDS
def test_bounds_are_what_is_measured(
    axis_map: AxisMap, change: Matrix, axis: int, freedom: Freedom
) -> None:
    """The two mapped bounds are the coordinates of the two mapped poses."""
    joint = random_rigid(Random(11))
    new_axis = axis_map.axis[axis]
    values = [
        measured(
            exported(joint, change),
            exported(multiply(joint, motion_on(freedom, axis, value)), change),
            freedom,
            new_axis,
        )
        for value in (-0.3, 1.1)
    ]
    (limit,) = axis_map.settings(limited(freedom, axis, -0.3, 1.1)).limits
    assert limit.axes(freedom) == (new_axis,)
    assert [limit.min, limit.max] == pytest.approx(sorted(values))


@BOTH
@BOTH_KINDS
def test_a_naive_copy_is_caught(axis_map: AxisMap, change: Matrix, freedom: Freedom) -> None:
    """Copied bounds forbid an allowed pose on the axis that changes its sign: the test can fail."""
    joint = random_rigid(Random(1))
    wrong = []
    for axis in AXES:
        connected = multiply(joint, motion_on(freedom, axis, 1.0))
        poses = exported(joint, change), exported(connected, change)
        copied = naive(axis_map, limited(freedom, axis, -0.3, 1.1))
        wrong += [] if allows(copied, *poses) else [axis]
    assert wrong == [axis for axis in AXES if axis_map.sign[axis] < 0]
    assert len(wrong) == 1


@BOTH
@EVERY_AXIS
@BOTH_KINDS
def test_drive_targets_follow_their_axis(
    axis_map: AxisMap, change: Matrix, axis: int, freedom: Freedom
) -> None:
    """A target in the new axes is the coordinate of the pose that was the target."""
    drive = Drive(freedom, DriveMode.FORCE, axis, position_target=0.7, velocity_target=-0.2)
    mapped = axis_map.drive(drive)
    joint = random_rigid(Random(2))
    for value, target in ((0.7, mapped.position_target), (-0.2, mapped.velocity_target)):
        connected = multiply(joint, motion_on(freedom, axis, value))
        seen = exported(joint, change), exported(connected, change)
        assert target == pytest.approx(measured(*seen, freedom, mapped.axis))


@pytest.mark.long
@given(any_settings())
@settings(deadline=None)
def test_there_and_back_is_the_same_joint(settings: JointSettings) -> None:
    """Blender to glTF and back means the same, for any axes, bounds and drives."""
    back = Z_UP_FROM_Y_UP.settings(Y_UP_FROM_Z_UP.settings(settings))
    assert canonical(back) == canonical(settings)


@EVERY_AXIS
def test_maps_are_inverse_to_each_other(axis: int) -> None:
    """Each axis comes back to itself with its sign."""
    through = Y_UP_FROM_Z_UP.axis[axis]
    assert Z_UP_FROM_Y_UP.axis[through] == axis
    assert Z_UP_FROM_Y_UP.sign[through] * Y_UP_FROM_Z_UP.sign[axis] == 1


@BOTH
def test_limits_split_only_where_signs_differ(axis_map: AxisMap, change: Matrix) -> None:
    """A range on all axes becomes two limits, and a symmetric or fixed one stays one."""
    del change
    lopsided = Limit(linear_axes=AXES, angular_axes=AXES, min=-1.0, max=2.0)
    assert len(axis_map.limits(lopsided)) == 2
    for bound in (0.0, 1.0):
        limit = Limit(linear_axes=AXES, angular_axes=AXES, min=-bound, max=bound)
        assert axis_map.limits(limit) == (limit,)


@BOTH
def test_nothing_becomes_minus_zero(axis_map: AxisMap, change: Matrix) -> None:
    """A bound or a target of zero is plain zero in the new axes, since a file would show it."""
    del change
    texts: list[str] = []
    for axis in AXES:
        for low, high in ((0.0, 1.0), (-1.0, 0.0)):
            texts += map(repr, axis_map.limits(Limit(linear_axes=(axis,), min=low, max=high)))
        drive = Drive(Freedom.LINEAR, DriveMode.FORCE, axis, position_target=0.0)
        texts.append(repr(axis_map.drive(drive)))
    texts.append(repr(axis_map.vector((0.0, 0.0, 0.0))))
    assert not [text for text in texts if "-0.0" in text]


@BOTH
@pytest.mark.parametrize("seed", range(5))
def test_poses_map_as_the_exporter_maps_nodes(axis_map: AxisMap, change: Matrix, seed: int) -> None:
    """Matrices, vectors and rotations change as a change of basis says."""
    random = Random(seed)
    matrix, vector, turn = random_rigid(random), random_vector(random), random_quaternion(random)
    assert difference(axis_map.matrix(matrix), exported(matrix, change)) < 1e-15
    assert axis_map.vector(vector) == pytest.approx(apply(linear_part(change), vector))
    basis = linear_part(change)
    expected = product_of_three(basis, rotation_from_quaternion(turn), transpose(basis))
    assert difference(rotation_from_quaternion(axis_map.quaternion(turn)), expected) < 1e-14


def product_of_three(a: Matrix, b: Matrix, c: Matrix) -> Matrix:
    """Return a b c, of any size."""
    return multiply(multiply(a, b), c)


@BOTH
@pytest.mark.parametrize("seed", range(5))
def test_inertia_tensor_is_the_same_in_space(axis_map: AxisMap, change: Matrix, seed: int) -> None:
    """Principal values and their frame, mapped, make the tensor of the same body."""
    random = Random(seed)
    motion = Motion(
        MotionType.DYNAMIC,
        inertia_diagonal=random_vector(random, 0.1, 2.0),
        inertia_orientation=random_quaternion(random),
    )

    def tensor(m: Motion) -> Matrix:
        r = rotation_from_quaternion(m.inertia_orientation)
        diagonal = tuple(
            tuple(m.inertia_diagonal[i] if i == j else 0.0 for j in AXES) for i in AXES
        )
        return product_of_three(r, diagonal, transpose(r))

    basis = linear_part(change)
    expected = product_of_three(basis, tensor(motion), transpose(basis))
    assert difference(tensor(axis_map.motion(motion)), expected) < 1e-13


def test_sizes_have_no_sign() -> None:
    """The depth of a box in Blender is its third size in glTF, and still positive."""
    assert Y_UP_FROM_Z_UP.shape(Box((1.0, 2.0, 3.0))) == Box((1.0, 3.0, 2.0))
    assert Y_UP_FROM_Z_UP.shape(Capsule(2.0)) == Capsule(2.0)


@pytest.mark.long
@given(any_settings())
@settings(deadline=None)
def test_negated_twice_is_the_joint_again(settings: JointSettings) -> None:
    """Reversing all angles twice is the joint again."""
    assert same_joint(
        reversed_settings(reversed_settings(settings, (Freedom.ANGULAR,)), (Freedom.ANGULAR,)),
        settings,
    )


def test_negated_angles_reverse_angles_and_nothing_else() -> None:
    """Angles of limits and drives change sides; distances do not."""
    settings = JointSettings(
        limits=(
            Limit(linear_axes=(0,), angular_axes=(0,), min=-0.2, max=0.9),
            Limit(angular_axes=(1,), min=0.1),
        ),
        drives=(
            Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, velocity_target=1.0, damping=3.0),
            Drive(Freedom.LINEAR, DriveMode.FORCE, 2, velocity_target=1.0, damping=3.0),
        ),
    )
    turned = reversed_settings(settings, (Freedom.ANGULAR,))
    assert turned.limits == (
        Limit(linear_axes=(0,), min=-0.2, max=0.9),
        Limit(angular_axes=(0,), min=-0.9, max=0.2),
        Limit(angular_axes=(1,), min=-inf, max=-0.1),
    )
    assert [drive.velocity_target for drive in turned.drives] == [-1.0, 1.0]
    assert replace(turned.drives[0], velocity_target=1.0) == settings.drives[0]


@BOTH
def test_the_box_around_a_mesh_is_still_around_it(axis_map: AxisMap, change: Matrix) -> None:
    """Every corner of the box lands on the box in the new axes, and that is no larger."""
    low, high = (-1.0, 2.0, 0.25), (3.0, 5.0, 0.5)
    mapped = axis_map.node(Node("a", bounds=Bounds(low, high))).bounds
    assert mapped is not None
    corners = [apply(change, (x, y, z)) for x, y, z in corners_of(low, high)]
    columns = list(zip(*corners, strict=True))
    assert mapped == Bounds(tuple(map(min, columns)), tuple(map(max, columns)))
    assert Node("a", bounds=mapped) == Node("a"), "bounds follow from the mesh"


def corners_of(low: Vector3, high: Vector3) -> list[Vector3]:
    """Return the eight corners of a box."""
    return [
        (x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])
    ]


def test_keys_of_a_bound_are_in_order_whichever_way_it_is_counted() -> None:
    """Turned round they are those of a bound that was keyed so: alike settings stay alike."""
    times = (0.0, 1.0)
    soft = Keys("stiffness", times, (5.0, 6.0))
    track = (Keys("max", times, (3.0, 4.0)), Keys("min", times, (-1.0, -2.0)), soft)
    turned = (Keys("max", times, (1.0, 2.0)), Keys("min", times, (-3.0, -4.0)), soft)
    assert reversed_bounds(track) == turned
    assert reversed_bounds(turned) == track
