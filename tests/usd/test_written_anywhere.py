# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages of what stands anywhere, turned anyhow, in single precision."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.truths.stored import MECHANISMS, placements, stored
from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import compose, rotation_from_quaternion
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box
from omi_physics_joint.usd.writing.inertias import with_inertias
from omi_physics_joint.usd.writing.write import written


@pytest.mark.parametrize("distance", [20.0, 50.0])
def test_a_chain_is_one_of_coordinates_to_physx_wherever_it_is(distance: float) -> None:
    """What rounding leaves between the frames of its joints is nothing."""
    (at,) = placements(distance, 1)
    record, _ = written(Contents(stored(MECHANISMS["ten_on_hinges"].mechanism(), at)))
    (root,) = (prim for prim in record if "PhysicsArticulationRootAPI" in prim.schemas)
    assert "physxArticulation:articulationEnabled" not in root.attributes


@pytest.mark.parametrize("seed", range(3))
def test_an_inertia_about_another_centre_is_said_along_the_axes_of_its_body(seed: int) -> None:
    """However the body is turned, it is that of a box about that centre (Steiner)."""
    turn = np.random.default_rng(seed).normal(size=4)
    x, y, z, w = (turn / np.linalg.norm(turn)).tolist()
    arm = (0.5, 0.0, 0.2)
    motion = Motion(MotionType.DYNAMIC, 6.0, center_of_mass=arm)
    world = compose((20.0, 3.0, -1.0), (x, y, z, w))
    node = Node("Box", world=world, motion=motion, collider=Collider(0))
    made, said = with_inertias(Mechanism((node,), shapes=(Box((1.0, 2.0, 3.0)),)), [0])
    assert said == {0}
    own = made.nodes[0].motion
    assert own is not None
    axes = np.array(rotation_from_quaternion(own.inertia_orientation))
    expected = np.diag((6.5, 5.0, 2.5)) + 6.0 * (np.dot(arm, arm) * np.eye(3) - np.outer(arm, arm))
    found = axes @ np.diag(own.inertia_diagonal) @ axes.T
    assert found == pytest.approx(expected, abs=1e-9)
