# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames stand exactly where they should, and mirrored joints move as their mirror images."""

from __future__ import annotations

from math import cos, sin
from random import Random

import pytest

from omi_physics_joint.model.geometry.frames import (
    SHEAR_TOLERANCE,
    frame_along,
    is_flat,
    is_lopsided,
    mirrored_axis,
    placements,
    rigid_frame,
    shear_of,
)
from omi_physics_joint.model.geometry.transform import (
    IDENTITY,
    compose,
    difference,
    linear_part,
    matrix_from,
    multiply,
)
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.recipes import hinge, slider
from tests.model.building import (
    allows,
    is_rotation,
    motion_on,
    product,
    random_parent,
    random_rigid,
    random_vector,
    turn,
)

SEEDS = range(12)
MIRRORS = {
    "left and right": compose(scale=(-1.0, 1.0, 1.0)),
    "up and down": compose((0.0, 4.0, 0.0), scale=(1.0, -1.0, 1.0)),
    "point": compose(scale=(-1.0, -1.0, -1.0)),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mirrored", [False, True])
def test_placements_put_a_frame_exactly_where_it_is(seed: int, mirrored: bool) -> None:
    """Below any parent, turned, unevenly scaled and mirrored, the nodes end in the frame."""
    random = Random(seed)
    parent, frame = random_parent(random, mirrored=mirrored), random_rigid(random)
    nodes = placements(parent, frame)
    world = product(parent, *(compose(n.translation, n.rotation, n.scale) for n in nodes))
    assert difference(world, frame) < 1e-12
    assert len(nodes) == 2


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (2.0, 2.0, 2.0), (-1.0, 1.0, 1.0)])
def test_one_node_is_enough_below_an_even_parent(scale: tuple[float, float, float]) -> None:
    """Below a parent without uneven scale, a frame is a single node."""
    parent = compose((1.0, 2.0, 3.0), (0.1, 0.2, 0.3, 0.9), scale)
    frame = random_rigid(Random(7))
    (node,) = placements(parent, frame)
    world = multiply(parent, compose(node.translation, node.rotation, node.scale))
    assert difference(world, frame) < 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_rounding_is_no_scale(seed: int) -> None:
    """Below a parent that is not scaled a frame is not scaled either, by not a single bit."""
    random = Random(seed)
    (node,) = placements(random_rigid(random), random_rigid(random))
    assert node.scale == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(("shear", "nodes"), [(1e-6, 1), (4e-6, 2), (0.5, 2)])
@pytest.mark.parametrize("axes", [(0, 1), (0, 2), (1, 2)])
def test_what_single_precision_leaves_of_shear_takes_no_second_node(
    axes: tuple[int, int], shear: float, nodes: int
) -> None:
    """Two millionths are what a frame below an evenly scaled body has; more is really there."""
    linear = [[float(row == column) for column in AXES] for row in AXES]
    linear[axes[0]][axes[1]] = shear
    parent = matrix_from(linear, (0,) * 3)
    assert len(placements(parent, IDENTITY)) == nodes


def test_placement_below_flat_parent_is_refused() -> None:
    """No node stands upright below a parent without height."""
    with pytest.raises(ZeroDivisionError):
        placements(compose(scale=(1.0, 0.0, 1.0)), IDENTITY)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mirrored", [False, True])
def test_rigid_frame_is_right_handed_and_unscaled(seed: int, mirrored: bool) -> None:
    """Whatever the world matrix, the frame is a rotation at the same place."""
    world = random_parent(Random(seed), mirrored=mirrored)
    frame = rigid_frame(world)
    assert is_rotation(frame)
    assert [row[3] for row in frame] == [row[3] for row in world]


@pytest.mark.parametrize("seed", SEEDS)
def test_rigid_frame_leaves_rigid_frames_alone(seed: int) -> None:
    """A frame that is rigid already, or only scaled, keeps its directions."""
    frame = random_rigid(Random(seed))
    scaled = multiply(frame, compose(scale=(0.5, 3.0, 7.0)))
    assert difference(rigid_frame(frame), frame) < 1e-14
    assert difference(rigid_frame(scaled), frame) < 1e-14


@pytest.mark.parametrize("shear", [1e-7, 1e-4, 9e-4, 1.1e-3, 5e-3, 0.1, 0.9])
def test_rigid_frame_spreads_shear_evenly(shear: float) -> None:
    """Two axes that lean towards each other are bent back by the same angle each."""
    world = matrix_from(((1.0, sin(shear), 0.0), (0.0, cos(shear), 0.0), (0.0, 0.0, 1.0)), (0,) * 3)
    expected = turn(2, -shear / 2.0)
    assert difference(rigid_frame(world), expected) < 1e-12


@pytest.mark.parametrize("axis", AXES)
def test_mirrored_frame_flips_one_axis_and_keeps_the_others(axis: int) -> None:
    """A left-handed frame becomes right-handed by turning round the axis that was chosen."""
    settings = hinge(axis, 0.0, 1.0)
    assert mirrored_axis(settings) == axis
    frame = rigid_frame(compose(scale=(-1.0, 1.0, 1.0)), settings)
    columns = [[row[i] for row in frame[:3]] for i in AXES]
    mirrored = [[row[i] for row in compose(scale=(-1.0, 1.0, 1.0))[:3]] for i in AXES]
    flipped = [i for i in AXES if columns[i] == pytest.approx([-x for x in mirrored[i]])]
    kept = [i for i in AXES if columns[i] == pytest.approx(mirrored[i])]
    assert flipped == [axis]
    assert len(kept) == 2


