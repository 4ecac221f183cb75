# SPDX-License-Identifier: GPL-3.0-or-later
"""What files cannot hold, as single precision has no place for it, is no change."""

from __future__ import annotations

import pytest
from model.building import turn

from omi_physics_joint.model.changes.changes import moved
from omi_physics_joint.model.changes.fact import near
from omi_physics_joint.model.changes.pairing import with_same_names
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import IDENTITY
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.solid import Triangles


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
