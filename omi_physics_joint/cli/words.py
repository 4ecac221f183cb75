# SPDX-License-Identifier: GPL-3.0-or-later
"""What users may say: the words of ``convert``, ``simulate`` and of formats, and those of runs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from math import inf, isfinite
from os.path import isfile
from pathlib import Path
from typing import Any, TypeVar

from ..library.formats import ADVICE, BASES, BLEND, FOREIGN, READABLE, Choices
from ..library.motion import MOST_FRAMES, SOFT_LOCKS, STEPS
from .batch.tasks import WRITES, pattern_of, shard_of
from .outcome import add_judging

WORKER = "worker"
"""The command that a worker is started with; for nobody else."""
MEGABYTES = "MB"
Number = TypeVar("Number", int, float)


def _checked(
    name: str, parse: Callable[[str], Number], is_right: Callable[[Number], bool]
) -> Callable[[str], Number]:
    """Return what reads a word of a command line as a number that is right."""

    def read(word: str) -> Number:
        value = parse(word)
        if not is_right(value):
            raise ValueError(word)
        return value

    read.__name__ = name  # argparse names it where it refuses a word
    return read


FINITE = _checked("number", float, isfinite)
POSITIVE = _checked("positive number", float, lambda value: 0.0 < value < inf)
COUNT = _checked("positive whole number", int, lambda value: value >= 1)


def path_of(word: str) -> Path:
    """Return a path; the present folder is a dot, and not what a variable says that nobody set.

    Raises:
        ArgumentTypeError: the word is empty.
    """
    if not word:
        raise argparse.ArgumentTypeError("the name is empty; the present folder is called .")
    return Path(word)


def files_or_megabytes(word: str) -> tuple[int, float]:
    """Return files and megabytes after which a worker is replaced, one of them 0."""
    if word.upper().endswith(MEGABYTES):
        return 0, POSITIVE(word[: -len(MEGABYTES)])
    return COUNT(word), 0.0


@dataclass(frozen=True, slots=True)
class RunWord:
    """A word about runs; no file that is written hangs on it.

    Attributes:
        names: How it is spelled.
        options: How argparse reads it.
        needs_workers: Whether it asks for a supervisor and workers.
        commands: Who knows it; none are all.
    """

    names: tuple[str, ...]
    options: Mapping[str, Any]
    needs_workers: bool
    commands: Sequence[str]

    @property
    def key(self) -> str:
        """Its name among the words of a command."""
        return self.names[-1].lstrip("-").replace("-", "_")


def _word(*names: str, workers: bool = True, of: Sequence[str] = (), **options: Any) -> RunWord:  # noqa: ANN401
    return RunWord(names, options, workers, of)


ON = "store_true"
WORDS = (
    _word("-r", "--recursive", workers=False, action=ON, help="look into folders of folders too"),
    _word("-j", "--jobs", type=COUNT, metavar="N", help="keep N workers, each with a Blender"),
    _word("--timeout", type=POSITIVE, metavar="S", help="give up a file after S seconds"),
    _word("--memory", type=POSITIVE, metavar="MB", help="give up a file that takes more memory"),
    _word(
        "--recycle",
        type=files_or_megabytes,
        metavar="N|NMB",
        help="replace a worker after N files, or where it keeps more than so much memory (500MB)",
    ),
    _word("--shard", type=shard_of, metavar="K/N", help="do part K of N, as names are shared out"),
    _word("--report", type=path_of, metavar="OUT.jsonl", help="write a line a file as it is done"),
    _word(
        "--resume",
        action=ON,
        help="go on with the run of --report: what it has done is left alone",
    ),
    _word("--junit", type=path_of, metavar="OUT.xml", help="write a test case a file at the end"),
    _word(
        "--annotations",
        workers=False,
        choices=("github",),
        help="show it on GitHub, beside files too",
    ),
    _word("--log-dir", type=path_of, metavar="DIR", help="write what Blender prints, a log a file"),
    _word(
        "--blender",
        metavar="PATH",
        help="the Blender of workers, with the add-on installed",
    ),
    _word("--tree", workers=False, of=WRITES, action=ON, help="keep folders as they are below DIR"),
    _word(
        "--name",
        workers=False,
        of=WRITES,
        type=pattern_of,
        metavar="PATTERN",
        help="name outputs so below DIR: {folder} below what was named, {stem} of the file, {part} "
        "of --split ('{folder}/{stem}_lo')",
    ),
    _word(
        "--changed-only",
        of=("export",),
        action=ON,
        help="leave alone what was exported before from the same files with the same words",
    ),
    _word(
        "--hash",
        workers=False,
        of=("export",),
        action=ON,
        help="with --changed-only: never trust the time of files",
    ),
)


def add_batch(command: argparse.ArgumentParser, name: str) -> None:
    """Give a command the words of runs."""
    group = command.add_argument_group(
        "many files", "files may be folders, patterns and lists (@night.txt: one a line)"
    )
    for word in WORDS:
        if not word.commands or name in word.commands:
            group.add_argument(*word.names, **word.options)


def misnamed_report(arguments: argparse.Namespace) -> str:
    """Return which report would be written over a model, or has no name; "" of none."""
    for key, word in (("report", "--report"), ("junit", "--junit"), ("motion", "--json")):
        path: Path | None = getattr(arguments, key, None)
        ending = "" if path is None else path.suffix.lower()
        if str(path) == "-":
            return f"{word} writes a file: - is the name of none"
        is_suite = key == "junit" and ending == ".xml" and not _is_another(path)
        if ending in (*READABLE, *ADVICE) and not is_suite:
            return f"{word} says where to write, and {path} is named as what is read is"
    return ""


def _is_another(path: Path | None) -> bool:
    """Return whether a file is there that is no suite of tests, as a robot of MJCF is none."""
    with suppress(OSError):  # whoever writes it says so
        return path is not None and isfile(path) and b"<testsuite" not in path.read_bytes()
    return False


def is_said(value: object) -> bool:
    """Return whether somebody gave a word: it has a value, if only that of a zero."""
    return value is not None and value is not False and value not in ([], ())


def is_supervised(arguments: argparse.Namespace) -> bool:
    """Return whether the words of a command ask for workers."""
    asked = (getattr(arguments, word.key, None) for word in WORDS if word.needs_workers)
    return any(value not in (None, False) for value in asked)


OF_READ = {"prim": ("USD",), "base": ("URDF", "MJCF"), "packages": ("URDF",)}
OF_WRITTEN = {"flat": ("USD",), "over": ("USD",), "mesh_uri": ("URDF",)}
OF_WRITTEN |= dict.fromkeys(("dialect", "target"), ("glTF",))
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
    option("files", nargs="+", type=path_of, metavar="IN OUT")
    option("--output-dir", type=path_of, metavar="DIR", help="where to, for any number of files")
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
        type=path_of,
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
        if getattr(arguments, "target", None) == "godot" and arguments.dialect == "khr":
            return "--target godot has OMI's extensions alone: leave --dialect out"
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
    option("files", nargs="+", type=path_of, metavar="FILE.gltf|FILE.glb")
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
        type=path_of,
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
