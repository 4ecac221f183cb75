# SPDX-License-Identifier: GPL-3.0-or-later
"""What omi-godot makes of a joint of a file that is not written for it.

Axes here are those of glTF. It is gone in a file that is written for Godot; what is left there, and
with every add-on, is in ``godot_joints`` and ``godot_bodies``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...geometry.frames import is_lopsided
from ...godot.nodes import GodotJoint, godot_joint
from ...issue import Issue
from ...joint import AXES, Drive, Freedom
from ...settings.spans import Spans
from ...target import Target
from ...wording.words import some
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
        yield from _settings(survey, index, kind)
        if kind is GodotJoint.HINGE:
            yield from _hinge_drives(survey, index, settings.drives)
    yield from _angular_sign(survey, kinds)
    hard = [explodes(spans, kind) for spans, kind in zip(survey.within, kinds, strict=True)]
    unstable = [ends.index for ends in survey.joints if hard[ends.joint.settings]]
    yield from survey.of_nodes("godot-hard-limits", unstable)


def _settings(survey: Survey, index: int, kind: GodotJoint) -> Iterator[Issue]:
    spans = survey.within[index]
    if kind is GodotJoint.SLIDER and not spans[3 + X].is_locked:
        way, better = survey.words.way(Freedom.ANGULAR, X), survey.words.name(Z)
        mend = f"Turn both frames so that it turns about {better} instead."
        yield survey.at_settings("godot-turn-about-x", index, mend=mend, way=way)
    checked = {GodotJoint.HINGE: spans[3 + Z], GodotJoint.SLIDER: spans[X]}.get(kind)
    if checked is not None and checked.is_one_sided:
        yield survey.at_settings("godot-one-bound", index, kind=kind.name.lower())
    crowded = [survey.words.way(one.freedom, one.axis) for one in spans if one.opinions > 1]
    if crowded:
        yield survey.at_settings("godot-last-limit-wins", index, ways=some(crowded))


def _hinge_drives(survey: Survey, index: int, drives: Sequence[Drive]) -> Iterator[Issue]:
    better = survey.words.name(Y)
    mend = f"Turn both frames so that the hinge turns about {better}, or give it a target velocity."
    for drive in drives:
        if drive.velocity_target is None:
            way = survey.words.way(drive.type, drive.axis)
            yield survey.at_settings("godot-hinge-drive", index, mend=mend, way=way)


def _angular_sign(survey: Survey, kinds: list[GodotJoint]) -> Iterator[Issue]:
    """Godot measures angles the other way round; said once, whatever the number of joints."""
    turned = [
        any(is_lopsided(settings, Freedom.ANGULAR, axis) for axis in AXES)
        and kind is not GodotJoint.SLIDER
        for settings, kind in zip(survey.mechanism.settings, kinds, strict=True)
    ]
    wrong = [ends.index for ends in survey.joints if turned[ends.joint.settings]]
    yield from survey.of_nodes("godot-angular-sign", wrong)


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
