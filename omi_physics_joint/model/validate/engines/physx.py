# SPDX-License-Identifier: GPL-3.0-or-later
"""What PhysX does otherwise with a stage of USD, beside what ``alike`` says."""

from __future__ import annotations

from collections.abc import Iterator

from ...body import Motion, MotionType
from ...geometry.transform import IDENTITY_ROTATION, difference, linear_part
from ...godot.settings import turning_axes
from ...issue import Issue
from ...joint import AXES, Freedom, JointSettings
from ...mechanism import Mechanism
from ..survey import Survey

TURNED = 1e-6
"""Parts of a turned axis that do not count."""
X = 0


def physx_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what differs in PhysX."""
    for index, settings in enumerate(survey.mechanism.settings):
        yield from _angles(survey, index, settings)
        if any(limit.is_together(Freedom.LINEAR) for limit in settings.limits) and all(
            span.is_free for span in survey.spans[index]
        ):
            yield survey.at_settings("physx-rope", index)
    for index, motion in survey.mechanism.motions():
        if motion.type is not MotionType.STATIC:
            yield from _motion(survey, index, motion)
    yield from survey.of_nodes("physx-filter", [*_choosy(survey.mechanism)])


def _choosy(mechanism: Mechanism) -> Iterator[int]:
    """Yield the nodes whose filters name what they meet: PhysX knows no inverted groups."""
    for index, node in enumerate(mechanism.nodes):
        for part in (node.collider, node.trigger):
            at = None if part is None else part.collision_filter
            if at is not None and mechanism.collision_filters[at].collide_with_systems:
                yield index


def _angles(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    """Yield what differs of angles: PhysX counts the twist about X, then the swing beside it."""
    turns = turning_axes(survey.within[index])
    driven = any(drive.type is Freedom.ANGULAR for drive in settings.drives)
    bounded = any(span.is_bounded for span in survey.spans[index][3:])
    if (len(turns) == 2 and X in turns) or (len(turns) == len(AXES) and (driven or bounded)):
        yield survey.at_settings("physx-several-turns", index, count=len(turns))


def _motion(survey: Survey, index: int, motion: Motion) -> Iterator[Issue]:
    if motion.is_still:
        return
    turn = linear_part(survey.mechanism.nodes[index].world)
    if motion.type is MotionType.DYNAMIC and difference(turn, IDENTITY_ROTATION) > TURNED:
        yield survey.at_node("physx-velocity", index)
