# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands whose joints contradict each other where they stand, or leave nothing to move.

To first order: what their locks ask of the bodies is a linear system, and its rank tells both.
What is equal within rounding was made equal where joints were read (``reading.mending``), so that
what is left is out of line, or a loop of a kind that could not be mended.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ...model.issue import Issue, Severity
from ...model.joint import Freedom, JointSettings
from ...model.mechanics.islands import islands_of
from ...model.mechanics.rounding import PART, TURNED, rounding_of
from ...model.mechanism import Mechanism
from ...model.settings.ranges import locked_axes
from ...model.wording.shortcomings import cannot_hold
from ...model.wording.words import Say, listed, some
from ..island_group import IslandGroup, Nodes
from ..kinematics.readings import jacobian_of
from ..reading.assembly import SMALLEST
from ..simulation import Options, Simulation
from ..system import RowKind, System
from .diagnose import island_locks

SLANTED, ASIDE = 0.2, 0.1
"""rad, and a part of the size, up to which two hinges of the same bodies were to be in line."""
MOST_ROWS = 1000
"""Islands that have more locks are not looked at: it would take seconds."""
LEAST_ROWS = 3
"""As many locks any joint counts for: to order joints of one pair of bodies is cubic in them."""
MOST_NAMES = 6
ALL, ANGLES = 6, 3


def lock_issues(mechanism: Mechanism, say: Say) -> list[Issue]:
    """Return a warning for each island whose joints contradict or lock each other at rest."""
    closed = _closed(mechanism)
    if closed is None:
        return []
    with np.errstate(all="ignore"):
        groups = Simulation(closed, Options(gravity=(0.0, 0.0, 0.0))).groups
        return [one for group in groups for one in _group_issues(closed, group, say)]


def _closed(mechanism: Mechanism) -> Mechanism | None:
    """Return the mechanism with the joints that close loops alone; None where there are none.

    Islands of too many locks are left out here: to order their joints takes longer than to look.
    """
    dynamic = [index for index in range(len(mechanism.nodes)) if mechanism.is_dynamic(index)]
    joints = [(index, joint.connected_node) for index, _, joint in mechanism.joints()]
    ends = [(mechanism.body_of(one), mechanism.body_of(other)) for one, other in joints]
    locks = [len(_locks(mechanism.settings[joint.settings])) for _, _, joint in mechanism.joints()]
    kept = {
        joints[j][0]
        for island in islands_of(dynamic, ends)
        if len(island.joints) > 1 and island.closes(ends)
        if sum(max(locks[j], LEAST_ROWS) for j in island.joints) <= MOST_ROWS
        for j in island.joints
    }
    if not kept:
        return None
    nodes = (
        node if node.joint is None or i in kept else replace(node, joint=None)
        for i, node in enumerate(mechanism.nodes)
    )
    return replace(mechanism, nodes=tuple(nodes))


def _locks(settings: JointSettings) -> list[int]:
    """Return the axes that settings lock, linear ones and angular ones."""
    return [axis for freedom in Freedom for axis in locked_axes(settings, freedom)]


class _LockFinding(NamedTuple):
    """What is wrong with an island: its joints by number, and what is said of them."""

    code: str
    severity: Severity
    joints: list[int]
    message: str
    fix: str


def _group_issues(mechanism: Mechanism, group: IslandGroup, say: Say) -> Iterator[Issue]:
    system = group.system
    locks = np.flatnonzero(system.kind == RowKind.LOCK)
    if not system.closed or not 0 < len(locks) <= MOST_ROWS:
        return
    far_out = np.abs(group.state.position).max(axis=(1, 2), initial=0.0)
    rounded = np.array([rounding_of(mechanism, _places(mechanism, one)) for one in group.members])
    # Half of what is out of line is seen from the middle between.
    alike = 0.5 * np.maximum(rounded / system.size, PART)
    least_off = 2.0 * np.maximum(rounded, TURNED)
    every = island_locks(group, alike, least_off)
    for island, ((bodies, joints), locked) in enumerate(zip(group.members, every, strict=True)):
        off = group.state.excess[island, locks]
        if not np.isfinite(far_out[island]) or not np.isfinite(off).all():
            continue
        name = [mechanism.nodes[node].name or f"node {node}" for node in joints]
        found = None
        if locked.conflicting:
            limits = float(alike[island]), float(least_off[island])
            found = _contradiction(group, island, name, limits, say)
        found = found or _out_of_line(mechanism, group, island, name, float(rounded[island]), say)
        if found is None and not (locked.rank < 6 * len(bodies) or _led(mechanism, joints)):
            found = _locked(system, name)
        elif found is None and locked.barely:
            found = _barely(sorted(locked.barely), name)
        if found is not None:
            code, severity, which, message, fix = found
            yield Issue(severity, code, name[which[0]], message, fix, joints[which[0]])


