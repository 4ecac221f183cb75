# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses: what a file cannot hold, and frames that do not stand where their joint wants them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import hypot, isfinite

from ..body import Vector3
from ..geometry.frames import SHEAR_TOLERANCE, is_flat, mirrored_axis, rigid_frame, shear_of
from ..geometry.scale import is_uneven, scale_of
from ..geometry.transform import (
    Matrix,
    Rotation,
    determinant,
    linear_part,
    quaternion_from_rotation,
    rotation_angle,
)
from ..issue import Issue
from ..joint import Freedom, JointSettings
from ..mechanism import Node
from ..readers import PROFILES, codes_for
from ..settings.coordinates import excesses, relative
from ..settings.together import Together, together_in
from ..shape import type_of
from ..wording.words import listed, number
from .survey import Ends, Survey, loops

PLACE_TOLERANCE = 1e-4
"""m that two frames, or a pose and its limit, may be apart without a word."""
PRECISION = 1e-6
"""The same, as a part of the largest coordinate: single precision holds no more."""
ANGLE_TOLERANCE = 1e-3
"""rad."""
SCALE_TOLERANCE = 1e-4
SMALLEST_SCALE, LARGEST_SCALE = 1e-50, 1e50


@dataclass(frozen=True, slots=True)
class Pose:
    """What the world matrix of a node amounts to."""

    is_finite: bool = False
    is_flat: bool = True
    is_mirrored: bool = False
    shear: float = 0.0
    """Largest cosine between two axes."""
    scale: Vector3 = (1.0, 1.0, 1.0)

    @property
    def is_rigid(self) -> bool:
        """Whether a rigid frame can be read from it."""
        return self.is_finite and not self.is_flat and self.shear <= SHEAR_TOLERANCE


def pose_of(world: Matrix) -> Pose:
    """Measure a world matrix."""
    if not isfinite(sum(map(sum, world))):
        return Pose()
    linear, scale = linear_part(world), scale_of(world)
    if min(scale) < SMALLEST_SCALE or max(scale) > LARGEST_SCALE:
        return Pose(is_finite=True, scale=scale)
    return Pose(True, is_flat(linear), determinant(linear) < 0.0, shear_of(linear), scale)


