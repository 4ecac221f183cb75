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
        BY_BODY_ALONE.of("physx-acceleration", "PhysX"),
        Difference(
            "physx-velocity",
            "takes velocities at the start to be along the axes of the world",
            "This body starts with a velocity, which PhysX takes to be along the axes of the "
            "world, not along those of the body.",
            "Apply the rotation of the body.",
        ),
        LED.of("physx-kinematic-velocity", "PhysX"),
        TAPERED.of("physx-tapered", "PhysX"),
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
        FAST.of("physx-fast", "PhysX", "100"),
        FAR_SPRING.of("physx-far-spring", "PhysX"),
        Difference(
            "physx-tumbling",
            "follows what wobbles as it spins in rough steps",
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
