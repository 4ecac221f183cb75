# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents of ours as a robot: trees of links from joints, and what closes loops beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import combinations
from math import inf

from ...model.articulation.joints import Articulation, ArticulationJoint
from ...model.articulation.kinematics import (
    first_motions,
    joint_coordinates,
    rest_poses,
    velocities_of,
)
from ...model.articulation.trees import articulations_of, is_movable
from ...model.body import CollisionFilter, Motion, MotionType
from ...model.contents import Contents
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.frames import is_sound, rigid_frame
from ...model.geometry.transform import IDENTITY, Matrix, apply, inverse, linear_part, multiply
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism
from ...model.unknown import unknown_in
from ...model.wording.findings import Findings
from ...weighing.inertia import guessed_bodies, measured_contents, parts_of_bodies
from ..element import plain, unique
from ..masses import weighed, without_light
from ..remarks import NOTHING, Remarks, remarks_in
from ..robot import WORLD, Geom, Link, Robot, in_axes_of
from ..turning import is_none, quaternion_of
from .geoms import Geoms
from .joints import PlacedJoint, axes_of, ball_turn, is_free, loop_of
from .leaders import with_leaders
from .speeds import allowed

LAST = 10**9
"""The place of what no file has given one."""


def robot_of(contents: Contents, name: str, findings: Findings, *, has_planes: bool) -> Robot:
    """Return contents as a robot."""
    for index in contents.led:
        findings.note("animated", contents.mechanism.name_of(index))
    return _LinkMaker(contents, findings, has_planes=has_planes).robot(name)


