# SPDX-License-Identifier: GPL-3.0-or-later
"""The type of a joint follows from its degrees of freedom, and its counts from its type."""

from __future__ import annotations

from math import inf

import pytest

from benchmarks.newton.scenes import joint_that
from omi_physics_joint.model.articulation.joints import JointType, counts_of, room_of
from omi_physics_joint.model.joint import AXES, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld

ROPE = Limit(AXES, (), 0.0, 2.0, together=True)
CONE = Limit((), (0, 1), 0.0, 0.5, together=True)
CASES = {
    "weld": (weld(), JointType.FIXED, (0, 0, 0)),
    "hinge": (hinge(1), JointType.REVOLUTE, (1, 1, 1)),
    "hinge with limits": (hinge(1, -1.0, 1.0), JointType.REVOLUTE, (1, 1, 1)),
    "slider": (slider(2), JointType.PRISMATIC, (1, 1, 1)),
    "pin": (pin(), JointType.BALL, (4, 3, 3)),
    "pin in a cone": (JointSettings("", (*pin().limits, CONE)), JointType.BALL, (4, 3, 3)),
    "pin with bounds": (joint_that("", turns=AXES), JointType.D6, (3, 3, 3)),
    "nothing": (JointSettings(), JointType.FREE, (7, 6, 0)),
    "rope": (JointSettings("", (ROPE,)), JointType.DISTANCE, (7, 6, 1)),
    "rod": (
        JointSettings("", (Limit(AXES, (), 1.0, 1.0, together=True),)),
        JointType.DISTANCE,
        (7, 6, 1),
    ),
    "rope of length zero": (
        JointSettings("", (Limit(AXES, (), 0.0, 0.0, together=True),)),
        JointType.BALL,
        (4, 3, 3),
    ),
    "rope in a slot": (
        JointSettings("", (ROPE, Limit((0,), (), 0.0, 0.0))),
        JointType.D6,
        (5,) * 3,
    ),
    "rope around a line": (
        JointSettings("", (Limit((0, 1), (), 0.0, 2.0, together=True),)),
        JointType.D6,
        (6, 6, 6),
    ),
    "cylindrical": (joint_that("", (0,), (0,)), JointType.D6, (2, 2, 2)),
    "universal": (joint_that("", turns=(0, 2)), JointType.D6, (2, 2, 2)),
    "box": (joint_that("", AXES), JointType.D6, (3, 3, 3)),
    "soft weld": (
        JointSettings("", (Limit(AXES, AXES, 0.0, 0.0, stiffness=5.0),)),
        JointType.FIXED,
        (0, 0, 0),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_types_and_counts_are_those_of_newton(name: str) -> None:
    """Each row of Newton's table: positions, velocities, axes of its own."""
    settings, type_, counts = CASES[name]
    room = room_of(settings)
    assert room.type is type_
    assert counts_of(type_, len(room.free)) == counts


def test_distances_come_before_angles() -> None:
    """Whatever the order of limits, and however narrow the room."""
    limits = (
        Limit((), (1,), -1e-9, 0.0),
        Limit((2,), (), -inf, 1.0),
        Limit((0, 1), (0, 2), 0.0, 0.0),
    )
    room = room_of(JointSettings("", limits))
    assert room.free == ((Freedom.LINEAR, 2), (Freedom.ANGULAR, 1))


def test_held_values_are_kept() -> None:
    """Zero where nothing is held."""
    limits = (Limit((0,), (), 0.5, 0.5), Limit((), (2,), -0.3, -0.3), Limit((1, 2), (0,), 0.0, 0.0))
    assert room_of(JointSettings("", limits)).held == (0.5, 0.0, 0.0, 0.0, 0.0, -0.3)
