# SPDX-License-Identifier: GPL-3.0-or-later
"""What is another in the settings of a joint: limits by axis, drives by axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import degrees, isinf

from ..joint import AXES, AXIS_NAMES, Drive, DriveMode, Freedom, JointSettings, Limit
from ..keys import Keys
from ..settings.canonical import acting, canonical
from ..settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Field, Quantity
from ..settings.radial import KINDS
from ..wording.describe import sole_axis
from ..wording.words import counted, listed, number
from .fact import Fact, all_near, apart, near

OF_ACCELERATION = {Quantity.STIFFNESS: "1/s\u00b2", Quantity.DAMPING: "1/s"}
PART = "joint"
Way = tuple[Freedom, tuple[int, ...]]


def settings_facts(before: JointSettings, after: JointSettings) -> Iterator[Fact]:
    """Yield what is another in joint settings; spelling and names apart."""
    one, other = (canonical(_plain(settings)) for settings in (before, after))
    axis = sole_axis(one)
    named = axis is None or axis != sole_axis(other)
    ours, theirs = _limits(one), _limits(other)
    for way in _ways(ours, theirs):
        yield from _limit_facts(way, ours.get(way, ()), theirs.get(way, ()), named=named)
        where = _way(way, named=named)
        yield from _key_facts(LIMIT_FIELDS, ours.get(way, ()), theirs.get(way, ()), where)
    driven, driven_then = _drives(one), _drives(other)
    for way in _ways(driven, driven_then):
        yield from _drive_facts(way, driven.get(way, ()), driven_then.get(way, ()), named=named)
        where = f" of the drive{_way(way, named=named)}"
        yield from _key_facts(DRIVE_FIELDS, driven.get(way, ()), driven_then.get(way, ()), where)
    if sorted(before.foreign_drives) != sorted(after.foreign_drives):
        one_count, other_count = (str(len(s.foreign_drives)) for s in (before, after))
        other_count += " others" if one_count == other_count else ""
        yield Fact("drives of other extensions", one_count, other_count, PART)


def _plain(settings: JointSettings) -> JointSettings:
    """Return settings without what means nothing: drives to no target, strengths to none."""
    drives = tuple(
        replace(acting(drive), unknown="")
        for drive in settings.drives
        if drive.position_target is not None or drive.velocity_target is not None
    )
    limits = tuple(
        replace(limit, unknown="") for limit in settings.limits if limit.min <= limit.max
    )
    return replace(settings, limits=limits, drives=drives)


def _limits(settings: JointSettings) -> dict[Way, tuple[Limit, ...]]:
    """Return limits by what they bound: an axis by itself, or several together."""
    found: dict[Way, tuple[Limit, ...]] = {}
    for limit in settings.limits:
        for freedom in Freedom:
            axes = limit.axes(freedom)
            radial = limit.is_radial(freedom)
            for group in [axes] if radial else [(axis,) for axis in axes]:
                key = (freedom, group)
                found[key] = (*found.get(key, ()), limit)
    return found


def _drives(settings: JointSettings) -> dict[Way, tuple[Drive, ...]]:
    found: dict[Way, tuple[Drive, ...]] = {}
    for drive in settings.drives:
        key = (drive.type, (drive.axis,))
        found[key] = (*found.get(key, ()), drive)
    return found


def _ways(*tables: dict[Way, tuple[Limit, ...]] | dict[Way, tuple[Drive, ...]]) -> list[Way]:
    order = list(Freedom)
    found = {way for table in tables for way in table}
    return sorted(found, key=lambda way: (order.index(way[0]), len(way[1]), way[1]))


def _limit_facts(
    way: Way, ours: Sequence[Limit], theirs: Sequence[Limit], *, named: bool
) -> Iterator[Fact]:
    freedom = way[0]
    if _alike(ours, theirs, LIMIT_FIELDS):
        return
    if len(ours) == len(theirs) == 1 and not (ours[0].is_lock or theirs[0].is_lock):
        for field in LIMIT_FIELDS:
            yield from _field_fact(field, ours[0], theirs[0], freedom, _way(way, named=named))
        return
    whole = "slide" if freedom is Freedom.LINEAR else "turn"
    what = _whole(way, whole, named=named)
    yield Fact(
        what,
        *apart(
            lambda digits: (
                " and ".join(_range(limit, freedom, digits) for limit in ours) or "free",
                " and ".join(_range(limit, freedom, digits) for limit in theirs) or "free",
            )
        ),
        PART,
    )


def _drive_facts(
    way: Way, ours: Sequence[Drive], theirs: Sequence[Drive], *, named: bool
) -> Iterator[Fact]:
    freedom = way[0]
    modes = [[drive.mode for drive in drives] for drives in (ours, theirs)]
    if modes[0] == modes[1] and _alike(ours, theirs, DRIVE_FIELDS):
        return
    if len(ours) == len(theirs) == 1:
        one, other = ours[0], theirs[0]
        where = f" of the drive{_way(way, named=named)}"
        if one.mode is not other.mode:
            yield Fact(f"mode{where}", one.mode.value, other.mode.value, PART)
        for field in DRIVE_FIELDS:
            yield from _field_fact(field, one, other, freedom, where)
        return
    yield Fact(
        f"drive{_way(way, named=named)}",
        *apart(
            lambda digits: (
                " and ".join(_drive(drive, digits) for drive in ours) or "none",
                " and ".join(_drive(drive, digits) for drive in theirs) or "none",
            )
        ),
        PART,
    )


def _key_facts(
    fields: Sequence[Field],
    ours: Sequence[Limit] | Sequence[Drive],
    theirs: Sequence[Limit] | Sequence[Drive],
    where: str,
) -> Iterator[Fact]:
    """Yield where a number changes with time in another way."""
    for field in fields:
        sides = [
            [keys for one in each for keys in one.keys if keys.field == field.name]
            for each in (ours, theirs)
        ]
        if not _is_same_motion(*sides):
            texts = [" and ".join(map(_motion, each)) or "none" for each in sides]
            texts[1] += " that are others" if texts[0] == texts[1] else ""
            yield Fact(f"keys of the {field.label}{where}", texts[0], texts[1], PART)


def _is_same_motion(ours: Sequence[Keys], theirs: Sequence[Keys]) -> bool:
    return len(ours) == len(theirs) and all(
        one.is_stepped is other.is_stepped
        and all_near(one.times, other.times)
        and all_near(one.values, other.values)
        for one, other in zip(ours, theirs, strict=True)
    )


def _motion(keys: Keys) -> str:
    until = "" if len(keys.times) == 1 else f" to {fine(keys.times[-1], 4)}"
    return f"{counted(len(keys.times), 'key')} at {fine(keys.times[0], 4)}{until} s"


def _alike(
    ours: Sequence[Limit] | Sequence[Drive],
    theirs: Sequence[Limit] | Sequence[Drive],
    fields: Sequence[Field],
) -> bool:
    return len(ours) == len(theirs) and all(
        _same(getattr(one, field.name), getattr(other, field.name))
        for one, other in zip(ours, theirs, strict=True)
        for field in fields
    )


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return near(one, other, 0.0)


def _field_fact(
    field: Field, one: Limit | Drive, other: Limit | Drive, freedom: Freedom, where: str
) -> Iterator[Fact]:
    values = [getattr(each, field.name) for each in (one, other)]
    if _same(*values):
        return
    units = [_unit(field, freedom, each) for each in (one, other)]
    texts = apart(
        lambda digits: (
            _value(field, values[0], units[0], digits),
            _value(field, values[1], units[1], digits),
        )
    )
    yield Fact(f"{field.label}{where}", *texts, PART)


def _unit(field: Field, freedom: Freedom, owner: Limit | Drive) -> str:
    if isinstance(owner, Drive) and owner.mode is DriveMode.ACCELERATION:
        return OF_ACCELERATION.get(field.quantity, field.unit(freedom))
    return field.unit(freedom)


def _value(field: Field, value: float | None, unit: str, digits: int) -> str:
    if value is None:
        return "none"
    if isinf(value):
        return "rigid" if field.quantity is Quantity.STIFFNESS else "none"
    if unit == "rad":
        return f"{fine(degrees(value), digits)}\N{DEGREE SIGN}"
    return f"{fine(value, digits)} {unit}"


def fine(value: float, digits: int) -> str:
    """Return a number with so many digits, also where it is very small."""
    text = number(value, digits)
    return f"{value:.{digits}g}" if text == "0" and value else text


def _range(limit: Limit, freedom: Freedom, digits: int) -> str:
    low, high, *others = LIMIT_FIELDS

    def say(field: Field, value: float) -> str:
        return _value(field, value, field.unit(freedom), digits)

    if limit.is_fixed:
        text = "held"
    elif limit.is_lock:
        text = f"held at {say(low, limit.min)}"
    elif isinf(limit.min):
        text = f"up to {say(high, limit.max)}"
    elif isinf(limit.max):
        text = f"from {say(low, limit.min)} on"
    else:
        text = f"{say(low, limit.min)} to {say(high, limit.max)}"
    values = [(one, getattr(limit, one.name)) for one in others]
    said = [
        f"{field.label} {say(field, value)}" for field, value in values if value != field.default
    ]
    return ", ".join((text, *said))


def _drive(drive: Drive, digits: int) -> str:
    said = [
        f"{field.label} {_value(field, value, _unit(field, drive.type, drive), digits)}"
        for field in DRIVE_FIELDS
        if (value := getattr(drive, field.name)) != field.default
    ]
    if drive.mode is DriveMode.ACCELERATION:
        said.append("by acceleration")
    return ", ".join(said)


def _whole(way: Way, verb: str, *, named: bool) -> str:
    freedom, axes = way
    if len(axes) > 1:
        return f"{KINDS[freedom, len(axes)]} of {_names(axes)}"
    return f"{verb}{_way(way, named=named)}"


def _way(way: Way, *, named: bool) -> str:
    """Return " about X" where there are several axes; of several together always."""
    freedom, axes = way
    if len(axes) > 1:
        return f" of the {KINDS[freedom, len(axes)]} of {_names(axes)}"
    if not named:
        return ""
    return f" {'along' if freedom is Freedom.LINEAR else 'about'} {_names(axes)}"


def _names(axes: Sequence[int]) -> str:
    return listed([AXIS_NAMES[axis] for axis in axes if axis in AXES])
