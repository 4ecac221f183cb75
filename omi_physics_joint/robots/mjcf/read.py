# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF read: a model of MuJoCo as contents. Source: MuJoCo's XML reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...model.body import Vector3
from ...model.contents import Contents, ContentsError
from ...model.issue import Issue
from ...model.wording.findings import Findings
from ..building.building import contents_of
from ..building.stacks import stacks
from ..element import Element, XmlError
from ..kinds import MJCF_READ
from ..masses import times
from ..numbers import floats, vector
from ..robot import WORLD, Link, Robot, Way
from .bodies import read_tree
from .compiler import ACTUATORS, Compiler, compiler_of
from .contacts import excluded_pairs, filtered_geoms, parents_met
from .equalities import read_loops
from .geoms import Meshes
from .joints import clamped, with_actuator
from .sources import read_model
from .start import at_start, key_frame

UNREAD = ("sensor", "custom", "extension", "deformable", "skin", "texture", "material", "hfield")
"""Sections and assets that a mechanism has no place for."""


def read_mjcf(path: Path) -> tuple[Contents, tuple[Issue, ...]]:
    """Return what a model holds, and an issue for everything that is not in it.

    Raises:
        ContentsError: the file cannot be read.
    """
    findings = Findings(MJCF_READ, path.name, "mjcf-")
    try:
        root = read_model(path)
        robot = read_robot(root, path, findings)
    except XmlError as error:
        raise ContentsError(str(error)) from None
    contents, massless = contents_of(robot)
    for name in massless:
        findings.note("massless", name)
    return contents, findings.issues()


def read_robot(root: Element, path: Path, findings: Findings) -> Robot:
    """Return a model, its includes taken in, as a robot.

    Raises:
        XmlError: something in it cannot be understood.
    """
    compiler = compiler_of(root)
    meshes = Meshes(path.parent, compiler, findings)
    for assets in root.all("asset"):
        for mesh in assets.all("mesh"):
            meshes.add(compiler.resolved(mesh, ""))
    tree = read_tree(root, compiler, meshes, findings)
    key = key_frame(root)
    links = _weighed(at_start(tree.links, key, findings), compiler)
    links = _actuated(root, links, key, compiler, findings)
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


def _gravity(root: Element) -> Vector3:
    gravity: Vector3 = (0.0, 0.0, -9.81)
    for option in root.all("option"):
        gravity = vector(option, "gravity", gravity)
        if any(flag.text("gravity") == "disable" for flag in option.all("flag")):
            gravity = (0.0, 0.0, 0.0)
    return gravity


def _weighed(links: list[Link], compiler: Compiler) -> list[Link]:
    """Return links that weigh in all what the compiler says."""
    wanted = compiler.amount("settotalmass", -1.0)
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
    found = list(links)
    places = {axis.name: (i, j) for i, link in enumerate(links) for j, axis in enumerate(link.axes)}
    controls = iter(() if key is None else floats(key, "ctrl"))
    actuators = [one for section in root.all("actuator") for one in section.all(*ACTUATORS)]
    for actuator in actuators:
        element = compiler.resolved(actuator, "")
        control = clamped(element, next(controls, 0.0))
        joint = element.text("joint") or element.text("jointinparent")
        if joint not in places:
            findings.note("actuator", element.text("name") or actuator.tag)
            continue
        i, j = places[joint]
        axes = list(found[i].axes)
        axes[j] = with_actuator(axes[j], element, control, findings)
        found[i] = replace(found[i], axes=tuple(axes))
    return found


def _note_sections(root: Element, links: Sequence[Link], findings: Findings) -> None:
    """Note what is left out as a whole, and what becomes of links with several joints."""
    for section in root.all("tendon"):
        for tendon in section.children:
            findings.note("tendon", tendon.text("name") or tendon.tag)
    assets = [asset for section in root.all("asset") for asset in section.children]
    for tag in Counter(one.tag for one in (*root.children, *assets) if one.tag in UNREAD):
        findings.note("left-out", tag)
    for link in links:
        run = stacks(link.axes)
        if len(run) > 1:
            findings.note("light", link.name)
        mixed = {axis.way is Way.SLIDE for axis in run[0]} if run else set()
        if len(mixed) > 1 and link.parent == WORLD:
            findings.note("planar", link.name)
