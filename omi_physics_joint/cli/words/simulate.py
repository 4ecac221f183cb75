# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of ``simulate``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ...library.motion import MOST_FRAMES, SOFT_LOCKS, STEPS
from ..outcome import add_judging
from .convert import add_choices
from .runs import COUNT, FINITE, POSITIVE


def add_simulate(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its class
    """Describe the words of the command."""
    simulate = commands.add_parser(
        "simulate", help="simulate the joints of a glTF file, and what its bodies touch"
    )
    option = simulate.add_argument
    option("files", nargs="+", type=Path, metavar="FILE.gltf|FILE.glb")
    option("--seconds", type=POSITIVE, default=5.0, metavar="S", help="how long (default: 5)")
    option("--fps", type=POSITIVE, default=60.0, metavar="N", help="frames a second (default: 60)")
    option(
        "--gravity",
        type=FINITE,
        nargs=3,
        metavar=("X", "Y", "Z"),
        help="in m/s^2, Y up (default: the file's, else that of the Earth)",
    )
    option(
        "--as",
        dest="steps",
        choices=STEPS,
        default="exact",
        help="as exact as can be, or as Godot with Jolt does by default: 60 steps a second of "
        "first order, damping of 0.1, its rebound at stops and its reading of limits and drives "
        "(default: exact)",
    )
    option(
        "--beside",
        action="store_true",
        help="with --as godot: say how far each joint goes from the exact motion",
    )
    option("--contacts", action="store_true", help="let bodies touch as their colliders say")
    option(
        "--floor",
        nargs="?",
        type=FINITE,
        const=True,
        default=False,
        metavar="HEIGHT",
        help="with --contacts: catch what no joint holds on a floor that is not in the file, in m "
        "along Y (without HEIGHT: zero, or under the lowest collider where that is lower)",
    )
    option(
        "--soft-locks",
        choices=SOFT_LOCKS,
        default="automatic",
        help="read limits that have a stiffness as springs (literal), as rigid, or as rigid only "
        "where they cannot hold the weight that they carry (default: automatic)",
    )
    option(
        "--substeps",
        type=COUNT,
        metavar="N",
        help="take at least N steps a frame (default: as many as the accuracy needs)",
    )
    option(
        "--accuracy",
        type=POSITIVE,
        metavar="X",
        help="how far a step may be off, in m or radians (default: 1e-6)",
    )
    add_choices(simulate)
    option(
        "--json",
        dest="motion",
        type=Path,
        metavar="OUT",
        help="write the motion as one JSON document; of many files below this folder",
    )
    option("--strict", action="store_true", help="end with 1 also where something is lost")
    add_judging(simulate)
    simulate.set_defaults(json=False)


def wrong_words(arguments: argparse.Namespace) -> str:
    """Return what words of the command contradict each other; "" of none."""
    frames = arguments.seconds * arguments.fps
    if frames > MOST_FRAMES or round(frames) < 1:
        return f"These are no 1 to {MOST_FRAMES} frames."
    if arguments.steps == "godot":
        asked = (("--substeps", arguments.substeps), ("--accuracy", arguments.accuracy))
        words = [word for word, value in asked if value is not None]
        words += ["--soft-locks"] * (arguments.soft_locks != "automatic")
        if words:
            return f"{words[0]} means nothing with --as godot, which has its own: leave it out."
        if arguments.contacts:
            return "Steps of --as godot have no contacts: leave --contacts out."
    if arguments.floor is not False and not arguments.contacts:
        return "--floor is for --contacts: without them all falls through it."
    if arguments.beside and arguments.steps != "godot":
        return "--beside is for --as godot: there is nothing else to compare with."
    return ""
