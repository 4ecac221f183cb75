# SPDX-License-Identifier: GPL-3.0-or-later
"""What files cannot hold, as single precision has no place for it, is no change."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from model.building import turn

from omi_physics_joint.model.body import Vector3
from omi_physics_joint.model.changes.changes import moved
from omi_physics_joint.model.changes.fact import near
from omi_physics_joint.model.changes.pairing import with_same_names
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import IDENTITY
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.solid import Triangle, Triangles


@pytest.mark.parametrize(("angle", "is_said"), [(1.2e-6, False), (5e-6, True)])
def test_a_turn_is_said_that_a_quaternion_holds(angle: float, is_said: bool) -> None:
    """One in a file is off by a millionth."""
    facts = list(moved((IDENTITY, IDENTITY), (IDENTITY, turn(1, angle))))
    assert bool(facts) is is_said


@pytest.mark.parametrize("number", [1.0, -50.0])
@pytest.mark.parametrize(("apart", "are_same"), [(4e-7, True), (4e-6, False)])
def test_numbers_are_the_same_to_a_millionth(number: float, apart: float, are_same: bool) -> None:
    """A float has 24 bits, and what is computed of it loses some."""
    assert near(number, number * (1.0 + apart)) is are_same


@pytest.mark.parametrize(("apart", "names"), [(4e-6, ["a", "a"]), (4e-5, ["a", "b"])])
def test_meshes_are_the_same_whose_points_are(apart: float, names: list[str]) -> None:
    """Of a part of the size of the mesh: points were computed on the way to the file."""
    made = []
    for name, by in (("a", 0.0), ("b", apart)):
        corners = ((20.0 * (1.0 + by), 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        mesh = Triangles(corners, ((0, 1, 2),))
        made.append(Contents(Mechanism(meshes=(name,)), (mesh,)))
    assert [one.meshes[0] for one in with_same_names(made)] == names


BOX = tuple(product((0.0, 1.0), (0.0, 2.0), (0.0, 0.1)))
SIDES = ((0, 1, 2), (1, 3, 2), (4, 6, 5), (5, 6, 7))


@pytest.mark.parametrize(
    ("points", "sides", "told"),
    [
        (BOX, SIDES[::-1], ""),
        ((*BOX, *BOX), SIDES[::-1], ""),
        ([(1.0002 * x, y, z) for x, y, z in BOX], SIDES, ""),
        ([(3.0 * x, y, z) for x, y, z in BOX], SIDES, " of 3 × 2 × 0.1 m and 8 points"),
        ([(x + 1.0, y, z) for x, y, z in BOX], SIDES, " of 1 × 2 × 0.1 m and 8 points"),
        ((*BOX, (0.5, 1.0, 0.1)), SIDES, " of 1 × 2 × 0.1 m and 9 points"),
    ],
)
def test_meshes_of_one_name_are_others_where_they_are(
    points: Sequence[Vector3], sides: Sequence[Triangle], told: str
) -> None:
    """By the box around them and their points; how they are split and ordered is nothing."""
    meshes = (Triangles(BOX, SIDES), Triangles(tuple(points), tuple(sides)))
    made = [Contents(Mechanism(meshes=("Lid",)), (mesh,)) for mesh in meshes]
    assert [one.meshes[0] for one in with_same_names(made)] == ["Lid", f"Lid{told}"]
