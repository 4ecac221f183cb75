# SPDX-License-Identifier: GPL-3.0-or-later
"""``check``, ``info`` and ``export``: what is in files, and .blend files written as others."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from ..library.formats import BLEND, Choices
from ..library.guarded import guarded
from ..library.offered import check, read
from ..model.contents import ContentsError
from ..model.issue import summary
from ..model.readers import Reader
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
    report = reported(outcome)
    if command == "info":
        report["info"] = outcome.info
    if command == "export":
        report.setdefault("output", "")
    return report


def examined(
    path: Path,
    command: str,
    readers: Sequence[Reader] = (),
    articulations: str | None = None,
    choices: Choices | None = None,
    *,
    tries: bool = False,
) -> Outcome:
    """Check a file, and say what is in it; only .blend needs Blender.

    Check speaks of these readers; without any of those that a .blend names, else the usual ones.
    Articulations are a pattern of names, where info is to say them; None is not. With ``tries`` it
    is moved as Godot moves it.
    """
    if path.suffix.lower() == BLEND:
        asks = {"command": command, "path": str(path), "articulations": articulations}
        return asked({**asks, "readers": readers, "tries": tries})
    try:
        with guarded():
            reading = read(path, choices)
            issues = check(reading, readers, tries=tries)
            return Outcome(path, issues, info_of(reading.mechanism, articulations))
    except ContentsError as error:
        return Outcome(path, error=str(error))


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
