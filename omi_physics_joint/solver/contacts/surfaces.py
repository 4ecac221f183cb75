# SPDX-License-Identifier: GPL-3.0-or-later
"""The colliders of a mechanism as surfaces of its bodies, and which of them may meet soon."""

from __future__ import annotations

import ctypes
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ...model.body import GRIP, CollisionFilter, PhysicsMaterial, mixed
from ...model.geometry.frames import is_sound, rigid_frame
from ...model.geometry.scale import standing
from ...model.mechanism import Mechanism
from ...model.shape import Convex, MeshShape
from ..engines.kernel_structs import INT
from ..kinematics.rotation import Array, Index, Mask
from ..reading.bodies import Bodies, KinematicBodies
from .collision import Collision, Sweep
from .cores import Core, CoreKind, Numbers, core_of, hulled, meshed

MARGIN = 0.02
"""m: what comes nearer than that within an output step is looked at. Speeds and gravity are counted
besides: it is what springs and drives add, 140 m/s^2 in a 60th of a second from rest. Ten times as
much only looks at more."""
Triangulated = tuple[Array, Index]
"""Corners (n, 3), and triangles (k, 3) of them."""
MEETING = CollisionFilter()
"""Of what has none: it is in no system."""


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
class BodyShape:
    """One shape of a body, or a mesh of one that no force moves.

    Attributes:
        core: its shape.
        node: whose it is; -1 of the floor. Of a trigger, that of the trigger that it is a part of.
        body: number in ``Bodies``.
        pose: 12 numbers from the body's frame: centre of mass and principal axes of what is
            dynamic, else the node's own.
        material: how it grips and bounces; None of a trigger, which is not solid.
        filter: what it meets of its scene; None, of the floor, meets all.
        scene: which it is in.
        mesh: corners (n, 3) and triangles (k, 3) that a hull is of, in its frame; else None.
    """

    core: Core
    node: int
    body: int
    pose: Array
    material: PhysicsMaterial | None
    filter: CollisionFilter | None
    scene: int = 0
    mesh: Triangulated | None = None


class _Reading:
    """Reads shapes; equal ones of meshes are one core."""

    def __init__(self, mechanism: Mechanism, bodies: Bodies, movers: KinematicBodies) -> None:
        self._mechanism, self._bodies, self._movers = mechanism, bodies, movers
        self._number = {int(node): i for i, node in enumerate(bodies.nodes)}
        self._meshes: dict[object, tuple[Core | None, Array, Triangulated | None]] = {}

    def placed(
        self, index: int, at: int | None, material: PhysicsMaterial | None, filtered: int | None
    ) -> Iterator[BodyShape]:
        """Yield the shape of a number at a node, if it is one, with its filter by number."""
        mechanism, node = self._mechanism, self._mechanism.nodes[index]
        shape = mechanism.shape_at(at)
        if shape is None or not is_sound(node.world):
            return
        owner = mechanism.body_of(index)
        body = self._number[-1 if owner is None else owner]
        hull = material is None or bool(self._bodies.dynamic[body])
        frame, middle, mesh = np.array(rigid_frame(node.world)), np.zeros(3), None
        if isinstance(shape, MeshShape):
            scale = frame[:3, :3].T @ np.array(node.world)[:3, :3]
            core, middle, mesh = self._of_mesh(shape, scale, hull=hull or isinstance(shape, Convex))
        else:
            core = core_of(standing(shape, node.world))
        if core is not None:
            turn = frame[:3, :3]
            pose = _within(self._bodies, self._movers, body, frame[:3, 3] + turn @ middle, turn)
            meets = MEETING if filtered is None else mechanism.collision_filters[filtered]
            yield BodyShape(core, index, body, pose, material, meets, node.scene, mesh)

    def _of_mesh(
        self, shape: MeshShape, scale: Array, *, hull: bool
    ) -> tuple[Core | None, Array, Triangulated | None]:
        """Return the core of a mesh under a scale (3, 3), and where its origin is in the mesh, m.

        A hull is about the mean of its corners: the kernel asks on which side of a face it is. The
        triangles that it is of go along.
        """
        surface, middle = self._mechanism.surface_of(shape.mesh), np.zeros(3)
        if surface is None:
            return None, middle, None
        size = float(np.abs(scale).max())
        key = (shape.mesh, hull, f"{size:.6g}", (scale / size + 1.0).round(6).tobytes())
        if key not in self._meshes:
            points = np.array(surface.points, np.float64).reshape(-1, 3) @ scale.T
            corners = np.array(surface.triangles, np.intp).reshape(-1, 3)
            if np.linalg.det(scale) < 0.0:
                corners = corners[:, ::-1]  # they look outwards still
            sound = len(points) and np.isfinite(points).all()
            made = (hulled(points) if hull else meshed(points, corners)) if sound else None
            mesh = None
            if made is not None and hull:
                middle = made.corner.mean(axis=0)
                made = replace(made, corner=made.corner - middle)
                mesh = points - middle, corners
            self._meshes[key] = made, middle, mesh
        return self._meshes[key]


