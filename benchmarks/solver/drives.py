# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives and soft limits with one coordinate each, beside their closed-form solutions.

Every case is a slider along X or a hinge about Z whose joint node lies on the first body and whose
connected node lies on the second, so that the coordinate is the second body's motion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from scipy.integrate import solve_ivp

from omi_physics_joint.model.body import Motion, MotionType, Vector3
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings import recipes

from .scene import Array

FPS = 60
SECONDS = 2.0
PULL = 9.81
INERTIA = (0.3, 0.4, 0.5)
TIMES = np.arange(round(FPS * SECONDS) + 1) / FPS
Path = Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class Case:
    """A mechanism with one coordinate whose motion is known."""

    name: str
    mechanism: Mechanism
    truth: Path
    """Coordinate in m or rad at times in s."""
    amplitude: float
    gravity: Vector3 = (0.0, 0.0, 0.0)
    omega: float = 0.0
    """Undamped angular frequency, rad/s."""
    freedom: Freedom = Freedom.LINEAR

    @property
    def is_stiff(self) -> bool:
        """Whether frames are too coarse to see the motion: only rest counts then."""
        return self.omega / FPS > 0.25


def cases() -> Iterator[Case]:
    """Yield all cases."""
    yield from _springs()
    yield from _soft_limits()
    yield from _limited_forces()
    yield from _acceleration_mode()
    yield from _stiff()


def _springs() -> Iterator[Case]:
    for name, k, c in (
        ("spring, omega h 0.25", 225.0, 0.0),
        ("damped spring", 100.0, 4.0),
        ("overdamped spring", 50.0, 20.0),
    ):
        yield Case(name, _slider(_drive(k, c)), spring(k, c, 0.1), 0.1, omega=sqrt(k))
    inertia = INERTIA[2]
    drive = _drive(100.0 * inertia, 2.0 * inertia, 1.0, freedom=Freedom.ANGULAR)
    yield _turning("damped spring on a hinge, 1 rad", _hinge(drive))


def _soft_limits() -> Iterator[Case]:
    for name, k, c in (("soft limit", 100.0, 0.0), ("damped soft limit", 100.0, 20.0)):
        limit = Limit(linear_axes=(0,), max=0.0, stiffness=k, damping=c)
        sag = PULL / k
        mechanism = _slider(limits=(limit,))
        yield Case(name, mechanism, spring(k, c, sag), sag, (PULL, 0.0, 0.0), sqrt(k))


def _limited_forces() -> Iterator[Case]:
    motor = Drive(
        *(Freedom.LINEAR, DriveMode.FORCE, 0), max_force=5.0, velocity_target=2.0, damping=10.0
    )
    yield Case("motor of 5 N towards 2 m/s", _slider(motor), _motor, float(_motor(TIMES[-1:])[0]))
    k, force = 100.0, 10.0
    drive = _drive(k, 4.0, 1.0, max_force=force)

    def rate(_: float, y: Array) -> Array:
        return np.array([y[1], np.clip(k * (1.0 - y[0]) - 4.0 * y[1], -force, force)])

    def path(times: Array) -> Array:
        found = solve_ivp(
            rate, (0.0, times[-1]), [0.0, 0.0], "DOP853", times,
            rtol=1e-12, atol=1e-13, max_step=2e-3,
        )  # fmt: skip
        return np.asarray(found.y[0])

    yield Case("position drive of 10 N", _slider(drive), path, 1.0, omega=sqrt(k))


def _motor(times: Array) -> Array:
    """Return the way of 1 kg under min(5 N, 10 N s/m (2 m/s - v))."""
    rate, force, target = 10.0, 5.0, 2.0
    full = target - force / rate
    switch = full / force
    later = np.maximum(times - switch, 0.0)
    eased = target * later - (target - full) / rate * (1.0 - np.exp(-rate * later))
    early = np.minimum(times, switch)
    return force * early**2 / 2.0 + eased


def _acceleration_mode() -> Iterator[Case]:
    drive = _drive(100.0, 2.0, mode=DriveMode.ACCELERATION)
    two = _slider(drive, masses=(1.0, 5.0))
    yield Case("acceleration mode, 1 kg and 5 kg", two, spring(100.0, 2.0, 0.1), 0.1, omega=10.0)
    turning = _drive(100.0, 2.0, 1.0, DriveMode.ACCELERATION, Freedom.ANGULAR)
    yield _turning("acceleration mode, door", _hinge(turning, arm=0.45))


def _stiff() -> Iterator[Case]:
    for k in (1e4, 1e6, 1e9):
        for name, c in (("critically damped", 2.0 * sqrt(k)), ("undamped", 0.0)):
            sag = PULL / k
            yield Case(
                f"{name} spring of {k:.0e} N/m, rest",
                _slider(_drive(k, c)),
                lambda times, rest=0.1 + sag: np.full(len(times), rest),  # type: ignore[misc]
                0.1,
                (PULL, 0.0, 0.0),
                sqrt(k),
            )


def spring(k: float, c: float, target: float) -> Path:
    """Return the motion of a unit mass from 0, at rest, towards a target."""
    decay = c / 2.0
    swing = complex(k - decay**2) ** 0.5

    def path(times: Array) -> Array:
        if swing == 0.0:
            return target * (1.0 - np.exp(-decay * times) * (1.0 + decay * times))
        waves = np.cos(swing * times) + decay / swing * np.sin(swing * times)
        return target * (1.0 - np.real(np.exp(-decay * times) * waves))

    return path


def _drive(
    k: float,
    c: float,
    target: float = 0.1,
    mode: DriveMode = DriveMode.FORCE,
    freedom: Freedom = Freedom.LINEAR,
    max_force: float = inf,
) -> Drive:
    axis = 0 if freedom is Freedom.LINEAR else 2
    return Drive(freedom, mode, axis, max_force, target, 0.0, k, c)


def _slider(
    *drives: Drive, limits: tuple[Limit, ...] = (), masses: tuple[float, float] = (0.0, 1.0)
) -> Mechanism:
    slider = recipes.slider(0)
    settings = JointSettings("Slider", slider.limits + limits, drives)
    return _two_bodies(settings, masses, 0.0)


def _hinge(drive: Drive, arm: float = 0.0) -> Mechanism:
    settings = JointSettings("Hinge", recipes.hinge(2).limits, (drive,))
    return _two_bodies(settings, (0.0, 1.0), arm)


def _two_bodies(settings: JointSettings, masses: tuple[float, float], arm: float) -> Mechanism:
    """Return two bodies joined at the origin; a mass of zero stands for a static one."""
    first, second = (
        Motion(MotionType.DYNAMIC, mass, inertia_diagonal=INERTIA)
        if mass
        else Motion(MotionType.STATIC)
        for mass in masses
    )
    nodes = (
        Node("first", motion=first),
        Node("second", world=compose((arm, 0.0, 0.0)), motion=second),
        Node("connected", 1),
        Node("joint", 0, joint=JointNode(0, 2)),
    )
    return Mechanism(nodes, (settings,))


def _turning(name: str, mechanism: Mechanism) -> Case:
    """Return a case of a hinge whose spring is 100 of its inertia."""
    truth = spring(100.0, 2.0, 1.0)
    return Case(name, mechanism, truth, 1.0, omega=10.0, freedom=Freedom.ANGULAR)
