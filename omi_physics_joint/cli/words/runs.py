# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of commands that are about runs of many files, and what each means."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf, isfinite
from os.path import isfile
from pathlib import Path
from typing import Any, TypeVar

from ...library.formats import ADVICE, READABLE
from ..batch.tasks import WRITES, pattern_of, shard_of

WORKER = "worker"
"""The command that a worker is started with; for nobody else."""
MEGABYTES = "MB"
Number = TypeVar("Number", int, float)


def _checked(
    name: str, parse: Callable[[str], Number], is_right: Callable[[Number], bool]
) -> Callable[[str], Number]:
    """Return what reads a word of a command line as a number that is right."""

    def read(word: str) -> Number:
        value = parse(word)
        if not is_right(value):
            raise ValueError(word)
        return value

    read.__name__ = name  # argparse names it where it refuses a word
    return read


FINITE = _checked("number", float, isfinite)
POSITIVE = _checked("positive number", float, lambda value: 0.0 < value < inf)
COUNT = _checked("positive whole number", int, lambda value: value >= 1)


def files_or_megabytes(word: str) -> tuple[int, float]:
    """Return files and megabytes after which a worker is replaced, one of them 0."""
    if word.upper().endswith(MEGABYTES):
        return 0, POSITIVE(word[: -len(MEGABYTES)])
    return COUNT(word), 0.0


@dataclass(frozen=True, slots=True)
class RunWord:
    """A word about runs; no file that is written hangs on it.

    Attributes:
        names: How it is spelled.
        options: How argparse reads it.
        needs_workers: Whether it asks for a supervisor and workers.
        commands: Who knows it; none are all.
    """

    names: tuple[str, ...]
    options: Mapping[str, Any]
    needs_workers: bool
    commands: Sequence[str]

    @property
    def key(self) -> str:
        """Its name among the words of a command."""
        return self.names[-1].lstrip("-").replace("-", "_")


def _word(*names: str, workers: bool = True, of: Sequence[str] = (), **options: Any) -> RunWord:  # noqa: ANN401
    return RunWord(names, options, workers, of)


ON = "store_true"
WORDS = (
    _word("-r", "--recursive", workers=False, action=ON, help="look into folders of folders too"),
    _word("-j", "--jobs", type=COUNT, metavar="N", help="keep N workers, each with a Blender"),
    _word("--timeout", type=POSITIVE, metavar="S", help="give up a file after S seconds"),
    _word("--memory", type=POSITIVE, metavar="MB", help="give up a file that takes more memory"),
    _word(
        "--recycle",
        type=files_or_megabytes,
        metavar="N|NMB",
        help="replace a worker after N files, or where it keeps more than so much memory (500MB)",
    ),
    _word("--shard", type=shard_of, metavar="K/N", help="do part K of N, as names are shared out"),
    _word("--report", type=Path, metavar="OUT.jsonl", help="write a line a file as it is done"),
    _word(
        "--resume",
        action=ON,
        help="go on with the run of --report: what it has done is left alone",
    ),
    _word("--junit", type=Path, metavar="OUT.xml", help="write a test case a file at the end"),
    _word(
        "--annotations",
        workers=False,
        choices=("github",),
        help="show it on GitHub, beside files too",
    ),
    _word("--log-dir", type=Path, metavar="DIR", help="write what Blender prints, a log a file"),
    _word(
        "--blender",
        workers=False,
        metavar="PATH",
        help="the Blender of workers, with the add-on installed",
    ),
    _word("--tree", workers=False, of=WRITES, action=ON, help="keep folders as they are below DIR"),
    _word(
        "--name",
        workers=False,
        of=WRITES,
        type=pattern_of,
        metavar="PATTERN",
        help="name outputs so below DIR: {folder} below what was named, {stem} of the file, {part} "
        "of --split ('{folder}/{stem}_lo')",
    ),
    _word(
        "--changed-only",
        of=("export",),
        action=ON,
        help="leave alone what was exported before from the same files with the same words",
    ),
    _word(
        "--hash",
        workers=False,
        of=("export",),
        action=ON,
        help="with --changed-only: never trust the time of files",
    ),
)


def add_batch(command: argparse.ArgumentParser, name: str) -> None:
    """Give a command the words of runs."""
    group = command.add_argument_group(
        "many files", "files may be folders, patterns and lists (@night.txt: one a line)"
    )
    for word in WORDS:
        if not word.commands or name in word.commands:
            group.add_argument(*word.names, **word.options)


def misnamed_report(arguments: argparse.Namespace) -> str:
    """Return which report would be written over a model, or has no name; "" of none."""
    for key, word in (("report", "--report"), ("junit", "--junit"), ("motion", "--json")):
        path: Path | None = getattr(arguments, key, None)
        ending = "" if path is None else path.suffix.lower()
        if str(path) == "-":
            return f"{word} writes a file: - is the name of none"
        is_suite = key == "junit" and ending == ".xml" and not _is_another(path)
        if ending in (*READABLE, *ADVICE) and not is_suite:
            return f"{word} says where to write, and {path} is named as what is read is"
    return ""


def _is_another(path: Path | None) -> bool:
    """Return whether a file is there that is no suite of tests, as a robot of MJCF is none."""
    with suppress(OSError):  # whoever writes it says so
        return path is not None and isfile(path) and b"<testsuite" not in path.read_bytes()
    return False


def is_said(value: object) -> bool:
    """Return whether somebody gave a word: it has a value, if only that of a zero."""
    return value is not None and value is not False and value not in ([], ())


def is_supervised(arguments: argparse.Namespace) -> bool:
    """Return whether the words of a command ask for workers."""
    asked = (getattr(arguments, word.key, None) for word in WORDS if word.needs_workers)
    return any(value not in (None, False) for value in asked)
