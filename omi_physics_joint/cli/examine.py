# SPDX-License-Identifier: GPL-3.0-or-later
"""``check``, ``info`` and ``export``: what is in files, and .blend files written as others."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from ..library.formats import BLEND
from ..library.guarded import guarded
from ..library.offered import check, read
from ..model.contents import ContentsError
from ..model.issue import summary
from .batch.tasks import Task
from .blender_door import Asked, DoorError, ask_blender
from .judging import Judge
from .outcome import FINE, Outcome, Repeats, outcome_of
from .reports.github import tell_files
from .reports.report import info_of
from .reports.versions import deliver, versions
from .streams import silenced
from .words.convert import choices_of


def run(arguments: argparse.Namespace) -> int:
    """Run one of the commands and return its exit code."""
    command = arguments.command
    with silenced() if arguments.quiet else nullcontext():
        if command == "export":
            found = [_exported(task, arguments) for task in arguments.tasks]
        else:
            found = [_examined(task.path, arguments) for task in arguments.tasks]
    wanted = arguments.require if command == "check" else None
    judge = Judge.of(arguments)
    outcomes = [outcome.requiring(wanted or ()).judged(judge) for outcome in found]
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
        tell_files(command, [reported(outcome) for outcome in outcomes])
    return code


def _print_all(outcomes: Sequence[Outcome], command: str, *, says_solver: bool) -> None:
    """Print what was found, for people."""
    if says_solver:
        print(_solver())
    several = len(outcomes) > 1
    repeats = Repeats()
    said = [repeats.left_out(outcome) for outcome in outcomes]
    again = repeats.lines()
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


def _solver() -> str:
    from ..solver.engines.kernel import kernel  # loads NumPy, which the other commands do without

    return kernel().sentence


def _exported(task: Task, arguments: argparse.Namespace) -> Outcome:
    """Export a file whose output is its own."""
    if task.trouble or task.output is None:
        return Outcome(task.path, error=task.trouble)
    names = ("strict", "target", "dialect", "current_frame", "scripts", "split")
    choices = {name: getattr(arguments, name) for name in names}
    choices |= {"readers": arguments.reader, "ignored": Judge.of(arguments).ignored}
    return exported(task.path, task.output, arguments.format, choices)


def _as_json(outcome: Outcome, command: str) -> dict[str, Any]:
    report = reported(outcome)
    if command == "info":
        report["info"] = outcome.info
    if command == "export":
        report.setdefault("output", "")
    return report


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
    full = {"output": "", "format": "", "strict": None, **request, "path": str(path.resolve())}
    try:
        reply = ask_blender(full)
    except DoorError as error:
        return Outcome(path, error=str(error))
    return outcome_of(path, reply)


def reported(outcome: Outcome) -> dict[str, Any]:
    """Return what is reported of a file, and of all that was written: of each, and their sums."""
    written = [_written(Path(output)) for output in outcome.outputs]
    if not written:
        return outcome.as_json()
    sums = [name for name in written[0] if name != "path"]
    counts = {name: sum(one.get(name, 0) for one in written) for name in sums}
    return {**outcome.as_json(), "output": outcome.outputs[0], **counts, "outputs": written}


def _written(output: Path) -> dict[str, Any]:
    """Return how large a file is that was written, and what is in it when it is read again."""
    report: dict[str, Any] = {"path": str(output)}
    with suppress(ContentsError, OSError):  # somebody may have taken it away
        report["bytes"] = output.stat().st_size
        nodes = read(output).mechanism.nodes
        report["bodies"] = sum(node.motion is not None for node in nodes)
        report["joints"] = sum(node.joint is not None for node in nodes)
        report["colliders"] = sum(node.collider is not None for node in nodes)
    return report
