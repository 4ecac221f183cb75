# SPDX-License-Identifier: GPL-3.0-or-later
"""What Babylon.js with Havok does otherwise with a file in Khronos' extensions."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot, inf

from ...body import ZERO, Motion, MotionType
from ...issue import Issue
from ...joint import AXES, Freedom, JointSettings
from ...wording.words import some
from ..survey import Ends, Survey

UNSCALED = 1e-6
"""By how much the scale of a node may be off one."""


def babylon_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what differs in Babylon."""
    for index, settings in enumerate(survey.mechanism.settings):
        for drive in settings.drives:
            if drive.velocity_target and drive.damping > 0.0:
                way = survey.way(drive)
                yield survey.at_settings("babylon-motor-speed", index, way=way)
        yield from _bounds(survey, index, settings)
    for index, motion in survey.mechanism.motions():
        if motion.type is not MotionType.STATIC:
            yield from _motion(survey, index, motion)
    for ends in survey.joints:
        yield from _ends(survey, ends)


def _bounds(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    spans = survey.within[index]
    bounded = [axis for axis in AXES if spans[3 + axis].is_bounded]
    together = [limit for limit in settings.limits if limit.is_together(Freedom.ANGULAR)]
    if len(bounded) > 1 and not together:
        ways = [survey.words.way(Freedom.ANGULAR, axis) for axis in bounded]
        yield survey.at_settings("babylon-two-angles", index, ways=some(ways))
    if len(bounded) < len(AXES) and any(
        spans[3 + axis].is_free
        for limit in together
        for axis in AXES
        if axis not in limit.angular_axes
    ):
        yield survey.at_settings("babylon-cone-twists", index)
    if any(
        limit.is_together(Freedom.LINEAR)
        and len(limit.linear_axes) == len(AXES)
        and (limit.is_soft or limit.damping)
        for limit in settings.limits
    ):
        yield survey.at_settings("babylon-rigid-distance", index)


def _motion(survey: Survey, index: int, motion: Motion) -> Iterator[Issue]:
    if motion.mass < inf and motion.inertia_diagonal != ZERO and motion.mass != 1.0:
        yield survey.at_node("babylon-inertia", index, mass=motion.mass)
    if not motion.is_still and _is_scaled(survey, index):
        yield survey.at_node("babylon-scaled-velocity", index)
    if ZERO not in (motion.angular_velocity, motion.center):
        yield survey.at_node("babylon-centre-velocity", index)


def _ends(survey: Survey, ends: Ends) -> Iterator[Issue]:
    nodes = survey.mechanism.nodes
    chains = [
        [nodes[one] for one in survey.mechanism.ancestry(end)]
        for end in (ends.index, ends.joint.connected_node)
    ]
    if not any(node.moves or node.collider is not None for node in chains[0]):
        yield survey.at_node("babylon-no-body", ends.index)
    if any(sum(node.moves for node in chain) > 1 for chain in chains):
        yield survey.at_node("babylon-nested", ends.index)


def _is_scaled(survey: Survey, node: int) -> bool:
    world = survey.mechanism.nodes[node].world
    columns = [hypot(*(world[row][column] for row in range(3))) for column in range(3)]
    return any(not abs(size - 1.0) <= UNSCALED for size in columns)
