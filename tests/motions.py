# SPDX-License-Identifier: GPL-3.0-or-later
"""The shipped mechanisms moved by ``simulate``, as they are and after a trip through a format."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from omi_physics_joint.cli.command import main

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "glb"
NEAR, TURNED = 1e-4, np.radians(0.1)
"""m and rad."""
Array = NDArray[np.float64]


def moved(path: Path, out: Path) -> dict[str, dict[str, Array]]:
    """Return translations (frames, 3) and rotations (frames, 4) of all bodies for a second."""
    assert main(["simulate", str(path), "--fps", "24", "--seconds", "1", "--json", str(out)]) == 0
    bodies = json.loads(out.read_text("utf-8"))["bodies"]
    return {
        name: {kind: np.array(values) for kind, values in poses.items()}
        for name, poses in bodies.items()
    }


def assert_one_motion(name: str, ending: str, folder: Path, *, places: bool = True) -> None:
    """Hold a shipped file to what it does after it was written in another format.

    Robots of ROS have the origins of their links at joints, so only how bodies turn is compared.
    """
    path = folder / f"{name}{ending}"
    assert main(["convert", str(EXAMPLES / f"{name}.glb"), str(path)]) == 0
    before = moved(EXAMPLES / f"{name}.glb", folder / "before.json")
    after = moved(path, folder / "after.json")
    assert len(before.keys() & after.keys()) > 1
    for body in before.keys() & after.keys():
        turns = [_from_the_first(one[body]["rotation"]) for one in (before, after)]
        apart = 2.0 * np.arccos(np.clip(np.abs((turns[0] * turns[1]).sum(1)), 0.0, 1.0))
        assert apart.max() < TURNED, body
        if places:
            ways = [
                one[body]["translation"] - one[body]["translation"][0] for one in (before, after)
            ]
            assert np.abs(ways[0] - ways[1]).max() < NEAR, body


def _from_the_first(rotations: Array) -> Array:
    """Return rotations (frames, 4) x y z w times the inverse of the first."""
    x, y, z, w = rotations.T
    a, b, c, d = rotations[0] * (-1.0, -1.0, -1.0, 1.0)
    vector = [
        w * a + x * d + y * c - z * b,
        w * b - x * c + y * d + z * a,
        w * c + x * b - y * a + z * d,
    ]
    return np.stack([*vector, w * d - x * a - y * b - z * c], 1)
