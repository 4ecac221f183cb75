# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents of ours as a robot: trees of links from joints, and what closes loops beside them."""

from __future__ import annotations

from dataclasses import replace

from ...model.articulation import (
    Articulation,
    ArticulationJoint,
    articulations_of,
    first_motions,
    joint_coordinates,
    rest_poses,
    velocities_of,
)
from ...model.articulation.joint_types import JointType
from ...model.body import Motion, MotionType
from ...model.contents import Contents
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.frames import is_sound, rigid_frame
from ...model.geometry.transform import (
    IDENTITY,
    Matrix,
    apply,
    inverse,
    linear_part,
    multiply,
    transpose,
)
from ...model.joint import JointNode
from ...model.wording.findings import Findings
from ..element import plain, unique
from ..lightening import without_light
from ..robot import WORLD, Geom, Link, Robot, Way
from ..rooting import rooted
from ..turning import is_none, quaternion_of
from .axes import PlacedJoint, axes_of, ball_turn, is_free
from .contacts import apart
from .geoms import Geoms
from .loops import loop_of
from .masses import Masses, measured_meshes


def robot_of(contents: Contents, name: str, findings: Findings, *, has_planes: bool) -> Robot:
    """Return contents as a robot."""
    taking = _Taking(contents, findings, has_planes=has_planes)
    return taking.robot(name)


