# SPDX-License-Identifier: GPL-3.0-or-later
"""``check``, ``info``, ``convert``, ``export``: what is in files, and files written as others."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ..library.formats import BLEND
from ..library.guarded import guarded
from ..library.offered import check, convert, read
from ..model.contents import ContentsError
from ..model.issue import against_strict
from .batch.tasks import Task
from .blender_door import Asked, DoorError, ask_blender
from .outcome import REFUSED, Judge, Outcome, outcome_of
from .reports.report import info_of
from .words.convert import choices_of


def does(task: Task, arguments: argparse.Namespace) -> Outcome:
    """Do one of the commands with a file."""
    if arguments.command == "export":
        return _exported(task, arguments)
    if arguments.command == "convert":
        return _converted(task, arguments)
    wanted = arguments.require if arguments.command == "check" else None
    return _examined(task.path, arguments).requiring(wanted or ())


def _examined(path: Path, arguments: argparse.Namespace) -> Outcome:
    """Check a file, and say what is in it; only .blend needs Blender."""
    if path.suffix.lower() == BLEND:
        words = {name: getattr(arguments, name) for name in ("command", "articulations", "tries")}
        return asked({**words, "path": str(path), "readers": arguments.reader})
    try:
        with guarded():
            reading = read(path, choices_of(arguments))
            issues = check(reading, arguments.reader or (), tries=arguments.tries)
            return Outcome(path, issues, info_of(reading.mechanism, arguments.articulations))
    except ContentsError as error:
        return Outcome(path, error=str(error))


def _converted(task: Task, arguments: argparse.Namespace) -> Outcome:
    """Write a file in another format, its physics in other dialects."""
    outcome = Outcome(task.path)
    try:
        result = convert(task.path, task.target, arguments.dialect, choices_of(arguments))
        outcome = replace(outcome, issues=Judge.of(arguments).heard(result.issues))
        if arguments.strict and against_strict(outcome.issues):
            return replace(outcome, error=REFUSED, is_refused=True)
        result.write(overwrite=arguments.overwrite)
        return replace(outcome, outputs=(task.target,))
    except ContentsError as trouble:
        return replace(outcome, error=str(trouble))


def _exported(task: Task, arguments: argparse.Namespace) -> Outcome:
    """Export a file whose output is its own."""
    if task.trouble or task.output is None:
        return Outcome(task.path, error=task.trouble)
    names = ("strict", "target", "dialect", "current_frame", "scripts", "split")
    choices = {name: getattr(arguments, name) for name in names}
    choices |= {"readers": arguments.reader, "ignored": Judge.of(arguments).ignored}
    return exported(task.path, task.output, arguments.format, choices)


def exported(path: Path, output: Path, form: str, choices: Mapping[str, Asked]) -> Outcome:
    """Export a .blend file through Blender, in one of ``formats.READABLE``.

    The choices are ``strict``, ``target``, ``dialect``, ``current_frame`` and ``readers``; None is
    as the .blend file says. ``ignored`` are codes that strict does not look at.
    """
    if path.suffix.lower() != BLEND:
        return Outcome(path, error="Only .blend files can be exported.")
    own = {"command": "export", "path": str(path), "output": str(output.absolute()), "format": form}
    return asked({**own, **choices})


def asked(request: Mapping[str, Asked]) -> Outcome:
    """Let Blender do a request on a .blend file."""
    path = Path(str(request["path"]))
    if not path.is_file():
        return Outcome(path, error="There is no such file.")
    if str(path).encode(errors="ignore").decode() != str(path):
        return Outcome(path, error="Blender opens no file whose name is not UTF-8: rename it.")
    full = {"output": "", "format": "", "strict": None, **request, "path": str(path.resolve())}
    try:
        reply = ask_blender(full)
    except DoorError as error:
        return Outcome(path, error=str(error))
    return outcome_of(path, reply)
