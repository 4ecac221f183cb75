# SPDX-License-Identifier: GPL-3.0-or-later
"""Spatial loops of hinges that move although counting says that they cannot."""

from __future__ import annotations

import numpy as np

from .assembly import EYE, GROUND, HINGE, Array, Assembly, Spring, about, turned

X, Y, Z = EYE


def bennett() -> Assembly:
    """Return Bennett's loop: links of 0.6 and 0.9 m whose twists have sines in that ratio.

    The link of 0.6 m stands; the loop falls from where its first angle is 1 rad.
    """
    short, long = 0.6, 0.9
    small = 0.7
    large = np.pi - np.arcsin(long / short * np.sin(small))
    first = 1.0
    ratio = np.sin((large + small) / 2.0) / np.sin((large - small) / 2.0)
    second = 2.0 * np.arctan(ratio / np.tan(first / 2.0))
    turn, place = EYE, np.zeros(3)
    axes, corners = [], []
    links = ((short, small), (long, large), (short, small), (long, large))
    for (length, twist), angle in zip(links, (0.0, second, -first, -second), strict=True):
        turn = turn @ turned(Z, angle)
        axes.append(turn[:, 2])
        corners.append(place)
        place = place + length * turn[:, 0]
        turn = turn @ turned(X, twist)
    # The last angle closes the loop up to the first axis.
    if np.abs(place).max() > 1e-12 or np.abs(turn[:, 2] - axes[0]).max() > 1e-12:
        message = "Bennett's loop does not close"
        raise ValueError(message)
    made = Assembly()
    made.rod(corners[1], corners[2])
    made.rod(corners[2], corners[3])
    made.rod(corners[3], corners[0])
    made.joint(GROUND, 0, corners[1], HINGE, about(axes[1]))
    made.joint(0, 1, corners[2], HINGE, about(axes[2]))
    made.joint(1, 2, corners[3], HINGE, about(axes[3]))
    made.joint(2, GROUND, corners[0], HINGE, about(axes[0]))
    return made


def sarrus() -> Assembly:
    """Return a platform on two folding legs across each other, that goes straight up and down.

    Springs in both feet make it swing.
    """
    made, length, lean = Assembly(), 0.5, np.radians(50.0)
    rise = 2.0 * length * np.sin(lean)
    platform = made.body(3.0, (0.05, 0.09, 0.05), (0.0, rise, 0.0), mark=(0.2, 0.0, 0.1))
    for outward, axis in ((X, Z), (Z, -X)):
        foot = 0.3 * outward
        knee = foot + length * (np.cos(lean) * outward + np.sin(lean) * Y)
        low, high = made.rod(foot, knee), made.rod(knee, foot + rise * Y)
        spring = Spring(5, 40.0, target=0.2)
        made.joint(GROUND, low, foot, HINGE, about(axis), (spring,))
        made.joint(low, high, knee, HINGE, about(axis))
        made.joint(high, platform, foot + rise * Y, HINGE, about(axis))
    return made


def bricard() -> Assembly:
    """Return the IFToMM benchmark: five rods of 1 m and the ground on hinges, edges of a cube."""
    made = Assembly()
    corners = np.array(
        [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, -1.0, 0.0],
            [1.0, -1.0, 1.0],
            [0.0, -1.0, 1.0],
            [0.0, 0.0, 1.0],
        ]
    )
    axes = _bricard_axes(corners)
    for i in range(5):
        made.rod(corners[i], corners[i + 1], thick=0.1)
    made.joint(GROUND, 0, corners[0], HINGE, about(axes[0]))
    for i in range(4):
        made.joint(i, i + 1, corners[i + 1], HINGE, about(axes[i + 1]))
    made.joint(4, GROUND, corners[5], HINGE, about(axes[5]))
    return made


def _bricard_axes(corners: Array) -> Array:
    """Return the axes of the hinges: each across both links that meet there."""
    before, after = corners - np.roll(corners, 1, 0), np.roll(corners, -1, 0) - corners
    axes = np.cross(before, after)
    return axes / np.linalg.norm(axes, axis=1)[:, None]
