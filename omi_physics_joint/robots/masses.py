# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies of robots weigh, and ours.

Inertias that nobody has said are those of shapes, as the solver has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf, pi

import numpy as np

from ..model.body import Motion, MotionType
from ..model.geometry.frames import rigid_frame
from ..model.geometry.transform import (
    Matrix,
    determinant,
    linear_part,
    multiply,
    rotation_from_quaternion,
    transpose,
)
from ..model.mechanics.masses import (
    Mass,
    about,
    added,
    diagonal,
    mass_from,
    principal,
    through,
    turned,
)
from ..model.mechanism import Mechanism
from ..model.shape import Box, Shape
from ..model.wording.findings import Findings
from ..weighing.inertia import body_inertia, sphere_inertia
from ..weighing.solids import enclosed, solid_of
from .robot import Surface
from .turning import moved

UPRIGHT: Matrix = ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, -1.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0,) * 4)
"""Turns what stands along Y so that it stands along Z."""


def without(mass: Mass, part: Mass) -> Mass | None:
    """Return what is left of a mass without a part; None where no body is like that."""
    left = mass.mass - part.mass
    if not left > 0.0:
        return None
    pairs = zip(mass.centre, part.centre, strict=True)
    x, y, z = ((mass.mass * a - part.mass * b) / left for a, b in pairs)
    inertia = added(about(mass, (x, y, z)), about(part, (x, y, z)), -1.0)
    (a, b, _), (c, d, _), _ = inertia
    if not (a > 0.0 and a * d > b * c and determinant(inertia) > 0.0):  # Sylvester's criterion
        return None
    low, middle, high = sorted(principal(inertia)[0])
    return Mass(left, (x, y, z), inertia) if low > 0.0 and low + middle >= high else None


def motion_of(mass: Mass) -> Motion:
    """Return a dynamic body of a mass."""
    moments, orientation = principal(mass.inertia)
    return Motion(
        MotionType.DYNAMIC,
        mass=mass.mass,
        center_of_mass=mass.centre,
        inertia_diagonal=moments,
        inertia_orientation=orientation,
    )


def mass_of(motion: Motion) -> Mass:
    """Return what a body weighs; its inertia is zero where the body does not say it."""
    turn = rotation_from_quaternion(motion.inertia_orientation)
    inertia = turned(turn, motion.inertia_diagonal)
    return Mass(motion.mass, motion.center, inertia)


def filled(shape: Shape, surface: Surface | None) -> Mass | None:
    """Return a shape, or what its surface encloses, at density one; None where that is nothing.

    It is about its own origin, upright along Z.
    """
    if surface is not None:
        return mass_from(enclosed(np.array(surface.points), np.array(surface.triangles)))
    found = mass_from(solid_of(shape))
    return found if found is None or isinstance(shape, Box) else through(found, UPRIGHT)


def ellipsoidal(radii: Sequence[float]) -> Mass:
    """Return an ellipsoid of three radii in m at density one, not the mesh that shows it."""
    a, b, c = radii[:3]
    mass = 4.0 / 3.0 * pi * a * b * c
    x, y, z = (mass / 5.0 * radius * radius for radius in (a, b, c))
    return Mass(mass, inertia=diagonal(y + z, x + z, x + y))


def weighed(mechanism: Mechanism, index: int, parts: Iterable[int], findings: Findings) -> Mass:
    """Return what a body of a mechanism, Y up as shapes stand, weighs in axes that are Z up.

    A mass that is none is noted.
    """
    node = mechanism.nodes[index]
    motion, world = node.motion, rigid_frame(node.world)
    assert motion is not None
    kilograms = motion.mass
    if not 0.0 < kilograms < inf:
        findings.note("mass", mechanism.name_of(index))
        kilograms = 1.0
    if 0.0 not in motion.inertia_diagonal and inf not in motion.inertia_diagonal:
        return through(replace(mass_of(motion), mass=kilograms), UPRIGHT)
    centre = np.array(moved(world, motion.center))
    found = body_inertia(mechanism, parts, kilograms, centre)
    if found is None:
        found = np.diag(sphere_inertia(kilograms))
    turn = linear_part(world)
    local = multiply(multiply(transpose(turn), tuple(map(tuple, found.tolist()))), turn)
    return through(Mass(kilograms, motion.center, local), UPRIGHT)
