# SPDX-License-Identifier: GPL-3.0-or-later
"""Check names joints that contradict each other or leave nothing to move, and no others."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import cos, inf, pi, sin

import numpy as np
import pytest
from hypothesis import given, settings

from benchmarks.truths import spatial
from benchmarks.truths.as_mechanism import mechanism_of
from benchmarks.truths.stored import placements, stored
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.joint import JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.wording.words import metric
from omi_physics_joint.solver import diagnosis, lock_issues, stopped_limits
from omi_physics_joint.solver.diagnosis import stopped_rows
from tests.model.strategies import wild_mechanisms
from tests.solver.building import Builder


def found(mechanism: Mechanism) -> list[tuple[str, str]]:
    """Return codes and messages."""
    return [(issue.code, issue.message) for issue in lock_issues(mechanism, metric)]


def twice_held(
    second: JointSettings, apart: float = 0.0, far: float = 0.0, kind: MotionType | None = None
) -> Mechanism:
    """Return a door on two joints, the second one of which may want another place.

    Args:
        second: settings of the other joint.
        apart: m, how far its frames are.
        far: m, how far from the origin of the world all is.
        kind: of what the door hangs on.
    """
    made = Builder()
    ground = made.body((far, 0.0, 0.0), kind=kind or MotionType.STATIC)
    door = made.body((far + 0.5, 0.0, 0.0))
    made.joint(ground, door, recipes.hinge(1), (far, 0.0, 0.0))
    other = (far, 1.0, 0.0)
    made.joint(ground, door, second, other, connected_place=(far + apart, 1.0, 0.0))
    return made.mechanism()


@pytest.mark.parametrize("far", [0.0, 50.0])
def test_joints_that_contradict_each_other_at_rest_are_named(far: float) -> None:
    """A weld whose frames are 12 mm apart cannot hold beside a hinge whose frames coincide."""
    mechanism = twice_held(recipes.weld(), 0.012, far)
    (issue,) = lock_issues(mechanism, metric)
    assert issue.code == "joints-contradict"
    assert " cannot both hold in this pose: up to " in issue.message
    assert set(issue.message.split(" cannot")[0].split(" and ")) == {"joint2", "joint4"}
    assert " mm apart" in issue.message
    assert (issue.where, issue.node) in {("joint2", 2), ("joint4", 4)}
    assert issue.fix == "Move their frames together, or free an axis of one."


def test_joints_of_the_island_that_can_hold_are_not_named() -> None:
    """What hangs on a contradiction, and what only has to move a little, takes no part in it."""
    made = Builder()
    ground = made.ground()
    door = made.body((0.5, 0.0, 0.0))
    made.joint(ground, door, recipes.hinge(1))
    made.joint(ground, door, recipes.hinge(1), (0.0, 1.0, 0.0), connected_place=(0.0, 1.1, 0.0))
    flap = made.body((1.5, 0.0, 0.0))
    made.joint(door, flap, recipes.hinge(1), (1.0, 0.0, 0.0), connected_place=(1.05, 0.0, 0.0))
    (issue,) = lock_issues(made.mechanism(), metric)
    assert issue.message == "joint2 and joint4 cannot both hold in this pose: up to 0.05 m apart."


@pytest.mark.parametrize("settings", [recipes.weld(), recipes.hinge(1), JointSettings()])
def test_islands_of_very_many_joints_are_not_even_put_in_order(
    settings: JointSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand joints between two bodies cost Check nothing but to count them."""
    mechanism = beside(1000, settings)
    monkeypatch.setattr(diagnosis, "Simulation", None)
    assert lock_issues(mechanism, metric) == []


@pytest.mark.long
def test_many_joints_between_two_bodies_are_looked_at() -> None:
    """Of 150 welds of one pair each two say the same: nothing can move, and that is said."""
    made = beside(150, recipes.weld())
    assert lock_issues(made, metric) == []
    assert [code for code, _ in found(beside(150, recipes.hinge(1)))] == ["joints-out-of-line"]


def beside(count: int, settings: JointSettings) -> Mechanism:
    """Return a door on so many joints, each elsewhere."""
    made = Builder()
    ground, door = made.ground(), made.body((0.5, 0.0, 0.0))
    for number in range(count):
        made.joint(ground, door, settings, (0.01 * number, 0.02 * number, 0.0))
    return made.mechanism()


