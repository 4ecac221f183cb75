# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF read: a model of MuJoCo as contents. Source: MuJoCo's XML reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...files.inputs import why_closed
from ...model.body import ZERO, Vector3
from ...model.contents import Contents
from ...model.geometry.transform import (
    IDENTITY,
    Matrix,
    inverse,
    multiply,
    rotation_from_quaternion,
)
from ...model.issue import Issue
from ...model.mechanics.masses import times
from ...model.mechanism import GRAVITY
from ...model.wording.findings import Findings
from ..element import Element, XmlError, read_xml
from ..findings import MJCF_READ
from ..importing.bases import RootBase
from ..importing.contents import contents_read
from ..importing.stacks import stacks
from ..robot import WORLD, Link, Loop, Robot, Way, axes_by_name, with_axes
from ..turning import from_wxyz, pose, shifted
from ..vocabulary import MJCF_WORDS, judged
from .bodies import Tree, read_tree
from .compiler import ACTUATORS, Compiler, compiler_of
from .geoms import Meshes, excluded_pairs, filtered_geoms, parents_met
from .joints import clamped, with_actuator
from .start import at_start, key_frame

ROOTS = ("mujoco", "mujocoinclude")
UNREAD = ("sensor", "custom", "extension", "deformable", "skin", "texture", "material", "hfield")
"""Sections and assets that a mechanism has no place for."""
SWITCHES = "constraint equality frictionloss limit contact passive spring damper actuation"
"""Flags that switch off what acts here."""


def read_mjcf(path: Path, base: RootBase = RootBase.SAID) -> tuple[Contents, tuple[Issue, ...]]:
    """Return what a model holds, and an issue for everything that is not in it.

    Raises:
        ContentsError: the file cannot be read.
    """
    return contents_read(path, Findings(MJCF_READ, path.name, "mjcf-"), _robot, base)


def _robot(path: Path, findings: Findings) -> Robot:
    """Return a model as a robot.

    Raises:
        XmlError: something in it cannot be understood.
    """
    root = _model(path)
    compiler = compiler_of(root)
    list(judged(root, MJCF_WORDS, findings, strict=True))
    meshes = Meshes(path.parent, compiler, findings)
    for mesh in root.inside("asset", "mesh"):
        meshes.add(compiler.resolved(mesh, ""))
    tree = read_tree(root, compiler, meshes, findings)
    key = key_frame(root)
    links = _weighed(at_start(tree.links, key, findings), compiler)
    links = _actuated(root, links, key, compiler, findings)
    links = followers(root, links, compiler, findings)
    excluded = excluded_pairs(root, tree.names, findings)
    met = parents_met(root, links, excluded)
    links = [replace(link, meets_parent=meets) for link, meets in zip(links, met, strict=True)]
    geoms, filters = filtered_geoms(tree.geoms, links, excluded)
    _note_sections(root, links, findings)
    return Robot(
        root.text("model") or path.stem,
        tuple(replace(link, geoms=geoms.get(i, ())) for i, link in enumerate(links)),
        geoms.get(WORLD, ()),
        read_loops(root, tree, compiler, findings),
        filters,
        _gravity(root),
    )


def _model(path: Path) -> Element:
    """Return the root element of a model, every ``include`` replaced by what it names.

    Only files below the folder of the model are included, each once, as MuJoCo has it.

    Raises:
        XmlError: a file cannot be read, or lies elsewhere.
    """
    root = read_xml(path)
    if root.tag not in ROOTS:
        raise XmlError(f"{path.name} is no MJCF: its first element is <{root.tag}>, not <mujoco>.")
    folder = path.resolve().parent
    seen = {path.resolve()}
    waiting = [root]
    while waiting:
        element = waiting.pop()
        while any(element.all("include")):  # included files may include
            element.children = [
                one
                for child in element.children
                for one in (_included(child, folder, seen) if child.tag == "include" else [child])
            ]
        waiting += element.children
    return root


def _included(include: Element, folder: Path, seen: set[Path]) -> list[Element]:
    name = include.text("file").replace("\\", "/")
    why = why_closed(folder / name)
    if why:
        raise XmlError(f"line {include.line}: {name[:80]!a} is included, which is not read: {why}.")
    place = (folder / name).resolve()
    if not name or not place.is_relative_to(folder):
        message = f"line {include.line}: {name!a} is included, which is not below {folder.name}."
        raise XmlError(message)
    if place in seen:
        raise XmlError(f"line {include.line}: {name!a} is included twice.")
    seen.add(place)
    return read_xml(place).children


def _gravity(root: Element) -> Vector3:
    gravity: Vector3 = (0.0, 0.0, -GRAVITY)
    for option in root.all("option"):
        gravity = option.vector("gravity", gravity)
        if any(flag.text("gravity") == "disable" for flag in option.all("flag")):
            gravity = ZERO
    return gravity


def _weighed(links: list[Link], compiler: Compiler) -> list[Link]:
    """Return links that weigh in all what the compiler says."""
    wanted = compiler.said.number("settotalmass")
    total = sum(link.mass.mass for link in links if link.mass is not None)
    if not (wanted > 0.0 and total > 0.0):
        return links
    return [
        link if link.mass is None else replace(link, mass=times(link.mass, wanted / total))
        for link in links
    ]


