# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases moved by an engine that loads stages, a line each.

How far the worst body is off in degrees and mm, and what convert and Check say. A case that is off
without a word is "wild" where our own motion is off as far when it is begun 1e-4 rad elsewhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.godot.cases import chosen
from benchmarks.godot.judging import DEGREES, MILLIMETRES
from benchmarks.godot.random_cases import random_cases

from .cases import stage_cases
from .judging import Engine, judged

WORDS = ("ok", "named", "wild", "OFF")


def parser(description: str | None) -> argparse.ArgumentParser:
    """Return what reads the words of the command line."""
    found = argparse.ArgumentParser(description=description)
    found.add_argument("--only", nargs="+", default=[], help="cases whose names have these words")
    found.add_argument("--godot", action="store_true", help="the cases of make bench-godot")
    found.add_argument("--random", type=int, default=0, help="how many cases to draw instead")
    found.add_argument("--seed", type=int, default=0, help="of what is drawn")
    found.add_argument("--seconds", type=float, default=1.0, help="of motion")
    return found


def measured(engine: Engine, arguments: argparse.Namespace) -> int:
    """Print a line a case, and return 1 where one is off without a word."""
    words: Sequence[str] = arguments.only
    cases = chosen(()) if arguments.godot else stage_cases()
    if arguments.random > 0:
        cases = random_cases(arguments.random, arguments.seed)
    found: list[str] = []
    with TemporaryDirectory() as folder:
        for name, case in cases.items():
            if words and not any(word in name for word in words):
                continue
            line = judged(engine, name, case, Path(folder), arguments.seconds)
            found.append(line.verdict)
            print(line, flush=True)
    counts = ", ".join(f"{found.count(word)} {word}" for word in WORDS)
    print(f"{engine.reader}: within {DEGREES:g}° and {MILLIMETRES:g} mm: {counts}")
    return 1 if "OFF" in found else 0
