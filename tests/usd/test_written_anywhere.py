# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages of what stands anywhere, turned anyhow, in single precision, and held anywhere."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.truths.stored import MECHANISMS, placements, stored
from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import (
    IDENTITY,
    compose,
    rotation_from_quaternion,
    translation_of,
)
from omi_physics_joint.model.joint import Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.spans import span_on, spans_of
from omi_physics_joint.model.shape import Box
from omi_physics_joint.usd.writing.inertias import with_inertias
from omi_physics_joint.usd.writing.spelling.centring import centred
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


def test_a_place_within_a_round_bound_is_held_where_it_is() -> None:
    """The bound counts from the frame, which is not moved to where one of its axes is held."""
    round_bound = Limit((0, 1), (), 0.0, 0.5, together=True)
    beside = (Limit((0,), (), 0.3, 0.3), Limit((2,), (), 0.2, 0.2))
    settings, (frame, _) = centred(JointSettings("", (round_bound, *beside)), (IDENTITY, IDENTITY))
    assert translation_of(frame) == (0.0, 0.0, 0.2)
    assert span_on(spans_of(settings.limits), Freedom.LINEAR, 0).low == 0.3
