# SPDX-License-Identifier: GPL-3.0-or-later
"""Random nets of bodies by number: trees with loops now and then, every other one tame."""

from __future__ import annotations

from math import inf

import numpy as np

from omi_physics_joint.model.body import Motion, MotionType
from omi_physics_joint.model.geometry.transform import Matrix, compose, multiply
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.solver import Options, SoftLocks


def net(number: int) -> tuple[Mechanism, Options, bool]:
    """Return the random net of a number, how to run it, and whether it floats.

    Every other one is tame: masses and stiffnesses are such that energy can be judged.
    """
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
    mechanism = Mechanism(tuple(nodes), tuple(settings))
    return mechanism, Options(gravity=gravity, soft_locks=locks), floating


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
