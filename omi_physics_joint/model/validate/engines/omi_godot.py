# SPDX-License-Identifier: GPL-3.0-or-later
"""What omi-godot makes of joints and bodies of a file that is not written for it.

Axes here are those of glTF. It is gone in a file that is written for Godot; what is left there, and
with every add-on, is in ``godot_joints`` and ``godot_bodies``.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import dist

from ...body import MotionType
from ...geometry.frames import is_lopsided
from ...godot.bodies import is_far_part, is_mirrored, new_parents, written_motion
from ...godot.layout import GodotJoint, explodes, godot_joint
from ...godot.settings import NONE, acting_drives, drive_on, is_far_spring, lock_as_spring
from ...issue import Issue
from ...joint import AXES, Freedom
from ...mechanism import Node
from ...wording.words import some
from ..survey import Ends, Survey
from .godot_joints import falls_behind

X, Y, Z = AXES
AIM = "Turn both frames so that the hinge"
ROUNDED = 1e-5
"""Part of a velocity that does not count."""


def omi_godot_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what omi-godot would stumble on in a file that is for everybody."""
    if survey.target.is_godots:
        return
    kinds: list[GodotJoint] = []
    for index, settings in enumerate(survey.mechanism.settings):
        kind = godot_joint(settings, survey.within[index])
        kinds.append(kind)
        yield from _settings(survey, index, kind)
        for drive in settings.drives if kind is GodotJoint.HINGE else ():
            if drive.velocity_target is None:
                mend = f"{AIM} turns about {survey.words.name(Y)}, or give it a target velocity."
                way = survey.way(drive)
                yield survey.at_settings("godot-hinge-drive", index, mend=mend, way=way)
        for span in survey.within[index]:
            if drive_on(settings, span) is None and lock_as_spring(span, NONE):
                yield survey.at_settings("godot-soft-lock", index, way=survey.way(span))
    yield from _angular_sign(survey, kinds)
    for ends in survey.joints:
        yield from _dampers(survey, ends)
    yield from _bodies(survey)
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
    crowded = [survey.way(one) for one in spans if one.opinions > 1]
    if crowded:
        yield survey.at_settings("godot-last-limit-wins", index, ways=some(crowded))


def _dampers(survey: Survey, ends: Ends) -> Iterator[Issue]:
    """Yield the drives that only the other spelling makes springs of."""
    for drive in acting_drives(survey.settings_of(ends), survey.within[ends.joint.settings]):
        if drive.pulls_to_place or drive.velocity_target:
            is_stronger = is_far_spring(drive) and falls_behind(survey, ends, drive)
        else:
            is_stronger = drive.type is Freedom.ANGULAR
        if is_stronger:
            yield survey.at_node("godot-damper", ends.index, way=survey.way(drive))


def _bodies(survey: Survey) -> Iterator[Issue]:
    """Yield the bodies and shapes that the other spelling has elsewhere, or in other numbers."""
    mechanism = survey.mechanism
    nodes = mechanism.nodes
    for index, node in enumerate(nodes):
        motion = node.motion
        if is_mirrored(node) and motion and motion.type is not MotionType.KINEMATIC:
            yield survey.at_node("godot-mirrored", index)
    found = {
        "godot-nested": sorted(new_parents(mechanism)),
        "godot-velocity": [
            index for index, node in enumerate(nodes) if survey.is_dynamic(index) and _starts(node)
        ],
        "godot-part": [i for i in range(len(nodes)) if is_far_part(mechanism, i)],
    }
    for code, those in found.items():
        yield from survey.of_nodes(code, those)


def _starts(node: Node) -> bool:
    """Return whether a body's velocities are other numbers in world axes, at its centre of mass."""
    said, told = node.motion, written_motion(node)
    if said is None or told is None:
        return False
    pairs = (
        (said.linear_velocity, told.linear_velocity),
        (said.angular_velocity, told.angular_velocity),
    )
    return any(dist(*pair) > ROUNDED * max(map(abs, pair[0])) for pair in pairs)


def _angular_sign(survey: Survey, kinds: list[GodotJoint]) -> Iterator[Issue]:
    """Godot measures angles the other way round; said once, whatever the number of joints."""
    turned = [
        any(is_lopsided(settings, Freedom.ANGULAR, axis) for axis in AXES)
        and kind is not GodotJoint.SLIDER
        for settings, kind in zip(survey.mechanism.settings, kinds, strict=True)
    ]
    wrong = [ends.index for ends in survey.joints if turned[ends.joint.settings]]
    yield from survey.of_nodes("godot-angular-sign", wrong)
