# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF written: contents as a robot of ROS.

A link's frame is where its joint is, so links whose joint is elsewhere have their frame moved
there. What turns about several axes goes through light links, one for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import atan2, hypot, inf, isfinite
from pathlib import Path

from ...model.contents import Contents, Package
from ...model.geometry.transform import (
    IDENTITY,
    UNITS,
    Matrix,
    inverse,
    linear_part,
    multiply,
    rotation_about,
    translation_of,
)
from ...model.geometry.transform import times as scaled
from ...model.issue import Issue
from ...model.mechanics.masses import Mass, through
from ...model.shape import Box, Capsule, Cylinder, Sphere
from ...model.wording.findings import Findings
from ..element import Element, unique, xml_text
from ..exporting.links import robot_of
from ..findings import WRITTEN
from ..importing.bases import WORLD_NAME
from ..importing.contents import LIGHTEST
from ..masses import borrowed, lent, light
from ..mesh_files import MeshFiles
from ..remarks import mimic_of, texts
from ..robot import WORLD, Axis, Geom, Link, Robot, Way, seen_from
from ..surfaces import surface_of
from ..turning import around, is_none, shifted
from .read import ENDLESS
from .transmissions import kept_for


def at_zero(robot: Robot, findings: Findings) -> Robot:
    """Return a robot with all its joints at zero, balls as three hinges.

    A joint that turns back to zero carries the axes of those before it along.
    """
    links = []
    for link in robot.links:
        axes: list[Axis] = []
        back = IDENTITY
        for axis in reversed(link.axes):
            here = seen_from(axis, back)
            if axis.way is Way.BALL:
                axes[:0] = _three(here)
                findings.note("ball", axis.name)
            else:
                axes.insert(0, replace(here, rest=0.0, value=0.0))
            if axis.value or any(axis.turn[:3]):
                findings.note("start", axis.name)
            if axis.rest:
                own = shifted(scaled(axis.direction, -axis.rest))
                if axis.way is Way.HINGE:
                    own = around(axis.anchor, rotation_about(axis.direction, -axis.rest))
                back = multiply(own, back)
        placed = link.placed if is_none(back) else multiply(link.placed, back)
        links.append(replace(link, placed=placed, axes=tuple(axes)))
    return replace(robot, links=tuple(links))


def geoms_on_masses(robot: Robot) -> Robot:
    """Return a robot whose weightless fixed links have no geoms: readers would weigh them."""
    links = list(robot.links)
    for index in reversed(range(len(links))):
        link = links[index]
        is_frame = link.mass is None and not (link.axes or link.free) and link.parent != WORLD
        if is_frame and link.geoms:
            above = links[link.parent]
            moved = (replace(one, pose=multiply(link.placed, one.pose)) for one in link.geoms)
            links[link.parent] = replace(above, geoms=(*above.geoms, *moved))
            links[index] = replace(link, geoms=())
    return replace(robot, links=tuple(links))


def lent_masses(robot: Robot) -> Robot:
    """Return a robot whose links lack what links in between, one for each axis, have of them."""
    links = list(robot.links)
    for link in robot.links:
        above = None if link.parent == WORLD else links[link.parent].mass
        if above is not None and link.mass is not None:
            parts = borrowed([(axis,) for axis in link.axes[:-1]], link.mass)
            less = lent(above, (through(part, link.placed) for part in parts))
            links[link.parent] = replace(links[link.parent], mass=less)
    return replace(robot, links=tuple(links))


def _three(axis: Axis) -> list[Axis]:
    return [
        Axis(f"{axis.name} {name}", Way.HINGE, direction, axis.anchor)
        for name, direction in zip("xyz", UNITS, strict=True)
    ]


def note_losses(robot: Robot, findings: Findings) -> None:
    """Note what URDF has no words for."""
    for loop in robot.loops:
        findings.note("loop", loop.name)
    for one, other in robot.apart:
        names = [WORLD_NAME if i == WORLD else robot.links[i].name for i in (one, other)]
        findings.note("apart", " and ".join(names))
    if robot.gravity is not None:
        findings.note("scene-gravity", "")
    for link in robot.links:
        moves = any((*link.rates, *link.velocity, *link.spin))
        lost = {"kinematic": link.led, "gravity": link.gravity != 1.0, "velocity": moves}
        for code in (code for code, is_lost in lost.items() if is_lost):
            findings.note(code, link.name)
        for geom in link.geoms:
            if geom.friction is not None:
                findings.note("friction", geom.name)
        for axis in link.axes:
            for code in _lost(axis):
                findings.note(code, axis.name)


