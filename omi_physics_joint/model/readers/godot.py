# SPDX-License-Identifier: GPL-3.0-or-later
"""What Godot does otherwise: its engine, and each of the three ways into it."""

from __future__ import annotations

from dataclasses import replace

from ..issue import Severity
from ..target import Target
from .profile import AS_FORCE, FAR_SPRING, FAST, LED, STOPS, Difference, Profile, unproven

_JOLT = "Choose Jolt Physics in Godot's project settings."
_WRITTEN = 'Export it with "Written for" set to Godot with omi-godot, or use our add-on in Godot.'


def _cured(code: str, says: str, severity: Severity = Severity.WARNING) -> Difference:
    """Return what omi-godot only does with a file that is not written for it."""
    return Difference(code, says, _WRITTEN, file=Target.SPECIFIED, severity=severity)


ENGINE = (
    Difference(
        "godot-several-turns",
        "This joint turns about several axes, which Godot measures and holds otherwise: at the "
        "ends of their ranges by up to {off}.",
        "Keep their ranges small, or make it of hinges with a small body between them.",
    ),
    Difference(
        "godot-together",
        "One bound on several axes, on a {kind}, is one of each axis within it in Godot; a minimum "
        "is lost.",
        "Give each of these axes a limit of its own.",
    ),
    Difference(
        "godot-full-turn",
        "The limits {way} go beyond half a turn, which Godot cannot count.",
        "Keep it within 180\N{DEGREE SIGN} both ways, or use a hinge and a slider.",
    ),
    Difference(
        "godot-motor-damping",
        "The damped motor {way} falls behind its load; in Godot it keeps its speed, up to its "
        "largest force.",
        "Give it so much damping that it keeps its speed, and a largest force.",
    ),
    Difference(
        "godot-spring-force",
        "The drive {way} has a largest force, which Godot ignores where it pulls or brakes.",
        "Choose a stiffness and damping that stay below that force.",
    ),
    FAR_SPRING.of("godot-far-spring", "Godot"),
    Difference(
        "godot-soft-limit",
        "The limit {way} gives way; in Godot it is rigid.",
        "Make it rigid, or let a drive pull back instead.",
    ),
    AS_FORCE.of("godot-acceleration", "Godot"),
    Difference(
        "godot-position-and-velocity",
        "The drive {way} has a target position and a target velocity; Godot drops one of the two.",
        "Keep only one of the two targets if the joint is for Godot.",
    ),
    FAST.of("godot-fast", "Godot"),
    Difference(
        "godot-endless",
        "Both bodies of this joint have infinite mass; Godot turns them otherwise.",
        "Make one of them kinematic, or its inertia infinite too.",
    ),
    Difference(
        "godot-tiny",
        "This body is only {length} long; Godot gives so small a body too much inertia.",
        "Build the mechanism larger.",
    ),
    Difference(
        "godot-springs",
        "Godot Physics has no springs (Jolt has): {names} would be without.",
        _JOLT,
        severity=Severity.HINT,
    ),
    STOPS.of("godot-stops", "Godot", "up to a quarter"),
    Difference(
        "godot-tumbling",
        "{Bodies} {names} turn{s} about more than one axis; Godot lets nothing wobble as it spins, "
        "so what tumbles does so otherwise.",
        "Expect another motion, or make the inertia alike about all axes.",
        severity=Severity.HINT,
    ),
    Difference(
        "godot-overlap",
        "The colliders of {pairs} may overlap at rest; Godot then pushes the bodies apart, and "
        "play does so slowly with Contacts, and never where they are of one mechanism.",
        "Make the colliders smaller (a convex hull closes what is hollow), or join the two bodies.",
        severity=Severity.HINT,
    ),
    Difference(
        "godot-contacts",
        "Bodies {pairs} may meet when they move; Godot then keeps them apart, and play does so "
        "with Contacts only.",
        "Give them a collision filter, or switch Contacts on.",
        severity=Severity.HINT,
    ),
    Difference(
        "godot-gravity",
        "Gravity is {gravity:g} m/s\u00b2, which Godot does not read.",
        "Set Default Gravity and its vector in Godot's project settings.",
    ),
)
"""Of the engine itself, Jolt, whoever reads the file."""

STEPPED = frozenset(
    (
        "godot-together",
        "godot-motor-damping",
        "godot-spring-force",
        "godot-far-spring",
        "godot-soft-limit",
        "godot-acceleration",
        "godot-position-and-velocity",
        "godot-fast",
        "godot-stops",
        "godot-tumbling",
    )
)
"""What shows where our solver moves a mechanism as Godot does, so that trying may refute it."""

POSE = Difference(
    "godot-pose",
    "At rest this joint is not where its values are zero; Godot counts from the rest pose, "
    "and limits about several axes cannot be counted so.",
    "Put the joint to rest where its values are zero.",
    file=Target.GODOT,
)
FRAMES = Difference(
    "frames-apart",
    "This frame and {other} are {distance} apart at rest, and the first is taken for both by "
    "{readers}.",
    "Snap the frames together, and put the offset into the limits.",
    file=Target.SPECIFIED,
)

