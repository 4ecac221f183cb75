# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms do not touch each other: each moves as it does alone, to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from solver.building import Array, Builder, rod_inertia

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, Limit
from omi_physics_joint.model.mechanics.islands import islands_of, nearest_first
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Options, Simulation, Steps

FRAME = 1.0 / 60.0
DOORS = 30
FRAMES = 40
Adds = Callable[[Builder, int], object]
AUTO = Options()


def doors(made: Builder, ground: int, count: int = DOORS) -> None:
    """Add doors that swing about axes that lean by more and more."""
    random = np.random.default_rng(1)
    for number in range(count):
        place = (3.0 * number, 0.0, 0.0)
        q = random.normal(size=4)
        turned = tuple(float(x) for x in q / np.sqrt(q @ q))
        spin = (0.0, float(random.normal()), 0.0)
        body = made.body((place[0] + 0.4, 0.1, 0.0), mass=20.0, inertia_diagonal=(7.0, 8.0, 1.0))
        made.nodes[body] = replace(
            made.nodes[body], motion=replace(made.nodes[body].motion, angular_velocity=spin)
        )
        made.joint(ground, body, recipes.hinge(1), place, turned)


def wheel(made: Builder, ground: int) -> None:
    """Add a wheel that turns fast, and is built as the doors are."""
    body = made.body((0.0, 5.0, 0.0), angular_velocity=(0.0, 60.0, 0.0))
    made.joint(ground, body, recipes.hinge(1), (0.0, 5.0, 0.0))


def contradiction(made: Builder, ground: int) -> None:
    """Add a body on two welds that want other places."""
    body = made.body((0.5, 5.0, 0.0))
    made.joint(ground, body, recipes.weld())
    made.joint(ground, body, recipes.weld(), connected_place=(0.1, 0.0, 0.0))


def stiff_spring(made: Builder, ground: int) -> None:
    """Add a slider on a spring of 1e6 N/m."""
    drive = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, stiffness=1e6, position_target=0.1)
    made.joint(ground, made.body((0.0, 5.0, 0.0)), replace(recipes.slider(0), drives=(drive,)))


def tangle(made: Builder, ground: int) -> None:
    """Add bodies that fell apart: no pose meets their joints."""
    bodies = [made.body((float(i), 7.0, 0.0), mass=0.1 + i) for i in range(4)]
    for i, body in enumerate(bodies):
        made.joint(body, bodies[i - 1], recipes.weld(), (i + 0.3, 6.0, 0.2 * i))
        made.joint(
            body,
            bodies[i - 2],
            recipes.hinge(0),
            (0.2 * i, 6.5, 0.0),
            connected_place=(1.0, 0.0, i),
        )
    made.joint(ground, bodies[0], recipes.pin(), (0.0, 0.0, 9.0))


def carried(made: Builder, ground: int) -> None:
    """Add a door on a body that moves by itself."""
    del ground
    cart = made.body(kind=MotionType.KINEMATIC, linear_velocity=(0.5, 0.0, 0.0))
    made.joint(cart, made.body((0.4, 0.1, 0.0)), recipes.hinge(1))


def positions(adds: Adds | None, options: Options = AUTO, lone: Adds = doors) -> list[Array]:
    """Return where the bodies of the first mechanism are, frame by frame, beside another."""
    made = Builder()
    ground = made.ground()
    lone(made, ground)
    count = sum(node.motion is not None for node in made.nodes)
    if adds is not None:
        adds(made, ground)
    simulation = Simulation(made.mechanism(), options)
    frames = []
    for _ in range(FRAMES):
        simulation.step(FRAME)
        frames.append(np.hstack([simulation.positions[:count], simulation.rotations[:count]]))
    return frames


@pytest.mark.long
@pytest.mark.parametrize("adds", [wheel, contradiction, stiff_spring, tangle, carried])
def test_doors_do_not_feel_what_is_elsewhere(adds: Adds) -> None:
    """Thirty doors move as they do alone, to the last bit, whatever trouble others are in."""
    for alone, beside in zip(positions(None), positions(adds), strict=True):
        assert (alone == beside).all()


def everything(made: Builder, ground: int) -> None:
    """Add all of it at once."""
    for adds in (wheel, contradiction, stiff_spring, tangle, carried):
        adds(made, ground)


def all_of_doors(adds: Adds | None, fps: float, *, last: bool) -> list[Array]:
    """Return poses, velocities, angles and forces of thirty doors, frame by frame."""
    made = Builder()
    ground = made.ground()
    if adds is not None and last:
        adds(made, ground)
    first = len(made.nodes)
    doors(made, ground)
    nodes = range(first, len(made.nodes))
    if adds is not None and not last:
        adds(made, ground)
    simulation = Simulation(made.mechanism())
    bodies = [i for i, node in enumerate(simulation.body_nodes) if node in nodes]
    joints = [i for i, node in enumerate(simulation.joint_nodes) if node in nodes]
    assert (len(bodies), len(joints)) == (DOORS, DOORS)
    frames = []
    for _ in range(FRAMES):
        simulation.step(1.0 / fps)
        report = simulation.joint_report()
        of_bodies = (
            *(simulation.positions, simulation.rotations),
            *(simulation.linear_velocities, simulation.angular_velocities),
        )
        of_joints = (simulation.all_coordinates(), report.force, report.torque)
        frames.append(np.hstack([*(x[bodies] for x in of_bodies), *(x[joints] for x in of_joints)]))
    return frames


