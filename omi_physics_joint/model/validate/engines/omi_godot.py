# SPDX-License-Identifier: GPL-3.0-or-later
"""What omi-godot makes of a joint of a file that is not written for it.

Axes here are those of glTF. It is gone in a file that is written for Godot; what is left there, and
with every add-on, is in ``godot_joints`` and ``godot_bodies``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...geometry.frames import is_lopsided
from ...godot.nodes import GodotJoint, godot_joint
from ...issue import Issue
from ...joint import AXES, Drive, Freedom
from ...settings.spans import Span, Spans
from ...target import Target
from ...wording.on_axes import named, some_of
from ..survey import Survey

X, Y, Z = AXES


def omi_godot_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what omi-godot would stumble on in a file that is for everybody."""
    if survey.target is Target.GODOT:
        return
    kinds: list[GodotJoint] = []
    for index, settings in enumerate(survey.mechanism.settings):
        kind = godot_joint(settings, survey.within[index])
        kinds.append(kind)
        yield from _turn_about_x(survey, index, kind)
        yield from _one_bound(survey, index, kind)
        yield from _last_limit_wins(survey, index)
        for drive in settings.drives:
            yield from _hinge_drive(survey, index, drive, kind)
    yield from _angular_sign(survey, kinds)
    yield from _hard_limits(survey, kinds)


def _turn_about_x(survey: Survey, index: int, kind: GodotJoint) -> Iterator[Issue]:
    turn = survey.within[index][3 + X]
    if kind is GodotJoint.SLIDER and not turn.is_locked:
        way = survey.words.way(Freedom.ANGULAR, X)
        better = survey.words.name(Z)
        yield survey.at_settings(
            "godot-turn-about-x",
            index,
            f"This joint turns {way}; omi-godot makes a slider of it, which does not turn.",
            f"Turn both frames so that it turns about {better} instead.",
        )


def _one_bound(survey: Survey, index: int, kind: GodotJoint) -> Iterator[Issue]:
    spans = survey.within[index]
    checked = {GodotJoint.HINGE: spans[3 + Z], GodotJoint.SLIDER: spans[X]}.get(kind)
    if checked is not None and checked.is_one_sided:
        noun = "hinge" if kind is GodotJoint.HINGE else "slider"
        yield survey.at_settings(
            "godot-one-bound",
            index,
            f"This {noun} has only a minimum or a maximum; with omi-godot its bodies vanish.",
        )


def _last_limit_wins(survey: Survey, index: int) -> Iterator[Issue]:
    crowded = [span for span in survey.within[index] if _differing(span)]
    if crowded:
        ways = [survey.words.way(span.freedom, span.axis) for span in crowded]
        yield survey.at_settings(
            "godot-last-limit-wins",
            index,
            f"There is more than one limit {some_of(ways)}; omi-godot takes only the last one.",
        )


def _hinge_drive(survey: Survey, index: int, drive: Drive, kind: GodotJoint) -> Iterator[Issue]:
    way = survey.words.way(drive.type, drive.axis)
    if kind is GodotJoint.HINGE and drive.velocity_target is None:
        better = survey.words.name(Y)
        yield survey.at_settings(
            "godot-hinge-drive",
            index,
            f"The drive {way} has no target velocity; on such a hinge omi-godot loses the bodies.",
            f"Turn both frames so that the hinge turns about {better}, or give it a target "
            "velocity.",
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
        verb = "turns" if len(names) == 1 else "turn"
        yield survey.at_scene(
            "godot-angular-sign", f"With omi-godot {named(names)} {verb} the wrong way."
        )


def _hard_limits(survey: Survey, kinds: list[GodotJoint]) -> Iterator[Issue]:
    """The older of Godot's two engines divides by the damping of some limits; said once."""
    hard = [explodes(spans, kind) for spans, kind in zip(survey.within, kinds, strict=True)]
    names = [survey.name(ends.index) for ends in survey.joints if hard[ends.joint.settings]]
    if names:
        yield survey.at_scene(
            "godot-hard-limits",
            f"Rigid limits of {named(names)} are unstable in Godot Physics (Jolt is fine).",
        )


def explodes(spans: Spans, kind: GodotJoint) -> bool:
    """Return whether Godot Physics fails on a joint: rigid without damping where that matters."""
    minded = {
        GodotJoint.PIN: spans[:3],
        GodotJoint.HINGE: spans[3 + Z :],
        GodotJoint.SLIDER: spans,
        GodotJoint.GENERIC: (),
    }[kind]
    return any(
        not limit.is_soft and limit.damping == 0.0 for span in minded for limit in span.limits
    )


def _differing(span: Span) -> bool:
    """Whether several limits on one axis say different things."""
    return len({(x.min, x.max, x.stiffness, x.damping) for x in span.limits}) > 1