UNSTABLE = Difference(
    "godot-hard-limits",
    "Rigid limits of {names} are unstable in Godot Physics (Jolt is fine).",
    _JOLT,
    severity=Severity.HINT,
)

OMI_GODOT = (
    _cured(
        "godot-angular-sign",
        "With omi-godot {names} turn{s} the wrong way.",
        Severity.HINT,
    ),
    _cured(
        "godot-damper",
        "The drive {way} gives way to its load; with omi-godot it keeps its speed.",
    ),
    _cured(
        "godot-soft-lock",
        "The lock {way} gives way; with omi-godot it is rigid.",
    ),
    _cured(
        "godot-round",
        "{Objects} {names} {have} another size with omi-godot.",
    ),
    _cured(
        "godot-velocity",
        "With omi-godot {names} start{s} with another velocity.",
    ),
    _cured(
        "godot-nested",
        "With omi-godot {names} move{s} along with the body above, and once more by physics.",
    ),
    _cured(
        "godot-part",
        "With omi-godot {names} {are} in no body: it looks for shapes directly below one.",
    ),
    Difference(
        "godot-turn-about-x",
        "This joint turns {way}; omi-godot makes a slider of it, which does not turn.",
        "Turn both frames so that it turns about another axis instead.",
        file=Target.SPECIFIED,
    ),
    Difference(
        "godot-one-bound",
        "This {kind} has only a minimum or a maximum; with omi-godot its bodies vanish.",
        "Give it both, the missing one farther than it ever gets.",
        file=Target.SPECIFIED,
    ),
    Difference(
        "godot-hinge-drive",
        "The drive {way} has no target velocity; on such a hinge omi-godot loses the bodies.",
        "Turn both frames so that the hinge turns about another axis, or give it a target "
        "velocity.",
        file=Target.SPECIFIED,
    ),
    FRAMES,
    POSE,
    unproven(
        "godot-last-limit-wins",
        "There is more than one limit {ways}; omi-godot takes only the last one.",
        "Join them into one limit for each axis.",
    ),
    UNSTABLE,
    unproven(
        "godot-keyed",
        "Settings of this joint are animated, which the add-on omi-godot does not read: they stay "
        "as they are at rest.",
        "Use our own add-on for Godot, which imports them.",
    ),
    Difference(
        "godot-gravity-factor",
        "This body has a gravity of its own, which Godot does not read from the file.",
        "Set Gravity Scale of the body in Godot.",
    ),
    Difference(
        "godot-material",
        "{Objects} {names} {have} friction and bounce, which Godot does not read from the file.",
        "Set a Physics Material Override in Godot.",
    ),
    Difference(
        "godot-filter",
        "{Objects} {names} {have} a collision filter, which Godot does not read from the file.",
        "Set collision layers and masks in Godot.",
    ),
    Difference(
        "godot-inertia-turned",
        "The inertia of this body is about turned axes, and Godot takes the body's own.",
        "Turn the body itself, so that its axes are those of its inertia.",
    ),
    Difference(
        "godot-inertia-unknown",
        "This body has no collider, so Godot makes up an inertia for it.",
        "Add a collider, or enter its inertia.",
    ),
    Difference(
        "godot-tapered",
        "{Objects} {names} {have} two radii, of which Godot knows the mean only.",
        "Use a convex hull, or one radius.",
    ),
    LED.of("godot-kinematic-velocity", "Godot"),
    Difference(
        "godot-mirrored",
        "This body is mirrored by a negative scale, which Godot takes away from bodies.",
        "Apply the scale of the body.",
    ),
)
"""Of omi-godot and of Godot's own reader of bodies."""

COMBINE = Difference(
    "godot-combine",
    "The materials of {names} become others in Godot where they touch: one friction, of two the "
    "smaller unless one asks for the maximum, and the average of bounces.",
    "Give what touches the same friction, static and dynamic, and let bounces be averaged.",
)
BY_ITSELF = (
    Difference(
        "godot-no-joints",
        "Godot by itself reads no joints: {names} will be {nodes}, and the bodies are not held.",
        "Put our add-on for Godot, glTF physics joints, into the project.",
    ),
)

BOTH_FILES = (Target.SPECIFIED, Target.GODOT)
_MEASURED = "Godot 4.6.3 with Jolt"

OURS = Profile(
    "Godot",
    "Godot 4.4 or later with our add-on, glTF physics joints, which reads both families of "
    "extensions",
    f"{_MEASURED}, `make test-godot`",
    (*ENGINE, COMBINE, POSE, replace(UNSTABLE, file=Target.SPECIFIED)),
    targets=BOTH_FILES,
)
OMI = Profile(
    "Godot (omi-godot)",
    "Godot 4 with the add-on omi-godot, which reads OMI's extensions",
    f"{_MEASURED}, omi-godot e421986, `make bench-godot`",
    (*OMI_GODOT, *ENGINE),
    frozenset(("omi",)),
    (Target.GODOT, Target.SPECIFIED),
)
PLAIN = Profile(
    "Godot (No Add-on)",
    "Godot as it is downloaded: it reads bodies and shapes of OMI's extensions, and no joints",
    "Godot 4.6.3",
    BY_ITSELF,
    frozenset(("omi",)),
    BOTH_FILES,
)
