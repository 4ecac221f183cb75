# SPDX-License-Identifier: GPL-3.0-or-later
"""What readers of Khronos' extensions do otherwise: Babylon.js, and viewers on the web."""

from __future__ import annotations

from dataclasses import replace

from .godot import FRAMES
from .profile import Difference, Known, Profile

MOTORS = (
    Difference(
        "babylon-motor-speed",
        "runs motors 2.5 times as fast",
        "Write a file of its own for Babylon, with 0.4 times the speed.",
    ),
    Difference(
        "babylon-acceleration",
        "weighs drives by acceleration by the body alone",
        "Use the force mode if the joint is for Babylon.",
    ),
    Difference(
        "babylon-no-force",
        "takes a largest force of zero for none given",
        "Remove the drive, or give it a small force.",
    ),
)
BOUNDS = (
    Difference(
        "babylon-two-angles",
        "bounds two angles of their own some degrees off",
        "Leave one of them free or locked, or bound them together.",
    ),
    Difference(
        "babylon-cone-twists",
        "turns bodies about the axis of their cone, at its edge",
        "Lock the twist, if it need not be free.",
    ),
    Difference(
        "babylon-rigid-distance",
        "makes a soft distance from a point rigid",
        "Take a drive for the spring.",
    ),
)
STOPS = Difference(
    "babylon-stops",
    "gives back up to half of the speed at limits",
    "Let the bodies reach their limits slowly, for instance with a damped drive.",
)
BODIES = (
    Difference(
        "babylon-inertia",
        "takes an inertia for that of one kilogram",
        "Enter three zeros to have it calculated from its colliders.",
    ),
    Difference(
        "babylon-scaled-velocity",
        "scales velocities with their node",
        "Apply the scale of the body.",
    ),
    Difference(
        "babylon-centre-velocity",
        "gives the velocity of the origin to the center of mass",
        "Put its origin at the center of mass.",
    ),
    Difference(
        "babylon-no-body",
        "loads no file with a joint below what neither moves nor has a collider",
        "Swap the sides of the joint, or give the body a collider.",
    ),
    Difference(
        "babylon-nested",
        "joins the highest of nested bodies",
        "Clear the parent of the lower body and keep its transform.",
    ),
)

BABYLON = Profile(
    "Babylon.js",
    "Babylon.js with Havok and the loader of its authors, which reads Khronos' extensions",
    "Babylon.js 9.34, Havok 1.3.14, loader 0.6.0 (a920d07), `make bench-babylon`",
    (*MOTORS, *BOUNDS, STOPS, *BODIES),
    frozenset(("khr",)),
)

VIEWERS = Profile(
    "Web Viewers",
    "Viewers made with three.js, PlayCanvas or Rhodonite: with Rapier they read bodies of "
    "Khronos' extensions and no joints, with Havok or Ammo joints too",
    "source of cx20/webgl-physics-examples at 37fc0e8",
    (
        Difference(
            "viewers-no-joints",
            "reads no joints where Rapier is the engine",
            "Show the file in a viewer with Havok or Ammo, or in Babylon.js.",
            Known.READ,
        ),
        Difference(
            "viewers-one-bound",
            "takes a missing bound for zero",
            "Give it both, the missing one farther than it ever gets.",
            Known.READ,
        ),
        Difference(
            "viewers-together",
            "bounds each axis by itself where one bound is on several",
            "Give each of these axes a limit of its own.",
            Known.READ,
        ),
        replace(FRAMES, known=Known.READ),
        Difference(
            "viewers-drive",
            "gives drives a largest force of its own, and drops what its engine does not offer",
            "Show the file in Babylon.js, or expect drives to be stronger, weaker or missing.",
            Known.READ,
        ),
    ),
    frozenset(("khr",)),
)
