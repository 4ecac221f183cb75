# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses a mechanism by its joints, without time, mass or force.

One value of a joint is set, or one point of a body is dragged; all other bodies follow through
their joints. Soft limits count as rigid here: nobody poses a thing where it would not stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot, inf, isfinite

import numpy as np

from ..model.body import Vector3
from ..model.coordinates import coordinates
from ..model.islands import islands_of
from ..model.issue import Issue
from ..model.joint import AXES, Freedom
from ..model.mechanism import Mechanism
from ..model.transform import IDENTITY, Matrix
from ..solver.rotation import Array, quaternion_of
from .descent import Search, close
from .goals import PointGoal, ValueGoal
from .links import Reading, number_of
from .spanning_tree import Link, Shape, Tree, turns_of

NEAR = 1e-6
"""m or rad: nearer to what was asked for counts as reached."""


@dataclass(frozen=True, slots=True)
class Posed:
    """How far one wish came true.

    Attributes:
        reached: whether the bodies are where they were wanted, and all joints hold.
        off: m or rad from what was asked for, limits kept.
        gap: m by which joints that close a loop are apart (angles times the island's size).
    """

    reached: bool
    off: float
    gap: float = 0.0


@dataclass(frozen=True, slots=True)
class KeptPose:
    """A moment to return to. It belongs to the posing that made it."""

    shapes: tuple[Shape | None, ...]
    moved: tuple[bool, ...]


@dataclass(slots=True)
class _Island:
    """Bodies that hang together, and their tree once it is needed."""

    bodies: list[int]
    joints: list[int]
    roots: list[int]
    floats: bool
    """Whether nothing in it stands still; its heaviest body then does."""
    tree: Tree | None = None
    first: Shape | None = None
    moved: bool = False


