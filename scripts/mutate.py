# SPDX-License-Identifier: GPL-3.0-or-later
"""Breaks the package on purpose, one place at a time, and counts how often a test notices.

    mutate.py [--sample N] [--each N] [--seed N] [--only FOLDER ...] [--budget SECONDS]
              [--kernel | --godot PROGRAM] [--handmade] [--again]

Faults made by hand are tried with the tests that are to notice them. For those that are drawn, all
tests run once, to learn which of them reach which lines; then each fault is tried with the tests
that reach it, the fastest first; one of the kernel with all tests of the solver, one of the add-on
for Godot with what `make test-godot` runs: what it builds, then what moves. Those two wings are
tried without what was made by hand. All this happens in a copy of the project in build/mutants.
What became of a fault is written there at once (of a draw to a file that --again reads), and all of
it to report.md at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator

from mutants.draw import drawn_from, weighted
from mutants.faults import Fault, faults_of
from mutants.godot import GodotBench
from mutants.handmade import HANDMADE, located
from mutants.reach import PACKAGE, Reach, changed_files, hashes
from mutants.report import report
from mutants.text_faults import text_faults_of
from mutants.trial import Bench, Outcome

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUTPUT = os.path.join(ROOT, "build", "mutants")
REACH = os.path.join(OUTPUT, "reach.json")
ADDON = "clients/godot/addons/omi_physics_joint"
NOT_TRACED = ("tests/package", "tests/ui", "tests/test_architecture.py")
"""They look at files and windows, not at what the package computes."""


def arguments() -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(prog="make mutants", description=str(__doc__).split("\n")[0])
    parser.add_argument("--sample", type=int, default=300, help="how many faults to draw (300)")
    parser.add_argument("--each", type=int, default=0, help="how many in each wing besides (0)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    parser.add_argument("--only", nargs="+", default=[""], help="folders of the package")
    parser.add_argument("--budget", type=float, default=60.0, help="s of tests for one fault (60)")
    parser.add_argument("--kernel", action="store_true", help="drawn from the kernel in C instead")
    parser.add_argument("--godot", help="the program: drawn from the add-on for it instead")
    parser.add_argument("--handmade", action="store_true", help="the faults made by hand only")
    parser.add_argument("--again", action="store_true", help="what survived last time only")
    parser.add_argument(
        "--known-reach",
        action="store_true",
        help="trust what was measured last time of all tests whose files are the same",
    )
    return parser.parse_args()


def results(asked: argparse.Namespace) -> str:
    """Return where it is written what becomes of the faults of a draw."""
    name = "kernel" if asked.kernel else "godot" if asked.godot else "package"
    return os.path.join(OUTPUT, name + ".jsonl")


def every_fault(bench: Bench, asked: argparse.Namespace) -> list[Fault]:
    """Return all faults that may be drawn."""
    folders = [PACKAGE + folder.strip("/") for folder in asked.only]
    if asked.kernel or asked.godot:
        folders = ["kernel" if asked.kernel else ADDON]
    return [
        fault
        for folder in folders
        for path in bench.sources(folder)
        for fault in (faults_of if path.endswith(".py") else text_faults_of)(path, bench.text(path))
    ]


def measured_reach(bench: Bench, *, known: bool) -> Reach:
    """Run tests once and return which lines each reaches.

    Args:
        bench: Where they run.
        known: Whether to run only those whose files are not the same as last time.

    Raises:
        RuntimeError: they did not run to their end.
    """
    now = hashes(bench.folder, NOT_TRACED)
    old = Reach.read(REACH) if known and os.path.exists(REACH) else Reach({}, {}, {})
    files = changed_files(old, now)
    if not files:
        return old
    print("running the tests of %d files, to see what they reach" % len(files), flush=True)
    fresh = os.path.join(OUTPUT, "fresh.json")
    options = ["-p", "mutants.tracer", "--tb=short", *files]
    code, said = bench.pytest(options, None, {"OMI_REACH": fresh})
    if code != 0:
        print(said[-4000:])
    if code not in (0, 1):
        message = "The tests did not run to their end (exit code %s)." % code
        raise RuntimeError(message)
    reach = old.without(files).joined(Reach.read(fresh), now)
    reach.write(REACH)
    return reach


def survivors(faults: list[Fault], path: str) -> list[Fault]:
    """Return those of all faults that survived last time; lines may have moved since."""
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = []
    for row in rows:
        was = Fault(**{**row["fault"], "lines": tuple(row["fault"]["lines"])})
        same = [one for one in faults if one.is_same(was)]
        if row["verdict"] == "survived" and same:
            found.append(min(same, key=lambda one: abs(one.line - row["fault"]["line"])))
    return found


def trials(bench: Bench, asked: argparse.Namespace) -> Iterator[Outcome]:
    """Try what is asked for."""
    if not (asked.again or asked.kernel or asked.godot):
        made, moved = located(bench.text)
        print("".join("MOVED %s\n" % one for one in moved), end="", flush=True)
        for fault, test in made:
            yield bench.trial_by(fault, test)
    if asked.handmade:
        return
    every = every_fault(bench, asked)
    if asked.again:
        drawn = survivors(every, results(asked))
    else:
        drawn = drawn_from(every, asked.sample, asked.each, asked.seed)
    print("%d of %d faults" % (len(drawn), len(every)), flush=True)
    if asked.godot:
        godot = GodotBench(bench, asked.godot, os.path.join(OUTPUT, "godot"))
        yield from map(godot.trial, drawn)
        return
    reach = measured_reach(bench, known=asked.known_reach)
    outcomes = []
    for fault in drawn:
        outcomes.append(bench.trial(fault, reach, asked.budget))
        yield outcomes[-1]
    if asked.each:
        print("by the number of faults: %.1f %%" % (100.0 * weighted(outcomes, every)))


def main() -> int:
    """Run as the module's docstring says; return 1 if a fault made by hand survived or moved."""
    if not hasattr(sys, "monitoring"):
        print("make mutants needs the Python 3.13 of Blender 5.2", file=sys.stderr)
        return 2
    asked = arguments()
    os.makedirs(OUTPUT, exist_ok=True)
    bench = Bench(ROOT, os.path.join(OUTPUT, "tree"))
    outcomes: list[Outcome] = []
    written = results(asked)
    if asked.again or asked.handmade:  # what --again reads is kept
        written = os.path.join(OUTPUT, "again.jsonl" if asked.again else "handmade.jsonl")
    with open(written, "w", encoding="utf-8") as file:
        for outcome in trials(bench, asked):
            outcomes.append(outcome)
            file.write(json.dumps(outcome.as_json()) + "\n")
            file.flush()
            print("%3d %-8s %s" % (len(outcomes), outcome.verdict, outcome.fault), flush=True)
    by_hand = set() if asked.kernel or asked.godot else {one.name for one in HANDMADE}
    text = report(outcomes, by_hand)
    with open(os.path.join(OUTPUT, "report.md"), "w", encoding="utf-8") as file:
        file.write(text)
    print(text)
    killed = {one.fault.kind for one in outcomes if one.verdict != "survived"}
    return 0 if asked.again else int(not by_hand <= killed)


if __name__ == "__main__":
    sys.exit(main())
