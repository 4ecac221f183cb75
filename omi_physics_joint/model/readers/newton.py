# SPDX-License-Identifier: GPL-3.0-or-later
"""What Newton does otherwise with a stage of USD, moved by its MuJoCo solver."""

from ..issue import Severity
from .profile import AS_FORCE, KEYED, LED, TAPERED, Difference, Known, Profile, unproven

NEWTON = Profile(
    "Newton",
    "Newton with its MuJoCo solver, which loads stages of USD",
    "Newton 1.8.0, `python -m benchmarks.newton.stages`",
    (
        Difference(
            "newton-stops",
            "The limits of {names} are not alike in how soft they are; Newton makes springs of its "
            "own of them: at rigid ones bodies go some degrees or centimeters beyond.",
            "Make all limits of a joint rigid, or all soft alike.",
            severity=Severity.HINT,
        ),
        Difference(
            "newton-soft-limit",
            "Newton lets this soft limit give way by another amount, unless the program registers "
            "MuJoCo's attributes before it adds the stage.",
            "Call SolverMuJoCo.register_custom_attributes(builder) before add_usd.",
            severity=Severity.HINT,
        ),
        Difference(
            "newton-cone",
            "Newton does not read the cone of a ball joint: the body leans as far as it gets.",
            "Bound the twist too, or lock it, so that each axis gets bounds of its own.",
        ),
        Difference(
            "newton-rope",
            "Newton's MuJoCo solver refuses a joint that bounds only the distance from a point, "
            "and with it the whole stage.",
            "Let a drive on each axis pull back instead.",
        ),
        Difference(
            "newton-several-turns",
            "Newton turns this joint about {count} axes one after the other, so its angles are "
            "others where several are far from zero.",
            "Keep their ranges small, or make it of hinges with a small body between them.",
        ),
        Difference(
            "newton-beyond-bounds",
            "The drive {way} aims beyond its bounds; Newton aims it at the middle of them.",
            "Put the target within the bounds.",
        ),
        Difference(
            "newton-position-and-velocity",
            "The drive {way} has a position and a velocity as its target; Newton takes the "
            "position alone.",
            "Keep only one of the two targets.",
        ),
        AS_FORCE.of("newton-acceleration", "Newton"),
        Difference(
            "newton-no-force",
            "The drive {way} may apply no force; Newton's MuJoCo solver refuses it, and with it "
            "the whole stage.",
            "Remove the drive, or give it a small force.",
        ),
        Difference(
            "newton-start",
            "The bodies start with velocities that this joint does not allow; Newton keeps "
            "another part of them.",
            "Give bodies velocities that their joints allow.",
        ),
        Difference(
            "newton-rest",
            "At rest this joint is not where its values are zero; Newton counts from there, since "
            "it alone holds its body to what stands still.",
            "Put the joint to rest where its values are zero.",
        ),
        Difference(
            "newton-mirrored",
            "A negative scale mirrors this, and Newton turns it instead or refuses the stage.",
            "Apply the scale.",
        ),
        TAPERED.of("newton-tapered", "Newton"),
        LED.of("newton-kinematic-velocity", "Newton"),
        Difference(
            "newton-stiff-motor",
            "The motor {way} is so stiff that Newton does not keep its speed.",
            "Give it less damping.",
        ),
        Difference(
            "newton-loop",
            "Newton's MuJoCo solver does not hold the loop at {names} tight.",
            "Expect bodies to come apart there, or leave the loop open.",
        ),
        unproven(
            "newton-breaking",
            "Nothing breaks {names} in Newton.",
            "Expect the joint to hold.",
        ),
        KEYED.of("newton-keyed", "Newton", known=Known.READ),
    ),
    dialects=frozenset(),
)
