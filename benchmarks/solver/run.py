# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures our solver beside its peers in one run, and writes the tables.

    python -m benchmarks.solver.run [--quick] [--scenes chain10,heavy] [--rounds 5] [--budget 20]

SciPy is needed for the truths; every peer is optional.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path as File

from .measuring import Plan, SceneResult, measure, say
from .mechanisms import QUICK, SCENES
from .peers.engine import Engine, NotHereError
from .report import markdown

QUICK_GRID = (1, 2, 4, 8, 16)


def _peer(module: str, maker: str, *arguments: object) -> Engine:
    engine: Engine = getattr(import_module(f".peers.{module}", __package__), maker)(*arguments)
    return engine


ENGINES: dict[str, Callable[[], Engine]] = {
    "ours": lambda: _peer("ours", "OurEngine"),
    "Blender rigid bodies": lambda: _peer("blender", "BlenderEngine"),
    "PyBullet": lambda: _peer("pybullet_engine", "PybulletEngine"),
    "MuJoCo RK4": lambda: _peer("mujoco_engine", "MujocoEngine"),
}


def main(words: Sequence[str]) -> int:
    """Run with the words of the command line and return the exit code."""
    arguments = _parser().parse_args(words)
    folder: File = arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    names = arguments.scenes.split(",") if arguments.scenes else list(SCENES)
    if arguments.quick and not arguments.scenes:
        names = list(QUICK)
    unknown = [name for name in names if name not in SCENES]
    if unknown:
        print(f"no scene {', '.join(unknown)}; there are {', '.join(SCENES)}", file=sys.stderr)
        return 2
    engines, absent = _engines(arguments.engines.split(",") if arguments.engines else None)
    plan = Plan(arguments.rounds, arguments.budget, QUICK_GRID if arguments.quick else Plan().grid)
    versions = {engine.name: engine.version for engine in engines} | absent
    command = " ".join(["python -m benchmarks.solver.run", *words])
    results: dict[str, SceneResult] = {}
    drives = _drives() if any(engine.name == "ours" for engine in engines) else []
    for name in names:
        results[name] = measure(SCENES[name](), engines, plan, folder)
        # Written after every scene: a long run that is broken off has not been for nothing.
        (folder / "report.md").write_text(markdown(results, versions, command, drives), "utf-8")
    print(markdown(results, versions, command, drives))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.solver.run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few scenes and settings")
    parser.add_argument("--scenes", help="names with commas between")
    parser.add_argument("--engines", help="names with semicolons or commas between; see ENGINES")
    parser.add_argument("--rounds", type=int, default=5, help="least of so many runs (default: 5)")
    parser.add_argument("--budget", type=float, default=20.0, help="seconds that a run may take")
    parser.add_argument("--output", type=File, default=File("build/bench-solver"))
    return parser


def _engines(wanted: Sequence[str] | None) -> tuple[list[Engine], dict[str, str]]:
    """Return the engines that are here, and for the others why not."""
    engines: list[Engine] = []
    absent: dict[str, str] = {}
    for name, make in ENGINES.items():
        if wanted is not None and not any(name.startswith(word) for word in wanted):
            continue
        try:
            engines.append(make())
        except (ImportError, NotHereError) as error:
            absent[name] = f"not here ({error})"
            say(f"{name}: {absent[name]}")
    return engines, absent


def _drives() -> list[str]:
    """Return the table of our own drives and soft limits."""
    say("drives and soft limits")
    return list(import_module(".driving", __package__).drive_table())


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # Blender's own end may crash or hang
