# SPDX-License-Identifier: GPL-3.0-or-later
"""A joint of ours as joints of a link, one after the other, or as what closes a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf

from ...model.articulation.joints import SIX_AXES, ArticulationJoint, JointAxis, JointType
from ...model.body import ZERO, Vector3
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.frames import rigid_frame
from ...model.geometry.transform import Matrix, inverse, linear_part, multiply, translation_of
from ...model.geometry.transform import rotation_about as about
from ...model.joint import AXES, DriveMode, Freedom, JointSettings
from ...model.mechanism import Mechanism
from ...model.settings.coordinates import coordinates
from ...model.settings.spans import span_on, spans_of
from ...model.settings.together import Together, together_in
from ...model.wording.findings import Findings
from ..remarks import NOTHING, Remarks
from ..robot import WORLD, Axis, Loop, Spring, Way, in_axes_of
from ..turning import moved, negative, pose, tidy, turned, unit

SMALL = 4e-6
"""m or rad: a value at the start that single precision has made of zero."""
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
    remarks: Sequence[Remarks] = ()
    """What a robot's file said of its coordinates, in their order."""

    @property
    def is_ball(self) -> bool:
        """Whether it turns about three axes."""
        return self.joint.type is JointType.BALL or len(self.joint.angular) == len(AXES)

    def remarks_of(self, freedom: Freedom, axis: int) -> Remarks:
        """Return what was said of a coordinate, by its name in the frame, Z up."""
        place = Z_UP_FROM_Y_UP.axis.index(axis)
        own = (one for one in self.remarks if (one.type, one.axis) == (freedom.value, place))
        found = next(own, None)
        if found is None and len(self.remarks) == 1 and self.remarks[0].type is None:
            (found,) = self.remarks
        return found or NOTHING

    def name_of(self, own: Remarks) -> str:
        """Return what a file called a coordinate; "" where it is called as the joint is now."""
        return own.name or "" if own.node in (None, self.name) else ""

    @property
    def slides(self) -> list[JointAxis]:
        """What it slides along, in the order of a file: which comes first is all the same."""
        key = {one: self.remarks_of(one.freedom, one.axis).number or 0 for one in self.joint.linear}
        return sorted(self.joint.linear, key=key.__getitem__)

    @property
    def before(self) -> Matrix:
        """World from the joint's frame in the parent, at the start."""
        return multiply(self.parent, self.joint.parent_frame)

    @property
    def after(self) -> Matrix:
        """World from the joint's frame in the child."""
        return multiply(self.child, self.joint.child_frame)


def is_free(joint: ArticulationJoint) -> bool:
    """Return whether a joint leaves all six degrees of freedom."""
    return joint.type in FREE_TYPES or (len(joint.linear) == 3 and len(joint.angular) == 3)


def axes_of(placed: PlacedJoint, findings: Findings) -> tuple[Axis, ...]:
    """Return the joints of a link, in the order in which they move it.

    The child stands at parent x_pj x_j x_cj^-1, with slides before turns in x_j. Where the joint is
    stored from the child's side it is the inverse: turns come first and slides go along turned
    axes. Directions and anchors are those of the start pose, which is where all joints rest.
    """
    joint, before, after = placed.joint, placed.before, placed.after
    values = _values(placed)
    _note(placed, findings)
    turn = before  # what slides are along
    if joint.is_reversed and len(joint.angular) == len(AXES):
        turn = after
    elif joint.is_reversed and joint.angular:
        first = joint.angular[0]
        turn = multiply(turn, pose(about(first.direction, values[first])))
    sliding = [
        _axis(placed, axis, turned(turn, axis.direction), before, values[axis])
        for axis in placed.slides
    ]
    anchor = before if joint.is_reversed else after
    turning: list[Axis] = []
    if placed.is_ball:
        turning = [_ball(placed)]
    else:
        through = before
        for axis in joint.angular:
            way = turned(through, axis.direction)
            turning.append(_axis(placed, axis, way, anchor, values[axis]))
            through = multiply(through, pose(about(axis.direction, values[axis])))
    found = [*turning, *sliding] if joint.is_reversed else [*sliding, *turning]
    found = found or _held(placed)
    names = [placed.name, *(f"{placed.name} {number}" for number in range(2, 7))]
    return tuple(
        axis if axis.name else replace(axis, name=name)
        for axis, name in zip(found, names, strict=False)
    )


def _held(placed: PlacedJoint) -> list[Axis]:
    """Return a coordinate with one value alone, which a file had and a joint has no axis for."""
    for axis in SIX_AXES:
        if placed.remarks_of(axis.freedom, axis.axis).type is not None:
            is_reversed = placed.joint.is_reversed
            way = turned(placed.stored[0], axis.direction)
            anchor = placed.before if is_reversed else placed.after
            return [_axis(placed, axis, negative(way) if is_reversed else way, anchor, 0.0)]
    return []


def _values(placed: PlacedJoint) -> dict[JointAxis, float]:
    """Return the value of each axis at the start, as limits and drives count it."""
    joint = placed.joint
    if joint.is_reversed and len(joint.angular) == 1 and joint.linear:
        found = coordinates(spans_of(placed.settings.limits), *placed.stored)
        values = [found[axis.axis + 3 * (axis.freedom is Freedom.ANGULAR)] for axis in joint.axes]
    else:
        values = list(placed.coordinates)
    pairs = zip(joint.axes, values, strict=False)
    return {axis: value if abs(value) > SMALL else 0.0 for axis, value in pairs}


