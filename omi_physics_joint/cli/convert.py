# SPDX-License-Identifier: GPL-3.0-or-later
"""``convert``: a file in another format, its physics in other dialects."""

from __future__ import annotations

import argparse
from dataclasses import replace

from ..library.offered import convert as converted
from ..model.contents import ContentsError
from ..model.issue import against_strict
from .batch.tasks import Task
from .judging import Judge
from .outcome import REFUSED, Outcome
from .words.convert import choices_of


def does(task: Task, arguments: argparse.Namespace) -> Outcome:
    """Write a file as another."""
    outcome = Outcome(task.path)
    try:
        choices = choices_of(arguments)
        result = converted(task.path, task.target, arguments.dialect, choices)
        outcome = replace(outcome, issues=Judge.of(arguments).heard(result.issues))
        if arguments.strict and against_strict(outcome.issues):
            return replace(outcome, error=REFUSED, is_refused=True)
        result.write(overwrite=arguments.overwrite)
        return replace(outcome, outputs=(task.target,))
    except ContentsError as trouble:
        return replace(outcome, error=str(trouble))