class _Taking:
    """Makes links of nodes; everything Z up."""

    def __init__(self, contents: Contents, findings: Findings, *, has_planes: bool) -> None:
        self._mechanism = measured_meshes(Z_UP_FROM_Y_UP.mechanism(contents.mechanism), contents)
        self._findings = findings
        self._geoms = Geoms(self._mechanism, contents, findings, has_planes)
        self._masses = Masses(self._mechanism, findings)
        self._links: list[Link] = []
        self._worlds: list[Matrix] = []
        self._numbers: dict[int, int] = {}
        self._names: set[str] = {"world"}
        self._frames = self._joint_nodes()
        self._world_geoms: list[Geom] = []

    def robot(self, name: str) -> Robot:
        """Return the robot."""
        articulations = articulations_of(rooted(self._mechanism))
        self._add_standing()
        self._add_trees(articulations)
        self._add_loose()
        self._add_rigid()
        self._add_geoms()
        loops = []
        for joint in (joint for one in articulations for joint in one.loops):
            loop = loop_of(joint, self._mechanism, self._link_of)
            if loop is None:
                self._note("loop", self._node_name(joint.node))
            else:
                loops.append(loop)
        links = self._links
        pairs = apart(self._mechanism, self._link_of, links, self._findings)
        return without_light(
            Robot(
                name,
                tuple(links),
                tuple(self._world_geoms),
                tuple(loops),
                gravity=self._mechanism.gravity,
                apart=pairs,
            )
        )

    def _note(self, code: str, name: str) -> None:
        self._findings.note(code, name)

    def _node_name(self, index: int | None) -> str:
        return "" if index is None else plain(self._mechanism.nodes[index].name) or f"node {index}"

    def _joint_nodes(self) -> set[int]:
        joints = list(self._mechanism.joints())
        for index, node, joint in joints:
            if joint.breaking is not None and joint.breaking != type(joint.breaking)():
                self._note("break", node.name or f"node {index}")
        for index, node, joint in self._mechanism.all_joints():
            if not joint.enabled:
                self._note("muted", node.name or f"node {index}")
        for index, node in enumerate(self._mechanism.nodes):
            if node.motion is not None and node.motion.starts_asleep:
                self._note("asleep", node.name or f"node {index}")
        return {index for index, _, joint in joints} | {
            joint.connected_node for _, _, joint in joints
        }

    def _link_of(self, node: int | None) -> int:
        """Return the link of a body's node; the world where there is none."""
        return WORLD if node is None else self._numbers.get(node, WORLD)

    def _world(self, link: int) -> Matrix:
        return IDENTITY if link == WORLD else self._worlds[link]

    def _add(self, node: int, link: Link, world: Matrix) -> None:
        self._numbers[node] = len(self._links)
        placed = multiply(inverse(self._world(link.parent)), world)
        placed = world if link.free else placed
        name = unique(plain(link.name) or "link", self._names)
        self._links.append(replace(link, name=name, placed=placed))
        self._worlds.append(world)

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
            led = motion.type is not MotionType.STATIC
            self._add(index, Link(node.name, led=led), world)

    def _is_placed(self, index: int) -> bool:
        if is_sound(self._mechanism.nodes[index].world):
            return True
        self._note("number", self._node_name(index))
        return False

    def _add_trees(self, articulations: tuple[Articulation, ...]) -> None:
        poses = rest_poses(self._mechanism, articulations)
        speeds = velocities_of(articulations, poses, first_motions(self._mechanism, articulations))
        for articulation in articulations:
            for joint in articulation.joints:
                if joint.child in self._numbers:  # a kinematic root
                    continue
                own = speeds[joint.qd_start : joint.qd_start + joint.counts.qd]
                self._add_child(joint, poses, own)

    def _add_child(
        self, joint: ArticulationJoint, poses: dict[int, Matrix], speeds: tuple[float, ...]
    ) -> None:
        node = self._mechanism.nodes[joint.child]
        assert node.motion is not None
        link = Link(
            node.name,
            mass=self._masses.of(joint.child, node.motion),
            gravity=node.motion.gravity_factor,
        )
        world = poses[joint.child]
        if joint.node is None or is_free(joint):
            if joint.node is not None:
                self._note("free", self._node_name(joint.node))
            self._add(joint.child, _launched(link, node.motion, world), world)
            return
        above = joint.parent if joint.parent is not None else joint.static_parent
        parent = self._link_of(above)
        stored = self._mechanism.nodes[joint.node].joint
        assert stored is not None
        held = IDENTITY if joint.parent is None else self._world(parent)
        placed = PlacedJoint(
            joint,
            self._mechanism.settings_of(stored),
            self._node_name(joint.node),
            held,
            world,
            joint_coordinates(joint, poses),
            self._stored_frames(joint.node, stored),
        )
        axes = axes_of(placed, self._findings)
        if stored.enable_collision and joint.parent is not None:
            self._note("meets", placed.name)  # parents and children never meet there
        link = replace(link, parent=parent, axes=axes, meets_parent=stored.enable_collision)
        if joint.type is JointType.BALL or any(axis.way is Way.BALL for axis in axes):
            link, world = _ball_placed(link, placed, world)
        if any(speeds):
            link = replace(link, rates=_rates(joint, placed, speeds))
        self._add(joint.child, link, world)
        self._worlds[-1] = poses[joint.child]

    def _stored_frames(self, index: int, joint: JointNode) -> tuple[Matrix, Matrix]:
        nodes, settings = self._mechanism.nodes, self._mechanism.settings_of(joint)
        ends = (nodes[index], nodes[joint.connected_node])
        first, second = (rigid_frame(node.world, settings) for node in ends)
        return first, second

    def _add_loose(self) -> None:
        """Add bodies that forces move and no joint joins."""
        for index, node in enumerate(self._mechanism.nodes):
            if node.motion is None or index in self._numbers or not self._is_placed(index):
                continue
            link = Link(
                node.name,
                mass=self._masses.of(index, node.motion),
                gravity=node.motion.gravity_factor,
            )
            world = rigid_frame(node.world)
            self._add(index, _launched(link, node.motion, world), world)

    def _add_rigid(self) -> None:
        """Add nodes below bodies that are neither joint nor geom: links of their own name."""
        for index, node in enumerate(self._mechanism.nodes):
            parts = (node.motion, node.collider, node.trigger)
            if node.trigger is not None:
                self._note("trigger", node.name)
            if (
                index in self._frames
                or index in self._geoms.contents.shown
                or any(part is not None for part in parts)
                or not node.name
                or not is_sound(node.world)
            ):
                continue
            above = next(
                (one for one in self._mechanism.ancestry(node.parent) if one in self._numbers), None
            )
            if above is not None and self._numbers[above] != WORLD:
                link = Link(node.name, self._numbers[above])
                self._add(index, link, rigid_frame(node.world))

    def _add_geoms(self) -> None:
        geoms: dict[int, list[Geom]] = {}
        for index, node in enumerate(self._mechanism.nodes):
            seen = node.collider is not None or index in self._geoms.contents.shown
            if not seen or not is_sound(node.world):
                continue
            above = next(
                (one for one in self._mechanism.ancestry(index) if one in self._numbers), None
            )
            link = WORLD if above is None else self._numbers[above]
            body = self._mechanism.body_of(index)
            moves = body is not None and self._moves(body)
            own = self._geoms.of_node(index, self._world(link), moves=moves)
            geoms.setdefault(link, []).extend(own)
        self._world_geoms = geoms.pop(WORLD, [])
        for link, found in geoms.items():
            self._links[link] = replace(self._links[link], geoms=tuple(found))

    def _moves(self, body: int) -> bool:
        motion = self._mechanism.nodes[body].motion
        return motion is not None and motion.type is not MotionType.STATIC


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
    axes = list(link.axes)
    at = next(i for i, axis in enumerate(axes) if axis.way is Way.BALL)
    if axes[at].high == float("inf") or len(axes) > 1:
        return link, world
    turn = ball_turn(placed)
    axes[at] = replace(axes[at], turn=quaternion_of(turn))
    return replace(link, axes=tuple(axes)), multiply(world, inverse(turn))


def _rates(
    joint: ArticulationJoint, placed: PlacedJoint, speeds: tuple[float, ...]
) -> tuple[float, ...]:
    """Return the rates of a link's joints from those of a joint of ours, in their order."""
    slides, turns = speeds[: len(joint.linear)], speeds[len(joint.linear) :]
    if len(turns) == 3:  # a ball turns about its own axes
        before = linear_part(multiply(placed.parent, joint.parent_frame))
        spin = apply(before, (turns[0], turns[1], turns[2]))
        turns = apply(transpose(linear_part(placed.child)), spin)
    return (*turns, *slides) if joint.is_reversed else (*slides, *turns)
