# SPDX-License-Identifier: GPL-3.0-or-later
"""What viewers on the web do otherwise with joints, where they read any."""

from __future__ import annotations

from collections.abc import Iterator

from ...issue import Issue
from ...wording.words import some
from ..survey import Survey


def viewers_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what viewers with Havok or Ammo make of joints."""
    for index, settings in enumerate(survey.mechanism.settings):
        ways = [survey.way(drive) for drive in settings.drives]
        if ways:
            are = "is" if len(ways) == 1 else "are"
            yield survey.at_settings("viewers-drive", index, ways=some(ways), are=are)
