# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism that is posed by hand: values set, points dragged, moments kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import hypot, inf, isfinite

import numpy as np

from ..model.body import Vector3
from ..model.geometry.frames import is_sound, rigid_frame
from ..model.geometry.transform import IDENTITY, Matrix
from ..model.joint import Freedom
from ..model.mechanics.islands import islands_of
from ..model.mechanism import Mechanism
from ..solver.kinematics.rotation import Array, quaternion_of
from .descent import Descent, PointGoal, ValueGoal, close
from .links import read_links
from .spanning_tree import SpanningTree, TreeState, turns_of

NEAR = 1e-6
"""m or rad: nearer to what was asked for counts as reached."""


@dataclass(frozen=True, slots=True)
class Posed:
    """How near one request was met."""

    reached: bool
    """Whether the bodies are where they were wanted, and all joints hold."""
    off: float
    """m or rad from what was asked for, limits kept."""
    gap: float = 0.0
    """m by which joints that close a loop are apart (angles times the island's size)."""


KeptPose = tuple[TreeState, ...]
"""A moment to return to. It belongs to the posing that made it."""


class Posing:
    """A mechanism that is posed.

    Nothing in here raises because of what a mechanism says: what cannot be posed is an issue, and
    what cannot be reached is come near to, and said.

    Attributes:
        body_nodes: nodes with a motion, in their order.
        links: the joints that can be posed, with their bounds, by node in node order.
        joint_nodes: their nodes.
        issues: why others cannot.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        """Read a mechanism in glTF axes; it starts in the pose that it has."""
        found = [(i, node.world, node.motion) for i, node in enumerate(mechanism.nodes)]
        bodies = [(i, world, motion) for i, world, motion in found if motion is not None]
        self.body_nodes = tuple(i for i, _, _ in bodies)
        frames = [rigid_frame(world) if is_sound(world) else IDENTITY for _, world, _ in bodies]
        self._rest = np.array([*frames, IDENTITY])
        # What is static, kinematic or infinitely heavy stays.
        movable = [k for k, (_, _, motion) in enumerate(bodies) if motion.is_movable]
        self.links, self.issues = read_links(mechanism, self.body_nodes, self._rest, movable)
        self.joint_nodes = tuple(self.links)
        mass = [motion.mass if isfinite(motion.mass) else 0.0 for _, _, motion in bodies]
        ends = [link.bodies for link in self.links.values()]
        self._trees: list[SpanningTree] = []
        self._of_joint: dict[int, tuple[SpanningTree, int]] = {}
        self._of_body: dict[int, tuple[SpanningTree, int]] = {}
        """Tree, and number in it, of each joint and of each body that may move, by node."""
        for island in (one for one in islands_of(movable, ends) if one.joints):
            moving = set(island.bodies)
            still = [body for joint in island.joints for body in ends[joint] if body not in moving]
            roots = list(dict.fromkeys(still)) or [max(island.bodies, key=mass.__getitem__)]
            links = [self.links[self.joint_nodes[joint]] for joint in island.joints]
            tree = SpanningTree(links, roots, self._rest, floats=not still)
            self._trees.append(tree)
            self._of_joint |= {link.node: (tree, number) for number, link in enumerate(tree.links)}
            self._of_body |= {self.body_nodes[body]: (tree, tree.slot_of[body]) for body in moving}

    @property
    def positions(self) -> Array:
        """World positions of the origins of the body nodes: (n, 3), m."""
        return np.asarray(self._worlds()[:, :3, 3])

    @property
    def rotations(self) -> Array:
        """World rotations of the body nodes: (n, 4), x y z w."""
        return quaternion_of(self._worlds()[:, :3, :3])

    def _worlds(self) -> Array:
        out: Array = self._rest[:-1].copy()
        for row, node in enumerate(self.body_nodes):
            tree, slot = self._of_body.get(node, (None, 0))
            if tree is not None and tree.moved:
                out[row] = tree.world[slot]
        return out

    def world_of(self, row: int) -> Matrix:
        """Return the pose of one of ``body_nodes``, world from body."""
        return tuple(map(tuple, self._worlds()[row].tolist()))

    def values(self, joint_node: int) -> Array:
        """Return where a joint stands: X Y Z in m, X Y Z in rad, as ``settings.coordinates`` says.

        Raises:
            KeyError: the node has no joint that can be posed; so in all that follows.
        """
        tree, number = self._of_joint[joint_node]
        return tree.values_of(number) if tree.moved else self.links[joint_node].start.copy()

    def set_value(self, joint_node: int, freedom: Freedom, axis: int, value: float) -> Posed:
        """Set one value of a joint, m or rad, within its bounds, and let everything else follow.

        Without a loop, one side of the joint moves rigidly: the one that hangs from the other, or,
        where nothing stands still, the connected one. Within a loop the other joints give way with
        the least change, along the way from here to there.
        """
        link, at = self.links[joint_node], axis + 3 * (freedom is Freedom.ANGULAR)
        if not isfinite(value):
            return Posed(False, inf)
        wanted = float(np.clip(value, link.low[at], link.high[at]))
        if not link.free[at]:
            return Posed(abs(value - wanted) <= NEAR, abs(value - wanted))
        tree, number = self._of_joint[joint_node]
        before = tree.state()
        if at >= 3:  # a rotation has no angle to set
            tree.values[number] = tree.values_of(number)
            tree.ball[number] = False
        gap = _attempt(_go_to, tree, number, at, wanted)
        off = abs(float(tree.values[number, at]) - wanted)
        tree.ball[number] = link.ball
        if tree.floats:  # the joint's body stays where it was
            slot = tree.slot_of[link.bodies[0]]
            tree.carry(before[2][slot] @ np.linalg.inv(tree.world[slot]))
        return _ended(tree, before, off, gap)

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
        reach, and then all follow. A body without joints, or that stands still, does not move.
        The point is in m in the rigid frame of the body's node, the place in m in the world.
        ``keep_orientation`` asks that the body also stays turned as it is.
        """
        numbers = np.array([*point_local, *target_world], dtype=np.float64)
        if body_node not in self._of_body or not np.isfinite(numbers).all():
            return Posed(False, inf)
        tree, slot = self._of_body[body_node]
        before = tree.state()
        turn = tree.world[slot, :3, :3].copy() if keep_orientation else None
        goal = PointGoal(slot, numbers[:3], numbers[3:], turn)
        gap = _attempt(Descent(tree, goal).run)
        if tree.floats:
            shift = np.eye(4)
            shift[:3, 3] = -goal.off(tree)
            tree.carry(shift)
        return _ended(tree, before, hypot(*goal.off(tree).tolist()), gap)

    def take_values(self, values: Mapping[int, Array]) -> Posed:
        """Set all free values (6,), m and rad, of some joints at once, by node, within bounds."""
        touched: dict[SpanningTree, TreeState] = {}
        for node, (tree, number) in self._of_joint.items():
            if node in values and np.isfinite(values[node]).all():
                link = self.links[node]
                if tree not in touched:
                    touched[tree] = tree.state()
                bounded = np.clip(values[node], link.low, link.high)
                tree.values[number, link.free] = bounded[link.free]
                tree.turns[number] = turns_of(tree.values[number : number + 1, 3:])[0]
        done = [Posed(True, 0.0)]
        for tree, before in touched.items():
            done.append(_ended(tree, before, 0.0, _attempt(_settle, tree)))
        return max(done, key=lambda posed: posed.gap)

    def pose(self) -> KeptPose:
        """Return this moment, for ``take``."""
        return tuple(tree.state() for tree in self._trees)

    def take(self, pose: KeptPose) -> None:
        """Return to a moment."""
        for tree, state in zip(self._trees, pose, strict=True):
            tree.take(state)

    def reset(self) -> None:
        """Return to the pose that the mechanism was read in, exactly."""
        self.take(tuple(tree.first for tree in self._trees))


