# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``simulate``: what the joints of a glTF file do, without Blender."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress
from dataclasses import replace
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from ..files.replacing import obstacle, real, write_text
from ..gltf.animated.animation import Tracks, read_tracks
from ..gltf.document.files import Document, named_files
from ..gltf.parts.gravity import EARTH
from ..gltf.read import read_document
from ..model.body import Vector3
from ..model.contents import ContentsError
from ..model.issue import Issue, has_errors
from ..model.mechanism import Mechanism
from .formats import read_document_of, why_unreadable
from .outcome import FAULTY, FINE, WRONG_USE, is_same_file

if TYPE_CHECKING:
    from .motion.recorded_motion import RecordedMotion

NO_NUMPY = "NumPy is not installed in this Python: run `pip install numpy`."
INTERRUPTED = 130
LONGEST, LARGEST = 1_000_000, 5_000_000
"""Frames, and frames times bodies; beyond this a run would not fit into memory."""
BEYOND = "Its numbers are beyond what can be computed"
ON_A_TERMINAL, IN_A_LOG = 0.2, 5.0
"""Seconds between two words about progress."""


Parser = TypeVar("Parser", bound=argparse.ArgumentParser)


def add_simulate(commands: argparse._SubParsersAction[Parser]) -> None:
    """Describe the words of the command."""
    simulate = commands.add_parser(
        "simulate", help="simulate the joints of a glTF file; bodies do not collide"
    )
    simulate.add_argument("file", type=Path, metavar="FILE.gltf|FILE.glb")
    simulate.add_argument(
        "--seconds", type=_positive, default=5.0, metavar="S", help="how long (default: 5)"
    )
    simulate.add_argument(
        "--fps", type=_positive, default=60.0, metavar="N", help="frames a second (default: 60)"
    )
    simulate.add_argument(
        "--gravity",
        type=_finite,
        nargs=3,
        metavar=("X", "Y", "Z"),
        help="in m/s^2, Y up (default: the file's, else 0 -9.81 0)",
    )
    simulate.add_argument(
        "--as",
        dest="steps",
        choices=("exact", "godot"),
        default="exact",
        help="as exact as can be, or as Godot with Jolt does by default: 60 steps a second of "
        "first order, damping of 0.1, its rebound at stops and its reading of limits and drives "
        "(default: exact)",
    )
    simulate.add_argument(
        "--beside",
        action="store_true",
        help="with --as godot: say how far each joint goes from the exact motion",
    )
    simulate.add_argument(
        "--soft-locks",
        choices=("automatic", "literal", "rigid"),
        default="automatic",
        help="read limits that have a stiffness as springs (literal), as rigid, or as rigid only "
        "where they cannot hold the weight that they carry (default: automatic)",
    )
    simulate.add_argument(
        "--substeps",
        type=_count,
        metavar="N",
        help="take at least N steps a frame (default: as many as the accuracy needs)",
    )
    simulate.add_argument(
        "--accuracy",
        type=_positive,
        metavar="X",
        help="how far a step may be off, in m or radians (default: 1e-6)",
    )
    simulate.add_argument(
        "--json", type=Path, metavar="OUT", help="write the motion as one JSON document"
    )


