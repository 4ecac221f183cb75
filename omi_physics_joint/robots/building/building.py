# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot as contents of ours: bodies side by side, joined by joints.

Links that move are bodies, all directly below one node, since most engines stumble over bodies
below bodies. A link that is rigid with its parent is a node below it, with its name, and its mass
is the body's. Where the joints of one link are no single joint of ours, light links stand in
between (``lightening``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...model.body import (
    Collider,
    CollisionFilter,
    Combine,
    Motion,
    MotionType,
    PhysicsMaterial,
    Vector3,
)
from ...model.contents import Contents, Triangles
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.geometry.transform import IDENTITY_ROTATION, Matrix, inverse, multiply
from ...model.joint import JointNode, JointSettings
from ...model.mechanism import Mechanism, Node
from ...model.settings.recipes import pin, weld
from ...model.shape import Convex, Shape, Trimesh
from ..lightening import borrowed, lent, light
from ..masses import motion_of, summed, through
from ..motion import Frame, frames, in_axes_of
from ..robot import WORLD, Axis, Geom, Link, Loop, Mass, Robot, Surface, Way
from ..rooting import CONNECTED
from ..surfaces import surface_of
from ..turning import about, minus, plus, pose, shifted
from ..turning import times as scaled
from .stacks import spelled, stacks

LIGHTEST = 0.001
"""kg of a link that must move and says no mass."""


def contents_of(robot: Robot) -> tuple[Contents, list[str]]:
    """Return a robot as contents, and the names of the links that move and have no mass."""
    builder = _MechanismBuilder(robot)
    builder.build()
    return builder.contents(), builder.massless


@dataclass(slots=True)
class _JointSide:
    """One side of a joint: below which body, and where."""

    body: int
    frame: Matrix


class _MechanismBuilder:
    """Fills a mechanism; everything in Z up until the end."""

    def __init__(self, robot: Robot) -> None:
        self.massless: list[str] = []
        self._robot = robot
        self._frames = frames(robot.links)
        self._nodes: list[Node] = [Node(robot.name)]
        self._settings: dict[JointSettings, int] = {}
        self._shapes: dict[Shape, int] = {}
        self._materials: dict[float, int] = {}
        self._meshes: list[Surface] = []
        self._mesh_numbers: dict[int, int] = {}
        self._looks: dict[Shape, Surface | None] = {}
        self._shown: dict[int, int] = {}
        self._body_nodes: dict[int, int] = {}
        self._link_nodes: dict[int, int] = {}
        self._bodies = self._body_links()

    def build(self) -> None:
        """Make all nodes."""
        needs_world = (
            bool(self._robot.geoms)
            or any(link.axes and link.parent == WORLD for link in self._robot.links)
            or any(WORLD in (loop.one, loop.other) for loop in self._robot.loops)
        )
        if needs_world:
            world = self._add(Node("world", 0, motion=Motion(MotionType.STATIC)))
            self._body_nodes[WORLD] = self._link_nodes[WORLD] = world
            self._add_geoms(world, Frame().world, self._robot.geoms)
        masses = self._masses()
        for index, link in enumerate(self._robot.links):
            if self._bodies[index] == index:
                self._add_body(index, link, masses[index])
            else:
                above = self._link_nodes[link.parent]
                self._link_nodes[index] = self._add(
                    Node(link.name, above, self._frames[index][-1].world)
                )
            self._add_geoms(self._link_nodes[index], self._frames[index][-1].world, link.geoms)
        for loop in self._robot.loops:
            self._add_loop(loop)

    def contents(self) -> Contents:
        """Return what was made, Y up."""
        robot = self._robot
        mechanism = Mechanism(
            nodes=tuple(self._nodes),
            shapes=tuple(self._shapes),
            physics_materials=tuple(
                PhysicsMaterial(
                    f"friction {friction:g}",
                    static_friction=friction,
                    dynamic_friction=friction,
                    friction_combine=Combine.MAXIMUM,
                )
                for friction in self._materials
            ),
            collision_filters=tuple(
                CollisionFilter(one.name, (one.name,), one.meets) for one in robot.filters
            ),
            meshes=tuple(surface.name for surface in self._meshes),
            gravity=robot.gravity,
        )
        upright = Y_UP_FROM_Z_UP.mechanism(mechanism)
        # Settings are made in glTF's axes: so numbers keep their signs (``stacks``).
        upright = replace(upright, settings=tuple(self._settings))
        meshes = tuple(
            Triangles(tuple(map(Y_UP_FROM_Z_UP.vector, one.points)), one.triangles)
            for one in self._meshes
        )
        return Contents(upright, meshes, self._shown)

    def _body_links(self) -> list[int]:
        """Return of each link the one that it is rigid with and that is a body."""
        found: list[int] = []
        for index, link in enumerate(self._robot.links):
            own = link.parent == WORLD or link.free or link.led or bool(link.axes)
            found.append(index if own else found[link.parent])
        return found

    def _masses(self) -> dict[int, Mass | None]:
        """Return what each body weighs with all that is rigid with it."""
        parts: dict[int, list[Mass]] = {}
        for index, link in enumerate(self._robot.links):
            body = self._bodies[index]
            own = parts.setdefault(body, [])
            if link.mass is not None:
                here = self._frames[body][-1].world
                between = multiply(inverse(here), self._frames[index][-1].world)
                own.append(link.mass if index == body else through(link.mass, between))
        masses = {body: summed(own) for body, own in parts.items()}
        for body, mass in list(masses.items()):
            link = self._robot.links[body]
            parent = WORLD if link.parent == WORLD else self._bodies[link.parent]
            above = masses.get(parent)
            if above is None or mass is None or not self._is_dynamic(parent):
                continue
            between = multiply(
                inverse(self._frames[parent][-1].world), self._frames[body][-1].world
            )
            own_parts = borrowed(stacks(link.axes)[:-1], mass)
            masses[parent] = lent(above, (through(part, between) for part in own_parts))
        return masses

    def _is_dynamic(self, link: int) -> bool:
        if link == WORLD:
            return False
        one = self._robot.links[self._bodies[link]]
        return (one.free or bool(one.axes)) and not one.led

    def _add(self, node: Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _add_body(self, index: int, link: Link, mass: Mass | None) -> None:
        run = stacks(link.axes)
        frame = self._frames[index][-1]
        if not self._is_dynamic(index):
            kind = MotionType.KINEMATIC if link.led else MotionType.STATIC
            motion = Motion(kind) if mass is None else Motion(kind, mass=mass.mass)
            node = self._add(Node(link.name, 0, frame.world, motion))
        else:
            if mass is None:
                self.massless.append(link.name)
                mass = Mass(LIGHTEST)
            between = [
                self._add_moving(
                    f"{link.name} ({stack[-1].name})", link, light(mass, stack[-1].anchor), after
                )
                for stack, after in zip(run[:-1], self._between(index, run), strict=True)
            ]
            node = self._add_moving(link.name, link, mass, frame)
            if run:
                self._join(index, link, run, [*between, node])
        self._body_nodes[index] = self._link_nodes[index] = node

    def _between(self, index: int, run: Sequence[tuple[Axis, ...]]) -> list[Frame]:
        """Return the frames after each run of joints but the last."""
        at, found = 0, []
        for stack in run[:-1]:
            at += len(stack)
            found.append(self._frames[index][at])
        return found

    def _add_moving(self, name: str, link: Link, mass: Mass, frame: Frame) -> int:
        motion = replace(
            motion_of(mass),
            linear_velocity=in_axes_of(frame.world, frame.velocity),
            angular_velocity=in_axes_of(frame.world, frame.spin),
            gravity_factor=link.gravity,
        )
        return self._add(Node(name, 0, frame.world, motion))

    def _join(
        self, index: int, link: Link, run: Sequence[tuple[Axis, ...]], bodies: Sequence[int]
    ) -> None:
        """Join a link to its parent through what is in between."""
        above, held = self._parent_of(link), not self._is_dynamic(link.parent)
        at = 0
        for stack, body in zip(run, bodies, strict=True):
            before, after = (self._frames[index][i].world for i in (at, at + len(stack)))
            at += len(stack)
            # Joints belong below bodies that move; then the parent is measured in the link.
            backwards = held and _turns_back(stack)
            spelling = spelled(stack, backwards=backwards)
            first, second = _joint_frames(stack, before, after)
            turn = pose(spelling.turn)
            sides = [
                _JointSide(above, multiply(first, turn)),
                _JointSide(body, multiply(second, turn)),
            ]
            if backwards:
                sides.reverse()
            name = spelling.settings.name or f"{link.name} joint"
            meets = link.meets_parent and len(run) == 1
            self._add_joint(name, sides, spelling.settings, meets=meets)
            above, held = body, False

    def _parent_of(self, link: Link) -> int:
        return self._body_nodes[WORLD if link.parent == WORLD else self._bodies[link.parent]]

    def _add_joint(
        self,
        name: str,
        sides: Sequence[_JointSide],
        settings: JointSettings,
        *,
        meets: bool = False,
    ) -> None:
        number = self._settings.setdefault(settings, len(self._settings))
        first, second = sides
        connected = self._add(Node(f"{name} {CONNECTED}", second.body, second.frame))
        self._add(Node(name, first.body, first.frame, joint=JointNode(number, connected, meets)))

    def _add_loop(self, loop: Loop) -> None:
        sides = [
            _JointSide(self._loop_body(link), multiply(self._loop_frame(link), frame))
            for link, frame in ((loop.one, loop.pose), (loop.other, loop.other_pose))
        ]
        if not self._is_dynamic(loop.one):
            sides.reverse()
        settings = pin() if loop.turns else weld()
        self._add_joint(loop.name, sides, replace(settings, name=loop.name), meets=True)

    def _loop_body(self, link: int) -> int:
        return self._body_nodes[WORLD if link == WORLD else self._bodies[link]]

    def _loop_frame(self, link: int) -> Matrix:
        return Frame().world if link == WORLD else self._frames[link][-1].world

    def _add_geoms(self, above: int, world: Matrix, geoms: Sequence[Geom]) -> None:
        for geom in geoms:
            collider = None
            if geom.shape is not None:
                material = None
                if geom.friction is not None:
                    material = self._materials.setdefault(geom.friction, len(self._materials))
                collider = Collider(self._shape(geom), material, geom.filter)
            node = self._add(Node(geom.name, above, multiply(world, geom.pose), collider=collider))
            look = self._look(geom) if geom.shown else None
            if look is not None:
                self._shown[node] = self._mesh(look)

    def _shape(self, geom: Geom) -> int:
        shape = geom.shape
        assert shape is not None
        if isinstance(shape, Convex | Trimesh) and geom.surface is not None:
            shape = replace(shape, mesh=self._mesh(geom.surface), name=geom.surface.name)
        return self._shapes.setdefault(shape, len(self._shapes))

    def _look(self, geom: Geom) -> Surface | None:
        """Return the triangles of a geom; equal shapes have the same."""
        if geom.surface is not None or geom.shape is None:
            return geom.surface
        if geom.shape not in self._looks:
            self._looks[geom.shape] = surface_of(geom.shape)
        return self._looks[geom.shape]

    def _mesh(self, surface: Surface) -> int:
        number = self._mesh_numbers.setdefault(id(surface), len(self._meshes))
        if number == len(self._meshes):
            self._meshes.append(surface)
        return number


def _turns_back(stack: Sequence[Axis]) -> bool:
    """Return whether a run is the same joint with its two sides exchanged."""
    return len(stack) == 1 or all(axis.way is Way.SLIDE for axis in stack)


def _joint_frames(stack: Sequence[Axis], before: Matrix, after: Matrix) -> tuple[Matrix, Matrix]:
    """Return the frame below the parent and that below the link, before they are turned.

    They coincide where all values are zero: values at rest are taken out of slides on the side of
    the parent, and out of a hinge on the side of the link, so that one does not turn the other.
    """
    last = stack[-1]
    anchor = last.anchor
    rest: Vector3 = (0.0, 0.0, 0.0)
    turn = IDENTITY_ROTATION
    for axis in stack:
        if axis.way is Way.SLIDE:
            rest = plus(rest, scaled(axis.direction, axis.rest))
        elif axis.way is Way.HINGE:
            turn = about(axis.direction, axis.rest)
    first = multiply(before, shifted(minus(anchor, rest)))
    return first, multiply(after, multiply(shifted(anchor), pose(turn)))
