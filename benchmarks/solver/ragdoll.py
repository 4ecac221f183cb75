# SPDX-License-Identifier: GPL-3.0-or-later
"""A figure of 20 boxes that hangs by its head, leaning and limbs spread, and is let go."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from math import inf

import numpy as np

from .rotations import about, from_x_to, product, turned
from .scene import WORLD, Joint, Kind, Point, Scene, point

# Name, parent, start and end of the bone in m, thickness in m, mass in kg, kind of the joint at its
# start, axis and bounds of a hinge in rad. The figure stands in the XY plane, its left is +X.
Bone = tuple[str, str, Point, Point, float, float, Kind, Point, float, float]
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
LEANING = about(np.array([2.0, 0.0, 1.0]) / 5.0**0.5, np.array(0.6))
SPINE: tuple[Bone, ...] = (
    ("head", "", (0.0, 1.8, 0.0), (0.0, 1.6, 0.0), 0.16, 4.5, Kind.BALL, Z, -inf, inf),
    ("neck", "head", (0.0, 1.6, 0.0), (0.0, 1.5, 0.0), 0.1, 1.0, Kind.BALL, Z, -inf, inf),
    ("chest", "neck", (0.0, 1.5, 0.0), (0.0, 1.25, 0.0), 0.25, 12.0, Kind.BALL, Z, -inf, inf),
    ("abdomen", "chest", (0.0, 1.25, 0.0), (0.0, 1.1, 0.0), 0.22, 8.0, Kind.HINGE, X, -0.3, 0.5),
    ("lumbar", "abdomen", (0.0, 1.1, 0.0), (0.0, 1.0, 0.0), 0.2, 5.0, Kind.HINGE, X, -0.3, 0.5),
    ("pelvis", "lumbar", (0.0, 1.0, 0.0), (0.0, 0.85, 0.0), 0.24, 9.0, Kind.HINGE, Z, -0.3, 0.3),
)
LEFT: tuple[Bone, ...] = (
    ("clavicle", "chest", (0.03, 1.48, 0.0), (0.2, 1.48, 0.0), 0.06, 1.0, Kind.HINGE, Z, -0.2, 0.3),
    ("arm", "clavicle", (0.2, 1.48, 0.0), (0.5, 1.5, 0.02), 0.08, 2.2, Kind.BALL, Z, -inf, inf),
    ("forearm", "arm", (0.5, 1.5, 0.02), (0.75, 1.5, 0.1), 0.06, 1.4, Kind.HINGE, Y, -2.3, 0.1),
    ("hand", "forearm", (0.75, 1.5, 0.1), (0.93, 1.5, 0.12), 0.05, 0.5, Kind.HINGE, Z, -1.2, 1.2),
    ("thigh", "pelvis", (0.1, 0.85, 0.0), (0.3, 0.5, 0.15), 0.12, 8.0, Kind.BALL, Z, -inf, inf),
    ("shin", "thigh", (0.3, 0.5, 0.15), (0.35, 0.12, 0.0), 0.09, 3.8, Kind.HINGE, X, -0.1, 2.2),
    ("foot", "shin", (0.35, 0.12, 0.0), (0.35, 0.05, 0.2), 0.07, 1.0, Kind.HINGE, X, -0.6, 0.6),
)


SPARED = frozenset({"neck", "abdomen", "lumbar", "left clavicle", "right clavicle"})
"""Bones without which it is a figure of 15."""


def ragdoll(*, limited: bool, spared: Collection[str] = ()) -> Scene:
    """Return the figure, with or without some bones; its hinges are bounded if limited is set."""
    every = [*SPINE, *(_named(bone, "left") for bone in LEFT), *(_mirrored(b) for b in LEFT)]
    above = {bone[0]: bone[1] for bone in every}
    bones = [(b[0], _kept(b[1], above, spared), *b[2:]) for b in every if b[0] not in spared]
    index = {bone[0]: i for i, bone in enumerate(bones)}
    starts = turned(LEANING, np.array([bone[2] for bone in bones]))
    stops = turned(LEANING, np.array([bone[3] for bone in bones]))
    axes = turned(LEANING, np.array([bone[7] for bone in bones]))
    lengths = np.linalg.norm(stops - starts, axis=1)
    joints = tuple(
        Joint(
            kind, index.get(parent, WORLD), i, point(starts[i]), point(axes[i]),
            low if limited else -inf, high if limited else inf,
        )
        for i, (_, parent, _, _, _, _, kind, _, low, high) in enumerate(bones)
    )  # fmt: skip
    thick = np.array([bone[4] for bone in bones])
    return Scene(
        "ragdoll_limits" if limited else "ragdoll",
        f"ragdoll of {len(bones)} bodies with{'' if limited else 'out'} limits",
        (starts + stops) / 2.0,
        from_x_to((stops - starts) / lengths[:, None]),
        np.array([bone[5] for bone in bones]),
        np.stack([lengths, thick, 0.8 * thick], -1),
        joints,
        1.8,
    )


def any_way_up(seed: int, spared: Collection[str] = ()) -> Scene:
    """Return the figure with bounds, turned by chance about the origin."""
    scene, by = ragdoll(limited=True, spared=spared), np.random.default_rng(seed).normal(size=4)
    q = by / np.linalg.norm(by)
    joints = tuple(
        replace(
            joint,
            anchor=point(turned(q, np.array(joint.anchor))),
            axis=point(turned(q, np.array(joint.axis))),
        )
        for joint in scene.joints
    )
    return replace(
        scene,
        positions=turned(q, scene.positions),
        rotations=product(np.broadcast_to(q, scene.rotations.shape), scene.rotations),
        joints=joints,
    )


def _kept(name: str, above: Mapping[str, str], spared: Collection[str]) -> str:
    """Return a bone, or the nearest one above it that is not spared."""
    while name in spared:
        name = above[name]
    return name


def _named(bone: Bone, side: str) -> Bone:
    sided = {b[0] for b in LEFT}
    parent = f"{side} {bone[1]}" if bone[1] in sided else bone[1]
    return (f"{side} {bone[0]}", parent, *bone[2:])


def _mirrored(bone: Bone) -> Bone:
    """Return the bone on the right; turns about Y and Z run the other way there."""
    name, parent, start, end, thick, mass, kind, axis, low, high = _named(bone, "right")
    if axis != X:
        low, high = -high, -low
    start, end = (-start[0], *start[1:]), (-end[0], *end[1:])
    return (name, parent, start, end, thick, mass, kind, axis, low, high)
