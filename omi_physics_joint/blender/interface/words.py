# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels say: numbers with units, rows of lists, counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot, inf

from ...model.issue import Severity
from ...model.joint import AXES, AXIS_NAMES, Drive, Freedom, Limit
from ...model.settings.together import MEASURES, plain
from ...model.wording.describe import drive_words
from ...model.wording.words import Say, capitalized, counted, metric, number

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

TITLES = {
    "godot-acceleration": "Drive mode in Godot",
    "godot-angular-sign": "Turns wrong in Godot",
    "godot-endless": "Infinite mass in Godot",
    "godot-fast": "Too fast for Godot",
    "godot-filter": "No filters in Godot",
    "godot-contacts": "Meet in Godot",
    "godot-damper": "No damper in Godot",
    "godot-far-spring": "Weaker spring in Godot",
    "godot-full-turn": "Over half a turn in Godot",
    "godot-gravity": "No gravity in Godot",
    "godot-gravity-factor": "No gravity factor in Godot",
    "godot-hard-limits": "Unstable in Godot",
    "godot-hinge-drive": "Drive fails in Godot",
    "godot-inertia-turned": "Other inertia in Godot",
    "godot-inertia-unknown": "Unknown inertia in Godot",
    "godot-keyed": "Not animated in Godot",
    "godot-kinematic-velocity": "Stands in Godot",
    "godot-last-limit-wins": "Limits lost in Godot",
    "godot-material": "No friction in Godot",
    "godot-mirrored": "Mirrored for Godot",
    "godot-motor-damping": "Stronger motor in Godot",
    "godot-nested": "Moves twice in Godot",
    "godot-one-bound": "One bound fails in Godot",
    "godot-overlap": "Overlaps in Godot",
    "godot-no-joints": "No joints in Godot",
    "godot-part": "Shape lost in Godot",
    "godot-pose": "Rest pose in Godot",
    "godot-position-and-velocity": "One target lost in Godot",
    "godot-round": "Other size in Godot",
    "godot-several-turns": "Turns otherwise in Godot",
    "godot-soft-limit": "Rigid in Godot",
    "godot-soft-lock": "Rigid lock in Godot",
    "godot-spring-force": "Stronger drive in Godot",
    "godot-springs": "No springs in Godot",
    "godot-stops": "Bounces in Godot",
    "godot-tapered": "Not tapered in Godot",
    "godot-tiny": "Too small for Godot",
    "godot-together": "Apart in Godot",
    "godot-tumbling": "Tumbles in Godot",
    "godot-turn-about-x": "No turn in Godot",
    "godot-velocity": "Other start in Godot",
    "babylon-acceleration": "Other drive in Babylon",
    "babylon-centre-velocity": "Other start in Babylon",
    "babylon-cone-twists": "Twists in Babylon",
    "babylon-inertia": "Other inertia in Babylon",
    "babylon-motor-speed": "Faster in Babylon",
    "babylon-nested": "Other body in Babylon",
    "babylon-no-body": "No file in Babylon",
    "babylon-no-force": "No maximum in Babylon",
    "babylon-rigid-distance": "Rigid in Babylon",
    "babylon-scaled-velocity": "Other start in Babylon",
    "babylon-stops": "Bounces in Babylon",
    "babylon-two-angles": "Other bounds in Babylon",
    "newton-acceleration": "Other drive in Newton",
    "newton-beyond-bounds": "Other target in Newton",
    "newton-breaking": "Never breaks in Newton",
    "newton-cone": "No cone in Newton",
    "newton-keyed": "Not animated in Newton",
    "newton-loop": "Loose in Newton",
    "newton-kinematic-velocity": "Stands in Newton",
    "newton-mirrored": "Mirrored for Newton",
    "newton-no-force": "No file in Newton",
    "newton-position-and-velocity": "One target lost in Newton",
    "newton-rest": "Counts otherwise in Newton",
    "newton-rope": "No file in Newton",
    "newton-several-turns": "Turns otherwise in Newton",
    "newton-soft-limit": "Other limit in Newton",
    "newton-start": "Other start in Newton",
    "newton-stiff-motor": "Jerks in Newton",
    "newton-stops": "Bounces in Newton",
    "newton-tapered": "No taper in Newton",
    "physx-acceleration": "Other drive in PhysX",
    "physx-fast": "Too fast for PhysX",
    "physx-far-spring": "Weaker spring in PhysX",
    "physx-full-turn": "Beyond a turn in PhysX",
    "physx-keyed": "Not animated in PhysX",
    "physx-kinematic-velocity": "Stands in PhysX",
    "physx-one-bound": "One bound fails in PhysX",
    "physx-rope": "Longer in PhysX",
    "physx-several-turns": "Turns otherwise in PhysX",
    "physx-stops": "Bounces in PhysX",
    "physx-tapered": "No taper in PhysX",
    "physx-tumbling": "Tumbles late in PhysX",
    "physx-velocity": "Other start in PhysX",
    "reader-deaf": "Other extensions",
    "reader-misled": "Written for others",
    "dynamic-baked": "Baked keys",
    "scaled-since-joined": "Scaled later",
    "tried-in-godot": "Elsewhere in Godot",
    "unity-acceleration": "Drive mode in Unity",
    "unity-even-bounds": "Other bounds in Unity",
    "unity-filter": "No filters in Unity",
    "unity-gravity-factor": "No gravity factor in Unity",
    "unity-no-joints": "No joints in Unity",
    "unity-one-drive": "One drive in Unity",
    "unity-one-reach": "One reach in Unity",
    "unity-round": "Capsule in Unity",
    "viewers-drive": "Other drive in viewers",
    "viewers-no-joints": "No joints in viewers",
    "viewers-one-bound": "Other bound in viewers",
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
    "partner-of-no-joint": "Stray second frame",
    "trimesh-moves": "Triangle mesh moves",
    "lost-to-gpu-instances": "Lost to GPU instances",
    "soft-limits-held": "Too soft to hold",
    "joint-without-partner": "No second body",
    "joint-without-body": "No body",
    "joint-without-settings": "No settings",
    "connected-without-body": "Second is no body",
}
"""Short titles of issues whose code is no plain English; all that are about readers have one."""


def issue_title(code: str) -> str:
    """Return in a few words what an issue is about."""
    return TITLES.get(code) or capitalized(code.replace("-", " "))


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
    if (low, high) == (-inf, inf):
        return "unlimited"
    if low == -inf:
        return f"up to {say(high, freedom)}"
    if high == inf:
        return f"from {say(low, freedom)}"
    return f"{say(low, freedom)} to {say(high, freedom)}"
