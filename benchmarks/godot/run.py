# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures files for Godot in Godot, beside our solver, after one second.

    make bench-godot GODOT=/path/to/godot OMI_GODOT=/path/to/omi-godot [ARGS="--only mirrored"]
    make bench-godot ... ARGS="--random 100 --seed 7"
    make bench-godot ... ARGS=--own
    make test-godot GODOT=/path/to/godot [ARGS="--dialect khr --rate 60"]

A line for each case: how far its worst body is off in degrees and mm, what Check says of the file,
and what Godot makes of the joints. "wild" is a case whose own motion is off as far when it is begun
1e-4 rad elsewhere. What is off without a word is measured again in a quarter of the step: Jolt's
steps are of first order. It ends with 1 where a case is off and Check does not name why.
With ``--own`` Godot goes at its own steps with its own damping, beside `simulate --as godot`.
Without omi-godot the files are as specified, and our own add-on reads them and names why; where it
and Check do not say the same of rebound, the run ends with 1 too.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from omi_physics_joint.gltf.dialects import spoken_by
from omi_physics_joint.model.readers import USUAL, Reader
from omi_physics_joint.model.target import Target

from .building import Case
from .cases import chosen, file_name
from .documents import named_by_check, throws_back, write
from .engine import STEPS_A_SECOND, Godot, GodotError, Measured, prepared
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

STOPS = "gives back up to a quarter of the speed"
"""What our add-on says of bounds, where Check says ``godot-stops``."""
FINER = 4
"""Times as many steps, in which what is off by steps alone comes right."""
OMI_GODOT = frozenset((Reader.GODOT_OMI,))
NAMING = (
    "godot-",
    "frames-apart",
    "mass-ratio",
    "collider-scaled",
    "trimesh-moves",
    "static-below-dynamic",
)
"""What codes of Check begin with that say that engines differ."""


@dataclass(frozen=True, slots=True)
class Line:
    """What came of one case."""

    name: str
    off: Off
    codes: Sequence[str]
    joints: tuple[str, ...]
    wild: bool = False
    """Whether our own motion is off as far when it is begun elsewhere."""
    untried: Sequence[str] = ()
    """What Check says without trying."""
    differs: bool = False
    """Whether Check says of rebound what our add-on does not, or the other way."""

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
    rate: int = OWN_STEPS if arguments.own else arguments.rate
    cases = chosen(arguments.only)
    if arguments.random > 0:
        cases = random_cases(arguments.random, arguments.seed)
    try:
        godot = prepared(arguments.godot, arguments.addon, arguments.output, damped=arguments.own)
        files = _files(arguments, cases)
        print(
            f"Godot {godot.version}, {len(cases)} cases, {arguments.seconds:g} s, "
            f"{rate} steps a second"
        )
        lines = _measured(arguments, godot, cases, files, rate)
        unsaid = {name: cases[name] for name, one in lines.items() if one.verdict == "OFF"}
        if unsaid and rate == STEPS_A_SECOND:
            print(f"again in {FINER * rate} steps a second:")
            lines |= _measured(arguments, godot, unsaid, files, FINER * rate)
    except GodotError as error:
        print(error, file=sys.stderr)
        return 2
    far = (OWN_DEGREES, OWN_MILLIMETRES) if arguments.own else (DEGREES, MILLIMETRES)
    for sentence in _counted([*lines.values()], *far):
        print(sentence)
    return 1 if any(one.verdict == "OFF" or one.differs for one in lines.values()) else 0


def _measured(
    arguments: argparse.Namespace,
    godot: Godot,
    cases: Mapping[str, Case],
    files: Mapping[str, Path],
    rate: int,
) -> dict[str, Line]:
    """Return what comes of cases in so many steps a second, by name, and print it."""
    results = godot.measure((files[name] for name in cases), arguments.seconds, rate)
    lines = {}
    for name, case in cases.items():
        found = results.get(files[name].name, Measured((), {}, {}))
        lines[name] = _judged(arguments, name, case, files[name], found)
        print(lines[name], flush=True)
    return lines


def _files(arguments: argparse.Namespace, cases: Mapping[str, Case]) -> dict[str, Path]:
    """Return the file of each case, written unless Blender has done so."""
    folder: Path = arguments.output
    if arguments.exported:
        return {name: folder / "exported" / f"{file_name(name)}.glb" for name in cases}
    files = {name: folder / f"{file_name(name)}.gltf" for name in cases}
    is_told = arguments.for_godot or not (arguments.addon is None or arguments.specified)
    target = Target.GODOT if is_told else Target.SPECIFIED
    for name, case in cases.items():
        write(case, files[name], target, spoken_by("omi" if is_told else arguments.dialect))
    return files


def _judged(
    arguments: argparse.Namespace, name: str, case: Case, path: Path, found: Measured
) -> Line:
    """Return what came of a case in Godot."""
    own, seconds = arguments.own, arguments.seconds
    truth = ours(case, seconds, has_still=arguments.dialect != "khr", own=own)
    off = worst(truth, found, own=own)
    wild = 1.0 < off.share < inf and is_wild(case, truth, seconds, own=own)
    readers = OMI_GODOT if arguments.addon else USUAL
    untried = named_by_check(path, readers) if arguments.addon or arguments.tried else []
    said = untried if arguments.addon else list(found.warnings)
    if arguments.tried:
        said = named_by_check(path, readers, tries=True)
    stops = any(STOPS in one for one in found.warnings)
    differs = arguments.addon is None and throws_back(path) != stops
    return Line(name, off, said, found.joints, wild, untried, differs)


def _counted(lines: Sequence[Line], degrees: float, millimetres: float) -> Iterator[str]:
    """Yield what came of all of them."""
    counts = Counter(one.verdict for one in lines)
    yield (
        f"{counts['ok']} within {degrees:g}° and {millimetres:g} mm, "
        f"{counts['named']} off and named, {counts['wild']} wild, "
        f"{counts['OFF']} off without a word"
    )
    right = [one for one in lines if one.verdict == "ok"]
    told = sum(one.is_named for one in right)
    untold = sum(replace(one, codes=one.untried).is_named for one in right)
    yield f"of those within, {told} are told of" + (f", {untold} untried" if untold else "")
    differing = [one.name for one in lines if one.differs]
    if differing:
        yield f"Check and our add-on differ about rebound: {', '.join(differing)}"


def _real(path: str) -> Path:
    return Path(path).resolve()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.godot.run", description=__doc__)
    parser.add_argument("--godot", type=Path, required=True, help="the program")
    parser.add_argument("--addon", type=_real, help="a checkout of omi-godot; without it, ours")
    parser.add_argument("--dialect", choices=("both", "omi", "khr"), default="both")
    parser.add_argument("--rate", type=int, default=STEPS_A_SECOND, help="steps a second of Godot")
    parser.add_argument(
        "--try", dest="tried", action="store_true", help="what Check says by trying, and without"
    )
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
    parser.add_argument("--output", type=_real, default=_real("build/bench-godot"))
    return parser


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
