# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of URDF that is read: once for each kind."""

from __future__ import annotations

from ...model.issue import Severity
from ..findings import Finding

KINDS: dict[str, Finding] = {
    "urdf-effort": Finding(
        "joint",
        "{have} a largest effort, which says nothing without a motor and is left out",
        "Add a drive with this force.",
        Severity.HINT,
    ),
    "urdf-velocity": Finding(
        "joint", "{have} a largest velocity, which is left out", "", Severity.HINT
    ),
    "urdf-dry-friction": Finding("joint", "{have} dry friction, which is left out"),
    "urdf-mimic": Finding("joint", "mimic{s} another, which is left out: {they} move{s} freely"),
    "urdf-safety": Finding(
        "joint", "{have} a safety controller, which is left out", "", Severity.HINT
    ),
    "urdf-joint": Finding("joint", "{are} of a kind that URDF does not have, and taken as fixed"),
    "urdf-geometry": Finding("geometry", "{are} of a kind that URDF does not have, and left out"),
    "urdf-massless": Finding(
        "link", "move{s} and {have} no mass; 1 g is taken", "Give an inertial."
    ),
    "urdf-floating": Finding(
        "root link",
        "float{s}: nothing holds {them} in the world",
        "To hold it, join it by a fixed joint to a root link named world.",
        Severity.HINT,
    ),
    "urdf-planar": Finding(
        "link",
        "slide{s} and turn{s} against the world by one joint, which has to be below the world",
        "",
        Severity.HINT,
    ),
    "urdf-left-out": Finding(
        "other part",
        "{are} not read: a mechanism has no place for {them}",
        "",
        Severity.HINT,
    ),
}