class _LinkMaker:
    """Makes links of nodes; everything Z up."""

    def __init__(self, contents: Contents, findings: Findings, *, has_planes: bool) -> None:
        self._measured = measured_contents(contents, guessed_bodies(contents.mechanism))
        """Y up, with all scale: what bodies weigh by."""
        self._mechanism = upright(self._measured)
        self._findings = findings
        self._geoms = Geoms(self._mechanism, contents, findings, has_planes)
        self._parts = parts_of_bodies(self._mechanism)
        self._links: list[Link] = []
        self._worlds = {WORLD: IDENTITY}
        self._numbers: dict[int, int] = {}
        self._names: set[str] = {"world"}
        self._frames = self._joint_nodes()
        self._fixed = _fixed_joints(self._mechanism)

    def robot(self, name: str) -> Robot:
        """Return the robot."""
        articulations = articulations_of(self._mechanism)
        for index in unknown_in(self._mechanism):
            self._findings.note("unknown", self._node_name(index) or "the whole file")
        self._add_standing()
        self._add_trees(articulations)
        self._add_rigid()
        world_geoms = self._add_geoms()
        loops = []
        for joint in (joint for one in articulations for joint in one.loops):
            loop = loop_of(joint, self._mechanism, self._link_of)
            if loop is None:
                self._findings.note("loop", self._node_name(joint.node))
            else:
                loops.append(loop)
        pairs = apart(self._mechanism, self._link_of, self._links, self._findings)
        links, gravity = tuple(self._links), self._mechanism.gravity
        robot = Robot(name, links, world_geoms, tuple(loops), gravity=gravity, apart=pairs)
        robot = without_light(robot)
        return replace(robot, links=with_leaders(robot.links, self._findings))

    def _node_name(self, index: int | None) -> str:
        return plain(self._mechanism.name_of(index))

    def _joint_nodes(self) -> set[int]:
        """Return the nodes of all frames of joints; what joints and bodies lose is noted."""
        found: set[int] = set()
        for index, _node, joint in self._mechanism.all_joints():
            name = self._mechanism.name_of(index)
            if not joint.enabled:
                self._findings.note("muted", name)
                continue
            found |= {index, joint.connected_node}
            held = [self._mechanism.body_of(end) for end in (index, joint.connected_node)]
            if any(map(self._mechanism.is_dynamic, held)) and not any(
                is_movable(self._mechanism, body) for body in held
            ):
                self._findings.note("infinite", name)
            if joint.breaking is not None and joint.breaking != type(joint.breaking)():
                self._findings.note("break", name)
        for index, node in enumerate(self._mechanism.nodes):
            if node.motion is not None and node.motion.starts_asleep:
                self._findings.note("asleep", self._mechanism.name_of(index))
        return found

    def _link_of(self, node: int | None) -> int:
        """Return the link of a body's node; the world where there is none."""
        return WORLD if node is None else self._numbers.get(node, WORLD)

    def _add(self, node: int, link: Link, world: Matrix) -> None:
        number = self._numbers[node] = len(self._links)
        placed = world if link.free else multiply(inverse(self._worlds[link.parent]), world)
        name = unique(link.name or "link", self._names)
        self._links.append(replace(link, name=name, placed=placed))
        self._worlds[number] = world

    def _add_standing(self) -> None:
        """Add what forces do not move; a static body named world is the world itself."""
        for index, node in enumerate(self._mechanism.nodes):
            motion = node.motion
            if motion is None or motion.is_movable or not self._is_placed(index):
                continue
            world = rigid_frame(node.world)
            if motion.type is MotionType.STATIC and node.name == "world" and is_none(world):
                self._numbers[index] = WORLD
                continue
            is_led = motion.type is MotionType.KINEMATIC
            launched = _launched(Link(node.name, led=is_led), motion, world)
            self._add(index, replace(launched, free=False), world)

    def _is_placed(self, index: int) -> bool:
        if is_sound(self._mechanism.nodes[index].world):
            return True
        self._findings.note("number", self._node_name(index))
        return False

    def _add_trees(self, articulations: tuple[Articulation, ...]) -> None:
        poses = rest_poses(self._mechanism, articulations)
        motions = first_motions(self._mechanism, articulations)
        speeds = velocities_of(articulations, poses, motions)
        # Parents come first, and else joints in the order of a file that was read.
        below: dict[int | None, list[tuple[int, int, ArticulationJoint | None]]] = {}
        for articulation in articulations:
            numbers = [self._number(joint) for joint in articulation.joints]
            numbers[0] = min(numbers[1:] or numbers) if numbers[0] < 0 else numbers[0]
            for number, joint in zip(numbers, articulation.joints, strict=True):
                below.setdefault(joint.parent, []).append((number, joint.child, joint))
        waiting = [*below.get(None, []), *self._loose(articulations)]
        heapify(waiting)
        while waiting:
            _, child, moved = heappop(waiting)
            if moved is None:
                self._add_loose(child)
            elif child not in self._numbers:  # a kinematic root is there already
                own = speeds[moved.qd_start : moved.qd_start + moved.counts.qd]
                self._add_child(moved, poses, own)
            for one in below.get(child, ()):
                heappush(waiting, one)
        said = {self._numbers[i]: one for i, one in motions.items() if i in self._numbers}
        self._links = allowed(self._links, said)

    def _loose(self, trees: Iterable[Articulation]) -> Iterator[tuple[int, int, None]]:
        """Yield the place and the node of bodies that forces move and no joint joins."""
        joined = {joint.child for tree in trees for joint in tree.joints}
        for index, node in enumerate(self._mechanism.nodes):
            if node.motion is None or index in self._numbers or index in joined:
                continue
            if self._is_placed(index):
                number = _place(remarks_in(node.motion.unknown))
                yield (LAST if number < 0 else number, index, None)

    def _number(self, joint: ArticulationJoint) -> int:
        """Return which place a joint had among those of a file; -1 where nothing says it."""
        node = self._mechanism.nodes[joint.child if joint.node is None else joint.node]
        said = node.motion if joint.node is None else node.joint
        return -1 if said is None else _place(remarks_in(said.unknown))

    def _add_child(
        self, joint: ArticulationJoint, poses: dict[int, Matrix], speeds: tuple[float, ...]
    ) -> None:
        node = self._mechanism.nodes[joint.child]
        assert node.motion is not None
        link, world = self._link(joint.child, node.motion), poses[joint.child]
        if joint.node is None or is_free(joint):
            if joint.node is not None:
                self._findings.note("free", self._node_name(joint.node))
            self._add(joint.child, _launched(link, node.motion, world), world)
            return
        above = joint.parent if joint.parent is not None else joint.static_parent
        parent = self._link_of(above)
        stored = self._mechanism.nodes[joint.node].joint
        assert stored is not None
        ends = (self._mechanism.nodes[i] for i in (joint.node, stored.connected_node))
        settings = self._mechanism.settings_of(stored)
        first, second = (rigid_frame(end.world, settings) for end in ends)
        placed = PlacedJoint(
            joint,
            settings,
            self._node_name(joint.node),
            IDENTITY if joint.parent is None else self._worlds[parent],
            world,
            joint_coordinates(joint, poses),
            (first, second),
            remarks_in(stored.unknown),
        )
        axes = axes_of(placed, self._findings)
        if remarks_in(node.motion.unknown):
            name = link.remarks.name or plain(node.name)
            self._findings.note("held-now", f"{name}, now {placed.name}")
            link = replace(link, remarks=replace(link.remarks, name=None))
        if stored.enable_collision and joint.parent is not None:
            self._findings.note("meets", placed.name)  # parents and children never meet there
        if stored.keys:
            self._findings.note("keys", placed.name)
        link = replace(link, parent=parent, axes=axes, meets_parent=stored.enable_collision)
        if placed.is_ball:
            link, world = _ball_placed(link, placed, world)
        if any(speeds):
            link = replace(link, rates=_rates(joint, placed, speeds))
        self._add(joint.child, link, world)
        self._worlds[self._numbers[joint.child]] = poses[joint.child]

    def _link(self, index: int, motion: Motion) -> Link:
        """Return a link that weighs what a body does, not placed yet."""
        parts = self._parts.get(index, ())
        mass = weighed(self._measured, index, parts, self._findings)
        remarks = next(iter(remarks_in(motion.unknown)), NOTHING)
        name = self._mechanism.nodes[index].name
        return Link(name, mass=mass, gravity=motion.gravity_factor, remarks=remarks)

    def _add_loose(self, index: int) -> None:
        node = self._mechanism.nodes[index]
        assert node.motion is not None
        world = rigid_frame(node.world)
        self._add(index, _launched(self._link(index, node.motion), node.motion, world), world)

    def _add_rigid(self) -> None:
        """Add nodes below bodies that are neither joint nor geom: links of their own name."""
        for index, node in enumerate(self._mechanism.nodes):
            if node.trigger is not None:
                self._findings.note("trigger", node.name)
            says = (node.motion, node.collider, node.trigger) != (None, None, None)
            if says or index in self._frames or index in self._geoms.contents.shown:
                continue
            above = self._above(node.parent)
            if node.name and is_sound(node.world) and above is not None:
                remarks = Remarks(name=self._fixed.get(node.name))
                self._add(index, Link(node.name, above, remarks=remarks), node.world)

    def _above(self, node: int | None) -> int | None:
        """Return the link of a node or of the first above it that has one."""
        ancestry = self._mechanism.ancestry(node)
        return next((self._numbers[one] for one in ancestry if one in self._numbers), None)

    def _add_geoms(self) -> tuple[Geom, ...]:
        """Add the geoms of links, and return those of the world."""
        geoms: dict[int, list[Geom]] = {}
        for index, node in enumerate(self._mechanism.nodes):
            seen = node.collider is not None or index in self._geoms.contents.shown
            if not seen or not is_sound(node.world):
                continue
            link = self._above(index)
            link = WORLD if link is None else link
            body = self._mechanism.body_of(index)
            moves = body is not None and self._mechanism.nodes[body].moves
            own = self._geoms.of_node(index, self._worlds[link], moves=moves)
            geoms.setdefault(link, []).extend(own)
        world_geoms = geoms.pop(WORLD, [])
        for link, found in geoms.items():
            self._links[link] = replace(self._links[link], geoms=tuple(found))
        return tuple(world_geoms)


