# SPDX-License-Identifier: GPL-3.0-or-later
"""What PhysX does otherwise with a stage of USD."""

from __future__ import annotations

from ..issue import Severity
from .profile import Difference, Profile

PHYSX = Profile(
    "PhysX",
    "PhysX, with which Omniverse and Isaac move stages of USD",
    "PhysX of ovphysx 0.7.0 on the processor, `make bench-physx`",
    (
        Difference(
            "physx-several-turns",
            "measures and holds several angles otherwise, but for two with X locked",
            "This joint turns about {count} axes, which PhysX measures and holds otherwise: as a "
            "twist about X and a swing.",
            "Turn both frames so that the locked axis is X, or make it of hinges with a small "
            "body between them.",
        ),
        Difference(
            "physx-one-bound",
            "loses a bound that stands alone",
            "There is one bound {way}, which PhysX does not hold.",
            "Give it both, the missing one farther than it ever gets.",
        ),
        Difference(
            "physx-full-turn",
            "holds bounds beyond half a turn there",
            "The limits {way} go beyond half a turn, and PhysX stops at half a turn.",
            "Keep it within 180\N{DEGREE SIGN} both ways, or leave it free.",
        ),
        Difference(
            "physx-rope",
            "lets a distance from a point be 25 mm more",
            "PhysX holds a distance from a point only when it is off by 25 mm.",
            "Make it 25 mm shorter, or expect it to be longer.",
        ),
        Difference(
            "physx-acceleration",
            "weighs drives by acceleration by the body alone",
            "The drive {way} works by acceleration; PhysX weighs it by the body alone, as if the "
            "joint did not hold it.",
            "Use the force mode, its numbers times what the drive moves at rest; Fix does so.",
        ),
        Difference(
            "physx-velocity",
            "takes velocities at the start to be along the axes of the world",
            "This body starts with a velocity, which PhysX takes to be along the axes of the "
            "world, not along those of the body.",
            "Apply the rotation of the body.",
        ),
        Difference(
            "physx-kinematic-velocity",
            "leaves kinematic bodies with a velocity where they are",
            "This kinematic body has a velocity; it stands still in PhysX.",
            "Animate the body instead.",
        ),
        Difference(
            "physx-tapered",
            "does not read shapes with two radii",
            "{Objects} {names} {have} two radii, which PhysX does not read.",
            "Use a convex hull, or one radius.",
        ),
        Difference(
            "physx-combine",
            "takes another of two ways to combine materials: the last of average, minimum, "
            "multiply, maximum",
            "The materials of {names} and of what they touch ask for different ways to combine; "
            "PhysX takes the other one.",
            "Let all of them combine in the same way.",
        ),
        Difference(
            "physx-filter",
            "takes the systems that a filter meets for those that it does not meet",
            "The collision filter of {names} says what it meets, and in PhysX just that passes.",
            "Let it say what it does not meet.",
        ),
        Difference(
            "physx-fast",
            "lets nothing turn faster than 100 rad/s",
            "{what} faster than PhysX lets anything turn, {most:g} rad/s.",
            "Make it slower.",
        ),
        Difference(
            "physx-far-spring",
            "weakens springs about an axis that are far from their target",
            "The spring {way} is turned far from its target, where PhysX's pulls less: by 4 % at "
            "57\N{DEGREE SIGN}, by 10 % at 90\N{DEGREE SIGN}.",
            "Keep it near to its target, or make it stiffer.",
        ),
        Difference(
            "physx-tumbling",
            "follows what wobbles as it spins in rough steps",
            "{Bodies} {names} turn{s} about more than one axis; PhysX follows what tumbles some "
            "degrees a second late.",
            "Let PhysX take more steps, or make the inertia alike about all axes.",
            severity=Severity.HINT,
        ),
        Difference(
            "physx-stops",
            "gives back a few hundredths of the speed at limits",
            "At the limits of {names} PhysX gives back a few hundredths of the speed, and play "
            "does not.",
            "Let the bodies reach their limits slowly, for instance with a damped drive.",
            severity=Severity.HINT,
        ),
        Difference(
            "physx-keyed",
            "takes settings as they are without animation",
            "Settings of {names} are animated, and stay as they are there.",
            "Set the targets of the drives in the program, step by step.",
        ),
    ),
    dialects=frozenset(),
)