def _contradiction(
    group: IslandGroup, island: int, name: list[str], limits: tuple[float, float], say: Say
) -> _LockFinding | None:
    """Return which joints cannot all hold: rows are alike, and off, by more than the limits."""
    system = group.system
    locks = np.flatnonzero(system.kind == RowKind.LOCK)
    off = group.state.excess[island, locks]
    matrix = jacobian_of(system, group.state)[island, locks]
    # What no small motion of the bodies can mend.
    left = np.abs(off - matrix @ np.linalg.lstsq(matrix, off, rcond=limits[0])[0])
    which = np.unique(system.joint_of_row[locks][left > limits[1]]).tolist()
    if not which:
        return None
    straight = system.straight[locks]
    far = (float(left[straight].max(initial=0.0)), float(left[~straight].max(initial=0.0)))
    names = [name[j] for j in which]
    message, fix = cannot_hold(names, far, say, when="in this pose", most=MOST_NAMES)
    return _LockFinding("joints-contradict", Severity.WARNING, which, f"{message}.", f"{fix}.")


def _locked(system: System, name: list[str]) -> _LockFinding | None:
    """Return which joints lock each other, though each alone would move."""
    joint = system.joint_of_row[system.kind == RowKind.LOCK]
    count = np.bincount(joint, minlength=len(name))
    which = [j for j in range(len(name)) if count[j] < ALL]
    if not which:
        return None
    who = some([name[j] for j in which], MOST_NAMES)
    message = f"Nothing can move: the joints lock each other ({who})."
    fix = "Line up their axes, free an axis of one, or remove what is too many."
    return _LockFinding("joints-lock", Severity.WARNING, which, message, fix)


def _barely(which: list[int], name: list[str]) -> _LockFinding:
    """Return which joints repeat others but for rounding, in a way that could not be mended."""
    who = some([name[j] for j in which], MOST_NAMES)
    message = (
        f"This loop moves only as its joints fit each other exactly ({who}), and single precision "
        "holds that less exactly: in time it may stray."
    )
    fix = "Free an axis of one joint, or keep the mechanism near to the origin."
    return _LockFinding("joints-barely-fit", Severity.WARNING, which, message, fix)


def _places(mechanism: Mechanism, members: Nodes) -> list[int]:
    """Return the nodes whose places say where the bodies and joints of an island are."""
    bodies, joints = members
    ends = (mechanism.nodes[node].joint for node in joints)
    return [*bodies, *joints, *(end.connected_node for end in ends if end is not None)]


def _out_of_line(
    mechanism: Mechanism, group: IslandGroup, island: int, name: list[str], near: float, say: Say
) -> _LockFinding | None:
    """Return which hinges of the same two bodies are most out of line, by more than ``near`` m."""
    system, state = group.system, group.state
    turns = state.rotation[island, system.ends[:, 0]]
    places = state.position[island, system.ends[:, 0]]
    places = places + (turns @ system.anchors[island, :, 0, :, None])[..., 0]
    axes = turns @ system.axes[island, :, 0]
    turning = [set(range(3)) for _ in range(system.joints)]
    locks = system.kind == RowKind.LOCK
    for j, c in zip(system.joint_of_row[locks], system.coordinate[locks].tolist(), strict=True):
        turning[j].discard(c - 3)
    hinges = [j for j in range(system.joints) if len(turning[j]) == 1]
    pairs = [_pair(mechanism, node) for node in group.members[island][1]]
    worst, found = 1.0, None
    for j, k in combinations(hinges, 2):
        if pairs[j] != pairs[k]:
            continue
        one, other = (axes[i][:, next(iter(turning[i]))] for i in (j, k))
        slant = float(np.linalg.norm(np.cross(one, other)))
        aside = float(np.linalg.norm(np.cross(places[k] - places[j], one)))
        far = max(slant / TURNED, aside / max(near, SMALLEST))
        if far > worst and slant < SLANTED and aside < ASIDE * system.size[island]:
            parts = [
                (slant > TURNED, slant, Freedom.ANGULAR),
                (aside > near, aside, Freedom.LINEAR),
            ]
            words = listed([say(off, kind) for is_off, off, kind in parts if is_off])
            message = f"{name[j]} and {name[k]} hinge the same two bodies {words} out of line"
            worst, found = far, ([j, k], f"{message}: they brake or lock each other.")
    fix = "Line up their axes, or replace one by a pin."
    return found and _LockFinding("joints-out-of-line", Severity.WARNING, *found, fix)


def _led(mechanism: Mechanism, joints: tuple[int, ...]) -> bool:
    """Return whether a joint leads to a body that moves by itself, and may move the others."""
    bodies = {body for node in joints for body in _pair(mechanism, node) if body is not None}
    return any(not mechanism.is_dynamic(body) for body in bodies)


def _pair(mechanism: Mechanism, node: int) -> frozenset[int | None]:
    """Return the bodies of a joint: all that stands still is one, None."""
    joint = mechanism.nodes[node].joint
    assert joint is not None  # that is what makes it a joint node
    ends = (mechanism.body_of(one) for one in (node, joint.connected_node))
    return frozenset(
        one if one is not None and mechanism.nodes[one].moves else None for one in ends
    )
