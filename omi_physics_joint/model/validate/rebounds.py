# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joints may throw a body back from a bound, noticeably: for all who give back speed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ..body import MotionType
from ..geometry.frames import is_flat, rigid_frame
from ..geometry.transform import linear_part, times, translation_of, transpose
from ..godot.settings import acting_drives
from ..joint import Freedom
from ..mechanics.rebound import Lead, throws_back
from ..settings.coordinates import coordinates
from ..settings.keyed import is_keyed
from .survey import Ends, Survey


def parts_of_single_bodies(survey: Survey) -> dict[int | None, Sequence[int]]:
    """Return the nodes of each body that forces move and that one joint holds."""
    joints = Counter(body for ends in survey.joints for body in ends.bodies)
    single = (body for body, count in joints.items() if count == 1 and survey.is_dynamic(body))
    return {body: survey.parts[body] for body in single}


def is_thrown_back(
    survey: Survey, ends: Ends, parts: Mapping[int | None, Sequence[int]], left: float | None = None
) -> bool:
    """Return whether a body may strike a bound so fast that what is given back is noticed.

    That is known of a body that one joint alone leads, one way, from what stands still.

    Args:
        survey: of the mechanism.
        ends: the joint with the bound.
        parts: what ``parts_of_single_bodies`` returns.
        left: part of the speed that a bound gives back; None is what Godot's do.
    """
    nodes, settings = survey.mechanism.nodes, survey.settings_of(ends)
    spans = survey.within[ends.joint.settings]
    body = ends.body if ends.body in parts else ends.connected_body
    other = ends.connected_body if body == ends.body else ends.body
    motion = None if other is None else nodes[other].motion
    if (
        body is None
        or body not in parts
        or (motion is not None and motion.type is not MotionType.STATIC)
        or is_keyed(settings)
        or any(limit.is_soft for limit in settings.limits)
        or any(d.pulls_to_place or d.velocity_target for d in acting_drives(settings, spans))
        or is_flat(linear_part(nodes[body].world))
    ):
        return True
    led = lead_of(survey, ends, body)
    return led is None or throws_back(survey.mechanism, body, parts[body], led[0], left)


def lead_of(survey: Survey, ends: Ends, body: int) -> tuple[Lead, float] | None:
    """Return the one way that a joint lets a body go, and its value at rest; None of others."""
    ways, spans = survey.worlds(ends), survey.within[ends.joint.settings]
    free = [index for index, span in enumerate(spans) if not span.is_locked]
    if len(free) != 1 or any(is_flat(linear_part(world)) for world in ways):
        return None
    frame, connected = (rigid_frame(world, survey.settings_of(ends)) for world in ways)
    span, value = spans[free[0]], coordinates(spans, frame, connected)[free[0]]
    low, high = min(span.low - value, 0.0), max(span.high - value, 0.0)
    # The value is the pose of the connected body.
    x, y, z = transpose(linear_part(frame))[span.axis]
    axis = times((x, y, z), -1.0 if body == ends.body else 1.0)
    return Lead(span.freedom is Freedom.ANGULAR, translation_of(frame), axis, low, high), value
