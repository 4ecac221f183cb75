# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels say: numbers with units, rows of lists, counts, and text cut to the width at hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees, hypot, inf
from textwrap import wrap

from ...model.joint import AXIS_NAMES, Drive, Freedom, Limit

SEVERITY_ICONS = {"error": "CANCEL", "warning": "ERROR", "hint": "INFO"}
FREEDOM_ICONS = {"linear": "DRIVER_DISTANCE", "angular": "DRIVER_ROTATIONAL_DIFFERENCE"}
KIND_ICONS = {
    "Weld": "LOCKED",
    "Pin": "PIVOT_CURSOR",
    "Hinge": "DRIVER_ROTATIONAL_DIFFERENCE",
    "Slider": "DRIVER_DISTANCE",
}
UNITS = {
    "linear": {
        "stiffness": "N/m",
        "damping": "N\u00b7s/m",
        "max_force": "N",
        "velocity_target": "",
    },
    "angular": {
        "stiffness": "N\u00b7m",
        "damping": "N\u00b7m\u00b7s",
        "max_force": "N\u00b7m",
        "velocity_target": "/s",
    },
}
"""Units that Blender does not put behind a number itself: it knows none of forces.

Per radian is left to the tool tips: in a panel of the usual width there is no room for it.
"""
ACCELERATION_UNITS = {"stiffness": "1/s\u00b2", "damping": "1/s"}

_CHARACTER = 6.6
"""Mean width of a character of the interface's font in pixels, at scale 1."""
_MARGIN = 50.0
"""Pixels of a panel that hold no text, at scale 1: borders, an icon, the scroll bar."""


_MANY = 1000.0
"""From here on all digits before the point are said."""


def limit_row(limit: Limit) -> str:
    """Return a limit as its list shows it: "About Y: 0° to 90°"."""
    freedom = Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR
    axes = limit.axes(freedom)
    if not axes:
        return "No axis is chosen"
    soft = ", soft" if limit.is_soft else ""
    return f"{_way(freedom, axes)}: {_bounds(limit, freedom)}{soft}"


def drive_row(drive: Drive) -> str:
    """Return a drive as its list shows it: "About Z: spring to 0°"."""
    parts = []
    if drive.position_target is not None:
        parts.append(f"spring to {quantity(drive.position_target, drive.type)}")
    if drive.velocity_target is not None:
        parts.append(f"motor at {quantity(drive.velocity_target, drive.type)}/s")
    return f"{_way(drive.type, (drive.axis,))}: {', '.join(parts) or 'no target'}"


def quantity(value: float, freedom: Freedom) -> str:
    """Return a distance or an angle with its unit."""
    text = f"{value if freedom is Freedom.LINEAR else degrees(value):.4g}"
    text = "0" if text == "-0" else text
    return f"{text} m" if freedom is Freedom.LINEAR else f"{text}\N{DEGREE SIGN}"


def drive_unit(drive: Drive, field: str) -> str:
    """Return the unit of a number of a drive."""
    if drive.mode == "acceleration" and field in ACCELERATION_UNITS:
        return ACCELERATION_UNITS[field]
    return UNITS[drive.type][field]


def magnitude(vector: Sequence[float], unit: str) -> str:
    """Return how large a force or torque is: "12.3 N"."""
    return f"{_rounded(hypot(*vector))} {unit}"


def components(vector: Sequence[float]) -> str:
    """Return the three parts of a vector: "X 12.3  Y 0  Z -1"."""
    parts = zip(AXIS_NAMES, vector, strict=True)
    return "  ".join(f"{name} {_rounded(part)}" for name, part in parts)


def _rounded(value: float) -> str:
    """Return a number of three digits that does not flicker between 0 and 1e-17."""
    text = f"{round(value, 3):.3g}" if abs(value) < _MANY else f"{value:.0f}"
    return "0" if text == "-0" else text


def shared_by(users: int, *, fake: bool) -> str:
    """Say how many joints share settings; nothing where only one uses them."""
    joints = users - fake
    return f"Shared by {joints} joints: a change here changes all of them" if joints > 1 else ""


def counted(count: int, noun: str) -> str:
    """Return "1 joint" or "3 joints"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def capitalized(sentence: str) -> str:
    """Return a sentence that begins with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def lines(text: str, width: int, scale: float) -> list[str]:
    """Cut text into lines that a panel can show.

    Args:
        text: any text.
        width: width of the region in pixels.
        scale: ``preferences.system.ui_scale``.
    """
    characters = (width / max(scale, 0.1) - _MARGIN) / _CHARACTER
    return wrap(text, max(12, int(characters))) or [""]


def _way(freedom: Freedom, axes: tuple[int, ...]) -> str:
    names = " ".join(AXIS_NAMES[axis] for axis in axes)
    return f"{'Along' if freedom is Freedom.LINEAR else 'About'} {names}"


def _bounds(limit: Limit, freedom: Freedom) -> str:
    low, high = limit.min, limit.max
    if limit.is_fixed:
        return "fixed"
    if low == high:
        return f"held at {quantity(low, freedom)}"
    if (low, high) == (-inf, inf):
        return "no bounds"
    if low == -inf:
        return f"up to {quantity(high, freedom)}"
    if high == inf:
        return f"from {quantity(low, freedom)}"
    return f"{quantity(low, freedom)} to {quantity(high, freedom)}"