class Posing:
    """A mechanism in the hands of somebody who poses it.

    Nothing in here raises because of what a mechanism says: what cannot be posed is an issue, and
    what cannot be reached is come near to, and said.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        """Read a mechanism in glTF axes; it starts in the pose that it has."""
        self._reading = reading = Reading(mechanism)
        self.issues: tuple[Issue, ...] = reading.issues
        self.body_nodes: tuple[int, ...] = reading.body_nodes
        self.joint_nodes: tuple[int, ...] = tuple(sorted(reading.links))
        mass = [
            0.0 if (m := mechanism.nodes[i].motion) is None else m.mass for i in self.body_nodes
        ]
        ends = [reading.links[node].bodies for node in self.joint_nodes]
        self._islands: list[_Island] = []
        self._island_of_joint: dict[int, _Island] = {}
        self._island_of_body: dict[int, _Island] = {}
        for island in islands_of(reading.movable, ends):
            if island.joints:
                self._add(island.bodies, [self.joint_nodes[j] for j in island.joints], mass)

    def _add(self, bodies: list[int], joints: list[int], mass: list[float]) -> None:
        """Note one island."""
        links, own = self._reading.links, set(bodies)
        fixed = [body for node in joints for body in links[node].bodies if body not in own]
        heaviest = max(bodies, key=lambda body: mass[body] if isfinite(mass[body]) else 0.0)
        island = _Island(bodies, joints, list(dict.fromkeys(fixed)) or [heaviest], not fixed)
        self._islands.append(island)
        self._island_of_joint |= dict.fromkeys(joints, island)
        self._island_of_body |= {self.body_nodes[body]: island for body in bodies}

    @property
    def positions(self) -> Array:
        """World positions of the origins of the body nodes: (n, 3), m."""
        return np.asarray(self._worlds()[:, :3, 3])

    @property
    def rotations(self) -> Array:
        """World rotations of the body nodes: (n, 4), x y z w."""
        return quaternion_of(self._worlds()[:, :3, :3])

    def _worlds(self) -> Array:
        worlds = [self._reading.worlds[k] for k in range(len(self.body_nodes))]
        out = np.array(worlds).reshape(-1, 4, 4)
        for island in self._islands:
            if island.moved and island.tree is not None:
                for body in island.bodies:
                    out[body] = island.tree.world[island.tree.slot_of[body]]
        return out

    def world_of(self, row: int) -> Matrix:
        """Return the pose of one of ``body_nodes``, world from body."""
        return tuple(map(tuple, self._worlds()[row].tolist()))

    def neighbours(self, joint_node: int) -> tuple[int, ...]:
        """Return the joints that may move with one, itself included, in node order.

        Raises:
            KeyError: the node has no joint that can be posed; so in all that follows.
        """
        return tuple(self._island_of_joint[joint_node].joints)

    def free(self, joint_node: int) -> tuple[tuple[Freedom, int], ...]:
        """Return the degrees of freedom of a joint that are not locked, soft locks being locks."""
        free = self._reading.links[joint_node].free
        return tuple((f, axis) for f in Freedom for axis in AXES if free[number_of(f, axis)])

    def range_of(self, joint_node: int, freedom: Freedom, axis: int) -> tuple[float, float]:
        """Return the bounds of one value in m or rad."""
        link, at = self._reading.links[joint_node], number_of(freedom, axis)
        return float(link.low[at]), float(link.high[at])

    def values(self, joint_node: int) -> Array:
        """Return where a joint stands: X Y Z in m, X Y Z in rad, as ``model.coordinates`` says."""
        island = self._island_of_joint[joint_node]
        if island.tree is None or not island.moved:
            return self._reading.values[joint_node].copy()
        number = island.joints.index(joint_node)
        values: Array = island.tree.values[number].copy()
        if island.tree.ball[number]:
            values[3:] = self._angles(island.tree, number)
        return values

    def _angles(self, tree: Tree, number: int) -> Array:
        """Return the angles of a joint whose turning nothing bounds: (3,)."""
        frame = np.eye(4)
        frame[:3, :3] = tree.turns[number]
        spans = self._reading.spans[tree.links[number].node]
        return np.array(coordinates(spans, IDENTITY, tuple(map(tuple, frame.tolist())))[3:])

    def set_value(self, joint_node: int, freedom: Freedom, axis: int, value: float) -> Posed:
        """Set one value of a joint within its bounds, and let everything else follow.

        Without a loop, one side of the joint moves rigidly: the one that hangs from the other, or,
        where nothing stands still, the connected one. Within a loop the other joints give way with
        the least change, along the way from here to there.

        Args:
            joint_node: node of the joint.
            freedom: distance or angle.
            axis: of the joint frame.
            value: m or rad.
        """
        link, at = self._reading.links[joint_node], number_of(freedom, axis)
        if not isfinite(value):
            return Posed(False, inf)
        wanted = float(np.clip(value, link.low[at], link.high[at]))
        island = self._island_of_joint[joint_node]
        if not link.free[at]:
            return Posed(abs(value - wanted) <= NEAR, abs(value - wanted))
        tree = self._tree(island)
        number, before = island.joints.index(joint_node), tree.shape()
        if tree.ball[number] and at >= 3:
            tree.values[number, 3:] = self._angles(tree, number)
            tree.ball[number] = False
        try:
            with np.errstate(all="ignore"):  # absurd numbers are found out at the end
                gap = _go_to(tree, number, at, wanted)
        except np.linalg.LinAlgError:
            gap = inf
        off = abs(float(tree.values[number, at]) - wanted)
        tree.ball[number] = link.ball
        if island.floats:
            _stay(tree, before, tree.slot_of[link.bodies[0]])
        return self._ended(island, before, off, gap)

    def drag(
        self,
        body_node: int,
        point_local: Vector3,
        target_world: Vector3,
        *,
        keep_orientation: bool = False,
    ) -> Posed:
        """Bring a point of a body as near to a place as its joints let it, from the present pose.

        What stands still stays; where nothing does, the heaviest body stays while the others can
        reach, and then all follow.

        Args:
            body_node: node of the body; one without joints, or that stands still, does not move.
            point_local: m, in the rigid frame of the node.
            target_world: m.
            keep_orientation: whether the body should also stay turned as it is.
        """
        island = self._island_of_body.get(body_node)
        numbers = np.array([*point_local, *target_world], dtype=np.float64)
        if island is None or not np.isfinite(numbers).all():
            return Posed(False, inf)
        tree = self._tree(island)
        slot, before = tree.slot_of[self.body_nodes.index(body_node)], tree.shape()
        turn = tree.world[slot, :3, :3].copy() if keep_orientation else None
        goal = PointGoal(slot, numbers[:3], numbers[3:], turn)
        try:
            with np.errstate(all="ignore"):
                Search(tree, goal).run()
                gap = close(tree)
        except np.linalg.LinAlgError:
            gap = inf
        if island.floats:
            tree.world[:, :3, 3] += goal.place - goal.where(tree)
        off = hypot(*(goal.place - goal.where(tree)).tolist())
        return self._ended(island, before, off, gap)

    def _ended(self, island: _Island, before: Shape, off: float, gap: float) -> Posed:
        """Return how it ended; what is no pose at all is not kept."""
        tree = self._tree(island)
        sound = np.isfinite(tree.world).all() and np.isfinite(tree.values).all()
        if not sound or not isfinite(gap):
            tree.take(before)
            return Posed(False, off if isfinite(off) else inf, gap if isfinite(gap) else inf)
        island.moved = True
        return Posed(off <= NEAR and gap <= NEAR * max(1.0, tree.size), off, gap)

    def take_values(self, values: Mapping[int, Array]) -> Posed:
        """Set all free values of some joints at once, within their bounds.

        Args:
            values: (6,) m and rad by joint node, as ``values`` returns them; others stay.
        """
        worst = Posed(True, 0.0)
        for island in self._islands:
            if not any(node in values for node in island.joints):
                continue
            tree = self._tree(island)
            before = tree.shape()
            for number, node in enumerate(island.joints):
                if node in values and np.isfinite(values[node]).all():
                    link = self._reading.links[node]
                    bounded = np.clip(values[node], link.low, link.high)
                    if link.ball:
                        bounded[3:] = values[node][3:]
                    tree.values[number, link.free] = bounded[link.free]
                    tree.turns[number] = turns_of(tree.values[number : number + 1, 3:])[0]
            tree.place()
            try:
                gap = close(tree)
            except np.linalg.LinAlgError:
                gap = inf
            done = self._ended(island, before, 0.0, gap)
            worst = max(worst, done, key=lambda posed: posed.gap)
        return worst

    def pose(self) -> KeptPose:
        """Return this moment, for ``take``."""
        return KeptPose(
            tuple(None if island.tree is None else island.tree.shape() for island in self._islands),
            tuple(island.moved for island in self._islands),
        )

    def take(self, pose: KeptPose) -> None:
        """Return to a moment."""
        for island, shape, moved in zip(self._islands, pose.shapes, pose.moved, strict=True):
            island.moved = moved and shape is not None
            if island.tree is not None and shape is not None:
                island.tree.take(shape)

    def reset(self) -> None:
        """Return to the pose that the mechanism was read in, exactly."""
        for island in self._islands:
            island.moved = False
            if island.tree is not None and island.first is not None:
                island.tree.take(island.first)

    def _tree(self, island: _Island) -> Tree:
        """Return the tree of an island, built when it is first needed."""
        if island.tree is None:
            links: list[Link] = [self._reading.links[node] for node in island.joints]
            island.tree = Tree(links, island.roots, self._reading.worlds)
            island.first = island.tree.shape()
        return island.tree


def _go_to(tree: Tree, number: int, at: int, wanted: float) -> float:
    """Bring one value of one link to where it is wanted; return the gap that is left."""
    dof = tree.dof(number, at)
    if tree.in_loop[dof]:
        Search(tree, ValueGoal(dof, wanted)).run()
        if abs(float(tree.values[number, at]) - wanted) > NEAR:
            return close(tree)
    tree.values[number, at] = wanted
    tree.place()
    return close(tree, hold=dof)


def _stay(tree: Tree, before: Shape, slot: int) -> None:
    """Carry all bodies along so that one of them is where it was."""
    carry = before.world[slot] @ np.linalg.inv(tree.world[slot])
    tree.world = carry @ tree.world
