# SPDX-License-Identifier: GPL-3.0-or-later
"""What the solver says of a step, of its joints, and of its energy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from .engines.engine import StepResult
from .island_group import IslandGroup
from .kinematics.island_rows import coordinates_of, relative_poses
from .kinematics.rotation import Array, Mask
from .system import RowKind, State, System, rows_off

MET = 1e-6
"""m or rad, of islands of up to 1 m; in larger ones a part of their size: rows that are no further
off are met."""


class SoftLocks(StrEnum):
    """How limits are read that have a stiffness."""

    AUTOMATIC = "automatic"
    """As rigid where they cannot hold the weight that they carry (``sagging``), so that what
    carries Godot's numbers of softness hangs together; else as springs."""
    LITERAL = "literal"
    """As the springs that they are."""
    RIGID = "rigid"
    """As rigid, whatever their stiffness: what Jolt makes of them."""


class Steps(StrEnum):
    """Which steps are taken."""

    EXACT = "exact"
    """As exact as asked for."""
    GODOT = "godot"
    """As Godot takes them with Jolt: at first order, sixty a second, damped; and every joint as
    Godot reads it."""
    GODOT_FINE = "godot-fine"
    """The same without damping in steps so short that only what Godot reads otherwise differs."""


@dataclass(frozen=True, slots=True)
class IslandReport:
    """How one output step went for one island: bodies that joints connect.

    Attributes:
        bodies: nodes of its bodies.
        joints: nodes of its joints.
        steps: in which it was done.
        first_order: how many of them are of first order only, as nothing else would do.
        converged: whether the step could be done and all joints are met.
        retries: how many steps were tried again, shorter.
        unfollowed: nodes of the joints with springs, drives or soft limits that pushed what moves
            and were replaced, as they are too stiff for an output step.
        contradicting: where they could not, nodes of the joints that are off, farthest first.
        separation, misalignment: by how much at most, m and rad.
        substeps: how many of the steps are of RATTLE, as bounds chattered or bodies touched.
    """

    bodies: tuple[int, ...]
    joints: tuple[int, ...]
    steps: int
    first_order: int
    converged: bool
    retries: int
    unfollowed: tuple[int, ...] = ()
    contradicting: tuple[int, ...] = ()
    separation: float = 0.0
    misalignment: float = 0.0
    substeps: int = 0

    @property
    def named(self) -> tuple[int, ...]:
        """Nodes that say which it is: of its joints, or of its bodies where it has none."""
        return self.joints or self.bodies


class StepReport:
    """How one output step went.

    It stays what it is when the simulation goes on: reports of islands are kept as they come, and
    read when somebody asks; where joints are not met, so is the state.

    Attributes:
        converged: whether all joints of all islands could be met.
    """

    __slots__ = ("_groups", "_states", "_unfollowed", "_went", "converged")

    def __init__(self, groups: Sequence[IslandGroup] = (), went: Sequence[StepResult] = ()) -> None:
        """Take over how each group went, just after a step."""
        self._groups, self._went = groups, went
        self.converged = True
        self._states: dict[int, State] = {}
        self._unfollowed: dict[int, list[tuple[int, ...]]] = {}
        for number, one in enumerate(went):
            if not one.off <= MET:
                self.converged = False
                self._states[number] = groups[number].state.copy()
            if groups[number].system.elements and any(one.reports["unfollowed"].tolist()):
                self._unfollowed[number] = groups[number].unfollowed()

    def _most(self, name: str) -> int:
        """Return the most that an island has of something that is counted."""
        return max((max(one.reports[name].tolist()) for one in self._went), default=0)

    @property
    def steps(self) -> int:
        """Of the island that had most."""
        return self._most("steps")

    @property
    def retries(self) -> int:
        """Steps that were tried again, shorter, of the island that had most."""
        return self._most("retries")

    @property
    def left_out(self) -> int:
        """Points of contact for which there was no room, of the island that had most."""
        return self._most("left_out")

    @property
    def islands(self) -> list[IslandReport]:
        """How it went, island by island."""
        return [one for number in range(len(self._went)) for one in self._of_group(number)]

    @property
    def not_met(self) -> list[IslandReport]:
        """The islands that could not meet all their joints."""
        return [] if self.converged else [one for one in self.islands if not one.converged]

    @property
    def first_order(self) -> list[IslandReport]:
        """The islands that were stepped to first order only, in part at least."""
        if not self._most("first_order"):
            return []
        return [one for one in self.islands if one.first_order]

    @property
    def not_followed(self) -> list[IslandReport]:
        """The islands in which something was too stiff to be followed."""
        return [one for one in self.islands if one.unfollowed] if self._unfollowed else []

    def _of_group(self, number: int) -> Iterator[IslandReport]:
        group, reports = self._groups[number], self._went[number].reports
        size = np.maximum(group.system.size, 1.0)
        met = ((reports["done"] != 0) & (reports["gap"] <= MET * size)).tolist()
        counts = (
            reports[name].tolist() for name in ("steps", "first_order", "retries", "substeps")
        )
        counts_unfollowed = reports["unfollowed"].tolist()
        unfollowed = self._unfollowed.get(number, ())
        state = self._states.get(number)
        off = None if state is None else _joints_off(group.system, rows_off(group.system, state))
        for i, ((bodies, joints), holds, steps, first_order, retries, substeps) in enumerate(
            zip(group.members, met, *counts, strict=True)
        ):
            lost = (
                ((), 0.0, 0.0) if holds or off is None else _lost(joints, off[:, i], float(size[i]))
            )
            stiff = unfollowed[i] if counts_unfollowed[i] else ()
            yield IslandReport(
                bodies, joints, steps, first_order, holds, retries, stiff, *lost, substeps
            )


