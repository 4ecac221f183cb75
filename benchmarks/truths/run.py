# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the solver: ``python -m benchmarks.truths.run [NAME ...] [--substeps N]``."""

from __future__ import annotations

import argparse
import sys

from .catalogue import cases
from .judging import judge

MOST = 1e-3
"""Of the length, and of the energy that is exchanged."""


def main(words: list[str]) -> int:
    """Print a line for each mechanism; return 1 where one is further off than allowed."""
    parser = argparse.ArgumentParser(prog="benchmarks.truths.run", description=__doc__)
    parser.add_argument("names", nargs="*", help="default: all")
    parser.add_argument("--substeps", type=int)
    arguments = parser.parse_args(words)
    known, failed = cases(), 0
    for name in arguments.names or known:
        verdict = judge(known[name], substeps=arguments.substeps)
        good = max(verdict.error, verdict.energy) <= MOST
        failed += not good
        print(f"{'  ' if good else '* '}{name}: {verdict}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