def _attempt(work: Callable[..., float], *given: object) -> float:
    """Do something; return the gap that is left, infinite where numbers were too absurd for it."""
    try:
        with np.errstate(all="ignore"):
            return work(*given)
    except np.linalg.LinAlgError:
        return inf


def _ended(tree: SpanningTree, before: TreeState, off: float, gap: float) -> Posed:
    """Return how it ended; what is no pose at all is not kept."""
    sound = np.isfinite(tree.world).all() and np.isfinite(tree.values).all()
    if not sound or not isfinite(gap):
        tree.take(before)
        return Posed(False, off if isfinite(off) else inf, gap if isfinite(gap) else inf)
    tree.moved = True
    return Posed(off <= NEAR and gap <= NEAR * max(1.0, tree.size), off, gap)


def _settle(tree: SpanningTree) -> float:
    """Place bodies where values say, and close loops; return the gap that is left."""
    tree.place()
    return close(tree)


def _go_to(tree: SpanningTree, number: int, at: int, wanted: float) -> float:
    """Bring one value of one link to where it is wanted; return the gap that is left."""
    unknown = tree.unknown(number, at)
    if tree.in_loop[unknown]:
        gap = Descent(tree, ValueGoal(unknown, wanted)).run()
        if abs(float(tree.values[number, at]) - wanted) > NEAR:
            return gap
    tree.values[number, at] = wanted
    tree.place()
    return close(tree, hold=unknown)
