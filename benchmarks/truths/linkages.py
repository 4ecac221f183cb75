# SPDX-License-Identifier: GPL-3.0-or-later
"""Planar loops on hinges about Z: as axes are parallel, three rows in each loop say nothing new."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .assembly import EYE, GROUND, HINGE, SLIDER, Array, Assembly, Spring, about
from .taylor import Taylor, cos, rotation, sin

STOP = 1.2
"""m from the axis of the crank at which the soft stop begins."""


def four_bars(windows: int) -> Assembly:
    """Return the IFToMM benchmark: windows of 1 m side by side, that pass where they lie flat.

    All their upper ends start with 1 m/s.
    """
    made = Assembly()
    for i in range(windows + 1):
        made.rod((i, 0.0, 0.0), (i, 1.0, 0.0), spin=(0.0, 0.0, -1.0))
    for i in range(windows):
        made.rod((i, 1.0, 0.0), (i + 1.0, 1.0, 0.0), velocity=(1.0, 0.0, 0.0))
    for i in range(windows + 1):
        made.joint(GROUND, i, (i, 0.0, 0.0), HINGE)
    for i in range(windows):
        made.joint(i, windows + 1 + i, (i, 1.0, 0.0), HINGE)
        made.joint(windows + 1 + i, i + 1, (i + 1.0, 1.0, 0.0), HINGE)
    return made


def cranks(count: int = 3) -> Assembly:
    """Return parallel cranks of 0.3 m on one rod, as of a locomotive, at 10 rad/s."""
    made = Assembly()
    for i in range(count):
        made.rod((i, 0.0, 0.0), (i, 0.3, 0.0), spin=(0.0, 0.0, -10.0))
    rod = made.rod((0.0, 0.3, 0.0), (count - 1.0, 0.3, 0.0), 3.0, velocity=(3.0, 0.0, 0.0))
    for i in range(count):
        made.joint(GROUND, i, (i, 0.0, 0.0), HINGE)
    for i in range(count):
        made.joint(i, rod, (i, 0.3, 0.0), HINGE)
    return made


class Parallel:
    """One angle for all: cranks turn by it, what they carry does not turn."""

    size = 1

    def __init__(self, assembly: Assembly, cranks: int) -> None:
        self.assembly, self.cranks = assembly, cranks

    def start(self) -> Array:
        """Return no turn."""
        return np.zeros(1)

    def rates(self, values: Array, speeds: Array) -> Array:
        """Return the speed."""
        del values
        return speeds

    def poses(self, values: Array, directions: Array) -> tuple[list[Taylor], list[Taylor]]:
        """Return where cranks and couplers are."""
        angle = Taylor(values, directions[:, 0], np.zeros(len(directions)))
        turn = rotation(2, cos(angle), sin(angle))
        bodies = self.assembly.bodies
        arm = 2.0 * (bodies[0].place - self.assembly.joints[0].place)
        places, turns = [], []
        for number, body in enumerate(bodies):
            if number < self.cranks:
                foot = self.assembly.joints[number].place
                places.append(_moved(foot, turn, body.place - foot))
                turns.append(Taylor(turn.value @ body.turn, *_both(turn, body.turn)))
            else:
                places.append(_moved(body.place - arm, turn, arm))
                turns.append(Taylor.still(body.turn))
        return places, turns


def _both(turn: Taylor, own: Array) -> tuple[Array, Array]:
    return turn.first @ own, turn.second @ own


def _moved(origin: Array, turn: Taylor, arm: Array) -> Taylor:
    still = Taylor.still(origin)
    return still + Taylor(turn.value @ arm, *_both(turn, arm))


def crank_rocker() -> Assembly:
    """Return a crank of 0.3, a coupler of 0.9, a rocker of 0.7 on a ground of 1 m, at 10 rad/s."""
    made, tip, foot = Assembly(), np.array([0.0, 0.3, 0.0]), np.array([1.0, 0.0, 0.0])
    end = meeting(tip, foot, 0.9, 0.7)
    spins = loop_spins(tip, end, foot, 10.0)
    made.rod((0.0, 0.0, 0.0), tip, spin=(0.0, 0.0, 10.0))
    speed = np.cross([0.0, 0.0, 10.0], tip)
    made.rod(tip, end, velocity=speed, spin=(0.0, 0.0, spins[0]))
    made.rod(foot, end, spin=(0.0, 0.0, spins[1]))
    made.joint(GROUND, 0, (0.0, 0.0, 0.0), HINGE)
    made.joint(0, 1, tip, HINGE)
    made.joint(GROUND, 2, foot, HINGE)
    made.joint(1, 2, end, HINGE)
    return made


def hoeken() -> Assembly:
    """Return Hoeken's linkage: a crank of 0.2 m at 6 rad/s, whose coupler's end keeps to a line."""
    made, tip, foot = Assembly(), np.array([0.0, 0.2, 0.0]), np.array([0.4, 0.0, 0.0])
    end = meeting(tip, foot, 0.5, 0.5)
    spins = loop_spins(tip, end, foot, 6.0)
    speed = np.cross([0.0, 0.0, 6.0], tip)
    made.rod((0.0, 0.0, 0.0), tip, spin=(0.0, 0.0, 6.0))
    made.rod(tip, tip + 2.0 * (end - tip), velocity=speed, spin=(0.0, 0.0, spins[0]))
    made.rod(foot, end, spin=(0.0, 0.0, spins[1]))
    made.joint(GROUND, 0, (0.0, 0.0, 0.0), HINGE)
    made.joint(0, 1, tip, HINGE)
    made.joint(GROUND, 2, foot, HINGE)
    made.joint(1, 2, end, HINGE)
    return made


def lid(*held_by: tuple[int, ...]) -> Assembly:
    """Return a lid of 20 kg and 0.9 m that turns at 2 rad/s about X, on joints in a line."""
    made = Assembly(gravity=np.zeros(3))
    spin, middle = np.array([2.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.45])
    velocity = np.cross(spin, middle)
    made.body(20.0, (1.35, 2.7, 1.35), middle, velocity=velocity, spin=spin, mark=middle)
    frame = about((1.0, 0.0, 0.0))
    for place, locked in zip(np.linspace(-0.4, 0.4, len(held_by)), held_by, strict=True):
        made.joint(GROUND, 0, (place, 0.0, 0.0), locked, frame)
    return made


def slider_crank(stop: float = 0.0) -> Assembly:
    """Return a crank of 0.3 m at 20 rad/s, a rod of 1 m and a block of 1 kg along X.

    With a stiffness in N/m the block meets a soft stop at ``STOP``.
    """
    made, tip = Assembly(), np.array([0.0, 0.3, 0.0])
    block = np.array([np.sqrt(1.0 - 0.09), 0.0, 0.0])
    velocity = np.cross([0.0, 0.0, -20.0], tip)
    # The rod's end keeps to the X axis: its velocity along Y is zero already.
    made.rod((0.0, 0.0, 0.0), tip, spin=(0.0, 0.0, -20.0))
    made.rod(tip, block, velocity=velocity)
    made.body(1.0, (0.01, 0.01, 0.01), block, velocity=velocity)
    made.joint(GROUND, 0, (0.0, 0.0, 0.0), HINGE)
    made.joint(0, 1, tip, HINGE)
    made.joint(1, 2, block, HINGE)
    springs = (Spring(2, stop, high=STOP - float(block[0])),) if stop else ()
    made.joint(GROUND, 2, block, SLIDER, about((1.0, 0.0, 0.0)), springs)
    return made


def peaucellier() -> Assembly:
    """Return Peaucellier's cell, which hangs and swings: its last corner keeps to a straight line.

    The crank of 0.35 m turns about (0, -0.35), the long arms of 0.9 m about the origin.
    """
    made, pivot = Assembly(), np.array([0.0, -0.35, 0.0])
    near = pivot + 0.35 * np.array([np.sin(0.9), -np.cos(0.9), 0.0])
    far = near * (0.9**2 - 0.4**2) / (near @ near)
    one, two = meeting(near, far, 0.4, 0.4), meeting(far, near, 0.4, 0.4)
    origin = np.zeros(3)
    lines = [(pivot, near), (origin, one), (origin, two)]
    lines += [(near, one), (near, two), (one, far), (two, far)]
    for start, end in lines:
        made.rod(start, end)
    made.joint(GROUND, 0, pivot, HINGE)
    made.joint(GROUND, 1, origin, HINGE)
    made.joint(GROUND, 2, origin, HINGE)
    made.joint(0, 3, near, HINGE)
    made.joint(0, 4, near, HINGE)
    made.joint(1, 5, one, HINGE)
    made.joint(2, 6, two, HINGE)
    made.joint(3, 1, one, HINGE)
    made.joint(4, 2, two, HINGE)
    made.joint(5, 6, far, HINGE)
    return made


def meeting(p: ArrayLike, q: ArrayLike, from_p: float, from_q: float) -> Array:
    """Return the point at two distances from two points of the XY plane, to the left of p to q."""
    p, q = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    distance = float(np.linalg.norm(q - p))
    ahead = (from_p**2 - from_q**2 + distance**2) / (2.0 * distance)
    aside = np.sqrt(from_p**2 - ahead**2)
    e = (q - p) / distance
    return np.asarray(p + ahead * e + aside * np.cross(EYE[2], e))


def loop_spins(tip: Array, end: Array, foot: Array, spin: float) -> Array:
    """Return the spins of coupler and rocker about Z from that of a crank at the origin."""
    z = EYE[2]
    matrix = np.stack([np.cross(z, end - tip)[:2], -np.cross(z, end - foot)[:2]], 1)
    return np.linalg.solve(matrix, -spin * np.cross(z, tip)[:2])
