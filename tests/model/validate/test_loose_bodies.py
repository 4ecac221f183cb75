# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies without joints, turned anyhow: what overlaps, what tumbles, and what spins off."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import cos, radians, sin
from random import Random

import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType, Vector3
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, apply, compose, linear_part
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Capsule, Convex, Shape, Sphere, Trimesh
from omi_physics_joint.model.solid import Bounds
from omi_physics_joint.model.validate import check
from tests.model.building import DYNAMIC, STATIC, codes, product, random_rigid, shift, turn

SIZE = (0.03, 0.2, 0.1)
OVERLAP, TUMBLING, OFF = "godot-overlap", "godot-tumbling", "spins-off"
HALF = Bounds((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))


def rounded(world: Matrix) -> Matrix:
    """Return a pose in single precision."""
    return tuple(struct.unpack("4f", struct.pack("4f", *row)) for row in world)


def said(nodes: Sequence[Node], *shapes: Shape) -> set[str]:
    """Return what Check says of nodes, in single precision."""
    fine = tuple(replace(node, world=rounded(node.world)) for node in nodes)
    return codes(check(Mechanism(fine, shapes=shapes, meshes=("Mesh",))))


def body(world: Matrix, motion: Motion = DYNAMIC, **more: object) -> Node:
    """Return a body of the first shape that stands somewhere."""
    return replace(Node("Body", None, world, motion, Collider(0)), **more)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["box", "scaled box", "hull", "scaled hull"])
@pytest.mark.parametrize("motion", [DYNAMIC, STATIC], ids=["both move", "one stands"])
def test_bodies_overlap_as_they_stand(kind: str, motion: Motion, seed: int) -> None:
    """Dominoes beside each other do not, however the row is turned, though boxes around them do."""
    there = random_rigid(Random(seed))
    size = SIZE if kind == "box" else (1.0, 1.0, 1.0)
    shape: Shape = Box(size) if "box" in kind else Convex(0)
    half = tuple(side / 2.0 for side in SIZE)
    low: Vector3 = (-half[0], -half[1], -half[2])
    drawn = Bounds(low, (half[0], half[1], half[2])) if kind == "hull" else HALF
    scale = compose(scale=SIZE) if "scaled" in kind else IDENTITY
    more = {} if "box" in kind else {"bounds": drawn}
    for gap, overlaps in ((0.01, False), (1e-5, False), (0.0, False), (-0.01, True)):
        beside = product(there, shift(0, SIZE[0] + gap), scale)
        pair = [body(product(there, scale), **more), body(beside, motion, **more)]
        assert (OVERLAP in said(pair, shape)) is overlaps


@pytest.mark.parametrize("tilt", [10.0, 45.0, 80.0])
@pytest.mark.parametrize("axis", range(3))
def test_bars_that_cross_without_touching_do_not_overlap(axis: int, tilt: float) -> None:
    """Only the way across two of their edges tells them apart."""
    bar = Box((0.1, 2.0, 0.1))
    there = product(turn(axis, radians(tilt)), turn(1, radians(45.0)))
    for apart, overlaps in ((0.2, False), (0.05, True)):
        crossing = product(turn(2, radians(90.0)), turn(1, radians(45.0)))
        pair = [body(there), body(product(turn(axis, radians(tilt)), shift(2, apart), crossing))]
        assert (OVERLAP in said(pair, bar)) is overlaps


@pytest.mark.parametrize("seed", range(4))
def test_a_corner_that_points_at_a_side_does_not_overlap(seed: int) -> None:
    """Whichever of the two comes first."""
    random = Random(seed)
    there, turned = random_rigid(random), linear_part(random_rigid(random))
    reach = 0.5 * sum(map(abs, turned[0]))
    for gap, overlaps in ((1e-4, False), (-0.3, True)):
        place = [(*row, x) for row, x in zip(turned, (0.5 + reach + gap, 0, 0), strict=True)]
        pair = [body(there), body(product(there, (*place, IDENTITY[3])))]
        for nodes in (pair, pair[::-1]):
            assert (OVERLAP in said(nodes, Box())) is overlaps


def test_of_several_colliders_any_two_overlap() -> None:
    """A ball in a U is in its room, and in none of its three colliders."""
    u = [
        Node("U", None, IDENTITY, DYNAMIC),
        *(Node("Side", 0, shift(0, x), collider=Collider(0)) for x in (-0.5, 0.5)),
    ]
    for place, overlaps in ((0.0, False), (0.45, True)):
        ball = replace(body(shift(0, place)), collider=Collider(1))
        assert (OVERLAP in said([*u, ball], Box((0.1, 1.0, 1.0)), Sphere(0.2))) is overlaps


