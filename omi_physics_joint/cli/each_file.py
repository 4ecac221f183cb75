# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command does with each of its files, told to people, to programs and to GitHub."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..library.guarded import NO_NUMPY
from ..library.offered import read
from ..model.contents import ContentsError
from ..model.issue import summary
from .batch.tasks import Task
from .outcome import FINE, Judge, Outcome, Repeats
from .reports.github import tell_files
from .reports.versions import versions
from .streams import silenced

Does = Callable[[Task, argparse.Namespace], Outcome]
"""What a command does with one file, by its words."""


def run(does: Does, arguments: argparse.Namespace) -> int:
    """Do it with all files, tell of them, and return the exit code."""
    command = arguments.command
    with silenced() if arguments.quiet else nullcontext():
        outcomes = _outcomes(does, arguments)
    code = max((outcome.code for outcome in outcomes), default=FINE)
    says_solver = command == "info" and arguments.solver
    if arguments.json:
        files = [_as_json(outcome, command) for outcome in outcomes]
        report = {"command": command, "code": code, "versions": versions(), "files": files}
        if command == "convert":
            report = {"command": command, "versions": versions(), **files[0]}
        if says_solver:
            report["solver"] = _solver()
        print(json.dumps(report, indent=2), flush=True)
        for outcome in outcomes:
            outcome.print_troubles(named=len(outcomes) > 1, issues=False)
    else:
        _print_all(outcomes, command, says_solver=says_solver)
    if arguments.annotations:
        tell_files(command, [outcome.as_json() for outcome in outcomes])
    return code


def entry(does: Does, arguments: argparse.Namespace) -> dict[str, Any]:
    """Do it with the one file of a worker, and return what is reported of it."""
    (outcome,) = _outcomes(does, arguments)
    return _as_json(outcome, arguments.command)


def _outcomes(does: Does, arguments: argparse.Namespace) -> list[Outcome]:
    judge = Judge.of(arguments)
    return [does(task, arguments).judged(judge) for task in arguments.tasks]


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
                print(summary(outcome.issues) + ", and no physics" * outcome.is_bare)
    elif command == "check":
        every = [issue for outcome in outcomes for issue in outcome.issues]
        unread = sum(bool(outcome.error) for outcome in outcomes)
        bare = sum(outcome.is_bare for outcome in outcomes)
        not_read = f", {unread} unreadable" * (unread > 0) + f", {bare} without physics" * (
            bare > 0
        )
        for line in again:
            print(line)
        print(f"{len(outcomes)} files{not_read}: {summary(every)}")
    sys.stdout.flush()
    for outcome in said:
        outcome.print_troubles(named=several, issues=command != "check")
    for line in again if command != "check" else ():
        print(line, file=sys.stderr)


def _solver() -> str:
    if find_spec("numpy") is None:
        return NO_NUMPY
    from ..solver.engines.kernel import kernel  # loads NumPy, which the other commands do without

    return kernel().sentence


def _as_json(outcome: Outcome, command: str) -> dict[str, Any]:
    """Return what is reported of a file, and of all that was written: of each, and their sums."""
    report = outcome.as_json()
    written = [_written(Path(output)) for output in outcome.outputs]
    if written:
        sums = [name for name in written[0] if name != "path"]
        counts = {name: sum(one.get(name, 0) for one in written) for name in sums}
        report |= {"output": outcome.outputs[0], **counts, "outputs": written}
    if command == "info":
        report["info"] = outcome.info
    if command == "export":
        report.setdefault("output", "")
    if command == "simulate":
        report["said"] = list(outcome.said)
    return report


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
