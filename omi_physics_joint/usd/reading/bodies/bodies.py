# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigid bodies: what moves, how it is led, and what it weighs as far as it says so.

A body that is switched off is none: what is below it belongs to the body above, as USD's own parser
has it. Where none is above, it is static. What bodies leave to be calculated, ``read_masses`` does.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from ....model.body import IDENTITY_QUATERNION, ZERO, Motion, MotionType
from ...prim import Prim
from ...space import space_of
from ...table import (
    ANGULAR_VELOCITY,
    BODY_API,
    BODY_ENABLED,
    BODY_MASS,
    CENTER_OF_MASS,
    DIAGONAL_INERTIA,
    GRAVITY_OFF,
    KINEMATIC,
    MASS_API,
    PRINCIPAL_AXES,
    STARTS_ASLEEP,
    VELOCITY,
)
from ..reading import StageReading


def read_bodies(reading: StageReading) -> None:
    """Give the nodes of bodies their motion."""
    for path, index in tuple(reading.node_of.items()):
        prim = reading.values.prims[path]
        if BODY_API not in prim.schemas:
            continue
        above = reading.body_of(reading.nodes[index].parent)
        is_on = reading.values.flag(prim, BODY_ENABLED)
        if not is_on and above is not None:
            continue
        if reading.is_flat(index):
            reading.findings.note("usd-flat-body", path)
            continue
        kind = MotionType.STATIC
        if is_on:
            is_led = reading.values.flag(prim, KINEMATIC)
            kind = MotionType.KINEMATIC if is_led else MotionType.DYNAMIC
        reading.change(index, motion=_motion(reading, index, prim, kind))


def _motion(reading: StageReading, index: int, prim: Prim, kind: MotionType) -> Motion:
    values, space = reading.values, space_of(reading.nodes[index].world)
    linear, angular = values.vector(prim, VELOCITY), values.vector(prim, ANGULAR_VELOCITY)
    motion = Motion(
        kind,
        linear_velocity=space.vector_meant(linear) if linear else ZERO,
        angular_velocity=space.vector_meant(angular) if angular else ZERO,
        gravity_factor=0.0 if values.flag(prim, GRAVITY_OFF) else 1.0,
        starts_asleep=values.flag(prim, STARTS_ASLEEP),
    )
    if MASS_API not in prim.schemas:
        return motion
    mass, inertia = values.number(prim, BODY_MASS), values.vector(prim, DIAGONAL_INERTIA)
    center, axes = values.vector(prim, CENTER_OF_MASS), values.quaternion(prim, PRINCIPAL_AXES)
    said = inertia is not None and min(inertia) >= 0.0 and any(inertia)
    return replace(
        motion,
        mass=mass if mass > 0.0 else 1.0,
        center_of_mass=space.centre_meant(center) if center else ZERO,
        inertia_diagonal=inertia if inertia is not None and said else ZERO,
        inertia_orientation=space.turn_meant(axes or IDENTITY_QUATERNION)
        if said
        else IDENTITY_QUATERNION,
    )


def is_weighed(reading: StageReading, prim: Prim) -> bool:
    """Return whether a body says its mass itself."""
    return MASS_API in prim.schemas and 0.0 < reading.values.number(prim, BODY_MASS) <= inf


def is_centred(reading: StageReading, prim: Prim) -> bool:
    """Return whether a body says itself where its centre of mass is."""
    return MASS_API in prim.schemas and reading.values.vector(prim, CENTER_OF_MASS) is not None
