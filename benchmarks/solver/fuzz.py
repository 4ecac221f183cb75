# SPDX-License-Identifier: GPL-3.0-or-later
"""Thousands of random mechanisms, many of them nonsense: nothing may raise, nothing may be NaN.

    python -m benchmarks.solver.fuzz [--count 1000] [--seed 0]

Where nothing drives and nothing is odd, energy must not grow, and where nothing holds the bodies
their momentum must stay. What fails is printed with its number, which makes it again.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from dataclasses import dataclass
from math import inf

import numpy as np

from omi_physics_joint.model.body import Motion, MotionType
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.transform import Matrix, compose, multiply
from omi_physics_joint.solver import Options, Simulation, SoftLocks

FRAMES = 8
MOST_GAIN = 1e-2
"""Of the energy that was exchanged."""
MOST_DRIFT = 1e-6
"""Of the momentum, as a part of mass times the largest speed."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One random mechanism and how to run it."""

    mechanism: Mechanism
    options: Options
    step: float
    is_tame: bool
    """Whether masses and stiffnesses are such that energy can be judged."""


def sample(number: int) -> Sample:
    """Return the random mechanism of a number; every other one is tame."""
    g = np.random.default_rng(number)
    tame = number % 2 == 0
    count = int(g.integers(2, 9))
    floating = bool(g.random() < 0.3)
    nodes = [_body(g, i, tame, floating) for i in range(count)]
    settings: list[JointSettings] = []
    # Two joints more than a tree now and then: loops, and several joints between two bodies.
    for child in [*range(1, count), *g.integers(1, count, int(g.integers(0, 3)))]:
        parent = int(g.integers(0, child))
        frame = _pose(g, 0.3)
        frame = multiply(nodes[child].world, frame)
        other = frame if tame or g.random() < 0.7 else multiply(frame, _pose(g, 0.2))
        settings.append(_settings(g, tame))
        nodes.append(Node(f"socket {len(nodes)}", parent, other))
        joint = JointNode(len(settings) - 1, len(nodes) - 1)
        nodes.append(Node(f"joint {len(nodes)}", int(child), frame, joint=joint))
    gravity = (0.0, 0.0, 0.0) if floating else (0.0, -9.81, 0.0)
    locks = SoftLocks.RIGID if g.random() < 0.3 else SoftLocks.LITERAL
    step = 1.0 / float(g.choice([24.0, 60.0, 120.0, 240.0]))
    return Sample(
        Mechanism(tuple(nodes), tuple(settings)), Options(gravity=gravity, soft_locks=locks),
        step, tame,
    )  # fmt: skip


def trouble(case: Sample) -> str:
    """Run a sample and return what is wrong with it; "" where nothing is."""
    simulation = Simulation(case.mechanism, case.options)
    before = _momentum(case, simulation)
    energies = [simulation.energy()]
    for frame in range(FRAMES):
        simulation.step(case.step)
        report = simulation.joint_report()
        parts = (
            *(simulation.positions, simulation.rotations),
            *(simulation.linear_velocities, simulation.angular_velocities),
            *(report.separation, report.overshoot, report.force, report.torque),
        )
        if not all(np.isfinite(part).all() for part in parts):
            return f"not finite in frame {frame + 1}"
        energies.append(simulation.energy())
    if not all(np.isfinite([e.kinetic, e.potential]).all() for e in energies):
        return "energy not finite"
    if not case.is_tame:
        return ""
    potential = np.array([e.potential for e in energies])
    total = np.array([e.kinetic + e.potential for e in energies])
    span = max(np.ptp(potential), *(e.kinetic for e in energies), 1e-6)
    gain = float((total - total[0]).max() / span)
    if gain > MOST_GAIN:
        return f"energy grows by {gain:.1e}"
    return _drift(case, simulation, before)


def _drift(case: Sample, simulation: Simulation, before: np.ndarray) -> str:
    held = any(
        node.motion is not None and node.motion.type is not MotionType.DYNAMIC
        for node in case.mechanism.nodes
    )
    if held or any(case.options.gravity):
        return ""
    after = _momentum(case, simulation)
    masses = _masses(case, simulation)
    speed = np.abs(simulation.linear_velocities).max(initial=1e-3)
    drift = float(np.abs(after - before).max() / (masses.sum() * speed))
    return f"momentum changes by {drift:.1e}" if drift > MOST_DRIFT else ""


def _masses(case: Sample, simulation: Simulation) -> np.ndarray:
    motions = [case.mechanism.nodes[node].motion for node in simulation.body_nodes]
    return np.array([motion.mass if motion else 0.0 for motion in motions])