@pytest.mark.parametrize("far", [0.0, 50.0])
@pytest.mark.parametrize("noise", [0.0, 1e-7, 4e-7])
def test_what_agrees_but_for_rounding_is_left_alone(far: float, noise: float) -> None:
    """A door on two hinges in line, a body welded twice: redundant, and as it should be."""
    assert found(twice_held(recipes.hinge(1), noise * max(far, 1.0), far)) == []
    made = Builder()
    ground, body = made.ground(), made.body((0.5, 0.0, 0.0))
    made.joint(ground, body, recipes.weld())
    made.joint(ground, body, recipes.weld(), (1.0, 0.0, 0.0))
    assert found(made.mechanism()) == []


def test_hinges_that_are_not_in_line_lock_each_other() -> None:
    """A door on hinges about two axes cannot move, and is told so; on a cart it is moved."""
    mechanism = twice_held(recipes.hinge(0))
    (issue,) = lock_issues(mechanism, metric)
    assert issue.code == "joints-lock"
    assert issue.message == "body1 cannot move: the joints lock each other (joint2 and joint4)."
    assert found(twice_held(recipes.hinge(0), kind=MotionType.KINEMATIC)) == []


def test_loops_that_can_be_closed_are_left_alone() -> None:
    """A four-bar that is 2 cm from closed goes there by moving: nothing contradicts."""
    made = Builder()
    ground = made.ground()
    crank, coupler, rocker = (
        made.body(p) for p in ((0.0, 0.5, 0.0), (0.5, 1.0, 0.0), (1.0, 0.5, 0))
    )
    made.joint(ground, crank, recipes.hinge(2))
    made.joint(crank, coupler, recipes.hinge(2), (0.0, 1.0, 0.0))
    made.joint(coupler, rocker, recipes.hinge(2), (1.0, 1.0, 0.0), connected_place=(1.02, 1.0, 0.0))
    made.joint(rocker, ground, recipes.hinge(2), (1.0, 0.0, 0.0))
    assert found(made.mechanism()) == []
    # One lock across the plane contradicts: no bar can get there.
    nodes = list(made.nodes)
    nodes[-1] = replace(
        nodes[-1], world=(*nodes[-1].world[:2], (0.0, 0.0, 1.0, 0.3), nodes[-1].world[3])
    )
    codes = [code for code, _ in found(replace(made.mechanism(), nodes=tuple(nodes)))]
    assert codes == ["joints-contradict"]


def test_open_chains_and_bodies_alone_are_not_looked_at() -> None:
    """What closes no loop can hold, whatever its frames are apart."""
    made = Builder()
    body = made.body()
    made.joint(made.ground(), body, recipes.weld(), connected_place=(0.3, 0.0, 0.0))
    issues: list[Issue] = lock_issues(made.mechanism(), metric)
    assert issues == []
    assert lock_issues(Mechanism(), metric) == []


@pytest.mark.long
@given(wild_mechanisms())
@settings(max_examples=60, deadline=None)
def test_whatever_a_mechanism_says_nothing_is_raised(mechanism: Mechanism) -> None:
    """Numbers, axes and parents of any kind are judged and not stumbled over."""
    for issue in lock_issues(mechanism, metric):
        assert issue.node is not None
        assert issue.message.endswith(".")
        assert issue.fix.endswith(".")


@pytest.mark.parametrize(
    ("size", "off", "codes"),
    [
        (0.01, 5e-5, ["joints-contradict"]),
        (1.0, 5e-5, ["joints-contradict"]),
        (1.0, 1e-6, ["joints-lock"]),
    ],
)
def test_what_is_small_is_judged_by_its_size(size: float, off: float, codes: list[str]) -> None:
    """A weld contradicts a hinge by 0.05 mm; a micrometre in a metre is no more than rounding."""
    made = Builder()
    ground, door = made.ground(), made.body((0.5 * size, 0.0, 0.0))
    made.joint(ground, door, recipes.hinge(1))
    place, apart = (0.0, size, 0.0), (off, size, 0.0)
    made.joint(ground, door, recipes.weld(), place, connected_place=apart)
    assert [code for code, _ in found(made.mechanism())] == codes


def hinged_twice(slant: float, aside: float, posts: int = 1, far: float = 20.0) -> Mechanism:
    """Return a door of a metre on two hinges that are so much out of line, rad and m."""
    made = Builder()
    ground, door = made.ground(), made.body((far + 0.5, 0.0, 0.0))
    made.joint(ground, door, recipes.hinge(2), (far, 0.0, 0.0))
    turned = (sin(0.5 * slant), 0.0, 0.0, cos(0.5 * slant))
    other = ground if posts == 1 else made.ground()
    made.joint(other, door, recipes.hinge(2), (far + aside, 0.0, 0.8), turned)
    return made.mechanism()


