# SPDX-License-Identifier: GPL-3.0-or-later
"""What readers of Khronos' extensions do otherwise: Babylon.js, and viewers on the web."""

from dataclasses import replace

from ..issue import Severity
from .godot import FRAMES
from .profile import BY_BODY_ALONE, STOPS, Difference, Known, Profile, unproven

MOTORS = (
    Difference(
        "babylon-motor-speed",
        "Babylon runs the motor {way} 2.5 times as fast.",
        "Write a file of its own for Babylon, with 0.4 times the speed.",
    ),
    BY_BODY_ALONE.of("babylon-acceleration", "Babylon"),
    Difference(
        "babylon-no-force",
        "The drive {way} may apply no force; Babylon takes that for no maximum.",
        "Remove the drive, or give it a small force.",
    ),
)
BOUNDS = (
    Difference(
        "babylon-two-angles",
        "Turns {ways} have bounds of their own; Babylon's are some degrees off.",
        "Leave one of them free or locked, or bound them together.",
    ),
    Difference(
        "babylon-cone-twists",
        "At the edge of its cone Babylon turns the body about the axis of the cone.",
        "Lock the twist, if it need not be free.",
        severity=Severity.HINT,
    ),
    Difference(
        "babylon-rigid-distance",
        "The bound on the distance from a point is soft; in Babylon it is rigid.",
        "Take a drive for the spring.",
    ),
)
BODIES = (
    Difference(
        "babylon-inertia",
        "Babylon takes the inertia of this body for that of one kilogram: {mass:g} times as much "
        "as it is.",
        "Enter three zeros to have it calculated from its colliders.",
    ),
    Difference(
        "babylon-scaled-velocity",
        "This body starts with a velocity, which Babylon scales with its node.",
        "Apply the scale of the body.",
    ),
    Difference(
        "babylon-centre-velocity",
        "This body turns at the start; Babylon gives the velocity of its origin to its center of "
        "mass.",
        "Put its origin at the center of mass.",
    ),
    Difference(
        "babylon-no-body",
        "Nothing above this joint moves or has a collider; Babylon does not load the file.",
        "Swap the sides of the joint, or give the body a collider.",
    ),
    Difference(
        "babylon-nested",
        "This joint is below one body below another; Babylon joins the highest one.",
        "Clear the parent of the lower body and keep its transform.",
    ),
)

BABYLON = Profile(
    "Babylon.js",
    "Babylon.js with Havok and the loader of its authors, which reads Khronos' extensions",
    "Babylon.js 9.34, Havok 1.3.14, loader 0.6.0 (a920d07), `make bench-babylon`",
    (*MOTORS, *BOUNDS, STOPS.of("babylon-stops", "Babylon", "up to half"), *BODIES),
    frozenset(("khr",)),
)

VIEWERS = Profile(
    "Web Viewers",
    "Viewers made with three.js, PlayCanvas or Rhodonite: with Rapier they read bodies of "
    "Khronos' extensions and no joints, with Havok or Ammo joints too",
    "source of cx20/webgl-physics-examples at 37fc0e8",
    (
        unproven(
            "viewers-no-joints",
            "Web viewers with Rapier read no joints: without {names} the bodies are not held.",
            "Show the file in a viewer with Havok or Ammo, or in Babylon.js.",
        ),
        unproven(
            "viewers-one-bound",
            "There is one bound {way}; web viewers take the missing one for zero.",
            "Give it both, the missing one farther than it ever gets.",
        ),
        unproven(
            "viewers-together",
            "One bound on several axes, on a {kind}, is one of each axis by itself in web viewers.",
            "Give each of these axes a limit of its own.",
        ),
        replace(FRAMES, known=Known.READ),
        unproven(
            "viewers-drive",
            "The drive {ways} {are} of another strength in web viewers, or does nothing there.",
            "Show the file in Babylon.js, or expect drives to be stronger, weaker or missing.",
        ),
    ),
    frozenset(("khr",)),
)
