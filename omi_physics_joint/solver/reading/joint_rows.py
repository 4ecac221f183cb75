# SPDX-License-Identifier: GPL-3.0-or-later
"""Which rows and elements a joint has: what of its six coordinates is limited or driven."""

from __future__ import annotations

from math import inf, isfinite, isnan, nan
from typing import NamedTuple

from ..system import RowKind
from .joints import Joint
from .springs import Element


class JointRow(NamedTuple):
    """One coordinate of a joint on which anything acts."""

    coordinate: int
    kind: RowKind
    hold: float
    low: float
    high: float


def elements_of(joint: Joint) -> list[Element]:
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
    held = nan if coordinate < 3 else float(joint.held_at[coordinate - 3])
    if isnan(held):
        return JointRow(coordinate, RowKind.FREE, 0.0, low, high)
    return JointRow(coordinate, RowKind.HELD, held, low, high)


def shape_of(joint: Joint) -> tuple[object, ...]:
    """Return what must be the same of two joints that are computed together."""
    return (
        tuple((row.coordinate, row.kind) for row in rows_of(joint)),
        tuple(
            (one.coordinate, one.is_drive, one.is_one_sided, one.accelerates)
            for one in elements_of(joint)
        ),
    )
