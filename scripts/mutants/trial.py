# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries faults one after the other, in a copy of the project."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from .faults import Fault
from .reach import Reach, within

COPIED = (
    "omi_physics_joint",
    "presets",
    "tests",
    "examples",
    "benchmarks",
    "clients",
    "kernel",
    "scripts",
    "docs",
    "manual",
    "typings",
    "__init__.py",
    "blender_manifest.toml",
    "pyproject.toml",
    "Makefile",
    "LICENSE",
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
)
SOURCES = (".py", ".c", ".h", ".gd")
PATIENCE = 4.0
"""How many times longer than without a fault tests may take before they count as hanging ..."""
GRACE = 40.0
"""... and s on top, for a machine that is busy."""
UNKNOWN = 20.0
"""s that tests are expected to take which were not measured."""


@dataclass(frozen=True)
class Outcome:
    """What became of one fault.

    Attributes:
        verdict: "killed", "hung" or "survived".
        by: The first test that failed, or why none could.
        seconds: How long it took.
        tests: How many test functions were run, and how many reach the fault.
    """

    fault: Fault
    verdict: str
    by: str
    seconds: float
    tests: tuple[int, int]

    def as_json(self) -> dict[str, object]:
        """Return it as JSON's own values."""
        return {**asdict(self), "name": str(self.fault)}


class Bench:
    """A copy of the project in which faults are tried."""

    def __init__(self, root: str, folder: str) -> None:
        """Copy the project as it is now; what the copy held before is gone."""
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        ignored = shutil.ignore_patterns("__pycache__", ".*", "build", "dist")
        for name in COPIED:
            source, target = os.path.join(root, name), os.path.join(folder, name)
            if os.path.isdir(source):
                shutil.copytree(source, target, ignore=ignored)
            elif os.path.exists(source):
                shutil.copy2(source, target)
        self._moment = time.time()

    def text(self, path: str) -> str:
        """Return the text of a file of the copy."""
        with open(os.path.join(self.folder, path), encoding="utf-8") as file:
            return file.read()

    def sources(self, below: str) -> list[str]:
        """Return the sources below a folder of the copy, or the one that it is."""
        if below.endswith(SOURCES):
            return [below]
        found = []
        for folder, _, names in os.walk(os.path.join(self.folder, below)):
            paths = (os.path.join(folder, name) for name in names if name.endswith(SOURCES))
            found += [os.path.relpath(path, self.folder).replace(os.sep, "/") for path in paths]
        return sorted(found)

    def pytest(
        self, arguments: list[str], limit: float | None, plugins: dict[str, str] | None = None
    ) -> tuple[int | None, str]:
        """Run pytest in the copy; return its exit code (None where it hung) and what it said."""
        # Compiled files stay in the copy: every fault gets a time of its own, so none is stale.
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environment.update(plugins or {})
        environment["OMP_NUM_THREADS"] = "1"
        environment["PYTHONPATH"] = os.path.join(self.folder, "scripts")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
            return None, said
        return process.returncode, said

    @contextmanager
    def broken(self, fault: Fault) -> Iterator[None]:
        """Have a file of the copy broken for as long as this is open."""
        text = self.text(fault.path)
        path = os.path.join(self.folder, fault.path)
        try:
            self._write(path, fault.applied(text))
            yield
        finally:
            self._write(path, text)

    def trial(self, fault: Fault, reach: Reach, budget: float) -> Outcome:
        """Run the tests that reach a fault, pure ones first, until one fails.

        Those come last that may meet it unseen, whole files of them.
        """
        first, names, beside = reach.first(fault), reach.of(fault), reach.beside(fault)
        if not names and not beside:
            return Outcome(fault, "survived", "no test reaches it", 0.0, (0, 0))
        pure, in_blender = within(names, reach.seconds, budget)
        count = len(first) + len(names) + len(beside)
        return self._try(fault, (first, pure, in_blender, beside), reach.seconds, count)

    def trial_by(self, fault: Fault, test: str) -> Outcome:
        """Run the tests that are said to notice a fault."""
        return self._try(fault, (["tests/" + test],), {}, 1)

    def _try(
        self,
        fault: Fault,
        parts: Sequence[list[str]],
        seconds: dict[str, float],
        reaching: int,
        plugins: dict[str, str] | None = None,
    ) -> Outcome:
        """Break the file, run tests part by part until one fails, and mend the file."""
        start = time.monotonic()
        verdict, by, run = "survived", "", 0
        with self.broken(fault):
            for part in filter(None, parts):
                run += len(part)
                expected = sum(seconds.get(name, UNKNOWN) for name in part)
                code, said = self._run_tests(part, PATIENCE * expected + GRACE, plugins)
                if code is None:
                    verdict = "hung"
                elif code:
                    verdict, by = "killed", first_failure(said)
                if verdict != "survived":
                    break
        return Outcome(fault, verdict, by, time.monotonic() - start, (run, reaching))

    def _run_tests(
        self, names: list[str], limit: float, plugins: dict[str, str] | None
    ) -> tuple[int | None, str]:
        chosen = os.path.join(self.folder, "chosen.txt")
        with open(chosen, "w", encoding="utf-8") as file:
            file.write("\n".join(names))
        options = ["-x", "--tb=no", "--hypothesis-seed=1", "@" + chosen]
        return self.pytest(options, limit, plugins)

    def _write(self, path: str, text: str) -> None:
        """Write a file with a time that it never had, in whole seconds, as Python compares them."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        self._moment += 2.0
        os.utime(path, (self._moment, self._moment))


def first_failure(said: str) -> str:
    """Return the test that failed first, as pytest names it."""
    lines = said.splitlines()
    for line in lines:
        if line.startswith(("FAILED ", "ERROR ")):
            return line.partition(" ")[2].partition(" - ")[0]
    return lines[-1] if lines else "the process ended"
