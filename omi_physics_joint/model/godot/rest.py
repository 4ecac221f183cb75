# SPDX-License-Identifier: GPL-3.0-or-later
"""The rest pose of a joint whose frames do not coincide, moved into its limits.

Godot counts from the pose in which a joint is loaded, where both of its frames are that of its
node. Let T be the pose of the connected frame in the joint frame, T0 the same at rest, and G what
Godot counts. With its node at the joint frame T = G T0, with its node at the connected frame
T = T0 G; where T0 is along or about the one axis that turns, one of them only adds to the
coordinates. Where several turn and T0 = Q Q is a turn about the only one that anything holds, a
node that is turned by Q counts T = Q G Q, which adds the angle of T0 to the one about that axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

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
from ..settings.spans import Spans, spans_within
from .settings import sliding_axes, turning_axes

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