@pytest.mark.parametrize("turned", [False, True])
def test_what_is_within_triangles_that_stand_overlaps_none_of_them(*, turned: bool) -> None:
    """As a crate in a room; one that sticks out may, and so it does where the room is filled."""
    there = random_rigid(Random(3)) if turned else IDENTITY
    crate = body(product(there, compose(scale=(0.2, 0.2, 0.2))), bounds=HALF)
    room = body(there, STATIC, bounds=HALF, collider=Collider(1))
    off = replace(crate, world=product(there, shift(1, 0.55), compose(scale=(0.2, 0.2, 0.2))))
    for pair in ([crate, room], [room, crate]):
        assert OVERLAP not in said(pair, Convex(0), Trimesh(0))
        assert OVERLAP in said(pair, Convex(0), Convex(0))
    assert OVERLAP in said([crate, replace(room, motion=DYNAMIC)], Convex(0), Trimesh(0))
    assert turned or OVERLAP in said([off, room], Convex(0), Trimesh(0))


def test_what_nobody_knows_the_size_of_may_overlap() -> None:
    """A hull without a mesh of its own, below a body that is drawn."""
    blob = [body(IDENTITY, bounds=HALF, collider=None), Node("Hull", 0, collider=Collider(0))]
    pair = [*blob, body(shift(0, 0.5), bounds=HALF)]
    assert OVERLAP in said(pair, Trimesh(0))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("shape", "turns"),
    [(Box(SIZE), False), (Capsule(0.1, 0.1, 0.5), False), (Box((0.2, 0.2, 0.5)), True)],
)
def test_what_spins_about_a_principal_axis_does_not_tumble(
    shape: Shape, turns: bool, seed: int
) -> None:
    """Alone and turned anyhow; about any other axis, and pushed as well, it is as before."""
    random = Random(seed)
    there, speed = random_rigid(random), random.uniform(0.1, 9.0)
    axes = [
        apply(linear_part(turn(2, radians(37.0) * turns)), row) for row in linear_part(IDENTITY)
    ]
    for axis in axes:
        spun = replace(DYNAMIC, angular_velocity=tuple(speed * x for x in axis))
        assert TUMBLING not in said([body(there, spun)], shape)
    for one, other in combinations(linear_part(IDENTITY), 2):
        mixed = tuple(cos(0.1) * a + sin(0.1) * b for a, b in zip(one, other, strict=True))
        spun = replace(DYNAMIC, angular_velocity=tuple(speed * x for x in mixed))
        inertia = replace(spun, inertia_diagonal=(0.1, 0.2, 0.25))
        assert TUMBLING in said([body(there, inertia)], shape)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("center", "change", "is_off"),
    [
        ((0.0, 0.3, 0.0), {}, True),
        ((0.0, 0.3, 0.0), {"linear_velocity": (1.0, 0.0, 0.0)}, False),
        ((0.0, 0.3, 0.0), {"type": MotionType.KINEMATIC}, False),
        ((0.0, 0.3, 0.0), {"angular_velocity": (0.0, 0.0, 0.0)}, False),
        ((9.0, 0.0, 0.0), {}, False),
        ((0.0, 0.001, 0.0), {}, False),
    ],
    ids=["off", "pushed", "led", "still", "along its axis", "by a hair"],
)
def test_what_spins_about_its_origin_moves_off(
    center: Vector3, change: dict[str, object], is_off: bool, seed: int
) -> None:
    """It is said where nothing but a spin is asked for, and the centre of mass is off its axis."""
    spun = replace(DYNAMIC, angular_velocity=(2.0, 0.0, 0.0), center_of_mass=center)
    there = random_rigid(Random(seed))
    assert (OFF in said([body(there, replace(spun, **change))], Box(SIZE))) is is_off


def test_velocities_of_what_stands_are_told_of() -> None:
    """Either of them; what an animation or they themselves move may have them."""
    for name in ("linear_velocity", "angular_velocity"):
        for kind in MotionType:
            motion = replace(STATIC, type=kind, **{name: (0.0, 1.0, 0.0)})
            found = said([body(IDENTITY, motion)], Box())
            assert ("static-velocity" in found) is (kind is MotionType.STATIC)
