# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits and drives of a joint in the words that Godot with Jolt acts on.

In Jolt every limit is rigid, and a drive is either a motor, rigid up to its largest force, or a
spring with damping. So a soft lock is written as a spring, a damper as a spring that hardly pulls,
and a damped linear motor as a weak spring to a far place. Each axis gets one limit.

What has keys is told as it is: omi-godot leaves it at its first value, and our own add-on makes
such drives and limits of it at each moment.

What Jolt makes of it, ``moved`` says literally: a motor is rigid up to its largest force; a spring
and a damper know no largest force and no speed; what is to accelerate is a force.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf

from ..joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit, on_axes
from ..mechanism import Mechanism, Node
from ..settings.spans import Span, Spans, spans_within

NONE: frozenset[Limit] = frozenset()
FAINT = 1e-4
"""1/s: stiffness of a spring that is there for its damping only, for each unit of damping."""


def spelled(settings: JointSettings, held: frozenset[Limit] = NONE) -> JointSettings:
    """Return the settings that Godot is told; its coordinates and signs are not touched yet.

    Soft limits that are ``held`` are rigid, see ``sagging.carried_rigidly``, as they are in Jolt.
    """
    spans = spans_within(settings.limits)
    limits: list[Limit] = []
    drives: list[Drive] = []
    for span in spans:
        drive = drive_on(settings, span)
        spring = None if drive is not None else lock_as_spring(span, held)
        if spring is not None:
            drives.append(spring)
            continue
        limits += limits_on(span)
        if drive is not None:
            drives.append(_drive(drive))
    return replace(settings, limits=tuple(limits), drives=tuple(drives))


def drive_on(settings: JointSettings, span: Span) -> Drive | None:
    """Return the drive that acts on an axis: none where it is rigidly locked or has no power."""
    if span.is_rigidly_locked and not span.is_keyed:
        return None
    for drive in reversed(settings.drives):
        if drive.type is span.freedom and drive.axis == span.axis:
            aims = drive.position_target is not None or drive.velocity_target is not None
            acts = drive.pulls_to_place or (aims and drive.damping > 0.0)
            return drive if drive.keys or (acts and drive.max_force > 0.0) else None
    return None


def acting_drives(settings: JointSettings, spans: Spans) -> list[Drive]:
    """Return the drives that act on an axis."""
    acting = [drive_on(settings, span) for span in spans] if settings.drives else []
    return [drive for drive in settings.drives if any(drive is one for one in acting)]


def lock_as_spring(span: Span, held: frozenset[Limit]) -> Drive | None:
    """Return the spring that a soft lock is; None where it is, or is played as, rigid."""
    if len(span.limits) != 1:
        return None
    (lock,) = span.limits
    if not (lock.is_lock and lock.is_soft and lock.stiffness > 0.0) or lock in held or lock.keys:
        return None
    return Drive(
        span.freedom,
        DriveMode.FORCE,
        span.axis,
        position_target=lock.min,
        stiffness=lock.stiffness,
        damping=lock.damping,
    )


def limits_on(span: Span) -> tuple[Limit, ...]:
    """Return what all limits on an axis leave: as one limit, if none of several has keys."""
    if span.is_free:
        return ()
    own = tuple(on_axes(limit, span.freedom, (span.axis,)) for limit in span.limits)
    if len(own) > 1 and span.is_keyed:
        return own
    return (replace(own[-1], min=span.low, max=span.high),)


def is_far_spring(drive: Drive) -> bool:
    """Return whether a drive is a damped motor that can be written as a weak spring."""
    return (
        drive.type is Freedom.LINEAR
        and bool(drive.velocity_target)
        and not drive.pulls_to_place
        and drive.max_force == inf
    )


def _drive(drive: Drive) -> Drive:
    if drive.keys:
        return drive
    speed = drive.velocity_target or 0.0
    if drive.pulls_to_place:
        return drive if speed else replace(drive, velocity_target=None)
    if speed == 0.0 or is_far_spring(drive):
        far, faint = speed / FAINT, FAINT * drive.damping
        return replace(drive, position_target=far, velocity_target=None, stiffness=faint)
    return replace(drive, position_target=None, stiffness=0.0)


def turning_axes(spans: Spans) -> tuple[int, ...]:
    """Return the axes that a joint can turn about."""
    return tuple(axis for axis in AXES if not spans[3 + axis].is_locked)


def sliding_axes(spans: Spans) -> tuple[int, ...]:
    """Return the axes that a joint can slide along."""
    return tuple(axis for axis in AXES if not spans[axis].is_locked)


def moved(
    mechanism: Mechanism,
    all_settings: Sequence[JointSettings],
    held: Mapping[int, frozenset[Limit]],
    own: int,
) -> Mechanism:
    """Return a mechanism with the joints that Godot moves; nodes keep their indices."""
    nodes: list[Node] = list(mechanism.nodes)
    settings = list(all_settings)
    at: dict[tuple[int, frozenset[Limit]], int] = {}
    for index, node, joint in mechanism.joints():
        if index >= own or not 0 <= joint.settings < len(all_settings):
            continue
        key = (joint.settings, held.get(index, NONE))
        if key not in at:
            at[key] = len(settings)
            settings.append(as_moved(all_settings[joint.settings], key[1]))
        nodes[index] = replace(node, joint=replace(joint, settings=at[key]))
    return replace(mechanism, nodes=tuple(nodes), settings=tuple(settings))


def as_moved(settings: JointSettings, held: frozenset[Limit] = NONE) -> JointSettings:
    """Return settings that say what Jolt does with them; ``held`` as in ``spelled``."""
    told = spelled(settings, held)
    return replace(
        told,
        limits=tuple(replace(limit, stiffness=inf, damping=0.0) for limit in told.limits),
        drives=tuple(
            replace(drive, mode=DriveMode.FORCE, velocity_target=None, max_force=inf)
            if drive.pulls_to_place
            else replace(drive, mode=DriveMode.FORCE, damping=inf)
            for drive in told.drives
        ),
    )
