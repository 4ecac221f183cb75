# SPDX-License-Identifier: GPL-3.0-or-later
"""What has been moved: nodes below the nearest node that both mechanisms have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite, sqrt

from ..geometry.frames import is_flat, rigid_frame
from ..geometry.transform import (
    IDENTITY,
    Matrix,
    apply,
    determinant,
    dot,
    inverse,
    linear_part,
    multiply,
    rotation_angle,
    translation_of,
    transpose,
)
from ..joint import Freedom
from ..mechanism import Mechanism
from ..wording.words import metric
from .fact import SAME, Fact, all_near, compared
from .pairing import Pairing
from .settings import fine

LEAST_TURN = 2e-6
"""rad: single precision holds no rotation better."""


def place_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield how a node has been moved, turned, scaled or put below another one."""
    before, after = pairing.before, pairing.after
    above = _common(pairing, ours, theirs)
    base = IDENTITY if above is None else before.nodes[above[0]].world
    base_then = IDENTITY if above is None else after.nodes[above[1]].world
    yield from moved((base, before.nodes[ours].world), (base_then, after.nodes[theirs].world))


def moved(before: tuple[Matrix, Matrix], after: tuple[Matrix, Matrix]) -> Iterator[Fact]:
    """Yield how something has been moved."""
    one, other = _relative(*before), _relative(*after)
    if one is None or other is None:
        before, after = (IDENTITY, before[1]), (IDENTITY, after[1])
        one, other = before[1], after[1]
    starts, ends = translation_of(one), translation_of(other)
    size = max(1.0, *map(abs, starts), *map(abs, ends))
    if not all_near(starts, ends, SAME * size):
        way = apply(linear_part(after[0]), [b - a for a, b in zip(starts, ends, strict=True)])
        yield Fact("", "", f"moved by {metric(sqrt(dot(way, way)), Freedom.LINEAR)}")
    linear, linear_then = linear_part(one), linear_part(other)
    lengths, lengths_then = _lengths(linear), _lengths(linear_then)
    scales = all_near(lengths, lengths_then, SAME)
    if not scales:
        yield from compared("scale", (lengths, lengths_then), _said)
    if is_flat(linear) or is_flat(linear_then):
        same = all(all_near(*rows) for rows in zip(linear, linear_then, strict=True))
        if scales and not same:
            yield Fact("", "", "turned")
        return
    if (determinant(linear) < 0.0) is not (determinant(linear_then) < 0.0):
        yield Fact("", "", "mirrored")
        return
    turn, turn_then = (linear_part(rigid_frame(matrix)) for matrix in (one, other))
    angle = rotation_angle(multiply(transpose(turn), turn_then))
    if angle > LEAST_TURN:
        yield Fact("", "", f"turned by {metric(angle, Freedom.ANGULAR)}")
    elif scales and not all(
        all_near(*rows, LEAST_TURN * max(lengths)) for rows in zip(linear, linear_then, strict=True)
    ):
        yield Fact("", "", "sheared")


def placed(mechanism: Mechanism) -> set[int]:
    """Return the nodes whose place means something: with physics on or below them, or joined."""
    found: set[int] = set()
    for index, node in enumerate(mechanism.nodes):
        if node.is_physical:
            found.update(mechanism.ancestry(index))
        if node.joint is not None:
            found.update(mechanism.ancestry(node.joint.connected_node))
    return found


def _common(pairing: Pairing, ours: int, theirs: int) -> tuple[int, int] | None:
    """Return the nearest node above that is the same in both."""
    above = set(pairing.after.ancestry(theirs)) - {theirs}
    for one in pairing.before.ancestry(ours):
        if one != ours and pairing.forth.get(one) in above:
            return one, pairing.forth[one]
    return None


def _relative(base: Matrix, world: Matrix) -> Matrix | None:
    """Return a pose below another; None where that other is flat, or too small to divide by."""
    if is_flat(linear_part(base)):
        return None
    try:
        pose = multiply(inverse(base), world)
    except (ZeroDivisionError, OverflowError):
        return None
    return pose if all(isfinite(x) for row in pose for x in row) else None


def _lengths(linear: Matrix) -> list[float]:
    return [sqrt(dot(column, column)) for column in transpose(linear)]


def _said(lengths: Sequence[float], digits: int) -> str:
    return " × ".join(fine(length, digits) for length in lengths)
