# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of MJCF and URDF, in and out: once for each kind."""

from __future__ import annotations

from ..model.issue import Severity
from ..model.wording.findings import Finding

ERROR, HINT = Severity.ERROR, Severity.HINT

EITHER_READ: dict[str, Finding] = {
    "kept": Finding(
        "joint",
        "{have} a largest effort or velocity, an armature, a safety controller or a transmission, "
        "which go along and are not played",
        severity=HINT,
    ),
    "mimic": Finding(
        "joint",
        "{are} made to follow another, which goes along and is not played: {they} move{s} freely",
    ),
    "follows-nothing": Finding(
        "joint",
        "{are} to follow, or to share a transmission with, a joint that is not there, or {are} "
        "held as well; that is left out",
    ),
    "slip": Finding(
        "word",
        "{are} not of the format there, and left out",
        "Look for slips of the pen, capitals among them.",
    ),
    "twice": Finding(
        "name",
        "{are} given to several: what names {them} may mean another; of links of one name the "
        "last is read",
        "Give each a name of its own.",
    ),
    "axis": Finding(
        "joint", "{have} an axis without direction; X is taken in URDF, Z in MJCF", "Correct it."
    ),
    "boundless": Finding(
        "joint",
        "say{s} no bounds, or the lower one above the upper one; {they} move{s} freely",
        "Give a lower bound and a higher upper one, or make it one without bounds.",
    ),
    "held": Finding(
        "joint",
        "{are} held: lower and upper are one value; {they} keep{s} {their} name",
        "If it is to move, give it bounds.",
        HINT,
    ),
    "floating": Finding(
        "root",
        "float{s}: nothing holds {them} in the world",
        "To hold it, read the file with Base: Fixed (--base fixed).",
        HINT,
    ),
    "standing": Finding(
        "root",
        "stand{s} fixed on the world",
        "To let it go, read the file with Base: Floating (--base floating).",
        HINT,
    ),
    "left-out": Finding(
        "other part", "{are} not read: a mechanism has no place for {them}", severity=HINT
    ),
}
"""Both formats, read."""
MJCF_READ: dict[str, Finding] = {
    **EITHER_READ,
    "spring-damper": Finding(
        "joint",
        "{have} a spring by time and ratio, which is left out",
        "Give stiffness and damping.",
    ),
    "bounds": Finding(
        "joint",
        "{have} bounds that give way or begin early by solreflimit, solimplimit or margin, and "
        "are read as rigid",
        severity=HINT,
    ),
    "ball-spring": Finding(
        "ball joint",
        "{have} a spring or damper; it becomes one about each axis, which is the same for small "
        "angles only",
    ),
    "motor": Finding(
        "motor",
        "{are} led by a controller; where nothing else is on the joint there is a drive with "
        "the largest force and no stiffness or damping",
        "Give these drives a target.",
        HINT,
    ),
    "damping-ratio": Finding(
        "actuator", "{have} damping by a ratio, which is left out", "Give kv."
    ),
    "force-range": Finding(
        "actuator", "{have} another largest force each way; the larger one is taken"
    ),
    "actuator": Finding("actuator", "{are} on no joint with one axis, and left out"),
    "not-played": Finding("actuator", "{are} no spring or motor; {they} {are} kept and not played"),
    "free-resists": Finding(
        "free joint", "{have} damping, stiffness, friction or an armature, which is left out"
    ),
    "fluid": Finding(
        "medium property", "push{s} on all that moves, and {are} left out: nothing here swims"
    ),
    "flag": Finding("flag", "{are} disabled, which is left out: all acts here"),
    "filter-time": Finding("actuator", "follow{s} through a filter, which is left out"),
    "tendon": Finding("tendon", "{are} left out"),
    "equality": Finding(
        "equality", "{are} between what is not there, or of a kind without a place, and left out"
    ),
    "joint": Finding("joint", "{are} of a type that MJCF does not have, and taken as a hinge"),
    "misplaced": Finding(
        "joint",
        "{are} in the world or a frame, and left out, or free{s} a body below another, which "
        "MuJoCo refuses",
    ),
    "inactive": Finding("equality", "{are} switched off and left out", severity=HINT),
    "pair": Finding("contact pair", "{have} settings of {their} own, which are left out"),
    "geom": Finding("geom", "{are} of a kind that no shape is, or of too few sizes, and left out"),
    "fitted": Finding("geom", "{are} fitted to a mesh; the hull of that mesh is taken"),
    "shell": Finding("geom", "weigh{s} by the surface; the volume is taken"),
    "made": Finding(
        "element",
        "make{s} bodies by a rule, and {are} left out",
        "Save the model from MuJoCo, which writes these bodies out.",
        ERROR,
    ),
    "massless": Finding("body", "move{s} and {have} no mass; 1 g is taken", "Give a mass."),
    "light": Finding(
        "body",
        "turn{s} about several axes one after the other; light bodies with a hundredth of the "
        "mass stand between",
        severity=HINT,
    ),
    "planar": Finding(
        "body",
        "slide{s} and turn{s} against the world by one joint, which has to be below the world",
        severity=HINT,
    ),
}
URDF_READ: dict[str, Finding] = {
    **EITHER_READ,
    "degrees": Finding(
        "angle",
        "{are} beyond a full turn, as if in degrees; {they} {are} read in radians",
        "Write 90 degrees as 1.5708.",
    ),
    "joint": Finding("joint", "{are} of a kind that URDF does not have, and taken as fixed"),
    "geometry": Finding("geometry", "{are} of a kind that URDF does not have, and left out"),
    "massless": Finding(
        "link", "move{s} and {have} no mass above zero; 1 g is taken", "Give an inertial."
    ),
}
WRITTEN: dict[str, Finding] = {
    "trigger": Finding("trigger", "{are} left out"),
    "mesh": Finding(
        "node",
        "{have} a mesh without triangles that can be read; it is left out",
        "If Draco or Meshopt packed it, export it without compression.",
    ),
    "number": Finding("node", "{have} a pose that is none, and {are} left out"),
    "mass": Finding("body", "weigh{s} nothing or without end; 1 kg is written"),
    "inertia": Finding(
        "body",
        "{have} an inertia that no body can have; MuJoCo refuses it, and the largest moment is "
        "written smaller",
        "Give three moments of which none is larger than the other two together.",
    ),
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
    "drive": Finding("drive", "{are} on an axis that is held, and left out", severity=HINT),
    "keys": Finding("joint", "{have} settings that change with time; those at rest are written"),
    "free": Finding(
        "joint", "leave{s} a body free to go everywhere but for bounds, which are left out"
    ),
    "infinite": Finding(
        "joint",
        "hold{s} a body of infinite mass, which stands still as nothing moves it, and {are} left "
        "out",
    ),
    "held-now": Finding(
        "free joint",
        "{are} gone: what was free in the file that was read hangs on another joint here",
        severity=HINT,
    ),
    "loop": Finding("joint", "close{s} a loop, and {are} left out"),
    "filter": Finding(
        "body pair", "meet{s} with some shapes and not with others; all of them meet"
    ),
    "apart": Finding("body pair", "{are} kept apart by filters, which is left out"),
    "meets": Finding(
        "joint", "let{s} the bodies collide that it joins, which is not written", severity=HINT
    ),
    "surface": Finding("collider", "{are} a surface of triangles; readers take the convex hull"),
    "tapered": Finding("collider", "taper{s} or {are} stretched; a hull of triangles is written"),
    "plane": Finding("plane", "{are} below a body that moves or in URDF; a thin box is written"),
    "combine": Finding(
        "material",
        "bounce{s}, {have} two frictions or {are} not combined by the maximum; one friction is "
        "written",
    ),
    "gravity": Finding("body", "{have} gravity of {their} own, which is left out"),
    "velocity": Finding("body", "start{s} with a velocity, which is left out"),
    "stops": Finding(
        "joint",
        "may come to {their} bounds so fast that it is noticed: MuJoCo gives back a hundredth of "
        "the speed",
        severity=HINT,
    ),
    "break": Finding("joint", "break{s} under a load, which is left out"),
    "muted": Finding("joint", "{are} muted, and left out"),
    "unknown": Finding("node", "{have} members of other extensions, which are left out"),
    "asleep": Finding("body", "start{s} asleep, which is left out"),
    "spring": Finding("drive", "pull{s} to a target, which is left out; damping is kept"),
    "motor": Finding("drive", "run{s} at a speed, which is left out; the largest force is kept"),
    "armature": Finding("joint", "{have} an armature, the inertia of a rotor, which is left out"),
    "largest-velocity": Finding("joint", "{have} a largest velocity, which is left out"),
    "safety": Finding("joint", "{have} a safety controller, which is left out"),
    "transmissions": Finding("joint", "{have} a transmission, which is left out"),
    "fixed-joint": Finding(
        "fixed joint", "{have} a name, which is left out: what is fixed has no joint there"
    ),
    "actuators": Finding(
        "joint", "{have} motors, which are left out; the largest force stays as effort"
    ),
    "follows-nothing": EITHER_READ["follows-nothing"],
    "elsewhere": Finding(
        "free root", "{are} not at the origin, which is left out: who loads {them} says where"
    ),
    "start": Finding(
        "joint", "{are} not at zero at the start; the robot is written with all joints at zero"
    ),
    "kinematic": Finding("body", "{are} led by animation; {they} stand{s} still"),
    "animated": Finding("node", "{are} moved by an animation, which is left out"),
    "ball": Finding("ball joint", "{are} written as three hinges through light links"),
    "capsule": Finding("capsule", "{are} written as a mesh", severity=HINT),
    "friction": Finding("shape", "{have} friction, which is left out", severity=HINT),
    "scene-gravity": Finding("gravity", "is said by who reads the file", severity=HINT),
}
"""Where a mechanism becomes a robot of either format."""
