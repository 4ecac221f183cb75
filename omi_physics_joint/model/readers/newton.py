# SPDX-License-Identifier: GPL-3.0-or-later
"""What Newton does otherwise with a stage of USD, moved by its MuJoCo solver."""

from __future__ import annotations

from .profile import Difference, Known, Profile

NEWTON = Profile(
    "Newton",
    "Newton with its MuJoCo solver, which loads stages of USD",
    "Newton 1.8.0, `python -m benchmarks.newton.stages`",
    (
        Difference(
            "newton-stops",
            "makes springs of rigid limits: bodies go some degrees beyond and bounce back",
            "Set joint_limit_ke to 1e6 and joint_limit_kd to 2e3 in Newton's model builder.",
        ),
        Difference(
            "newton-soft-limit",
            "takes stiffness and damping of soft limits in units of its own",
            "Make it rigid, or let a drive pull back instead.",
        ),
        Difference(
            "newton-cone",
            "leaves out the cone of a ball joint whose twist is free",
            "Bound the twist too, or lock it, so that each axis gets bounds of its own.",
        ),
        Difference(
            "newton-rope",
            "refuses joints that bound nothing but the distance from a point",
            "Let a drive on each axis pull back instead.",
        ),
        Difference(
            "newton-several-turns",
            "turns about several axes one after the other",
            "Keep their ranges small, or make it of hinges with a small body between them.",
        ),
        Difference(
            "newton-beyond-bounds",
            "aims drives with a target beyond the bounds at the middle between them",
            "Put the target within the bounds.",
        ),
        Difference(
            "newton-position-and-velocity",
            "drops the speed of a spring",
            "Keep only one of the two targets.",
        ),
        Difference(
            "newton-acceleration", "takes drives by acceleration for forces", "Use the force mode."
        ),
        Difference(
            "newton-no-force",
            "refuses drives with a largest force of zero",
            "Remove the drive, or give it a small force.",
        ),
        Difference(
            "newton-start",
            "starts bodies with what their joints leave of their velocities, each by itself",
            "Give bodies velocities that their joints allow.",
        ),
        Difference(
            "newton-loop",
            "holds loops loosely, and by hinges, balls and welds alone",
            "Expect bodies to come apart there, or leave the loop open.",
        ),
        Difference(
            "newton-breaking", "has no joints that break", "Expect the joint to hold.", Known.READ
        ),
        Difference(
            "newton-keyed",
            "takes settings as they are without animation",
            "Set the targets in Newton's control, step by step.",
            Known.READ,
        ),
    ),
    dialects=frozenset(),
)