def read_surfaces(
    mechanism: Mechanism, bodies: Bodies, movers: KinematicBodies, floor: Floor | None
) -> list[BodyShape]:
    """Return the colliders whose shape is solid, in the order of nodes, and a floor.

    Triangles of what forces move are their hull.
    """
    reading = _Reading(mechanism, bodies, movers)
    found: list[BodyShape] = []
    for index, node in enumerate(mechanism.nodes):
        own = node.collider
        if own is not None:
            material = mechanism.material_of(own)
            found += reading.placed(index, own.shape, material, own.collision_filter)
    if floor is not None:
        world = len(bodies.nodes) - 1
        pose = _within(bodies, movers, world, np.array([0.0, floor.height, 0.0]), np.eye(3))
        core = Core(CoreKind.HALF_SPACE)
        found.append(BodyShape(core, -1, world, pose, floor.material, None))
    return found


def read_triggers(mechanism: Mechanism, bodies: Bodies, movers: KinematicBodies) -> list[BodyShape]:
    """Return the shapes of triggers; meshes are their hulls. Parts count as the whole trigger."""
    reading = _Reading(mechanism, bodies, movers)
    found: list[BodyShape] = []
    whole = {
        part: index
        for index, node in enumerate(mechanism.nodes)
        if node.trigger is not None
        for part in node.trigger.nodes
    }
    for index, node in enumerate(mechanism.nodes):
        own = node.trigger
        if own is not None:
            for shape in reading.placed(index, own.shape, None, own.collision_filter):
                found.append(replace(shape, node=whole.get(index, index)))
    return found


def _within(
    bodies: Bodies, movers: KinematicBodies, body: int, origin: Array, turn: Array
) -> Array:
    """Return a pose in the world, at rest, as seen from a body."""
    own = bodies.dynamic[body]
    centre = bodies.position[body] if own else movers.origins[body]
    axes = bodies.rotation[body] if own else movers.turns[body]
    return np.concatenate([axes.T @ (origin - centre), (axes.T @ turn).ravel()])


def _may_meet(one: BodyShape, other: BodyShape) -> bool:
    if one.filter is None or other.filter is None:
        return True
    return one.scene == other.scene and one.filter.meets(other.filter)


