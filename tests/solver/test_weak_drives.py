# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives that Check calls too weak sink when they are moved, and those of which it is silent do not."""  # noqa: E501

from __future__ import annotations

from dataclasses import replace
from math import pi

import pytest

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.recipes import hinge, slider, weld
from omi_physics_joint.model.validate import check
from omi_physics_joint.solver import Simulation
from tests.solver.building import Builder

PULL = 2.0 * 9.81
"""N of two bodies, and N m of them on an arm of a meter in the mean."""
SERVO = {"position_target": 0.0, "stiffness": 1e6, "damping": 1e4}
LIFT = {"velocity_target": 1.0, "damping": 1e4}
CODE = "drive-too-weak"


def hanging(
    way: Freedom,
    *,
    first: bool = True,
    ground: MotionType = MotionType.STATIC,
    places: tuple[float, float] = (0.5, 1.5),
    limits: tuple[Limit, ...] = (),
    **numbers: float | None,
) -> tuple[Mechanism, int, float]:
    """Return two bodies on a joint with a drive, the joint, and which way its value falls.

    The first body holds the joint, or it hangs on what holds it.
    """
    made, axis = Builder(), 2 if way is Freedom.ANGULAR else 1
    base = hinge(2) if way is Freedom.ANGULAR else slider(1)
    stands = made.body(kind=ground)
    one, other = (made.body((x, 0.0, 0.0)) for x in places)
    down = 1.0 if first else -1.0
    if "velocity_target" in numbers:
        numbers["velocity_target"] *= -down
    drive = Drive(way, DriveMode.FORCE, axis, **numbers)
    settings = replace(base, limits=(*base.limits, *limits), drives=(drive,))
    joint = made.joint(*((one, stands) if first else (stands, one)), settings)
    made.joint(other, one, weld(), (1.0, 0.0, 0.0))
    return made.mechanism(), joint, down


def is_said(mechanism: Mechanism) -> bool:
    """Return whether Check calls a drive too weak."""
    return any(issue.code == CODE for issue in check(mechanism))


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("numbers", [SERVO, LIFT])
@pytest.mark.parametrize("way", Freedom)
@pytest.mark.parametrize("share", [0.8, 1.3])
def test_what_is_said_sinks(
    way: Freedom, numbers: dict[str, float], share: float, *, first: bool
) -> None:
    """A servo holds and a motor lifts as long as they are stronger than all that hangs there."""
    made, joint, down = hanging(way, first=first, max_force=share * PULL, **numbers)
    moved = Simulation(made)
    for _ in range(3):
        moved.step(1.0 / 24.0)
    value = moved.coordinates(joint)[5 if way is Freedom.ANGULAR else 1]
    sinks = bool(value * down > 0.01)
    assert sinks is (share < 1.0)
    assert is_said(made) is sinks


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("away", [0.5, 1.5])
@pytest.mark.parametrize("share", [0.8, 1.3])
def test_a_spring_lifts_off_a_bound_or_is_said_to_stay(
    share: float, away: float, *, first: bool
) -> None:
    """What lies on its bound leaves it where the spring pulls more at first than gravity does."""
    down = 1.0 if first else -1.0
    low, high = sorted((0.0, -2.0 * down))
    made, joint, _ = hanging(
        Freedom.ANGULAR,
        first=first,
        limits=(Limit((), (2,), low, high),),
        position_target=-away * down,
        stiffness=share * PULL / away,
        damping=1.0,
    )
    moved = Simulation(made)
    for _ in range(24):
        moved.step(1.0 / 24.0)
    stays = bool(abs(moved.coordinates(joint)[5]) < 1e-6)
    assert stays is (share < 1.0)
    assert is_said(made) is stays
    assert all("it stays there" in one.message for one in check(made) if one.code == CODE)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("room", [0.2, 2.0])
@pytest.mark.parametrize("share", [0.6, 1.5])
def test_a_spring_that_gives_way_far_is_said(share: float, room: float, *, first: bool) -> None:
    """By more than a third of a right angle, where nothing stops it before."""
    gives = pi / 6.0
    made, joint, down = hanging(
        Freedom.ANGULAR,
        first=first,
        limits=(Limit((), (2,), -room, room),),
        position_target=0.0,
        stiffness=share * PULL / gives,
        damping=30.0,
    )
    moved = Simulation(made)
    for _ in range(120):
        moved.step(1.0 / 24.0)
    sinks = bool(moved.coordinates(joint)[5] * down > gives)
    assert sinks is (share < 1.0 and room > gives)
    assert is_said(made) is sinks
    assert all("within 30°" in one.message for one in check(made) if one.code == CODE)


def test_a_motor_does_no_more_than_its_damping() -> None:
    """Without a largest force a motor lifts with its damping times the speed that it lacks."""
    for damping, is_weak in ((0.8 * PULL, True), (1.3 * PULL, False)):
        made, _, _ = hanging(Freedom.ANGULAR, velocity_target=1.0, damping=damping)
        assert is_said(made) is is_weak


@pytest.mark.parametrize(
    "quiet",
    [
        {"places": (-1.0, 1.0), **SERVO},
        {"ground": MotionType.DYNAMIC, **SERVO},
        {"velocity_target": 0.0, "damping": 1e4},
        {"velocity_target": -1.0, "damping": 1e4},
        {"limits": (Limit((), (2,), -1.0, 0.0),), **SERVO},
        {"position_target": 0.5, "stiffness": 1e6},
    ],
    ids=["balanced", "falls", "brake", "lets down", "on its bound", "helped"],
)
def test_what_bears_nothing_is_no_drive_too_weak(quiet: dict[str, object]) -> None:
    """What weighs nothing there, brakes, or goes where its weight does needs no force."""
    made, _, _ = hanging(Freedom.ANGULAR, max_force=1.0, **quiet)
    assert not is_said(made)


@pytest.mark.parametrize(("factor", "is_weak"), [(1.0, True), (0.5, False), (0.0, False)])
def test_what_gravity_pulls_less_weighs_less(factor: float, is_weak: bool) -> None:
    """A body's own share of gravity counts."""
    made, _, _ = hanging(Freedom.ANGULAR, max_force=0.7 * PULL, **SERVO)
    nodes = tuple(
        replace(node, motion=node.motion and replace(node.motion, gravity_factor=factor))
        for node in made.nodes
    )
    assert is_said(replace(made, nodes=nodes)) is is_weak


def test_what_a_loop_bears_is_unknown() -> None:
    """A second joint to what stands may bear it."""
    made, _, _ = hanging(Freedom.ANGULAR, max_force=1.0, **SERVO)
    assert is_said(made)
    builder = Builder()
    builder.nodes, builder.settings = [*made.nodes], [*made.settings]
    builder.joint(2, 0, JointSettings("Rope", (Limit((0, 1, 2), (), 0.0, 1.0),)), (1.5, 0.0, 0.0))
    assert not is_said(builder.mechanism())
