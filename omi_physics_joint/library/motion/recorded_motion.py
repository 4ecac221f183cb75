# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulated mechanism frame by frame, as a JSON document and as lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import degrees, hypot
from typing import NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from ...gltf.document.numbers import number
from ...model.issue import Issue, Severity
from ...model.joint import Freedom, Limit
from ...model.mechanics.sagging import held_issues
from ...model.mechanism import Mechanism
from ...model.settings.keyed import mechanism_at, settings_at
from ...model.settings.spans import spans_of
from ...model.wording.describe import title
from ...model.wording.words import counted, metric
from ...solver import KinematicMotion, Options, Simulation, SoftLocks, Steps, lock_issues
from ...solver.engines.kernel import kernel
from .noted import Apart, Beside, RunTroubles, Touched, TouchedPair

GAVE_WAY = 0.05
"""m or rad: a soft lock that moves farther than this does not look like a lock."""
AS_GODOT = "stepped as Godot with Jolt does: 60 steps a second, damping of 0.1"
STILL = 1e-9
"""m or rad: a joint that goes no farther has not moved."""
MOST_LINES = 20
"""Joints that are listed one by one."""


@dataclass(frozen=True, slots=True)
class BodyPoses:
    """Where one body is, global, in glTF axes (Y up)."""

    translation: NDArray[np.float64]
    """m, frames x 3."""
    rotation: NDArray[np.float64]
    """Quaternions x, y, z, w, frames x 4."""


class JointMotion(TypedDict):
    """The largest figures of one joint over the run."""

    type: str
    separation: float
    """m."""
    misalignment: float
    """rad."""
    overshoot: float
    """Excess over any bound, soft ones and locks included, m or rad."""
    force: float
    """N."""
    torque: float
    """N m."""


class EnergyCurves(TypedDict):
    """J, of every frame."""

    kinetic: list[float]
    potential: list[float]


class MotionDocument(TypedDict):
    """What ``--json`` writes. Frame 0 is the rest pose."""

    fps: float
    steps: str
    """A value of ``Steps``."""
    gravity: list[float]
    bodies: dict[str, dict[str, list[list[float]]]]
    """The members of ``BodyPoses``."""
    joints: dict[str, JointMotion]
    beside: NotRequired[dict[str, Apart]]
    """By joint, how far it went from the exact motion; where that was asked for."""
    touching: NotRequired[list[TouchedPair]]
    """Who touched whom; where bodies could."""
    energy: EnergyCurves


FIGURES = ("separation", "misalignment", "overshoot", "force", "torque", "gave way")
"""Kept of every joint; the last one is that of its soft locks alone, m or rad."""


