# SPDX-License-Identifier: GPL-3.0-or-later
"""How a joint is laid out for Godot: which body holds it, what its axes and its node are called.

Jolt takes a rotation q = (x, y, z, w) apart into a twist about X and a swing, and bounds the twists
of the swing about Y and Z. The twist about X is ours. With tangents t of half our angles, those of
the swing are (t_y + t_z t_x) / (1 + t_x^2) and (t_z - t_y t_x) / (1 + t_x^2), or with the other
sign of t_x, as the swing is taken out in front or behind. Where t_x is zero they are ours too: so
of two free angles the locked one is called X, of three the one that spoils the others least. Names
of axes also decide what kind of node Godot makes.

The rest pose of a joint whose frames do not coincide, moved into its limits.

Godot counts from the pose in which a joint is loaded, where both of its frames are that of its
node. Let T be the pose of the connected frame in the joint frame, T0 the same at rest, and G what
Godot counts. With its node at the joint frame T = G T0, with its node at the connected frame
T = T0 G; where T0 is along or about the one axis that turns, one of them only adds to the
coordinates. Where several turn and T0 = Q Q is a turn about the only one that anything holds, a
node that is turned by Q counts T = Q G Q, which adds the angle of T0 to the one about that axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from math import atan, hypot, inf, pi, tan

from ..body import ZERO
from ..geometry.transform import (
    Matrix,
    Rotation,
    matrix_from,
    multiply,
    quaternion_from_rotation,
    rotation_angle,
)
from ..joint import AXES, Freedom, JointSettings
from ..settings.coordinates import axis_rotation, coordinates, relative
from ..settings.spans import Span, Spans, spans_within
from .settings import sliding_axes, turning_axes

X, Y, Z = AXES


class GodotJoint(StrEnum):
    """The kind of node that Godot's OMI add-on makes of a joint."""

    PIN = "PinJoint3D"
    HINGE = "HingeJoint3D"
    SLIDER = "SliderJoint3D"
    GENERIC = "Generic6DOFJoint3D"


def godot_joint(settings: JointSettings, spans: Spans) -> GodotJoint:
    """Return what Godot makes of a joint.

    Only hinges about glTF Z and sliders along glTF X get a node of their own; each axis of an
    equally held pair must be held with the same stiffness and damping.
    """
    driven = {(drive.type, drive.axis) for drive in settings.drives}
    linear, angular = spans[:3], spans[3:]
    if all(map(_is_fixed, linear)) and driven <= {(Freedom.ANGULAR, Z)}:
        if not driven and not any(span.limits for span in angular):
            return GodotJoint.PIN
        if _held_alike(angular[X], angular[Y]) and not _is_fixed(angular[Z]):
            return GodotJoint.HINGE
    if (
        not driven
        and _held_alike(linear[Y], linear[Z])
        and _held_alike(angular[Y], angular[Z])
        and not (_is_fixed(linear[X]) and _is_fixed(angular[X]))
    ):
        return GodotJoint.SLIDER
    return GodotJoint.GENERIC


def explodes(spans: Spans, kind: GodotJoint) -> bool:
    """Return whether the older of Godot's engines, which divides by some damping, fails on it."""
    minded = {
        GodotJoint.PIN: spans[:3],
        GodotJoint.HINGE: spans[3 + Z :],
        GodotJoint.SLIDER: spans,
        GodotJoint.GENERIC: (),
    }[kind]
    return any(
        not limit.is_soft and limit.damping == 0.0 for span in minded for limit in span.limits
    )


def _is_fixed(span: Span) -> bool:
    return span.low == 0.0 == span.high


def _held_alike(a: Span, b: Span) -> bool:
    if not (_is_fixed(a) and _is_fixed(b)):
        return False
    (one, other) = (span.limits[-1] for span in (a, b))
    return (one.stiffness, one.damping) == (other.stiffness, other.damping)


@dataclass(frozen=True, slots=True)
class Layout:
    """What is done to a joint, beside its limits and drives."""

    shift: int = 0
    """Axis i is called i + shift."""
    exchanged: bool = False
    """Whether the bodies change sides."""

    @property
    def negated(self) -> Freedom:
        """The coordinates that change their sign.

        Godot counts distances as specified and angles the other way; sides that are exchanged turn
        both round.
        """
        return Freedom.LINEAR if self.exchanged else Freedom.ANGULAR


def layout_of(settings: JointSettings, *, is_held_by_moving: bool = False) -> Layout:
    """Return the layout of a joint whose settings are as ``settings.spelled`` returns them.

    Where the holder is the body that moves, what turns about several axes changes sides, since Jolt
    then errs less, and so may what slides along the axis that it turns about, since Jolt's locks of
    it come loose after some way.
    """
    spans = spans_within(settings.limits)
    turns, slides = turning_axes(spans), sliding_axes(spans)
    if len(turns) >= 2:
        return Layout((X - twist_axis(settings, spans)) % 3, is_held_by_moving and not slides)
    if len(turns) == 1 and not slides:
        return Layout(((Z if _fits_hinge(settings, spans) else Y) - turns[0]) % 3)
    if len(slides) == 1 and turns in ((), slides):
        return Layout((Y - slides[0]) % 3, exchanged=is_held_by_moving and turns == slides)
    return Layout()


def twist_axis(settings: JointSettings, spans: Spans) -> int:
    """Return the axis of a joint that turns about several ones that Godot is to call X."""
    return min(AXES, key=lambda axis: swing_error(settings, spans, axis))


