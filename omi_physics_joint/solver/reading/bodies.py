# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies as arrays: where their mass is, in the frames in which their inertia is diagonal.

The frame of a body, here and in all that follows, has its origin at the centre of mass and its
axes along the principal axes of inertia. ``node`` poses are what the outside sees.

Of bodies that forces do not move, the frame is that of their node: its origin goes straight on, and
the body turns about it, while neither velocity changes. They are where they are at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite

import numpy as np

from ...model.body import Motion, MotionType
from ...model.geometry.frames import is_sound, rigid_frame
from ...model.geometry.transform import IDENTITY
from ...model.issue import Issue, Severity
from ...model.mechanics.inertias import filled_inertia
from ...model.mechanism import Mechanism
from ...weighing.inertia import parts_of_bodies, sphere_inertia, with_centres
from ..kinematics.rotation import Array, Index, Mask, cross, exponential, matrix_of, rotation_vector

THINNEST = 1e-9
"""Smallest principal inertia that is kept, as a part of the largest."""
SHORTEST = 1e-12
"""Square of the length of a quaternion that still points somewhere."""
LIGHTEST = 1e-30
"""kg; below it a mass is no mass. Any number does that nothing weighs."""
HEAVIEST = 1e200
"""kg; above it masses are not added up. Any number does beyond masses, with finite sums."""
ENDLESS = 1e9
"""What is infinite, as a multiple of all that moves: a micrometre in ten seconds. Ten times
as much does as well."""


@dataclass(slots=True)
class Bodies:
    """All bodies of a mechanism.

    Attributes:
        nodes: (n,) index of the node of each body; -1 is the world that joints may hang from.
        dynamic: (n,) whether forces move it.
        kinematic: (n,) whether it moves by itself.
        mass: (n,) kg.
        inertia: (n, 3) kg m^2 about the principal axes.
        gravity_factor: (n,).
        centre: (n, 3) centre of mass in the node's rigid frame, m.
        principal: (n, 3, 3) node from body axes.
        position: (n, 3) world position of the centre of mass.
        rotation: (n, 3, 3) world from body axes.
        velocity: (n, 3) of the centre of mass, world, m/s.
        spin: (n, 3) angular velocity in body axes, rad/s.
    """

    nodes: Index
    dynamic: Mask
    kinematic: Mask
    mass: Array
    inertia: Array
    gravity_factor: Array
    centre: Array
    principal: Array
    position: Array
    rotation: Array
    velocity: Array
    spin: Array


def read_bodies(mechanism: Mechanism) -> tuple[Bodies, tuple[Issue, ...]]:
    """Return the bodies in node order, the world last, and what is wrong with them."""
    issues: list[Issue] = []
    mechanism = with_centres(mechanism)
    parts = parts_of_bodies(mechanism)
    moving = _moving_mass(mechanism)
    bodies = [
        _body(mechanism, index, node.motion, parts.get(index, []), moving, issues)
        for index, node in enumerate(mechanism.nodes)
        if node.motion is not None
    ]
    zero, one = np.zeros(3), np.eye(3)
    world = (-1, False, False, 1.0, np.ones(3), 0.0, zero, one, zero, one, zero, zero)
    columns = map(np.array, zip(*bodies, world, strict=True))
    return Bodies(*columns), tuple(issues)


def _moving_mass(mechanism: Mechanism) -> float:
    """Return the mass in kg of all that moves and is not infinite; 1 where there is none."""
    motions = [node.motion for node in mechanism.nodes if node.motion is not None]
    masses = [one.mass for one in motions if one.is_movable and LIGHTEST < one.mass < HEAVIEST]
    return sum(masses) or 1.0


