# SPDX-License-Identifier: GPL-3.0-or-later
"""How a joint is laid out for Godot: which body holds it, and what its axes are called.

Jolt reads a rotation as a twist about X and a swing; this project as turns about X, then Y, then Z.
The two agree for any two of them where the axis that is first (or, measured the other way round,
last) is called X. Names of axes also decide what kind of node Godot makes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from ..joint import AXES, Freedom, JointSettings
from ..spans import Spans, spans_of
from .nodes import X, Y, Z
from .settings import sliding_axes, turning_axes


@dataclass(frozen=True, slots=True)
class Layout:
    """What is done to a joint, beside its limits and drives."""

    shift: int = 0
    """Axis i is called i + shift."""
    exchanged: bool = False
    """Whether the bodies change sides."""

    @property
    def negated(self) -> Freedom:
        """The coordinates that change their sign.

        Godot counts distances as specified and angles the other way; sides that are exchanged turn
        both round.
        """
        return Freedom.LINEAR if self.exchanged else Freedom.ANGULAR


def layout_of(settings: JointSettings, *, is_held_by_moving: bool = False) -> Layout:
    """Return the layout of a joint.

    What slides along the axis that it turns about may change sides; Jolt's locks of it come loose
    after some way where the holder is the body that moves.

    Args:
        settings: as ``settings.spelled`` returns them.
        is_held_by_moving: whether the body of the joint frame is dynamic and the other is not.
    """
    spans = spans_of(settings.limits)
    turns, slides = turning_axes(spans), sliding_axes(spans)
    if len(turns) >= 2:
        if not slides:
            return Layout((X - turns[0]) % 3, exchanged=is_held(settings, spans))
        return Layout((X - turns[-1]) % 3)
    if len(turns) == 1 and not slides:
        return Layout(((Z if _fits_hinge(settings, spans) else Y) - turns[0]) % 3)
    if len(slides) == 1 and turns in ((), slides):
        return Layout((Y - slides[0]) % 3, exchanged=is_held_by_moving and turns == slides)
    return Layout()


def is_held(settings: JointSettings, spans: Spans) -> bool:
    """Return whether anything bounds or drives the angles; if not, sides do not matter."""
    return bool(settings.drives) or any(not spans[3 + axis].is_free for axis in AXES)


def _fits_hinge(settings: JointSettings, spans: Spans) -> bool:
    """Return whether Godot's plain hinge holds everything: free, or a motor without a limit."""
    if not all(spans[3 + axis].is_free or spans[3 + axis].is_locked for axis in AXES):
        return False
    return all(
        drive.position_target is None and drive.max_force == inf for drive in settings.drives
    )
