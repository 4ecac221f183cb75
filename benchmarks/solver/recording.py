# SPDX-License-Identifier: GPL-3.0-or-later
"""One scene run in one engine: with all poses kept, or for the time alone."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from .peers.engine import Engine, Run, Snapshot
from .scene import Array, Path, Scene


@dataclass(frozen=True, slots=True)
class Recording:
    """A path and what it cost."""

    path: Path
    milliseconds: float
    """For each simulated second, frames alone."""
    note: str = ""
    """What the engine says of itself, such as the substeps it chose."""


def record(engine: Engine, scene: Scene, setting: int) -> Recording:
    """Run a scene and keep every frame; reading poses is not timed."""
    run = engine.build(scene, setting)
    try:
        snapshots, spent = [run.snapshot()], 0.0
        for _ in range(scene.frames):
            start = perf_counter()
            run.frame()
            spent += perf_counter() - start
            snapshots.append(run.snapshot())
        note = getattr(run, "note", "")
    finally:
        run.close()
    return Recording(_path(snapshots), 1000.0 * spent / scene.seconds, note)


def timed(engine: Engine, scene: Scene, setting: int) -> float:
    """Run a scene and return the milliseconds for each simulated second."""
    run: Run = engine.build(scene, setting)
    try:
        start = perf_counter()
        for _ in range(scene.frames):
            run.frame()
        return 1000.0 * (perf_counter() - start) / scene.seconds
    finally:
        run.close()


def trial(engine: Engine, scene: Scene, setting: int, frames: int = 2) -> float:
    """Return the milliseconds for each simulated second as the first frames foretell them."""
    run = engine.build(scene, setting)
    try:
        run.frame()  # the first is no measure: things are made on demand
        start = perf_counter()
        for _ in range(frames):
            run.frame()
        return 1000.0 * (perf_counter() - start) * scene.fps / frames
    finally:
        run.close()


def _path(snapshots: list[Snapshot]) -> Path:
    def stacked(name: str) -> Array | None:
        parts = [getattr(snapshot, name) for snapshot in snapshots]
        return None if parts[0] is None else np.array(parts)

    positions, rotations = stacked("positions"), stacked("rotations")
    assert positions is not None
    assert rotations is not None
    return Path(positions, rotations, stacked("velocities"), stacked("spins"))
