# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers to which joints say nothing, and files that say nothing to their readers."""

from __future__ import annotations

from collections.abc import Iterator

from ...issue import Issue
from ...readers import OF_STAGES, PROFILES
from ...wording.words import listed
from ..survey import Survey

JOINTLESS = ("godot-no-joints", "unity-no-joints", "viewers-no-joints")


def jointless_issues(survey: Survey) -> Iterator[Issue]:
    """Yield of each reader that holds no joints that it does not, once for all of them."""
    for code in JOINTLESS:
        if code in survey.differences:
            yield from survey.of_nodes(code, [ends.index for ends in survey.joints])


def unserved_issues(survey: Survey) -> Iterator[Issue]:
    """Yield the readers that a scene is meant for and that its file is not for, said once."""
    if not any(node.is_physical for node in survey.mechanism.nodes):
        return
    profiles = [PROFILES[one] for one in PROFILES if one in survey.readers - OF_STAGES]
    misled = [one.name for one in profiles if survey.target not in one.targets]
    if misled:
        yield survey.at_scene("reader-misled", readers=listed(misled))
    deaf = [
        one.name for one in profiles if not one.dialects & survey.spoken and one.name not in misled
    ]
    if deaf:
        yield survey.at_scene("reader-deaf", readers=listed(deaf))
