# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures files for Godot in Godot, beside our solver, after one second.

    make bench-godot GODOT=/path/to/godot OMI_GODOT=/path/to/omi-godot [ARGS="--only mirrored"]
    make bench-godot ... ARGS="--random 100 --seed 7"
    make bench-godot ... ARGS=--own
    make test-godot GODOT=/path/to/godot [ARGS="--dialect khr --rate 60"]

A line for each case: how far its worst body is off in degrees and mm, what Check says of the file,
and what Godot makes of the joints. "wild" is a case whose own motion is off as far when it is begun
1e-4 rad elsewhere. It ends with 1 where a case is off and Check does not name why.
With ``--own`` Godot goes at its own steps with its own damping, beside `simulate --as godot`.
Without omi-godot the files are as specified, and our own add-on reads them and names why.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

from omi_physics_joint.gltf.dialects import spoken_by
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.target import Target

from .cases import chosen, file_name
from .documents import named_by_check, write
from .engine import STEPS_A_SECOND, GodotError, Measured, prepared
from .judging import (
    DEGREES,
    MILLIMETRES,
    OWN_DEGREES,
    OWN_MILLIMETRES,
    OWN_STEPS,
    Off,
    is_wild,
    ours,
    worst,
)
from .random_cases import random_cases

OMI_GODOT = frozenset((Reader.GODOT_OMI,))
NAMING = ("godot-", "frames-apart", "mass-ratio", "collider-scaled", "trimesh-moves")
"""What codes of Check begin with that say that engines differ."""


@dataclass(frozen=True, slots=True)
class Line:
    """What came of one case."""

    name: str
    off: Off
    codes: list[str]
    joints: tuple[str, ...]
    wild: bool = False
    """Whether our own motion is off as far when it is begun elsewhere."""

    @property
    def is_named(self) -> bool:
        """Whether Check says that Godot differs."""
        return any(" " in code or code.startswith(NAMING) for code in self.codes)

    @property
    def verdict(self) -> str:
        """One word."""
        if self.off.share <= 1.0:
            return "ok"
        return "named" if self.is_named else "wild" if self.wild else "OFF"

    def __str__(self) -> str:
        joints = ",".join(joint.removesuffix("Joint3D") for joint in self.joints)
        return (
            f"{self.verdict:5} {self.name:32} {self.off.degrees:7.2f}° "
            f"{self.off.millimetres:8.1f} mm {self.off.body:5} {joints:14} {' '.join(self.codes)}"
        ).rstrip()


def main(words: Sequence[str]) -> int:
    """Run with the words of the command line and return the exit code."""
    arguments = _parser().parse_args(words)
    own: bool = arguments.own
    rate: int = OWN_STEPS if own else arguments.rate
    cases = chosen(arguments.only)
    if arguments.random > 0:
        cases = random_cases(arguments.random, arguments.seed)
    folder: Path = arguments.output.resolve()
    try:
        addon = arguments.addon and arguments.addon.resolve()
        godot = prepared(arguments.godot, addon, folder, damped=arguments.own)
        files = {name: folder / f"{file_name(name)}.gltf" for name in cases}
        is_told = arguments.for_godot or not (addon is None or arguments.specified)
        target = Target.GODOT if is_told else Target.SPECIFIED
        if arguments.exported:
            files = {name: folder / "exported" / f"{file_name(name)}.glb" for name in cases}
        else:
            for name, case in cases.items():
                write(case, files[name], target, spoken_by(arguments.dialect, target))
        results = godot.measure(files.values(), arguments.seconds, rate)
    except GodotError as error:
        print(error, file=sys.stderr)
        return 2
    print(
        f"Godot {godot.version}, {len(cases)} cases, {arguments.seconds:g} s, {rate} steps a second"
    )
    lines = []
    for name, case in cases.items():
        found = results.get(files[name].name, Measured((), {}, {}))
        has_still = arguments.dialect != "khr"
        truth = ours(case, arguments.seconds, has_still=has_still, own=own)
        off = worst(truth, found, own=own)
        said = list(found.warnings) if addon is None else named_by_check(files[name], OMI_GODOT)
        wild = 1.0 < off.share < inf and is_wild(case, truth, arguments.seconds, own=own)
        lines.append(Line(name, off, said, found.joints, wild))
        print(lines[-1], flush=True)
    far = (OWN_DEGREES, OWN_MILLIMETRES) if own else (DEGREES, MILLIMETRES)
    counts = {
        word: sum(one.verdict == word for one in lines) for word in ("ok", "named", "wild", "OFF")
    }
    print(
        f"{counts['ok']} within {far[0]:g}° and {far[1]:g} mm, "
        f"{counts['named']} off and named, {counts['wild']} wild, "
        f"{counts['OFF']} off without a word"
    )
    return 1 if counts["OFF"] else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.godot.run", description=__doc__)
    parser.add_argument("--godot", type=Path, required=True, help="the program")
    parser.add_argument("--addon", type=Path, help="a checkout of omi-godot; without it, ours")
    parser.add_argument("--dialect", choices=("both", "omi", "khr"), default="both")
    parser.add_argument("--rate", type=int, default=STEPS_A_SECOND, help="steps a second of Godot")
    parser.add_argument("--own", action="store_true", help="Godot's own steps and damping")
    parser.add_argument("--only", nargs="+", default=[], help="cases whose names have these words")
    parser.add_argument(
        "--for-godot", action="store_true", help="our add-on reads files that are written for Godot"
    )
    parser.add_argument(
        "--specified", action="store_true", help="omi-godot reads files as specified"
    )
    parser.add_argument(
        "--exported", action="store_true", help="files that Blender has exported to the output"
    )
    parser.add_argument("--random", type=int, default=0, help="how many cases to draw instead")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    parser.add_argument("--seconds", type=float, default=1.0, help="of motion")
    parser.add_argument("--output", type=Path, default=Path("build/bench-godot"))
    return parser


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
