# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft limits under the weight that they carry, and which of them no author can have meant so.

Files for Godot carry numbers of softness where the specification asks for N/m. Read literally, a
link of 1 kg on 0.3 N/m sags by 33 m: the mechanism falls apart. ``carried_rigidly`` finds such
limits, for all who move a mechanism.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, inf, isfinite

from ..geometry.extent import extents
from ..geometry.transform import Matrix
from ..issue import Issue, Severity
from ..joint import Freedom, JointNode, JointSettings, Limit
from ..mechanism import GRAVITY, Mechanism
from ..settings.spans import Span, Spans, spans_of
from ..settings.together import together_in

SOFTNESS = 2.0
"""N/m up to which a stiffness looks like one of Godot's softness numbers."""
HELD = "soft-limits-held"
"""Code of the hint that soft limits are moved as rigid."""
POINT = 0.2
"""m that a body without a shape and without a mesh counts as long."""


@dataclass(frozen=True, slots=True)
class Sag:
    """How far a joint gives way along one of its axes.

    Attributes:
        distance: m.
        stiffness: of all limits on the axis, N/m.
        load: part of the weight along the axis, N.
        is_lock: whether the axis is held at one value, and not in a range.
    """

    distance: float
    stiffness: float
    load: float
    is_lock: bool


def hanging_body(mechanism: Mechanism, body: int | None, connected: int | None) -> int | None:
    """Return the body whose weight a joint surely bears: the dynamic one, of two the lighter."""
    if body is None or connected is None or body == connected:
        return None
    dynamic = filter(mechanism.is_dynamic, (body, connected))
    return min(dynamic, key=lambda i: mass_of(mechanism, i), default=None)


def mass_of(mechanism: Mechanism, body: int) -> float:
    """Return the mass of a body in kg; what is no body cannot be moved."""
    motion = mechanism.motion_of(body)
    return inf if motion is None else motion.mass


def weight_of(mechanism: Mechanism, body: int) -> float:
    """Return the weight of a body on Earth in N: limits are not meant for a scene's gravity."""
    motion = mechanism.nodes[body].motion
    return 0.0 if motion is None else motion.mass * abs(motion.gravity_factor) * GRAVITY


def sags(
    mechanism: Mechanism, joint: int, limits: Sequence[Limit], spans: Spans, weight: float
) -> list[Sag]:
    """Return how far a joint gives way where soft limits alone hold: axes, and several together.

    It is named by its node; what its limits leave is given too, and the weight that hangs on it, N.
    """
    world = mechanism.nodes[joint].world
    held = [
        (_stiffness(span), upright(world, span.axis), all(limit.is_lock for limit in span.limits))
        for span in spans[:3]
    ]
    held += [
        (one.limit.stiffness, upright(world, *one.axes), one.low == one.high)
        for one in together_in(limits)
        if one.freedom is Freedom.LINEAR
    ]
    return [
        Sag(weight * upright / stiffness, stiffness, weight * upright, is_lock)
        for stiffness, upright, is_lock in held
        if 0.0 < stiffness < inf
    ]


def upright(world: Matrix, *axes: int) -> float:
    """Return how upright an axis of a frame is, or the plane of two: 1 for the vertical."""
    lengths = [hypot(*(world[row][axis] for row in range(3))) for axis in axes]
    pairs = zip(axes, lengths, strict=True)
    return hypot(*(world[1][axis] / length for axis, length in pairs if length > 0.0))


def carried_rigidly(
    mechanism: Mechanism, all_settings: Sequence[JointSettings] | None = None
) -> dict[int, frozenset[Limit]]:
    """Return the limits, by joint node, that are moved as rigid because they cannot hold.

    A joint cannot hold if the weight of its lighter body pulls it farther apart than that body is
    long, and no drive carries it. Then its limits up to the stiffness that fails are rigid,
    and all that are as soft as Godot's numbers; its stiffer ones stay what they are.
    """
    settings = mechanism.settings if all_settings is None else all_settings
    spans = {
        index: spans_of(own.limits)
        for index, own in enumerate(settings)
        if any(limit.is_soft for limit in own.limits)
    }
    if not spans:
        return {}
    sizes: Mapping[int, float] = extents(mechanism)
    held = {}
    for index, _, joint in mechanism.joints():
        if joint.settings not in spans:
            continue
        own = settings[joint.settings]
        fails = _failing(mechanism, index, joint, spans[joint.settings], own, sizes)
        if fails > 0.0:
            most = max(fails, SOFTNESS)
            held[index] = frozenset(one for one in own.limits if 0.0 < one.stiffness <= most)
    return held


def all_soft(
    mechanism: Mechanism, all_settings: Sequence[JointSettings] | None = None
) -> dict[int, frozenset[Limit]]:
    """Return all soft limits, by joint node."""
    settings = mechanism.settings if all_settings is None else all_settings
    return {
        index: frozenset(limit for limit in settings[joint.settings].limits if limit.is_soft)
        for index, _, joint in mechanism.joints()
        if 0 <= joint.settings < len(settings)
    }


def held_issues(
    mechanism: Mechanism, held: Mapping[int, frozenset[Limit]], fix: str
) -> list[Issue]:
    """Return a hint where soft limits are moved as rigid because they could not hold."""
    nodes = sorted(node for node, limits in held.items() if limits)
    if not nodes:
        return []
    name = mechanism.name_of(nodes[0])
    more = f" (and {len(nodes) - 1} more)" if len(nodes) > 1 else ""
    message = "Soft limits cannot hold the weight that they carry, so they are played as rigid."
    return [Issue(Severity.HINT, HELD, name + more, message, fix, nodes[0])]


def _failing(
    mechanism: Mechanism,
    index: int,
    joint: JointNode,
    spans: Spans,
    settings: JointSettings,
    sizes: Mapping[int, float],
) -> float:
    """Return the largest stiffness in N/m with which a joint falls apart; 0 where it holds."""
    ends = mechanism.body_of(index), mechanism.body_of(joint.connected_node)
    body = hanging_body(mechanism, *ends)
    weight = 0.0 if body is None else weight_of(mechanism, body)
    if body is None or not isfinite(weight):
        return 0.0
    if any(one.type is Freedom.LINEAR and one.stiffness > 0.0 for one in settings.drives):
        return 0.0
    size = sizes.get(body, POINT)
    found = sags(mechanism, index, settings.limits, spans, weight)
    return max((sag.stiffness for sag in found if sag.distance > size), default=0.0)


def _stiffness(span: Span) -> float:
    """Return the stiffness in N/m of all limits on an axis; 0 where they do not hold it softly.

    Only what is locked, or bounded on both sides, is held.
    """
    if not span.limits or not all(limit.is_soft for limit in span.limits):
        return 0.0
    if not (isfinite(span.low) and isfinite(span.high)):
        return 0.0
    return sum(max(limit.stiffness, 0.0) for limit in span.limits)
