# SPDX-License-Identifier: GPL-3.0-or-later
"""``convert``: a file in another format, its physics in other dialects."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from ..library.offered import convert as converted
from ..model.contents import ContentsError
from ..model.issue import against_strict
from .examine import reported
from .judging import Judge
from .outcome import REFUSED, Outcome
from .reports.github import tell_files
from .reports.versions import deliver, versions
from .words.convert import choices_of


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    (task,) = arguments.tasks
    judge = Judge.of(arguments)
    outcome = Outcome(task.path, judge=judge)
    try:
        choices = choices_of(arguments)
        result = converted(task.path, task.target, arguments.dialect, choices)
        outcome = replace(outcome, issues=judge.heard(result.issues))
        if arguments.strict and against_strict(outcome.issues):
            outcome = replace(outcome, error=REFUSED, is_refused=True)
        else:
            result.write(overwrite=arguments.overwrite)
            outcome = replace(outcome, outputs=(task.target,))
    except ContentsError as trouble:
        outcome = replace(outcome, error=str(trouble))
    if arguments.json:
        report = {"command": "convert", "versions": versions(), **reported(outcome)}
        deliver(arguments, report)
    else:
        outcome.print_results("convert", named=False)
        sys.stdout.flush()
    outcome.print_troubles(named=False, issues=not arguments.json)
    if arguments.annotations:
        tell_files("convert", [reported(outcome)])
    return outcome.code