def _lost(axis: Axis) -> Iterator[str]:
    """Yield the codes of what URDF cannot say of one joint."""
    if axis.remarks.armature:
        yield "armature"
    if axis.remarks.actuators:
        yield "actuators"
    for spring in axis.springs:
        if spring.stiffness > 0.0:
            yield "spring"
        elif spring.rate:
            yield "motor"


UPRIGHT = 1.0 - 1e-12
KINDS = {Way.HINGE: "revolute", Way.SLIDE: "prismatic"}


def write_urdf(
    contents: Contents, path: Path, mesh_uri: str = ""
) -> tuple[Package, tuple[Issue, ...]]:
    """Return the files that hold contents as URDF, and what they cannot say.

    Where meshes will be found may be said, as package://robot/meshes; else it is their folder.
    """
    findings = Findings(WRITTEN, path.name, "urdf-")
    taken = robot_of(contents, path.stem, findings, has_planes=False)
    robot = lent_masses(geoms_on_masses(at_zero(taken, findings)))
    note_losses(robot, findings)
    meshes = MeshFiles(f"{path.stem}_meshes")
    writer = _UrdfWriter(robot, meshes, mesh_uri.rstrip("/") or meshes.folder, findings)
    return Package(xml_text(writer.write()).encode(), writer.meshes.files), findings.issues()


