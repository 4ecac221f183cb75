# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``simulate``: what the joints of a glTF file do, without Blender."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TypeVar

from ..files.replacing import obstacle, real
from ..gltf.document.files import Document, named_files
from ..library.converted import is_same_file
from ..library.formats import put
from ..library.guarded import guarded
from ..library.offered import LONGEST, load, read
from ..library.offered import simulate as moved
from ..model.contents import ContentsError, Package
from ..model.mechanism import EARTH
from ..model.wording.words import capitalized
from .batch.words import COUNT, FINITE, POSITIVE
from .convert import add_choices, choices_of
from .judging import Judge, add_judging
from .outcome import Outcome
from .reports.versions import deliver
from .streams import is_on_terminal

INTERRUPTED = 130
WORDS = ("seconds", "fps", "gravity", "steps", "soft_locks", "substeps", "accuracy", "beside")
"""Of the command, those that ``library.simulate`` has too."""
ON_A_TERMINAL, IN_A_LOG = 0.2, 5.0
"""Seconds between two words about progress."""


Parser = TypeVar("Parser", bound=argparse.ArgumentParser)


def add_simulate(commands: argparse._SubParsersAction[Parser]) -> None:
    """Describe the words of the command."""
    simulate = commands.add_parser(
        "simulate", help="simulate the joints of a glTF file; bodies do not collide"
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
        help=f"in m/s^2, Y up (default: the file's, else 0 {EARTH[1]:g} 0)",
    )
    option(
        "--as",
        dest="steps",
        choices=("exact", "godot"),
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
    option(
        "--soft-locks",
        choices=("automatic", "literal", "rigid"),
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
        type=Path,
        metavar="OUT",
        help="write the motion as one JSON document; of many files below this folder",
    )
    option("--strict", action="store_true", help="end with 1 also where something is lost")
    add_judging(simulate)


def simulate(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    path: Path = arguments.file
    words = {name: getattr(arguments, name) for name in WORDS}
    words = {name: word for name, word in words.items() if word is not None}
    said: list[str] = []
    try:
        with guarded():
            document = load(path, choices_of(arguments))
            if arguments.json is not None:
                _check_out(arguments.json, document)
            with _progress(arguments.seconds) as said_at:
                motion = moved(read(document), progress=said_at, **words)
            if arguments.json is not None:
                text = json.dumps(motion.document(), allow_nan=False)
                put(Package(f"{text}\n".encode()), arguments.json)
            outcome = Outcome(path, motion.issues).judged(Judge.of(arguments))
            said += motion.summary()
    except ContentsError as error:
        outcome = Outcome(path, error=str(error))
    except KeyboardInterrupt:
        print("interrupted; nothing is written", file=sys.stderr)
        return INTERRUPTED
    if hasattr(arguments, "deliver"):
        deliver(arguments, {**outcome.as_json(), "said": said})
        return outcome.code
    for line in said:
        print(line)
    sys.stdout.flush()
    outcome.print_troubles(named=False)
    return outcome.code


def wrong_words(arguments: argparse.Namespace) -> str:
    """Return what words of the command contradict each other; "" of none."""
    if arguments.seconds * arguments.fps > LONGEST:
        return f"That is more than {LONGEST} frames."
    if arguments.steps == "godot":
        asked = (("--substeps", arguments.substeps), ("--accuracy", arguments.accuracy))
        words = [word for word, value in asked if value is not None]
        words += ["--soft-locks"] * (arguments.soft_locks != "automatic")
        if words:
            return f"{words[0]} means nothing with --as godot, which has its own: leave it out."
    elif arguments.beside:
        return "--beside is for --as godot: there is nothing else to compare with."
    return ""


def _check_out(out: Path, document: Document) -> None:
    """Refuse to write where the motion could not go, or over the file that is simulated."""
    trouble = obstacle([real(out)])
    if trouble:
        raise ContentsError(f"{capitalized(trouble)}.")
    if any(is_same_file(out, path) for path in named_files(document)):
        raise ContentsError(f"{out} is part of what is simulated: choose another name for --json.")


@contextmanager
def _progress(seconds: float) -> Iterator[Callable[[float], None]]:
    """Yield what says on standard error how far a long run is, by the simulated time in s.

    It does so often on a terminal, all in one line, else now and then.
    """
    on_terminal, has_said = is_on_terminal(), False
    pause, last = ON_A_TERMINAL if on_terminal else IN_A_LOG, monotonic()
    start, end = ("\r", "") if on_terminal else ("", "\n")

    def at(time: float) -> None:
        nonlocal has_said, last
        if monotonic() - last >= pause:
            has_said, last = True, monotonic()
            text = f"{start}simulated {time:.2f} of {seconds:g} s"
            print(text, end=end, file=sys.stderr, flush=True)

    try:
        yield at
    finally:
        if on_terminal and has_said:
            print(file=sys.stderr, flush=True)
