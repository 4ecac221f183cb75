# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of readers: which are asked, and which of their findings count.

A rule may say more than a reader deserves, since readers share rules; what ``model.readers`` does
not list of a reader and a kind of file is not said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ...issue import Issue
from ...readers import PROFILES, Reader
from ...wording.words import some
from ..survey import Survey
from .alike import alike_issues, jointless_issues, material_issues, unserved_issues
from .babylon import babylon_issues
from .godot_bodies import godot_body_issues
from .godot_joints import godot_joint_issues
from .godot_tumbling import tumbling_issues
from .omi_godot import omi_godot_issues
from .stages import newton_issues, physx_issues
from .unity import unity_issues

Rule = Callable[[Survey], Iterator[Issue]]

_ENGINE: tuple[Rule, ...] = (alike_issues, godot_joint_issues, godot_body_issues, tumbling_issues)
RULES: dict[Reader, tuple[Rule, ...]] = {
    Reader.SPEC: (),
    Reader.GODOT: (material_issues, *_ENGINE),
    Reader.GODOT_OMI: (omi_godot_issues, *_ENGINE),
    Reader.GODOT_PLAIN: (jointless_issues,),
    Reader.BABYLON: (alike_issues, babylon_issues),
    Reader.UNITY: (jointless_issues, alike_issues, unity_issues),
    Reader.VIEWERS: (jointless_issues, alike_issues),
    Reader.NEWTON: (alike_issues, newton_issues),
    Reader.PHYSX: (
        alike_issues,
        material_issues,
        godot_joint_issues,
        tumbling_issues,
        physx_issues,
    ),
}
"""By reader; each rule is asked once, however many readers have it."""

OF_LOADS = frozenset(
    ("godot-motor-damping", "godot-damper", "godot-far-spring", "physx-far-spring")
)
"""What hangs on what a joint bears besides its settings, so it is found joint by joint."""


def engine_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what the readers of a mechanism do otherwise, as far as their table says so."""
    yield from unserved_issues(survey)
    yield from _once_a_block(survey, _issues_of_readers(survey))


def _once_a_block(survey: Survey, found: Iterable[Issue]) -> Iterator[Issue]:
    """Yield issues; what is so of several joints by the settings that they share, once of these."""
    settings_of: dict[int | None, int] = {ends.index: ends.joint.settings for ends in survey.joints}
    alike: dict[tuple[object, ...], list[Issue]] = {}
    for issue in found:
        if issue.code in OF_LOADS and issue.node in settings_of:
            key = (settings_of[issue.node], issue.code, issue.message)
            alike.setdefault(key, []).append(issue)
        else:
            yield issue
    for group in alike.values():
        if len(group) == 1:
            yield group[0]
            continue
        block = settings_of[group[0].node]
        names = some([repr(one.where) for one in group])
        says = f"{group[0].message} So it is with {names}, which share these settings."
        yield replace(group[0], where=survey.settings_name(block), message=says)


def _issues_of_readers(survey: Survey) -> Iterator[Issue]:
    asked = dict.fromkeys(
        rule for reader in PROFILES if reader in survey.readers for rule in RULES[reader]
    )
    for rule in asked:
        yield from (
            issue
            for issue in rule(survey)
            if issue.code in survey.differences and not survey.is_refuted(issue.code, issue.node)
        )
