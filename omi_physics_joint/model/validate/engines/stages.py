# SPDX-License-Identifier: GPL-3.0-or-later
"""What Newton and PhysX do otherwise with a stage of USD, beside what ``alike`` says."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from ...articulation.joints import Articulation, ArticulationJoint, JointType
from ...articulation.kinematics import first_motions, is_at_odds, rest_poses
from ...articulation.trees import articulations_of
from ...body import Motion, MotionType
from ...geometry.frames import is_flat
from ...geometry.transform import IDENTITY_ROTATION, determinant, difference, linear_part
from ...godot.settings import turning_axes
from ...issue import Issue
from ...joint import AXES, Drive, Freedom, JointSettings
from ...mechanism import Mechanism
from ...settings.coordinates import coordinates
from ...settings.spans import Spans, span_on
from ..survey import Survey

STIFF = 1e3
"""N s/m or N m s/rad from which on a motor with a largest force jerks."""
BEGINS = 1e-4
"""m or rad: by so much nothing is elsewhere."""


def newton_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what differs in Newton."""
    for index, settings in enumerate(survey.mechanism.settings):
        if any(limit.is_soft for limit in settings.limits):
            yield survey.at_settings("newton-soft-limit", index)
        for drive in settings.drives:
            yield from _drive(survey, index, drive)
    articulations = articulations_of(survey.mechanism)
    yield from _types(survey, articulations)
    yield from _rests(survey, articulations)
    for index, node in enumerate(survey.mechanism.nodes):
        if node.motion is not None or node.collider is not None:
            linear = linear_part(node.world)
            if not is_flat(linear) and determinant(linear) < 0.0:
                yield survey.at_node("newton-mirrored", index)
    yield from _starts(survey, articulations)
    yield from _of_all(survey, articulations)


def _drive(survey: Survey, index: int, drive: Drive) -> Iterator[Issue]:
    way = survey.way(drive)
    target = drive.position_target
    if target is not None and drive.axis in AXES:
        span = span_on(survey.within[index], drive.type, drive.axis)
        if span.is_bounded and not span.low <= target <= span.high:
            yield survey.at_settings("newton-beyond-bounds", index, way=way)
        if drive.velocity_target and drive.stiffness > 0.0:
            yield survey.at_settings("newton-position-and-velocity", index, way=way)
    elif drive.damping >= STIFF and drive.velocity_target and drive.max_force < inf:
        yield survey.at_settings("newton-stiff-motor", index, way=way)


def _types(survey: Survey, articulations: tuple[Articulation, ...]) -> Iterator[Issue]:
    """Yield what Newton has for the degrees of freedom of a joint that is not the same."""
    settings = {ends.index: ends.joint.settings for ends in survey.joints}
    said = set()
    for node, joint in _stored(articulations):
        index = settings[node]
        if index in said:
            continue
        said.add(index)
        if joint.type is JointType.BALL and any(
            limit.is_together(Freedom.ANGULAR) for limit in survey.mechanism.settings[index].limits
        ):
            yield survey.at_settings("newton-cone", index)
        elif joint.type is JointType.DISTANCE:
            yield survey.at_settings("newton-rope", index)
        elif joint.type is JointType.D6 and len(joint.angular) > 1:
            yield survey.at_settings("newton-several-turns", index, count=len(joint.angular))


def _starts(survey: Survey, articulations: tuple[Articulation, ...]) -> Iterator[Issue]:
    """Yield of joints that the velocities at the start would take apart."""
    if all(motion.is_still for _, motion in survey.mechanism.motions()):
        return
    poses = rest_poses(survey.mechanism, articulations)
    moving = first_motions(survey.mechanism, articulations)
    for node, joint in _stored(articulations):
        if is_at_odds(joint, poses, moving):
            yield survey.at_node("newton-start", node)


def _rests(survey: Survey, articulations: tuple[Articulation, ...]) -> Iterator[Issue]:
    """Yield the joints that alone hold a body to the world and do not begin at zero."""
    nodes = survey.mechanism.nodes
    for joint in (one.joints[0] for one in articulations if len(one.joints) == 1):
        if joint.node is None or not joint.axes:
            continue
        stored = nodes[joint.node].joint
        assert stored is not None
        spans = survey.within[stored.settings]
        values = coordinates(spans, nodes[joint.node].world, nodes[stored.connected_node].world)
        drives = survey.mechanism.settings[stored.settings].drives
        if any(
            abs(value) > BEGINS
            and (
                span.is_bounded
                or any((d.type, d.axis) == (span.freedom, span.axis) for d in drives)
            )
            for span, value in zip(spans, values, strict=True)
        ):
            yield survey.at_node("newton-rest", joint.node)


def _of_all(survey: Survey, articulations: tuple[Articulation, ...]) -> Iterator[Issue]:
    loops = [joint.node for one in articulations for joint in one.loops if joint.node is not None]
    stopped = [
        ends.index for ends in survey.joints if _is_mixed(survey.within[ends.joint.settings])
    ]
    breaking = [ends.index for ends in survey.joints if ends.joint.breaking is not None]
    yield from survey.of_nodes("newton-stops", stopped)
    yield from survey.of_nodes("newton-loop", loops)
    yield from survey.of_nodes("newton-breaking", breaking)


def _is_mixed(spans: Spans) -> bool:
    """Return whether bounds of a joint are not alike soft: a stage has one word for all."""
    bounded = [span for span in spans if span.is_bounded]
    kinds = {
        (span.freedom, tuple((one.stiffness, one.damping) for one in span.limits))
        for span in bounded
    }
    return len(kinds) > 1 and any(one.is_soft for span in bounded for one in span.limits)


def _stored(articulations: tuple[Articulation, ...]) -> Iterator[tuple[int, ArticulationJoint]]:
    """Yield the joints of trees and loops that are nodes."""
    for joint in (joint for one in articulations for joint in one.stored_joints()):
        assert joint.node is not None
        yield joint.node, joint


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
