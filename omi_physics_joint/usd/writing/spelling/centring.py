# SPDX-License-Identifier: GPL-3.0-or-later
"""Axes that are held elsewhere than at zero: a stage locks them where the two frames coincide.

So the frames are moved there. Along an axis the joint frame moves; about an axis the connected one
turns, which leaves all distances as they are.
"""

from __future__ import annotations

from dataclasses import replace

from ....model.body import ZERO
from ....model.geometry.transform import Matrix, compose, matrix_from, multiply
from ....model.joint import AXES, Freedom, JointSettings, Limit, on_axes
from ....model.settings.coordinates import axis_rotation
from ....model.settings.spans import Span, spans_of
from ....model.settings.together import together_in

Frames = tuple[Matrix, Matrix]
"""The joint frame and the connected one."""


def centred(settings: JointSettings, frames: Frames) -> tuple[JointSettings, Frames]:
    """Return the same joint with its locks at zero, as far as frames can say it.

    A held angle stays one where another angle has a bound, a value or a drive: those are counted
    from frames that would turn.
    """
    spans = spans_of(settings.limits)
    joint, connected = frames
    together = together_in(settings.limits)
    round_axes = {a for one in together if one.freedom is Freedom.LINEAR for a in one.axes}
    held = [one for one in spans if one.rigid_low == one.rigid_high != 0.0 and not one.is_keyed]
    for span in held:
        if span.freedom is Freedom.LINEAR and span.axis not in round_axes:
            x, y, z = (span.rigid_low if axis == span.axis else 0.0 for axis in AXES)
            joint = multiply(joint, compose((x, y, z)))
            settings = _held_at_zero(settings, span)
    turned = [span for span in held if span.freedom is Freedom.ANGULAR]
    if len(turned) == 1 and _are_uncounted(settings, turned[0].axis):
        turn = axis_rotation(turned[0].axis, -turned[0].rigid_low)
        connected = multiply(connected, matrix_from(turn, ZERO))
        settings = _held_at_zero(settings, turned[0])
    return settings, (joint, connected)


def _are_uncounted(settings: JointSettings, held: int) -> bool:
    """Return whether nothing counts the angles about the other two axes."""
    others = [span for span in spans_of(settings.limits)[len(AXES) :] if span.axis != held]
    if any(one.freedom is Freedom.ANGULAR for one in together_in(settings.limits)):
        return False
    fixed = all(span.rigid_low == 0.0 == span.rigid_high for span in others)
    driven = any(one.type is Freedom.ANGULAR and one.axis != held for one in settings.drives)
    return fixed or (not driven and all(span.is_free for span in others))


def _held_at_zero(settings: JointSettings, span: Span) -> JointSettings:
    """Return settings with one axis fixed, and nothing else said of it."""
    freedom, axis = span.freedom, span.axis
    limits = []
    for limit in settings.limits:
        rest = tuple(a for a in limit.axes(freedom) if a != axis)
        if axis not in limit.axes(freedom):
            limits.append(limit)
        elif rest:
            limits.append(on_axes(limit, freedom, rest))
    limits.append(on_axes(Limit(min=0.0, max=0.0), freedom, (axis,)))
    drives = tuple(one for one in settings.drives if (one.type, one.axis) != (freedom, axis))
    return replace(settings, limits=tuple(limits), drives=drives)
