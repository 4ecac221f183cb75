# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF read: a robot of ROS as contents. Source: the XML specifications of urdf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from math import copysign, inf
from pathlib import Path

from ...model.body import ZERO
from ...model.contents import Contents
from ...model.geometry.transform import UNITS
from ...model.issue import Issue, Severity
from ...model.mechanics.masses import Mass, through
from ...model.wording.findings import Findings
from ..element import Element, XmlError, read_xml
from ..findings import URDF_READ
from ..importing.bases import WORLD_NAME, RootBase
from ..importing.contents import contents_read
from ..remarks import Remarks
from ..robot import WORLD, Axis, Link, Robot, Spring, Way, dry
from ..turning import along_z, pose, turned, unit
from ..vocabulary import FULL_TURN, URDF_WORDS, judged
from .geometry import Geometry, origin
from .transmissions import with_transmissions

ENDLESS = 1e9
"""N, N m, m/s or rad/s: where URDF wants a number and nothing is limited."""
TWO_TURNS = 720.0
"""Degrees: round bounds between a full turn in rad and this are taken for such."""
TENSOR = (("ixx", "ixy", "ixz"), ("ixy", "iyy", "iyz"), ("ixz", "iyz", "izz"))


def read_urdf(
    path: Path, base: RootBase = RootBase.SAID, packages: Mapping[str, Path] | None = None
) -> tuple[Contents, tuple[Issue, ...]]:
    """Return what a robot's file holds, and an issue for everything that is not in it.

    A base says what holds its roots; else a link without mass, and all fixed to it, stands by
    itself. Packages are folders by name, beside those that are found.

    Raises:
        ContentsError: the file cannot be read.
    """
    findings = Findings(URDF_READ, path.name, "urdf-")
    return contents_read(path, findings, partial(_robot, packages or {}), base)


def _robot(packages: Mapping[str, Path], path: Path, findings: Findings) -> Robot:
    """Return a robot's file as a robot.

    Raises:
        XmlError: something in it cannot be understood.
    """
    root = read_xml(path)
    _refuse_xacro(root, path)
    if root.tag != "robot":
        raise XmlError(f"{path.name} is no URDF: its first element is <{root.tag}>, not <robot>.")
    there = {joint.text("name") for joint in root.all("joint")}
    for element in judged(root, URDF_WORDS, findings, strict=False):
        mimic = element.one("mimic")
        if mimic is not None and mimic.text("joint") not in there:
            findings.note("follows-nothing", element.text("name"))
            element.children.remove(mimic)
        if element.tag == "origin" and any(abs(x) > FULL_TURN for x in element.floats("rpy")):
            findings.note("degrees", f"rpy in line {element.line}")
    geometry = Geometry(path.parent, findings, packages)
    elements = {link.text("name"): link for link in root.all("link")}
    joints = _joints(root, elements, findings)
    names = _parents_first(elements, joints)
    numbers = {name: index for index, name in enumerate(names)}
    order = {name: index for index, name in enumerate(joints)}
    links = []
    heavy = _heavy(elements, joints, names)
    for name in names:
        joint = joints.get(name)
        parent = WORLD if joint is None else numbers[_end(joint, "parent")]
        links.append(_link(elements[name], joint, parent, geometry, findings, order.get(name)))
        if joint is None:
            links[-1] = replace(links[-1], free=name in heavy and name != WORLD_NAME)
    return Robot(root.text("name") or path.stem, tuple(with_transmissions(root, links, findings)))


def _refuse_xacro(root: Element, path: Path) -> None:
    waiting = [root]
    while waiting:
        element = waiting.pop()
        waiting += element.children
        if element.tag.startswith("xacro:") or any("${" in t for t in element.attributes.values()):
            raise XmlError(
                f"{path.name}, line {element.line}: this is xacro, which makes URDF and is none. "
                f"Run: xacro {path.name} > {path.stem}_made.urdf"
            )


def _joints(root: Element, links: dict[str, Element], findings: Findings) -> dict[str, Element]:
    joints: dict[str, Element] = {}
    for joint in root.all("joint"):
        parent, child = _end(joint, "parent"), _end(joint, "child")
        name = joint.text("name") or "joint"
        missing = next((one for one in (parent, child) if one not in links), None)
        if missing is not None or parent == child:
            what = f"there is no link {missing!a}" if missing else "it joins a link to itself"
        elif child in joints:
            other = joints[child].text("name")
            what = f"{child} is moved by {other} already, and a robot is a tree"
        else:
            joints[child] = joint
            continue
        findings.say(Severity.ERROR, "tree", name, f"This joint is left out: {what}.")
    return joints


def _end(joint: Element, tag: str) -> str:
    return joint.inner(tag).text("link")


