# SPDX-License-Identifier: GPL-3.0-or-later
"""Babylon.js with Havok and its loader of KHR_physics_rigid_bodies, run by Node.js.

npm fetches what is pinned here into the output folder; the loader's plugin is on no registry, so a
checkout of it is bundled there. Nothing of either becomes part of the project.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path

PINS = (
    "@babylonjs/core@9.34.0",
    "@babylonjs/loaders@9.28.0",
    "@babylonjs/havok@1.3.14",
    "esbuild@0.28.2",
)
SOURCES = Path("packages", "loader", "src")
"""Where a checkout of glTF_Physics_Babylon has its plugins."""
SCRIPT = Path(__file__).with_name("play.mjs")

Pose = tuple[float, ...]
"""World position in m, and rotation as a quaternion x, y, z, w."""


class BabylonError(Exception):
    """It cannot be run, and why."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What became of one file: poses by the names of bodies, or what went wrong."""

    start: dict[str, Pose]
    end: dict[str, Pose]
    error: str = ""


@dataclass(frozen=True, slots=True)
class Babylon:
    """A folder with everything in it."""

    folder: Path

    def measure(
        self, files: Sequence[Path], seconds: float, rate: int, *, damped: bool = False
    ) -> list[Measured]:
        """Play files, each by itself.

        Args:
            files: glTF with its buffers inside.
            seconds: how long.
            rate: steps a second.
            damped: with the damping that Babylon gives every body, else without.
        """
        job, output = self.folder / "job.json", self.folder / "played.json"
        what = {"seconds": seconds, "rate": rate, "damped": damped, "output": str(output)}
        job.write_text(json.dumps({"files": [str(file) for file in files], **what}), "utf-8")
        _run(["node", str(self.folder / "play.mjs"), str(job)])
        found = json.loads(output.read_text("utf-8"))
        return [_measured(found[str(file)]) for file in files]


def prepared(checkout: Path, folder: Path) -> Babylon:
    """Return Babylon in a folder; fetch and bundle what is not there yet.

    Raises:
        BabylonError: If Node.js, npm, the network or the checkout is missing.
    """
    sources = checkout / SOURCES
    if not (sources / "KHR_rigid_bodies.ts").is_file():
        raise BabylonError(f"{checkout} is no checkout of glTF_Physics_Babylon: no {SOURCES}.")
    if not (shutil.which("node") and shutil.which("npm")):
        raise BabylonError("Node.js with npm is not here.")
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "pins.txt"
    if not stamp.is_file() or stamp.read_text("utf-8") != "\n".join(PINS):
        quiet = ("--no-fund", "--no-audit", "--loglevel=error")
        _run(["npm", "install", "--prefix", str(folder), *quiet, *PINS])
        stamp.write_text("\n".join(PINS), "utf-8")
    _run(
        [
            str(folder / "node_modules" / ".bin" / "esbuild"),
            str(SCRIPT),
            "--bundle",
            "--platform=node",
            "--format=esm",
            "--log-level=error",
            "--external:@babylonjs/havok",
            f"--alias:rigid-body-loader={sources}",
            f"--outfile={folder / 'play.mjs'}",
        ],
        NODE_PATH=str(folder / "node_modules"),
    )
    return Babylon(folder)


def _measured(found: dict[str, object]) -> Measured:
    if "error" in found:
        return Measured({}, {}, str(found["error"]))
    start, end = (_poses(found[key]) for key in ("start", "end"))
    return Measured(start, end)


def _poses(found: object) -> dict[str, Pose]:
    assert isinstance(found, dict)
    return {str(name): tuple(map(_number, values)) for name, values in found.items()}


def _number(value: object) -> float:
    """Return a number; JSON has null for those that are none."""
    return float(value) if isinstance(value, int | float) else nan


def _run(command: list[str], **environment: str) -> None:
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise BabylonError(f"{Path(command[0]).name} failed: {said[-1] if said else 'in silence'}")
