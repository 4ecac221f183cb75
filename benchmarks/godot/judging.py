# SPDX-License-Identifier: GPL-3.0-or-later
"""How far Godot and our solver are apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import cos, degrees, inf, isfinite, sin

import numpy as np

from omi_physics_joint.gltf.animated.keyed import has_keys
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.mechanism import EARTH, Mechanism
from omi_physics_joint.model.settings.keyed import mechanism_at, settings_at
from omi_physics_joint.model.solid import MeshSolids
from omi_physics_joint.solver import Options, Simulation, Steps
from omi_physics_joint.solver.kinematics.rotation import Array, matrix_of
from omi_physics_joint.weighing.inertia import with_solids
from omi_physics_joint.weighing.solids import measured

from .building import Case
from .engine import Measured, Pose

DEGREES, MILLIMETRES = 1.0, 5.0
"""How far a body may be off after a second."""
STEPS_A_SECOND = 240
"""Of our solver."""
FINE_STEPS = 3840
"""The same where something is too stiff to be followed: it gives way half an output step late."""
OWN_STEPS, OWN_DEGREES, OWN_MILLIMETRES = 60, 2.0, 20.0
"""The same where Godot goes at its own steps, and we as it does."""
ELSEWHERE = 1e-4
"""rad by which a mechanism is begun elsewhere, turned as a whole, to see whether that matters."""


@dataclass(frozen=True, slots=True)
class Off:
    """How far a body is off."""

    degrees: float = 0.0
    millimetres: float = 0.0
    body: str = ""
    own: bool = False
    """Whether at Godot's own steps."""

    @property
    def share(self) -> float:
        """How much of what it may be; more than 1 is off."""
        degrees, millimetres = DEGREES, MILLIMETRES
        if self.own:
            degrees, millimetres = OWN_DEGREES, OWN_MILLIMETRES
        return max(self.degrees / degrees, self.millimetres / millimetres)


@dataclass(frozen=True, slots=True)
class Course:
    """Poses of a body at the start and at the end."""

    start: tuple[Array, Array]
    end: tuple[Array, Array]

    @property
    def turned(self) -> Array:
        """How it has turned since the start, in the world."""
        return np.asarray(self.end[1] @ self.start[1].T)


def ours(
    case: Case, seconds: float, *, has_still: bool = True, own: bool = False
) -> dict[str, Course]:
    """Return how our solver moves the bodies of a case, by name.

    Args:
        case: what is moved.
        seconds: of motion.
        has_still: whether bodies that stand still count; those of Khronos' are only colliders.
        own: whether it takes Godot's own steps.
    """
    told = weighed(case)
    courses, is_followed = _played(told, seconds, OWN_STEPS if own else STEPS_A_SECOND, own=own)
    if not (own or is_followed):
        courses, _ = _played(told, seconds, FINE_STEPS)
    for node in told.nodes:
        if node.motion is not None and node.motion.type is MotionType.STATIC and not has_still:
            courses.pop(node.name, None)
    return courses


def _played(
    told: Mechanism, seconds: float, rate: int, *, own: bool = False
) -> tuple[dict[str, Course], bool]:
    """Return how bodies move in so many output steps a second, and whether all was followed."""
    mechanism = mechanism_at(told, 0.0)
    simulation = Simulation(mechanism, Options(steps=Steps.GODOT if own else Steps.EXACT))
    is_keyed, is_followed = has_keys(told), True
    names = [node.name for node in mechanism.nodes if node.motion is not None]

    def poses() -> list[tuple[Array, Array]]:
        turns = matrix_of(simulation.rotations)
        return list(zip(simulation.positions.copy(), turns, strict=True))

    # Godot is first looked at after a step, which counts where steps are long.
    first = 1 if own else 0
    start = poses()
    for step in range(round(seconds * rate)):
        if is_keyed:
            time = (step + 1) / rate
            simulation.retune(tuple(settings_at(one, time) for one in told.settings))
        is_followed &= not simulation.step(1.0 / rate).not_followed
        if step + 1 == first:
            start = poses()
    pairs = zip(names, start, poses(), strict=True)
    return {name: Course(*both) for name, *both in pairs}, is_followed


def worst(case: Mapping[str, Course], godot: Measured, *, own: bool = False) -> Off:
    """Return how far the worst body is off, at the start or at the end; infinite if one is lost."""
    courses = {
        name: Course(_parts(start), _parts(godot.end[name]))
        for name, start in godot.start.items()
        if name in godot.end
    }
    return apart(case, courses, own=own)


def is_wild(case: Case, truth: Mapping[str, Course], seconds: float, *, own: bool = False) -> bool:
    """Return whether our own motion is off as far when the mechanism is begun elsewhere."""
    told = case.played or case.mechanism
    x, y, z = told.gravity or EARTH
    c, s = cos(ELSEWHERE), sin(ELSEWHERE)
    for gravity in ((x, c * y - s * z, s * y + c * z), (c * x - s * y, s * x + c * y, z)):
        begun = replace(case, played=replace(told, gravity=gravity))
        if apart(truth, ours(begun, seconds, own=own), own=own).share > 1.0:
            return True
    return False


def apart(case: Mapping[str, Course], other: Mapping[str, Course], *, own: bool = False) -> Off:
    """Return how far the worst body of a case is off elsewhere.

    Turns are those since the start, since a mirrored body has no rotation that both agree on.
    """
    found = Off(own=own)
    for name, motion in case.items():
        theirs = other.get(name)
        if theirs is None:
            return Off(inf, inf, name)
        away = max(
            float(np.linalg.norm(theirs.start[0] - motion.start[0])),
            float(np.linalg.norm(theirs.end[0] - motion.end[0])),
        )
        off = Off(_angle(theirs.turned.T @ motion.turned), 1e3 * away, name, own)
        if not isfinite(off.share):
            return Off(inf, inf, name)
        found = max(found, off, key=lambda one: one.share)
    return found


def weighed(case: Case) -> Mechanism:
    """Return the mechanism of a case that knows what its meshes hold."""

    def measure(mesh: int) -> MeshSolids:
        points, triangles = case.meshes[mesh]
        return measured(np.array(points), np.array(triangles, dtype=np.intp))

    return with_solids(case.played or case.mechanism, range(len(case.meshes)), measure)


def _parts(pose: Pose) -> tuple[Array, Array]:
    values = np.array(pose)
    return values[:3], matrix_of(values[None, 3:])[0]


def _angle(rotation: Array) -> float:
    """Return the angle of a rotation in degrees, exact for small ones too."""
    axis = np.array(
        [
            rotation[2, 1] - rotation[1, 2],
            rotation[0, 2] - rotation[2, 0],
            rotation[1, 0] - rotation[0, 1],
        ]
    )
    return degrees(float(np.arctan2(np.linalg.norm(axis), np.trace(rotation) - 1.0)))
