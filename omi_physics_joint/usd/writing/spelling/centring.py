# SPDX-License-Identifier: GPL-3.0-or-later
"""Axes that are held elsewhere than at zero: a stage locks them where the two frames coincide.

So the frames are moved there. Along an axis the joint frame moves; about an axis the connected one
turns, which leaves all distances as they are.
"""

from __future__ import annotations

from dataclasses import replace

from ....model.body import Vector3
from ....model.geometry.transform import IDENTITY_ROTATION, Matrix, matrix_from, multiply
from ....model.joint import AXES, Freedom, JointSettings, Limit, on_axes
from ....model.settings.coordinates import axis_rotation
from ....model.settings.radial import together_in
from ....model.settings.spans import Span, span_on, spans_of

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
    for axis in AXES:
        span = span_on(spans, Freedom.LINEAR, axis)
        round_axes = {a for one in together if one.freedom is Freedom.LINEAR for a in one.axes}
        if _is_held_elsewhere(span) and axis not in round_axes:
            shift = [0.0, 0.0, 0.0]
            shift[axis] = span.rigid_low
            joint = multiply(joint, matrix_from(IDENTITY_ROTATION, _vector(shift)))
            settings = _held_at_zero(settings, Freedom.LINEAR, axis)
    held = [axis for axis in AXES if _is_held_elsewhere(span_on(spans, Freedom.ANGULAR, axis))]
    if len(held) == 1 and _are_uncounted(settings, held[0]):
        value = span_on(spans, Freedom.ANGULAR, held[0]).rigid_low
        turn = matrix_from(axis_rotation(held[0], -value), (0.0, 0.0, 0.0))
        connected = multiply(connected, turn)
        settings = _held_at_zero(settings, Freedom.ANGULAR, held[0])
    return settings, (joint, connected)


def _is_held_elsewhere(span: Span) -> bool:
    return span.rigid_low == span.rigid_high != 0.0 and not span.is_keyed


def _are_uncounted(settings: JointSettings, held: int) -> bool:
    """Return whether nothing counts the angles about the other two axes."""
    spans = spans_of(settings.limits)
    others = [span_on(spans, Freedom.ANGULAR, axis) for axis in AXES if axis != held]
    if any(one.freedom is Freedom.ANGULAR for one in together_in(settings.limits)):
        return False
    fixed = all(span.rigid_low == 0.0 == span.rigid_high for span in others)
    driven = any(one.type is Freedom.ANGULAR and one.axis != held for one in settings.drives)
    return fixed or (not driven and all(span.is_free for span in others))


def _held_at_zero(settings: JointSettings, freedom: Freedom, axis: int) -> JointSettings:
    """Return settings with one axis fixed, and nothing else said of it."""
    kept = []
    for limit in settings.limits:
        rest = tuple(a for a in limit.axes(freedom) if a != axis)
        if axis not in limit.axes(freedom):
            kept.append(limit)
        elif rest:
            kept.append(on_axes(limit, freedom, rest))
    fixed = on_axes(Limit(min=0.0, max=0.0), freedom, (axis,))
    drives = tuple(one for one in settings.drives if (one.type, one.axis) != (freedom, axis))
    return replace(settings, limits=(*kept, fixed), drives=drives)


def _vector(values: list[float]) -> Vector3:
    return (values[0], values[1], values[2])
