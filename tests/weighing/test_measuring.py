# SPDX-License-Identifier: GPL-3.0-or-later
"""Centres of mass that are computed, against those of shapes that are placed at random."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType, Trigger
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import (
    Matrix,
    apply,
    compose,
    linear_part,
    multiply,
    plus,
    rotation_from_quaternion,
    translation_of,
)
from omi_physics_joint.model.mechanics.inertias import centre_of
from omi_physics_joint.model.mechanics.masses import principal
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Convex, Sphere, Trimesh
from omi_physics_joint.model.solid import Bounds
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.weighing.inertia import (
    guessed_bodies,
    meshes_of,
    parts_of_bodies,
    with_centres,
)

OPEN = Motion(MotionType.DYNAMIC, center_of_mass=None)
BOX, BALL = Box((1.0, 0.2, 0.4)), Sphere(0.3)
VOLUMES = (0.08, 4.0 / 3.0 * pi * 0.027)


def anyhow(random: np.random.Generator, scale: float) -> Matrix:
    """Return a pose up to 20 m away, turned anyhow, in single precision as files hold it."""
    x, y, z = np.float32(random.uniform(-20.0, 20.0, 3)).tolist()
    turn = np.float32(random.normal(size=4))
    a, b, c, d = (turn / np.linalg.norm(turn)).tolist()
    return compose((x, y, z), (a, b, c, d), (scale,) * 3)


@pytest.mark.parametrize("seed", range(12))
def test_the_centre_is_that_of_all_colliders_of_the_body(seed: int) -> None:
    """Turned, scaled, mirrored and far from the origin; meshes and triggers do not count."""
    random = np.random.default_rng(seed)
    scale = float(random.uniform(0.5, 2.0)) * (-1.0) ** seed
    body = anyhow(random, scale)
    places = [multiply(body, anyhow(random, 1.0)) for _ in range(3)]
    nodes = (
        Node("Body", None, body, motion=OPEN, bounds=Bounds((9.0,) * 3, (10.0,) * 3)),
        Node("Box", 0, places[0], collider=Collider(0)),
        Node("Ball", 1, places[1], collider=Collider(1)),
        Node("Zone", 0, places[2], trigger=Trigger(1)),
    )
    mechanism = Mechanism(nodes, shapes=(BOX, BALL))
    found = with_centres(mechanism).nodes[0].motion
    assert found is not None
    frame = rigid_frame(body)
    world = plus(translation_of(frame), apply(linear_part(frame), found.center))
    middles = np.array([translation_of(place) for place in places[:2]])
    expected = np.average(middles, axis=0, weights=VOLUMES)
    assert world == pytest.approx(expected, abs=1e-9)
    assert centre_of(mechanism, 0, range(4)) == pytest.approx(expected, abs=1e-9)
    assert found == OPEN  # what is found is no part of what is said


def test_a_body_without_colliders_has_its_mass_in_its_origin() -> None:
    """As engines have it: the mesh that is shown is no matter to them."""
    node = Node("Body", motion=OPEN, bounds=Bounds((1.0,) * 3, (2.0,) * 3))
    motion = with_centres(Mechanism((node,))).nodes[0].motion
    assert motion is not None
    assert motion.center == (0.0, 0.0, 0.0)


def test_the_solver_moves_an_open_centre_as_one_that_is_said() -> None:
    """A bar as collider of a child, whose body has its origin beside it: it spins about its bar."""
    spinning = replace(OPEN, angular_velocity=(0.3, 0.0, 2.0))
    bar = Node("Bar", 0, compose((0.4, 0.0, 0.0)), collider=Collider(0))
    poses = []
    for motion in (spinning, replace(spinning, center_of_mass=(0.4, 0.0, 0.0))):
        mechanism = Mechanism((Node("Body", motion=motion), bar), shapes=(Box((0.8, 0.1, 0.1)),))
        simulation = Simulation(mechanism, Options((0.0, -9.81, 0.0)))
        for _ in range(10):
            simulation.step(1.0 / 24.0)
        poses.append((simulation.positions.copy(), simulation.rotations.copy()))
    for ours, theirs in zip(*poses, strict=True):
        assert np.array_equal(ours, theirs)
    assert poses[0][0][0][0] > 0.01  # the origin goes round the centre


@pytest.mark.parametrize("kind", list(MotionType))
@pytest.mark.parametrize("count", range(4))
def test_each_moment_that_is_left_open_has_a_dynamic_body_measured(
    kind: MotionType, count: int
) -> None:
    """One of three is enough; what is led or stands needs none, nor who says all of them."""
    for at in range(3):
        open_ones = {(at + i) % 3 for i in range(count)}
        diagonal = tuple(0.0 if axis in open_ones else 2.0 for axis in range(3))
        node = Node("Body", motion=Motion(kind, inertia_diagonal=diagonal))
        measured = kind is MotionType.DYNAMIC and count > 0
        assert guessed_bodies(Mechanism((node,))) == ({0} if measured else set())


def test_a_centre_that_somebody_has_weighed_stays() -> None:
    """It is not found anew from what the colliders fill."""
    motion = replace(OPEN, found_center=(1.0, 2.0, 3.0))
    mechanism = Mechanism((Node("Body", motion=motion, collider=Collider(0)),), shapes=(BOX,))
    assert with_centres(mechanism).nodes[0].motion.center == (1.0, 2.0, 3.0)


@pytest.mark.parametrize("seed", range(12))
def test_principal_moments_about_their_axes_are_the_inertia(seed: int) -> None:
    """The axes are a rotation, whichever way the eigenvectors point."""
    spread = np.random.default_rng(seed).normal(size=(3, 3))
    inertia = spread @ spread.T
    moments, axes = principal(inertia.tolist())
    turn = np.array(rotation_from_quaternion(axes))
    assert turn @ np.diag(moments) @ turn.T == pytest.approx(inertia, abs=1e-12)


def test_meshes_are_measured_of_the_bodies_that_are_asked_for_alone() -> None:
    """What a body holds below it is its own; shapes that are no meshes have none."""
    shapes = (Convex(0), Trimesh(1), Convex(2), BOX)
    nodes = (
        Node("A", motion=OPEN, collider=Collider(0)),
        Node("Part of A", 0, collider=Collider(1)),
        Node("B", motion=OPEN, collider=Collider(2)),
        Node("C", motion=OPEN, collider=Collider(3)),
        Node("Ground", collider=Collider(0)),
    )
    mechanism = Mechanism(nodes, shapes=shapes, meshes=("", "", ""))
    asked = (({0}, {0, 1}), ({2}, {2}), ({0, 2}, {0, 1, 2}), ({3}, set()), (set(), set()))
    for bodies, meshes in asked:
        assert meshes_of(mechanism, bodies) == meshes


def test_a_collider_of_what_is_below_it_is_no_part_by_itself() -> None:
    """A body weighs by shapes, and by bounds of what is shown where there are none."""
    shown = Bounds((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    nodes = (
        Node("Body", motion=OPEN, collider=Collider(None)),
        Node("Solid", 0, collider=Collider(0)),
        Node("Shown", 0, bounds=shown),
        Node("Zone", 0, trigger=Trigger(0)),
        Node("Ground", collider=Collider(0)),
    )
    assert parts_of_bodies(Mechanism(nodes, shapes=(BOX,))) == {0: [1, 2]}


def test_a_flat_body_has_no_centre_to_be_found() -> None:
    """Its colliders are somewhere, and it has no axes to say it in."""
    flat = compose((1.0, 2.0, 3.0), (0.0, 0.0, 0.0, 1.0), (1.0, 0.0, 1.0))
    nodes = (Node("Flat", None, flat, motion=OPEN), Node("Box", 0, compose(), collider=Collider(0)))
    assert with_centres(Mechanism(nodes, shapes=(BOX,))).nodes[0].motion == OPEN
    found = with_centres(Mechanism(nodes, shapes=(BOX,))).nodes[0].motion
    assert found is not None
    assert found.found_center is None
