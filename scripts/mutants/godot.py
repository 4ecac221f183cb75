# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries faults of the add-on for Godot with the cases of `make test-godot`, few of them first."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from .faults import Fault
from .trial import Bench, Outcome

FIRST = ("hinge", "slide", "spring")
"""Words in names of cases that are tried before all others."""
LONGEST = 900.0
"""s that Godot may take before it counts as hanging."""


class GodotBench:
    """A copy of the project whose add-on a Godot reads files with."""

    def __init__(self, bench: Bench, program: str, output: str) -> None:
        """Have Blender export the cases once, and try them without any fault.

        Args:
            bench: the copy.
            program: of Godot.
            output: folder for files and Godot's project.

        Raises:
            RuntimeError: they cannot be exported, or something is noticed without a fault.
        """
        self._bench, self._program, self._output = bench, program, output
        self._call("benchmarks.godot.exported", "--output", output)
        if self._call(*self._measured()):
            message = "make test-godot fails as it is"
            raise RuntimeError(message)

    def trial(self, fault: Fault) -> Outcome:
        """Break a script, run the cases until one is off, and mend it."""
        start = time.monotonic()
        run = 0
        with self._bench.broken(fault):
            for words in (["--only", *FIRST], []):
                run += 1
                code = self._call(*self._measured(), *words)
                if code:
                    break
        verdict = "hung" if code is None else "killed" if code else "survived"
        return Outcome(fault, verdict, "make test-godot", time.monotonic() - start, (run, 2))

    def _measured(self) -> list[str]:
        words = ["benchmarks.godot.run", "--exported", "--godot", self._program]
        return [*words, "--output", self._output]

    def _call(self, module: str, *words: str) -> int | None:
        """Return the exit code of a module that is run in the copy; None where it hung."""
        folder = self._bench.folder
        try:
            return subprocess.run(
                [sys.executable, "-m", module, *words],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": folder},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=LONGEST,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return None