@pytest.mark.parametrize(("slant", "aside"), [(0.3, 0.0), (0.0, 0.3)])
def test_hinges_that_were_never_to_be_in_line_are_not_said_to_be_out_of_it(
    slant: float, aside: float
) -> None:
    """Far apart, or about other axes, they lock a door, and that is what is told."""
    assert [code for code, _ in found(hinged_twice(slant, aside))] == ["joints-lock"]


@pytest.mark.parametrize("far", [0.0, 20.0])
@pytest.mark.parametrize("posts", [1, 2])
@pytest.mark.parametrize(
    ("slant", "aside", "said"),
    [
        (0.0, 0.0, None),
        (2e-6, 0.0, None),
        (1e-5, 0.0, "0.000573\N{DEGREE SIGN}"),
        (2e-2, 0.0, "1.146\N{DEGREE SIGN}"),
        (0.1, 0.0, "5.7"),
        (0.0, 3e-4, "0.3 mm"),
        (0.0, 5e-2, "0.05 m"),
    ],
)
def test_hinges_that_are_out_of_line_are_said_to_be_so(
    slant: float, aside: float, posts: int, far: float, said: str | None
) -> None:
    """A door that its second hinge freezes is told by how much; both may be on posts of their own.

    What stands still is one, and hinges on it are lined up whatever they are fastened to.
    """
    told = found(hinged_twice(slant, aside, posts, far))
    assert [code for code, _ in told] == ["joints-out-of-line"] * bool(said)
    assert all(said in message for _, message in told)


@pytest.mark.long
def test_a_loop_that_could_not_be_mended_is_told_that_it_barely_fits() -> None:
    """Bennett's linkage moves as its lengths and angles fit; in single precision they nearly do."""
    pytest.importorskip("scipy", reason="SciPy is not installed")
    exact = mechanism_of(spatial.bennett())
    assert lock_issues(exact, metric) == []
    for distance in (0.0, 5.0):
        for at in placements(distance):
            assert [code for code, _ in found(stored(exact, at))] == ["joints-barely-fit"]


UP, DOWN, FREE, INSIDE = (0.0, 0.5 * pi), (-0.5 * pi, 0.0), (-inf, inf), (-1.0, 1.0)


def four_bar(
    ranges: tuple[tuple[float, float], ...], kind: MotionType = MotionType.STATIC, posts: int = 1
) -> Builder:
    """Return a square of bars: as its first joint turns, the second turns back, and so on.

    They stand on one post of a kind, or on two.
    """
    made = Builder()
    places = ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    bars = [made.body(place) for place in ((0.0, 0.5, 0.0), (0.5, 1.0, 0.0), (1.0, 0.5, 0.0))]
    still = [made.body((0.5, -0.2, 0.0), kind=kind) for _ in range(posts)]
    ends = zip([still[0], *bars], [*bars, still[-1]], places, ranges, strict=True)
    for body, connected, place, span in ends:
        made.joint(body, connected, recipes.hinge(2, *span), place)
    return made


@pytest.mark.long
def test_limits_that_leave_a_loop_neither_way_are_named() -> None:
    """All that stand at an end are, if some keep it from turning one way and some the other."""
    for ranges in product((UP, DOWN), (UP, DOWN, FREE), (UP, FREE), (DOWN, FREE)):
        mechanism = four_bar(ranges).mechanism()
        joints = [index for index, _, _ in mechanism.joints()]
        ways = [{UP: 1, DOWN: -1, FREE: 0}[span] * (-1) ** j for j, span in enumerate(ranges)]
        stopped = {-1, 1} <= set(ways)
        assert [code for code, _ in found(mechanism)] == ["limits-lock"] * stopped, ranges
        expected = [(node, 5) for node, way in zip(joints, ways, strict=True) if way and stopped]
        assert stopped_limits(mechanism) == [expected], ranges


def test_what_is_said_of_limits_that_stop_each_other() -> None:
    """Who, why, and what to do; it is told at the first of them."""
    (issue,) = lock_issues(four_bar((UP, FREE, INSIDE, UP)).mechanism(), metric)
    assert issue.message == (
        "joint4 and joint10 cannot move: they keep each other at the ends of their ranges."
    )
    assert issue.fix == "Remove these limits, or widen them so that the joints stand inside."
    assert (issue.where, issue.node, issue.severity) == ("joint4", 4, "warning")