def _parents_first(links: dict[str, Element], joints: dict[str, Element]) -> list[str]:
    """Return the names of links, each after its parent, else in the order of their joints.

    Raises:
        XmlError: links go in a circle.
    """
    children: dict[str, list[tuple[int, str]]] = {}
    for number, (child, joint) in enumerate(joints.items()):
        children.setdefault(_end(joint, "parent"), []).append((number, child))
    found: list[str] = []
    tops = [name for name in links if name not in joints]
    waiting = [(number - len(tops), name) for number, name in enumerate(tops)]
    while waiting:
        _, name = heappop(waiting)
        found.append(name)
        for one in children.get(name, ()):
            heappush(waiting, one)
    if len(found) < len(links):
        lost = next(name for name in links if name not in set(found))
        raise XmlError(f"The link {lost!a} is above itself: a robot is a tree.")
    return found


def _heavy(links: dict[str, Element], joints: dict[str, Element], names: Sequence[str]) -> set[str]:
    """Return the links that weigh something with all that fixed joints hold to them."""
    found = {name for name in names if _mass(links[name]) is not None}
    for name in reversed(names):
        joint = joints.get(name)
        if name in found and joint is not None and joint.text("type") == "fixed":
            found.add(_end(joint, "parent"))
    return found


def _link(
    element: Element,
    joint: Element | None,
    parent: int,
    geometry: Geometry,
    findings: Findings,
    number: int | None,
) -> Link:
    name = element.text("name")
    mass, geoms = _mass(element), geometry.geoms(element)
    if joint is None:
        return Link(name, mass=mass, geoms=geoms)
    kind = joint.text("type")
    axes = _axes(joint, kind, findings)
    axes = tuple(replace(axis, remarks=replace(axis.remarks, number=number)) for axis in axes)
    remarks = Remarks(name=None if axes else joint.text("name") or None)
    free = kind == "floating"
    return Link(name, parent, origin(joint), axes, free, remarks, mass=mass, geoms=geoms)


def _mass(link: Element) -> Mass | None:
    """Return what a link weighs; None where it says nothing, or nothing above zero."""
    inertial = link.inner("inertial")
    mass, tensor = inertial.inner("mass").number("value"), inertial.inner("inertia")
    if not mass > 0.0:
        return None
    rows = tuple(tuple(tensor.number(name) for name in row) for row in TENSOR)
    return through(Mass(mass, inertia=rows), origin(inertial))


def _axes(joint: Element, kind: str, findings: Findings) -> tuple[Axis, ...]:
    name = joint.text("name")
    said = joint.one("axis")
    axis = UNITS[0] if said is None else said.vector("xyz")
    if axis == ZERO and kind in ("revolute", "continuous", "prismatic", "planar"):
        findings.note("axis", name)
    axis = unit(axis, UNITS[0])
    limit, dynamics = joint.inner("limit"), joint.inner("dynamics")
    remarks = _remarks(joint, findings)
    damping, friction = dynamics.number("damping"), dynamics.number("friction")
    pulls = (Spring(damping=damping), damping > 0.0), (dry(friction), friction > 0.0)
    springs = tuple(spring for spring, is_there in pulls if is_there)
    if kind in ("revolute", "continuous", "prismatic"):
        way = Way.SLIDE if kind == "prismatic" else Way.HINGE
        low, high = -inf, inf
        if kind != "continuous" and joint.one("limit") is not None:
            bounds = (limit.number("lower"), limit.number("upper"))
            low, high = (x if abs(x) < ENDLESS else copysign(inf, x) for x in bounds)
        if kind != "continuous" and (low > high or joint.one("limit") is None):
            findings.note("boundless", name)
            low, high = -inf, inf
        elif kind == "revolute" and any(
            FULL_TURN < abs(bound) <= TWO_TURNS and round(bound, 1) == bound
            for bound in (low, high)
        ):
            findings.note("degrees", name)
        elif low == high:
            findings.note("held", name)
        return (Axis(name, way, axis, low=low, high=high, springs=springs, remarks=remarks),)
    if kind == "planar":
        turn = pose(along_z(axis))
        slides = (turned(turn, UNITS[i]) for i in (0, 1))
        found = [Axis("", Way.SLIDE, way, springs=springs) for way in slides]
        return (replace(found[0], name=name), found[1], Axis("", Way.HINGE, axis, springs=springs))
    if kind not in ("fixed", "floating"):
        findings.note("joint", name)
    return ()


def _remarks(joint: Element, findings: Findings) -> Remarks:
    """Return what a joint says that is kept and not played."""
    name, limit = joint.text("name"), joint.inner("limit")
    mimic, safety = joint.one("mimic"), joint.one("safety_controller")
    effort, velocity = (
        limit.number(word) if limit.text(word) else None for word in ("effort", "velocity")
    )
    if safety is not None or any(0.0 < (one or 0.0) < ENDLESS for one in (effort, velocity)):
        findings.note("kept", name, name)
    follows = None
    if mimic is not None:
        findings.note("mimic", name)
        numbers = {"multiplier": mimic.number("multiplier", 1.0), "offset": mimic.number("offset")}
        follows = {"joint": mimic.text("joint"), **numbers}
    return Remarks(
        effort=effort,
        velocity=velocity,
        mimic=follows,
        safety=None if safety is None else dict(safety.attributes),
    )