LOPSIDED = {
    **{f"hinge about {'XYZ'[a]}": (hinge(a, -0.2, 0.9), Freedom.ANGULAR, a) for a in AXES},
    **{f"slider along {'XYZ'[a]}": (slider(a, -0.2, 0.9), Freedom.LINEAR, a) for a in AXES},
}


@pytest.mark.parametrize("mirror", MIRRORS)
@pytest.mark.parametrize("joint", LOPSIDED)
def test_mirrored_joint_moves_as_the_mirror_image(joint: str, mirror: str) -> None:
    """What the joint allows, its mirror image allows mirrored, and nothing else."""
    settings, freedom, axis = LOPSIDED[joint]
    frame = random_rigid(Random(3))
    for value in (-0.85, -0.25, -0.15, 0.0, 0.85, 0.95):
        connected = multiply(frame, motion_on(freedom, axis, value))
        image = rigid_frame(multiply(MIRRORS[mirror], frame), settings)
        connected_image = rigid_frame(multiply(MIRRORS[mirror], connected), settings)
        assert allows(settings, image, connected_image) == allows(settings, frame, connected)


@pytest.mark.parametrize("mirror", MIRRORS)
def test_swing_and_slide_mirrors_on_two_axes(mirror: str) -> None:
    """A joint that is lopsided along one axis and about another mirrors right in both."""
    settings = JointSettings(
        limits=(
            Limit(linear_axes=(0,), min=-0.25, max=1.75),
            Limit(angular_axes=(1,), min=-0.1, max=0.6),
        )
    )
    assert mirrored_axis(settings) == 1
    frame = random_rigid(Random(5))
    for freedom, axis, inside, outside in (
        (Freedom.LINEAR, 0, 1.5, -1.5),
        (Freedom.ANGULAR, 1, 0.5, -0.5),
    ):
        for value, allowed in ((inside, True), (outside, False)):
            connected = multiply(frame, motion_on(freedom, axis, value))
            image = rigid_frame(multiply(MIRRORS[mirror], frame), settings)
            connected_image = rigid_frame(multiply(MIRRORS[mirror], connected), settings)
            assert allows(settings, image, connected_image) is allowed


def test_mirrored_axis_is_z_where_nothing_is_lopsided() -> None:
    """Symmetric joints, and none at all, flip Z."""
    assert mirrored_axis(None) == 2
    assert mirrored_axis(JointSettings()) == 2
    assert mirrored_axis(hinge(0, -1.0, 1.0)) == 2


def test_drive_targets_count_as_lopsided() -> None:
    """A joint that is driven one way is not its own mirror image; one driven to zero is."""
    motor = Drive(Freedom.ANGULAR, DriveMode.FORCE, 0, velocity_target=1.0, damping=1.0)
    driven = JointSettings(drives=(motor,))
    assert is_lopsided(driven, Freedom.ANGULAR, 0)
    assert not is_lopsided(driven, Freedom.LINEAR, 0)
    assert mirrored_axis(driven) == 0
    still = Drive(Freedom.ANGULAR, DriveMode.FORCE, 0, position_target=0.0, stiffness=1.0)
    assert not is_lopsided(JointSettings(drives=(still,)), Freedom.ANGULAR, 0)


@pytest.mark.parametrize("scale", [1e-120, 1e-6, 1.0, 1e6, 1e120])
def test_only_a_lost_direction_is_flat(scale: float) -> None:
    """Small and large are not flat; zero along one axis, or two axes in one line, is."""
    turned = (0.1, 0.2, 0.3, 0.9)
    assert not is_flat(linear_part(compose(rotation=turned, scale=(scale, scale, scale))))
    assert is_flat(linear_part(compose(rotation=turned, scale=(scale, 0.0, scale))))
    assert is_flat(((scale, scale, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, scale)))


def test_shear_is_the_cosine_between_axes() -> None:
    """Square frames have no shear, whatever their scale; leaning axes have their cosine."""
    square = compose(rotation=(0.1, 0.2, 0.3, 0.9), scale=(1.0, 20.0, 0.3))
    assert shear_of(linear_part(square)) < SHEAR_TOLERANCE * 1e-6
    leaning = ((1.0, 0.6, 0.0), (0.0, 0.8, 0.0), (0.0, 0.0, 1.0))
    assert shear_of(leaning) == pytest.approx(0.6)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("seed", SEEDS)
def test_frame_along_points_where_it_is_told(axis: int, seed: int) -> None:
    """The chosen axis lies along the direction, in a right-handed frame at the origin given."""
    random = Random(seed)
    direction, origin = random_vector(random), random_vector(random)
    frame = frame_along(axis, direction, origin)
    assert is_rotation(frame)
    column = [row[axis] for row in frame[:3]]
    length = sum(x * x for x in direction) ** 0.5
    assert column == pytest.approx([x / length for x in direction])
    assert tuple(row[3] for row in frame[:3]) == origin


@pytest.mark.parametrize("axis", AXES)
def test_frame_along_a_world_axis_has_no_odd_turn(axis: int) -> None:
    """A frame along its own world axis is the world's own."""
    direction = tuple(1.0 if i == axis else 0.0 for i in AXES)
    frame = frame_along(axis, (direction[0], direction[1], direction[2]))
    assert difference(frame, IDENTITY) == 0.0


def test_frame_along_nothing_is_refused() -> None:
    """A direction of length zero points nowhere."""
    with pytest.raises(ValueError, match="nowhere"):
        frame_along(0, (0.0, 0.0, 0.0))
