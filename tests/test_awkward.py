# SPDX-License-Identifier: GPL-3.0-or-later
"""What is so of plain mechanisms is so of awkward ones (``awkward.py``): moved, written, said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import inf

import numpy as np
import pytest
from numpy.typing import NDArray

from omi_physics_joint.model.body import Motion, MotionType
from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import (
    apply,
    compose,
    linear_part,
    multiply,
    translation_of,
)
from omi_physics_joint.model.issue import Severity
from omi_physics_joint.model.mechanism import EARTH, Mechanism
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import check
from omi_physics_joint.solver import Options, Simulation
from tests.awkward import AWAY, NAME, USUAL, chains, elsewhere, in_another_order
from tests.kinds_of_joints import KINDS
from tests.one_of_each import MEMBERS, PLAIN, changed
from tests.through import THROUGH

FRAMES, NEAR = 6, 1e-4
"""Frames at 60 a second; m."""
LEVEL = compose((13.0, 4.0, -12.0), (0.0, 0.5**0.5, 0.0, 0.5**0.5))
OTHERWISE: dict[str, set[str]] = {
    "mjcf": {"a weld", "a hinge that is held aside", "two angles", "three angles"}
    | {"a slider with a spring"},
    "urdf": {"a weld", "a hinge that is held aside", "two angles", "three angles"}
    | {"a hinge with a servo", "a hinge with a motor", "a slider with a spring"},
}
"""Kinds of joints that a format makes something else of, as its losses say: what hangs on a weld is
a part of another body, angles are turned one after the other, URDF has no springs."""
LENDS = {"mjcf": {"a table"}, "urdf": {"a pin", "a cone", "a soft cone", "a table"}}
"""Where links in between have some mass of the arm, whose own centre is elsewhere without it."""
Centres = dict[str, NDArray[np.float64]]


def centres(mechanism: Mechanism) -> Centres:
    """Return where centres of mass of bodies that move are by name, after a tenth of a second."""
    simulation = Simulation(mechanism, Options(gravity=mechanism.gravity or EARTH))
    for _ in range(FRAMES):
        simulation.step(1.0 / 60.0)
    found = {}
    for row, index in enumerate(simulation.body_nodes):
        node = mechanism.nodes[index]
        if mechanism.is_dynamic(index):
            x, y, z, w = simulation.rotations[row].tolist()
            pose = compose(tuple(simulation.positions[row].tolist()), (x, y, z, w))
            there = multiply(pose, compose(node.motion.center))
            found[node.name] = np.array(translation_of(there))
    return found


@cache
def at_rest_or_turning(*, turns: bool) -> tuple[Contents, Centres]:
    """Return the chains, whose bodies turn at first or not, and how they move."""
    found = chains()
    if not turns:
        nodes = tuple(
            replace(one, motion=one.motion and replace(one.motion, angular_velocity=(0.0,) * 3))
            for one in found.mechanism.nodes
        )
        found = replace(found, mechanism=replace(found.mechanism, nodes=nodes))
    return found, centres(found.mechanism)


@pytest.mark.long
@pytest.mark.parametrize("name", THROUGH)
def test_what_comes_back_moves_as_what_was_written(name: str) -> None:
    """Each body of each chain, through each format, but for kinds that it says it has not."""
    before, expected = at_rest_or_turning(turns=name != "urdf")
    after, _ = THROUGH[name](before)
    found = centres(after.mechanism)
    exempt = {
        NAME.format(f"{kind} {part}")
        for kind in OTHERWISE.get(name, ())
        for part in ("arm", "hand")
    } | {NAME.format(f"{kind} arm") for kind in LENDS.get(name, ())}
    assert {*expected} - exempt <= {*found}
    apart = {one: np.abs(found[one] - expected[one]).max() for one in {*expected} - exempt}
    assert {one: off for one, off in apart.items() if off > NEAR} == {}


STILL, UPWARD, TURNING = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.3, -0.2, 0.5)


def guessed(motion: Motion) -> Motion:
    """Return a body whose inertia is that of its collider."""
    return replace(motion, inertia_diagonal=STILL)


def endless(motion: Motion) -> Motion:
    """Return a body at rest that does not turn about one axis."""
    return replace(motion, inertia_diagonal=(inf, 0.0, 0.0), angular_velocity=STILL)


def led(motion: Motion) -> Motion:
    """Return a base that goes by itself; any other body as it is."""
    if motion.type is MotionType.DYNAMIC:
        return motion
    return Motion(MotionType.KINEMATIC, linear_velocity=UPWARD, angular_velocity=TURNING)


@pytest.mark.parametrize("change", [replace, guessed, endless, led])
def test_what_stands_elsewhere_moves_likewise(change: Callable[[Motion], Motion]) -> None:
    """All of it moved and turned, and gravity with it."""
    before = chains()
    nodes = tuple(
        replace(one, motion=one.motion and change(one.motion)) for one in before.mechanism.nodes
    )
    before = replace(before, mechanism=replace(before.mechanism, nodes=nodes))
    found = centres(elsewhere(before).mechanism)
    for name, place in centres(before.mechanism).items():
        there = np.add(apply(linear_part(AWAY), place.tolist()), translation_of(AWAY))
        assert found[name] == pytest.approx(there, abs=NEAR)


def test_in_which_order_nodes_are_counted_means_nothing() -> None:
    """Neither do the numbers of settings."""
    before, expected = at_rest_or_turning(turns=True)
    found = centres(in_another_order(before).mechanism)
    assert all(found[name] == pytest.approx(place, abs=NEAR) for name, place in expected.items())


@pytest.mark.parametrize("name", MEMBERS)
def test_diff_says_the_same_of_what_stands_elsewhere(name: str) -> None:
    """In the axes of the one file and of the other."""

    def said(one: Contents, other: Contents) -> list[str]:
        return [str(change) for change in changes(one.mechanism, other.mechanism)]

    before, after = PLAIN, changed(name)
    if before.mechanism.gravity == after.mechanism.gravity:
        assert said(elsewhere(before), elsewhere(after)) == said(before, after)


@pytest.mark.parametrize("kinds", [USUAL, tuple(KINDS)], ids=["usual", "all"])
def test_check_finds_the_same_wherever_it_stands_and_whoever_comes_first(
    kinds: tuple[str, ...],
) -> None:
    """Moved, by a quarter turn about the vertical, and counted from the other end."""

    def found(one: Contents) -> set[tuple[str, Severity, str]]:
        told = check(one.mechanism, target=Target.SPECIFIED, readers=frozenset(Reader))
        return {(issue.code, issue.severity, issue.where) for issue in told}

    before = chains(kinds)
    expected = found(before)
    assert len(expected) > 20
    level = elsewhere(before, LEVEL)
    level = replace(level, mechanism=replace(level.mechanism, gravity=None))
    assert found(level) == expected
    assert found(in_another_order(before)) == expected


def test_diff_says_how_far_each_body_was_moved() -> None:
    """In metres of the world, below groups that are scaled."""
    before = chains().mechanism
    way = compose((0.3, -0.2, 0.6))
    for index, _ in list(before.motions())[:6]:
        nodes = list(before.nodes)
        for below, node in enumerate(before.nodes):
            if index in before.ancestry(below):
                nodes[below] = replace(node, world=multiply(way, node.world))
        said = [str(one) for one in changes(before, replace(before, nodes=tuple(nodes)))]
        assert f"{before.nodes[index].name}: moved by 0.7 m" in said, said
