# SPDX-License-Identifier: GPL-3.0-or-later
"""What people see of a run: a line a file as soon as it is done, and a summary."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from typing import Any

from ...model.wording.words import counted
from ..outcome import Outcome, Repeats
from ..streams import is_on_terminal

STATES = ("ok", "unchanged", "lost", "refused", "unreadable", "crashed", "timeout")
"""Of files, as the summary lists them."""
LOUD = frozenset(("crashed", "timeout", "unreadable", "refused"))


class RunProgress:
    """Says on standard error how a run goes, and on standard output what it was asked for."""

    def __init__(self, total: int, arguments: argparse.Namespace) -> None:
        """Begin, for a command with these words."""
        self._total, self._quiet, self._command = total, arguments.quiet, arguments.command
        self._says_results = not arguments.json
        self._began = time.monotonic()
        self._done = self._worked = 0
        self._repeats = Repeats()
        self._on_terminal = is_on_terminal()

    def file(self, entry: Mapping[str, Any], outcome: Outcome) -> None:
        """Say what came of a file."""
        state: str = entry["state"]
        self._done += 1
        if state == "unchanged" and not entry["code"]:
            return
        self._worked += state != "unchanged"
        if entry["code"] or not self._quiet:
            print(self._line(entry), file=sys.stderr)
        outcome = self._repeats.left_out(outcome)
        outcome.print_troubles(named=True, issues=self._command != "check")
        sys.stderr.flush()
        if self._says_results:
            outcome.print_results(self._command, named=True)
            sys.stdout.flush()

    def _line(self, entry: Mapping[str, Any]) -> str:
        state: str = entry["state"]
        width = len(str(self._total))
        shown = state.upper() if state in LOUD else state
        several = len(entry.get("outputs", ())) > 1
        target = entry["target"] if several else entry["output"]
        target = f" -> {target}" if target else ""
        kinds = (("bodies", "body"), ("joints", "joint"))
        held = [counted(entry[many], one) for many, one in kinds if many in entry]
        counts = f"  ({', '.join(held)})" if held else ""
        line = (
            f"[{self._done:{width}}/{self._total}] {shown:10} {entry['seconds']:6.1f} s  "
            f"{entry['path']}{target}{counts}"
        )
        left = self._total - self._done
        if not self._on_terminal or not left:
            return line
        pace = (time.monotonic() - self._began) / max(1, self._worked)
        return f"{line}, {_duration(pace * left)} left"

    def end(self, states: Mapping[str, int], left: int) -> None:
        """Say how many files ended how, before too, and how many were not reached."""
        for line in self._repeats.lines():
            print(line, file=sys.stderr)
        said = [f"{states[state]} {state}" for state in STATES if states.get(state)]
        said += [f"{left} not reached"] if left else []
        took = _duration(time.monotonic() - self._began)
        files = counted(sum(states.values()) + left, "file")
        print(f"{files}: {', '.join(said) or 'nothing to do'}; {took}", file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"
