# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies, colliders, triggers, physics materials and collision filters (OMI_physics_body)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf

Vector3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
"""x, y, z, w."""

ZERO: Vector3 = (0.0, 0.0, 0.0)
IDENTITY_QUATERNION: Quaternion = (0.0, 0.0, 0.0, 1.0)


class MotionType(StrEnum):
    """How a body moves."""

    STATIC = "static"
    KINEMATIC = "kinematic"
    DYNAMIC = "dynamic"


class Combine(StrEnum):
    """How the values of two touching materials become one."""

    AVERAGE = "average"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    MULTIPLY = "multiply"


@dataclass(frozen=True, slots=True)
class Motion:
    """Makes a node a body. Vectors are in the axes of the node."""

    type: MotionType
    mass: float = 1.0
    """kg; infinite: no force moves the centre of mass, and gravity does not either."""
    center_of_mass: Vector3 | None = ZERO
    """m, from the origin of the node; None: it is computed from the colliders."""
    inertia_diagonal: Vector3 = ZERO
    """kg m^2 about the principal axes; all zero means: calculate it. No torque turns a body about
    an axis whose inertia is infinite; zeros beside infinite ones are calculated."""
    inertia_orientation: Quaternion = IDENTITY_QUATERNION
    """Rotation of the principal axes in the node."""
    linear_velocity: Vector3 = ZERO
    """Initial velocity in m/s."""
    angular_velocity: Vector3 = ZERO
    """Initial velocity in rad/s."""
    gravity_factor: float = 1.0
    unknown: str = ""
    """JSON object text of members that the specification does not name."""
    starts_asleep: bool = False
    """Whether it stays where it is until something touches it. Source: UsdPhysics, "Rigid body".
    glTF's extensions cannot say it, and the solver, which knows no contacts, moves it."""

    found_center: Vector3 | None = field(default=None, compare=False)
    """Where a centre of mass that is computed is, if somebody has weighed the body. It follows from
    the colliders, so it is never read and bodies are equal without it."""

    @property
    def center(self) -> Vector3:
        """Where the centre of mass is, in m; the origin where it is computed and not yet known."""
        return self.center_of_mass or self.found_center or ZERO

    @property
    def is_still(self) -> bool:
        """Whether it has no velocity at the start."""
        return self.linear_velocity == ZERO == self.angular_velocity

    def with_center(self, change: Callable[[Vector3], Vector3]) -> Motion:
        """Return the motion with its centre of mass, said or found, elsewhere."""
        said, found = (one and change(one) for one in (self.center_of_mass, self.found_center))
        return replace(self, center_of_mass=said, found_center=found)

    @property
    def is_movable(self) -> bool:
        """Whether forces or torques move it: an inertia calculated from infinite mass is so too."""
        if self.type is not MotionType.DYNAMIC:
            return False
        return self.mass != inf or any(0.0 < part < inf for part in self.inertia_diagonal)


@dataclass(frozen=True, slots=True)
class Collider:
    """Makes a node solid."""

    shape: int | None = None
    """Index into the shapes of the mechanism; None is a compound of its descendants."""
    physics_material: int | None = None
    collision_filter: int | None = None
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Trigger:
    """Makes a node notice what enters it."""

    shape: int | None = None
    nodes: tuple[int, ...] = ()
    """Descendant nodes that make up a compound trigger."""
    collision_filter: int | None = None
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class PhysicsMaterial:
    """How a surface grips and bounces."""

    name: str = ""
    static_friction: float = 0.6
    dynamic_friction: float = 0.6
    restitution: float = 0.0
    friction_combine: Combine = Combine.AVERAGE
    restitution_combine: Combine = Combine.AVERAGE
    unknown: str = ""


GRIP = PhysicsMaterial()
"""What a collider is made of that does not say."""


def mixed(
    a: PhysicsMaterial, b: PhysicsMaterial, order: Sequence[Combine] = tuple(Combine)
) -> tuple[float, float, float]:
    """Return static and dynamic friction and the restitution of two materials that touch.

    Of two ways to combine that which comes first in the order counts.
    Source: KHR_physics_rigid_bodies, "Physics Materials".
    """
    rubs = min(a.friction_combine, b.friction_combine, key=order.index)
    bounces = min(a.restitution_combine, b.restitution_combine, key=order.index)
    still = _combined(rubs, a.static_friction, b.static_friction)
    slides = _combined(rubs, a.dynamic_friction, b.dynamic_friction)
    restitution = _combined(bounces, a.restitution, b.restitution)
    return max(still, slides, 0.0), max(slides, 0.0), min(max(restitution, 0.0), 1.0)


def _combined(mode: Combine, a: float, b: float) -> float:
    either = {Combine.MINIMUM: min(a, b), Combine.MAXIMUM: max(a, b), Combine.MULTIPLY: a * b}
    return either.get(mode, 0.5 * (a + b))


@dataclass(frozen=True, slots=True)
class CollisionFilter:
    """Which collision systems a shape belongs to and meets."""

    name: str = ""
    collision_systems: tuple[str, ...] = ()
    collide_with_systems: tuple[str, ...] | None = None
    """Meets only these. None: not said. Excludes ``not_collide_with_systems``."""
    not_collide_with_systems: tuple[str, ...] | None = None
    """Meets all but these. None: not said."""
    unknown: str = ""

    def meets(self, other: CollisionFilter) -> bool:
        """Return whether shapes with two filters collide: each filter has to want the other."""
        return self._wants(other) and other._wants(self)

    def _wants(self, other: CollisionFilter) -> bool:
        systems = set(other.collision_systems)
        if self.collide_with_systems is not None:
            return bool(systems & set(self.collide_with_systems))
        return not systems & set(self.not_collide_with_systems or ())
