# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mechanisms by number that start where readings turn over: poles, dead centres, bounds.

Each is sound, nothing drives it and nothing in it is damped: its energy may not grow.
"""

from __future__ import annotations

from math import pi

import numpy as np

from omi_physics_joint.model.body import Motion, MotionType, Quaternion, Vector3
from omi_physics_joint.model.joint import JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes

from .random_mechanisms import Builder

Random = np.random.Generator
EDGES = (pi, -pi, pi / 2.0, -pi / 2.0)
NEAR = (0.0, 1e-12, 1e-9, 1e-6, 1e-3, 1e-2)
"""m or rad, either way, by which it is off the edge."""
ROD = 0.5
"""m."""


def edge(number: int) -> tuple[Mechanism, bool]:
    """Return the mechanism of a number, and whether it floats without weight."""
    random = np.random.default_rng(700_000 + number)
    kind = number % 3
    if kind == 0:
        floats = bool(random.random() < 0.5)
        return _turned(random, floats), floats
    return (_dead_centre(random) if kind == 1 else _at_bounds(random)), False


def _turned(random: Random, floats: bool) -> Mechanism:
    """Return up to three bodies in a row whose joints stand near a pole or half a turn."""
    made, before = Builder(), 0
    if floats:
        before = made.body((0.0, 0.0, 0.0), _none(), _motion(random, floats))
    for count in range(1, int(random.integers(2, 5))):
        body = made.body((ROD * count, 0.0, 0.0), _none(), _motion(random, floats))
        axis = int(random.integers(3))
        angle = EDGES[random.integers(4)] + _little(random)
        frame = _some_turn(random)
        connected = _product(frame, _about(axis, angle))
        place = (ROD * (count - 0.5), 0.0, 0.0)
        made.joint((before, body), _angles(random, axis, angle), (place, frame), (place, connected))
        before = body
    return made.mechanism()


def _angles(random: Random, axis: int, angle: float) -> JointSettings:
    """Return a pin, a universal joint or a hinge, with bounds near by or far away now and then."""
    kind = int(random.integers(3))
    locked = [(), ((axis + 1) % 3,), tuple(a for a in range(3) if a != axis)][kind]
    limits = [*recipes.pin().limits]
    if locked:
        limits.append(Limit(angular_axes=locked, min=0.0, max=0.0))
    if random.random() < 0.5:
        room = float(random.choice([0.0, 1e-6, 0.1, 1.0]))
        low, high = angle - room, angle + float(random.choice([0.0, 0.1, 1.0, 2.0]))
        if high > low:
            limits.append(Limit(angular_axes=(axis,), min=low, max=high))
    return JointSettings(limits=tuple(limits))


def _dead_centre(random: Random) -> Mechanism:
    """Return a four-bar or a slider-crank near where its links lie in line, with a push or none."""
    made, lean = Builder(), EDGES[random.integers(4)] + _little(random)
    spin = float(random.choice([0.0, 0.0, 1.0, 10.0])) * (1.0 if random.random() < 0.5 else -1.0)
    tip = ROD * np.array([np.cos(lean), np.sin(lean), 0.0])
    speed = spin * np.array([-tip[1], tip[0], 0.0])
    turn = _about(2, lean)
    slides = random.random() < 0.5
    crank = made.body(_three(tip / 2.0), turn, _spinning(0.5 * speed, turn, spin))
    made.joint((0, crank), recipes.hinge(2), ((0.0, 0.0, 0.0), _none()))
    if slides:
        length = 1.2
        reach = np.sqrt(length**2 - tip[1] ** 2)
        end = np.array([tip[0] + reach, 0.0, 0.0])
        lying = float(np.arctan2(-tip[1], reach))
        turning = -speed[1] / reach
        end_speed = speed + turning * np.array([tip[1], reach, 0.0])
        middle, turned = (speed + end_speed) / 2.0, _about(2, lying)
        rod = made.body(_three((tip + end) / 2.0), turned, _spinning(middle, turned, turning))
        block = made.body(_three(end), _none(), _spinning(end_speed, _none(), 0.0))
        made.joint((crank, rod), recipes.hinge(2), (_three(tip), _none()))
        made.joint((rod, block), recipes.hinge(2), (_three(end), _none()))
        made.joint((0, block), recipes.slider(0), (_three(end), _none()))
        return made.mechanism()
    across = np.array([1.0, 0.0, 0.0])
    rod = made.body(_three(tip + across / 2.0), _none(), _spinning(speed, _none(), 0.0))
    other = made.body(_three(across + tip / 2.0), turn, _spinning(0.5 * speed, turn, spin))
    made.joint((0, other), recipes.hinge(2), (_three(across), _none()))
    made.joint((crank, rod), recipes.hinge(2), (_three(tip), _none()))
    made.joint((other, rod), recipes.hinge(2), (_three(across + tip), _none()))
    return made.mechanism()


def _at_bounds(random: Random) -> Mechanism:
    """Return up to three bodies in a row whose joints start at or beside one of their bounds."""
    made, before = Builder(), 0
    for count in range(1, int(random.integers(2, 5))):
        body = made.body((ROD * count, 0.0, 0.0), _none(), _motion(random, False))
        axis, gap = int(random.integers(3)), abs(_little(random))
        room = float(random.choice([1e-3, 0.1, 1.0]))
        low, high = (-gap, room) if random.random() < 0.5 else (-room, gap)
        make = (recipes.hinge, recipes.slider)[random.integers(2)]
        settings = make(axis, low, high)
        if random.random() < 0.3:
            bounds = Limit(angular_axes=(0, 1, 2), min=low, max=high)
            settings = JointSettings(limits=(*recipes.pin().limits, bounds))
        place = (ROD * (count - 0.5), 0.0, 0.0)
        made.joint((before, body), settings, (place, _some_turn(random)))
        before = body
    return made.mechanism()


def _motion(random: Random, floats: bool) -> Motion:
    mass = float(10.0 ** random.uniform(-1.0, 1.0))
    fast = float(random.choice([0.0, 1.0, 10.0]))
    return Motion(
        MotionType.DYNAMIC,
        mass,
        inertia_diagonal=_three(mass * random.uniform(0.03, 0.05, 3)),
        angular_velocity=_three(fast * random.normal(size=3)),
        gravity_factor=0.0 if floats else 1.0,
    )


def _spinning(velocity: np.ndarray, turn: Quaternion, spin: float) -> Motion:
    """Return the motion of a rod in the XY plane; files tell velocities in the body's axes."""
    c, s = turn[3] ** 2 - turn[2] ** 2, 2.0 * turn[2] * turn[3]
    x, y, _ = velocity
    return Motion(
        MotionType.DYNAMIC,
        1.0,
        inertia_diagonal=(1e-3, 0.03, 0.03),
        linear_velocity=(float(c * x + s * y), float(c * y - s * x), 0.0),
        angular_velocity=(0.0, 0.0, spin),
    )


def _little(random: Random) -> float:
    return float(random.choice(NEAR) * random.choice([-1.0, 1.0]))


def _some_turn(random: Random) -> Quaternion:
    if random.random() < 0.3:
        return _none()
    x, y, z, w = random.normal(size=4)
    size = float(np.sqrt(x * x + y * y + z * z + w * w))
    return (float(x) / size, float(y) / size, float(z) / size, float(w) / size)


def _about(axis: int, angle: float) -> Quaternion:
    q = [0.0, 0.0, 0.0, float(np.cos(angle / 2.0))]
    q[axis] = float(np.sin(angle / 2.0))
    return (q[0], q[1], q[2], q[3])


def _product(p: Quaternion, q: Quaternion) -> Quaternion:
    a, b = np.array(p[:3]), np.array(q[:3])
    x, y, z = p[3] * b + q[3] * a + np.cross(a, b)
    return (float(x), float(y), float(z), float(p[3] * q[3] - a @ b))


def _none() -> Quaternion:
    return (0.0, 0.0, 0.0, 1.0)


def _three(v: np.ndarray) -> Vector3:
    return (float(v[0]), float(v[1]), float(v[2]))
