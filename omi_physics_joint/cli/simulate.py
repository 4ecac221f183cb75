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

from ..files.outputs import obstacle, real
from ..gltf.document.files import Document
from ..gltf.document.packing import named_files
from ..library.converted import is_same_file, put
from ..library.guarded import guarded
from ..library.offered import load, read
from ..library.offered import simulate as moved
from ..model.contents import ContentsError, Package
from ..model.wording.words import capitalized
from .batch.tasks import Task
from .outcome import Outcome
from .streams import is_on_terminal
from .words import choices_of

WORDS = (
    *("seconds", "fps", "gravity", "steps", "soft_locks", "substeps", "accuracy", "beside"),
    *("contacts", "floor"),
)
"""Of the command, those that ``library.simulate`` has too."""
ON_A_TERMINAL, IN_A_LOG = 0.2, 5.0
"""Seconds between two words about progress."""


def does(task: Task, arguments: argparse.Namespace) -> Outcome:
    """Simulate a file."""
    words = {name: getattr(arguments, name) for name in WORDS}
    words = {name: word for name, word in words.items() if word is not None}
    try:
        with guarded():
            document = load(task.path, choices_of(arguments))
            if task.output is not None:
                _check_out(task.output, document)
            with _progress(arguments.seconds) as said_at:
                motion = moved(read(document), progress=said_at, **words)
            if task.output is not None:
                text = json.dumps(motion.document(), allow_nan=False)
                put(Package(f"{text}\n".encode()), task.output)
            return Outcome(task.path, motion.issues, said=tuple(motion.summary()))
    except ContentsError as error:
        return Outcome(task.path, error=str(error))
    except KeyboardInterrupt:
        print("interrupted; nothing is written", file=sys.stderr)
        raise


def _check_out(out: Path, document: Document) -> None:
    """Refuse to write where the motion could not go, or over the file that is simulated."""
    trouble = obstacle([out, real(out)])
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