def _body(
    mechanism: Mechanism,
    index: int,
    motion: Motion,
    parts: list[int],
    moving: float,
    issues: list[Issue],
) -> tuple[object, ...]:
    """Return one body, its fields in the order of ``Bodies``.

    It is made of the nodes ``parts``; all that moves has the mass ``moving`` in kg. What is wrong
    with it becomes an issue.
    """
    node = mechanism.nodes[index]

    def tell(code: str, message: str, fix: str) -> None:
        issues.append(Issue(Severity.WARNING, code, node.name, message, fix, index))

    world = node.world
    if not is_sound(world):
        tell("flat-body", "The pose of the body is not valid.", "Give it a scale other than zero.")
        world = IDENTITY
    frame = np.array(rigid_frame(world))
    turn, origin = frame[:3, :3], frame[:3, 3]
    kind, mass = motion.type, motion.mass
    gravity_factor = motion.gravity_factor if isfinite(motion.gravity_factor) else 1.0
    if kind is MotionType.DYNAMIC and mass == inf:
        kind = MotionType.DYNAMIC if motion.is_movable else MotionType.KINEMATIC
        mass, gravity_factor = ENDLESS * moving, 0.0
    elif not (isfinite(mass) and mass > LIGHTEST):
        if kind is MotionType.DYNAMIC:
            tell("mass-not-positive", f"A mass of {mass:g} kg cannot move.", "Counted as 1 kg.")
        mass = 1.0
    centre = _finite(np.array(motion.center))
    about = replace(motion, type=kind, mass=moving if motion.mass == inf else mass)
    inertia, principal = _principal(mechanism, parts, about, turn, origin + turn @ centre)
    spin_world = turn @ _finite(np.array(motion.angular_velocity))
    velocity = turn @ _finite(np.array(motion.linear_velocity)) + cross(spin_world, turn @ centre)
    if kind is MotionType.STATIC:
        velocity, spin_world = np.zeros(3), np.zeros(3)
    rotation = turn @ principal
    return (
        index,
        kind is MotionType.DYNAMIC,
        kind is MotionType.KINEMATIC,
        mass,
        inertia,
        gravity_factor,
        centre,
        principal,
        origin + turn @ centre,
        rotation,
        velocity,
        rotation.T @ spin_world,
    )


def _finite(values: Array) -> Array:
    return np.where(np.isfinite(values), values, 0.0)


def _principal(
    mechanism: Mechanism, parts: list[int], motion: Motion, turn: Array, centre: Array
) -> tuple[Array, Array]:
    """Return principal inertia (3,) and the axes it is about, node from principal (3, 3)."""
    diagonal = np.array(motion.inertia_diagonal, dtype=np.float64)
    if (diagonal > 0.0).any() and (diagonal >= 0.0).all() and np.isfinite(diagonal).all():
        return np.maximum(diagonal, THINNEST * diagonal.max()), _orientation(motion)
    if motion.type is not MotionType.DYNAMIC:
        return np.ones(3), np.eye(3)
    x, y, z = centre.tolist()
    found = filled_inertia(mechanism, parts, motion.mass, (x, y, z))
    inertia = None if found is None else np.array(found)
    if (diagonal == inf).any() and (diagonal >= 0.0).all():
        return _partly_infinite(motion, diagonal, inertia, turn)
    if inertia is None or not np.isfinite(inertia).all():
        return sphere_inertia(motion.mass), np.eye(3)
    local = turn.T @ inertia @ turn
    if np.abs(local - np.diag(np.diag(local))).max() < 1e-12 * np.abs(local).max():
        diagonal, principal = np.diag(local), np.eye(3)
    else:
        diagonal, principal = np.linalg.eigh(local)
        principal = principal * np.sign(np.linalg.det(principal))
    return np.maximum(diagonal, THINNEST * diagonal.max()), principal


def _orientation(motion: Motion) -> Array:
    """Return the axes that a body says its inertia is about, node from principal (3, 3)."""
    q = np.array([motion.inertia_orientation], dtype=np.float64)
    sound = np.isfinite(q).all() and np.dot(q[0], q[0]) > SHORTEST
    return matrix_of(q)[0] if sound else np.eye(3)


def _partly_infinite(
    motion: Motion, diagonal: Array, found: Array | None, turn: Array
) -> tuple[Array, Array]:
    """Return what ``_principal`` does where some of three moments are infinite."""
    principal = _orientation(motion)
    axes = turn @ principal
    own = sphere_inertia(motion.mass) if found is None else np.diag(axes.T @ found @ axes)
    known = np.where(diagonal > 0.0, diagonal, own)
    largest = max(own.max(), known[known < inf].max(initial=0.0))
    known = np.maximum(known, THINNEST * largest)
    return np.where(known == inf, ENDLESS * largest, known), principal


SAME = 1e-6
"""Part of a step: frames of an animation that are nearer to its ends divide it no more. Times in s
have 1e-10 of a step by rounding after hours, and a thousandth of one would not be seen."""


