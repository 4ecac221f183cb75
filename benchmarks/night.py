# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures exports of many files: workers beside one another, and beside a Blender for each file.

    make bench-blender ARGS=night

Copies of the files in examples/blend are exported by one worker, by two, and some of them by a
process each, in turns; then all once more with --changed-only. Printed are seconds by the clock, as
ratios, and the most memory that any process took.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, "-m", "omi_physics_joint", "export"]
AFRESH = 20
"""Files that get a process each."""


def timed(*words: object) -> tuple[float, float]:
    """Run an export; return seconds by the clock, and the most MB that a process of it took."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    began = time.monotonic()
    process = subprocess.Popen(
        [*COMMAND, *map(str, words)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"an export ended with {process.returncode}")
    return time.monotonic() - began, usage.ru_maxrss / 1024


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder, out = Path(place) / "files", Path(place) / "out"
        folder.mkdir()
        examples = sorted((ROOT / "examples/blend").glob("*.blend"))
        files = [folder / f"{number:04d}.blend" for number in range(asked.files)]
        for number, file in enumerate(files):
            shutil.copyfile(examples[number % len(examples)], file)
        rows: dict[str, list[float]] = {"-j 1": [], "-j 2": [], "a process each": []}
        memory = 0.0
        for _ in range(asked.rounds):
            for jobs in (1, 2):
                seconds, megabytes = timed(folder, "-j", jobs, "--output-dir", out)
                rows[f"-j {jobs}"].append(seconds / len(files))
                memory = max(memory, megabytes)
            each = sum(timed(file, "--output-dir", out)[0] for file in files[:AFRESH])
            rows["a process each"].append(each / AFRESH)
        one = median(rows["-j 1"])
        print(f"{len(files)} files, {asked.rounds} rounds, {os.cpu_count()} cores")
        for name, values in rows.items():
            print(f"{name:16} {1000 * median(values):8.0f} ms a file {median(values) / one:7.2f}")
        words = (folder, "-j", 2, "--output-dir", out, "--changed-only")
        first, again = timed(*words)[0], timed(*words)[0]
        print(
            f"--changed-only: {first:.2f} s, again {again:.2f} s; largest process {memory:.0f} MB"
        )


if __name__ == "__main__":
    main()
