# SPDX-License-Identifier: GPL-3.0-or-later
"""From a mechanism to its articulations: which body is the root, and which joints close loops.

An island of bodies that forces move is a tree that hangs by one joint, its base:

* A joint to the world or to a static body, which is a part of the world, makes a fixed base: the
  robot arm bolted to the floor. Of several it is the one that an author has called the root, or
  that holds a body so called (``model.unknown``); then the one with the fewest degrees of freedom,
  since what is bolted on is the base, and what also slides or turns there is a hand; then the
  first.
* Otherwise a joint to a kinematic body does, chosen alike. That body is the root, with a FREE joint
  of its own, since Newton lets kinematic bodies hang on nothing but the world: its coordinates are
  what moves it. Islands that hang on the same one are one articulation.
* Otherwise the base floats: a FREE joint leads from the world to the root. That is the body which
  an author has called so. Where joints come from
  a tree that was read (``Edge.from_parent``) that is its root. Else it is the topmost body, since
  an author who has put bodies below one another has said what hangs on what; then
  the heaviest, the central mass that wheels or limbs are attached to; then the one with the most
  joints; then the first. (UsdPhysics, "Articulations", asks for the central mass.)

From the root on, the joint that reaches a body first is in the tree, so that chains are short and
loops are cut far from the root; what is left closes loops. Joints that an author has excluded come
last. Joints are listed limb by limb. All ties
are broken by the order of nodes, so the same mechanism has the same trees.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, replace
from math import isfinite

from ..body import MotionType
from ..geometry.frames import is_sound, rigid_frame
from ..geometry.transform import IDENTITY, Matrix, inverse, multiply
from ..mechanics.islands import Island, islands_of
from ..mechanics.sagging import mass_of
from ..mechanism import Mechanism
from ..unknown import EXCLUDED, ROOT, says
from .joints import (
    SIX_AXES,
    Articulation,
    ArticulationJoint,
    Base,
    JointType,
    Room,
    frames_of,
    room_of,
)

CONNECTED = "connected"
"""Last word of the names of connected nodes where reading has put each joint node on the body that
the file calls the parent: a mechanism has no other word for that."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A joint between two bodies, as it is stored."""

    node: int
    bodies: tuple[int | None, int | None]
    """Of the joint's node, and of the connected node."""
    frames: tuple[Matrix, Matrix]
    """World from the frames of both nodes, rigid."""
    room: Room
    from_parent: bool
    """Whether its file calls the body of the joint's node the parent."""
    is_root: bool
    """Whether an author has said that an articulation begins by it."""
    is_excluded: bool
    """Whether an author has said that it is in none."""


def is_movable(mechanism: Mechanism, body: int | None) -> bool:
    """Return whether forces move a body."""
    motion = mechanism.motion_of(body)
    return motion is not None and motion.is_movable


def is_static(mechanism: Mechanism, body: int | None) -> bool:
    """Return whether a body is part of the world."""
    motion = mechanism.motion_of(body)
    return motion is None or motion.type is MotionType.STATIC


def is_kinematic(mechanism: Mechanism, body: int | None) -> bool:
    """Return whether a body moves, but no force moves it: one of infinite mass is so too."""
    return not (is_movable(mechanism, body) or is_static(mechanism, body))


def edges_of(mechanism: Mechanism) -> list[Edge]:
    """Return the joints that move something, in node order."""
    edges = []
    rooms = [room_of(settings) for settings in mechanism.settings]
    for index, node, joint in mechanism.joints():
        known = 0 <= joint.settings < len(rooms)
        if not (known and 0 <= joint.connected_node < len(mechanism.nodes)):
            continue
        other = mechanism.nodes[joint.connected_node]
        bodies = (mechanism.body_of(index), mechanism.body_of(joint.connected_node))
        if bodies[0] == bodies[1] or not any(is_movable(mechanism, body) for body in bodies):
            continue
        if is_sound(node.world) and is_sound(other.world):
            settings = mechanism.settings[joint.settings]
            frames = (rigid_frame(node.world, settings), rigid_frame(other.world, settings))
            from_parent = other.name.lower().endswith(CONNECTED)
            words = (says(joint.unknown, ROOT), says(joint.unknown, EXCLUDED))
            edges.append(Edge(index, bodies, frames, rooms[joint.settings], from_parent, *words))
    return edges