def _actuated(
    root: Element,
    links: Sequence[Link],
    key: Element | None,
    compiler: Compiler,
    findings: Findings,
) -> list[Link]:
    """Return links whose joints have what actuators do to them."""
    axes = axes_by_name(links)
    controls = iter(() if key is None else key.floats("ctrl"))
    for number, actuator in enumerate(root.inside("actuator", *ACTUATORS)):
        element = compiler.resolved(actuator, "")
        control = clamped(element, next(controls, 0.0))
        joint = element.text("joint") or element.text("jointinparent")
        if joint not in axes:
            findings.note("actuator", element.text("name") or actuator.tag)
        else:
            axes[joint] = with_actuator(axes[joint], element, number, control, findings)
    return with_axes(links, axes)


def _note_sections(root: Element, links: Sequence[Link], findings: Findings) -> None:
    """Note what is left out as a whole, and what becomes of links with several joints."""
    for tendon in root.inside("tendon"):
        findings.note("tendon", tendon.text("name") or tendon.tag)
    for option in root.all("option"):
        for word in ("density", "viscosity", "wind"):
            if any(option.floats(word)):
                findings.note("fluid", word)
    for flag in root.inside("option", "flag"):
        for word in SWITCHES.split():
            if flag.text(word) == "disable":
                findings.note("flag", word)
    parts = (*root.children, *root.inside("asset"))
    for tag in dict.fromkeys(one.tag for one in parts if one.tag in UNREAD):
        findings.note("left-out", tag)
    for link in links:
        run = stacks(link.axes)
        if len(run) > 1:
            findings.note("light", link.name)
        mixed = {axis.way is Way.SLIDE for axis in run[0]} if run else set()
        if len(mixed) > 1 and link.parent == WORLD:
            findings.note("planar", link.name)


def read_loops(
    root: Element, tree: Tree, compiler: Compiler, findings: Findings
) -> tuple[Loop, ...]:
    """Return connect and weld as joints; what else there is, is noted."""
    rest = {WORLD: IDENTITY}
    for index, link in enumerate(tree.links):
        rest[index] = multiply(rest[link.parent], link.placed)
    loops: list[Loop] = []
    for element in _elements(root, compiler):
        name = element.text("name") or element.tag
        if element.text("active", "true") == "false":
            findings.note("inactive", name)
        elif element.tag != "joint":  # see ``followers``
            loop = _loop(element, name, tree, rest)
            if loop is None:
                findings.note("equality", name)
            else:
                loops.append(loop)
    return tuple(loops)


def followers(
    root: Element, links: Sequence[Link], compiler: Compiler, findings: Findings
) -> list[Link]:
    """Return links whose joints know which other joint they follow, or that they are held.

    An equality of MuJoCo counts from where both joints rest; values here do not.
    """
    axes = axes_by_name(links)
    for element in _elements(root, compiler):
        if element.tag != "joint" or element.text("active", "true") == "false":
            continue
        follower, leader = element.text("joint1"), element.text("joint2")
        said = element.floats("polycoef")
        offset, factor, *curve = (*said, *(0.0, 1.0, 0.0)[len(said) :])
        if any(curve) or follower not in axes or (leader and leader not in axes):
            findings.note("equality", element.text("name") or follower or "joint")
            continue
        axis = axes[follower]
        offset += axis.rest
        if leader:
            offset -= factor * axes[leader].rest
            mimic = {"joint": leader, "multiplier": factor, "offset": offset}
            axes[follower] = replace(axis, remarks=replace(axis.remarks, mimic=mimic))
        else:
            axes[follower] = replace(axis, low=offset, high=offset)
        findings.note("mimic" if leader else "held", follower)
    return with_axes(links, axes)


def _elements(root: Element, compiler: Compiler) -> Iterator[Element]:
    """Yield equalities with what their classes say, all by one name."""
    for child in root.inside("equality"):
        shared = Element("equality", child.attributes, line=child.line)
        yield replace(compiler.resolved(shared, ""), tag=child.tag)


def _loop(element: Element, name: str, tree: Tree, rest: dict[int, Matrix]) -> Loop | None:
    if element.tag not in ("connect", "weld"):
        return None
    turns = element.tag == "connect"
    if element.text("site1") and element.text("site2"):
        one, other = (tree.sites.get(element.text(site)) for site in ("site1", "site2"))
        if one is None or other is None:
            return None
        return Loop(name, one[0], other[0], one[1], other[1], turns)
    first, second = (element.text(body, "world") for body in ("body1", "body2"))
    if first not in tree.names or second not in tree.names or first == second:
        return None
    a, b = tree.names[first], tree.names[second]
    between = multiply(inverse(rest[a]), rest[b])  # the first from the second
    if turns:
        # Where the anchor of the first is in the second; both without a turn between them.
        here, back = shifted(element.vector("anchor")), inverse(between)
        return Loop(name, a, b, here, multiply(back, here), turns=True)
    relative = element.floats("relpose")
    if len(relative) == 7 and any(relative[3:]):
        x, y, z = relative[:3]
        between = pose(rotation_from_quaternion(from_wxyz(relative[3:])), (x, y, z))
    anchor = shifted(element.vector("anchor"))
    return Loop(name, a, b, multiply(between, anchor), anchor, turns=False)