def _lost(joints: tuple[int, ...], off: Array, size: float) -> tuple[tuple[int, ...], float, float]:
    """Return the joints that are off, farthest first, and the most in m and rad."""
    most = np.maximum(off[0], off[1])
    named = [j for j in np.argsort(-most, kind="stable").tolist() if most[j] > MET * size]
    far = off[:, named].max(axis=1, initial=0.0).tolist()
    return tuple(joints[j] for j in named), far[0], far[1]


@dataclass(frozen=True, slots=True)
class Energy:
    """J. Potential energy counts from the origin of the world, and includes springs."""

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.kinetic + self.potential


@dataclass(frozen=True, slots=True)
class JointReport:
    """Arrays with one entry for each of ``joint_nodes``.

    Attributes:
        separation: (n,) how far rigidly locked distances are off, m.
        misalignment: (n,) how far rigidly locked angles are off, rad.
        overshoot: (n,) largest excess over any rigid bound, locks included, m or rad.
        force: (n, 3) of the joint without its drives on the connected body, world axes, N, mean
            over the last step; of redundant joints the smallest that does it.
        torque: (n, 3) likewise, about the joint frame's origin, N m.
        broken: (n,) whether the joint has given way.
    """

    separation: Array
    misalignment: Array
    overshoot: Array
    force: Array
    torque: Array
    broken: Mask


def report_joints(
    groups: Sequence[IslandGroup], span: float, joint_nodes: Sequence[int], broken: Collection[int]
) -> JointReport:
    """Return what joints bore in a step of ``span`` s and how well they hold; zero where broken."""
    count = len(joint_nodes)
    worst, wrench = np.zeros((3, count)), np.zeros((count, 6))
    for group, at in _joints_in(groups, joint_nodes):
        np.maximum.at(worst.T, at, _misses(group.system, group.state).reshape(3, -1).T)
        if span > 0.0:
            np.add.at(wrench, at, group.wrench.reshape(-1, 6) / span)
    gone = np.array([node in broken for node in joint_nodes], dtype=bool)
    separation, misalignment, overshoot = worst
    return JointReport(separation, misalignment, overshoot, wrench[:, :3], wrench[:, 3:], gone)


def coordinates_in(groups: Sequence[IslandGroup], joint_nodes: Sequence[int]) -> Array:
    """Return the six coordinates of joints, see ``Simulation.all_coordinates``."""
    out = np.zeros((len(joint_nodes), 6))
    for group, at in _joints_in(groups, joint_nodes):
        read = coordinates_of(group.system, group.state).reshape(-1, 6)
        out[at[::-1]] = read[::-1]  # of a joint in parts the first one tells
    return out


def poses_in(groups: Sequence[IslandGroup], joint_nodes: Sequence[int]) -> tuple[Array, Array]:
    """Return where connected frames of joints are, see ``Simulation.joint_poses``."""
    place, turn = (np.full((len(joint_nodes), size), np.nan) for size in (3, 4))
    for group, at in _joints_in(groups, joint_nodes):
        where, turned = relative_poses(group.system, group.state)
        place[at], turn[at] = where.reshape(-1, 3), turned.reshape(-1, 4)
    return place, turn


def _joints_in(
    groups: Iterable[IslandGroup], joint_nodes: Sequence[int]
) -> Iterator[tuple[IslandGroup, list[int]]]:
    """Yield groups with joints, and where each of these, island by island, is among nodes."""
    place = {node: i for i, node in enumerate(joint_nodes)}
    for group in groups:
        if at := [place[node] for _, joints in group.members for node in joints]:
            yield group, at


def _misses(system: System, state: State) -> Array:
    """Return separation, misalignment and overshoot of the joints: (3, N, m).

    What was violated at rest is not missed as far as it is still on the way.
    """
    off = rows_off(system, state)
    overshoot = np.zeros((system.joints, system.islands))
    np.maximum.at(overshoot, system.joint_of_row, off.T)
    locked = np.where(system.kind == RowKind.LOCK, off, 0.0)
    return np.concatenate([_joints_off(system, locked), overshoot.T[None]])


def _joints_off(system: System, off: Array) -> Array:
    """Return by how much joints are off, m and rad, (2, N, m), from ``rows_off``."""
    out = np.zeros((2, system.joints, system.islands))
    np.add.at(out, (np.where(system.straight, 0, 1), system.joint_of_row), off.T**2)
    return np.sqrt(out).swapaxes(1, 2)