def body_world(mechanism: Mechanism, body: int) -> Matrix:
    """Return the rigid frame of a body in its rest pose; at the origin where it is flat."""
    world = mechanism.nodes[body].world
    return rigid_frame(world) if is_sound(world) else IDENTITY


def articulations_of(mechanism: Mechanism) -> tuple[Articulation, ...]:
    """Return the articulations of a mechanism, in the order of their first bodies.

    Bodies without a joint are in none, and neither are joints between bodies that no force moves,
    within one body, or whose frames have no direction. Coordinates are numbered as in one model of
    Newton that holds these articulations and nothing else: tree by tree, then what closes loops.
    Nothing is turned: the axes are those of the mechanism.
    """
    return _numbered(_Forest(mechanism).articulations())


class _Forest:
    """The islands of a mechanism while they become trees."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.edges = edges_of(mechanism)
        self.ends = [edge.bodies for edge in self.edges]
        self.inverses: dict[int, Matrix] = {}
        movable = [body for body in range(len(mechanism.nodes)) if is_movable(mechanism, body)]
        self.islands = [one for one in islands_of(movable, self.ends) if one.joints]

    def articulations(self) -> list[Articulation]:
        """Return the articulations, their coordinates not yet numbered."""
        found: dict[tuple[str, int], Articulation] = {}
        for number, island in enumerate(self.islands):
            base, key = self._base(island), ("island", number)
            if base is None:
                root = self._floating_root(island)
                first, held = _free(root), Base.FLOATING
            else:
                edge = self.edges[base]
                root = next(_known(body) for body in edge.bodies if body in island.bodies)
                first = self._joint(edge, root)
                held = Base.FLOATING if first.type is JointType.FREE else Base.FIXED
                if first.parent is not None:
                    key = ("kinematic", first.parent)
                    found.setdefault(key, _kinematic(first.parent))
            joints, loops = self._grown(island, root, base)
            have = found.get(key, Articulation(held, ()))
            found[key] = replace(
                have, joints=(*have.joints, first, *joints), loops=(*have.loops, *loops)
            )
        for body in (body for edge in self.edges for body in edge.bodies):
            if body is not None and is_kinematic(self.mechanism, body):
                found.setdefault(("kinematic", body), _kinematic(body))
        return list(found.values())

    def _base(self, island: Island[int]) -> int | None:
        """Return the joint by which an island hangs, None where it floats."""
        own = set(island.bodies)
        roots = self._authored(island)

        def rank(joint: int) -> tuple[bool, bool, bool, bool, int, int]:
            edge = self.edges[joint]
            holder = next(body for body in edge.bodies if body not in own)
            elsewhere, stands = roots.isdisjoint(edge.bodies), is_static(self.mechanism, holder)
            words = (not edge.is_root, elsewhere, edge.is_excluded)
            return (*words, not stands, len(edge.room.free), joint)

        holding = (joint for joint in island.joints if not own.issuperset(self.ends[joint]))
        return min(holding, key=rank, default=None)

    def _authored(self, island: Island[int]) -> set[int]:
        """Return the bodies that an author has called roots."""
        nodes = self.mechanism.nodes
        return {body for body in island.bodies if says(nodes[body].unknown, ROOT)}

    def _floating_root(self, island: Island[int]) -> int:
        """Return the body by which an island that nothing holds is moved."""
        authored = self._authored(island)
        if authored:
            return min(authored)
        own = set(island.bodies)
        joints = Counter(body for joint in island.joints for body in self.ends[joint])
        led = {self.ends[joint][1] for joint in island.joints}
        tops = own - led
        if len(tops) == 1 and all(self.edges[joint].from_parent for joint in island.joints):
            return tops.pop()

        def rank(body: int) -> tuple[int, float, int, int]:
            mass = mass_of(self.mechanism, body)
            above = sum(one in own for one in self.mechanism.ancestry(body))
            return (above, -mass if isfinite(mass) else 0.0, -joints[body], body)

        return min(island.bodies, key=rank)

    def _grown(
        self, island: Island[int], root: int, base: int | None
    ) -> tuple[list[ArticulationJoint], list[ArticulationJoint]]:
        """Return the joints of a tree beyond its root, limb by limb, and those that close loops."""
        own = set(island.bodies)
        around: dict[int, list[int]] = {body: [] for body in island.bodies}
        for joint in island.joints:
            if own.issuperset(self.ends[joint]):
                for body in self.ends[joint]:
                    around[_known(body)].append(joint)
        below: dict[int, list[tuple[int, int]]] = {body: [] for body in island.bodies}
        seen, used = {root: None}, {base}
        for also_excluded in (False, True):  # only where nothing else reaches a body
            queue = deque(seen)
            while queue:
                body = queue.popleft()
                for joint in around[body]:
                    bodies = self.ends[joint]
                    child = _known(bodies[bodies[0] == body])
                    if child not in seen and (also_excluded or not self.edges[joint].is_excluded):
                        seen[child] = None
                        used.add(joint)
                        below[body].append((joint, child))
                        queue.append(child)
        tree: list[ArticulationJoint] = []
        left = below[root][::-1]
        while left:
            joint, child = left.pop()
            tree.append(self._joint(self.edges[joint], child))
            left += below[child][::-1]
        return tree, [self._loop(self.edges[joint]) for joint in island.joints if joint not in used]

    def _loop(self, edge: Edge) -> ArticulationJoint:
        """Return a joint as it is stored, unless the world would be its child."""
        first, second = edge.bodies
        return self._joint(edge, _known(first if is_static(self.mechanism, second) else second))

    def _joint(self, edge: Edge, child: int) -> ArticulationJoint:
        """Return a joint with a child; the body at its other end is the parent."""
        is_reversed = edge.bodies[0] == child
        other = edge.bodies[is_reversed]
        static = is_static(self.mechanism, other)
        local = [
            frame if static and body != child else multiply(self._body_from_world(body), frame)
            for body, frame in zip(edge.bodies, edge.frames, strict=True)
        ]
        frames = frames_of(edge.room, (local[0], local[1]), is_reversed=is_reversed)
        return ArticulationJoint(
            node=edge.node,
            type=edge.room.type,
            parent=None if static else other,
            child=child,
            parent_frame=frames.parent,
            child_frame=frames.child,
            axes=frames.axes,
            is_reversed=is_reversed,
            static_parent=other if static else None,
        )

    def _body_from_world(self, body: int | None) -> Matrix:
        """Return the inverse of a body's rest pose, which each of its joints asks for."""
        node = _known(body)
        if node not in self.inverses:
            self.inverses[node] = inverse(body_world(self.mechanism, node))
        return self.inverses[node]


def _free(body: int) -> ArticulationJoint:
    """Return the joint of a body that no joint holds to the world: its pose is its coordinates."""
    return ArticulationJoint(None, JointType.FREE, None, body, IDENTITY, IDENTITY, SIX_AXES)


def _kinematic(body: int) -> Articulation:
    """Return the articulation of a kinematic body, nothing hanging on it yet."""
    return Articulation(Base.KINEMATIC, (_free(body),))


def _known(body: int | None) -> int:
    """Return a body that is known to be no part of the world."""
    assert body is not None
    return body


def _numbered(articulations: list[Articulation]) -> tuple[Articulation, ...]:
    """Return articulations whose joints know where their coordinates begin."""
    q = qd = 0

    def counted(joints: tuple[ArticulationJoint, ...]) -> tuple[ArticulationJoint, ...]:
        nonlocal q, qd
        out = []
        for joint in joints:
            out.append(replace(joint, q_start=q, qd_start=qd))
            q += joint.counts.q
            qd += joint.counts.qd
        return tuple(out)

    trees = [replace(one, joints=counted(one.joints)) for one in articulations]
    return tuple(replace(one, loops=counted(one.loops)) for one in trees)
