# SPDX-License-Identifier: GPL-3.0-or-later
"""What Unity does otherwise, with the one package that has a handler for OMI_physics_joint."""

from .profile import AS_FORCE, Known, Profile, unproven

UNITY = Profile(
    "Unity",
    "Unity with the package omi-gltf-unity, which has handlers of OMI's extensions",
    "source of Five-Squared-Interactive/omi-gltf-unity 0.1.0 at e8c62f6",
    (
        unproven(
            "unity-no-joints",
            "In Unity {names} will hold no body: its package looks for bodies at the nodes of a "
            "joint, and they are above them.",
            "Move each ConfigurableJoint to the body above its node, and set its Connected Body.",
        ),
        unproven(
            "unity-even-bounds",
            "The bounds {ways} are not the same both ways; Unity takes the farther one for both.",
            "Put the zero of the joint into the middle of its range, or turn the frames so that it "
            "turns about glTF's X.",
        ),
        unproven(
            "unity-one-reach",
            "This joint slides along several axes, each as far as it says; Unity has one reach "
            "for all.",
            "Give them the same range.",
        ),
        unproven(
            "unity-one-drive",
            "There are drives {ways}; Unity takes the strength of the last for both.",
            "Keep one of the two, or turn the frames so that one is about glTF's X.",
        ),
        AS_FORCE.of("unity-acceleration", "Unity", known=Known.READ),
        unproven(
            "unity-gravity-factor",
            "This body has a gravity of its own, which Unity does not read from the file.",
            "Give the body a script that pulls it.",
        ),
        unproven(
            "unity-filter",
            "{Objects} {names}: Unity does not read collision filters.",
            "Set layers in Unity.",
        ),
        unproven(
            "unity-round",
            "{Objects} {names}: the shape is a capsule of one radius in Unity.",
            "Use a convex hull.",
        ),
    ),
    frozenset(("omi",)),
)
