# SPDX-License-Identifier: GPL-3.0-or-later
"""Damages, mixes up, presses and kills at random, and counts what must not happen.

Run it with a Python that has bpy, from a checkout:

    make torture [ARGS="--seed 7 --only damaged_files kills --scale 0.2"]

Every part runs in a process of its own, so that a crash is one failure with a seed and not the end.
A case is repeated by its seed: ARGS="--only odd_scenes --seed 123 --count 1". It ends with 1 where
anything failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from .cases import Tally, run_cases

PARTS = {
    "damaged_files": 600,
    "damaged_formats": 300,
    "imports": 150,
    "odd_scenes": 80,
    "operators": 120,
    "undo_storms": 20,
    "killed_exports": 12,
    "killed_plays": 8,
}
"""Modules of this folder, each with a function ``case``; how many cases a full run has."""
RESTARTS = 20
"""A part whose process dies goes on behind the case that killed it, so often at most."""


def main() -> int:
    """Run the parts and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first case")
    parser.add_argument("--scale", type=float, default=1.0, help="how many cases, of a full run")
    parser.add_argument("--count", type=int, help="how many cases of each part")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--report", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    counts = {
        part: arguments.count or max(1, round(arguments.scale * PARTS[part]))
        for part in arguments.only
    }
    if arguments.report is not None:
        (part,) = arguments.only
        run_cases(
            import_module(f".{part}", __package__).case,
            range(arguments.seed, arguments.seed + counts[part]),
            arguments.report,
        )
        sys.stdout.flush()
        os._exit(0)  # Blender's own end may crash or hang
    print(f"seed {arguments.seed}, load {os.getloadavg()[0]:.1f}", flush=True)
    failed = 0
    for part, count in counts.items():
        start = time.monotonic()
        tally = _tally(part, arguments.seed, count)
        _print(part, tally, time.monotonic() - start)
        failed += sum(map(len, tally.failures.values()))
    return 1 if failed else 0


def _tally(part: str, seed: int, count: int) -> Tally:
    """Run one part, again and again where its process dies."""
    total, end = Tally(), seed + count
    with tempfile.TemporaryDirectory(prefix="omi_torture_") as folder:
        report = Path(folder) / "report"
        environment = {**os.environ, "BLENDER_USER_RESOURCES": folder}
        for _ in range(RESTARTS):
            report.write_text(f"{seed}\n{Tally().as_text()}\n")
            words = ["--only", part, "--seed", str(seed), "--count", str(end - seed)]
            command = [sys.executable, "-m", __spec__.name, *words, "--report", str(report)]
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, env=environment
            )
            at_work, tally = report.read_text().splitlines()
            _add(total, Tally.from_text(tally))
            if not at_work:
                return total
            last = (done.stderr.strip().splitlines() or [""])[-1]
            total.fail(f"the process died ({done.returncode}): {last}"[:200], int(at_work))
            total.tried += 1
            seed = int(at_work) + 1
            if seed >= end:
                break
    return total


def _add(total: Tally, more: Tally) -> None:
    total.tried += more.tried
    for what, seeds in more.failures.items():
        total.failures.setdefault(what, []).extend(seeds)
    for what, number in more.counts.items():
        total.count(what, number)


def _print(part: str, tally: Tally, seconds: float) -> None:
    counts = ", ".join(f"{number} {what}" for what, number in sorted(tally.counts.items()))
    failed = sum(map(len, tally.failures.values()))
    print(
        f"{part:16} {tally.tried:6} tried {failed:4} failed {seconds:6.0f} s  {counts}", flush=True
    )
    for what, seeds in sorted(tally.failures.items(), key=lambda item: -len(item[1])):
        print(f"    {len(seeds):4} x {what}  seeds {' '.join(map(str, seeds[:3]))}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