@pytest.mark.long
@pytest.mark.parametrize("fps", [24.0, 60.0])
@pytest.mark.parametrize("last", [False, True], ids=["doors first", "doors last"])
def test_doors_feel_nothing_of_everything(fps: float, last: bool) -> None:
    """Nor do speeds, angles and forces change, whichever bodies come first in the file."""
    alone = all_of_doors(None, fps, last=last)
    for one, other in zip(alone, all_of_doors(everything, fps, last=last), strict=True):
        assert (one == other).all()
    assert np.abs(alone[-1] - alone[0]).max() > 1e-3


def limited(made: Builder, ground: int, shift: float) -> None:
    """Add two arms with bounds that fall onto them, one later than the other."""
    before = ground
    for number in range(2):
        place = (0.4 * number + 10.0 * shift, 0.0, 0.0)
        body = made.body((place[0] + 0.2, 0.0, 0.0), inertia_diagonal=rod_inertia(0.4))
        made.joint(before, body, recipes.hinge(2, -0.5 - 0.1 * shift, 0.3), place)
        before = body


def sprung(made: Builder, ground: int, shift: float) -> None:
    """Add a slider with a damped spring, a soft stop and a drive of limited force."""
    drive = Drive(
        Freedom.LINEAR,
        DriveMode.FORCE,
        0,
        stiffness=200.0 + 3000.0 * shift,
        damping=3.0,
        position_target=0.3,
        max_force=60.0,
    )
    slider = recipes.slider(0)
    stop = Limit(linear_axes=(0,), max=0.2, stiffness=900.0)
    settings = replace(slider, limits=(*slider.limits, stop), drives=(drive,))
    speed = (2.0 + shift, 0.0, 0.0)
    made.joint(ground, made.body((0.0, 0.0, shift), linear_velocity=speed), settings)


def looped(made: Builder, ground: int, shift: float) -> None:
    """Add a four-bar, whose axes are parallel, so that rows follow from others."""
    joint, x = recipes.hinge(2), 10.0 * shift
    slender = {"inertia_diagonal": rod_inertia(1.0), "mass": 1.0 + shift}
    turning = {"angular_velocity": (0.0, 0.0, -2.0), **slender}
    left = made.body((x, 0.5, 0.0), (0.0, 0.0, 0.5**0.5, 0.5**0.5), **turning)
    right = made.body((x + 1.5, 0.5, 0.0), (0.0, 0.0, 0.5**0.5, 0.5**0.5), **slender)
    top = made.body((x + 0.75, 1.0, 0.0), **slender)
    made.joint(ground, left, joint, (x, 0.0, 0.0))
    made.joint(ground, right, joint, (x + 1.5, 0.0, 0.0))
    made.joint(left, top, joint, (x, 1.0, 0.0))
    made.joint(right, top, joint, (x + 1.5, 1.0, 0.0))


def rope(made: Builder, ground: int, shift: float) -> None:
    """Add a rope of pins that falls from the horizontal."""
    before = ground
    for number in range(5):
        place = (0.3 * number, 0.0, 10.0 * shift)
        body = made.body(
            (place[0] + 0.15, 0.0, place[2]), inertia_diagonal=rod_inertia(0.3), mass=1.0 + shift
        )
        made.joint(before, body, recipes.pin(), place)
        before = body


KINDS = (limited, sprung, looped, rope, lambda made, ground, shift: doors(made, ground, 1))


@pytest.mark.long
@pytest.mark.parametrize("adds", KINDS, ids=("limited", "sprung", "looped", "rope", "door"))
def test_an_island_moves_as_it_does_alone(adds: Callable[[Builder, int, float], None]) -> None:
    """One of six that are built alike, but differ in numbers, moves as it does alone."""

    def others(made: Builder, ground: int) -> None:
        for number in range(1, 6):
            adds(made, ground, 0.2 * number)

    first: Adds = lambda made, ground: adds(made, ground, 0.0)  # noqa: E731 - a name for it
    alone, beside = positions(None, AUTO, first), positions(others, AUTO, first)
    for number, (one, other) in enumerate(zip(alone, beside, strict=True)):
        assert (one == other).all(), number
    assert np.abs(alone[-1] - alone[0]).max() > 1e-3


