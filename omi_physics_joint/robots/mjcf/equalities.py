# SPDX-License-Identifier: GPL-3.0-or-later
"""Equalities that hold two bodies together: joints that close loops."""

from __future__ import annotations

from dataclasses import replace

from ...model.geometry.transform import (
    IDENTITY,
    Matrix,
    inverse,
    multiply,
    rotation_from_quaternion,
)
from ...model.wording.findings import Findings
from ..element import Element
from ..robot import WORLD, Loop
from ..turning import from_wxyz, pose, shifted
from .bodies import Tree
from .compiler import Compiler


def read_loops(
    root: Element, tree: Tree, compiler: Compiler, findings: Findings
) -> tuple[Loop, ...]:
    """Return connect and weld as joints; what else there is, is noted."""
    rest = {WORLD: IDENTITY}
    for index, link in enumerate(tree.links):
        rest[index] = multiply(rest[link.parent], link.placed)
    loops: list[Loop] = []
    for child in root.inside("equality"):
        # Their classes say them all by one name.
        shared = Element("equality", child.attributes, line=child.line)
        element = replace(compiler.resolved(shared, ""), tag=child.tag)
        name = element.text("name") or element.tag
        if element.tag == "joint":
            findings.note("mimic", element.text("joint1") or name)
        elif element.text("active", "true") == "false":
            findings.note("inactive", name)
        else:
            loop = _loop(element, name, tree, rest)
            if loop is None:
                findings.note("equality", name)
            else:
                loops.append(loop)
    return tuple(loops)


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
