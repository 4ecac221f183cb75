# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of commands that are about runs of many files, and what each means."""

from __future__ import annotations

import argparse
from math import inf
from pathlib import Path

from .tasks import WRITES, shard_of

SUPERVISED: tuple[str, ...] = (
    *("jobs", "timeout", "memory", "recycle", "report", "resume", "junit"),
    *("log_dir", "changed_only", "shard"),
)
"""Words that ask for a supervisor and workers; without any, files are done in this process."""
MEGABYTES = "MB"
WORKER = "worker"
"""The command that a worker is started with; for nobody else."""


def add_batch(command: argparse.ArgumentParser, name: str) -> None:
    """Give a command the words of runs."""
    group = command.add_argument_group(
        "many files", "files may be folders, patterns and lists (@night.txt: one a line)"
    )
    option = group.add_argument
    option("-r", "--recursive", action="store_true", help="look into folders of folders too")
    option("-j", "--jobs", type=_positive, metavar="N", help="keep N workers, each with a Blender")
    option("--timeout", type=_seconds, metavar="S", help="give up a file after S seconds")
    option("--memory", type=_seconds, metavar="MB", help="give up a file that takes more memory")
    option(
        "--recycle",
        type=recycle_of,
        metavar="N|NMB",
        help="replace a worker after N files, or where it keeps more than so much memory (500MB)",
    )
    option("--shard", type=shard_of, metavar="K/N", help="do part K of N, as names are shared out")
    option("--report", type=Path, metavar="OUT.jsonl", help="write a line a file as it is done")
    option(
        "--resume",
        action="store_true",
        help="go on with the run of --report: what it has done is left alone",
    )
    option("--junit", type=Path, metavar="OUT.xml", help="write a test case a file at the end")
    option("--annotations", choices=("github",), help="print what GitHub shows beside files")
    option("--log-dir", type=Path, metavar="DIR", help="write what Blender prints, a log a file")
    option("--blender", metavar="PATH", help="the Blender of workers, with the add-on installed")
    if name in WRITES:
        option("--tree", action="store_true", help="keep folders as they are below DIR")
    if name != "export":
        return
    option(
        "--changed-only",
        action="store_true",
        help="leave alone what was exported before from the same files with the same words",
    )
    option("--hash", action="store_true", help="with --changed-only: never trust the time of files")
    option(
        "--scripts",
        choices=("allow", "deny"),
        help="whether Python in .blend files runs (default: as in this Blender)",
    )


def is_supervised(arguments: argparse.Namespace) -> bool:
    """Return whether a command asks for workers."""
    return any(getattr(arguments, name, None) not in (None, False) for name in SUPERVISED)


def recycle_of(word: str) -> tuple[int, float]:
    """Return files and megabytes after which a worker is replaced, one of them 0."""
    if word.upper().endswith(MEGABYTES):
        return 0, _seconds(word[: -len(MEGABYTES)])
    return _positive(word), 0.0


def _positive(word: str) -> int:
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"{word} is no positive whole number")
    return int(word)


def _seconds(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = 0.0
    if not 0.0 < value < inf:
        raise argparse.ArgumentTypeError(f"{word} is no positive number")
    return value
