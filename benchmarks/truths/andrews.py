# SPDX-License-Identifier: GPL-3.0-or-later
"""Andrews' squeezer (Schiehlen 1990; Hairer and Wanner, Solving ODEs II, VII.7), in the XY plane.

Seven bodies, driven by 0.033 N m, no gravity. Its spring between two points is aimed by a guide of
almost no inertia about the fixed one.
"""

from __future__ import annotations

import numpy as np

from .assembly import EYE, GROUND, HINGE, SLOT, Array, Assembly, Spring, along, turned

TORQUE, STIFFNESS, SPRING_LENGTH = 0.033, 4530.0, 0.07785
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
A, B, C = (
    np.array(p) for p in ((-0.06934, -0.00227, 0), (-0.03635, 0.03273, 0), (0.014, 0.072, 0))
)
RR, RA, D, DA, E, EA, ZF, FA = 0.007, 0.00092, 0.028, 0.0115, 0.02, 0.01421, 0.02, 0.01421
SS, SA, SB, SC, SD, ZT, TA, TB = 0.035, 0.01874, 0.01043, 0.018, 0.02, 0.04, 0.02308, 0.00916
U, UA, UB = 0.04, 0.01228, 0.00449
BETA, THETA, GAMMA, PHI = (-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885)
DELTA, OMEGA, EPSILON = 0.487364979543842550, -0.222668390165885885, 1.23054744454982120
GUIDE = 1e-4
"""kg of the guide of the spring."""
PUBLISHED = (
    15.81077119629904,
    -15.75637105984298,
    0.04082224013073101,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    1.048080741042263,
)
"""beta, theta, gamma, phi, delta, omega, epsilon after 0.03 s, rad."""


def andrews(guide: float = 1e-9) -> Assembly:
    """Return the squeezer; the guide of its spring has an inertia in kg m^2."""
    made = Assembly(gravity=np.zeros(3))
    origin = np.zeros(3)
    angles = (BETA, BETA + THETA, GAMMA, PHI + DELTA, DELTA, OMEGA + EPSILON, EPSILON)
    turns = [turned(EYE[2], angle) for angle in angles]

    def at(base: Array, body: int, x: float, y: float) -> Array:
        return np.asarray(base + turns[body] @ np.array([x, y, 0.0]))

    crank = at(origin, 0, RR, 0.0)
    meeting = at(crank, 1, -D, 0.0)
    spring_end = at(B, 2, SD, -SC)
    one, two = at(A, 4, ZT, 0.0), at(A, 6, 0.0, -U)
    centres = (
        at(origin, 0, RA, 0.0),
        at(crank, 1, -DA, 0.0),
        at(B, 2, SB, -SA),
        at(one, 3, 0.0, EA - E),
        at(A, 4, TA, TB),
        at(two, 5, ZF - FA, 0.0),
        at(A, 6, -UA, -UB),
    )
    ends = (crank, meeting, meeting, meeting, one, meeting, two)
    for i, (centre, end) in enumerate(zip(centres, ends, strict=True)):
        mark = turns[i].T @ (end - centre)
        made.body(MASSES[i], np.full(3, INERTIAS[i]), centre, turn=turns[i], mark=mark)
    aim = along(spring_end - C)
    length = float(np.linalg.norm(spring_end - C))
    made.body(GUIDE, np.full(3, guide), C, turn=aim, mark=(length, 0.0, 0.0))
    drive = (Spring(5, push=TORQUE),)
    made.joint(GROUND, 0, origin, HINGE, springs=drive)
    made.joint(0, 1, crank, HINGE)
    made.joint(GROUND, 2, B, HINGE)
    made.joint(GROUND, 4, A, HINGE)
    made.joint(4, 3, one, HINGE)
    made.joint(GROUND, 6, A, HINGE)
    made.joint(6, 5, two, HINGE)
    for other in (2, 3, 5):
        made.joint(1, other, meeting, HINGE)
    made.joint(GROUND, 7, C, HINGE)
    spring = (Spring(0, STIFFNESS, target=SPRING_LENGTH - length),)
    made.joint(7, 2, spring_end, SLOT, aim, spring)
    return made


def angles_from(values: Array) -> Array:
    """Return the seven published angles from the tree's coordinates: turns since the rest pose."""
    crank, second, third, fifth, fourth, seventh, sixth = values[:7]
    start = np.array([BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON])
    return start + np.array([crank, second, third, fourth, fifth, sixth, seventh])
