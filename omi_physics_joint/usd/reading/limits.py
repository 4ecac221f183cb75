# SPDX-License-Identifier: GPL-3.0-or-later
"""What joint prims leave and drive: settings, in SI.

A generic joint has a degree of freedom that nobody limits free, and one whose low is above its high
locked. Joints of one kind have one axis of theirs. Limits are rigid but for what attributes of
PhysX's and Newton's say of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import copysign, inf, pi

from ...model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit, on_axes
from ...model.keys import Track
from ...model.settings.canonical import canonical
from ...model.settings.fields import BESIDE_BOUNDS, DRIVE_FIELDS, LIMIT_FIELDS, Field, Quantity
from .. import table
from ..prim import Prim
from ..units import Unit, unit_of, unit_of_limit
from .builder import StageReading

_LINEAR_LOCK = Limit(linear_axes=AXES, min=0.0, max=0.0)
_ANGULAR_LOCK = Limit(angular_axes=AXES, min=0.0, max=0.0)
ENDLESS = 1e20
"""m or rad: bounds beyond it are none, for which programs write the largest float."""
_DEGREES = {word: key for key, word in table.DEGREES_OF_FREEDOM.items()}


def settings_of(reading: StageReading, prim: Prim, kind: str) -> JointSettings:
    """Return the settings of a joint."""
    axis = reading.axis(prim, table.JOINT_AXIS)
    limits = tuple(_limits(reading, prim, kind, axis))
    drives = tuple(_drives(reading, prim, kind, axis))
    bounded = (*_DEGREES, table.APART) if freedoms(kind, axis) is _DEGREES else ()
    for instance in prim.instances(table.LIMIT_API):
        if instance not in bounded:
            reading.note("usd-drive-ignored", prim, instance)
    return canonical(JointSettings(limits=limits, drives=drives))


def _limits(reading: StageReading, prim: Prim, kind: str, axis: int) -> Iterator[Limit]:
    others = tuple(one for one in AXES if one != axis)
    own, numbers = (axis,), table.AXIS_NUMBERS
    if kind == table.FIXED:
        yield from (_LINEAR_LOCK, _ANGULAR_LOCK)
    elif kind == table.REVOLUTE:
        yield from (_LINEAR_LOCK, on_axes(_ANGULAR_LOCK, Freedom.ANGULAR, others))
        yield from _ranged(reading, prim, Freedom.ANGULAR, own, table.ABOUT, numbers)
    elif kind == table.PRISMATIC:
        yield from (on_axes(_LINEAR_LOCK, Freedom.LINEAR, others), _ANGULAR_LOCK)
        yield from _ranged(reading, prim, Freedom.LINEAR, own, table.ALONG, numbers)
    elif kind == table.SPHERICAL:
        yield _LINEAR_LOCK
        yield from _cone(reading, prim, ((axis + 1) % 3, (axis + 2) % 3))
    elif kind == table.DISTANCE:
        yield from _distance(reading, prim)
    else:
        for instance in prim.instances(table.LIMIT_API):
            if instance == table.APART:
                for limit in _ranged(reading, prim, Freedom.LINEAR, AXES, instance):
                    yield replace(limit, together=True)
            elif instance in _DEGREES:
                freedom, axis = _DEGREES[instance]
                yield from _ranged(reading, prim, freedom, (axis,), instance)


def _ranged(
    reading: StageReading,
    prim: Prim,
    freedom: Freedom,
    axes: tuple[int, ...],
    instance: str,
    attributes: Mapping[str, table.Attribute] = table.LIMIT_NUMBERS,
) -> Iterator[Limit]:
    """Yield the limit that two bounds make, as soft as PhysX is told, or else Newton.

    There is none where they are none.
    """
    unit_here = partial(unit_of_limit, freedom=freedom)
    low, high, stiffness, damping = (
        reading.number(prim, attributes[one.name], instance, unit=unit_here(one.quantity))
        for one in LIMIT_FIELDS
    )
    if not stiffness > 0.0:
        stiffness, damping = (
            reading.number(prim, table.NEWTON_LIMIT[one.name], unit=unit_of(one.quantity, freedom))
            for one in BESIDE_BOUNDS
        )
    low, high = (copysign(inf, one) if abs(one) > ENDLESS else one for one in (low, high))
    if low > high:
        if attributes is table.AXIS_NUMBERS:
            reading.note("usd-bounds-reversed", prim)
        yield on_axes(_LINEAR_LOCK, freedom, axes)
        return
    if low == inf or high == -inf:
        reading.note("usd-number", prim, attributes["min"].of(instance))
        return
    limit = Limit(min=low, max=high)
    if 0.0 < stiffness < inf:
        limit = replace(limit, stiffness=stiffness, damping=max(damping, 0.0))
    fields = LIMIT_FIELDS if 0.0 < stiffness < inf else LIMIT_FIELDS[:2]
    names = [(attributes[field.name].of(instance), field) for field in fields]
    if low > -inf or high < inf or any(name in prim.samples for name, _ in names):
        yield on_axes(replace(limit, keys=_track(reading, prim, names, unit_here)), freedom, axes)


def _cone(reading: StageReading, prim: Prim, axes: tuple[int, int]) -> Iterator[Limit]:
    """Yield how far a spherical joint leans: a round cone, and a range where it is narrower."""
    angles = [reading.number(prim, angle) for angle in (table.CONE0, table.CONE1)]
    most = [angle if 0.0 <= angle < pi else inf for angle in angles]
    if max(most) < inf:
        yield Limit(angular_axes=axes, max=max(most), together=True)
    if most[0] != most[1]:
        reading.note("usd-oval-cone", prim)
        narrow = axes[most.index(min(most))]
        yield Limit(angular_axes=(narrow,), min=-min(most), max=min(most))


def _distance(reading: StageReading, prim: Prim) -> Iterator[Limit]:
    low, high, stiffness, damping = (
        reading.number(prim, table.DISTANCE_NUMBERS[one.name]) for one in LIMIT_FIELDS
    )
    low, high = (low if low >= 0.0 else -inf), (high if high >= 0.0 else inf)
    if low > high:
        yield _LINEAR_LOCK
        return
    limit = Limit(AXES, (), low, high, together=True)
    if reading.flag(prim, table.DISTANCE_SPRING) and stiffness > 0.0:
        limit = replace(limit, stiffness=stiffness, damping=max(damping, 0.0))
    if low > -inf or high < inf:
        yield limit


def _drives(reading: StageReading, prim: Prim, kind: str, axis: int) -> Iterator[Drive]:
    driven = freedoms(kind, axis)
    for instance in prim.instances(table.DRIVE_API):
        if instance in driven:
            yield _drive(reading, prim, instance, *driven[instance])
        else:
            reading.note("usd-drive-ignored", prim, instance)


def freedoms(kind: str, axis: int) -> Mapping[str, tuple[Freedom, int]]:
    """Return what can be driven of a type of joint, by the instances of schemas."""
    return {
        table.REVOLUTE: {table.ABOUT: (Freedom.ANGULAR, axis)},
        table.PRISMATIC: {table.ALONG: (Freedom.LINEAR, axis)},
        **{one: {} for one in (table.FIXED, table.SPHERICAL, table.DISTANCE)},
    }.get(kind, _DEGREES)


def _drive(reading: StageReading, prim: Prim, instance: str, freedom: Freedom, axis: int) -> Drive:
    """Return one drive. A target is none where nobody names it and nothing pulls towards it."""
    word = prim.attributes.get(table.DRIVE_TYPE.of(instance), table.DRIVE_TYPE.default)
    mode = DriveMode.ACCELERATION if word == "acceleration" else DriveMode.FORCE
    found: dict[str, float] = {}
    for field in DRIVE_FIELDS:
        attribute, unit = table.DRIVE_NUMBERS[field.name], unit_of(field.quantity, freedom, mode)
        found[field.name] = reading.number(prim, attribute, instance, unit=unit)
    names = [(table.DRIVE_NUMBERS[field.name].of(instance), field) for field in DRIVE_FIELDS]
    track = _track(reading, prim, names, partial(unit_of, freedom=freedom, mode=mode))
    said = {field.name for name, field in names if name in prim.attributes}
    strong = {keys.field for keys in track} | {name for name in found if found[name] > 0.0}
    springs = "stiffness" in strong or "position_target" in said
    damps = "damping" in strong or "velocity_target" in said
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
    unit_here: Callable[[Quantity], Unit],
) -> Track:
    """Return how numbers of a limit or drive go over time, by the names of their attributes."""
    found = (
        reading.keys(prim, name, field.name, unit_here(field.quantity)) for name, field in names
    )
    return tuple(sorted((keys for keys in found if keys is not None), key=lambda one: one.field))
