# SPDX-License-Identifier: GPL-3.0-or-later
"""What Newton's MuJoCo solver does otherwise with a stage of USD."""

from __future__ import annotations

from collections.abc import Iterator

from ...articulation import (
    Articulation,
    ArticulationJoint,
    JointType,
    articulations_of,
    first_motions,
    is_at_odds,
    rest_poses,
)
from ...body import ZERO
from ...issue import Issue
from ...joint import AXES, Drive, DriveMode, Freedom, JointSettings
from ...keys import is_keyed
from ...settings.spans import span_on
from ...wording.on_axes import named
from ..survey import Survey


def newton_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what differs in Newton."""
    for index, settings in enumerate(survey.mechanism.settings):
        yield from _limits(survey, index, settings)
        for drive in settings.drives:
            yield from _drive(survey, index, drive)
    articulations = articulations_of(survey.mechanism)
    yield from _types(survey, articulations)
    yield from _starts(survey, articulations)
    yield from _of_all(survey, articulations)


def _limits(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    if any(limit.is_soft for limit in settings.limits):
        yield survey.at_settings(
            "newton-soft-limit",
            index,
            "Newton takes stiffness and damping of a soft limit in units of its own: it gives way "
            "by another amount.",
        )


def _drive(survey: Survey, index: int, drive: Drive) -> Iterator[Issue]:
    way = survey.words.way(drive.type, drive.axis)
    target = drive.position_target
    if target is not None and drive.axis in AXES:
        span = span_on(survey.within[index], drive.type, drive.axis)
        if span.is_bounded and not span.low <= target <= span.high:
            yield survey.at_settings(
                "newton-beyond-bounds",
                index,
                f"The drive {way} aims beyond its bounds; Newton aims it at the middle of them.",
            )
        if drive.velocity_target and drive.stiffness > 0.0:
            yield survey.at_settings(
                "newton-position-and-velocity",
                index,
                f"The drive {way} has a position and a velocity as its target; Newton takes the "
                "position alone.",
            )
    if drive.mode is DriveMode.ACCELERATION:
        yield survey.at_settings(
            "newton-acceleration",
            index,
            f"The drive {way} works by acceleration; Newton takes its numbers as forces.",
        )
    if drive.max_force == 0.0:
        yield survey.at_settings(
            "newton-no-force",
            index,
            f"The drive {way} may apply no force; Newton's MuJoCo solver refuses it, and with it "
            "the whole stage.",
        )


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
            limit.is_radial(Freedom.ANGULAR) for limit in survey.mechanism.settings[index].limits
        ):
            yield survey.at_settings(
                "newton-cone",
                index,
                "Newton does not read the cone of a ball joint: the body leans as far as it gets.",
            )
        elif joint.type is JointType.DISTANCE:
            yield survey.at_settings(
                "newton-rope",
                index,
                "Newton's MuJoCo solver refuses a joint that bounds only the distance from a "
                "point, and with it the whole stage.",
            )
        elif joint.type is JointType.D6 and len(joint.angular) > 1:
            yield survey.at_settings(
                "newton-several-turns",
                index,
                f"Newton turns this joint about {len(joint.angular)} axes one after the other, so "
                "its angles are others where several are far from zero.",
            )


def _starts(survey: Survey, articulations: tuple[Articulation, ...]) -> Iterator[Issue]:
    """Yield of joints that the velocities at the start would take apart."""
    motions = (node.motion for node in survey.mechanism.nodes)
    if all(
        motion is None or motion.linear_velocity == ZERO == motion.angular_velocity
        for motion in motions
    ):
        return
    poses = rest_poses(survey.mechanism, articulations)
    moving = first_motions(survey.mechanism, articulations)
    for node, joint in _stored(articulations):
        if is_at_odds(joint, poses, moving):
            yield survey.at_node(
                "newton-start",
                node,
                "The bodies start with velocities that this joint does not allow; Newton keeps "
                "another part of them.",
            )


def _of_all(survey: Survey, articulations: tuple[Articulation, ...]) -> Iterator[Issue]:
    loops = [joint.node for one in articulations for joint in one.loops if joint.node is not None]
    stopped, breaking, keyed = [], [], []
    for ends in survey.joints:
        spans = survey.within[ends.joint.settings]
        if any(span.is_bounded and not any(one.is_soft for one in span.limits) for span in spans):
            stopped.append(ends.index)
        if ends.joint.breaking is not None:
            breaking.append(ends.index)
        if is_keyed(survey.settings_of(ends)) or ends.joint.keys:
            keyed.append(ends.index)
    for code, nodes, message in (
        (
            "newton-stops",
            stopped,
            "At the limits of {joints} bodies go some degrees or centimeters beyond in Newton and "
            "bounce back, and play does not.",
        ),
        ("newton-loop", loops, "Newton's MuJoCo solver does not hold the loop at {joints} tight."),
        ("newton-breaking", breaking, "Nothing breaks {joints} in Newton."),
        ("newton-keyed", keyed, "Settings of {joints} are animated, and stay as they are there."),
    ):
        if nodes:
            names = named([survey.name(node) for node in nodes])
            yield survey.at_scene(code, message.format(joints=names))


def _stored(articulations: tuple[Articulation, ...]) -> Iterator[tuple[int, ArticulationJoint]]:
    """Yield the joints of trees and loops that are nodes."""
    for joint in (joint for one in articulations for joint in one.stored_joints()):
        assert joint.node is not None
        yield joint.node, joint
