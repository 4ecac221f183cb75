# SPDX-License-Identifier: GPL-3.0-or-later
"""The colliders of a mechanism as surfaces of its bodies, and which of them may meet soon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...model.body import Collider, CollisionFilter, Combine, PhysicsMaterial
from ...model.geometry.frames import is_sound, rigid_frame
from ...model.mechanism import Mechanism
from ..kinematics.rotation import Array
from ..reading.bodies import Bodies
from ..reading.motions import KinematicBodies
from .collision import Collision
from .cores import Core, CoreKind, core_of

MARGIN = 0.02
"""m: what comes nearer than that within an output step is looked at."""
ENTERS = 1e-3
"""m: shapes of jointed bodies that are deeper in one another at rest are built so."""
GRIP = PhysicsMaterial()
"""What a collider is made of that does not say."""


@dataclass(frozen=True, slots=True)
class Floor:
    """A floor that no file holds.

    Attributes:
        height: m, along Y; None is zero, or where the lowest solid begins if that is lower.
        material: how it grips and bounces.
    """

    height: float | None = None
    material: PhysicsMaterial = GRIP


@dataclass(slots=True)
class SolidShape:
    """One convex shape of a body.

    Attributes:
        core: its shape.
        body: number in ``Bodies``.
        pose: 12 numbers from the body's frame: centre of mass and principal axes of what is
            dynamic, else the node's own.
        material: how it grips and bounces.
        filter: what it meets; None meets all.
    """

    core: Core
    body: int
    pose: Array
    material: PhysicsMaterial
    filter: CollisionFilter | None


def read_surfaces(
    mechanism: Mechanism, bodies: Bodies, movers: KinematicBodies, floor: Floor | None
) -> list[SolidShape]:
    """Return the colliders whose shape is solid, those of one body after the other."""
    world = len(bodies.nodes) - 1
    number = {int(node): i for i, node in enumerate(bodies.nodes)}
    found = []
    for index, node in enumerate(mechanism.nodes):
        shape = mechanism.shape_of(node)
        core = None if shape is None or not is_sound(node.world) else core_of(shape)
        if core is None or node.collider is None:
            continue
        owner = mechanism.body_of(index)
        body = world if owner is None else number[owner]
        frame = np.array(rigid_frame(node.world))
        pose = _within(bodies, movers, body, frame[:3, 3], frame[:3, :3])
        found.append(SolidShape(core, body, pose, *_made_of(mechanism, node.collider)))
    if floor is not None:
        pose = _within(bodies, movers, world, np.array([0.0, floor.height, 0.0]), np.eye(3))
        found.append(SolidShape(Core(CoreKind.HALF_SPACE), world, pose, floor.material, None))
    return found


def _within(
    bodies: Bodies, movers: KinematicBodies, body: int, origin: Array, turn: Array
) -> Array:
    """Return a pose in the world, at rest, as seen from a body."""
    own = bodies.dynamic[body]
    centre = bodies.position[body] if own else movers.origins[body]
    axes = bodies.rotation[body] if own else movers.turns[body]
    return np.concatenate([axes.T @ (origin - centre), (axes.T @ turn).ravel()])


def _made_of(
    mechanism: Mechanism, collider: Collider
) -> tuple[PhysicsMaterial, CollisionFilter | None]:
    material, filtered = collider.physics_material, collider.collision_filter
    return (
        GRIP if material is None else mechanism.physics_materials[material],
        None if filtered is None else mechanism.collision_filters[filtered],
    )


def _combined(mode: Combine, a: float, b: float) -> float:
    match mode:
        case Combine.MINIMUM:
            return min(a, b)
        case Combine.MAXIMUM:
            return max(a, b)
        case Combine.MULTIPLY:
            return a * b
    return 0.5 * (a + b)


def mixed(a: PhysicsMaterial, b: PhysicsMaterial) -> tuple[float, float, float]:
    """Return static and dynamic friction and the restitution of two materials that touch.

    Where they ask for different ways to combine, the one that ``Combine`` names later counts.
    """
    order = list(Combine)
    rubs = max(a.friction_combine, b.friction_combine, key=order.index)
    bounces = max(a.restitution_combine, b.restitution_combine, key=order.index)
    still = _combined(rubs, a.static_friction, b.static_friction)
    slides = _combined(rubs, a.dynamic_friction, b.dynamic_friction)
    restitution = _combined(bounces, a.restitution, b.restitution)
    return max(still, slides, 0.0), max(slides, 0.0), min(max(restitution, 0.0), 1.0)


class Surfaces:
    """All surfaces, and which pairs of them may meet at all.

    Attributes:
        every: all surfaces.
        body: (n,) numbers of their bodies.
        pose: (n, 12).
        material: (n,) indices into ``mix``.
        mix: (m, m, 3) static and dynamic friction and restitution.
    """

    def __init__(self, every: list[SolidShape], bodies: Bodies, apart: set[frozenset[int]]) -> None:
        """Take over surfaces; ``apart`` are bodies that joints hold and that do not collide."""
        self.every, self._bodies = every, bodies
        self.body = np.array([one.body for one in every], np.intp)
        self.pose = np.array([one.pose for one in every]).reshape(-1, 12)
        kinds = list({id(one.material): one.material for one in every}.values())
        self.material = np.array(
            [[one.material is m for m in kinds].index(True) for one in every], np.int32
        )
        self.mix = np.array([[mixed(a, b) for b in kinds] for a in kinds]).reshape(
            len(kinds), -1, 3
        )
        self._reach = np.array([one.core.reach for one in every])
        self._endless = np.array([one.core.core is CoreKind.HALF_SPACE for one in every])
        self._may = self._meeting(apart)

    def _meeting(self, apart: set[frozenset[int]]) -> NDArray[np.intp]:
        """Return the pairs that bodies, filters and joints let meet: (k, 2)."""
        dynamic = self._bodies.dynamic
        found = [
            (i, j)
            for (i, a), (j, b) in combinations(enumerate(self.every), 2)
            if (dynamic[a.body] or dynamic[b.body])
            and a.body != b.body
            and (a.filter is None or b.filter is None or a.filter.meets(b.filter))
            and frozenset((a.body, b.body)) not in apart
        ]
        return np.array(found, np.intp).reshape(-1, 2)

    def leave_out(
        self, collision: Collision, place: tuple[Array, Array], related: Mapping[int, int]
    ) -> None:
        """Let those pairs of one mechanism not meet that are in one another from the start."""
        poses = self.placed(*place)
        kept = [
            related.get(int(self.body[i]), -1 - i) != related.get(int(self.body[j]), -1 - j)
            or collision.distance(i, poses[i], j, poses[j])[0] > -ENTERS
            for i, j in self._may.tolist()
        ]
        self._may = self._may[np.array(kept, bool)]

    def placed(self, position: Array, rotation: Array) -> Array:
        """Return where shapes are, (n, 12), from frames of all bodies."""
        origin, axes = position[self.body], rotation[self.body]
        at = origin + (axes @ self.pose[:, :3, None])[..., 0]
        turned = axes @ self.pose[:, 3:].reshape(-1, 3, 3)
        return np.concatenate([at, turned.reshape(-1, 9)], axis=1)

    def near(self, position: Array, rotation: Array, speed: Array, dt: float) -> NDArray[np.intp]:
        """Return the pairs that may meet within dt seconds; shapes have so much (n,) speed, m/s."""
        poses = self.placed(position, rotation)
        i, j = self._may.T
        way, room = (speed[i] + speed[j]) * dt + MARGIN, self._reach[i] + self._reach[j]
        apart = np.linalg.norm(poses[i, :3] - poses[j, :3], axis=1) - room
        for plane, other in ((i, j), (j, i)):
            ends = self._endless[plane]
            above = ((poses[other, :3] - poses[plane, :3]) * poses[plane][:, [4, 7, 10]]).sum(1)
            apart = np.where(ends, above - self._reach[other], apart)
        return np.asarray(self._may[apart < way])

    def speeds(self, linear: Array, spin: Array) -> Array:
        """Return how fast points of shapes may be, (n,) m/s, from speeds of all bodies, (n,)."""
        arm = np.where(self._endless, 0.0, np.linalg.norm(self.pose[:, :3], axis=1) + self._reach)
        return np.asarray(linear[self.body] + spin[self.body] * arm)


def links_of(pairs: NDArray[np.intp], body: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Yield the bodies of pairs of shapes, once each."""
    yield from dict.fromkeys((int(body[i]), int(body[j])) for i, j in pairs.tolist())
