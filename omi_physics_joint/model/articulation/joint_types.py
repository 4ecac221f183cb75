# SPDX-License-Identifier: GPL-3.0-or-later
"""Which type of joint has the degrees of freedom that limits leave, and how many numbers it takes.

Source: Newton, "Articulations", "Joint types".
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ..joint import AXES, Freedom, JointSettings
from ..settings.spans import Span, spans_of
from ..settings.together import Together, together_in


class JointType(StrEnum):
    """The types of joints, as Newton names them."""

    FIXED = "FIXED"
    PRISMATIC = "PRISMATIC"
    REVOLUTE = "REVOLUTE"
    BALL = "BALL"
    DISTANCE = "DISTANCE"
    D6 = "D6"
    FREE = "FREE"


class Counts(NamedTuple):
    """How many numbers a joint has."""

    q: int
    """Positions, in ``joint_q``."""
    qd: int
    """Velocities, in ``joint_qd``; forces and targets of them have as many."""
    axes: int
    """Axes that the joint has of its own, see ``counts_of``."""


_COUNTS = {
    JointType.FIXED: Counts(0, 0, 0),
    JointType.BALL: Counts(4, 3, 3),
    JointType.DISTANCE: Counts(7, 6, 1),
    JointType.FREE: Counts(7, 6, 0),
}


def counts_of(type_: JointType, freedoms: int) -> Counts:
    """Return the row of Newton's table of joint types.

    Its last column counts axes with settings of their own: none of a free joint, the distance of
    DISTANCE. The array ``joint_axis`` has a row for each velocity all the same, so what is of axes
    begins where ``joint_qd`` of the joint does.
    """
    return _COUNTS.get(type_, Counts(freedoms, freedoms, freedoms))


class Room(NamedTuple):
    """What limits leave of a joint."""

    type: JointType
    free: tuple[tuple[Freedom, int], ...]
    """Degrees of freedom, distances first; axes are numbers in the joint frame."""
    held: tuple[float, float, float, float, float, float]
    """Where the others are held, m and rad; zero for those that are free."""


def room_of(settings: JointSettings) -> Room:
    """Return which type of joint settings make.

    What limits hold at one value is locked, also where they give way, as it is for posing; all else
    is a degree of freedom, however narrow. BALL, FREE and DISTANCE have no angles: they are for
    joints with no bound on one axis by itself (bounds on all three distances together are those
    of DISTANCE). With such a bound the joint is D6. Limits that change with time count as at rest.
    """
    spans = spans_of(settings.limits)
    values = [span.held_at for span in spans]
    free = tuple(
        (span.freedom, span.axis)
        for span, value in zip(spans, values, strict=True)
        if value is None
    )
    x, y, z, a, b, c = (value or 0.0 for value in values)
    return Room(_type_of(spans, free, together_in(settings.limits)), free, (x, y, z, a, b, c))


def _type_of(
    spans: tuple[Span, ...], free: tuple[tuple[Freedom, int], ...], together: tuple[Together, ...]
) -> JointType:
    slides = sum(freedom is Freedom.LINEAR for freedom, _ in free)
    if len(free) < 2:
        only = JointType.PRISMATIC if slides else JointType.REVOLUTE
        return only if free else JointType.FIXED
    if not all(span.is_free for span in spans[3:]):
        return JointType.D6
    if not slides:
        return JointType.BALL
    linear = [len(one.axes) for one in together if one.freedom is Freedom.LINEAR]
    if not all(span.is_free for span in spans[:3]) or not all(n == len(AXES) for n in linear):
        return JointType.D6
    return JointType.DISTANCE if linear else JointType.FREE
