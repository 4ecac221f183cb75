# SPDX-License-Identifier: GPL-3.0-or-later
"""What is another in the settings of a joint: limits by axis, drives by axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import degrees, isinf

from ..joint import AXES, AXIS_NAMES, Drive, DriveMode, Freedom, JointSettings, Limit
from ..keys import Keys
from ..settings.canonical import acting, canonical
from ..settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Field, Quantity
from ..settings.together import KINDS
from ..wording.describe import sole_axis
from ..wording.words import counted, extent, listed, number
from .fact import Fact, all_near, near, told

OF_ACCELERATION = {Quantity.STIFFNESS: "1/s\u00b2", Quantity.DAMPING: "1/s"}
Way = tuple[Freedom, tuple[int, ...]]
"""A freedom, and the axes that something is on: one, or several together."""
Part = Limit | Drive


def settings_facts(before: JointSettings, after: JointSettings) -> Iterator[Fact]:
    """Yield what is another in joint settings; spelling and names apart."""
    one, other = (canonical(_plain(settings)) for settings in (before, after))
    axis = sole_axis(one)
    named = axis is None or axis != sole_axis(other)
    order = list(Freedom)
    for by_way, fields, words in (
        (_limits, LIMIT_FIELDS, _limit_words),
        (_drives, DRIVE_FIELDS, _drive_words),
    ):
        ours, theirs = by_way(one), by_way(other)
        ways = sorted({*ours, *theirs}, key=lambda way: (order.index(way[0]), len(way[1]), way[1]))
        for way in ways:
            sides = ours.get(way, []), theirs.get(way, [])
            whole, where = words(way, named=named)
            yield from _number_facts(*sides, fields, way[0], whole, where)
            yield from _key_facts(*sides, fields, where)
    if sorted(before.foreign_drives) != sorted(after.foreign_drives):
        one_count, other_count = (str(len(s.foreign_drives)) for s in (before, after))
        other_count += " others" if one_count == other_count else ""
        yield Fact("drives of other extensions", one_count, other_count)


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


def _limits(settings: JointSettings) -> dict[Way, list[Part]]:
    """Return limits by what they bound: an axis by itself, or several together."""
    found: dict[Way, list[Part]] = {}
    for limit in settings.limits:
        for freedom in Freedom:
            axes = limit.axes(freedom)
            for group in [axes] if limit.is_together(freedom) else [(axis,) for axis in axes]:
                found.setdefault((freedom, group), []).append(limit)
    return found


def _drives(settings: JointSettings) -> dict[Way, list[Part]]:
    found: dict[Way, list[Part]] = {}
    for drive in settings.drives:
        found.setdefault((drive.type, (drive.axis,)), []).append(drive)
    return found


def _number_facts(
    ours: Sequence[Part],
    theirs: Sequence[Part],
    fields: Sequence[Field],
    freedom: Freedom,
    whole: str,
    where: str,
) -> Iterator[Fact]:
    """Yield which numbers are others, or all of them where there are several, or locks."""
    both = (*ours, *theirs)
    locks = any(isinstance(part, Limit) and part.is_lock for part in both)
    if len(ours) != 1 or len(theirs) != 1 or locks:
        if not _alike(ours, theirs, fields):
            nothing = "none" if fields is DRIVE_FIELDS else "free"

            def say(parts: Sequence[Part], digits: int) -> str:
                return " and ".join(_said(part, freedom, digits) for part in parts) or nothing

            yield told(whole, (ours, theirs), say)
        return
    modes = [part.mode.value for part in both if isinstance(part, Drive)]
    if len(set(modes)) > 1:
        yield Fact(f"mode{where}", *modes)
    for field in fields:
        values = [getattr(part, field.name) for part in both]
        if not _same(*values):
            numbers = [(v, _unit(field, freedom, p)) for v, p in zip(values, both, strict=True)]
            yield told(f"{field.label}{where}", numbers, partial(_value, field))


def _key_facts(
    ours: Sequence[Part], theirs: Sequence[Part], fields: Sequence[Field], where: str
) -> Iterator[Fact]:
    """Yield where a number changes with time in another way."""
    for field in fields:
        sides = [
            [keys for part in parts for keys in part.keys if keys.field == field.name]
            for parts in (ours, theirs)
        ]
        if not _is_same_motion(*sides):
            texts = [" and ".join(map(_motion, each)) or "none" for each in sides]
            texts[1] += " that are others" if texts[0] == texts[1] else ""
            yield Fact(f"keys of the {field.label}{where}", *texts)


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


def _alike(ours: Sequence[Part], theirs: Sequence[Part], fields: Sequence[Field]) -> bool:
    return len(ours) == len(theirs) and all(
        getattr(one, "mode", None) is getattr(other, "mode", None)
        and all(_same(getattr(one, field.name), getattr(other, field.name)) for field in fields)
        for one, other in zip(ours, theirs, strict=True)
    )


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return near(one, other, 0.0)


def _unit(field: Field, freedom: Freedom, part: Part) -> str:
    if isinstance(part, Drive) and part.mode is DriveMode.ACCELERATION:
        return OF_ACCELERATION.get(field.quantity, field.unit(freedom))
    return field.unit(freedom)


def _value(field: Field, number_and_unit: tuple[float | None, str], digits: int) -> str:
    value, unit = number_and_unit
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


def _said(part: Part, freedom: Freedom, digits: int) -> str:
    """Say all numbers of a limit or a drive that are not the usual ones."""

    def say(field: Field, value: float | None) -> str:
        return _value(field, (value, _unit(field, freedom, part)), digits)

    fields: Sequence[Field] = DRIVE_FIELDS
    said = []
    if isinstance(part, Limit):
        low, _, *fields = LIMIT_FIELDS
        said = [extent(part.min, part.max, lambda value: say(low, value))]
        if part.is_lock:
            said = ["held" if part.is_fixed else f"held at {say(low, part.min)}"]
    said += [
        f"{field.label} {say(field, value)}"
        for field in fields
        if (value := getattr(part, field.name)) != field.default
    ]
    if isinstance(part, Drive) and part.mode is DriveMode.ACCELERATION:
        said.append("by acceleration")
    return ", ".join(said)


def _limit_words(way: Way, *, named: bool) -> tuple[str, str]:
    """Return what all limits on a way are, and what follows a number of one of them."""
    freedom, axes = way
    if len(axes) > 1:
        whole = f"{KINDS[freedom, len(axes)]} of {_names(axes)}"
        return whole, f" of the {whole}"
    where = _where(way, named=named)
    return f"{'slide' if freedom is Freedom.LINEAR else 'turn'}{where}", where


def _drive_words(way: Way, *, named: bool) -> tuple[str, str]:
    """Return the same of drives."""
    whole = f"drive{_where(way, named=named)}"
    return whole, f" of the {whole}"


def _where(way: Way, *, named: bool) -> str:
    """Return " about X" where there are several axes."""
    freedom, axes = way
    return f" {'along' if freedom is Freedom.LINEAR else 'about'} {_names(axes)}" if named else ""


def _names(axes: Sequence[int]) -> str:
    return listed([AXIS_NAMES[axis] for axis in axes if axis in AXES])