def frame_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what is wrong with poses."""
    nodes = survey.mechanism.nodes
    for index in loops(nodes):
        yield survey.at_node("parent-cycle", index)
    poses: dict[int, Pose] = {}
    for ends in survey.joints:
        for index in (ends.index, ends.joint.connected_node):
            if index not in poses:
                first = poses.get(ends.index)
                if first is not None and _coincide(survey, ends):
                    poses[index] = first  # of which all has been said
                    continue
                poses[index] = pose_of(nodes[index].world)
                yield from _frame(survey, index, poses[index], survey.settings_of(ends), first)
    for index, node in enumerate(nodes):
        solid = node.collider is not None or node.trigger is not None
        if solid or node.motion is not None:
            yield from _solid(survey, index, node, poses.get(index))
    for ends in survey.joints:
        if all(poses[i].is_rigid for i in (ends.index, ends.joint.connected_node)):
            yield from _rest(survey, ends, poses)


def _coincide(survey: Survey, ends: Ends) -> bool:
    """Return whether both frames stand exactly at the same place: most do."""
    here, there = survey.worlds(ends)
    return here == there


def _frame(
    survey: Survey, index: int, pose: Pose, settings: JointSettings, first: Pose | None
) -> Iterator[Issue]:
    """Yield what is wrong with the pose of a frame of a joint; a second one is mirrored with it."""
    if pose.is_mirrored and pose.is_rigid and not (first is not None and first.is_mirrored):
        axis = survey.words.name(mirrored_axis(settings))
        yield survey.at_node("frame-mirrored", index, axis=axis)
    yield from _unusable(survey, index, pose, "frame")


def _solid(survey: Survey, index: int, node: Node, measured: Pose | None) -> Iterator[Issue]:
    """Yield what is wrong with the pose of a body, a collider or a trigger."""
    pose = measured or pose_of(node.world)
    kind = "collider" if node.motion is None else "body"
    if measured is None:
        yield from _unusable(survey, index, pose, kind)
    if node.collider is None and node.trigger is None:
        return
    is_scaled = any(abs(one - 1.0) > SCALE_TOLERANCE for one in pose.scale)
    if not (pose.is_rigid and (is_scaled or pose.is_mirrored)):
        return
    lengths = survey.words.in_order(pose.scale)
    sizes = " \N{MULTIPLICATION SIGN} ".join(number(length, 3) for length in lengths)
    parts = (part for part in (node.collider, node.trigger) if part is not None)
    shapes = (survey.mechanism.shape_at(part.shape) for part in parts)
    uneven = next((one for one in shapes if one and is_uneven(one, pose.scale)), None)
    if uneven is not None:
        yield survey.at_node("collider-uneven", index, shape=type_of(uneven), sizes=sizes)
    elif node.trigger is not None or not survey.is_written_unscaled(index):
        how = ["mirrored"] * pose.is_mirrored + [f"scaled by {sizes}"] * is_scaled
        yield survey.at_node("collider-scaled", index, how=" and ".join(how))


def _unusable(survey: Survey, index: int, pose: Pose, kind: str) -> Iterator[Issue]:
    """Yield the reason why no glTF node can stand like this."""
    if not pose.is_finite:
        yield survey.at_node("pose-number", index, kind=kind)
    elif pose.is_flat:
        yield survey.at_node(f"{kind}-flat", index)
    elif pose.shear > SHEAR_TOLERANCE:
        yield survey.at_node(f"{kind}-sheared", index)


def _rest(survey: Survey, ends: Ends, poses: dict[int, Pose]) -> Iterator[Issue]:
    """Yield how far the two frames, and the limits, are from each other at rest."""
    nodes, settings = survey.mechanism.nodes, survey.settings_of(ends)
    spans, bounds = survey.spans[ends.joint.settings], together_in(settings.limits)
    holds_zero = not bounds and all(span.holds_zero for span in spans)
    if holds_zero and _coincide(survey, ends):
        return
    joint, connected = nodes[ends.index], nodes[ends.joint.connected_node]
    place, rotation = relative(
        _rigid(joint, poses[ends.index], settings),
        _rigid(connected, poses[ends.joint.connected_node], settings),
    )
    largest = max(abs(node.world[i][3]) for node in (joint, connected) for i in range(3))
    near = max(PLACE_TOLERANCE, PRECISION * largest)
    least = {Freedom.LINEAR: near, Freedom.ANGULAR: ANGLE_TOLERANCE}
    gaps = zip(Freedom, (hypot(*place), abs(rotation_angle(rotation))), strict=True)
    parts = [survey.words.say(gap, kind) for kind, gap in gaps if gap > least[kind]]
    if parts and "frames-apart" in survey.differences:
        takers = (one for one in PROFILES if "frames-apart" in codes_for(one, survey.target))
        names = [PROFILES[one].name for one in takers if one in survey.readers]
        yield survey.at_node(
            "frames-apart",
            ends.index,
            other=survey.name(ends.joint.connected_node),
            distance=listed(parts),
            readers=listed(names),
        )
    elif not parts and holds_zero:
        return
    outside = [
        f"{survey.words.say(abs(excess), span.freedom)} {survey.way(span)}"
        for span, excess in zip(spans, excesses(spans, place, rotation), strict=True)
        if abs(excess) > least[span.freedom]
    ]
    round_ones = _outside_together(survey, bounds, place, rotation, least)
    outside += round_ones
    if outside:
        cure = "Move the bodies within the limits"
        if round_ones and not parts:
            cure = "Separate its frames and move each to where it is fastened"
        yield survey.at_node("rest-outside-limits", ends.index, outside=listed(outside), cure=cure)


def _rigid(node: Node, pose: Pose, settings: JointSettings) -> Matrix:
    """Return the rigid frame of a node whose pose allows one."""
    plain = not pose.is_mirrored and all(abs(length - 1.0) <= PRECISION for length in pose.scale)
    return node.world if plain and pose.shear <= PRECISION else rigid_frame(node.world, settings)


def _outside_together(
    survey: Survey,
    bounds: tuple[Together, ...],
    place: Vector3,
    rotation: Rotation,
    least: Mapping[Freedom, float],
) -> list[str]:
    """Return by how much bounds on several axes together are violated, in words."""
    turn = quaternion_from_rotation(rotation)
    values = ((one, one.value(place, turn)) for one in bounds)
    off = ((one, max(value - one.high, one.low - value, 0.0)) for one, value in values)
    say = survey.words.say
    return [f"{say(by, at.freedom)} of its {at.kind}" for at, by in off if by > least[at.freedom]]
