# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mechanisms by number: tangles that contradict themselves, and open ones that are sound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf, nan

import numpy as np

from omi_physics_joint.model.body import ZERO, Motion, MotionType, Quaternion, Vector3
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings import recipes

Random = np.random.Generator


class Builder:
    """Collects bodies and joints; poses are world poses, in glTF axes."""

    def __init__(self) -> None:
        self.nodes = [Node("ground", motion=Motion(MotionType.STATIC))]
        self.settings: list[JointSettings] = []

    def body(self, place: Vector3, turn: Quaternion, motion: Motion) -> int:
        """Add a body and return its node."""
        self.nodes.append(Node(f"body {len(self.nodes)}", None, compose(place, turn), motion))
        return len(self.nodes) - 1

    def joint(
        self,
        bodies: tuple[int, int],
        settings: JointSettings,
        frame: tuple[Vector3, Quaternion],
        connected: tuple[Vector3, Quaternion] | None = None,
    ) -> None:
        """Add a joint under the first of two bodies, with its frames in the world."""
        self.settings.append(settings)
        index = len(self.nodes)
        joint = JointNode(len(self.settings) - 1, index + 1)
        self.nodes.append(Node(f"joint {index}", bodies[0], compose(*frame), joint=joint))
        self.nodes.append(Node(f"end {index}", bodies[1], compose(*(connected or frame))))

    def mechanism(self) -> Mechanism:
        """Return what was collected."""
        return Mechanism(tuple(self.nodes), tuple(self.settings))


def tangle(seed: int, *, wild: bool) -> Mechanism:
    """Return up to five bodies and up to seven joints between any of them, at any places.

    Wild ones also have masses, stiffnesses and bounds that are nonsense or no numbers at all.
    """
    random = np.random.default_rng(seed)
    made = Builder()
    bodies = [0]
    for _ in range(random.integers(1, 6)):
        mass = float(10.0 ** random.uniform(-3, 3))
        if wild and random.random() < 0.1:
            mass = (0.0, inf, -1.0, 1e12, 1e-12)[random.integers(5)]
        inertia = mass * 0.05 * (1.0 + random.random(3)) if np.isfinite(mass) else np.zeros(3)
        if random.random() < 0.2:
            inertia = np.zeros(3)
        motion = Motion(
            MotionType.KINEMATIC if random.random() < 0.1 else MotionType.DYNAMIC,
            mass,
            center_of_mass=_vector(random, 0.1),
            inertia_diagonal=_three(np.maximum(inertia, 0.0)),
            linear_velocity=_vector(random),
            angular_velocity=_vector(random, 2.0),
        )
        bodies.append(made.body(_vector(random), _turn(random), motion))
    for _ in range(random.integers(1, 8)):
        a, b = (bodies[i] for i in random.integers(len(bodies), size=2))
        frame = _vector(random), _turn(random)
        other = None
        if random.random() < 0.3:
            other = _three(np.array(frame[0]) + 0.3 * random.normal(size=3)), _turn(random)
        made.joint((a, b), _tangled_settings(random, wild=wild), frame, other)
    return made.mechanism()


def _tangled_settings(random: Random, *, wild: bool) -> JointSettings:
    """Return limits and drives of any kind; wild ones contradict, explode and are not numbers."""
    axis = int(random.integers(3))
    settings = (
        recipes.pin(),
        recipes.hinge(axis, -random.random(), random.random()),
        recipes.slider(axis, -random.random(), random.random()),
        recipes.weld(),
        JointSettings(),
    )[random.integers(5)]
    limits = [_any_limit(random, wild=wild) for _ in range(random.integers(3))]
    drives = [_any_drive(random, wild=wild) for _ in range(random.integers(3))]
    return JointSettings(limits=(*settings.limits, *limits), drives=(*settings.drives, *drives))


def _any_limit(random: Random, *, wild: bool) -> Limit:
    low, high = (float(x) for x in sorted(random.normal(size=2)))
    axes = tuple(int(a) for a in range(3) if random.random() < 0.5) or (0,)
    limit = Limit(
        min=low,
        max=high if random.random() < 0.7 else low,
        stiffness=float(10.0 ** random.uniform(-3, 9)) if random.random() < 0.5 else inf,
        damping=float(10.0 ** random.uniform(-3, 5)),
    )
    linear = random.random() < 0.5
    limit = replace(limit, linear_axes=axes) if linear else replace(limit, angular_axes=axes)
    if wild and random.random() < 0.2:
        limit = replace(limit, min=high, max=low - 1.0)
    return limit


