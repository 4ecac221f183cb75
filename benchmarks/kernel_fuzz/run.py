# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps random mechanisms with a kernel that AddressSanitizer and UndefinedBehaviorSanitizer watch.

Run it with a Python that has NumPy, from a checkout:

    make fuzz [ARGS="--seed 7 --seconds 600"]

Mechanisms are those of benchmarks.solver.fuzz, read and packed by the solver itself. It ends with 1
where the kernel read or wrote where it must not, did what C leaves undefined, changed what is
constant, or gave what is no number. A case is repeated by its seed: --seed 123 --count 1.
A third of the time goes to heaps of shapes that touch, and islands that move together, in arrays
that Python makes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import chain, islice
from pathlib import Path

from scripts import build_kernel

from .harness_input import Case, record
from .heaps import move_heaps, runtime_of, watched_library
from .random_islands import random_cases

HARNESS = Path(__file__).resolve().with_name("harness.c")
GAPS = HARNESS.with_name("gaps.h")
WATCHED = ("-O2", "-g", "-fno-omit-frame-pointer")
SANITIZERS = "address,undefined,float-cast-overflow"
BATCH, HEAPS = 20, 10
"""Islands, and heaps, that one process steps."""
PATIENCE = 200.0
"""s that a batch may take."""


@dataclass
class Score:
    """How the islands went.

    Attributes:
        islands: How many were stepped.
        calls: How often the kernel was called.
        stuck: How many of the calls could not be done, which is no fault.
        faults: A line and what the sanitizer said for each that must not be.
    """

    islands: int = 0
    calls: int = 0
    stuck: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, line: str) -> int:
        """Count a line of the harness, and return the seed."""
        seed, calls, stuck, sound = map(int, line.split()[:4])
        self.islands += 1
        self.calls += calls
        self.stuck += stuck
        if not sound:
            self.faults.append(
                f"seed {seed}: no finite number, or a constant changed, call {calls}"
            )
        return seed


def compile_harness(folder: Path, compiler: list[str], changed: str = "*") -> Path:
    """Compile the kernel and the harness with both sanitizers, and return the program.

    Between the parts of the kernel's workspace lies what nobody may touch. Sources whose names do
    not fit what has changed must have been compiled into the folder before.
    """
    program = folder / "harness"
    flags = sanitized()
    objects = []
    for source in [*build_kernel.kernel_sources(), str(HARNESS)]:
        target = folder / f"{Path(source).stem}.o"
        own = [] if source == str(HARNESS) else [*build_kernel.EXACT, "-include", str(GAPS)]
        command = [*compiler, *flags, *own, f"-I{build_kernel.KERNEL}", "-c", source]
        if fnmatch(Path(source).name, changed):
            subprocess.run([*command, "-o", str(target)], check=True)
        objects.append(str(target))
    subprocess.run([*compiler, *flags, *objects, "-lm", "-o", str(program)], check=True)
    return program


def step_all(program: Path, cases: Iterator[Case], folder: Path, seconds: float) -> Score:
    """Step islands in processes of their own; one that dies is a fault, and the others go on.

    Args:
        program: The harness.
        cases: What to step.
        folder: For the file of islands.
        seconds: After which no more are begun.
    """
    score = Score()
    end = time.monotonic() + seconds
    while time.monotonic() < end and (batch := list(islice(cases, BATCH))):
        _step_batch(program, batch, folder, score)
    return score


def _step_batch(program: Path, batch: list[Case], folder: Path, score: Score) -> None:
    while batch:
        path = folder / "islands"
        path.write_bytes(b"".join(map(record, batch)))
        try:
            done = subprocess.run(
                [program, path], capture_output=True, text=True, check=False, timeout=PATIENCE
            )
            said, code, printed = done.stderr, done.returncode, done.stdout
        except subprocess.TimeoutExpired as slow:
            said, code = f"took more than {PATIENCE:.0f} s", -1
            printed = (slow.stdout or b"").decode()
        whole = [line for line in printed.splitlines() if len(line.split()) == 5]
        for line in whole:
            score.add(line)
        batch = batch[len(whole) :]
        if batch and code != 0:
            score.islands += 1
            score.faults.append(f"seed {batch[0].seed}: {said.strip()}")
            batch = batch[1:]


def add_heaps(score: Score, compiler: list[str], folder: Path, first: int, seconds: float) -> str:
    """Move heaps, and as many groups alike, for so long; add faults, and return how many went."""
    runtime = runtime_of(compiler)
    if runtime is None:
        return "no heaps, as the compiler has no sanitizer for libraries"
    library = watched_library(folder, compiler, sanitized())
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        said = move_heaps(library, runtime, first + count, HEAPS)
        count += HEAPS
        if said:
            score.faults.append(f"heaps or groups from seed {first + count - HEAPS}: {said}")
    return f"{count} heaps and groups alike"


def sanitized() -> list[str]:
    """Return how what is watched is compiled."""
    return ["-std=c11", *WATCHED, f"-fsanitize={SANITIZERS}", "-fno-sanitize-recover=all"]


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0, help="of the first mechanism")
    parser.add_argument("--count", type=int, default=100_000, help="how many mechanisms at most")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long it goes on")
    options = parser.parse_args()
    compiler = build_kernel.c_compiler()
    if compiler is None:
        print("no C compiler: nothing to fuzz", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = compile_harness(folder, compiler)
        seeds = range(options.seed, options.seed + options.count)
        cases = chain.from_iterable(map(random_cases, seeds))
        score = step_all(program, cases, folder, 2.0 / 3.0 * options.seconds)
        heaps = add_heaps(score, compiler, folder, options.seed, options.seconds / 3.0)
    for fault in score.faults:
        print(fault)
    print(
        f"{score.islands} islands, {score.calls} calls, {score.stuck} of them not done; {heaps}: "
        f"{len(score.faults)} faults"
    )
    return 1 if score.faults else 0


if __name__ == "__main__":
    sys.exit(main())
