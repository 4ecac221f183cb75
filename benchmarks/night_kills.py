# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills exports of many files at random moments, and looks at what they leave.

Run it with a Python that has bpy, from a checkout, on Linux:

    python benchmarks/night_kills.py [--kills 200] [--seed 1]

Twelve doors are exported by two workers over and over, with --resume, in one dialect and the other
in turn, so that what is written differs from what is there. After a random time the supervisor,
one of its workers or all of them are killed. Then every output must be that of one of the dialects,
whole, and every line of the report JSON but for the last. At the end one undisturbed run must leave
nothing in the folder of outputs and in the temporary one, but for empty folders of who was killed
before the lock was in them, which go after a day. Goal: 0 faults, nothing else left.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILES = 12
LITTER = (".omi_physics_joint_*", "omi_workers_*", "omi_profile_*", "omi_reply_*")
VICTIMS = ("supervisor", "worker", "both")


class Night:
    """A folder with doors, their outputs, a report and a temporary folder."""

    def __init__(self, home: Path) -> None:
        self.home, self.out, self.aside = home, home / "out", home / "aside"
        self.report = home / "report.jsonl"
        for folder in (home / "night", self.aside):
            folder.mkdir()
        for number in range(FILES):
            source = ROOT / "examples/blend/door.blend"
            shutil.copyfile(source, home / "night" / f"{number}.blend")
        self.whole: set[bytes] = set()

    def start(self, dialect: str) -> subprocess.Popen[bytes]:
        """Begin to export everything, or go on with it."""
        words = ("export", self.home / "night", "--output-dir", self.out, "-j", "2")
        more = ("--dialect", dialect, "--report", self.report, "--resume")
        return subprocess.Popen(
            [sys.executable, "-m", "omi_physics_joint", *map(str, (*words, *more))],
            env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(self.aside)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def done(self) -> int:
        """Return how many files the report names."""
        return self.report.read_bytes().count(b'{"kind": "file"') if self.report.exists() else 0

    def faults(self) -> list[str]:
        """Return what is wrong with outputs and report."""
        torn = [one.name for one in self.out.glob("*.glb") if one.read_bytes() not in self.whole]
        lines = self.report.read_text("utf-8").split("\n") if self.report.exists() else []
        for line in lines[:-1]:
            try:
                json.loads(line or "{}")
            except ValueError:
                torn.append(line)
        return torn

    def litter(self) -> list[Path]:
        """Return what lies about."""
        places = (self.out, self.aside)
        return [one for place in places for word in LITTER for one in place.glob(word)]


def children(number: int) -> list[int]:
    """Return the processes that a process has started, whichever of its threads did."""
    found = Path(f"/proc/{number}/task").glob("*/children")
    return [int(child) for one in found for child in one.read_text().split()]


def kill(process: subprocess.Popen[bytes], victim: str) -> bool:
    """Kill the supervisor, a worker or all; return whether anybody was there."""
    workers = children(process.pid) if process.poll() is None else []
    found = random.sample(workers, min(1, len(workers))) if victim == "worker" else workers
    found = [process.pid] if victim == "supervisor" else found
    for number in (process.pid, *found) if victim == "both" else found:
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            return False
    return bool(found)


def main() -> None:
    """Kill, look, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    random.seed(asked.seed)
    with tempfile.TemporaryDirectory(prefix="omi_kills_") as place:
        night = Night(Path(place))
        for dialect in ("khr", "omi"):
            night.report.unlink(missing_ok=True)
            night.start(dialect).wait()
            night.whole |= {one.read_bytes() for one in night.out.glob("*.glb")}
        killed: Counter[str] = Counter()
        faults: list[str] = []
        number = 0
        while killed.total() < asked.kills:
            number += 1
            dialect = ("khr", "omi")[number % 2]
            night.report.unlink(missing_ok=True)
            process = night.start(dialect)
            wanted = random.randrange(FILES - 1)
            while night.done() < wanted and process.poll() is None:
                time.sleep(0.002)
            time.sleep(random.uniform(0.0, 0.1))
            victim = VICTIMS[killed.total() % len(VICTIMS)]
            killed[victim] += kill(process, victim)
            process.wait()
            faults += night.faults()
        night.report.unlink(missing_ok=True)
        if night.start("khr").wait():
            faults.append("the last run did not end well")
        left = night.litter()
        full = [one.name for one in left if not one.is_dir() or any(one.iterdir())]
    print(f"{killed.total()} kills {dict(killed)}, seed {asked.seed}, {len(night.whole)} kinds")
    print(f"  {len(faults)} faults {faults[:3]}, left over {full}    goal: none")
    print(f"  {len(left) - len(full)} empty folders")


if __name__ == "__main__":
    main()
