# SPDX-License-Identifier: GPL-3.0-or-later
"""Thousands of random mechanisms, many of them nonsense: nothing may raise, nothing may be NaN.

    python -m benchmarks.solver.fuzz [--kind net|tangle|open|alike|edge|heap] [--count 1000]
                                     [--seed 0] [--jobs 2] [--sound-only]

Where nothing drives and nothing is odd, energy must not grow; where nothing holds the bodies, their
momentum must stay; what nothing contradicts must converge and keep its bounds. What fails is
printed with its number, which makes it again, and the worst of all that was judged in the end.
Nothing is asked of the solver but what anybody may ask of it.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import Pool

import numpy as np
from numpy.typing import NDArray

from omi_physics_joint.model.body import Motion, MotionType
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver import Options, Simulation

from .random_edges import edge
from .random_mechanisms import alike, open_mechanism, tangle
from .random_nets import net
from .random_shapes import heap
from .rotations import product, turned

Array = NDArray[np.float64]
KINDS = ("net", "tangle", "open", "alike", "edge", "heap")
FRAMES = {"net": 8, "tangle": 6, "open": 30, "alike": 30, "edge": 30, "heap": 60}
OPEN = ("open", "alike", "edge")
"""Nothing contradicts them."""
MOST_GAIN = {"net": 1e-3, "open": 1e-3, "alike": 1e-3, "edge": 1e-3, "heap": 1e-2}
"""Of the energy that was exchanged."""
UNSOUND = ("raises", "not finite")
"""How troubles begin that must never be."""
PUSHES_OUT = {"begins-inside"}
"""Issues of what brings energy in: bodies that begin in one another."""
MOST_DRIFT = {"linear momentum": 1e-9, "angular momentum": 1e-3}
"""As a part of the sum of what all bodies have."""
MOST_OVER = 1e-6
"""m or rad by which nothing may be off in open mechanisms."""
LEAST_ENERGY = 1e-3
"""J; where less is exchanged, what is judged is the resolution of the rows."""


@dataclass(frozen=True, slots=True)
class Case:
    """One random mechanism, how to run it, and what it may be judged by."""

    kind: str
    mechanism: Mechanism
    options: Options
    step: float
    keeps_energy: bool
    floats: bool


@dataclass(slots=True)
class Record:
    """What was seen of many cases."""

    cases: int = 0
    frames: int = 0
    not_converged: int = 0
    troubles: Counter[str] = field(default_factory=Counter)
    worst: dict[str, tuple[float, int]] = field(default_factory=dict)
    """Largest figure of each kind, and the number of the mechanism."""

    def note(self, what: str, value: float, number: int) -> None:
        """Keep a figure if it is the largest."""
        self.worst[what] = max(self.worst.get(what, (0.0, -1)), (value, number))


def case(kind: str, number: int) -> Case:
    """Return the random mechanism of a kind and a number."""
    step = 1.0 / float(np.random.default_rng(10000 + number).choice([24.0, 60.0, 120.0, 240.0]))
    if kind == "net":
        mechanism, options, floats = net(number)
        return Case(kind, mechanism, options, step, number % 2 == 0, floats and number % 2 == 0)
    if kind == "tangle":
        return Case(kind, tangle(number, wild=number % 2 == 0), Options(), step, False, False)
    if kind == "edge":
        mechanism, floats = edge(number)
        return Case(kind, mechanism, Options(), step, True, floats)
    if kind == "heap":
        mechanism, options = heap(number)
        return Case(kind, mechanism, options, step, True, False)
    mechanism, driven, floats = (alike if kind == "alike" else open_mechanism)(number)
    return Case(kind, mechanism, Options(), 1.0 / 60.0, not driven, floats)


def trouble(one: Case, record: Record, number: int) -> str:
    """Run a case and return what is wrong with it; "" where nothing is."""
    simulation = Simulation(one.mechanism, one.options)
    # Others are led, or hang from what stands still, and may be infinitely heavy.
    before = momenta(simulation) if one.floats else {}
    energies, over, missed = [simulation.energy()], 0.0, 0
    for frame in range(FRAMES[one.kind]):
        missed += not simulation.step(one.step).converged
        if not is_sound(simulation):
            return f"not finite in frame {frame + 1}"
        report = simulation.joint_report()
        over = max(over, report.overshoot.max(initial=0.0), report.separation.max(initial=0.0))
        energies.append(simulation.energy())
    record.frames += FRAMES[one.kind]
    record.not_converged += missed
    found = _judge(one, missed, over)
    if one.keeps_energy and not PUSHES_OUT.intersection(i.code for i in simulation.issues):
        gain = _gain([e.kinetic for e in energies], [e.potential for e in energies])
        record.note("energy gain", gain, number)
        found = found or (f"energy grows by {gain:.1e}" if gain > MOST_GAIN[one.kind] else "")
    if one.kind in OPEN:
        record.note("overshoot or separation", over, number)
    if one.floats:
        for what, drift in _drifts(before, momenta(simulation)).items():
            record.note(what, drift, number)
            found = found or (f"{what} changes by {drift:.1e}" if drift > MOST_DRIFT[what] else "")
    return found


def _judge(one: Case, missed: int, over: float) -> str:
    if one.kind not in OPEN:
        return ""
    if missed:
        return f"not converged by {missed} frames"
    return f"bounds are passed by {over:.1e}" if over > MOST_OVER else ""


def is_sound(simulation: Simulation) -> bool:
    """Return whether all that the outside sees is numbers."""
    report, energy = simulation.joint_report(), simulation.energy()
    parts = (
        *(simulation.positions, simulation.rotations),
        *(simulation.linear_velocities, simulation.angular_velocities),
        *(report.separation, report.misalignment, report.overshoot, report.force, report.torque),
        np.array([energy.kinetic, energy.potential]),
    )
    return all(bool(np.isfinite(part).all()) for part in parts)


def momenta(simulation: Simulation) -> dict[str, tuple[Array, float]]:
    """Return linear momentum and angular momentum about the origin, and how much bodies have."""
    linear, angular, sizes = np.zeros(3), np.zeros(3), np.zeros(2)
    parts = (
        *(simulation.positions, simulation.rotations),
        *(simulation.linear_velocities, simulation.angular_velocities),
    )
    for node, place, turn, velocity, spin in zip(simulation.body_nodes, *parts, strict=True):
        motion = simulation.mechanism.nodes[node].motion
        if motion is None or motion.type is not MotionType.DYNAMIC:
            continue
        arm = turned(turn, np.array(motion.center_of_mass))
        push = motion.mass * (velocity + np.cross(spin, arm))
        own, orbit = _own_spin(motion, turn, spin), np.cross(place + arm, push)
        linear, angular = linear + push, angular + own + orbit
        sizes += np.abs(push).sum(), np.abs(own).sum() + np.abs(orbit).sum()
    return {
        "linear momentum": (linear, float(sizes[0])),
        "angular momentum": (angular, float(sizes[1])),
    }


def _own_spin(motion: Motion, turn: Array, spin: Array) -> Array:
    """Return the angular momentum of a body about its centre, whose inertia is typed."""
    principal = product(turn, np.array(motion.inertia_orientation))
    back = principal * (-1.0, -1.0, -1.0, 1.0)
    return turned(principal, np.array(motion.inertia_diagonal) * turned(back, spin))


def _drifts(
    before: dict[str, tuple[Array, float]], after: dict[str, tuple[Array, float]]
) -> dict[str, float]:
    return {
        name: float(np.abs(after[name][0] - value).max() / max(size, 1e-6))
        for name, (value, size) in before.items()
    }


def _gain(kinetic: list[float], potential: list[float]) -> float:
    total = np.array(kinetic) + np.array(potential)
    span = max(float(np.ptp(potential)), *kinetic, LEAST_ENERGY)
    return float((total - total[0]).max() / span)


def run(kind: str, numbers: range, jobs: int = 1) -> Record:
    """Run all cases of a kind, and print those that are in trouble."""
    whole = Record()
    one = partial(run_one, kind)
    if jobs == 1:
        for number in numbers:
            _add(whole, one(number))
        return whole
    with Pool(jobs) as pool:
        for record in pool.imap(one, numbers, chunksize=8):
            _add(whole, record)
    return whole


def run_one(kind: str, number: int) -> Record:
    """Run a case, and print whether it is in trouble."""
    record = Record(cases=1)
    try:
        found = trouble(case(kind, number), record, number)
    except Exception:  # noqa: BLE001 - any exception at all is what is looked for
        found = "raises by " + traceback.format_exc().strip().splitlines()[-1]
    if found:
        record.troubles[found.split(" by ")[0]] += 1
        print(f"{kind} {number}: {found}", flush=True)
    return record


def _add(whole: Record, part: Record) -> None:
    whole.cases += part.cases
    whole.frames += part.frames
    whole.not_converged += part.not_converged
    whole.troubles += part.troubles
    for what, (value, number) in part.worst.items():
        whole.note(what, value, number)


def main(words: list[str]) -> int:
    """Run with the words of the command line; return 1 where anything fails."""
    parser = argparse.ArgumentParser(prog="benchmarks.solver.fuzz", description=__doc__)
    parser.add_argument("--kind", choices=KINDS, action="append", help="default: all")
    parser.add_argument("--count", type=int, default=1000, help="of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--sound-only", action="store_true", help="fail of no energy, only of NaN")
    arguments = parser.parse_args(words)
    failed = False
    for kind in arguments.kind or KINDS:
        numbers = range(arguments.seed, arguments.seed + arguments.count)
        record = run(kind, numbers, arguments.jobs)
        unsound = [one for one in record.troubles if one.startswith(UNSOUND)]
        failed |= bool(unsound if arguments.sound_only else record.troubles)
        print(
            f"{kind}: {record.cases} mechanisms, {sum(record.troubles.values())} in trouble "
            f"{dict(record.troubles)}; {record.not_converged} of {record.frames} frames not "
            "converged"
        )
        for what, (value, number) in record.worst.items():
            print(f"  largest {what}: {value:.1e} ({kind} {number})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
