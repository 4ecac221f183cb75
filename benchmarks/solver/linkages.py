# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed loops with one degree of freedom: a planar four-bar and a spatial one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .rotations import from_x_to
from .scene import WORLD, Array, Joint, Kind, Scene, point

THICK = 0.02


@dataclass(frozen=True, slots=True)
class Loop:
    """Crank, coupler and rocker between two fixed axes.

    The crank turns about ``crank_axis`` through ``crank_foot``, the rocker likewise; ``crank_tip``
    and ``rocker_tip`` are the ends of the coupler in the rest pose.
    """

    crank_foot: Array
    crank_axis: Array
    crank_tip: Array
    rocker_foot: Array
    rocker_axis: Array
    rocker_tip: Array
    masses: tuple[float, float, float] = (1.0, 1.0, 1.0)


Z = np.array([0.0, 0.0, 1.0])


def planar_loop() -> Loop:
    """Return a crank of 0.2, a coupler of 0.45, a rocker of 0.35 on a ground of 0.5 m.

    By Grashof's rule the crank turns all the way round, so no pose is singular.
    """
    ground, crank, coupler, rocker = 0.5, 0.2, 0.45, 0.35
    tip = crank * np.array([np.cos(1.0), np.sin(1.0), 0.0])
    foot = np.array([ground, 0.0, 0.0])
    reach = foot - tip
    distance = np.linalg.norm(reach)
    along = (coupler**2 - rocker**2 + distance**2) / (2.0 * distance)
    aside = np.sqrt(coupler**2 - along**2)
    unit = reach / distance
    rocker_tip = tip + along * unit + aside * np.array([-unit[1], unit[0], 0.0])
    return Loop(np.zeros(3), Z, tip, foot, Z, rocker_tip)


def skew_loop() -> Loop:
    """Return a loop whose two axes are skew, with a coupler between two ball joints.

    Its crank turns all the way round too: in each of its poses the rocker can be reached with
    8 cm to spare.
    """
    crank_tip = 0.2 * np.array([np.cos(0.9), np.sin(0.9), 0.0])
    rocker_foot = np.array([0.5, 0.0, 0.25])
    rocker_axis = np.array([0.0, 0.6, 0.8])
    rocker_tip = rocker_foot + np.array([0.13, 0.3, -0.225])
    return Loop(np.zeros(3), Z, crank_tip, rocker_foot, rocker_axis, rocker_tip)


def four_bar() -> Scene:
    """Return the planar loop on four hinges: three constraints more than it needs."""
    return _scene(planar_loop(), Kind.HINGE, "four_bar", "four-bar")


def spatial_loop() -> Scene:
    """Return the skew loop on two hinges and two ball joints."""
    return _scene(skew_loop(), Kind.BALL, "spatial_loop", "spatial loop (hinge-ball-ball-hinge)")


def _scene(loop: Loop, ends: Kind, name: str, title: str) -> Scene:
    starts = np.array([loop.crank_foot, loop.crank_tip, loop.rocker_foot])
    stops = np.array([loop.crank_tip, loop.rocker_tip, loop.rocker_tip])
    lengths = np.linalg.norm(stops - starts, axis=1)
    joints = (
        Joint(Kind.HINGE, WORLD, 0, point(loop.crank_foot), point(loop.crank_axis)),
        Joint(ends, 0, 1, point(loop.crank_tip), point(loop.crank_axis)),
        Joint(Kind.HINGE, WORLD, 2, point(loop.rocker_foot), point(loop.rocker_axis)),
        Joint(ends, 2, 1, point(loop.rocker_tip), point(loop.rocker_axis), closes_loop=True),
    )
    return Scene(
        name,
        title,
        (starts + stops) / 2.0,
        from_x_to((stops - starts) / lengths[:, None]),
        np.array(loop.masses),
        np.stack([lengths, np.full(3, THICK), np.full(3, THICK)], -1),
        joints,
        0.5,
    )
