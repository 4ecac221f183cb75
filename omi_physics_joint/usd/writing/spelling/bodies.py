# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies and their masses."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isfinite

from ....model.body import ZERO, Motion, MotionType, Vector3
from ....model.geometry.transform import cross
from ... import table
from ...prim import OVER
from ...units import WORLD, Space, has_space, space_of
from ..draft import Draft, Writing
from ..losses import extras_of

ENDLESS = 1e5
"""kg, kg m^2: in place of what is infinite."""
NEARLY_NOTHING = 1e-9
"""Part of the largest moment of inertia in place of one that is zero beside others."""


def spell_body(writing: Writing, index: int, draft: Draft, motion: Motion) -> None:
    """Spell what moves a node into its prim; nothing where nothing does."""
    world = writing.mechanism.nodes[index].world
    space = space_of(world) if has_space(world) else WORLD
    if not has_space(world):
        writing.note("usd-not-square", index)
    if motion.type is MotionType.STATIC:
        if writing.is_carried(writing.layout.above[index]):
            # A body of its own, so that it is none of what is above.
            draft.apply(table.BODY_API)
            draft.say(table.BODY_ENABLED, False)
        elif not writing.is_held(index):
            writing.note("usd-static", index)
        return
    draft.apply(table.BODY_API)
    draft.say(table.KINEMATIC, motion.type is MotionType.KINEMATIC)
    draft.say(table.STARTS_ASLEEP, motion.starts_asleep)
    draft.say(table.EXTRAS, extras_of(motion))
    if motion.type is MotionType.DYNAMIC and draft.specifier != OVER:
        # PhysX takes 5 % of its spin from a body in each second where nothing is said.
        draft.apply(table.PHYSX_BODY_API)
        draft.say(table.ANGULAR_DAMPING, 0.0)
    spin, centre = motion.angular_velocity, motion.center
    # Readers take the velocity for that of the centre of mass; ours is that of the origin.
    x, y, z = cross(spin, centre)
    u, v, w = motion.linear_velocity
    draft.say(table.VELOCITY, space.vector_said((u + x, v + y, w + z)))
    draft.say(table.ANGULAR_VELOCITY, space.vector_said(spin))
    if motion.gravity_factor == 0.0:
        draft.apply(table.PHYSX_BODY_API)
        draft.say(table.GRAVITY_OFF, True)
    elif motion.gravity_factor != 1.0 and motion.type is MotionType.DYNAMIC:
        writing.note("usd-gravity-factor", index)
    plain = Motion(
        MotionType.KINEMATIC,
        linear_velocity=motion.linear_velocity,
        angular_velocity=spin,
        starts_asleep=motion.starts_asleep,
    )
    if replace(motion, center_of_mass=motion.center_of_mass or ZERO) != plain:
        _spell_mass(writing, index, draft, motion, space)


def _spell_mass(writing: Writing, index: int, draft: Draft, motion: Motion, space: Space) -> None:
    """Spell mass and inertia: a stage means other ones than we do where nobody says them."""
    draft.apply(table.MASS_API)
    if inf in (motion.mass, *motion.inertia_diagonal):
        writing.note("usd-infinite-mass", index)
    draft.say(table.BODY_MASS, motion.mass if isfinite(motion.mass) else ENDLESS)
    if motion.center_of_mass is not None:
        draft.insist(table.CENTER_OF_MASS, space.centre_said(motion.center_of_mass))
    if motion.inertia_diagonal != ZERO:
        moments = _moments(motion.inertia_diagonal)
        draft.say(table.DIAGONAL_INERTIA, moments)
        if index in writing.found_inertias:
            draft.say(table.COLLIDER_INERTIA, moments)
        # Also those of the body itself: usdchecker wants both, or neither.
        draft.insist(table.PRINCIPAL_AXES, space.turn_said(motion.inertia_orientation))


def _moments(diagonal: Vector3) -> Vector3:
    """Return moments of inertia that are all finite and more than nothing."""
    largest = max((part for part in diagonal if isfinite(part)), default=0.0) or 1.0

    least = NEARLY_NOTHING * largest
    x, y, z = (ENDLESS if part == inf else part or least for part in diagonal)
    return (x, y, z)