class Surfaces:
    """All shapes: which may meet at all, and which are near.

    Attributes:
        every: all shapes, those that are solid first.
        solid: how many are.
        body: (n,) numbers of their bodies.
        pose: (n, 12).
        material: (n,) indices into ``mix``; of triggers -1.
        mix: (m, m, 3) static and dynamic friction and restitution.
        collision: what the kernel finds of them.
    """

    def __init__(
        self, library: ctypes.CDLL, solid: list[BodyShape], triggers: list[BodyShape]
    ) -> None:
        """Take over shapes; all of them may meet where bodies and filters let them."""
        every = [*solid, *triggers]
        self.every, self.solid = every, len(solid)
        self.body = np.array([one.body for one in every], INT)
        self.pose = np.array([one.pose for one in every]).reshape(-1, 12)
        kinds = list({id(one.material): one.material for one in solid if one.material}.values())
        number = {id(one): i for i, one in enumerate(kinds)}
        self.material = np.array([number.get(id(one.material), -1) for one in every], INT)
        self.mix = np.array([[mixed(a, b) for b in kinds] for a in kinds])
        self.mix = self.mix.reshape(len(kinds), len(kinds), 3)
        groups = list({(id(one.filter), one.scene): one for one in every}.values())
        place = {(id(one.filter), one.scene): i for i, one in enumerate(groups)}
        self._filter = np.array([place[id(one.filter), one.scene] for one in every], INT)
        self._meets = np.array([[_may_meet(a, b) for b in groups] for a in groups], INT)
        self._reach = np.array([one.core.reach for one in every])
        self._endless = np.array([one.core.core is CoreKind.HALF_SPACE for one in every], bool)
        self._order = np.arange(len(solid), dtype=INT)
        self._apart = np.zeros((0, 2), INT)
        self.collision = Collision(library, [one.core for one in every])

    def keep_apart(
        self, pairs: Iterable[tuple[int, int]], but: Container[tuple[int, int]] = ()
    ) -> None:
        """Let pairs of shapes not meet, the lower number first, ``but`` those that may anew."""
        every = {*(pair for pair in map(tuple, self._apart.tolist()) if pair not in but), *pairs}
        self._apart = np.array(sorted(every), INT).reshape(-1, 2)

    def between(self, bodies: Iterable[frozenset[int]]) -> list[tuple[int, int]]:
        """Return the pairs of solid shapes of pairs of bodies, but for the floor's."""
        shapes: dict[int, list[int]] = {}
        for i, one in enumerate(self.every[: self.solid]):
            if one.node >= 0:
                shapes.setdefault(one.body, []).append(i)
        ends = (tuple(shapes.get(body, []) for body in pair) for pair in bodies if len(pair) > 1)
        return [(min(i, j), max(i, j)) for a, b in ends for i, j in product(a, b)]

    def placed(self, position: Array, rotation: Array) -> Array:
        """Return where shapes are, (n, 12), from frames of all bodies."""
        origin, axes = position[self.body], rotation[self.body]
        at = origin + (axes @ self.pose[:, :3, None])[..., 0]
        turned = axes @ self.pose[:, 3:].reshape(-1, 3, 3)
        return np.concatenate([at, turned.reshape(-1, 9)], axis=1)

    def near(self, place: tuple[Array, Array], way: Array | float, moves: Mask) -> Numbers:
        """Return the pairs (k, 2) of solid shapes that may meet.

        Args:
            place: frames of all bodies.
            way: (n,) how far each shape may come, m.
            moves: (bodies,) whether forces move them.
        """
        way = (np.zeros(len(self.every)) + way)[: self.solid] + 0.5 * MARGIN
        moving = moves[self.body[: self.solid]]
        return self._pairs(self.placed(*place), way, moving, self._order)

    def inside(self, place: tuple[Array, Array]) -> Numbers:
        """Return the pairs (k, 2) of a solid shape and one of a trigger that are in one another."""
        notices = np.arange(len(self.every)) >= self.solid
        order = np.arange(len(self.every), dtype=INT)
        pairs = self._pairs(self.placed(*place), np.zeros(len(order)), notices, order)
        return pairs[pairs[:, 0] < self.solid]

    def _pairs(self, poses: Array, way: Array, moves: Mask, order: Numbers) -> Numbers:
        """Return the pairs of the first shapes that ways (n,), m, bring together."""
        may = self._filter, self._meets, self._apart
        sweep = Sweep(poses, way, self.body, moves.astype(INT), *may)
        return self.collision.pairs(sweep, order)

    def speeds(self, linear: Array, spin: Array) -> Array:
        """Return how fast points of shapes may be, (n,) m/s, from speeds of all bodies, (n,)."""
        return np.asarray(linear[self.body] + spin[self.body] * self._arms())

    def ways(self, before: tuple[Array, Array], place: tuple[Array, Array]) -> Array:
        """Return how far points of shapes have gone, (n,) m, from frames of all bodies."""
        far = np.linalg.norm(place[0] - before[0], axis=-1)
        turned = np.linalg.norm(place[1] - before[1], axis=(1, 2)) / 2.0**0.5
        return np.asarray(far[self.body] + turned[self.body] * self._arms())

    def _arms(self) -> Array:
        """Return how far from the origins of their bodies points of shapes are, (n,) m."""
        arm = np.linalg.norm(self.pose[:, :3], axis=1) + self._reach
        return np.where(self._endless, 0.0, arm)


def links_of(pairs: Numbers, body: Numbers) -> Iterator[tuple[int, int]]:
    """Yield the bodies of pairs of shapes, once each."""
    yield from dict.fromkeys(map(tuple, body[pairs].tolist()))
