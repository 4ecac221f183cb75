# SPDX-License-Identifier: GPL-3.0-or-later
"""Equalities that hold two bodies together: joints that close loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from ..robot import WORLD, Link, Loop, axes_by_name, with_axes
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
