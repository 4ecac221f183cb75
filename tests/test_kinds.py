# SPDX-License-Identifier: GPL-3.0-or-later
"""Each kind of joint, away from where its frames coincide: what is said, spelled, posed, solved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

from omi_physics_joint.cli.reports.lines import articulation_lines
from omi_physics_joint.cli.reports.report import articulations_info
from omi_physics_joint.model.body import Motion, MotionType
from omi_physics_joint.model.geometry.transform import compose, multiply
from omi_physics_joint.model.godot.written import written_joint
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.settings.reach import idle_limits
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.settings.reversal import is_reversible, reversed_settings
from omi_physics_joint.model.settings.spans import locked_axes, spans_of, spans_within
from omi_physics_joint.model.settings.together import all_apart
from omi_physics_joint.model.wording.describe import (
    kind,
    rows,
    sentence,
    sole_freedom,
    summary,
    title,
)
from omi_physics_joint.posing import Posing
from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.reading.bodies import read_bodies
from omi_physics_joint.solver.reading.joints import elements_of, read_joints, rows_of
from tests.approved import approved
from tests.kinds_of_joints import KINDS
from tests.solver.building import Builder

PLACE, TURN = (1.0, 2.0, 3.0), (0.0, 0.6, 0.0, 0.8)
AWAY = compose((0.125, -0.25, 0.5), (0.1, 0.3, 0.2, 0.9273618495495703))
FRAME = compose(PLACE, TURN)
WORDS = {Freedom.LINEAR: "along", Freedom.ANGULAR: "about"}


def numbers(values: object) -> str:
    """Return numbers with four digits, and no zero with a sign."""
    return " ".join(f"{one + 0.0:.4g}" for one in np.round(np.ravel(values), 6).tolist())


def spelled(settings: JointSettings) -> str:
    """Return all numbers of joint settings on one line."""
    parts = [
        f"{'together ' * one.together}{''.join(map(str, one.linear_axes))}/"
        f"{''.join(map(str, one.angular_axes))} {numbers((one.min, one.max))}"
        + f" soft {numbers((one.stiffness, one.damping))}"
        * one.is_soft
        for one in settings.limits
    ] + [
        f"{one.mode} {WORDS[one.type]} {one.axis} to {one.position_target} at "
        f"{one.velocity_target}, {numbers((one.stiffness, one.damping, one.max_force))}"
        for one in settings.drives
    ]
    return "; ".join(parts) or "nothing"


def said_of(settings: JointSettings) -> Iterator[str]:
    """Yield what the model says of a kind of joint, and what other spellings are of it."""
    yield f"{title(settings)} | {kind(settings)} | {sentence(settings)} | {summary(settings)}"
    yield f"rows: {' | '.join(rows(settings))}; alone {sole_freedom(settings)}"
    spans = [(one.low, one.high) for one in spans_of(settings.limits)]
    within = [(one.low, one.high) for one in spans_within(settings.limits)]
    yield f"spans: {numbers(spans)}" + f"; within {numbers(within)}" * (spans != within)
    locked = [locked_axes(settings, freedom) for freedom in Freedom]
    yield f"locked {locked}, idle {idle_limits(settings.limits)}"
    yield f"canonical: {spelled(canonical(settings))}"
    yield f"apart: {spelled(replace(settings, limits=all_apart(settings.limits)))}"
    reverse = spelled(reversed_settings(settings)) if is_reversible(settings) else "is another"
    yield f"reversed: {reverse}"
    alone, by_moving = (told_godot(settings, is_held_by_moving=one) for one in (False, True))
    yield f"for Godot: {alone}"
    if by_moving != alone:
        yield f"held by what moves: {by_moving}"


def told_godot(settings: JointSettings, *, is_held_by_moving: bool) -> str:
    """Return what is written of a joint for Godot."""
    made = written_joint(
        settings, FRAME, multiply(FRAME, AWAY), is_held_by_moving=is_held_by_moving
    )
    at, other = numbers(np.array(made.frame)[:3]), numbers(np.array(made.connected)[:3])
    return (
        f"{spelled(made.settings)} | shift {made.layout.shift}"
        f"{' exchanged' * made.layout.exchanged}, zero {numbers(made.rest.zero)}"
        f"{'' if made.rest.is_exact else ' not exact'}, at {at}"
        + f", other {other}"
        * (at != other)
    )


def joined(settings: JointSettings) -> tuple[Mechanism, int, int]:
    """Return a body on a joint that stands away from zero, the joint and the body."""
    made = Builder()
    ground, body = made.ground(), made.body((2.0, 2.0, 3.0), (0.0, 0.0, 0.6, 0.8), mass=2.0)
    joint = made.joint(body, ground, settings, PLACE, TURN)
    mechanism = made.mechanism()
    nodes = list(mechanism.nodes)
    nodes[joint + 1] = replace(nodes[joint + 1], world=multiply(FRAME, AWAY))
    return replace(mechanism, nodes=tuple(nodes)), joint, body


def posed(settings: JointSettings) -> Iterator[str]:
    """Yield how a joint is posed: each value alone, all at once, and by a point of its body."""
    mechanism, joint, body = joined(settings)
    posing = Posing(mechanism)
    row = posing.body_nodes.index(body)
    link = posing.links[joint]
    yield f"starts at {numbers(posing.values(joint))}; {numbers(link.low)} to {numbers(link.high)}"
    for freedom in Freedom:
        for axis in AXES:
            if link.free[axis + 3 * (freedom is Freedom.ANGULAR)]:
                done = posing.set_value(joint, freedom, axis, 0.625)
                line = f"{WORDS[freedom]} {axis}: reached {done.reached}, off {numbers(done.off)}"
                if not link.together:  # they leave several ways, and machines take others
                    where = numbers(posing.positions[row])
                    line += f", values {numbers(posing.values(joint))}, body {where}"
                yield line
    posing.reset()
    done = posing.take_values({joint: np.array([0.25, 0.5, -0.25, 0.125, 0.75, -0.5])})
    values = "" if link.together else f", values {numbers(posing.values(joint))}"
    yield f"at once: {done.reached}, gap {done.gap:.3f}{values}"
    posing.reset()
    done = posing.drag(body, (0.25, 0.0, 0.0), (2.0, 2.5, 3.5))
    yield f"dragged: {done.reached}, off {done.off:.3f}, gap {done.gap:.3f}"


def solved(settings: JointSettings) -> Iterator[str]:
    """Yield what the solver reads of a joint, and where its body is after a tenth of a second."""
    mechanism, _, body = joined(settings)
    bodies, _ = read_bodies(mechanism)
    index = {int(node): at for at, node in enumerate(bodies.nodes) if node >= 0}
    dynamic = frozenset(np.flatnonzero(bodies.dynamic).tolist())
    (joint,), issues = read_joints(
        mechanism, mechanism.settings, index, len(bodies.nodes) - 1, dynamic
    )
    yield f"held {numbers(joint.held_at)}" + "".join(
        f"; {row.coordinate} {row.kind.name} {numbers((row.hold, row.low, row.high))}"
        for row in rows_of(joint)
    )
    for one in elements_of(joint):
        yield (
            f"{'drive' if one.is_drive else 'limit'} on {one.coordinate}: "
            f"{numbers((one.spring, one.damper, one.low, one.high, one.neutral, one.speed))}, "
            f"most {numbers(one.max_force)}{', accelerates' * one.accelerates}"
        )
    yield from (f"{one.code}: {one}" for one in issues)
    simulation = Simulation(mechanism)
    for _ in range(6):
        simulation.step(1.0 / 60.0)
    place = simulation.positions[list(simulation.body_nodes).index(body)]
    yield f"after 0.1 s at {' '.join(f'{one + 0.0:.3f}' for one in np.round(place, 4).tolist())}"


def trees(settings: JointSettings) -> Iterable[str]:
    """Return the tree of a body on a joint."""
    return articulation_lines(articulations_info(joined(settings)[0]))


def test_what_is_said_of_each_kind_is_as_approved() -> None:
    """Words, ranges, other spellings, and what is written for Godot."""
    situations = {f"Of {name}.": said_of(one) for name, one in KINDS.items()}
    approved("kinds_said.txt", situations)


def test_trees_of_each_kind_are_as_approved() -> None:
    """Newton's types, axes and coordinates."""
    approved("kinds_of_trees.txt", {f"Of {name}.": trees(one) for name, one in KINDS.items()})