def turning_error(settings: JointSettings, spans: Spans) -> float:
    """Return by how much Godot measures or holds several angles otherwise, in rad.

    Jolt holds the twist about the X of one of the bodies. Where it is to be held is the axis
    halfway between the X of both, which is aside by half of the swing.
    """
    turns, twist = turning_axes(spans), twist_axis(settings, spans)
    driven = any(drive.type is Freedom.ANGULAR for drive in settings.drives)
    if len(turns) < 2 or not (driven or any(not spans[3 + axis].is_free for axis in AXES)):
        return 0.0
    swings = [spans[3 + axis].reach for axis in turns if axis != twist]
    aside = 0.5 * min(max(swings), pi) if driven or not spans[3 + twist].is_free else 0.0
    return max(swing_error(settings, spans, twist), aside)


def swing_error(settings: JointSettings, spans: Spans, twist: int) -> float:
    """Return how far Godot's angles are off at the ends of the ranges, if an axis is called X.

    In rad. What nothing bounds is looked at up to a quarter turn.
    """
    driven = {drive.axis for drive in settings.drives if drive.type is Freedom.ANGULAR}
    worst = 0.0
    for axis in AXES:
        span = spans[3 + axis]
        if axis == twist or (span.is_free and axis not in driven):
            continue
        other = 3 - axis - twist
        for own, across, about in product(
            _tangents(span), _tangents(spans[3 + other]), _tangents(spans[3 + twist])
        ):
            swing = (abs(own) - abs(across * about), abs(own) + abs(across * about))
            off = (2.0 * atan(one / (1.0 + about * about)) - 2.0 * atan(abs(own)) for one in swing)
            worst = max(worst, *map(abs, off))
    return worst


def _tangents(span: Span) -> tuple[float, float]:
    """Return the tangents of half the ends of a range."""
    low, high = (max(-0.5 * pi, min(0.5 * pi, bound)) for bound in (span.low, span.high))
    return tan(0.5 * low), tan(0.5 * high)


def _fits_hinge(settings: JointSettings, spans: Spans) -> bool:
    """Return whether Godot's plain hinge holds everything: free, or a motor without a limit."""
    if not all(spans[3 + axis].is_free or spans[3 + axis].is_locked for axis in AXES):
        return False
    return all(
        drive.position_target is None and drive.max_force == inf for drive in settings.drives
    )


NEAR, NEAR_ANGLE = 1e-5, 1e-5
"""m and rad that do not count."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Where the node of a joint stands in the file, and what its coordinates are there."""

    frame: Matrix
    """Of the joint node, and of the connected one where it counts exactly."""
    zero: tuple[float, ...]
    """Value of each coordinate at rest, which Godot calls zero."""
    is_exact: bool = True
    """Whether counting from there says the same joint."""


def rest_of(settings: JointSettings, joint_frame: Matrix, connected_frame: Matrix) -> Rest:
    """Return how the rest pose of a joint goes into its limits."""
    place, rotation = relative(joint_frame, connected_frame)
    apart, turned = hypot(*place) > NEAR, abs(rotation_angle(rotation)) > NEAR_ANGLE
    nothing = (0.0,) * 6
    if not apart and not turned:
        return Rest(joint_frame, nothing)
    spans = spans_within(settings.limits)
    values = coordinates(spans, joint_frame, connected_frame)
    about = _axis_of(rotation) if turned else None
    turns, slides = turning_axes(spans), sliding_axes(spans)
    matters = any(drive.type is Freedom.ANGULAR for drive in settings.drives)
    matters |= not all(spans[3 + axis].is_free for axis in AXES)
    zero = (*values[:3], *(values[3:] if matters else nothing[3:]))
    if not (turned and matters and turns and turns != (about,)):
        # At the joint frame T = G T0 adds coordinates: R = RG R0 and p = pG + RG p0.
        across = [place[axis] for axis in AXES if turns != (axis,)]
        if not apart or not turns or (len(turns) == 1 and hypot(*across) <= NEAR):
            return Rest(joint_frame, _snapped(spans, zero))
        # At the connected frame T = T0 G does: R = R0 RG and p = p0 + R0 pG.
        if not turned or not slides or slides == (about,):
            return Rest(connected_frame, _snapped(spans, zero))
    alone = _held_alone(settings, spans, about)
    if alone is not None and not apart:
        halfway = matrix_from(axis_rotation(alone, 0.5 * values[3 + alone]), ZERO)
        return Rest(multiply(joint_frame, halfway), _snapped(spans, values))
    return Rest(joint_frame, nothing, is_exact=False)


def _held_alone(settings: JointSettings, spans: Spans, about: int | None) -> int | None:
    """Return the axis of the turn at rest, where no other free one is held and nothing slides."""
    turns = turning_axes(spans)
    if about not in turns or sliding_axes(spans):
        return None
    driven = {drive.axis for drive in settings.drives if drive.type is Freedom.ANGULAR}
    others = (axis for axis in turns if axis != about)
    if any(axis in driven or not spans[3 + axis].is_free for axis in others):
        return None
    return about


def _axis_of(rotation: Rotation) -> int | None:
    """Return the axis that a rotation is about, where it is one of the three."""
    x, y, z, _ = quaternion_from_rotation(rotation)
    vector = (x, y, z)
    axis = max(AXES, key=lambda i: abs(vector[i]))
    across = hypot(*(vector[i] for i in AXES if i != axis))
    return axis if across <= NEAR_ANGLE else None


def _snapped(spans: Spans, values: tuple[float, ...]) -> tuple[float, ...]:
    """Return values where a lock that is met becomes exactly zero when it is counted from them."""
    near = (NEAR,) * 3 + (NEAR_ANGLE,) * 3
    return tuple(
        span.low if span.is_locked and abs(span.low - value) <= 10.0 * limit else value
        for span, value, limit in zip(spans, values, near, strict=True)
    )