class _UrdfWriter:
    """Writes one robot."""

    def __init__(self, robot: Robot, meshes: MeshFiles, uri: str, findings: Findings) -> None:
        self.meshes, self._uri = meshes, uri
        self._robot, self._findings = robot, findings
        self._root = Element("robot", {"name": robot.name})
        self._shifts = {WORLD: IDENTITY}
        """Of each link, from its frame in the file."""
        self._names = {WORLD: WORLD_NAME} | {i: link.name for i, link in enumerate(robot.links)}
        self._joint_names: set[str] = set()
        self._numbered: list[tuple[int, Element]] = []
        """Joints that have a place in the order of a file, and that."""
        self._transmissions: list[tuple[float, Element]] = []
        self._taken = set(self._names.values())

    def write(self) -> Element:
        """Return the root element."""
        robot = self._robot
        tops = [link for link in robot.links if link.parent == WORLD]
        is_alone = len(tops) == 1 and not tops[0].axes and not robot.geoms
        if is_alone and not is_none(tops[0].placed, 1e-6):
            is_alone = tops[0].free
            if is_alone:
                self._findings.note("elsewhere", tops[0].name)
        if not is_alone:
            world = self._root.add("link", name=WORLD_NAME)
            self._write_geoms(world, robot.geoms, IDENTITY)
        for index, link in enumerate(robot.links):
            self._write_link(index, link, is_root=is_alone and link is tops[0])
        self._put_in_order()
        self._write_transmissions()
        return self._root

    def _put_in_order(self) -> None:
        """Put joints behind all links in the order of their file, if that is not parents first."""
        numbers = [number for number, _ in self._numbered]
        if numbers == sorted(numbers):
            return
        joints = [joint for _, joint in sorted(self._numbered, key=lambda one: one[0])]
        moved = {id(joint) for joint in joints}
        self._root.children = [
            *(one for one in self._root.children if id(one) not in moved),
            *joints,
        ]

    def _write_transmissions(self) -> None:
        for _, element in sorted(self._transmissions, key=lambda one: one[0]):
            missing = {joint.text("name") for joint in element.all("joint")} - self._joint_names
            if missing:
                self._findings.note("follows-nothing", element.text("name"))
            else:
                self._root.children.append(element)

    def _write_link(self, index: int, link: Link, *, is_root: bool) -> None:
        parent = self._names[link.parent]
        # From the file's frame of the parent to the frame of the link.
        placed = multiply(inverse(self._shifts[link.parent]), link.placed)
        steps: list[tuple[Axis | None, str, Mass | None]] = []
        for axis in link.axes[:-1]:
            name = unique(f"{link.name} ({axis.name})", self._taken)
            steps.append((axis, name, link.mass and light(link.mass, axis.anchor)))
        steps.append((link.axes[-1] if link.axes else None, link.name, link.mass))
        for one, name, mass in steps:
            shift = IDENTITY if one is None else shifted(one.anchor)
            if not is_root:
                self._write_joint(one, link, (parent, name), multiply(placed, shift))
            element = self._root.add("link", name=name)
            if mass is not None and not (one and _is_weightless(one, mass)):
                _write_mass(element, mass, inverse(shift))
            parent, placed = name, inverse(shift)
        self._shifts[index] = shift
        self._write_geoms(element, link.geoms, placed)

    def _write_joint(
        self, axis: Axis | None, link: Link, ends: tuple[str, str], placed: Matrix
    ) -> None:
        kind = "floating" if link.free else "fixed"
        name = link.remarks.name or f"{link.name} {kind}"
        if axis is not None:
            bounded = isfinite(axis.low) or isfinite(axis.high)
            unbounded = axis.way is Way.HINGE and not bounded
            name, kind = axis.name, "continuous" if unbounded else KINDS[axis.way]
        joint = self._root.add("joint", name=unique(name, self._joint_names), type=kind)
        _write_origin(joint, placed)
        joint.add("parent", link=ends[0])
        joint.add("child", link=ends[1])
        if axis is None:
            return
        if axis.remarks.number is not None:
            self._numbered.append((axis.remarks.number, joint))
        joint.add("axis", xyz=axis.direction)
        self._write_limit(joint, axis, kind)
        damping = sum(one.damping for one in axis.springs if not (one.rate or one.is_dry))
        friction = sum(one.max_force for one in axis.springs if one.is_dry)
        if damping > 0.0 or friction > 0.0:
            joint.add("dynamics", damping=damping or None, friction=friction or None)
        mimic = mimic_of(axis.remarks)
        if mimic is not None:
            joint.add("mimic", joint=mimic.joint, multiplier=mimic.multiplier, offset=mimic.offset)
        if axis.remarks.safety:
            joint.add("safety_controller", **texts(axis.remarks.safety))
        self._transmissions += kept_for(joint.text("name"), axis.remarks.transmissions or ())

    def _write_limit(self, joint: Element, axis: Axis, kind: str) -> None:
        """Write bounds, and what motors are allowed: that of the file, else of the drives."""
        remarks = axis.remarks
        motors = (spring.max_force for spring in axis.springs if not spring.is_dry)
        effort = min(motors, default=inf) if remarks.effort is None else remarks.effort
        if kind == "continuous" and effort == inf and remarks.velocity is None:
            return
        velocity = ENDLESS if remarks.velocity is None else remarks.velocity
        limit = joint.add("limit", effort=min(effort, ENDLESS), velocity=velocity)
        if kind != "continuous":
            low = axis.low if isfinite(axis.low) else -ENDLESS
            limit.say(lower=low, upper=axis.high if isfinite(axis.high) else ENDLESS)

    def _write_geoms(self, link: Element, geoms: Sequence[Geom], back: Matrix) -> None:
        """Write what a link shows and collides with; a shape that is both is written twice."""
        for geom in geoms:
            if geom.shape is not None:
                self._write_geom(link, "collision", geom, back)
            if geom.shown:
                self._write_geom(link, "visual", geom, back)

    def _write_geom(self, link: Element, tag: str, geom: Geom, back: Matrix) -> None:
        element = link.add(tag, name=geom.name)
        _write_origin(element, multiply(back, geom.pose))
        geometry = element.add("geometry")
        shape, surface = geom.shape, geom.surface
        if surface is None and isinstance(shape, Capsule):
            self._findings.note("capsule", geom.name)
            surface = surface_of(shape)
        if surface is not None:
            name = self.meshes.name(surface)
            geometry.add("mesh", filename=f"{self._uri}/{name}.stl")
        elif isinstance(shape, Box):
            geometry.add("box", size=shape.size)
        elif isinstance(shape, Sphere):
            geometry.add("sphere", radius=shape.radius)
        elif isinstance(shape, Cylinder):
            geometry.add("cylinder", radius=shape.radius_bottom, length=shape.height)


def _is_weightless(axis: Axis, mass: Mass) -> bool:
    """Return whether a link has the gram that reading gave one without mass."""
    return axis.remarks.massless is True and abs(mass.mass - LIGHTEST) <= 1e-6 * LIGHTEST


def _write_mass(link: Element, mass: Mass, back: Matrix) -> None:
    here = through(mass, back)
    inertial = link.add("inertial")
    inertial.add("origin", xyz=here.centre)
    inertial.add("mass", value=here.mass)
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = here.inertia
    inertial.add("inertia", ixx=xx, ixy=xy, ixz=xz, iyy=yy, iyz=yz, izz=zz)


def _write_origin(element: Element, pose: Matrix) -> None:
    """Write a pose; turns go about fixed X, Y and Z one after the other."""
    if is_none(pose):
        return
    (a, f, _), (b, g, _), (c, d, e) = linear_part(pose)
    pitch = atan2(-c, hypot(a, b))
    if abs(c) < UPRIGHT:
        angles = (atan2(d, e), pitch, atan2(b, a))
    else:  # X and Z turn about one axis: all of it is put into X
        angles = (atan2(f, g) if c < 0.0 else atan2(-f, g), pitch, 0.0)
    element.add("origin", xyz=translation_of(pose), rpy=angles)
