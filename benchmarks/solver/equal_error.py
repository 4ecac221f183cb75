# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel's call alone beside a step of MuJoCo RK4, with the error that each leaves.

    python -m benchmarks.solver.equal_error [--scenes pendulum,ragdoll] [--rounds 15]

On a machine where others work no run is undisturbed, but of many runs some frame always is: of
each frame the least time counts, and runs of all settings take turns. Errors are the largest of all
bodies and frames, of the mechanism's length, from the kernel at 1e-11.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np

from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.engines.compiled import engine

from .as_model import mechanism_of
from .mechanisms import SCENES, tree
from .peers.mujoco_engine import MujocoEngine
from .scene import DOWN, Array, Scene

SUBSTEPS = (1, 2, 4, 8, 16)
DIGITS = (3, 4, 5, 6)
TRUTH = 1e-11
Frames = tuple[Array, Array]
"""Seconds of each frame, and where bodies are after it."""


def kernel_frames(scene: Scene, accuracy: float) -> Frames:
    """Run the islands of a scene, which are alike."""
    (group,) = Simulation(mechanism_of(scene), Options(gravity=DOWN)).groups
    stepper, dt = engine().stepper(group.system, group.state), 1.0 / scene.fps
    stepper.begin(continued=False)
    return _frames(
        scene,
        lambda: stepper.step(dt, dt, accuracy),
        lambda: group.state.position[:, : group.system.bodies].reshape(-1, 3),
    )


def mujoco_frames(scene: Scene, substeps: int) -> Frames:
    """Run a scene in MuJoCo."""
    run = MujocoEngine().build(scene, substeps)
    return _frames(scene, run.frame, lambda: run.snapshot().positions)


def _frames(scene: Scene, step: Callable[[], object], where: Callable[[], Array]) -> Frames:
    spent, path = np.zeros(scene.frames), np.zeros((scene.frames, scene.count, 3))
    for frame in range(scene.frames):
        start = perf_counter()
        step()
        spent[frame] = perf_counter() - start
        path[frame] = where()
    return spent, path


def table(scene: Scene, rounds: int) -> list[str]:
    """Return the rows of a scene: setting, microseconds a frame, error."""
    _, truth = kernel_frames(scene, TRUTH)
    runs: dict[str, Callable[[], Frames]] = {}
    for digits in DIGITS:
        runs[f"ours, 1e-{digits}"] = lambda digits=digits: kernel_frames(scene, 10.0**-digits)
    for count in SUBSTEPS:
        runs[f"MuJoCo, {count}"] = lambda count=count: mujoco_frames(scene, count)
    least = {name: np.full(scene.frames, np.inf) for name in runs}
    error = dict.fromkeys(runs, 0.0)
    for _ in range(rounds):
        for name, run in runs.items():
            spent, path = run()
            least[name] = np.minimum(least[name], spent)
            error[name] = np.linalg.norm(path - truth, axis=-1).max() / scene.length
    title = f"{scene.name}, {scene.count}"
    return [
        f"| {title} | {name} | {1e6 * least[name].mean():.1f} | {error[name]:.1e} |"
        for name in runs
    ]


def main(words: Sequence[str]) -> int:
    """Print the table of some scenes."""
    known = SCENES | {"tree31": lambda: tree(5)}
    parser = argparse.ArgumentParser(prog="benchmarks.solver.equal_error", description=__doc__)
    parser.add_argument("--scenes", default="pendulum,chain10,ragdoll,tree31")
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args(words)
    print("| scene | accuracy, or substeps | us a frame | error |\n|-|-|-|-|")
    for name in arguments.scenes.split(","):
        print("\n".join(table(known[name](), arguments.rounds)), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
