# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint is called, and what it lets its bodies do, in plain words."""

from __future__ import annotations

from math import degrees, inf

from .joint import AXES, AXIS_NAMES, Freedom, JointSettings
from .ranges import axis_range, is_free


def special_name(settings: JointSettings) -> str:
    """Return "Weld", "Pin", "Hinge" or "Slider", or "" for everything else.

    Source: OMI_physics_joint, "Special Cases". "Fixed" is limited to zero, "free" is not limited.
    """
    fixed = {f: {a for a in AXES if axis_range(settings, f, a) == (0.0, 0.0)} for f in Freedom}
    free = {f: {a for a in AXES if is_free(settings, f, a)} for f in Freedom}
    ranged = {
        f: {a for a in AXES if a not in free[f] and _has_range(settings, f, a)} for f in Freedom
    }
    linear, angular = Freedom.LINEAR, Freedom.ANGULAR
    if len(fixed[linear]) == 3:
        if len(fixed[angular]) == 3:
            return "Weld"
        if len(free[angular]) == 3:
            return "Pin"
        if len(fixed[angular]) == 2 and len(ranged[angular]) == 1:
            return "Hinge"
    if len(fixed[linear]) == 2 and len(ranged[linear]) == 1:
        if len(fixed[angular]) == 3:
            return "Slider"
        if len(fixed[angular]) == 2 and ranged[angular] == ranged[linear]:
            return "Slider"
    return ""


def sentence(settings: JointSettings) -> str:
    """Return the degrees of freedom: "slides along X from -0.25 to 1.75 m, turns freely about Z".

    Axes are named as the settings number them: convert to Blender's axes first for Blender's user.
    """
    clauses = [
        clause
        for freedom in Freedom
        for clause in (
            *_free_clause(settings, freedom),
            *(_clause(settings, freedom, axis) for axis in AXES),
        )
        if clause
    ]
    clauses += [_drive_clause(settings)] if settings.drives else []
    return ", ".join(clauses) or "holds everything"


def title(settings: JointSettings) -> str:
    """Return the name of a special case, or the sentence."""
    return special_name(settings) or sentence(settings)


def _has_range(settings: JointSettings, freedom: Freedom, axis: int) -> bool:
    low, high = axis_range(settings, freedom, axis)
    return low != high


def _free_clause(settings: JointSettings, freedom: Freedom) -> list[str]:
    names = [AXIS_NAMES[axis] for axis in AXES if is_free(settings, freedom, axis)]
    if not names:
        return []
    verb = "slides freely along" if freedom is Freedom.LINEAR else "turns freely about"
    return [f"{verb} {_listed(names)}"]


def _clause(settings: JointSettings, freedom: Freedom, axis: int) -> str:
    """Say what a limit leaves of one axis; nothing where it is fixed or free."""
    low, high = axis_range(settings, freedom, axis)
    if (low, high) in ((0.0, 0.0), (-inf, inf)):
        return ""
    linear = freedom is Freedom.LINEAR
    where = f"{'along' if linear else 'about'} {AXIS_NAMES[axis]}"
    if low == high:
        return f"is held at {_value(low, linear)} {where}"
    verb = f"{'slides' if linear else 'turns'} {where}"
    if low == -inf:
        return f"{verb} up to {_value(high, linear)}"
    if high == inf:
        return f"{verb} from {_value(low, linear)} on"
    if linear:
        return f"{verb} from {_number(low)} to {_value(high, linear)}"
    return f"{verb} from {_value(low, linear)} to {_value(high, linear)}"


def _drive_clause(settings: JointSettings) -> str:
    names = [
        f"{'along' if drive.type is Freedom.LINEAR else 'about'} {AXIS_NAMES[drive.axis]}"
        for drive in settings.drives
    ]
    return f"driven {_listed(list(dict.fromkeys(names)))}"


def _listed(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _value(value: float, linear: bool) -> str:
    return f"{_number(value)} m" if linear else f"{_number(degrees(value))}\N{DEGREE SIGN}"


def _number(value: float) -> str:
    text = f"{value:.4g}"
    return "0" if text == "-0" else text
