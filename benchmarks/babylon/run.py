# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures files in Khronos' extensions in Babylon.js with Havok, beside our solver.

    make bench-babylon LOADER=/path/to/glTF_Physics_Babylon [ARGS="--only hinge"]

A line for each case: how far its worst body is off in degrees and cm after a second, and why where
that is known. It ends with 1 where a case is off and nothing says why. Babylon's bodies lose a
tenth of their spin in a second; here that is switched off, unless --damped is given.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.godot.documents import write
from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.model.target import Target

from .cases import cases
from .engine import PINS, BabylonError, prepared
from .judging import CENTIMETRES, DEGREES, ours, worst
from .known import KNOWN


def main(words: Sequence[str]) -> int:
    """Run with the words of the command line and return the exit code."""
    arguments = _parser().parse_args(words)
    chosen = cases()
    if arguments.only:
        chosen = {k: case for k, case in chosen.items() if any(w in k for w in arguments.only)}
    folder: Path = arguments.output.resolve()
    try:
        babylon = prepared(arguments.loader.resolve(), folder)
        files = [folder / f"{_plain(name)}.gltf" for name in chosen]
        for case, file in zip(chosen.values(), files, strict=True):
            write(case, file, Target.SPECIFIED, (Spoken.KHR,))
        played = babylon.measure(files, arguments.seconds, arguments.rate, damped=arguments.damped)
    except BabylonError as error:
        print(error, file=sys.stderr)
        return 2
    print(", ".join(PINS[:3]))
    print(f"{len(chosen)} cases, {arguments.seconds:g} s at {arguments.rate} steps a second")
    counts = {"ok": 0, "named": 0, "OFF": 0}
    for (name, case), found in zip(chosen.items(), played, strict=True):
        off = worst(ours(case, arguments.seconds), found)
        why = KNOWN.get(name, "") if off.share > 1.0 else ""
        verdict = "ok" if off.share <= 1.0 else "named" if why else "OFF"
        counts[verdict] += 1
        line = f"{verdict:5} {name:36} {off.degrees:7.2f}° {off.centimetres:8.2f} cm {off.body:6}"
        print(f"{line} {why}".rstrip(), flush=True)
    print(
        f"{counts['ok']} within {DEGREES:g}° and {CENTIMETRES:g} cm, "
        f"{counts['named']} off and named, {counts['OFF']} off without a word"
    )
    return 1 if counts["OFF"] else 0


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.babylon.run", description=__doc__)
    parser.add_argument("--loader", type=Path, required=True, help="a checkout of the loader")
    parser.add_argument("--only", nargs="+", default=[], help="cases whose names have these words")
    parser.add_argument("--seconds", type=float, default=1.0, help="of motion")
    parser.add_argument("--rate", type=int, default=960, help="steps a second")
    parser.add_argument("--damped", action="store_true", help="keep Babylon's own damping")
    parser.add_argument("--output", type=Path, default=Path("build/bench-babylon"))
    return parser


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
