# SPDX-License-Identifier: GPL-3.0-or-later
"""What one part of the torture tells: how much was tried, and what was found, by seed."""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

PATIENCE = 60
"""s of computing after which one case has hung; five times that by the clock, as where it waits."""
OURS = "omi_physics_joint"
NOT_OURS = "site-packages"
"""In paths of Blender as a module, whose folder may be called like the add-on."""


class FoundError(Exception):
    """Something that must not happen; its text says what, in one line."""


@dataclass(slots=True)
class Tally:
    """What one part has tried and found."""

    tried: int = 0
    failures: dict[str, list[int]] = field(default_factory=dict)
    """Seeds of cases by what was found."""
    counts: dict[str, int] = field(default_factory=dict)
    """What else is worth telling, such as how many files were refused."""

    def fail(self, what: str, seed: int) -> None:
        """Note what was found in the case of a seed."""
        self.failures.setdefault(what, []).append(seed)

    def count(self, what: str, number: int = 1) -> None:
        """Count something."""
        self.counts[what] = self.counts.get(what, 0) + number

    def as_text(self) -> str:
        """Return it as one line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Tally:
        """Read what ``as_text`` wrote."""
        return cls(**json.loads(text))


Case = Callable[[Random, Path, Tally], None]
"""Tries one thing below a folder of its own; raises ``FoundError``."""


def run_cases(case: Case, seeds: range, report: Path) -> None:
    """Try a case for each seed; the report on disk is complete after every one.

    The seed that is at work stands in the first line, so that whoever started this process knows
    it where the process dies.
    """
    tally = Tally()
    signal.signal(signal.SIGALRM, _hung)
    signal.signal(signal.SIGPROF, _hung)
    faulthandler.enable(sys.stderr)
    for seed in seeds:
        report.write_text(f"{seed}\n{tally.as_text()}\n")
        tally.tried += 1
        _wait(PATIENCE)
        try:
            with tempfile.TemporaryDirectory(prefix="omi_torture_") as folder:
                case(Random(seed), Path(folder), tally)
        except FoundError as error:
            tally.fail(str(error), seed)
        except Exception as error:  # noqa: BLE001 - a fault of this tool is a failure as well
            line = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(line.filename).name}:{line.lineno}"
            tally.fail(f"{type(error).__name__} at {where}: {error}"[:160], seed)
        finally:
            _wait(0)
    report.write_text(f"\n{tally.as_text()}\n")


def _wait(seconds: int) -> None:
    """Raise after some seconds; never with 0."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(5 * seconds)


def _hung(*_arguments: object) -> None:
    message = f"hangs: not done after {PATIENCE} s"
    raise FoundError(message)


@contextmanager
def heard() -> Iterator[list[str]]:
    """Yield a list that gets one text: all that was said on standard output and error meanwhile."""
    said: list[str] = []
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield said
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for number, old in enumerate(kept, 1):
                os.dup2(old, number)
                os.close(old)
            file.seek(0)
            said.append(file.read().decode("utf-8", "replace"))


def ask_for_calm(text: str) -> None:
    """Refuse a traceback that our own code is part of.

    Raises:
        FoundError: there is one; the text is its last line.
    """
    for start in _starts(text, "Traceback (most recent call last)"):
        lines = text[start:].splitlines()
        body = [line for line in lines[1:60] if line.strip()]
        last = next((line for line in body if not line.startswith((" ", "\t"))), "")
        if any(map(_is_ours, body[: body.index(last) + 1 if last else None])):
            where = [
                line.strip() for line in body if line.strip().startswith("File") and _is_ours(line)
            ]
            place = where[-1].split(OURS)[-1] if where else ""
            message = f"traceback: {last.strip()} in {place}"
            raise FoundError(message[:200])


def _is_ours(line: str) -> bool:
    return OURS in line and NOT_OURS not in line


def _starts(text: str, what: str) -> Iterator[int]:
    at = text.find(what)
    while at >= 0:
        yield at
        at = text.find(what, at + 1)