def _axis(
    placed: PlacedJoint, axis: JointAxis, direction: Vector3, anchor: Matrix, value: float
) -> Axis:
    """Return one degree of freedom as a joint; its value is that at the start, m or rad.

    Its direction, and the frame that it turns about, are those of the start, in the world.
    """
    span = span_on(spans_of(placed.settings.limits), axis.freedom, axis.axis)
    way, here = Way.SLIDE, ZERO
    if axis.freedom is Freedom.ANGULAR:
        way, here = Way.HINGE, moved(inverse(placed.child), translation_of(anchor))
    direction = tidy(in_axes_of(placed.child, direction))
    springs = _springs(placed, axis.freedom, axis.axis)
    own = placed.remarks_of(axis.freedom, axis.axis)
    name, low, high = placed.name_of(own), span.low, span.high
    return Axis(name, way, direction, here, low, high, value, value, springs=springs, remarks=own)


def _ball(placed: PlacedJoint) -> Axis:
    """Return three turns as a ball; the largest angle in all counts from where frames coincide."""
    bounds = filter(_is_of_ball, together_in(placed.settings.limits))
    anchor = moved(inverse(placed.child), translation_of(placed.after))
    high = min((one.high for one in bounds), default=inf)
    own = placed.remarks_of(Freedom.ANGULAR, 0)
    return Axis(placed.name_of(own), Way.BALL, anchor=anchor, high=high, remarks=own)


def _is_of_ball(bound: Together) -> bool:
    return bound.freedom is Freedom.ANGULAR and len(bound.axes) == len(AXES)


def ball_turn(placed: PlacedJoint) -> Matrix:
    """Return how the child of a ball is turned at the start, about the ball, in the child."""
    turn = pose(linear_part(multiply(inverse(placed.before), placed.after)))
    frame = placed.joint.child_frame
    return multiply(multiply(frame, turn), inverse(frame))


def _springs(placed: PlacedJoint, freedom: Freedom, axis: int) -> tuple[Spring, ...]:
    found = []
    for drive in placed.settings.drives:
        if (drive.type, drive.axis) != (freedom, axis) or drive.mode is not DriveMode.FORCE:
            continue
        springs = drive.stiffness > 0.0 and drive.position_target is not None
        aims = drive.velocity_target is not None or drive.position_target is not None
        damps = drive.damping > 0.0 and aims
        if springs or damps or drive.max_force < inf:
            found.append(
                Spring(
                    drive.stiffness if springs else 0.0,
                    drive.damping if damps else 0.0,
                    drive.position_target if springs else None,
                    (drive.velocity_target or 0.0) if damps else None,
                    drive.max_force,
                )
            )
    return tuple(found)


def _note(placed: PlacedJoint, findings: Findings) -> None:
    joint, settings, ball = placed.joint, placed.settings, placed.is_ball
    free = {(axis.freedom, axis.axis) for axis in joint.axes}
    turns = [span for span in spans_of(settings.limits) if span.freedom is Freedom.ANGULAR]
    together = together_in(settings.limits)
    on_ball = [ball and drive.type is Freedom.ANGULAR for drive in settings.drives]
    on_axes = [(drive.type, drive.axis) in free for drive in settings.drives]
    lost = {
        "soft": [any(limit.is_soft for limit in settings.limits)],
        "two-turns": [len(joint.angular) == 2],
        "ball-bounds": [ball and any(span.is_bounded for span in turns)],
        "together": [any(not (ball and _is_of_ball(one)) for one in together)],
        "keys": [any(one.keys for one in part) for part in (settings.limits, settings.drives)],
        "acceleration": [drive.mode is DriveMode.ACCELERATION for drive in settings.drives],
        "ball-drive": on_ball,
        "drive": [not a and not b for a, b in zip(on_ball, on_axes, strict=True)],
    }
    for code, flags in lost.items():
        for is_lost in flags:
            if is_lost:
                findings.note(code, placed.name)


def loop_of(
    joint: ArticulationJoint, mechanism: Mechanism, link_of: Callable[[int | None], int]
) -> Loop | None:
    """Return a joint as what holds two links together; None where nothing else does the same."""
    if joint.node is None:
        return None
    node = mechanism.nodes[joint.node]
    assert node.joint is not None
    settings = mechanism.settings_of(node.joint)
    bounded = any(span.is_bounded for span in spans_of(settings.limits)) or settings.drives
    kinds = (JointType.FIXED, JointType.REVOLUTE, JointType.BALL)
    if joint.type not in kinds or bounded or any(limit.together for limit in settings.limits):
        return None
    above = joint.parent if joint.parent is not None else joint.static_parent
    parent, child = link_of(above), link_of(joint.child)
    pose = joint.parent_frame if joint.parent is not None else _in(mechanism, above, parent, joint)
    axis = joint.angular[0].direction if joint.type is JointType.REVOLUTE else None
    return Loop(
        node.name or "loop",
        parent,
        child,
        pose,
        joint.child_frame,
        turns=joint.type is not JointType.FIXED,
        about=None if axis is None else unit(turned(pose, axis)),
        apart=not node.joint.enable_collision,
    )


def _in(mechanism: Mechanism, body: int | None, link: int, joint: ArticulationJoint) -> Matrix:
    """Return the frame of a parent that stands still in its link, given in the world."""
    if body is None or link == WORLD:
        return joint.parent_frame
    return multiply(inverse(rigid_frame(mechanism.nodes[body].world)), joint.parent_frame)
