# SPDX-License-Identifier: GPL-3.0-or-later
"""Random heaps, and islands alike, moved by Python with a kernel that the sanitizers watch."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from scripts import build_kernel

RUNTIMES = ("libasan.so", "libclang_rt.asan-x86_64.so", "libclang_rt.asan-aarch64.so")
QUIET = "detect_leaks=0:halt_on_error=1"
"""Python keeps memory until it ends."""


def watched_library(folder: Path, compiler: list[str], flags: list[str]) -> Path:
    """Compile the kernel with these flags, and return the library."""
    library = folder / "watched.so"
    sources, own = build_kernel.kernel_sources(), [*build_kernel.EXACT, "-fPIC", "-shared"]
    command = [*compiler, *flags, *own, f"-I{build_kernel.KERNEL}", *sources, "-o", str(library)]
    subprocess.run(command, check=True)
    return library


def runtime_of(compiler: list[str]) -> str | None:
    """Return the library of the sanitizer, which has to be in the process before Python is."""
    for name in RUNTIMES:
        asked = [*compiler, f"-print-file-name={name}"]
        said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
        if os.path.isabs(said) and os.path.exists(said):
            return said
    return None


def move_heaps(library: Path, runtime: str, first: int, count: int) -> str:
    """Move heaps, and as many times islands alike, and return what must not be; else nothing."""
    kinds = ["--kind", "heap", "--kind", "alike", "--sound-only"]
    words = [*kinds, "--seed", str(first), "--count", str(count)]
    own = {"OMI_KERNEL": str(library), "LD_PRELOAD": runtime, "ASAN_OPTIONS": QUIET}
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.solver.fuzz", *words],
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=False,
        timeout=60.0 + 30.0 * count,
    )
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip()
