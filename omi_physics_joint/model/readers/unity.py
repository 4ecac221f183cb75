# SPDX-License-Identifier: GPL-3.0-or-later
"""What Unity does otherwise, with the one package that has a handler for OMI_physics_joint."""

from __future__ import annotations

from .profile import Difference, Known, Profile

UNITY = Profile(
    "Unity",
    "Unity with the package omi-gltf-unity, which has handlers of OMI's extensions",
    "source of Five-Squared-Interactive/omi-gltf-unity 0.1.0 at e8c62f6",
    (
        Difference(
            "unity-no-joints",
            "looks for bodies at the nodes of a joint, not above them: joints hold nothing",
            "Move each ConfigurableJoint to the body above its node, and set its Connected Body.",
            Known.READ,
        ),
        Difference(
            "unity-even-bounds",
            "bounds both ways alike, but for the angle about X",
            "Put the zero of the joint into the middle of its range, or turn the frames so that it "
            "turns about glTF's X.",
            Known.READ,
        ),
        Difference(
            "unity-one-reach",
            "has one reach for all ways that slide",
            "Give them the same range.",
            Known.READ,
        ),
        Difference(
            "unity-one-drive",
            "has one drive for the angles about Y and Z, the last one",
            "Keep one of the two, or turn the frames so that one is about glTF's X.",
            Known.READ,
        ),
        Difference(
            "unity-acceleration",
            "takes drives by acceleration for forces",
            "Use the force mode if the joint is for Unity.",
            Known.READ,
        ),
        Difference(
            "unity-gravity-factor",
            "ignores the gravity factor of bodies",
            "Give the body a script that pulls it.",
            Known.READ,
        ),
        Difference("unity-filter", "ignores collision filters", "Set layers in Unity.", Known.READ),
        Difference(
            "unity-round",
            "makes a capsule of a cylinder, and takes the mean of two radii",
            "Use a convex hull.",
            Known.READ,
        ),
    ),
    frozenset(("omi",)),
)
