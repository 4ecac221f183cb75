# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings as JSON that every reader understands. Source: OMI_physics_joint."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan

from ..model.canonical import canonical
from ..model.joint import Drive, JointSettings, Limit
from .json_text import Json, JsonObject, members_of, merged
from .numbers import infinite_if_negative, magnitude, number


def spell_settings(settings: JointSettings) -> JsonObject:
    """Return one item of ``physicsJoints``, without its name.

    Limits that cannot be meant (a minimum above the maximum) are left out: Godot reads them as
    free, others refuse the file.
    """
    limits = tuple(_plain(limit) for limit in settings.limits if limit.min <= limit.max)
    sound = canonical(replace(settings, limits=limits))
    members: JsonObject = {}
    if sound.limits:
        members["limits"] = [_spell_limit(limit) for limit in sound.limits]
    drives: list[Json] = [_spell_drive(drive) for drive in sound.drives]
    drives += [foreign for text in sound.foreign_drives if (foreign := members_of(text))]
    if drives:
        members["drives"] = drives
    return merged(members, settings.unknown)


def _plain(limit: Limit) -> Limit:
    """Return a limit in the values that its spelling stands for, so that equals group."""
    return replace(
        limit,
        stiffness=infinite_if_negative(limit.stiffness),
        damping=magnitude(limit.damping),
    )


def _spell_limit(limit: Limit) -> JsonObject:
    members: JsonObject = {}
    if limit.linear_axes:
        members["linearAxes"] = list(limit.linear_axes)
    if limit.angular_axes:
        members["angularAxes"] = list(limit.angular_axes)
    if limit.min != -inf:
        members["min"] = number(limit.min)
    if limit.max != inf:
        members["max"] = number(limit.max)
    if limit.stiffness != inf:
        members["stiffness"] = number(limit.stiffness)
    if limit.damping:
        members["damping"] = number(limit.damping)
    return merged(members, limit.unknown)


def _spell_drive(drive: Drive) -> JsonObject:
    """Return one drive; a target and its strength go together, as KHR's schema wants them."""
    members: JsonObject = {
        "type": drive.type.value,
        "mode": drive.mode.value,
        "axis": drive.axis,
    }
    max_force = infinite_if_negative(drive.max_force)
    if max_force != inf:
        members["maxForce"] = number(max_force)
    pairs = (
        ("positionTarget", drive.position_target, "stiffness", drive.stiffness),
        ("velocityTarget", drive.velocity_target, "damping", drive.damping),
    )
    for target_key, target, strength_key, strength in pairs:
        given = target is not None and not isnan(target)
        if target is not None and given:
            members[target_key] = number(target)
        if given or magnitude(strength):
            members[strength_key] = magnitude(strength)
    return merged(members, drive.unknown)
