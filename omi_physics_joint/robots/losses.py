# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said where a mechanism becomes a robot: once for each kind, in both formats."""

from __future__ import annotations

from ..model.issue import Severity
from .findings import Finding

EITHER: dict[str, Finding] = {
    "trigger": Finding("trigger", "{are} left out"),
    "number": Finding("node", "{have} a pose that is none, and {are} left out"),
    "mass": Finding("body", "weigh{s} nothing or without end; 1 kg is written"),
    "soft": Finding("joint", "give{s} way at a limit; it is written as a rigid one"),
    "together": Finding("joint", "{have} one bound on several axes together, which is left out"),
    "ball-bounds": Finding(
        "joint", "turn{s} about three axes with a bound on each, which is left out"
    ),
    "two-turns": Finding(
        "joint",
        "turn{s} about two axes and hold{s} the twist about the third; two hinges one after the "
        "other are written, which twist by 8° where both stand at 30°",
    ),
    "acceleration": Finding(
        "drive", "accelerate{s} by {their} own law, which is left out", "Give it a force."
    ),
    "ball-drive": Finding("drive", "{are} on a joint that turns about three axes, and left out"),
    "drive": Finding("drive", "{are} on an axis that is held, and left out", "", Severity.HINT),
    "keys": Finding("joint", "{have} settings that change with time; those at rest are written"),
    "free": Finding(
        "joint",
        "leave{s} a body free to go everywhere but for bounds, which are left out",
    ),
    "loop": Finding("joint", "close{s} a loop, and {are} left out"),
    "filter": Finding(
        "body pair", "meet{s} with some shapes and not with others; all of them meet"
    ),
    "apart": Finding("body pair", "{are} kept apart by filters, which is left out"),
    "meets": Finding(
        "joint",
        "let{s} the bodies collide that it joins, which is not written",
        "",
        Severity.HINT,
    ),
    "surface": Finding("collider", "{are} a surface of triangles; readers take the convex hull"),
    "tapered": Finding("collider", "taper{s} or {are} stretched; a hull of triangles is written"),
    "plane": Finding("plane", "{are} below a body that moves or in URDF; a thin box is written"),
    "combine": Finding("material", "bounce{s} or {have} two frictions; one friction is written"),
    "gravity": Finding("body", "{have} gravity of {their} own, which is left out"),
    "velocity": Finding("body", "start{s} with a velocity, which is left out"),
    "held-apart": Finding(
        "joint", "{are} not where locks want {them} at the start; {they} stay{s} there"
    ),
    "break": Finding("joint", "break{s} under a load, which is left out"),
    "muted": Finding("joint", "{are} muted, and left out"),
    "asleep": Finding("body", "start{s} asleep, which is left out"),
    "spring": Finding("drive", "pull{s} to a target, which is left out; damping is kept"),
    "motor": Finding("drive", "run{s} at a speed, which is left out; the largest force is kept"),
    "start": Finding(
        "joint", "do{s} not start at zero; the robot is written with all joints at zero"
    ),
    "kinematic": Finding("body", "{are} led by animation; {they} stand{s} still"),
    "ball": Finding("ball joint", "{are} written as three hinges through light links"),
    "capsule": Finding("capsule", "{are} written as a mesh", "", Severity.HINT),
    "friction": Finding("shape", "{have} friction, which is left out", "", Severity.HINT),
    "scene-gravity": Finding("gravity", "is said by who reads the file", "", Severity.HINT),
}


def kinds_for(form: str) -> dict[str, Finding]:
    """Return what a format says, by code: ``mjcf-trigger``."""
    return {f"{form}-{code}": finding for code, finding in EITHER.items()}
