# SPDX-License-Identifier: GPL-3.0-or-later
"""What joint prims leave and drive: settings, in SI.

A generic joint has a degree of freedom that nobody limits free, and one whose low is above its high
locked. Joints of one kind have one axis of theirs. Limits are rigid but for what PhysX's attributes
say of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf, radians

from ...model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit, on_axes
from ...model.keys import Track
from ...model.settings.canonical import canonical
from ...model.settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Field
from ..prim import Prim
from ..table import (
    ABOUT,
    ALONG,
    APART,
    CONE0,
    CONE1,
    DEGREES_OF_FREEDOM,
    DISTANCE,
    DISTANCE_DAMPING,
    DISTANCE_SPRING,
    DISTANCE_STIFFNESS,
    DRIVE_API,
    DRIVE_NUMBERS,
    DRIVE_TYPE,
    FIXED,
    JOINT_AXIS,
    LIMIT_API,
    LIMIT_NUMBERS,
    LOWER,
    MAX_DISTANCE,
    MIN_DISTANCE,
    PRISMATIC,
    REVOLUTE,
    SPHERICAL,
    UPPER,
    Attribute,
)
from ..triangles import AXIS_OF
from ..units import unit_of
from .reading import StageReading

HALF_TURN = radians(180.0)
_LINEAR_LOCK = Limit(linear_axes=AXES, min=0.0, max=0.0)
_ANGULAR_LOCK = Limit(angular_axes=AXES, min=0.0, max=0.0)
_DEGREES = {word: key for key, word in DEGREES_OF_FREEDOM.items()}
_LIMITS = {field.name: field for field in LIMIT_FIELDS}


def settings_of(reading: StageReading, prim: Prim, kind: str) -> JointSettings:
    """Return the settings of a joint."""
    limits = tuple(_limits(reading, prim, kind))
    drives = tuple(_drives(reading, prim, kind))
    return canonical(JointSettings(limits=limits, drives=drives))


def _limits(reading: StageReading, prim: Prim, kind: str) -> Iterator[Limit]:
    axis = AXIS_OF.get(reading.values.token(prim, JOINT_AXIS), 0)
    others = tuple(one for one in AXES if one != axis)
    if kind == FIXED:
        yield from (_LINEAR_LOCK, _ANGULAR_LOCK)
    elif kind == REVOLUTE:
        yield from (_LINEAR_LOCK, on_axes(_ANGULAR_LOCK, Freedom.ANGULAR, others))
        yield from _ranged(reading, prim, Freedom.ANGULAR, (axis,), (LOWER, UPPER, ABOUT))
    elif kind == PRISMATIC:
        yield from (on_axes(_LINEAR_LOCK, Freedom.LINEAR, others), _ANGULAR_LOCK)
        yield from _ranged(reading, prim, Freedom.LINEAR, (axis,), (LOWER, UPPER, ALONG))
    elif kind == SPHERICAL:
        yield _LINEAR_LOCK
        yield from _cone(reading, prim, ((axis + 1) % 3, (axis + 2) % 3))
    elif kind == DISTANCE:
        yield from _distance(reading, prim)
    else:
        yield from _of_degrees(reading, prim)


def _of_degrees(reading: StageReading, prim: Prim) -> Iterator[Limit]:
    low, high = LIMIT_NUMBERS["min"], LIMIT_NUMBERS["max"]
    for instance in prim.instances(LIMIT_API):
        ends = (low, high, instance)
        if instance == APART:
            for limit in _ranged(reading, prim, Freedom.LINEAR, AXES, ends):
                yield replace(limit, together=True)
        elif instance in _DEGREES:
            freedom, axis = _DEGREES[instance]
            yield from _ranged(reading, prim, freedom, (axis,), ends)


def _ranged(
    reading: StageReading,
    prim: Prim,
    freedom: Freedom,
    axes: tuple[int, ...],
    ends: tuple[Attribute, Attribute, str],
) -> Iterator[Limit]:
    """Yield the limit that two bounds make, softened as PhysX is told; none where they are none."""
    lower, upper, instance = ends
    unit = unit_of(_LIMITS["min"].quantity, freedom)
    low = reading.values.number(prim, lower, unit=unit, instance=instance)
    high = reading.values.number(prim, upper, unit=unit, instance=instance)
    if low > high:
        yield on_axes(_LINEAR_LOCK, freedom, axes)
        return
    if low == inf or high == -inf:
        reading.findings.note("usd-number", prim.path, lower.of(instance))
        return
    keys: list[tuple[str, Field]] = [
        (lower.of(instance), _LIMITS["min"]),
        (upper.of(instance), _LIMITS["max"]),
    ]
    stiffness, damping = inf, 0.0
    soft = LIMIT_NUMBERS["stiffness"]
    if reading.values.is_said(prim, soft, instance):
        fields = (_LIMITS["stiffness"], _LIMITS["damping"])
        found = [
            reading.values.number(
                prim,
                LIMIT_NUMBERS[field.name],
                unit=unit_of(field.quantity, freedom),
                instance=instance,
            )
            for field in fields
        ]
        if found[0] > 0.0:
            stiffness, damping = found[0], max(found[1], 0.0)
            keys += [(LIMIT_NUMBERS[field.name].of(instance), field) for field in fields]
    if low == -inf and high == inf and not any(name in prim.samples for name, _ in keys):
        return
    limit = Limit(min=low, max=high, stiffness=stiffness, damping=damping)
    track = _track(reading, prim, keys, freedom, DriveMode.FORCE)
    yield on_axes(replace(limit, keys=track), freedom, axes)


def _cone(reading: StageReading, prim: Prim, axes: tuple[int, int]) -> Iterator[Limit]:
    """Yield how far a spherical joint leans: a round cone, and a range where it is narrower."""
    angles = [reading.values.number(prim, angle) for angle in (CONE0, CONE1)]
    most = [angle if 0.0 <= angle < HALF_TURN else inf for angle in angles]
    if most[0] == most[1]:
        if most[0] < inf:
            yield Limit(angular_axes=axes, max=most[0], together=True)
        return
    reading.findings.note("usd-oval-cone", prim.path)
    if max(most) < inf:
        yield Limit(angular_axes=axes, max=max(most), together=True)
    narrow = axes[most.index(min(most))]
    yield Limit(angular_axes=(narrow,), min=-min(most), max=min(most))


def _distance(reading: StageReading, prim: Prim) -> Iterator[Limit]:
    low = reading.values.number(prim, MIN_DISTANCE)
    high = reading.values.number(prim, MAX_DISTANCE)
    low, high = (low if low >= 0.0 else -inf), (high if high >= 0.0 else inf)
    if low > high:
        yield _LINEAR_LOCK
        return
    stiffness, damping = inf, 0.0
    if reading.values.flag(prim, DISTANCE_SPRING):
        strength = reading.values.number(prim, DISTANCE_STIFFNESS)
        if strength > 0.0:
            stiffness = strength
            damping = max(reading.values.number(prim, DISTANCE_DAMPING), 0.0)
    if low > -inf or high < inf:
        yield Limit(AXES, (), low, high, stiffness, damping, together=True)


def _drives(reading: StageReading, prim: Prim, kind: str) -> Iterator[Drive]:
    axis = AXIS_OF.get(reading.values.token(prim, JOINT_AXIS), 0)
    driven = {
        REVOLUTE: {ABOUT: (Freedom.ANGULAR, axis)},
        PRISMATIC: {ALONG: (Freedom.LINEAR, axis)},
        **{one: {} for one in (FIXED, SPHERICAL, DISTANCE)},
    }.get(kind, _DEGREES)
    for instance in prim.instances(DRIVE_API):
        if instance in driven:
            yield _drive(reading, prim, instance, *driven[instance])
        else:
            reading.findings.note("usd-drive-ignored", prim.path, instance)


def _drive(reading: StageReading, prim: Prim, instance: str, freedom: Freedom, axis: int) -> Drive:
    """Return one drive. A target is none where nobody names it and nothing pulls towards it."""
    word = prim.attributes.get(DRIVE_TYPE.of(instance), DRIVE_TYPE.default)
    mode = DriveMode.ACCELERATION if word == "acceleration" else DriveMode.FORCE
    found: dict[str, float] = {}
    for field in DRIVE_FIELDS:
        attribute, unit = DRIVE_NUMBERS[field.name], unit_of(field.quantity, freedom, mode)
        found[field.name] = reading.values.number(prim, attribute, unit=unit, instance=instance)
    names = [(DRIVE_NUMBERS[field.name].of(instance), field) for field in DRIVE_FIELDS]
    track = _track(reading, prim, names, freedom, mode)
    said = {field.name for name, field in names if name in prim.attributes}
    strong = {keys.field for keys in track} | {name for name in found if found[name] > 0.0}
    springs = bool({"stiffness"} & strong or {"position_target"} & said)
    damps = bool({"damping"} & strong or {"velocity_target"} & said)
    return Drive(
        freedom,
        mode,
        axis,
        found["max_force"] if found["max_force"] >= 0.0 else inf,
        found["position_target"] if springs else None,
        found["velocity_target"] if damps else None,
        max(found["stiffness"], 0.0),
        max(found["damping"], 0.0),
        keys=track,
    )


def _track(
    reading: StageReading,
    prim: Prim,
    names: Iterable[tuple[str, Field]],
    freedom: Freedom,
    mode: DriveMode,
) -> Track:
    """Return how numbers of a limit or drive go over time, by the names of their attributes."""
    found = (
        reading.values.keys(prim, name, field.name, unit_of(field.quantity, freedom, mode))
        for name, field in names
    )
    return tuple(sorted((keys for keys in found if keys is not None), key=lambda one: one.field))