def upright(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism of glTF Z up, all nodes in the solver's frames but those without a pose.

    Which axis of a mirrored node is turned round is a matter of glTF's axes: so frames become rigid
    before axes get other names.
    """
    settings: dict[int, JointSettings] = {}
    for index, _, joint in mechanism.joints():
        own = mechanism.settings_of(joint)
        settings |= {index: own}
        settings.setdefault(joint.connected_node, own)
    nodes = (
        replace(node, world=rigid_frame(node.world, settings.get(index)))
        if is_sound(node.world)
        else node
        for index, node in enumerate(mechanism.nodes)
    )
    return Z_UP_FROM_Y_UP.mechanism(replace(mechanism, nodes=tuple(nodes)))


def _fixed_joints(mechanism: Mechanism) -> dict[str, str]:
    """Return the names of the joints that a file fixed links by, by link."""
    parts = (part for node in mechanism.nodes for part in (node.joint, node.motion) if part)
    kept = (remarks.fixed or {} for part in parts for remarks in remarks_in(part.unknown))
    return {link: name for one in kept for link, name in one.items() if isinstance(name, str)}


def _place(remarks: Iterable[Remarks]) -> int:
    return min((one.number for one in remarks if one.number is not None), default=-1)


def _launched(link: Link, motion: Motion, world: Matrix) -> Link:
    """Return a free link with the velocities of its body."""
    turn = linear_part(world)
    return replace(
        link,
        free=True,
        velocity=apply(turn, motion.linear_velocity),
        spin=apply(turn, motion.angular_velocity),
    )


def _ball_placed(link: Link, placed: PlacedJoint, world: Matrix) -> tuple[Link, Matrix]:
    """Return a link with a ball where the ball is at zero, if it counts from there."""
    first, *others = link.axes
    if others or first.high == inf:
        return link, world
    turn = ball_turn(placed)
    ball = replace(first, turn=quaternion_of(turn))
    return replace(link, axes=(ball,)), multiply(world, inverse(turn))


def _rates(
    joint: ArticulationJoint, placed: PlacedJoint, speeds: tuple[float, ...]
) -> tuple[float, ...]:
    """Return the rates of a link's joints from those of a joint of ours, in their order."""
    along = dict(zip(joint.linear, speeds, strict=False))
    slides, turns = [along[one] for one in placed.slides], speeds[len(joint.linear) :]
    if len(turns) == 3:  # a ball turns about its own axes
        turns = in_axes_of(placed.child, apply(linear_part(placed.before), turns))
    return (*turns, *slides) if joint.is_reversed else (*slides, *turns)


Pair = tuple[int, int]
MOST = 2000
"""Links with filters whose pairs are looked at, two million at most; of more that is said."""


def apart(
    mechanism: Mechanism,
    link_of: Callable[[int | None], int],
    links: Sequence[Link],
    findings: Findings,
) -> tuple[Pair, ...]:
    """Return the pairs of links that filters keep apart."""
    filters: dict[int, frozenset[int | None]] = {}
    for index, node in enumerate(mechanism.nodes):
        if node.collider is None or node.collider.shape is None:
            continue
        number, own = link_of(mechanism.body_of(index)), {node.collider.collision_filter}
        filters[number] = filters.get(number, frozenset()) | own
    if all(one == {None} for one in filters.values()):
        return ()
    if len(filters) > MOST:
        findings.note("apart", f"any of {len(filters)} bodies")
        return ()

    @cache
    def meetings(one: frozenset[int | None], other: frozenset[int | None]) -> set[bool]:
        return {_meet(mechanism, a, b) for a in one for b in other}

    standing = {WORLD}
    standing |= {i for i, one in enumerate(links) if not one.moves and one.parent == WORLD}
    found: list[Pair] = []
    for one, other in combinations(sorted(filters), 2):
        met = meetings(filters[one], filters[other])
        if False not in met:
            continue
        link = links[other]
        is_joined = link.axes and link.parent == one and not link.meets_parent
        if is_joined or {one, other} <= standing:
            continue
        if True not in met:
            found.append((one, other))
        else:
            names = ["world" if link < 0 else links[link].name for link in (one, other)]
            findings.note("filter", " and ".join(names))
    return tuple(found)


def _meet(mechanism: Mechanism, one: int | None, other: int | None) -> bool:
    """Return whether two filters let shapes meet."""
    a, b = (
        CollisionFilter() if index is None else mechanism.collision_filters[index]
        for index in (one, other)
    )
    return a.meets(b)