class RecordedMotion:
    """A mechanism that is simulated, and what it did. Frame 0 is its rest pose."""

    def __init__(
        self,
        mechanism: Mechanism,
        options: Options,
        fps: float,
        motions: Mapping[int, KinematicMotion] | None = None,
        found: Iterable[Issue] = (),
        *,
        beside: bool = False,
    ) -> None:
        """Put the mechanism, in glTF axes with the keys of its settings, in its rest pose: frame 0.

        Kinematic bodies have motions by their nodes; of what it was read from, these issues were
        found; ``beside`` compares with the exact motion.
        """
        self._keyed, self._frame, self._found = mechanism.settings, 0, tuple(found)
        mechanism = mechanism_at(mechanism, 0.0)
        self._mechanism, self._options, self._fps = mechanism, options, fps
        self._simulation = Simulation(mechanism, options, motions=motions)
        self._beside = Beside(self._simulation, mechanism, options, motions) if beside else None
        held = self._simulation.held
        nodes = [int(node) for node in self._simulation.joint_nodes]
        self._names = self._names_of(nodes)
        of_node = {node: mechanism.settings_of(joint) for node, _, joint in mechanism.joints()}
        self._settings = [of_node[node] for node in nodes]
        # The solver itself reports what is rigid, and held.
        soft = [
            [one for one in of_node[node].limits if one.is_soft and one not in held.get(node, ())]
            for node in nodes
        ]
        self._soft = {i: limits for i, limits in enumerate(soft) if limits}
        self._largest = {figure: np.zeros(len(nodes)) for figure in FIGURES}
        self._steps: Counter[int] = Counter()
        self._not_converged = 0
        self._troubles, self._touched = RunTroubles(), Touched()
        self._holes: tuple[Issue, ...] = ()
        self._start = self._simulation.all_coordinates()
        self._values = [self._start]
        self._moved = np.zeros(len(nodes), bool)
        self._positions: list[NDArray[np.float64]] = []
        self._rotations: list[NDArray[np.float64]] = []
        self._energies: list[tuple[float, float]] = []
        self._keep_frame()

    def advance(self) -> None:
        """Simulate one frame more."""
        self._frame += 1
        time = self._frame / self._fps
        settings = tuple(settings_at(one, time) for one in self._keyed)
        self._simulation.retune(settings)
        report = self._simulation.step(1.0 / self._fps)
        if self._beside is not None:
            self._beside.advance(1.0 / self._fps, settings)
        self._steps[report.steps] += 1
        self._not_converged += not report.converged
        self._troubles.note(report)
        self._touched.note(self._simulation.touching())
        self._holes = self._simulation.hole_issues()
        self._keep_joints({node for one in report.not_followed for node in one.joints})
        self._keep_frame()

    @property
    def is_finite(self) -> bool:
        """Whether the bodies have poses in the last frame."""
        return bool(np.isfinite(np.hstack((self._positions[-1], self._rotations[-1]))).all())

    @property
    def issues(self) -> tuple[Issue, ...]:
        """What could not be read or simulated, and what came out otherwise than it looks meant."""
        held: list[Issue] = []
        if self._options.soft_locks is SoftLocks.AUTOMATIC:  # which could not hold as they are
            fix = "Use --soft-locks literal to simulate them as springs."
            held = held_issues(self._mechanism, self._simulation.held, fix)
        locks = lock_issues(self._mechanism, metric)
        troubles = self._troubles.issues(
            locks, self._names | self._body_names, self._frame, self._fps
        )
        exact = self._options.steps is Steps.EXACT
        run = (
            *self._simulation.issues,
            *held,
            *self._gave_way(),
            *self._holes,
            *(troubles if exact else ()),
        )
        every = (*self._found, *run)  # reader and solver may agree
        return tuple({str(issue): issue for issue in every}.values())

    @property
    def times(self) -> NDArray[np.float64]:
        """The time of every frame, in s."""
        return np.arange(len(self._positions)) / self._fps

    @property
    def bodies(self) -> dict[str, BodyPoses]:
        """Bodies by the names of their nodes; those that occur again get .001, .002 and so on."""
        place = {node: i for i, node in enumerate(self._simulation.body_nodes)}
        positions, rotations = np.array(self._positions), np.array(self._rotations)
        return {
            name: BodyPoses(positions[:, place[node]], rotations[:, place[node]])
            for node, name in self._body_names.items()
        }

    @property
    def _body_names(self) -> dict[int, str]:
        return self._names_of(sorted(self._simulation.body_nodes))

    @property
    def values(self) -> dict[str, NDArray[np.float64]]:
        """Where joints stand, by the names of their nodes: frames x 6.

        Along X, Y, Z of the joint frame in m, then about them in rad.
        """
        values = np.array(self._values)
        return {name: values[:, i] for i, name in enumerate(self._names.values())}

    def document(self) -> MotionDocument:
        """Return the whole run as JSON, every number finite."""
        document: MotionDocument = {
            "fps": number(self._fps),
            "steps": self._options.steps.value,
            "gravity": _listed(self._options.gravity),
            "bodies": {
                name: {"translation": one.translation.tolist(), "rotation": one.rotation.tolist()}
                for name, one in self.bodies.items()
            },
            "joints": dict(zip(self._names.values(), self._joints(), strict=True)),
            "energy": {
                "kinetic": _listed(kinetic for kinetic, _ in self._energies),
                "potential": _listed(potential for _, potential in self._energies),
            },
        }
        if self._options.contacts:
            document["touching"] = self._touched.document(self._body_names)
        if self._beside is not None:
            document["beside"] = self._beside.document(self._names)
        return document

    def summary(self) -> Iterator[str]:
        """Yield the run as lines for people."""
        frames = len(self._positions) - 1
        x, y, z = self._options.gravity
        bodies = sum(node.motion is not None for node in self._mechanism.nodes)
        names, joints = list(self._names.values()), self._joints()
        yield (
            f"{counted(bodies, 'body')}, {counted(len(joints), 'joint')}; "
            f"{frames / self._fps:g} s at {self._fps:g} frames a second, "
            f"gravity {x:g} {y:g} {z:g} m/s\N{SUPERSCRIPT TWO}"
        )
        yield from self._joint_lines(names, joints)
        if joints:
            labels = [f"{name}, soft" if i in self._soft else name for i, name in enumerate(names)]
            yield _worst("separation", labels, self._largest["separation"], "m")
            yield _worst("overshoot", labels, self._largest["overshoot"], "m or rad")
        totals = [kinetic + potential for kinetic, potential in self._energies]
        kinetic, potential = self._energies[-1]
        yield (
            f"energy: {totals[0]:.6g} J at first, {totals[-1]:.6g} J at last "
            f"(kinetic {kinetic:.4g}, potential {potential:.4g}), at most "
            f"{max(totals) - totals[0]:.2g} J above the first"
        )
        if self._options.steps is Steps.GODOT:
            yield AS_GODOT
            if self._beside is not None:
                yield from self._beside.lines(self._names, MOST_LINES)
        elif frames:
            low, high = min(self._steps), max(self._steps)
            steps = f"{low} to {high} steps" if low < high else counted(low, "step")
            yield f"computed with {steps} a frame"
            if kernel().library is None:
                yield f"Solver: {kernel().name}"
        if self._not_converged:
            yield f"not exact in {counted(self._not_converged, 'frame')} of {frames}"
        if self._options.contacts and kernel().library is not None:
            yield from self._touched.lines(self._body_names, MOST_LINES)
        else:
            lacking = ", as they need the compiled solver" if self._options.contacts else ""
            yield f"Contacts are not simulated{lacking}: bodies pass through each other."

    def _keep_joints(self, unfollowed: Collection[int]) -> None:
        """Keep the largest figures of this frame; forces of what was replaced are none."""
        report = self._simulation.joint_report()
        now = {name: np.array(getattr(report, name)) for name in FIGURES[:3]}
        now |= {name: np.linalg.norm(getattr(report, name), axis=-1) for name in FIGURES[3:5]}
        now["gave way"] = np.zeros(len(report.force))
        now_at = self._simulation.all_coordinates()
        self._values.append(now_at)
        coordinates = now_at.tolist() if self._soft else []
        for i, limits in self._soft.items():
            soft = _given_way(limits, coordinates[i])
            for name, far in zip(FIGURES[:3], soft, strict=True):
                now[name][i] = max(now[name][i], far)
            now["gave way"][i] = max(soft[:2])
        replaced = np.isin(self._simulation.joint_nodes, list(unfollowed))
        for name in FIGURES[3:5]:
            now[name] = np.where(replaced, 0.0, now[name])
        self._moved |= np.abs(now_at - self._start).max(1, initial=0.0) > STILL
        for name, values in now.items():
            np.maximum(self._largest[name], values, out=self._largest[name])

    def _keep_frame(self) -> None:
        energy = self._simulation.energy()
        self._positions.append(np.array(self._simulation.positions))
        self._rotations.append(np.array(self._simulation.rotations))
        self._energies.append((float(energy.kinetic), float(energy.potential)))

    def _names_of(self, nodes: Sequence[int]) -> dict[int, str]:
        """Return names for nodes in this order, all different."""
        called = map(self._mechanism.name_of, sorted(nodes))
        names = dict(zip(sorted(nodes), unique_names(called), strict=True))
        return {node: names[node] for node in nodes}

    def _joints(self) -> list[JointMotion]:
        largest = self._largest
        return [
            {
                "type": title(settings),
                "separation": number(largest["separation"][i]),
                "misalignment": number(largest["misalignment"][i]),
                "overshoot": number(largest["overshoot"][i]),
                "force": number(largest["force"][i]),
                "torque": number(largest["torque"][i]),
            }
            for i, settings in enumerate(self._settings)
        ]

    def _joint_lines(self, names: list[str], joints: list[JointMotion]) -> Iterator[str]:
        """Yield what each joint was, or where there are many how many of each type there were."""
        if len(joints) > MOST_LINES:
            for kind, many in Counter(joint["type"] for joint in joints).most_common():
                yield f"{counted(many, 'joint')}: {kind}"
            return
        every = zip(names, joints, self._settings, self._moved.tolist(), strict=True)
        for name, joint, settings, moved in every:
            stands = not moved and not all(span.is_locked for span in spans_of(settings.limits))
            yield (
                f"joint {name}: {'did not move' if stands else joint['type']}; "
                f"separation {joint['separation']:.2g} m, "
                f"misalignment {degrees(joint['misalignment']):.2g}\N{DEGREE SIGN}, "
                f"force {joint['force']:.3g} N, torque {joint['torque']:.3g} N m"
            )

    def _gave_way(self) -> Iterator[Issue]:
        """Yield a hint where soft locks did not hold what they seem to hold."""
        far = self._largest["gave way"]
        moved = zip(self._names.values(), far > GAVE_WAY, strict=True)
        names = [name for name, off in moved if off]
        if names:
            more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
            godot = self._options.steps is Steps.GODOT
            yield Issue(
                Severity.HINT,
                "soft-lock-gave-way",
                names[0] + more,
                "Its locked axes are soft, as their stiffness says, and gave way by up to "
                f"{far.max():.2g} m or rad.",
                "If they are meant to hold, "
                + ("make them rigid." if godot else "use --soft-locks rigid."),
            )