def _any_drive(random: Random, *, wild: bool) -> Drive:
    broken = wild and random.random() < 0.05
    return Drive(
        (Freedom.LINEAR, Freedom.ANGULAR)[random.integers(2)],
        (DriveMode.FORCE, DriveMode.ACCELERATION)[random.integers(2)],
        int(random.integers(3)),
        max_force=float(10.0 ** random.uniform(-1, 4)) if random.random() < 0.5 else inf,
        position_target=float(random.normal()) if random.random() < 0.6 else None,
        velocity_target=float(random.normal()) if random.random() < 0.6 else None,
        stiffness=float(10.0 ** random.uniform(-3, 9 if wild else 4)),
        damping=nan if broken else float(10.0 ** random.uniform(-3, 5 if wild else 3)),
    )


def open_mechanism(seed: int) -> tuple[Mechanism, bool, bool]:
    """Return a tree of up to six bodies that nothing contradicts; whether driven, and floating.

    Pins, hinges, sliders and balls with bounds, which the rest pose keeps; a third is driven.
    Three in ten hang from nothing and have no weight: their momentum must stay.
    """
    random = np.random.default_rng(seed)
    made = Builder()
    floats, driven = bool(random.random() < 0.3), bool(random.random() < 1.0 / 3.0)
    bodies = [] if floats else [0]
    for _ in range(random.integers(2, 7)):
        mass = float(10.0 ** random.uniform(-1, 1))
        motion = Motion(
            MotionType.DYNAMIC,
            mass,
            center_of_mass=_vector(random, 0.05),
            inertia_diagonal=_three(mass * random.uniform(0.03, 0.05, 3)),
            linear_velocity=_vector(random) if floats else ZERO,
            angular_velocity=_vector(random) if floats else ZERO,
            gravity_factor=0.0 if floats else 1.0,
        )
        bodies.append(made.body(_vector(random, 0.5), _turn(random), motion))
        if len(bodies) > 1:
            parent = bodies[random.integers(len(bodies) - 1)]
            settings = _open_settings(random, driven=driven)
            made.joint((bodies[-1], parent), settings, (_vector(random, 0.5), _turn(random)))
    return made.mechanism(), driven, floats


def alike(seed: int) -> tuple[Mechanism, bool, bool]:
    """Return an open mechanism three times, of which each has lost other bounds; as it.

    The three are built alike, so they move together, but what each has room for differs.
    """
    random = np.random.default_rng(seed)
    one, driven, floats = open_mechanism(seed)
    nodes, settings = [one.nodes[0]], list[JointSettings]()
    for _ in range(3):
        first, of_first = len(nodes) - 1, len(settings)
        for node in one.nodes[1:]:
            parent, joint = node.parent, node.joint
            if joint is not None:
                end = joint.connected_node and joint.connected_node + first
                joint = replace(joint, settings=joint.settings + of_first, connected_node=end)
            nodes.append(replace(node, parent=parent and parent + first, joint=joint))
        settings += [replace(s, limits=tuple(_lose(random, s.limits))) for s in one.settings]
    return replace(one, nodes=tuple(nodes), settings=tuple(settings)), driven, floats


def _lose(random: Random, limits: tuple[Limit, ...]) -> Iterator[Limit]:
    """Yield limits of which some with two bounds have lost one."""
    for limit in limits:
        lost = str(random.choice(["min", "max", "none"])) if limit.min < limit.max else "none"
        if lost == "none":
            yield limit
        else:
            yield replace(limit, **{lost: -inf if lost == "min" else inf})


def _open_settings(random: Random, *, driven: bool) -> JointSettings:
    """Return one of four kinds of joint; zero is within all bounds."""
    axis, kind = int(random.integers(3)), int(random.integers(4))
    low, high = -0.2 - random.random(), 0.2 + random.random()
    if kind == 0:
        settings = recipes.pin()
    elif kind == 1:
        settings = recipes.hinge(axis, low, high)
    elif kind == 2:
        settings = recipes.slider(axis, low, high)
    else:
        bounds = Limit(angular_axes=(0, 1, 2), min=low, max=high)
        settings = JointSettings(limits=(*recipes.pin().limits, bounds))
    if not driven:
        return settings
    linear = kind == 2
    drive = Drive(
        Freedom.LINEAR if linear else Freedom.ANGULAR,
        DriveMode.ACCELERATION if random.random() < 0.5 else DriveMode.FORCE,
        axis,
        max_force=float(10.0 ** random.uniform(0, 2)),
        position_target=float(random.uniform(low, high)),
        velocity_target=0.0,
        stiffness=float(10.0 ** random.uniform(0, 2)),
        damping=float(random.uniform(0.0, 2.0)),
    )
    return replace(settings, drives=(drive,))


def _three(values: np.ndarray) -> Vector3:
    return float(values[0]), float(values[1]), float(values[2])


def _vector(random: Random, size: float = 1.0) -> Vector3:
    return _three(random.normal(size=3) * size)


def _turn(random: Random) -> Quaternion:
    q = random.normal(size=4)
    q /= np.sqrt((q * q).sum()) or 1.0
    return float(q[0]), float(q[1]), float(q[2]), float(q[3])
