# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands: the same words inside and outside Blender."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from ..files.inputs import fenced
from ..library.formats import BLEND
from ..model.issue import Severity, summary
from ..model.readers import DIFFERENCES, Reader
from ..model.wording.words import counted
from .batch.tasks import TasksError, tasks_of
from .batch.words import WORKER, is_supervised
from .convert import choices_of, convert
from .diff import diff
from .judging import Judge
from .outcome import FINE, WRONG_USE, Outcome, examined, exported
from .parser import parsed
from .reports.versions import deliver, versions
from .simulate import simulate
from .streams import accept_any_text, silenced

PROGRAM = "omi_physics_joint"


def main(argv: Sequence[str], program: str = PROGRAM) -> int:
    """Run one command, which a user has called by the name of a program.

    Returns:
        The largest of: 0 where all is well, 1 where a file has what the command is to fail on, 2
        where the command was used wrongly, 3 where a file could not be read or written, 4 where a
        worker died on one or was out of time; 130 where the run was stopped.
    """
    accept_any_text()
    if argv and argv[0] == WORKER:
        from .batch.worker import serve  # no other command needs it

        return serve(_fenced, needs_blender=BLEND in argv)
    try:
        arguments = parsed(argv, program)
    except SystemExit as end:  # argparse has said why; Blender must not end with it
        return end.code if isinstance(end.code, int) else WRONG_USE
    arguments.words = list(argv)
    try:
        if not _needs_workers(arguments):
            return _fenced(arguments)
        from .batch.run import run_batch  # neither this

        return run_batch(arguments)
    except TasksError as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG_USE


def _needs_workers(arguments: argparse.Namespace) -> bool:
    """Find out which files a command is about, and return whether workers are to do them.

    They are where the user asks for them, and of several .blend files: a crash costs one.
    """
    if is_supervised(arguments):
        arguments.tasks = tasks_of(arguments)
        return True
    if arguments.command not in ("check", "export", "info"):
        return False
    arguments.tasks = tasks_of(arguments)
    blends = (task.path.suffix.lower() == BLEND for task in arguments.tasks)
    return len(arguments.tasks) > 1 and any(blends)


def _fenced(arguments: argparse.Namespace) -> int:
    """Run the command that was asked for, in this process."""
    with fenced(getattr(arguments, "inside", None)):
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    command = arguments.command
    own = {"simulate": simulate, "convert": convert, "diff": diff}.get(command)
    if own is not None:
        return own(arguments)
    with silenced() if arguments.quiet else nullcontext():
        found = _export(arguments) if command == "export" else _examined(arguments)
    outcomes = [outcome.judged(Judge.of(arguments)) for outcome in found]
    code = max((outcome.code for outcome in outcomes), default=FINE)
    if arguments.json:
        files = [_as_json(outcome, command) for outcome in outcomes]
        report = {"command": command, "code": code, "versions": versions(), "files": files}
        if command == "info" and arguments.solver:
            report["solver"] = _solver()
        deliver(arguments, report)
        for outcome in outcomes:
            outcome.print_troubles(named=len(outcomes) > 1, issues=False)
    else:
        _print_all(outcomes, command, says_solver=command == "info" and arguments.solver)
    if arguments.annotations:
        from .reports.github import tell_files

        tell_files(command, [outcome.as_json() for outcome in outcomes])
    return code


def _print_all(outcomes: Sequence[Outcome], command: str, *, says_solver: bool) -> None:
    """Print what was found, for people."""
    if says_solver:
        print(_solver())
    several = len(outcomes) > 1
    said, again = _once_a_run(outcomes)
    for outcome in said:
        outcome.print_results(command, named=several)
    if command == "check" and not several:
        for outcome in said:
            if outcome.issues or not outcome.error:
                print(summary(outcome.issues))
    elif command == "check":
        every = [issue for outcome in outcomes for issue in outcome.issues]
        unread = sum(bool(outcome.error) for outcome in outcomes)
        not_read = f", {unread} not read" if unread else ""
        for line in again:
            print(line)
        print(f"{len(outcomes)} files{not_read}: {summary(every)}")
    sys.stdout.flush()
    for outcome in said:
        outcome.print_troubles(named=several, issues=command != "check")
    for line in again if command != "check" else ():
        print(line, file=sys.stderr)


def _once_a_run(outcomes: Sequence[Outcome]) -> tuple[list[Outcome], list[str]]:
    """Return outcomes that say a hint about a reader in the first file that it is about alone.

    What a reader does otherwise is the same in every file, and who reads it fifty times reads
    nothing more. The second part says in how many other files it is true.
    """
    more: Counter[str] = Counter()
    said: list[Outcome] = []
    known: set[str] = set()
    for outcome in outcomes:
        own = {one.code for one in outcome.issues if one.severity is Severity.HINT}
        repeated = own & known & DIFFERENCES.keys()
        more.update(sorted(repeated))
        known |= own
        said.append(outcome.without(repeated))
    return said, [f"{code}: likewise in {counted(more[code], 'other file')}" for code in more]


def _examined(arguments: argparse.Namespace) -> list[Outcome]:
    pattern: str | None = arguments.articulations
    readers = [Reader(one) for one in arguments.reader or ()]
    choices, command = choices_of(arguments), arguments.command
    tries: bool = arguments.tries
    found = (
        examined(task.path, command, readers, pattern, choices, tries=tries)
        for task in arguments.tasks
    )
    return [outcome.requiring(arguments.require or ()) for outcome in found]


def _solver() -> str:
    from ..solver.engines.kernel import kernel  # loads NumPy, which the other commands do without

    return kernel().sentence


def _export(arguments: argparse.Namespace) -> list[Outcome]:
    """Export every file whose output is its own."""
    names = ("strict", "target", "dialect", "current_frame", "scripts", "split")
    choices = {name: getattr(arguments, name) for name in names}
    choices |= {"readers": arguments.reader, "ignored": Judge.of(arguments).ignored}
    return [
        Outcome(task.path, error=task.trouble)
        if task.trouble or task.output is None
        else exported(task.path, task.output, arguments.format, choices)
        for task in arguments.tasks
    ]


def _as_json(outcome: Outcome, command: str) -> dict[str, Any]:
    report = outcome.as_json()
    if command == "info":
        report["info"] = outcome.info
    if command == "export":
        report.setdefault("output", "")
    return report
