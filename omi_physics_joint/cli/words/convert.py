# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of ``convert`` and ``simulate``, and those about formats that others share."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Any

from ...library.formats import BASES, BLEND, FOREIGN, READABLE, Choices
from ...library.motion import MOST_FRAMES, SOFT_LOCKS, STEPS
from ..batch.tasks import WRITES
from ..outcome import add_judging
from .runs import COUNT, FINITE, POSITIVE, is_said

OF_READ = {"prim": ("USD",), "base": ("URDF", "MJCF"), "packages": ("URDF",)}
OF_WRITTEN = {"flat": ("USD",), "over": ("USD",), "mesh_uri": ("URDF",), "dialect": ("glTF",)}
"""Words that only some formats take, by the names that their values have."""
USUAL = ("", "file", "both")
"""Values that these have by themselves."""


def add_convert(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its class
    """Add the command to a parser."""
    convert = commands.add_parser(
        "convert",
        help="write a file in other dialects, or in another format",
        description="Write the physics of a glTF file in other extensions, and everything else as "
        "it is. A .glb takes buffers and images in, a .gltf has them beside it. Between other "
        "formats, which the names of the files say, go bodies, joints, shapes and meshes without "
        "their looks. What the new file cannot say is named.",
    )
    option = convert.add_argument
    option("files", nargs="+", type=Path, metavar="IN OUT")
    option("--output-dir", type=Path, metavar="DIR", help="where to, for any number of files")
    option("--format", choices=[one[1:] for one in READABLE], help="of those: what they become")
    option(
        "--dialect",
        choices=("both", "omi", "khr"),
        default="both",
        help="which extensions of glTF: OMI's, Khronos', or both in one file (default: both)",
    )
    option("--prim", default="", metavar="PATH", help="read of a USD stage what is below this prim")
    option(
        "--flat",
        action="store_true",
        help="write bodies beside each other in USD, not in each other",
    )
    option(
        "--over",
        type=Path,
        metavar="STAGE",
        help="write a USD layer above this stage, with opinions on physics alone",
    )
    add_choices(convert)
    option(
        "--mesh-uri",
        default="",
        metavar="URI",
        help="what names of meshes begin with in URDF, as package://robot/meshes (default: their "
        "folder beside OUT)",
    )
    option("--strict", action="store_true", help="write nothing where there are errors or losses")
    option(
        "--overwrite", action="store_true", help="also write over IN, and others' files beside OUT"
    )
    option("--json", action="store_true", help="print one JSON document")
    add_judging(convert)


def add_choices(command: argparse.ArgumentParser) -> None:
    """Give a command that reads files the words that say how."""
    command.add_argument(
        "--base",
        choices=BASES,
        default="file",
        help="of URDF and MJCF: whether robots stand fixed on the world or float (default: as the "
        "file says; a root of URDF without mass stands)",
    )
    command.add_argument(
        "--package",
        dest="packages",
        action="append",
        default=[],
        metavar="NAME=FOLDER",
        help="of URDF: where meshes of package://NAME/ lie, several if given again (default: in "
        "folders of that name beside and above the file)",
    )


def choices_of(arguments: argparse.Namespace) -> Choices:
    """Return what a command asks of formats, as far as it has words for that."""
    names = [one.name for one in fields(Choices) if hasattr(arguments, one.name)]
    return Choices(**{name: getattr(arguments, name) for name in names})


def unused_word(arguments: argparse.Namespace) -> str:
    """Return which word none of the files takes that a command names; "" of none.

    Folders, patterns and lists may hold any.
    """
    read, written = [path.suffix.lower() for path in arguments.files], list[str]()
    if arguments.command == "convert" and arguments.output_dir is None:
        read, written = read[:1], read[1:]
        if arguments.format is not None:
            return "--format is for --output-dir: the name of OUT says what is written"
    elif arguments.command in WRITES:
        written = [f".{arguments.format}"]
    for words, endings, done in ((OF_READ, read, "read"), (OF_WRITTEN, written, "written")):
        names = {FOREIGN.get(ending, "gltf") for ending in endings}
        for word, formats in words.items():
            value = getattr(arguments, word, None)
            is_taken = any(name.lower() in names for name in formats)
            asks = is_said(value) and value not in USUAL
            if asks and not is_taken and set(endings) <= {*READABLE, BLEND}:
                option = "--" + word.removesuffix("s").replace("_", "-")
                return f"{option} is for {' and '.join(formats)}, and none is {done}: leave it out"
    return ""


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