@dataclass(frozen=True, slots=True)
class KinematicMotion:
    """Where the node of a kinematic body is, frame by frame; it rests before and after.

    Attributes:
        times: (k,) rising, s.
        translations: (k, 3) world positions of the node's origin, m.
        rotations: (k, 4) world rotations, x y z w.
    """

    times: Array
    translations: Array
    rotations: Array

    def at(self, time: float) -> tuple[Array, Array, Array, Array]:
        """Return position (3,), rotation (3, 3), velocity and angular velocity (3,), world axes."""
        times = self.times
        number = int(np.searchsorted(times, time, side="right")) - 1
        if number < 0 or number + 1 >= len(times):
            (place,), (turn,) = self._poses(min(max(number, 0), len(times) - 1), 1)
            return place, turn, np.zeros(3), np.zeros(3)
        places, turns = self._poses(number, 2)
        span = times[number + 1] - times[number]
        part = (time - times[number]) / span
        velocity = (places[1] - places[0]) / span
        step = rotation_vector((turns[1] @ turns[0].T)[None])
        turn = exponential(part * step)[0] @ turns[0]
        return places[0] + part * span * velocity, turn, velocity, step[0] / span

    def _poses(self, first: int, count: int) -> tuple[Array, Array]:
        own = slice(first, first + count)
        return self.translations[own], matrix_of(self.rotations[own])


@dataclass(slots=True)
class Mover:
    """A body that moves by itself: by a motion, or always on."""

    motion: KinematicMotion | None
    origin: Array
    rotation: Array
    velocity: Array
    spin: Array

    def at(self, time: float) -> tuple[Array, Array, Array, Array]:
        """Return origin, rotation, velocity of the origin and angular velocity, world axes."""
        if self.motion is not None:
            return self.motion.at(time)
        turn = exponential((self.spin * time)[None])[0]
        return self.origin + self.velocity * time, turn @ self.rotation, self.velocity, self.spin


class KinematicBodies:
    """The kinematic bodies among all bodies."""

    def __init__(self, bodies: Bodies, motions: Mapping[int, KinematicMotion]) -> None:
        """Take over those that move; motions by node."""
        self.bodies = bodies
        self.turns = bodies.rotation @ bodies.principal.transpose(0, 2, 1)
        """(bodies, 3, 3) world from node, at rest."""
        self.origins = bodies.position - (self.turns @ bodies.centre[:, :, None])[:, :, 0]
        """(bodies, 3) of the nodes, at rest."""
        self.movers: dict[int, Mover] = {}
        for body in np.flatnonzero(bodies.kinematic).tolist():
            spin = bodies.rotation[body] @ bodies.spin[body]
            arm = bodies.position[body] - self.origins[body]
            velocity = bodies.velocity[body] - cross(spin, arm)
            motion = motions.get(int(bodies.nodes[body]))
            if motion is not None or spin.any() or velocity.any():
                origin, turn = self.origins[body], self.turns[body]
                self.movers[body] = Mover(motion, origin, turn, velocity, spin)

    def place(self, time: float, position: Array, rotation: Array) -> None:
        """Write where moved bodies have their mass, and its axes, into arrays of all bodies."""
        for body, mover in self.movers.items():
            origin, turn, _, _ = mover.at(time)
            position[body] = origin + turn @ self.bodies.centre[body]
            rotation[body] = turn @ self.bodies.principal[body]

    def frames(self, time: float, position: Array, rotation: Array) -> tuple[Array, Array]:
        """Return the frames of all bodies, those that no force moves in the frames of their nodes.

        Args:
            time: s.
            position: (bodies, 3) of those that forces move.
            rotation: (bodies, 3, 3) of the same.
        """
        own = self.bodies.dynamic
        position = np.where(own[:, None], position, self.origins)
        rotation = np.where(own[:, None, None], rotation, self.turns)
        for body, mover in self.movers.items():
            position[body], rotation[body] = mover.at(time)[:2]
        return position, rotation

    def parts(self, bodies: Iterable[int], time: float, dt: float) -> Iterator[tuple[float, float]]:
        """Yield start and length of the parts of a step in which no velocity of bodies changes."""
        cuts: set[float] = set()
        for body in bodies:
            motion = self.movers[body].motion
            if motion is not None:
                first, last = np.searchsorted(
                    motion.times, [time + SAME * dt, time + dt - SAME * dt]
                )
                cuts.update(motion.times[first:last].tolist())
        start = time
        for end in (*sorted(cuts), time + dt):
            if end < time + dt and end - start < SAME * dt:
                continue  # two animations whose frames are the same but for rounding
            yield start, (end - start if cuts else dt)
            start = end
