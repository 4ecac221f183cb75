# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree of bodies: links with their joints, geoms and masses, in MuJoCo's order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...model.geometry.transform import IDENTITY, Matrix, multiply
from ...model.mechanics.masses import NO_INERTIA, Mass, diagonal, principal, summed, through
from ...model.wording.findings import Findings
from ..element import Element
from ..remarks import Remarks
from ..robot import WORLD, Axis, Link
from ..turning import pose
from .compiler import Compiler
from .geoms import Meshes, ReadGeom, read_geom
from .joints import read_axis

MADE = ("replicate", "composite", "flexcomp", "attach")
"""Elements that make bodies by a rule."""
RESISTING = ("damping", "stiffness", "frictionloss", "armature")
"""Attributes of joints; a body that no joint holds has nothing that they could be said of."""
UNREAD = ("camera", "light", "plugin", "flex")
"""Elements of bodies that a mechanism has no place for."""


@dataclass(slots=True)
class Tree:
    """What the bodies of a model are."""

    links: list[Link] = field(default_factory=list)
    geoms: dict[int, list[ReadGeom]] = field(default_factory=dict)
    """By link; ``WORLD`` has those of the world."""
    sites: dict[str, tuple[int, Matrix]] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=lambda: {"world": WORLD})


@dataclass(slots=True)
class _Waiting:
    """One element whose inside is still to be read: a body, a frame or the world."""

    element: Element
    owner: int
    outer: Matrix
    """Of the owner, from the element."""
    childclass: str


def read_tree(root: Element, compiler: Compiler, meshes: Meshes, findings: Findings) -> Tree:
    """Return all bodies of a model; parents come before children, as in ``qpos``."""
    tree = Tree()
    waiting = [_Waiting(world, WORLD, IDENTITY, "") for world in root.all("worldbody")][::-1]
    left_out: set[str] = set()
    while waiting:
        one = waiting.pop()
        if one.element.tag == "body":
            one = _body(tree, one, compiler, findings)
        elif one.element.tag == "frame":
            outer = multiply(one.outer, compiler.pose(one.element))
            childclass = one.element.text("childclass") or one.childclass
            one = replace(one, outer=outer, childclass=childclass)
        inner: list[_Waiting] = []
        for child in one.element.children:
            if child.tag in ("body", "frame"):
                inner.append(replace(one, element=child))
            elif child.tag == "geom":
                _geom(tree, child, one, meshes)
            elif child.tag == "site":
                place = multiply(one.outer, compiler.pose(compiler.resolved(child, one.childclass)))
                tree.sites[child.text("name")] = (one.owner, place)
            elif child.tag in ("joint", "freejoint") and one.element.tag != "body":
                findings.note("misplaced", child.text("name") or child.tag)
            elif child.tag in MADE:
                findings.note("made", child.text("prefix") or child.tag)
            elif child.tag in UNREAD:
                left_out.add(child.tag)
        waiting += reversed(inner)
    for tag in sorted(left_out):
        findings.note("left-out", tag)
    for index, link in enumerate(tree.links):
        tree.links[index] = replace(link, mass=_mass(tree, index, link, compiler))
    return tree


def _body(tree: Tree, around: _Waiting, compiler: Compiler, findings: Findings) -> _Waiting:
    """Add a body to the tree, and return what is inside of it."""
    element, index = around.element, len(tree.links)
    name = element.text("name") or f"body {index + 1}"
    childclass = element.text("childclass") or around.childclass
    axes: list[Axis] = []
    free_joint = element.one("freejoint")
    for joint in element.all("joint"):
        resolved = compiler.resolved(joint, childclass)
        if resolved.text("type") == "free":
            free_joint = joint
            if any(any(resolved.floats(word)) for word in RESISTING):
                findings.note("free-resists", resolved.text("name") or name)
            continue
        count = f" {len(axes) + 1}" if axes else ""
        axes.append(read_axis(resolved, f"{name} joint{count}", compiler, findings))
    if free_joint is not None and around.owner != WORLD:
        findings.note("misplaced", free_joint.text("name") or name)
    inertial = element.one("inertial")
    tree.names.setdefault(name, index)
    tree.links.append(
        Link(
            name,
            around.owner,
            multiply(around.outer, compiler.pose(element)),
            tuple(axes),
            free=free_joint is not None,
            remarks=Remarks(name=None if free_joint is None else free_joint.text("name") or None),
            led=element.text("mocap") == "true",
            mass=None if inertial is None else _inertial(inertial, compiler),
            gravity=1.0 - element.number("gravcomp"),
        )
    )
    return _Waiting(element, index, IDENTITY, childclass)


def _geom(tree: Tree, element: Element, around: _Waiting, meshes: Meshes) -> None:
    own = tree.geoms.setdefault(around.owner, [])
    body = "world" if around.owner == WORLD else tree.links[around.owner].name
    resolved = meshes.compiler.resolved(element, around.childclass)
    name = f"{body} geom {len(own) + 1}" if own else f"{body} geom"
    found = read_geom(resolved, around.outer, name, meshes)
    if found is not None:
        own.append(found)


def _inertial(element: Element, compiler: Compiler) -> Mass:
    """Return the mass of a body that says it, in the body."""
    moments, full = element.floats("diaginertia"), element.floats("fullinertia")
    rows = NO_INERTIA
    if len(full) == 6:
        xx, yy, zz, xy, xz, yz = full
        rows = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    elif len(moments) == 3:
        rows = diagonal(*moments)
    turned = through(Mass(element.number("mass"), inertia=rows), pose(compiler.turn(element)))
    return replace(turned, centre=element.vector("pos"))


def _mass(tree: Tree, index: int, link: Link, compiler: Compiler) -> Mass | None:
    """Return what a link weighs: what it says, or what its geoms do."""
    said = compiler.said.text("inertiafromgeom", "auto")
    mass = link.mass
    if said == "true" or (said == "auto" and mass is None):
        mass = summed(one.mass for one in tree.geoms.get(index, ()) if one.mass is not None)
    if mass is None:
        return None
    least, least_inertia = (compiler.said.number(f"bound{what}") for what in ("mass", "inertia"))
    inertia = mass.inertia
    if least_inertia > 0.0:
        inertia = tuple(
            tuple(max(x, least_inertia) if i == j else x for j, x in enumerate(row))
            for i, row in enumerate(inertia)
        )
    moments = sorted(principal(inertia)[0])
    if compiler.flag("balanceinertia", default=False) and moments[0] + moments[1] < moments[2]:
        mean = sum(moments) / 3.0
        inertia = diagonal(mean, mean, mean)
    return Mass(max(mass.mass, least), mass.centre, inertia)
