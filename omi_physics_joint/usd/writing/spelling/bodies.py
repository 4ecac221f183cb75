# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies and their masses."""

from __future__ import annotations

from math import inf, isfinite

from ....model.body import IDENTITY_QUATERNION, ZERO, Motion, MotionType, Vector3
from ....model.geometry.transform import cross
from ... import table
from ...space import Space
from ..draft import Draft
from ..losses import Losses

ENDLESS = 1e5
"""kg, kg m^2: in place of what is infinite."""
NEARLY_NOTHING = 1e-9
"""Part of the largest moment of inertia in place of one that is zero beside others."""


def spell_body(
    draft: Draft, motion: Motion, space: Space, losses: Losses, node: int, *, is_carried: bool
) -> None:
    """Spell what moves a node into its prim; nothing where nothing does."""
    if motion.type is MotionType.STATIC:
        if is_carried:  # a body of its own, so that it is none of what is above
            draft.apply(table.BODY_API)
            draft.say(table.BODY_ENABLED, False)
        return
    draft.apply(table.BODY_API)
    draft.say(table.KINEMATIC, motion.type is MotionType.KINEMATIC)
    draft.say(table.STARTS_ASLEEP, motion.starts_asleep)
    spin, centre = motion.angular_velocity, motion.center_of_mass
    # Readers take the velocity for that of the centre of mass; ours is that of the origin.
    x, y, z = cross(spin, centre)
    u, v, w = motion.linear_velocity
    draft.say(table.VELOCITY, space.vector_said((u + x, v + y, w + z)))
    draft.say(table.ANGULAR_VELOCITY, space.vector_said(spin))
    if motion.gravity_factor == 0.0:
        draft.apply(table.PHYSX_BODY_API)
        draft.say(table.GRAVITY_OFF, True)
    elif motion.gravity_factor != 1.0 and motion.type is MotionType.DYNAMIC:
        losses.note("usd-gravity-factor", node)
    _spell_mass(draft, motion, space, losses, node)


def _spell_mass(draft: Draft, motion: Motion, space: Space, losses: Losses, node: int) -> None:
    """Spell mass and inertia: a stage means other ones than we do where nobody says them."""
    if motion.type is MotionType.KINEMATIC and motion == Motion(
        MotionType.KINEMATIC,
        linear_velocity=motion.linear_velocity,
        angular_velocity=motion.angular_velocity,
        starts_asleep=motion.starts_asleep,
    ):
        return
    draft.apply(table.MASS_API)
    if inf in (motion.mass, *motion.inertia_diagonal):
        losses.note("usd-infinite-mass", node)
    draft.say(table.BODY_MASS, motion.mass if isfinite(motion.mass) else ENDLESS)
    try:
        centre = space.centre_said(motion.center_of_mass)
    except ZeroDivisionError:
        losses.note("usd-not-square", node)
        centre = motion.center_of_mass
    draft.insist(table.CENTER_OF_MASS, centre)
    if motion.inertia_diagonal == ZERO:
        return
    draft.say(table.DIAGONAL_INERTIA, _moments(motion.inertia_diagonal))
    turn = space.turn_said(motion.inertia_orientation)
    if turn != IDENTITY_QUATERNION:
        draft.insist(table.PRINCIPAL_AXES, turn)


def _moments(diagonal: Vector3) -> Vector3:
    """Return moments of inertia that are all finite and more than nothing."""
    largest = max((part for part in diagonal if isfinite(part)), default=0.0) or 1.0

    def finite(part: float) -> float:
        return ENDLESS if part == inf else part or NEARLY_NOTHING * largest

    return (finite(diagonal[0]), finite(diagonal[1]), finite(diagonal[2]))
