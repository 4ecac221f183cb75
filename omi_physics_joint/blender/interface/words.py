# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels say: numbers with units, rows of lists, counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot, inf

from ...model.issue import Severity
from ...model.joint import AXES, AXIS_NAMES, Drive, Freedom, Limit
from ...model.readers import DIFFERENCES
from ...model.settings.together import MEASURES, plain
from ...model.wording.describe import drive_words
from ...model.wording.words import Say, capitalized, counted, extent, metric, number

SEVERITY_ICONS = {"error": "CANCEL", "warning": "ERROR", "hint": "INFO"}
FREEDOM_ICONS = {"linear": "DRIVER_DISTANCE", "angular": "DRIVER_ROTATIONAL_DIFFERENCE"}
KIND_ICONS = {
    "Weld": "LOCKED",
    "Pin": "PIVOT_CURSOR",
    "Hinge": "DRIVER_ROTATIONAL_DIFFERENCE",
    "Slider": "DRIVER_DISTANCE",
}
UNITS = {
    "linear": {"stiffness": "N/m", "damping": "N\u00b7s/m", "max_force": "N"},
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

READERS = {
    **{name.lower(): name for name in ("Godot", "Babylon", "Newton", "PhysX", "Unity")},
    "viewers": "viewers",
}
OF_READERS = {
    "acceleration": "Other drive in",
    "fast": "Too fast for",
    "far-spring": "Weaker spring in",
    "filter": "No filters in",
    "full-turn": "Over half a turn in",
    "gravity-factor": "No gravity factor in",
    "keyed": "Not animated in",
    "kinematic-velocity": "Stands in",
    "mirrored": "Mirrored for",
    "no-joints": "No joints in",
    "position-and-velocity": "One target lost in",
    "several-turns": "Turns otherwise in",
    "stops": "Bounces in",
    "tapered": "No taper in",
    "velocity": "Other start in",
}
"""Titles of what readers do otherwise, by the code without the reader, where that is not plain."""
TITLES = {
    "godot-angular-sign": "Turns wrong in Godot",
    "godot-endless": "Infinite mass in Godot",
    "godot-part": "Shape lost in Godot",
    "godot-round": "Other size in Godot",
    "godot-tiny": "Too small for Godot",
    "godot-together": "Apart in Godot",
    "godot-turn-about-x": "No turn in Godot",
    "newton-rest": "Counts otherwise in Newton",
    "newton-start": "Other start in Newton",
    "reader-deaf": "Other extensions",
    "reader-misled": "Written for others",
    "dynamic-baked": "Baked keys",
    "moved-since-joined": "Moved later",
    "off-since-joined": "Off its bodies",
    "opened-since-joined": "Range went along",
    "reset-since-joined": "Reset later",
    "scaled-since-joined": "Scaled later",
    "scaled-since-read": "Scaled after import",
    "turned-since-joined": "Turned by a scale",
    "turned-round": "Runs against its copy",
    "tried-in-godot": "Elsewhere in Godot",
    "unity-round": "Capsule in Unity",
    "viewers-together": "Other bounds in viewers",
    "body-number": "Not a number",
    "drive-number": "Not a number",
    "limit-number": "Not a number",
    "pose-number": "Not a number",
    "joints-contradict": "Cannot all hold",
    "joints-barely-fit": "Fits only exactly",
    "joints-lock": "Nothing can move",
    "limits-lock": "Limits stop a loop",
    "joints-out-of-line": "Hinges out of line",
    "limit-narrow": "No room to move",
    "limit-together": "Not in OMI files",
    "not-converged": "Cannot all hold",
    "partner-of-no-joint": "Stray other end",
    "trimesh-moves": "Triangle mesh moves",
    "lost-to-gpu-instances": "Lost to GPU instances",
    "soft-limits-held": "Too soft to hold",
    "joint-without-partner": "No second body",
    "partner-left-out": "Second body left out",
    "joint-without-body": "No body",
    "joint-without-settings": "No settings",
    "connected-without-body": "Second is no body",
}
"""Short titles of other issues whose code is no plain English."""


def issue_title(code: str) -> str:
    """Return in a few words what an issue is about."""
    own = capitalized(code.replace("-", " "))
    reader, _, rest = code.partition("-")
    if code in TITLES or code not in DIFFERENCES or reader not in READERS:
        return TITLES.get(code, own)
    words = OF_READERS.get(rest) or f"{capitalized(rest.replace('-', ' '))} in"
    return f"{words} {READERS[reader]}"


def outcome(done: str, severities: Sequence[str]) -> str:
    """Return "Exported: 1 error, 2 hints"."""
    counts = (counted(severities.count(one), one) for one in Severity if one in severities)
    return f"{done}: {', '.join(counts)}"


def limit_row(limit: Limit, say: Say = metric, sole_axis: int | None = None) -> str:
    """Return a limit as its list shows it: "Turn: 0° to 90°", "About X Y: -45° to 45°".

    A bound on several axes together is "Distance: up to 1 m", or of two "Lean X Y: up to 45°". The
    sole axis that a joint moves along or about needs no name.
    """
    freedom = Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR
    axes = limit.axes(freedom)
    if not axes:
        return "No axis is chosen"
    soft = ", soft" if limit.is_soft else ""
    limit = plain(limit)
    if limit.is_together(freedom):
        names = [AXIS_NAMES[axis] for axis in axes if len(axes) < len(AXES)]
        measure = " ".join([capitalized(MEASURES[freedom, len(axes)]), *names])
        return f"{measure}: {_bounds(limit, freedom, say)}{soft}"
    return f"{way(freedom, axes, sole_axis)}: {_bounds(limit, freedom, say)}{soft}"


def drive_row(drive: Drive, say: Say = metric, sole_axis: int | None = None) -> str:
    """Return a drive as its list shows it: "Turn: spring to 0°"; see ``limit_row``."""
    words = drive_words(drive, say) or "no target"
    return f"{way(drive.type, (drive.axis,), sole_axis)}: {words}"


def unit_of(freedom: str, field: str, mode: str = "") -> str:
    """Return what a panel puts behind a number of a limit or of a drive of some mode."""
    usual = UNITS[freedom].get(field, "")
    return ACCELERATION_UNITS.get(field, usual) if mode == "acceleration" else usual


def magnitude(vector: Iterable[float], unit: str) -> str:
    """Return how large a force or torque is: "12.3 N"."""
    return f"{_rounded(hypot(*vector))} {unit}"


def components(vector: Iterable[float]) -> str:
    """Return the three parts of a vector: "X 12.3  Y 0  Z -1"."""
    parts = zip(AXIS_NAMES, vector, strict=True)
    return "  ".join(f"{name} {_rounded(part)}" for name, part in parts)


def _rounded(value: float) -> str:
    """Return a number of three digits that does not flicker between 0 and 1e-17."""
    return number(round(value, 3), 3)


def shared_by(users: int, *, fake: bool) -> str:
    """Say how many joints share settings; nothing where only one uses them."""
    joints = users - fake
    return f"Shared by {joints} joints: a change here changes all of them" if joints > 1 else ""


def way(freedom: Freedom, axes: tuple[int, ...], sole_axis: int | None = None) -> str:
    """Return "Turn" for the only axis that moves, otherwise "About X Y" or "Along X"."""
    if axes == (sole_axis,):
        return "Slide" if freedom is Freedom.LINEAR else "Turn"
    names = " ".join(AXIS_NAMES[axis] for axis in axes)
    return f"{'Along' if freedom is Freedom.LINEAR else 'About'} {names}"


def _bounds(limit: Limit, freedom: Freedom, say: Say) -> str:
    low, high = limit.min, limit.max
    if limit.is_fixed:
        return "fixed"
    if low == high:
        return f"held at {say(low, freedom)}"
    if high == inf:
        return "unlimited" if low == -inf else f"from {say(low, freedom)}"
    return extent(low, high, lambda value: say(value, freedom))
