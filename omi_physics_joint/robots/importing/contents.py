# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot as contents of ours: bodies side by side, joined by joints.

Links that move are bodies, all directly below one node, since most engines stumble over bodies
below bodies. A link that is rigid with its parent is a node below it, with its name, and its mass
is the body's. Where the joints of one link are no single joint of ours, light links stand in
between (``masses``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path

from ...files.inputs import InputError, bounded, spend
from ...model.articulation.trees import CONNECTED
from ...model.body import ZERO, Collider, Combine, Motion, MotionType, PhysicsMaterial
from ...model.contents import Contents, ContentsError
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.geometry.transform import IDENTITY_ROTATION, Matrix, inverse, minus, multiply, plus
from ...model.geometry.transform import rotation_about as about
from ...model.geometry.transform import times as scaled
from ...model.issue import Issue
from ...model.joint import JointNode, JointSettings
from ...model.mechanics.masses import Mass, summed, through
from ...model.mechanism import Mechanism, Node
from ...model.settings.recipes import pin, weld
from ...model.shape import MeshShape, Shape
from ...model.solid import Triangles
from ...model.wording.findings import Findings
from ..element import XmlError, unique
from ..masses import borrowed, lent, light, motion_of
from ..remarks import NOTHING, Remarks, mimic_of, remarks_in, text_of
from ..robot import WORLD, Frame, Geom, Link, Loop, Robot, Surface, Way, frames, in_axes_of
from ..surfaces import surface_of
from ..turning import pose, shifted
from .bases import RootBase, based
from .stacks import Stack, freedom_of, spelled, stacks

JointSide = tuple[int, Matrix]
"""Below which body's node, and where."""
LIGHTEST = 0.001
"""kg of a link that must move and says no mass."""


def contents_read(
    path: Path,
    findings: Findings,
    read: Callable[[Path, Findings], Robot],
    base: RootBase,
) -> tuple[Contents, tuple[Issue, ...]]:
    """Return what a robot's file holds, and an issue for everything that is not in it.

    Raises:
        ContentsError: the file cannot be read.
    """
    try:
        with bounded():
            robot = based(read(path, findings), base, findings)
    except (XmlError, InputError) as error:
        raise ContentsError(str(error)) from None
    return _MechanismBuilder(robot, findings).contents(), findings.issues()


class _MechanismBuilder:
    """Fills a mechanism; everything in Z up until the end."""

    def __init__(self, robot: Robot, findings: Findings) -> None:
        self._robot, self._findings = robot, findings
        self._frames = frames(robot.links)
        # Objects of Blender have different names: links have theirs, the others give way.
        self._names = {link.name for link in robot.links}
        self._nodes: list[Node] = [Node(unique(robot.name, self._names))]
        self._count = 0
        axes = (axis for link in robot.links for axis in link.axes)
        self._leaders = {one.joint for axis in axes if (one := mimic_of(axis.remarks))}
        """Joints so far that say nothing of their order."""
        self._settings: dict[JointSettings, int] = {}
        self._shapes: dict[Shape, int] = {}
        self._materials: dict[PhysicsMaterial, int] = {}
        self._meshes: dict[int, tuple[int, Surface]] = {}
        """Number and triangles of each mesh, by the identity of these."""
        self._shown: dict[int, int] = {}
        self._nodes_of_links: dict[int, int] = {}
        self._telling: dict[int, int] = {}
        """Of links that are bodies, the node of a joint with what is said of them."""
        self._fixed: dict[int, dict[str, str]] = {}
        """Names of the joints that fix links to each of them, by link."""
        self._bodies = {WORLD: WORLD}
        """Of each link, the one that it is rigid with and that is a body."""
        for index, link in enumerate(robot.links):
            own = link.parent == WORLD or link.moves
            self._bodies[index] = index if own else self._bodies[link.parent]

    def contents(self) -> Contents:
        """Return the robot as contents, Y up."""
        self._add_all()
        surfaces = [surface for _, surface in self._meshes.values()]
        mechanism = Mechanism(
            nodes=tuple(self._nodes),
            settings=tuple(self._settings),
            shapes=tuple(self._shapes),
            physics_materials=tuple(self._materials),
            collision_filters=self._robot.filters,
            meshes=tuple(surface.name for surface in surfaces),
            gravity=self._robot.gravity,
        )
        meshes = tuple(Triangles(one.points, one.triangles) for one in surfaces)
        return Contents(mechanism, meshes, self._shown).turned(Y_UP_FROM_Z_UP)

    def _add_all(self) -> None:
        needs_world = (
            bool(self._robot.geoms)
            or any(link.axes and link.parent == WORLD for link in self._robot.links)
            or any(WORLD in (loop.one, loop.other) for loop in self._robot.loops)
        )
        if needs_world:
            self._nodes_of_links[WORLD] = self._add(
                Node("world", 0, motion=Motion(MotionType.STATIC))
            )
            self._add_geoms(WORLD, self._robot.geoms)
        masses = self._masses()
        for index, link in enumerate(self._robot.links):
            if self._bodies[index] == index:
                node = self._add_body(index, link, masses[index])
            else:
                above = self._nodes_of_links[link.parent]
                node = self._add(Node(link.name, above, self._world(index)))
                if link.remarks.name:
                    names = self._fixed.setdefault(self._bodies[index], {})
                    names[link.name] = link.remarks.name
            self._nodes_of_links[index] = node
            self._add_geoms(index, link.geoms)
        for loop in self._robot.loops:
            self._add_loop(loop)
        for body, names in self._fixed.items():
            self._tell(self._telling.get(body, self._nodes_of_links[body]), names)

    def _tell(self, index: int, fixed: dict[str, str]) -> None:
        """Have a joint, or a body that none moves, tell the names of fixed joints."""
        node = self._nodes[index]
        said = node.joint or node.motion
        assert said is not None
        first, *others = remarks_in(said.unknown) or [NOTHING]
        first = replace(first, fixed={**(first.fixed or {}), **fixed})
        said = replace(said, unknown=text_of([first, *others]))
        part = {"motion" if node.joint is None else "joint": said}
        self._nodes[index] = replace(node, **part)  # type: ignore[arg-type]

    def _world(self, link: int) -> Matrix:
        return self._frames[link][-1].world

    def _masses(self) -> dict[int, Mass | None]:
        """Return what each body weighs with all that is rigid with it."""
        parts: dict[int, list[Mass]] = {}
        for index, link in enumerate(self._robot.links):
            body = self._bodies[index]
            own = parts.setdefault(body, [])
            if link.mass is not None:
                between = multiply(inverse(self._world(body)), self._world(index))
                own.append(link.mass if index == body else through(link.mass, between))
        masses = {body: summed(own) for body, own in parts.items()}
        for body, mass in list(masses.items()):
            link = self._robot.links[body]
            parent = self._bodies[link.parent]
            above = masses.get(parent)
            if above is None or mass is None or not self._is_dynamic(parent):
                continue
            between = multiply(inverse(self._world(parent)), self._world(body))
            own_parts = borrowed(stacks(link.axes)[:-1], mass)
            masses[parent] = lent(above, (through(part, between) for part in own_parts))
        return masses

    def _is_dynamic(self, link: int) -> bool:
        if link == WORLD:
            return False
        one = self._robot.links[self._bodies[link]]
        return (one.free or bool(one.axes)) and not one.led

    def _add(self, node: Node) -> int:
        spend("nodes")
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _add_body(self, index: int, link: Link, mass: Mass | None) -> int:
        if not self._is_dynamic(index):
            kind = MotionType.KINEMATIC if link.led else MotionType.STATIC
            motion = Motion(kind) if mass is None else Motion(kind, mass=mass.mass)
            return self._add(Node(link.name, 0, self._world(index), motion))
        massless = mass is None
        if mass is None:
            self._findings.note("massless", link.name)
            mass = Mass(LIGHTEST)
        run = stacks(link.axes)
        stops = [self._frames[index][at] for at in accumulate(map(len, run), initial=0)]
        bodies = [
            self._add_moving(
                f"{link.name} ({stack[-1].name})", link, light(mass, stack[-1].anchor), after
            )
            for stack, after in zip(run[:-1], stops[1:], strict=False)
        ]
        said = text_of([self._counted(link.remarks)]) if link.free else ""
        bodies.append(self._add_moving(link.name, link, mass, stops[-1], said))
        if run:
            self._join(index, run, bodies, stops, massless=massless)
        return bodies[-1]

    def _add_moving(
        self, name: str, link: Link, mass: Mass, frame: Frame, unknown: str = ""
    ) -> int:
        motion = replace(
            motion_of(mass),
            linear_velocity=in_axes_of(frame.world, frame.velocity),
            angular_velocity=in_axes_of(frame.world, frame.spin),
            gravity_factor=link.gravity,
            unknown=unknown,
        )
        return self._add(Node(name, 0, frame.world, motion))

    def _join(
        self,
        index: int,
        run: Sequence[Stack],
        bodies: Sequence[int],
        stops: Sequence[Frame],
        *,
        massless: bool,
    ) -> None:
        """Join a link to its parent through what is in between; each run goes from stop to stop."""
        link = self._robot.links[index]
        above = self._nodes_of_links[self._bodies[link.parent]]
        held = not self._is_dynamic(link.parent)
        for stack, body, (before, after) in zip(run, bodies, pairwise(stops), strict=True):
            # Joints belong below bodies that move; then the parent is measured in the link.
            backwards = held and (len(stack) == 1 or all(axis.way is Way.SLIDE for axis in stack))
            turn, settings, places = spelled(stack, backwards=backwards)
            first, second = _joint_frames(stack, before.world, after.world)
            turned = pose(turn)
            sides = [(above, multiply(first, turned)), (body, multiply(second, turned))]
            if backwards:
                sides.reverse()
            meets = link.meets_parent and len(run) == 1
            name = unique(settings.name or f"{link.name} joint", self._names)
            remarks = self._remarks(stack, name, places, massless=massless and body == bodies[-1])
            number = self._add_joint(name, sides, settings, JointNode(0, 0, meets, remarks))
            self._telling.setdefault(self._bodies[link.parent], number)
            above, held = body, False
        self._telling[index] = number

    def _remarks(self, stack: Stack, name: str, places: Sequence[int], *, massless: bool) -> str:
        """Return what goes along with a joint of what its file says: at least the order."""
        entries: list[Remarks] = []
        for axis, place in zip(stack, places, strict=True):
            own = axis.remarks if axis.remarks.number is not None else self._counted(axis.remarks)
            if len(stack) > 1 or axis.low == axis.high:
                own = replace(own, type=freedom_of(axis).value, axis=Y_UP_FROM_Z_UP.axis[place])
            if len(stack) > 1:
                own = replace(own, name=axis.name)
            elif axis.name and (name != axis.name or name in self._leaders):
                own = replace(own, name=axis.name, node=name)
            entries.append(replace(own, massless=massless or None))
        return text_of(entries)

    def _counted(self, own: Remarks) -> Remarks:
        self._count += 1
        return replace(own, number=self._count - 1)

    def _add_joint(
        self, name: str, sides: Sequence[JointSide], settings: JointSettings, joint: JointNode
    ) -> int:
        """Add a joint, and return its node."""
        number = self._settings.setdefault(settings, len(self._settings))
        (first, pose_there), (second, connected_pose) = sides
        connected = self._add(Node(f"{name} {CONNECTED}", second, connected_pose))
        joint = replace(joint, settings=number, connected_node=connected)
        return self._add(Node(name, first, pose_there, joint=joint))

    def _add_loop(self, loop: Loop) -> None:
        sides = [
            (self._nodes_of_links[self._bodies[link]], multiply(self._world(link), frame))
            for link, frame in ((loop.one, loop.pose), (loop.other, loop.other_pose))
        ]
        if not self._is_dynamic(loop.one):
            sides.reverse()
        settings = replace(pin() if loop.turns else weld(), name=loop.name)
        self._add_joint(unique(loop.name, self._names), sides, settings, JointNode(0, 0, True))

    def _add_geoms(self, link: int, geoms: Sequence[Geom]) -> None:
        above, world = self._nodes_of_links[link], self._world(link)
        for geom in geoms:
            collider = None
            if geom.shape is not None:
                material = None if geom.friction is None else self._material(geom.friction)
                collider = Collider(self._shape(geom.shape, geom), material, geom.filter)
            node = self._add(Node(geom.name, above, multiply(world, geom.pose), collider=collider))
            look = geom.surface
            if look is None and geom.shape is not None:
                look = surface_of(geom.shape)
            if look is not None and geom.shown:
                self._shown[node] = self._mesh(look)

    def _shape(self, shape: Shape, geom: Geom) -> int:
        if isinstance(shape, MeshShape) and geom.surface is not None:
            shape = replace(shape, mesh=self._mesh(geom.surface), name=geom.surface.name)
        return self._shapes.setdefault(shape, len(self._shapes))

    def _mesh(self, surface: Surface) -> int:
        return self._meshes.setdefault(id(surface), (len(self._meshes), surface))[0]

    def _material(self, friction: float) -> int:
        material = PhysicsMaterial(f"friction {friction:g}", friction, friction)
        material = replace(material, friction_combine=Combine.MAXIMUM)
        return self._materials.setdefault(material, len(self._materials))


def _joint_frames(stack: Stack, before: Matrix, after: Matrix) -> tuple[Matrix, Matrix]:
    """Return the frame below the parent and that below the link, before they are turned.

    They coincide where all values are zero: values at rest are taken out of slides on the side of
    the parent, and out of a hinge on the side of the link, so that one does not turn the other.
    """
    anchor = stack[-1].anchor
    rest, turn = ZERO, IDENTITY_ROTATION
    for axis in stack:
        if axis.way is Way.SLIDE:
            rest = plus(rest, scaled(axis.direction, axis.rest))
        elif axis.way is Way.HINGE:
            turn = about(axis.direction, axis.rest)
    first = multiply(before, shifted(minus(anchor, rest)))
    return first, multiply(after, multiply(shifted(anchor), pose(turn)))
