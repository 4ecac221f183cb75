# SPDX-License-Identifier: GPL-3.0-or-later
"""A joint of ours as joints of a link, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from ...model.articulation import ArticulationJoint, JointAxis
from ...model.articulation.joint_types import JointType
from ...model.body import Vector3
from ...model.geometry.transform import Matrix, inverse, linear_part, multiply, translation_of
from ...model.joint import AXES, DriveMode, Freedom, JointSettings
from ...model.settings.coordinates import coordinates
from ...model.settings.radial import together_in
from ...model.settings.spans import span_on, spans_of
from ...model.wording.findings import Findings
from ..motion import in_axes_of
from ..robot import Axis, Spring, Way
from ..turning import about, moved, pose, turned, unit

SMALL = 1e-9
"""m or rad: a value at the start that rounding has made of zero."""
FREE_TYPES = (JointType.FREE, JointType.DISTANCE)


@dataclass(frozen=True, slots=True)
class PlacedJoint:
    """A joint of a tree where it stands."""

    joint: ArticulationJoint
    settings: JointSettings
    name: str
    parent: Matrix
    """World from parent body."""
    child: Matrix
    coordinates: Sequence[float]
    """As ``joint_coordinates`` has them."""
    stored: tuple[Matrix, Matrix]
    """World from the joint's frame and from the connected one."""


def is_free(joint: ArticulationJoint) -> bool:
    """Return whether a joint leaves all six degrees of freedom."""
    return joint.type in FREE_TYPES or (len(joint.linear) == 3 and len(joint.angular) == 3)


def axes_of(placed: PlacedJoint, findings: Findings) -> tuple[Axis, ...]:
    """Return the joints of a link, in the order in which they move it.

    The child stands at parent x_pj x_j x_cj^-1, with slides before turns in x_j. Where the joint is
    stored from the child's side it is the inverse: turns come first and slides go along turned
    axes. Directions and anchors are those of the start pose, which is where all joints rest.
    """
    joint = placed.joint
    before = multiply(placed.parent, joint.parent_frame)
    after = multiply(placed.child, joint.child_frame)
    values = _values(placed)
    _note(placed, findings)
    slides, turns = joint.linear, joint.angular
    turn = before  # what slides are along
    if joint.is_reversed:
        for axis in turns[: 1 if len(turns) < len(AXES) else 0]:
            turn = multiply(turn, pose(about(axis.direction, values[axis])))
        if len(turns) == len(AXES):
            turn = after
    sliding = [
        _axis(placed, axis, turned(turn, axis.direction), before, values[axis]) for axis in slides
    ]
    anchor = before if joint.is_reversed else after
    turning: list[Axis] = []
    if joint.type is JointType.BALL or len(turns) == len(AXES):
        turning = [_ball(placed, after)]
    else:
        through = before
        for axis in turns:
            way = turned(through, axis.direction)
            turning.append(_axis(placed, axis, way, anchor, values[axis]))
            through = multiply(through, pose(about(axis.direction, values[axis])))
    found = (*turning, *sliding) if joint.is_reversed else (*sliding, *turning)
    names = [placed.name, *(f"{placed.name} {number}" for number in range(2, 7))]
    return tuple(replace(axis, name=name) for axis, name in zip(found, names, strict=False))


def _values(placed: PlacedJoint) -> dict[JointAxis, float]:
    """Return the value of each axis at the start, as limits and drives count it."""
    joint = placed.joint
    if joint.is_reversed and len(joint.angular) == 1 and joint.linear:
        spans = spans_of(placed.settings.limits)
        found = coordinates(spans, *placed.stored)
        return {
            axis: found[axis.axis + 3 * (axis.freedom is Freedom.ANGULAR)] for axis in joint.axes
        }
    pairs = zip(joint.axes, placed.coordinates, strict=False)
    return {axis: value if abs(value) > SMALL else 0.0 for axis, value in pairs}