@pytest.mark.long
@pytest.mark.parametrize("far", [0.0, 5.0, 50.0])
def test_limits_stop_a_loop_wherever_it_stands(far: float) -> None:
    """Turned anyhow, in single precision, on a ground that floats or is led, with a flap on it."""
    for kind in MotionType:
        made = four_bar((UP,) * 4, kind)
        flap = made.body((0.5, 2.0, 0.0), mass=500.0)
        made.joint(1, flap, recipes.hinge(2), (0.5, 1.0, 0.0))
        for at in placements(far, 3):
            stopped = stored(made.mechanism(), at)
            assert [code for code, _ in found(stopped)] == ["limits-lock"], (kind, at)
            moves = four_bar((UP, DOWN, UP, FREE), kind).mechanism()
            assert found(stored(moves, at)) == [], (kind, at)


def test_limits_that_do_not_stop_for_sure_are_left_alone() -> None:
    """Soft ones give way, what joints lock no limit stops, and bodies that are led pull apart."""
    soft = Limit(angular_axes=(2,), min=0.0, max=1.0, stiffness=90.0)
    made = four_bar((FREE,) * 4)
    made.settings = [replace(one, limits=(*one.limits, soft)) for one in made.settings]
    assert found(made.mechanism()) == []
    round_bound = Limit(angular_axes=(0, 1, 2), min=0.0, max=1.0, together=True)
    made.settings = [replace(one, limits=(round_bound, *one.limits)) for one in made.settings]
    assert found(made.mechanism()) == []
    welded = twice_held(recipes.weld())
    welded = replace(welded, settings=(recipes.hinge(1, *UP), recipes.weld()))
    for at in placements(20.0, 3):
        assert [code for code, _ in found(stored(welded, at))] == ["joints-lock"]
    led = [found(four_bar((UP,) * 4, MotionType.KINEMATIC, posts).mechanism()) for posts in (1, 2)]
    assert [len(issues) for issues in led] == [1, 0]


@pytest.mark.long
def test_what_is_stopped_is_what_a_linear_program_finds() -> None:
    """Of random bounds exactly those that no velocity leaves within the others."""
    pytest.importorskip("scipy", reason="SciPy is not installed")
    from scipy.optimize import linprog

    rng = np.random.default_rng(3)
    for case in range(30):
        shape = rng.integers(1, 41), rng.integers(1, 13)
        rows = rng.integers(-2, 3, shape).astype(float) if case % 3 == 1 else rng.normal(size=shape)
        if case % 3 == 2:  # as if bodies weighed a milligram and a ton
            rows *= 10.0 ** rng.integers(-3, 3, shape[1])
        rows = rows[np.abs(rows).sum(1) > 0.0]
        rows /= np.linalg.norm(rows, axis=1)[:, None]
        box = {"A_ub": -rows, "b_ub": np.zeros(len(rows)), "bounds": [(-1.0, 1.0)] * shape[1]}
        rises = [-linprog(-row, **box).fun for row in rows]
        none = np.zeros((0, shape[1]))
        expected = [at for at, rise in enumerate(rises) if rise < 1e-7]
        assert stopped_rows(rows, none, 1e-6).tolist() == expected, case


@pytest.mark.long
def test_bounds_that_are_opposite_but_for_single_precision_stop_each_other_alone() -> None:
    """One against another, or against all of the others together; not what stands beside them."""
    pytest.importorskip("scipy", reason="SciPy is not installed")
    from scipy.optimize import linprog

    for seed in range(120):
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(rng.integers(2, 12), rng.integers(1, 8)))
        if seed % 2:
            rows[len(rows) // 2] = -rows[0] * rng.uniform(0.1, 10.0)
        else:
            rows[-1] = -rows[:-1].sum(0)
        rows = rows.astype(np.float32).astype(float)
        rows /= np.linalg.norm(rows, axis=1)[:, None]
        box = {
            "A_ub": -rows,
            "b_ub": np.full(len(rows), 1e-7),
            "bounds": [(-1.0, 1.0)] * len(rows.T),
        }
        rises = [-linprog(-row, **box).fun for row in rows]
        expected = [at for at, rise in enumerate(rises) if rise < 1e-5]
        assert stopped_rows(rows, np.zeros((0, len(rows.T))), 1e-6).tolist() == expected, seed
