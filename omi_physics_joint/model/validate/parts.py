# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that have no collider, or are no part of the body that they are on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from math import prod

from ..body import ZERO
from ..geometry.extent import (
    box_around,
    collider_box,
    diagonal,
    longest_side,
    mesh_box,
    own_box,
    own_room,
    share_room,
    touch,
    touching,
)
from ..geometry.frames import is_sound, rigid_frame
from ..geometry.transform import inverse, minus, multiply, plus, times
from ..issue import Issue
from ..mechanism import Node
from .survey import Survey

OUT = 0.25
"""How far a part without a collider reaches out of a body, as a part of its longest side."""
SLIGHT, MUCH = 0.1, 0.15
"""Parts of the room of a body below which what is on it is a string, what is beside it a handle."""
SHEET = 0.05
"""Part of its longest side that a body counts as thick at least beside a handle, as a lid."""
NEAR = 0.01
"""How far two boxes are apart that touch, as a part of the shorter one."""


def part_issues(survey: Survey, joined: Set[int]) -> Iterator[Issue]:
    """Yield what does not go along with bodies as it looks, or meets nothing; of ``joined`` ones.

    Those are the bodies that forces move and joints hold.
    """
    yield from _bare_parts(survey)
    yield from _staying(survey, joined)


def seen_from(body: Node, *others: Node) -> list[Node]:
    """Return nodes as they stand along the axes of a body."""
    space = inverse(rigid_frame(body.world))
    return [replace(one, parent=None, world=multiply(space, one.world)) for one in others]


def _bare_parts(survey: Survey) -> Iterator[Issue]:
    """Yield meshes of moving bodies that reach far out of all of them that is solid, or lie beside.

    Within it, as what is drawn often is, they are meant so, and so are slight ones; and where a
    body's inertia is entered, as in files of robots, somebody has weighed its parts.
    """
    nodes = survey.mechanism.nodes
    for body, motion in survey.mechanism.motions():
        if motion.inertia_diagonal != ZERO or not survey.is_dynamic(body):
            continue
        solid = [part for part in survey.parts[body] if nodes[part].collider is not None]
        rest = (
            part for part in survey.parts[body] if nodes[part].collider is None and part != body
        )
        bare = [part for part in rest if nodes[part].bounds and nodes[part].trigger is None]
        if bare and solid and is_sound(nodes[body].world):
            yield from _reaching_out(survey, body, bare, solid)


def _reaching_out(
    survey: Survey, body: int, parts: Sequence[int], solid: Sequence[int]
) -> Iterator[Issue]:
    """Yield those parts that reach out of the box around the colliders, along a body's axes.

    By much of its length, or by more than half of themselves where they are large.
    """
    nodes = survey.mechanism.nodes
    held = seen_from(nodes[body], *(nodes[one] for one in solid))
    rooms = [room for one in held if (room := collider_box(survey.mechanism, one)) is not None]
    if len(rooms) < len(solid):
        return  # of which nobody knows how large it is
    room = low, high = box_around(rooms)
    sides, longest = minus(high, low), longest_side(room)
    seen = seen_from(nodes[body], *(nodes[one] for one in parts))
    for part, node in zip(parts, seen, strict=True):
        box, own = mesh_box(node), own_room(node)
        if box is None or own < SLIGHT * prod(sides):
            continue
        middle = times(plus(*box), 0.5)
        is_much = own > MUCH * prod(max(side, SHEET * longest) for side in sides)
        is_beside = is_much and not touch(room, (middle, middle))
        if is_beside or max(*minus(low, box[0]), *minus(box[1], high)) > OUT * longest:
            yield survey.at_node("part-without-collider", part, body=survey.name(body))


def _staying(survey: Survey, joined: Set[int]) -> Iterator[Issue]:
    """Yield meshes of no body at joined ones alone, above or without a parent as these: a handle.

    What touches others too, as a jamb, is below, as a mat, or larger, as a ground, is to stay.
    """
    mechanism, rooms, nodes = survey.mechanism, survey.rooms, survey.mechanism.nodes
    above = {nodes[body].parent for body in joined}
    bare = {
        index: box
        for index, node in enumerate(nodes)
        if node.parent in above and survey.bodies[index] is None and not node.is_physical
        if (box := mesh_box(node)) is not None
    }
    for index, near in touching(bare, rooms).items():
        if not near or {*near} - joined:
            continue
        body = max(near, key=lambda one: diagonal(rooms[one]))
        own = own_box(mechanism, nodes[index])
        if own is None or diagonal(bare[index]) >= diagonal(rooms[body]):
            continue
        solid = (own_box(mechanism, nodes[part]) for part in survey.parts[body])
        is_above = own[0][1] > rooms[body][0][1]
        if is_above and any(one and share_room(own, one, -NEAR) for one in solid):
            yield survey.at_node("part-of-no-body", index, body=survey.name(body))
