# SPDX-License-Identifier: GPL-3.0-or-later
"""What Godot does with a joint that is not what the specification says.

Measured in Godot 4.6.3 with the OMI add-on; only ``godot-last-limit-wins`` is read from its source.
Axes here are those of glTF.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from ..frames import is_lopsided
from ..issue import Issue
from ..joint import AXES, Drive, DriveMode, Freedom, JointSettings
from ..spans import Span, Spans
from .survey import Survey
from .words import some_of

SIGN_OPTION = "Angular Sign for Godot"
"""Name of the export option that reverses angles."""
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


def godot_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what Godot would stumble on."""
    kinds: list[GodotJoint] = []
    for index, settings in enumerate(survey.mechanism.settings):
        kind = godot_joint(settings, survey.spans[index])
        kinds.append(kind)
        yield from _turn_about_x(survey, index, kind)
        yield from _one_bound(survey, index, kind)
        yield from _last_limit_wins(survey, index)
        for drive in settings.drives:
            yield from _drive(survey, index, drive, kind)
    yield from _angular_sign(survey, kinds)
    yield from _hard_limits(survey, kinds)


def _turn_about_x(survey: Survey, index: int, kind: GodotJoint) -> Iterator[Issue]:
    turn = survey.spans[index][3 + X]
    if kind is GodotJoint.SLIDER and not turn.is_locked:
        way = survey.words.way(Freedom.ANGULAR, X)
        better = survey.words.name(Z)
        yield survey.at_settings(
            "godot-turn-about-x",
            index,
            f"This joint turns {way}; Godot makes a slider of it, which does not turn.",
            f"Turn both frames so that it turns about {better} instead.",
        )


def _one_bound(survey: Survey, index: int, kind: GodotJoint) -> Iterator[Issue]:
    spans = survey.spans[index]
    checked = {GodotJoint.HINGE: spans[3 + Z], GodotJoint.SLIDER: spans[X]}.get(kind)
    if checked is not None and checked.is_one_sided:
        noun = "hinge" if kind is GodotJoint.HINGE else "slider"
        yield survey.at_settings(
            "godot-one-bound",
            index,
            f"This {noun} has only one bound; in Godot with Jolt its bodies vanish.",
            "Give it the other bound too, for instance 180\N{DEGREE SIGN}."
            if kind is GodotJoint.HINGE
            else "Give it the other bound too, as far away as it can ever get.",
        )


def _last_limit_wins(survey: Survey, index: int) -> Iterator[Issue]:
    crowded = [span for span in survey.spans[index] if _differing(span)]
    if crowded:
        ways = [survey.words.way(span.freedom, span.axis) for span in crowded]
        yield survey.at_settings(
            "godot-last-limit-wins",
            index,
            f"There is more than one limit {some_of(ways)}; Godot takes only the last one.",
            "Join them into one limit for each axis.",
        )


def _drive(survey: Survey, index: int, drive: Drive, kind: GodotJoint) -> Iterator[Issue]:
    way = survey.words.way(drive.type, drive.axis)
    if kind is GodotJoint.HINGE and drive.velocity_target is None:
        better = survey.words.name(Y)
        yield survey.at_settings(
            "godot-hinge-drive",
            index,
            f"The drive {way} has no target velocity; on such a hinge Godot's bodies vanish.",
            f"Turn both frames so that the hinge turns about {better}, or give it a target "
            "velocity.",
        )
    if drive.mode is DriveMode.ACCELERATION:
        yield survey.at_settings(
            "godot-acceleration",
            index,
            f"The drive {way} works by acceleration; Godot takes its numbers as forces.",
            "Use the force mode if the joint is for Godot.",
        )
    if drive.position_target is not None and drive.velocity_target is not None:
        yield survey.at_settings(
            "godot-position-and-velocity",
            index,
            f"The drive {way} has a target position and a target velocity; Godot drops the spring.",
            "Keep only one of the two targets if the joint is for Godot.",
        )


def _angular_sign(survey: Survey, kinds: list[GodotJoint]) -> Iterator[Issue]:
    """Godot measures angles the other way round; said once, whatever the number of joints."""
    turned = [
        any(is_lopsided(settings, Freedom.ANGULAR, axis) for axis in AXES)
        and kind is not GodotJoint.SLIDER
        for settings, kind in zip(survey.mechanism.settings, kinds, strict=True)
    ]
    names = [survey.name(ends.index) for ends in survey.joints if turned[ends.joint.settings]]
    if names:
        yield survey.at_scene(
            "godot-angular-sign",
            f"In Godot {some_of(names)} {'turns' if len(names) == 1 else 'turn'} the other way.",
            f'If the file is for Godot, export it with "{SIGN_OPTION}".',
        )


def _hard_limits(survey: Survey, kinds: list[GodotJoint]) -> Iterator[Issue]:
    """The older of Godot's two engines divides by the damping of some limits; said once."""
    hard = [_explodes(spans, kind) for spans, kind in zip(survey.spans, kinds, strict=True)]
    names = [survey.name(ends.index) for ends in survey.joints if hard[ends.joint.settings]]
    if names:
        yield survey.at_scene(
            "godot-hard-limits",
            f"The hard limits of {some_of(names)} explode in the older engine, Godot Physics.",
            "Choose Jolt Physics in Godot's project settings.",
        )


def _explodes(spans: Spans, kind: GodotJoint) -> bool:
    """Whether Godot Physics fails on a joint: rigid without damping where its node minds that."""
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
    """Whether two axes are fixed by equal limits."""
    if not (_is_fixed(a) and _is_fixed(b)):
        return False
    (one, other) = (span.limits[-1] for span in (a, b))
    return (one.stiffness, one.damping) == (other.stiffness, other.damping)


def _differing(span: Span) -> bool:
    """Whether several limits on one axis say different things."""
    return len({(x.min, x.max, x.stiffness, x.damping) for x in span.limits}) > 1
