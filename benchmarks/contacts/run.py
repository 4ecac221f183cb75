# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m benchmarks.contacts.run [CASE ...]``: ours beside goals, red lines and other engines.

Engines that are installed take part; each frame of a scene is made by one after the other, so
times may be compared as ratios. Marks: ``*`` at the goal, ``!`` below the red line.
"""

from __future__ import annotations

import importlib
import sys
import time

import numpy as np

from . import heaps, machines, rolling
from .ours import Ours
from .scene import FPS, Case, Path, Scene

PEERS = ("mujoco_peer", "rapier_peer", "pybullet_peer")
PATIENCE = 6.0
"""s of the processor's that an engine may take for a scene of a heavy case."""
CASES = {make.__name__: make for one in (rolling, heaps, machines) for make in one.CASES}


def engines() -> list[type]:
    """Return our own and those peers that are here."""
    found: list[type] = [Ours]
    for name in PEERS:
        try:
            found += importlib.import_module(f".{name}", __package__).ENGINES
        except ImportError as error:
            print(f"without {name}: {error}", file=sys.stderr)
    return found


def together(scene: Scene, made: list[type], *, heavy: bool) -> dict[str, Path | str]:
    """Return what engines make of a scene, a frame of each in turn; or why one does not."""
    runs, found = {}, {}
    for one in made:
        try:
            runs[one.name] = one(scene)
        except NotImplementedError as error:
            found[one.name] = str(error)
    frames = {name: [run.snapshot()] for name, run in runs.items()}
    times = {name: [] for name in runs}
    for _ in range(round(scene.seconds * FPS)):
        for name, run in runs.items():
            if heavy and sum(times[name]) > PATIENCE:
                continue
            began = time.process_time()
            run.frame()
            times[name].append(time.process_time() - began)
            frames[name].append(run.snapshot())
    for name in runs:
        found[name] = Path(*map(np.array, zip(*frames[name], strict=True)), np.array(times[name]))
    return found


def measured(case: Case, made: list[type]) -> None:
    """Print a case."""
    every = [together(scene, made, heavy=case.heavy) for scene in case.scenes]
    columns: dict[str, list[object]] = {}
    for name in (one.name for one in made):
        paths = tuple(one[name] for one in every)
        lacks = [path for path in paths if isinstance(path, str)]
        columns[name] = [] if lacks else case.judge(case.scenes, paths)
        mean = 0.0 if lacks else 1e3 * float(np.concatenate([p.times for p in paths]).mean())
        said = (
            lacks[0]
            if lacks
            else f"{mean:.2f} ms a frame, {sum(len(p.times) for p in paths)} frames"
        )
        print(f"{case.name}: {name}: {said}", flush=True)
    for i, figure in enumerate(columns["ours"]):
        cells = []
        for name, figures in columns.items():
            if figures:
                value = figures[i].value
                mark = "*" if value <= figure.goal else "" if value <= figure.red else "!"
                cells.append(f"{name} {value:.3g}{mark}")
        print(
            f"  {figure.name} (goal {figure.goal:g}, red {figure.red:g}): {', '.join(cells)}",
            flush=True,
        )


def main() -> None:
    """Run the cases that are named by their functions, or all."""
    if lacks := set(sys.argv[1:]) - set(CASES):
        sys.exit(f"no case {', '.join(sorted(lacks))}; there are: {', '.join(CASES)}")
    made = engines()
    for name in sys.argv[1:] or CASES:
        measured(CASES[name](), made)


if __name__ == "__main__":
    main()
