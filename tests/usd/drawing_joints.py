# SPDX-License-Identifier: GPL-3.0-or-later
"""Random joints of every kind that a stage has a word for, between bodies that are scaled too."""

from __future__ import annotations

from math import inf, pi
from random import Random

from omi_physics_joint.model.body import Collider, Motion, MotionType, Quaternion, Vector3
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import (
    AXES,
    Breaking,
    Drive,
    DriveMode,
    Freedom,
    JointNode,
    JointSettings,
    Limit,
    on_axes,
)
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box

SCALES = ((1.0, 1.0, 1.0), (2.0, 2.0, 2.0), (1.0, 2.0, 0.5), (-1.0, 1.0, 1.0), (1.0, -2.0, 0.5))
KINDS = ("weld", "hinge", "slider", "ball", "cone", "rope", "any", "any")


def vector(random: Random, size: float = 2.0) -> Vector3:
    """Return a random place."""
    return (random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size))


def rotation(random: Random) -> Quaternion:
    """Return a random rotation."""
    x, y, z, w = (random.gauss(0.0, 1.0) for _ in range(4))
    return (x, y, z, w or 1.0)


def spans(random: Random, freedom: Freedom) -> tuple[float, float]:
    """Return bounds: two, one, or one value."""
    most = 2.0 if freedom is Freedom.ANGULAR else 3.0
    low, high = sorted((random.uniform(-most, most), random.uniform(-most, most)))
    return random.choice(((low, high), (low, high), (low, inf), (-inf, high), (low, low)))


def limit(random: Random, freedom: Freedom, axis: int) -> Limit:
    """Return a limit on one axis, rigid or soft."""
    low, high = spans(random, freedom)
    soft = random.random() < 0.3
    stiffness = random.uniform(1.0, 100.0) if soft else inf
    damping = random.choice((0.0, random.uniform(0.1, 3.0)))
    bounds = Limit(min=low, max=high, stiffness=stiffness, damping=damping)
    return on_axes(bounds, freedom, (axis,))


def drive(random: Random, freedom: Freedom, axis: int) -> Drive:
    """Return a drive: a spring, a motor or both."""
    return Drive(
        freedom,
        random.choice(tuple(DriveMode)),
        axis,
        random.choice((inf, random.uniform(1.0, 50.0))),
        random.choice((None, random.uniform(-1.0, 1.0))),
        random.choice((None, random.uniform(-1.0, 1.0))),
        random.uniform(1.0, 20.0),
        random.uniform(0.1, 2.0),
    )


def settings(random: Random) -> JointSettings:
    """Return the settings of a joint of any kind."""
    kind, axis = random.choice(KINDS), random.choice(AXES)
    rest = tuple(a for a in AXES if a != axis)
    pinned = Limit(linear_axes=AXES, min=0.0, max=0.0)
    aligned = Limit(angular_axes=AXES, min=0.0, max=0.0)
    limits: list[Limit] = []
    drives: list[Drive] = []
    if kind == "weld":
        limits = [pinned, aligned]
    elif kind == "hinge":
        limits = [pinned, on_axes(aligned, Freedom.ANGULAR, rest)]
        limits += [limit(random, Freedom.ANGULAR, axis)] * random.choice((0, 1))
        drives = [drive(random, Freedom.ANGULAR, axis)] * random.choice((0, 1))
    elif kind == "slider":
        limits = [on_axes(pinned, Freedom.LINEAR, rest), aligned]
        limits += [limit(random, Freedom.LINEAR, axis)] * random.choice((0, 1))
        drives = [drive(random, Freedom.LINEAR, axis)] * random.choice((0, 1))
    elif kind == "ball":
        limits = [pinned]
    elif kind == "cone":
        cone = Limit(max=random.uniform(0.1, pi - 0.1), together=True)
        limits = [pinned, on_axes(cone, Freedom.ANGULAR, rest)]
    elif kind == "rope":
        low = random.choice((-inf, random.uniform(0.1, 1.0)))
        limits = [Limit(AXES, min=low, max=random.uniform(1.0, 3.0), together=True)]
    else:
        for freedom in Freedom:
            for one in AXES:
                what = random.choice(("free", "fixed", "fixed", "bounded"))
                if what == "fixed":
                    limits.append(on_axes(Limit(min=0.0, max=0.0), freedom, (one,)))
                elif what == "bounded":
                    limits.append(limit(random, freedom, one))
                if random.random() < 0.2:
                    drives.append(drive(random, freedom, one))
    return JointSettings(kind, tuple(limits), tuple(drives))


def mechanism(seed: int, count: int) -> Mechanism:
    """Return many joints side by side, each between two bodies of its own."""
    random = Random(seed)
    nodes: list[Node] = []
    found: list[JointSettings] = []
    for number in range(count):
        kinds = random.choice(
            (
                (MotionType.DYNAMIC, MotionType.DYNAMIC),
                (MotionType.DYNAMIC, MotionType.STATIC),
                (MotionType.STATIC, MotionType.DYNAMIC),
                (MotionType.DYNAMIC, MotionType.KINEMATIC),
                (MotionType.DYNAMIC, None),
            )
        )
        bodies = []
        for kind in kinds:
            world = compose(vector(random), rotation(random), random.choice(SCALES))
            motion = None if kind is None else Motion(kind, random.uniform(0.5, 3.0))
            bodies.append(len(nodes))
            nodes.append(Node(f"{number} body", None, world, motion, Collider(0)))
        frame = compose(vector(random), rotation(random))
        other = random.choice((frame, compose(vector(random), rotation(random))))
        connected = len(nodes)
        nodes.append(Node(f"{number} end", bodies[1], other))
        breaking = random.choice((None, Breaking(random.uniform(1.0, 9.0))))
        joint = JointNode(
            len(found),
            connected,
            random.random() < 0.5,
            breaking=breaking,
            enabled=random.random() < 0.8,
        )
        nodes.append(Node(f"{number} joint", bodies[0], frame, joint=joint))
        found.append(settings(random))
    return Mechanism(tuple(nodes), tuple(found), (Box(),))


def pose(random: Random, given: JointSettings) -> tuple[Vector3, Vector3]:
    """Return a place and three angles, each well within, well outside or on what limits say."""
    values = []
    for freedom in Freedom:
        most = 2.5 if freedom is Freedom.ANGULAR else 4.0
        for axis in AXES:
            bounds = [one for one in given.limits if axis in one.axes(freedom)]
            held = [one.min for one in bounds if one.min == one.max]
            if held and random.random() < 0.9:
                values.append(held[0])
            elif bounds and not bounds[0].together and random.random() < 0.8:
                low, high = max(bounds[0].min, -most), min(bounds[0].max, most)
                values.append(random.uniform(low, high) if low < high else low)
            else:
                values.append(random.uniform(-most, most))
    return (values[0], values[1], values[2]), (values[3], values[4], values[5])
