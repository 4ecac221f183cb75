# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries faults of the add-on for Godot: what it builds of files first, then how that moves."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from .faults import Fault
from .trial import GRACE, PATIENCE, Bench, Outcome, first_failure

BUILT = ("tests/model/test_godot_addon.py", "tests/godot")
"""Tests of its numbers and of what it builds; nothing moves there, so that they take seconds."""
MOVED = "make test-godot"
LONGEST = 900.0
"""s that both may take without a fault."""


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
        self._limit = LONGEST
        self._call("benchmarks.godot.exported", "--output", output)
        start = time.monotonic()
        by, _ = self._noticed()
        self._limit = PATIENCE * (time.monotonic() - start) + GRACE
        if by:
            message = f"{by} fails as it is"
            raise RuntimeError(message)

    def trial(self, fault: Fault) -> Outcome:
        """Break a script, try what it builds and then how that moves, and mend it."""
        start = time.monotonic()
        with self._bench.broken(fault):
            by, verdict = self._noticed()
        return Outcome(fault, verdict, by, time.monotonic() - start, (1 if by else 2, 2))

    def _noticed(self) -> tuple[str, str]:
        """Return which test fails now, and the verdict; "" is none."""
        options = ["-x", "--tb=no", *BUILT]
        code, said = self._bench.pytest(options, self._limit, {"OMI_GODOT_PROGRAM": self._program})
        if code:
            return first_failure(said), "killed"
        words = ["--exported", "--godot", self._program, "--output", self._output]
        moved = 0 if code is None else self._call("benchmarks.godot.run", *words)
        if code is None or moved is None:
            return MOVED, "hung"
        return (MOVED, "killed") if moved else ("", "survived")

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
                timeout=self._limit,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return None
