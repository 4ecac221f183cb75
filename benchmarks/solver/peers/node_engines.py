# SPDX-License-Identifier: GPL-3.0-or-later
"""Rapier and Jolt through Node.js, where both are installed.

``npm install --prefix build/bench-solver @dimforge/rapier3d-compat jolt-physics`` puts them where
they are looked for. Each engine is a process of its own; only the time inside it is counted.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import suppress
from math import isinf
from pathlib import Path
from typing import Any

import numpy as np

from ..rotations import product
from ..scene import DOWN, Array, Joint, Scene
from .engine import NotHereError, Snapshot

HERE = Path(__file__).resolve().parent
PACKAGES = {"Rapier": "@dimforge/rapier3d-compat", "Jolt": "jolt-physics"}
FOLDERS = (Path("build/bench-solver"), Path())
FAR = 1e6


class NodeEngine:
    """One of the engines that run in Node.js."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.node = shutil.which("node") or ""
        package = PACKAGES[name]
        found = [folder for folder in FOLDERS if (folder / "node_modules" / package).is_dir()]
        if not self.node or not found:
            message = f"no {package} in node_modules" if self.node else "no Node.js"
            raise NotHereError(message)
        self.folder = found[0].resolve()
        described = json.loads(
            (self.folder / "node_modules" / package / "package.json").read_text()
        )
        self.version = str(described["version"])

        self.process: subprocess.Popen[str] | None = None

    def build(self, scene: Scene, substeps: int) -> NodeRun:
        """Build a scene at rest."""
        unturned = self.name == "Rapier"
        run = NodeRun(self, scene.rotations if unturned else None)
        self.ask({"scene": _described(scene, substeps)})
        return run

    def ask(self, word: object) -> Any:  # noqa: ANN401 - JSON
        """Return the answer of the engine's process, which is started where there is none.

        Raises:
            NotHereError: the process has ended.
        """
        if self.process is None:
            self.process = self._started()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(word) + "\n")
            self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            self.process.kill()
            self.process.communicate()
            self.process = None
            message = "its process ended"
            raise NotHereError(message)
        return json.loads(answer)

    def _started(self) -> subprocess.Popen[str]:
        command = [
            self.node,
            str(HERE / "node_worker.mjs"),
            str(HERE / f"{self.name.lower()}.mjs"),
            PACKAGES[self.name],
            str(self.folder),
        ]
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )


class NodeRun:
    """One scene in the process of its engine, which holds one at a time."""

    def __init__(self, engine: NodeEngine, turns: Array | None) -> None:
        self.engine, self.turns = engine, turns
        """Rotations that the engine leaves out: its bodies begin unturned."""
        self.spent = 0.0
        """ms inside the engine so far."""

    def frame(self) -> None:
        """Advance by one output frame."""
        self.spent += self.engine.ask("frame")

    def snapshot(self) -> Snapshot:
        """Return where everything is."""
        poses = np.array(self.engine.ask("poses"), float)
        rotations = poses[:, 3:7]
        if self.turns is not None:
            rotations = product(rotations, self.turns)
        return Snapshot(poses[:, :3], rotations, poses[:, 7:10], poses[:, 10:])

    def close(self) -> None:
        """The next build takes the place of this one."""


def _described(scene: Scene, substeps: int) -> dict[str, Any]:
    return {
        "gravity": DOWN,
        "substeps": substeps,
        "step": 1.0 / (scene.fps * substeps),
        "positions": scene.positions.tolist(),
        "rotations": scene.rotations.tolist(),
        "masses": scene.masses.tolist(),
        "inertias": scene.inertias().tolist(),
        "sizes": scene.sizes.tolist(),
        "joints": [_joint(joint) for joint in scene.joints],
    }


def _joint(joint: Joint) -> dict[str, Any]:
    bounds = [-FAR if isinf(joint.low) else joint.low, FAR if isinf(joint.high) else joint.high]
    return {
        "kind": joint.kind.value,
        "parent": joint.parent,
        "child": joint.child,
        "anchor": joint.anchor,
        "axis": joint.axis,
        "bounds": bounds if joint.is_limited else None,
        "stiffness": joint.stiffness,
        "damping": joint.damping,
    }
