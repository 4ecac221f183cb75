# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigid bodies: what moves, how it is led, and what it weighs as far as it says so.

A body that is switched off is none: what is below it belongs to the body above, as USD's own parser
has it. Where none is above, it is static. What bodies leave to be calculated, ``masses`` does.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from ....model.body import IDENTITY_QUATERNION, ZERO, Motion, MotionType
from ... import table
from ...prim import Prim
from ...units import space_of
from ..builder import StageReading


def read_bodies(reading: StageReading) -> None:
    """Give the nodes of bodies their motion."""
    for path, index in tuple(reading.node_of.items()):
        prim = reading.prims[path]
        if table.BODY_API not in prim.schemas:
            continue
        is_on = reading.flag(prim, table.BODY_ENABLED)
        if not is_on and reading.body_of(reading.nodes[index].parent) is not None:
            continue
        if reading.is_flat(index):
            reading.note("usd-flat-body", prim)
            continue
        kind = MotionType.STATIC
        if is_on:
            is_led = reading.flag(prim, table.KINEMATIC)
            kind = MotionType.KINEMATIC if is_led else MotionType.DYNAMIC
        reading.change(index, motion=_motion(reading, index, prim, kind))


def _motion(reading: StageReading, index: int, prim: Prim, kind: MotionType) -> Motion:
    space = space_of(reading.nodes[index].world)
    motion = Motion(
        kind,
        linear_velocity=space.vector_meant(reading.vector(prim, table.VELOCITY) or ZERO),
        angular_velocity=space.vector_meant(reading.vector(prim, table.ANGULAR_VELOCITY) or ZERO),
        gravity_factor=0.0 if reading.flag(prim, table.GRAVITY_OFF) else 1.0,
        starts_asleep=reading.flag(prim, table.STARTS_ASLEEP),
        unknown=reading.extras(prim),
    )
    if table.MASS_API not in prim.schemas:
        return motion
    mass = reading.number(prim, table.BODY_MASS)
    inertia = reading.vector(prim, table.DIAGONAL_INERTIA) or ZERO
    centre = reading.vector(prim, table.CENTER_OF_MASS) or ZERO
    axes = reading.quaternion(prim, table.PRINCIPAL_AXES) or IDENTITY_QUATERNION
    motion = replace(
        motion, mass=mass if mass > 0.0 else 1.0, center_of_mass=space.centre_meant(centre)
    )
    is_found = inertia == reading.vector(prim, table.COLLIDER_INERTIA)
    if inertia == ZERO or min(inertia) < 0.0 or is_found:
        return motion
    return replace(motion, inertia_diagonal=inertia, inertia_orientation=space.turn_meant(axes))


def is_weighed(reading: StageReading, prim: Prim) -> bool:
    """Return whether a body says its mass itself."""
    return table.MASS_API in prim.schemas and 0.0 < reading.number(prim, table.BODY_MASS) <= inf


def is_centred(reading: StageReading, prim: Prim) -> bool:
    """Return whether a body says itself where its centre of mass is."""
    return table.MASS_API in prim.schemas and reading.vector(prim, table.CENTER_OF_MASS) is not None
