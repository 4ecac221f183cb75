# SPDX-License-Identifier: GPL-3.0-or-later
"""Which kind of node Godot's OMI add-on makes of a joint. Axes are those of glTF."""

from __future__ import annotations

from enum import StrEnum

from ..joint import AXES, Freedom, JointSettings
from ..settings.spans import Span, Spans

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
