# SPDX-License-Identifier: GPL-3.0-or-later
"""Equalities that hold two bodies together: joints that close loops."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.geometry.transform import (
    IDENTITY,
    Matrix,
    inverse,
    linear_part,
    matrix_from,
    multiply,
    rotation_from_quaternion,
)
from ...model.wording.findings import Findings
from ..element import Element
from ..numbers import floats, vector
from ..robot import WORLD, Loop
from ..turning import moved, shifted
from .bodies import Tree
from .compiler import Compiler
from .start import at_rest


def read_loops(
    root: Element, tree: Tree, compiler: Compiler, findings: Findings
) -> tuple[Loop, ...]:
    """Return connect and weld as joints; what else there is, is noted."""
    rest = at_rest(tree.links)
    loops: list[Loop] = []
    for element in _equalities(root, compiler):
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


def _equalities(root: Element, compiler: Compiler) -> Iterator[Element]:
    for section in root.all("equality"):
        for child in section.children:
            shared = Element("equality", dict(child.attributes), line=child.line)
            yield Element(child.tag, compiler.resolved(shared, "").attributes, line=child.line)


def _loop(element: Element, name: str, tree: Tree, rest: list[Matrix]) -> Loop | None:
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
    between = multiply(inverse(_world(rest, a)), _world(rest, b))  # the first from the second
    if turns:
        # Where the anchor of the first is in the second; both without a turn between them.
        here = shifted(vector(element, "anchor"))
        there = moved(inverse(between), vector(element, "anchor"))
        turn = linear_part(inverse(between))
        return Loop(name, a, b, here, matrix_from(turn, there), turns=True)
    relative = floats(element, "relpose")
    if len(relative) == 7 and any(relative[3:]):
        x, y, z, qw, qx, qy, qz = relative
        between = matrix_from(rotation_from_quaternion((qx, qy, qz, qw)), (x, y, z))
    anchor = shifted(vector(element, "anchor"))
    return Loop(name, a, b, multiply(between, anchor), anchor, turns=False)


def _world(rest: list[Matrix], link: int) -> Matrix:
    return IDENTITY if link == WORLD else rest[link]
