# SPDX-License-Identifier: GPL-3.0-or-later
"""What PhysX does otherwise with a stage of USD."""

from ..issue import Severity
from .profile import (
    BY_BODY_ALONE,
    FAR_SPRING,
    FAST,
    KEYED,
    LED,
    STOPS,
    TAPERED,
    Difference,
    Profile,
)

PHYSX = Profile(
    "PhysX",
    "PhysX, with which Omniverse and Isaac move stages of USD",
    "PhysX of ovphysx 0.7.0 on the processor, `make bench-physx`",
    (
        Difference(
            "physx-several-turns",
            "This joint turns about {count} axes, which PhysX measures and holds otherwise: as a "
            "twist about X and a swing.",
            "Turn both frames so that the locked axis is X, or make it of hinges with a small "
            "body between them.",
        ),
        Difference(
            "physx-one-bound",
            "There is one bound {way}, which PhysX does not hold.",
            "Give it both, the missing one farther than it ever gets.",
        ),
        Difference(
            "physx-full-turn",
            "The limits {way} go beyond half a turn, and PhysX stops at half a turn.",
            "Keep it within 180\N{DEGREE SIGN} both ways, or leave it free.",
        ),
        Difference(
            "physx-rope",
            "PhysX holds a distance from a point only when it is off by 25 mm.",
            "Make it 25 mm shorter, or expect it to be longer.",
        ),
        BY_BODY_ALONE.of("physx-acceleration", "PhysX"),
        Difference(
            "physx-velocity",
            "This body starts with a velocity, which PhysX takes to be along the axes of the "
            "world, not along those of the body.",
            "Apply the rotation of the body.",
        ),
        LED.of("physx-kinematic-velocity", "PhysX"),
        TAPERED.of("physx-tapered", "PhysX"),
        Difference(
            "physx-combine",
            "The materials of {names} and of what they touch ask for different ways to combine; "
            "PhysX takes the other one.",
            "Let all of them combine in the same way.",
        ),
        Difference(
            "physx-filter",
            "The collision filter of {names} says what it meets, and in PhysX just that passes.",
            "Let it say what it does not meet.",
        ),
        FAST.of("physx-fast", "PhysX"),
        FAR_SPRING.of("physx-far-spring", "PhysX"),
        Difference(
            "physx-tumbling",
            "{Bodies} {names} turn{s} about more than one axis; PhysX follows what tumbles some "
            "degrees a second late.",
            "Let PhysX take more steps, or make the inertia alike about all axes.",
            severity=Severity.HINT,
        ),
        STOPS.of("physx-stops", "PhysX", "a few hundredths"),
        KEYED.of("physx-keyed", "PhysX"),
    ),
    dialects=frozenset(),
)