def test_a_report_says_how_each_island_went() -> None:
    """The joints that contradict each other are named, and what moves well is said to."""
    made = Builder()
    ground = made.ground()
    wheel(made, ground)
    contradiction(made, ground)
    rope(made, ground, 0.0)
    simulation = Simulation(made.mechanism())
    for _ in range(40):
        report = simulation.step(FRAME)
    fast, torn, hung = report.islands
    assert (fast.first_order, fast.converged) == (0, True)
    assert (torn.converged, hung.converged) == (False, True)
    assert torn.joints == simulation.joint_nodes[1:3]
    assert torn.first_order > 0
    assert set(torn.contradicting) == set(torn.joints)
    assert torn.separation == pytest.approx(0.05, rel=0.2)
    assert (fast.contradicting, fast.separation) == ((), 0.0)
    assert (hung.first_order, len(hung.bodies), len(hung.joints)) == (0, 5, 5)
    assert report.not_met == [torn]
    assert report.first_order == [torn]
    assert not report.converged
    assert report.steps >= max(fast.steps, torn.steps)
    assert report.retries >= torn.retries


def test_a_report_that_is_kept_stays_as_it_was() -> None:
    """Whoever reads it later, when all has moved on, is told of that step."""
    made = Builder()
    ground = made.ground()
    contradiction(made, ground)
    rope(made, ground, 0.0)
    first, second = Simulation(made.mechanism()), Simulation(made.mechanism())
    at_once = [first.step(FRAME).islands for _ in range(40)]
    kept = [second.step(FRAME) for _ in range(40)]
    assert [report.islands for report in kept] == at_once
    assert at_once[0] != at_once[-1]


@pytest.mark.long
def test_a_checkpoint_is_the_states_of_all_islands() -> None:
    """What follows a return is the same, bit for bit, whatever steps and retries islands need."""
    made = Builder()
    ground = made.ground()
    for adds in (wheel, contradiction, stiff_spring, carried):
        adds(made, ground)
    for number in range(3):
        rope(made, ground, 0.1 * number)
        looped(made, ground, 0.3 * number)
        sprung(made, ground, 0.3 * number)
    simulation = Simulation(made.mechanism())
    for _ in range(10):
        simulation.step(FRAME)
    kept, ends = simulation.checkpoint(), []
    for _ in range(2):
        for _ in range(10):
            simulation.step(FRAME)
        ends.append((simulation.positions, simulation.joint_report().force))
        simulation.restore(kept)
    assert (ends[0][0] == ends[1][0]).all()
    assert (ends[0][1] == ends[1][1]).all()


def test_what_stands_still_connects_nothing() -> None:
    """Two doors on one wall are two islands; loops and what they hang from are told."""
    ends = [("wall", "door"), ("gate", "wall"), ("gate", "latch"), ("latch", None), ("wall", None)]
    first, second = islands_of(["door", "gate", "latch"], ends)
    assert (first.bodies, first.joints) == (["door"], [0])
    assert (second.bodies, second.joints) == (["gate", "latch"], [1, 2, 3])
    assert [one.closes(ends) for one in (first, second)] == [False, True]
    assert [one.is_held(ends) for one in (first, second)] == [True, True]
    assert nearest_first(second, ends, [3]) == [3, 2, 1]
    (floating,) = islands_of(["a", "b"], [("a", "b")])
    assert not floating.is_held([("a", "b")])
    assert not floating.closes([("a", "b")])


def test_the_joint_that_is_farthest_off_is_named_first() -> None:
    """Of three welds of a body, two of which agree, it is the third."""
    made = Builder()
    ground, body = made.ground(), made.body((0.5, 0.0, 0.0))
    for x in (0.0, 0.0, 0.1):
        made.joint(ground, body, recipes.weld(), connected_place=(x, 0.0, 0.0))
    simulation = Simulation(made.mechanism())
    for _ in range(40):
        (torn,) = simulation.step(FRAME).islands
    assert len(torn.contradicting) == 3
    assert torn.contradicting[0] == simulation.joint_nodes[2]


def impulses(simulation: Simulation) -> dict[int, Array]:
    """Return what joints bore last, by node, where each island has one."""
    return {
        node: impulse.copy()
        for group in simulation.groups
        for (_, (node,)), impulse in zip(group.members, group.state.impulse, strict=True)
    }


@pytest.mark.parametrize("changed", range(5))
def test_joints_go_on_with_what_they_bore_when_another_changes(changed: int) -> None:
    """Each with its own, in whichever of many equal islands; what has other limits begins anew."""
    made = Builder()
    doors(made, made.ground(), 5)
    simulation = Simulation(made.mechanism(), Options(steps=Steps.GODOT))
    for _ in range(10):
        simulation.step(FRAME)
    before = impulses(simulation)
    settings = list(simulation.mechanism.settings)
    limits = (*settings[changed].limits, Limit((), (1,), -0.9, 2.5))
    settings[changed] = replace(settings[changed], limits=limits)
    simulation.retune(tuple(settings))
    after = impulses(simulation)
    assert [*map(len, (settings, before, after))] == [5, 5, 5]
    for number, node in enumerate(sorted(before)):
        assert before[node].any()
        wanted = np.zeros(6) if number == changed else before[node]
        assert after[node].tolist() == wanted.tolist()