@pytest.mark.long
def test_how_each_kind_is_posed_is_as_approved() -> None:
    """Values are what was asked for or the nearest that bounds leave."""
    approved("kinds_posed.txt", {f"Of {name}.": posed(one) for name, one in KINDS.items()})


def test_what_is_solved_of_each_kind_is_as_approved() -> None:
    """Rows and elements, and a tenth of a second of their motion."""
    approved("kinds_solved.txt", {f"Of {name}.": solved(one) for name, one in KINDS.items()})


ODD_NUMBERS = (0.0, -1.0, inf, nan)


def unsound() -> Iterator[str]:
    """Yield what is said of bodies and joints with numbers that are none."""
    made = Motion(MotionType.DYNAMIC, inertia_diagonal=(1.0, 1.0, 1.0))
    motions = [replace(made, mass=value) for value in ODD_NUMBERS]
    motions += [replace(made, inertia_diagonal=(1.0, 2.0, value)) for value in ODD_NUMBERS]
    motions += [
        replace(made, inertia_diagonal=(1.0, 1.0, 5.0)),
        replace(made, inertia_diagonal=(inf, inf, inf)),
        replace(made, inertia_orientation=(0.0, 0.0, 0.0, 0.0)),
        replace(made, center_of_mass=(nan, 0.0, 0.0)),
        replace(made, linear_velocity=(inf, 0.0, 0.0)),
        replace(made, angular_velocity=(0.0, nan, 0.0)),
        replace(made, gravity_factor=nan),
        replace(made, type=MotionType.KINEMATIC, mass=nan),
    ]
    for motion in motions:
        mechanism, _, body = joined(hinge(2))
        nodes = list(mechanism.nodes)
        nodes[body] = replace(nodes[body], motion=motion)
        bodies, issues = read_bodies(replace(mechanism, nodes=tuple(nodes)))
        read = [numbers(getattr(bodies, name)[1]) for name in ("mass", "inertia", "centre")]
        said = "; ".join(f"{one.code}: {one.message} {one.fix}" for one in issues)
        yield f"mass {read[0]}, inertia {read[1]}, centre {read[2]}: {said or 'nothing is said'}"


def unsound_settings() -> Iterator[str]:
    """Yield what is said of limits and drives with numbers that are none."""
    free = Limit((), (2,), -1.0, 1.0, 5.0, 1.0)
    motor = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, velocity_target=1.0, damping=1.0)
    odd = [
        replace(free, **{name: value})
        for name in ("min", "stiffness", "damping")
        for value in ODD_NUMBERS
    ]
    odd += [replace(free, angular_axes=(3,)), replace(free, min=2.0)]
    drives = [
        replace(motor, **{name: value})
        for name in ("damping", "stiffness", "max_force", "velocity_target", "position_target")
        for value in ODD_NUMBERS
    ]
    cases = [JointSettings("", (one,)) for one in odd]
    cases += [JointSettings("", (), (one,)) for one in (*drives, replace(motor, axis=3))]
    for settings in cases:
        yield f"{spelled(settings)}: {' | '.join(solved(settings))}"


def test_what_is_said_of_unsound_numbers_is_as_approved() -> None:
    """Nothing unsound is computed with, and all of it is named."""
    approved(
        "unsound_numbers.txt",
        {"Of bodies.": unsound(), "Of limits and drives.": unsound_settings()},
    )