def _momentum(case: Sample, simulation: Simulation) -> np.ndarray:
    """Return the momentum of all bodies; centres of tame ones are their origins."""
    masses = _masses(case, simulation)
    masses = np.where(np.isfinite(masses), masses, 0.0)
    momentum: np.ndarray = masses @ np.asarray(simulation.linear_velocities)
    return momentum


def _pose(g: np.random.Generator, size: float) -> Matrix:
    x, y, z, w = g.normal(size=4)
    place = g.normal(size=3) * size
    return compose((float(place[0]), float(place[1]), float(place[2])), (x, y, z, w))


def _body(g: np.random.Generator, index: int, tame: bool, floating: bool) -> Node:
    kinds = [MotionType.DYNAMIC] if floating or index else [MotionType.STATIC]
    if not tame and not floating:
        kinds = [MotionType.DYNAMIC] * 6 + [MotionType.STATIC, MotionType.KINEMATIC]
    kind = kinds[int(g.integers(len(kinds)))]
    mass = float(10.0 ** g.uniform(-1.0, 1.0))
    inertia = tuple(float(mass * x) for x in g.uniform(0.03, 0.05, 3))
    if not tame:
        mass = float(g.choice([mass, 0.0, -1.0, 1e-9, 1e3, 1e9, inf]))
        if g.random() < 0.3:
            inertia = tuple(float(x) for x in g.choice([0.0, 1e-12, 1.0, 1e9], 3))
    centre = (0.0, 0.0, 0.0) if tame else tuple(float(x) for x in g.normal(size=3) * 0.2)
    speed = tuple(float(x) for x in g.normal(size=3))
    spin = tuple(float(x) for x in g.normal(size=3) * (1.0 if tame else 10.0))
    motion = Motion(
        kind,
        mass,
        center_of_mass=centre,  # type: ignore[arg-type]
        inertia_diagonal=inertia,  # type: ignore[arg-type]
        linear_velocity=speed,  # type: ignore[arg-type]
        angular_velocity=spin,  # type: ignore[arg-type]
        gravity_factor=1.0 if tame else float(g.choice([1.0, 0.0, -1.0])),
    )
    return Node(f"body {index}", world=_pose(g, 0.5), motion=motion)


def _settings(g: np.random.Generator, tame: bool) -> JointSettings:
    limits = [_limit(g, tame) for _ in range(int(g.integers(1, 5)))]
    drives = [] if tame else [_drive(g) for _ in range(int(g.integers(0, 3)))]
    return JointSettings("", tuple(limits), tuple(drives))


def _limit(g: np.random.Generator, tame: bool) -> Limit:
    axes = tuple(int(axis) for axis in np.flatnonzero(g.random(3) < 0.6))
    low, high = (0.0, 0.0) if g.random() < 0.6 else sorted(g.uniform(-1.0, 1.0, 2))
    if tame:
        low, high = min(low, 0.0), max(high, 0.0)
    if g.random() < 0.2:
        high = inf
    stiffness = inf if g.random() < 0.7 else float(10.0 ** g.uniform(0.0, 3.0))
    if not tame and g.random() < 0.3:
        stiffness = float(g.choice([0.0, 1e-3, 1e6, 1e9]))
    damping = float(g.choice([0.0, 1.0])) if tame else float(g.choice([0.0, 1.0, 1e6]))
    linear = bool(g.random() < 0.5)
    return Limit(
        axes if linear else (), () if linear else axes, float(low), float(high), stiffness, damping
    )


def _drive(g: np.random.Generator) -> Drive:
    return Drive(
        Freedom.LINEAR if g.random() < 0.5 else Freedom.ANGULAR,
        DriveMode.FORCE if g.random() < 0.5 else DriveMode.ACCELERATION,
        int(g.integers(3)),
        float(g.choice([inf, 0.0, 1.0, 1e6])),
        float(g.normal()) if g.random() < 0.7 else None,
        float(g.normal()) if g.random() < 0.7 else None,
        float(g.choice([0.0, 1e-3, 100.0, 1e6, 1e9])),
        float(g.choice([0.0, 1.0, 1e4])),
    )


def main(words: list[str]) -> int:
    """Run with the words of the command line; return 1 where anything fails."""
    parser = argparse.ArgumentParser(prog="benchmarks.solver.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(words)
    kinds: Counter[str] = Counter()
    for number in range(arguments.seed, arguments.seed + arguments.count):
        try:
            found = trouble(sample(number))
        except Exception:  # noqa: BLE001 - any exception at all is what is looked for
            found = traceback.format_exc().strip().splitlines()[-1]
        if found:
            kinds[found.split(" by ")[0]] += 1
            print(f"{number}: {found}", flush=True)
    print(f"{arguments.count} mechanisms, {sum(kinds.values())} in trouble: {dict(kinds)}")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
