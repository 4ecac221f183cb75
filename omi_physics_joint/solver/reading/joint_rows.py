# SPDX-License-Identifier: GPL-3.0-or-later
"""Which rows and elements a joint has: what of its coordinates is limited or driven."""

from __future__ import annotations

from math import inf, isfinite, isnan, nan
from typing import NamedTuple

from ..system import CONE, LINE, MOST_ROWS, POINT, WHOLE, RowKind
from .joints import ForceElement, Joint


class JointRow(NamedTuple):
    """One coordinate of a joint on which anything acts."""

    coordinate: int
    kind: RowKind
    hold: float
    low: float
    high: float


def elements_of(joint: Joint) -> list[ForceElement]:
    """Return the elements of a joint that do something: nothing soft moves what is locked."""
    return [
        one
        for one in joint.elements
        if joint.low[one.coordinate] != joint.high[one.coordinate]
        and (one.stiffness > 0.0 or one.damping > 0.0)
    ]


def rows_of(joint: Joint) -> list[JointRow]:
    """Return the rows of a joint, rising by coordinate."""
    acted_on = {one.coordinate for one in elements_of(joint)}
    bounds = zip(joint.low.tolist(), joint.high.tolist(), strict=True)
    return [
        _row(joint, c, low, high)
        for c, (low, high) in enumerate(bounds)
        if c in acted_on or isfinite(low) or isfinite(high)
    ]


def _row(joint: Joint, coordinate: int, low: float, high: float) -> JointRow:
    if low == high:
        return JointRow(coordinate, RowKind.LOCK, low, -inf, inf)
    held = float(joint.held_at[coordinate - 3]) if 3 <= coordinate < LINE else nan
    if isnan(held):
        return JointRow(coordinate, RowKind.FREE, 0.0, low, high)
    return JointRow(coordinate, RowKind.HELD, held, low, high)


def axes_of(coordinate: int) -> frozenset[int]:
    """Return which of the coordinates 0 to 5 one is about: itself, or those of its axes."""
    if coordinate < LINE:
        return frozenset({coordinate})
    if coordinate in {POINT, WHOLE}:
        return frozenset({0, 1, 2}) if coordinate == POINT else frozenset({3, 4, 5})
    first, left = (0, coordinate - LINE) if coordinate < POINT else (3, coordinate - CONE)
    return frozenset({first, first + 1, first + 2} - {first + left})


def is_crowded(joint: Joint) -> bool:
    """Return whether several axes together share one with another row, which may follow from it."""
    every = [row.coordinate for row in rows_of(joint)]
    return any(
        axes_of(one) & axes_of(other)
        for one in every
        if one >= LINE
        for other in every
        if other != one
    )


def in_parts(joint: Joint) -> list[Joint]:
    """Return a joint, or where it has too many rows several: others have those of axes together."""
    if len(rows_of(joint)) <= MOST_ROWS:
        return [joint]
    first, *further = (joint.part(*some) for some in ((0, LINE), (LINE, CONE), (CONE, WHOLE + 1)))
    return [first, *(part for part in further if rows_of(part))]


def shape_of(joint: Joint) -> tuple[object, ...]:
    """Return what must be the same of two joints that are computed together."""
    return (
        is_crowded(joint),
        tuple((row.coordinate, row.kind) for row in rows_of(joint)),
        tuple(
            (one.coordinate, one.is_drive, one.is_one_sided, one.accelerates)
            for one in elements_of(joint)
        ),
    )
