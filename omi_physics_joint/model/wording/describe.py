# SPDX-License-Identifier: GPL-3.0-or-later
"""What axes and joints are called, and what these let their bodies do, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from ..geometry.axes import Z_UP_FROM_Y_UP, AxisMap
from ..joint import AXES, AXIS_NAMES, Drive, Freedom, JointSettings, Limit
from ..settings.spans import Span, is_free, spans_of
from ..settings.together import Together, together_in
from .words import Say, counted, extent, listed, metric


@dataclass(frozen=True, slots=True)
class AxisWords:
    """What axes and quantities of a mechanism are called for the reader of a message.

    A mechanism counts glTF axes. Who works in Blender reads "Z" for glTF Y, and "Y" with the
    opposite sign for glTF Z, so numbers that belong to an axis pass through here as well.
    """

    names: tuple[str, str, str] = AXIS_NAMES
    signs: tuple[int, int, int] = (1, 1, 1)
    say: Say = metric
    """Puts a distance or an angle into words."""

    @classmethod
    def of(cls, target_from_gltf: AxisMap) -> AxisWords:
        """Return the words for whoever thinks in the axes that the map leads to."""
        x, y, z = (AXIS_NAMES[axis] for axis in target_from_gltf.axis)
        return cls((x, y, z), target_from_gltf.sign)

    def saying(self, say: Say) -> AxisWords:
        """Return the same words with quantities in other units."""
        return replace(self, say=say)

    def name(self, axis: int) -> str:
        """Return "X"; or the number where there is no such axis."""
        return self.names[axis] if axis in AXES else str(axis)

    def in_order(self, sizes: Sequence[float]) -> list[float]:
        """Return three sizes, in the order of the axes, as the reader counts these."""
        return [size for _, size in sorted(zip(self.names, sizes, strict=True))]

    def way(self, freedom: Freedom, *axes: int) -> str:
        """Return "along X", or "about X and Y"."""
        names = listed([self.name(axis) for axis in axes])
        return f"{'along' if freedom is Freedom.LINEAR else 'about'} {names}"

    def value(self, freedom: Freedom, axis: int, value: float) -> str:
        """Return a distance or an angle on an axis, with the sign it has there."""
        return self.say(self.signs[axis] * value, freedom)

    def bounds(self, freedom: Freedom, axis: int, low: float, high: float) -> tuple[str, str]:
        """Return the two bounds on an axis, the lower one first."""
        if self.signs[axis] < 0:
            low, high = -high, -low
        return self.say(low, freedom), self.say(high, freedom)

    def limit(self, limit: Limit, number: int) -> str:
        """Return "The limit along X and Y", or "Limit 3" for one without axes."""
        parts = [
            f"{verb} {listed(sorted(self.name(axis) for axis in axes))}"
            for verb, axes in (("along", limit.linear_axes), ("about", limit.angular_axes))
            if axes
        ]
        return f"The limit {' and '.join(parts)}" if parts else f"Limit {number}"


GLTF_AXES = AxisWords()
BLENDER_AXES = AxisWords.of(Z_UP_FROM_Y_UP)


def special_name(settings: JointSettings) -> str:
    """Return "Weld", "Pin", "Hinge" or "Slider", or "" for everything else.

    Source: OMI_physics_joint, "Special Cases". "Fixed" is limited to zero, "free" is not limited.
    """
    loose = [one for one in spans_of(settings.limits) if (one.low, one.high) != (0.0, 0.0)]
    free = [one for one in loose if is_free(settings, one.freedom, one.axis)]
    slides, turns = ([one.axis for one in loose if one.freedom is kind] for kind in Freedom)
    if not slides and (not turns or len(free) == 3):
        return "Pin" if turns else "Weld"
    if free or any(one.is_locked for one in loose):
        return ""
    if not slides:
        return "Hinge" if len(turns) == 1 else ""
    return "Slider" if len(slides) == 1 and turns in ([], slides) else ""


def sentence(settings: JointSettings, say: Say = metric) -> str:
    """Return the degrees of freedom: "turns from 0° to 90°", "slides along X, turns about Z".

    Where a joint moves about or along one axis only, that needs no name. Others are named as the
    settings number them: convert to Blender's axes first for Blender's user.
    """
    named, spans = sole_axis(settings) is None, spans_of(settings.limits)
    clauses = [
        clause
        for freedom in Freedom
        for clause in (
            _free_clause(settings, freedom, named=named),
            *(_clause(span, say, named=named) for span in spans if span.freedom is freedom),
            *(together(one, say) for one in together_in(settings.limits) if one.freedom is freedom),
        )
        if clause
    ]
    clauses += [_drive_clause(settings)] if settings.drives else []
    return ", ".join(clauses) or "holds everything"


def title(settings: JointSettings, say: Say = metric) -> str:
    """Return the name of a special case, or the sentence."""
    return special_name(settings) or sentence(settings, say)


def kind(settings: JointSettings) -> str:
    """Return "Weld", "Pin", "Hinge" or "Slider" by what moves, whatever is limited; or ""."""
    moving = _moving(settings)
    slides = sum(span.freedom is Freedom.LINEAR for span in moving)
    if not moving:
        return "Weld"
    if not slides:
        return "Hinge" if len(moving) == 1 else "Pin"
    return "Slider" if len(moving) == 1 else ""


def summary(settings: JointSettings, say: Say = metric) -> str:
    """Return the shortest words that tell joints apart: "Hinge, 0° to 90°", "Pin, limited"."""
    if len(settings.drives) != 1:
        return rows(settings, say)[0]
    name, bounds = _kind_and_bounds(settings, say)
    driven = drive_words(settings.drives[0], say)
    return ", ".join(part for part in (name, bounds, driven) if part)


def rows(settings: JointSettings, say: Say = metric) -> list[str]:
    """Return kind, range and drives as a list says them, and ever less for where it is narrow."""
    name, bounds = _kind_and_bounds(settings, say)
    driven = list(dict.fromkeys(filter(None, map(drive_kind, settings.drives))))
    shown = ([name, bounds, *driven], [name, *driven], [name])
    return [", ".join(filter(None, parts)) for parts in shown]


def _kind_and_bounds(settings: JointSettings, say: Say) -> tuple[str, str]:
    """Return "Hinge" and "0° to 90°", or "free" where that is all that there is to say."""
    name, moving = kind(settings), _moving(settings)
    clauses = [clause for one in together_in(settings.limits) if (clause := together(one, say))]
    if not name and clauses:
        return clauses[0], ""
    if not name:
        slides = sum(span.freedom is Freedom.LINEAR for span in moving)
        counts = ((slides, "slide"), (len(moving) - slides, "turn"))
        return ", ".join(counted(count, noun) for count, noun in counts if count), ""
    if name in {"Hinge", "Slider"}:
        bounds = _extent(moving[0], say)
        return name, "" if bounds == "free" and any(map(drive_kind, settings.drives)) else bounds
    free = [is_free(settings, span.freedom, span.axis) for span in moving]
    return name, "" if all(free) else "limited"


def drive_kind(drive: Drive) -> str:
    """Return "spring", "motor" or "servo": a place held by so much force; "" has no target."""
    if drive.position_target is None:
        return "" if drive.velocity_target is None else "motor"
    return "spring" if drive.max_force == inf and drive.velocity_target is None else "servo"


def drive_words(drive: Drive, say: Say = metric) -> str:
    """Return what a drive does: "spring to 0°", "motor 90°/s", "servo to 0° at 90°/s"."""
    place, speed = drive.position_target, drive.velocity_target
    parts = [drive_kind(drive)]
    if place is not None:
        parts.append(f"to {say(place, drive.type)}")
    if speed is not None:
        parts.append(f"{'' if place is None else 'at '}{say(speed, drive.type)}/s")
    return " ".join(parts)


def sole_freedom(settings: JointSettings) -> tuple[Freedom, int] | None:
    """Return the one freedom that a joint has; None where it has more, or none."""
    moving = _moving(settings)
    return (moving[0].freedom, moving[0].axis) if len(moving) == 1 else None


def sole_axis(settings: JointSettings) -> int | None:
    """Return the one axis that a joint moves along or about; None where there are more, or none."""
    axes = {span.axis for span in _moving(settings)}
    return axes.pop() if len(axes) == 1 else None


def _moving(settings: JointSettings) -> list[Span]:
    return [span for span in spans_of(settings.limits) if not span.is_locked]


def _extent(span: Span, say: Say) -> str:
    return extent(span.low, span.high, lambda value: say(value, span.freedom))


def _free_clause(settings: JointSettings, freedom: Freedom, *, named: bool) -> str:
    """Say along or about which axes nothing is limited."""
    axes = [axis for axis in AXES if is_free(settings, freedom, axis)]
    if not axes:
        return ""
    verb = "slides" if freedom is Freedom.LINEAR else "turns"
    if len(axes) == len(AXES):
        return f"{verb} freely in all directions"
    return f"{verb} freely{_way(freedom, axes) if named else ''}"


def _clause(span: Span, say: Say, *, named: bool) -> str:
    """Say what a limit leaves of one axis; nothing where it is fixed or free."""
    if span.is_free or span.low == span.high == 0.0:
        return ""
    way = _way(span.freedom, [span.axis])
    if span.is_locked:
        return f"is held at {say(span.low, span.freedom)}{way}"
    verb = "slides" if span.freedom is Freedom.LINEAR else "turns"
    verb += (way if named else "") + ("" if span.is_one_sided else " from")
    return f"{verb} {_extent(span, say)}"


def together(one: Together, say: Say = metric) -> str:
    """Say a bound on several axes: "slides within 2 m of the point", "leans in a cone of 40°"."""
    if (one.low, one.high) == (-inf, inf):
        return ""
    is_whole = len(one.axes) == len(AXES)
    axis = "" if is_whole else AXIS_NAMES[one.left_axis]
    if one.freedom is Freedom.LINEAR:
        return _distance(one, say, f"the line along {axis}" if axis else "the point")
    if one.low == -inf and axis:
        return f"leans in a cone of {say(one.high, one.freedom)} about {axis}"
    turn = _between(one, say)
    return f"turns {turn} in all" if is_whole else f"leans {turn} from {axis}"


def _distance(one: Together, say: Say, where: str) -> str:
    if one.low == one.high:
        return f"is held {say(one.high, one.freedom)} from {where}"
    if one.low == -inf:
        return f"slides within {say(one.high, one.freedom)} of {where}"
    return f"slides {_between(one, say)} from {where}"


def _between(one: Together, say: Say) -> str:
    """Say how much there may be of what is never negative."""
    if one.low in {-inf, one.high}:
        return f"{'just' if one.low == one.high else 'up to'} {say(one.high, one.freedom)}"
    if one.high == inf:
        return f"at least {say(one.low, one.freedom)}"
    return f"{say(one.low, one.freedom)} to {say(one.high, one.freedom)}"


def _drive_clause(settings: JointSettings) -> str:
    """Say what is driven; that needs no name where it is the only thing that moves."""
    driven = dict.fromkeys((drive.type, drive.axis) for drive in settings.drives)
    if list(driven) == [sole_freedom(settings)]:
        return "driven"
    return f"driven{' and'.join(_way(freedom, [axis]) for freedom, axis in driven)}"


def _way(freedom: Freedom, axes: list[int]) -> str:
    return f" {GLTF_AXES.way(freedom, *axes)}"
