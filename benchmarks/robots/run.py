# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of public collections and mechanisms of ours, beside MuJoCo.

Models come from packages that are installed anyway (see ``requirements.txt``); none lies here.
Ends with 1 where a model is read and stands elsewhere than in MuJoCo, does not pass Check as .glb,
or where a mechanism of ours moves otherwise.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from omi_physics_joint.cli.command import main as command
from omi_physics_joint.model.contents import ContentsError

from .cases import CASES
from .kinematics import apart, read
from .moving import moved_apart

PLACE, TURN = 1e-5, 0.1
"""m, and degrees: what is the same."""
COLLECTIONS = (
    ("dm_control", "suite/*.xml"),
    ("dm_control", "third_party/kinova/jaco_*.xml"),
    ("dm_control", "locomotion/walkers/assets/*.xml"),
    ("gymnasium", "envs/mujoco/assets/*.xml"),
)
"""Packages, and where in them models are."""


def models(most: int) -> Iterator[Path]:
    """Yield the models that are installed."""
    found: list[Path] = []
    for package, pattern in COLLECTIONS:
        spec = importlib.util.find_spec(package)
        for folder in () if spec is None else spec.submodule_search_locations or ():
            found += sorted(Path(folder).glob(pattern))
    yield from found[:most]


def judged_model(path: Path, folder: Path) -> str:
    """Return how a model stands, as a line; "" before it where all is well."""
    contents = read(path)
    far = apart(path, contents)
    output = folder / "out.glb"
    quiet = ["convert", str(path), str(output), "--overwrite", "--json"]
    with (folder / "log").open("w") as log:
        kept, sys.stdout, sys.stderr = (sys.stdout, sys.stderr), log, log
        try:
            codes = command(quiet), command(["check", str(output), "--json"])
        finally:
            sys.stdout, sys.stderr = kept
    wrong = "" if far <= PLACE and codes == (0, 0) else "WRONG "
    return f"{wrong}{path.name}: {far:.1e} m, convert {codes[0]}, check {codes[1]}"


def main() -> int:
    """Judge all, print a line each, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=1000, help="how many models")
    arguments = parser.parse_args()
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in models(arguments.most):
            try:
                lines.append(judged_model(path, folder))
            except ContentsError as error:
                lines.append(f"{path.name}: not read: {error}")
            except ValueError as error:
                lines.append(f"{path.name}: not judged: {str(error).splitlines()[0]}")
            print(lines[-1], flush=True)
        for case, contents in CASES.items():
            metres, degrees = moved_apart(contents, folder)
            wrong = "WRONG " if degrees > TURN else ""
            lines.append(f"{wrong}{case}: {metres:.1e} m, {degrees:.1e} degrees after 1 s")
            print(lines[-1], flush=True)
    wrong = [line for line in lines if line.startswith("WRONG")]
    print(f"{len(lines)} judged, {len(wrong)} wrong")
    return 1 if wrong or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
