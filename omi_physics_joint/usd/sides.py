# SPDX-License-Identifier: GPL-3.0-or-later
"""Which side of a joint is which, on a stage and in the model.

On a stage the value of a joint is the pose of the frame on body 1 in the frame on body 0; in the
model, that of the connected frame in the joint frame. So body 0 is the side of the joint node. But
readers that build trees (Newton, MuJoCo) want body 0 to be the one above, which holds the other,
and the world; and our joint nodes belong below the body that moves. Joints whose inverse motion is
one of the same kind can be said either way: their bounds and targets change sign.
"""

from __future__ import annotations

from ..model.joint import AXES, Freedom, JointSettings
from ..model.settings.spans import Spans, spans_of
from ..model.settings.together import together_in


def is_reversible(settings: JointSettings) -> bool:
    """Return whether the inverse motion of a joint is one that the same axes can bound.

    The inverse of a turn has the opposite angle about each axis. The inverse of a shift is the
    opposite one where nothing turns, or where all turns are about the line that it runs along.
    A distance is what it was where it is from a point, also where things turn.
    """
    spans = spans_of(settings.limits)
    around = {one.freedom: one.axes for one in together_in(settings.limits)}
    distance = around.get(Freedom.LINEAR, ())
    if len(distance) == len(AXES):
        driven = any(drive.type is Freedom.LINEAR for drive in settings.drives)
        return not driven and all(spans[axis].is_free for axis in AXES)
    shifts = {axis for axis in AXES if not _rests(spans, axis)}
    turns = {axis for axis in AXES if not _rests(spans, axis + len(AXES))}
    return not shifts or not turns or (shifts == turns and len(shifts) == 1)


def _rests(spans: Spans, index: int) -> bool:
    """Return whether a degree of freedom stays at zero, rigidly and always."""
    span = spans[index]
    return span.rigid_low == 0.0 == span.rigid_high and not span.is_keyed