def _axis(
    placed: PlacedJoint, axis: JointAxis, direction: Vector3, anchor: Matrix, value: float
) -> Axis:
    """Return one degree of freedom as a joint.

    Args:
        placed: the joint of ours.
        axis: which.
        direction: in the world, at the start.
        anchor: what it turns about, in the world.
        value: at the start, m or rad.
    """
    span = span_on(spans_of(placed.settings.limits), axis.freedom, axis.axis)
    here = moved(inverse(placed.child), translation_of(anchor))
    return Axis(
        "",
        Way.SLIDE if axis.freedom is Freedom.LINEAR else Way.HINGE,
        unit(in_axes_of(placed.child, direction)),
        here if axis.freedom is Freedom.ANGULAR else (0.0, 0.0, 0.0),
        span.low,
        span.high,
        value,
        value,
        springs=_springs(placed, axis.freedom, axis.axis),
    )


def _ball(placed: PlacedJoint, after: Matrix) -> Axis:
    """Return three turns as a ball; the largest angle in all counts from where frames coincide."""
    most = min(
        (
            one.high
            for one in together_in(placed.settings.limits)
            if one.freedom is Freedom.ANGULAR and len(one.axes) == len(AXES)
        ),
        default=inf,
    )
    anchor = moved(inverse(placed.child), translation_of(after))
    return Axis("", Way.BALL, anchor=anchor, high=most)


def ball_turn(placed: PlacedJoint) -> Matrix:
    """Return how the child of a ball is turned at the start, about the ball, in the child."""
    joint = placed.joint
    before = multiply(placed.parent, joint.parent_frame)
    after = multiply(placed.child, joint.child_frame)
    turn = pose(linear_part(multiply(inverse(before), after)))
    frame = joint.child_frame
    return multiply(multiply(frame, turn), inverse(frame))


def _springs(placed: PlacedJoint, freedom: Freedom, axis: int) -> tuple[Spring, ...]:
    found = []
    for drive in placed.settings.drives:
        if (drive.type, drive.axis) != (freedom, axis) or drive.mode is not DriveMode.FORCE:
            continue
        springs = drive.stiffness > 0.0 and drive.position_target is not None
        damps = drive.damping > 0.0 and drive.velocity_target is not None
        if springs or damps or drive.max_force < inf:
            found.append(
                Spring(
                    drive.stiffness if springs else 0.0,
                    drive.damping if damps else 0.0,
                    drive.position_target if springs else None,
                    drive.velocity_target if damps else None,
                    drive.max_force,
                )
            )
    return tuple(found)


def _note(placed: PlacedJoint, findings: Findings) -> None:
    joint, settings, name = placed.joint, placed.settings, placed.name
    free = {(axis.freedom, axis.axis) for axis in joint.axes}
    whole = joint.type is JointType.BALL or len(joint.angular) == len(AXES)
    turns = [span for span in spans_of(settings.limits) if span.freedom is Freedom.ANGULAR]

    def note(code: str, *, when: bool) -> None:
        if when:
            findings.note(code, name)

    note("soft", when=any(limit.is_soft for limit in settings.limits))
    note("two-turns", when=len(joint.angular) == 2)
    note("ball-bounds", when=whole and any(span.is_bounded for span in turns))
    note(
        "together",
        when=any(
            not (whole and one.freedom is Freedom.ANGULAR and len(one.axes) == len(AXES))
            for one in together_in(settings.limits)
        ),
    )
    note("keys", when=any(one.keys for one in settings.limits))
    note("keys", when=any(one.keys for one in settings.drives))
    for drive in settings.drives:
        on_ball = whole and drive.type is Freedom.ANGULAR
        note("acceleration", when=drive.mode is DriveMode.ACCELERATION)
        note("ball-drive", when=on_ball)
        note("drive", when=not on_ball and (drive.type, drive.axis) not in free)