def simulate(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    path: Path = arguments.file
    progress = _Progress(arguments.seconds)
    try:
        trouble = _hindrance(arguments)
        if trouble:
            raise ContentsError(trouble)
        document, unread = read_document_of(path)
        if arguments.json is not None:
            _check_out(arguments.json, document)
        reading = read_document(document)
        gravity = _gravity(arguments, reading.mechanism)
        tracks, track_issues = read_tracks(document)
        issues = [*unread, *reading.issues, *track_issues]
        motion, mesh_issues = _moved(
            document, reading.mechanism, gravity, tracks, arguments, progress
        )
        if arguments.json is not None:
            _write(arguments.json, motion)
    except ContentsError as error:
        print(f"error: {path}: {error}", file=sys.stderr)
        return WRONG_USE
    except KeyboardInterrupt:
        progress.end()
        print("interrupted; nothing is written", file=sys.stderr)
        return INTERRUPTED
    issues += [*mesh_issues, *motion.issues]
    for line in motion.summary():
        print(line)
    sys.stdout.flush()
    for line in dict.fromkeys(map(str, issues)):  # reader and solver may find the same
        print(line, file=sys.stderr)
    return FAULTY if has_errors(issues) else FINE


def _hindrance(arguments: argparse.Namespace) -> str:
    """Return in words what could not end well, before anything is computed; "" of nothing."""
    why = why_unreadable(arguments.file, "simulated", also_blend=False)
    if why:
        return why
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
    out: Path | None = arguments.json
    if out is not None and (out.is_dir() or not out.absolute().parent.is_dir()):
        return f"{out} cannot be written: its folder must exist, and it must be a file."
    return ""


def _check_out(out: Path, document: Document) -> None:
    """Refuse to write where the motion could not go, or over the file that is simulated."""
    trouble = obstacle([real(out)])
    if trouble:
        raise ContentsError(f"{trouble[:1].upper()}{trouble[1:]}.")
    if any(is_same_file(out, path) for path in named_files(document)):
        raise ContentsError(f"{out} is part of what is simulated: choose another name for --json.")


def _gravity(arguments: argparse.Namespace, mechanism: Mechanism) -> Vector3:
    """Return the gravity that was asked for, else the file's, else the Earth's."""
    x, y, z = arguments.gravity or mechanism.gravity or EARTH
    return (x, y, z)


def _moved(
    document: Document,
    mechanism: Mechanism,
    gravity: Vector3,
    tracks: Tracks,
    arguments: argparse.Namespace,
    progress: _Progress,
) -> tuple[RecordedMotion, tuple[Issue, ...]]:
    """Simulate all frames; return also what could not be read of the meshes."""
    try:
        import numpy as np

        from ..solver import Options, SoftLocks, Steps
        from .motion.from_file import kinematic_motions, measured_mechanism
        from .motion.recorded_motion import RecordedMotion
    except ImportError as error:
        if error.name != "numpy":
            raise
        raise ContentsError(NO_NUMPY) from None
    fps, frames = arguments.fps, round(arguments.seconds * arguments.fps)
    bodies = sum(node.motion is not None for node in mechanism.nodes)
    if bodies * frames > LARGEST:
        raise ContentsError(f"{bodies} bodies in {frames} frames are more than {LARGEST} poses.")
    options = Options(
        gravity, SoftLocks(arguments.soft_locks), arguments.substeps, steps=Steps(arguments.steps)
    )
    if arguments.accuracy is not None:
        options = replace(options, accuracy=arguments.accuracy)
    try:
        with np.errstate(all="ignore"):  # what comes of it is looked at
            motions = kinematic_motions(mechanism, tracks, fps, frames)
            mechanism, issues = measured_mechanism(document, mechanism)
            motion = RecordedMotion(mechanism, options, fps, motions, beside=arguments.beside)
            for frame in range(frames):
                motion.advance()
                if not motion.is_finite:
                    progress.end()
                    raise ContentsError(f"{BEYOND}, from frame {frame + 1} on.")
                progress.at((frame + 1) / fps)
    except (ArithmeticError, ValueError) as error:  # also of linear algebra
        progress.end()
        raise ContentsError(f"{BEYOND} ({error}).") from error
    progress.end()
    return motion, issues


def _write(path: Path, motion: RecordedMotion) -> None:
    try:
        write_text(path, (json.dumps(motion.document(), allow_nan=False), "\n"))
    except OSError as error:
        raise ContentsError(f"{path} cannot be written: {error.strerror}.") from None


def _finite(word: str) -> float:
    value = float(word)
    if not isfinite(value):
        raise ValueError(word)
    return value


def _positive(word: str) -> float:
    value = _finite(word)
    if value <= 0.0:
        raise ValueError(word)
    return value


def _count(word: str) -> int:
    value = int(word)
    if value < 1:
        raise ValueError(word)
    return value


_count.__name__ = "positive whole number"
_finite.__name__ = "number"  # argparse names it where it refuses a word
_positive.__name__ = "positive number"


class _Progress:
    """Says on standard error how far a long run is: often on a terminal, else now and then."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._on_terminal = False
        with suppress(AttributeError, ValueError):  # no stream at all, or a closed one
            self._on_terminal = sys.stderr.isatty()
        self._pause = ON_A_TERMINAL if self._on_terminal else IN_A_LOG
        self._last = monotonic()
        self._line_is_open = False

    def at(self, time: float) -> None:
        """Note the simulated time that was reached, in s."""
        now = monotonic()
        if now - self._last < self._pause:
            return
        self._last = now
        text = f"simulated {time:.2f} of {self._seconds:g} s"
        if self._on_terminal:
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
            self._line_is_open = True
        else:
            print(text, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Begin a new line after the last word."""
        if self._line_is_open:
            print(file=sys.stderr, flush=True)
            self._line_is_open = False
