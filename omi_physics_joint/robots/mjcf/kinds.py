# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of MJCF that is read: once for each kind."""

from __future__ import annotations

from ...model.issue import Severity
from ..findings import Finding

KINDS: dict[str, Finding] = {
    "mjcf-armature": Finding(
        "joint", "{have} an armature, the inertia of a rotor, which is left out"
    ),
    "mjcf-dry-friction": Finding("joint", "{have} dry friction, which is left out"),
    "mjcf-spring-damper": Finding(
        "joint",
        "{have} a spring by time and ratio, which is left out",
        "Give stiffness and damping.",
    ),
    "mjcf-ball-spring": Finding(
        "ball joint",
        "{have} a spring or damper; it becomes one about each axis, which is the same for small "
        "angles only",
    ),
    "mjcf-motor": Finding(
        "motor",
        "{are} led by a controller; where nothing else is on the joint there is a drive with the "
        "largest force and no stiffness or damping",
        "Give these drives a target.",
        Severity.HINT,
    ),
    "mjcf-damping-ratio": Finding(
        "actuator", "{have} damping by a ratio, which is left out", "Give kv."
    ),
    "mjcf-force-range": Finding(
        "actuator", "{have} another largest force each way; the larger one is taken"
    ),
    "mjcf-actuator": Finding(
        "actuator", "{are} no spring or motor on a joint with one axis, and left out"
    ),
    "mjcf-tendon": Finding("tendon", "{are} left out"),
    "mjcf-mimic": Finding(
        "joint",
        "{are} made to follow another by an equality, which is left out: {they} move{s} freely",
    ),
    "mjcf-equality": Finding(
        "equality",
        "{are} neither connect nor weld between bodies that are there, and left out",
    ),
    "mjcf-inactive": Finding("equality", "{are} switched off and left out", "", Severity.HINT),
    "mjcf-pair": Finding("contact pair", "{have} settings of {their} own, which are left out"),
    "mjcf-geom": Finding("geom", "{are} of a kind that no shape is, and left out"),
    "mjcf-fitted": Finding("geom", "{are} fitted to a mesh; the hull of that mesh is taken"),
    "mjcf-shell": Finding("geom", "weigh{s} by the surface; the volume is taken"),
    "mjcf-made": Finding(
        "element",
        "make{s} bodies by a rule, and {are} left out",
        "Save the model from MuJoCo, which writes these bodies out.",
        Severity.ERROR,
    ),
    "mjcf-left-out": Finding(
        "other part",
        "{are} not read: a mechanism has no place for {them}",
        "",
        Severity.HINT,
    ),
    "mjcf-massless": Finding("body", "move{s} and {have} no mass; 1 g is taken", "Give a mass."),
    "mjcf-light": Finding(
        "body",
        "turn{s} about several axes one after the other; light bodies with a hundredth of the mass "
        "stand between",
        "",
        Severity.HINT,
    ),
    "mjcf-planar": Finding(
        "body",
        "slide{s} and turn{s} against the world by one joint, which has to be below the world",
        "",
        Severity.HINT,
    ),
}