def unique_names(names: Iterable[str]) -> list[str]:
    """Return names all different: those that occur again get .001, .002 and so on.

    A name that some node really has is never given to another.
    """
    result = list(names)
    taken, seen = set(result), set[str]()
    for at, name in enumerate(result):
        if name in seen:
            result[at] = next(new for i in count(1) if (new := f"{name}.{i:03d}") not in taken)
            taken.add(result[at])
        seen.add(name)
    return result


def _given_way(limits: Sequence[Limit], coordinates: Sequence[float]) -> tuple[float, float, float]:
    """Return how far soft limits of one joint have given way at its coordinates, m and rad.

    That is the distance along softly locked axes in m, the angle about such axes in rad, and the
    largest excess over any soft bound in m or rad.
    """
    off = {Freedom.LINEAR: [0.0] * 3, Freedom.ANGULAR: [0.0] * 3}
    overshoot = 0.0
    for limit in limits:
        for freedom in Freedom:
            first = 0 if freedom is Freedom.LINEAR else 3
            for axis in limit.axes(freedom):
                value = float(coordinates[first + axis])
                excess = max(0.0, value - limit.max, limit.min - value)
                overshoot = max(overshoot, excess)
                if limit.is_lock:
                    off[freedom][axis] = max(off[freedom][axis], excess)
    return hypot(*off[Freedom.LINEAR]), hypot(*off[Freedom.ANGULAR]), overshoot


def _worst(what: str, names: list[str], values: NDArray[np.float64], unit: str) -> str:
    worst = int(np.argmax(values))
    where = f" ({names[worst]})" if values[worst] > 0.0 else ""
    return f"largest {what}: {values[worst]:.2g} {unit}{where}"


def _listed(values: Iterable[float]) -> list[float]:
    return [number(value) for value in values]
