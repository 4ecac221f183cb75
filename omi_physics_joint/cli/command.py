# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands: the same words inside and outside Blender."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any

from ..files.inputs import fenced
from ..library.formats import BLEND
from .batch.tasks import TasksError, tasks_of
from .outcome import INTERRUPTED, UNREADABLE, WRONG_USE, Judge
from .parser import parsed
from .streams import accept_any_text, forget_what_cannot_be_printed, open_what_is_closed
from .words import WORKER, is_supervised

PROGRAM = "omi_physics_joint"
COMMANDS = {
    "check": "examine",
    "convert": "examine",
    "diff": "examine",
    "export": "examine",
    "info": "examine",
    "simulate": "simulate",
}
"""Which module of ours runs a command: it is loaded, with all that it takes, when that is asked."""


def main(argv: Sequence[str], program: str = PROGRAM) -> int:
    """Run one command, which a user has called by the name of a program.

    Returns:
        The largest of: 0 where all is well, 1 where a file has what the command is to fail on, 2
        where the command was used wrongly, 3 where a file could not be read or written, 4 where a
        worker died on one or was out of time; 130 where the run was stopped.
    """
    open_what_is_closed()
    accept_any_text()
    if argv and argv[0] == WORKER:
        return int(_module("batch.worker").serve(_entry, needs_blender=BLEND in argv))
    try:
        code = _called(argv, program)
        sys.stdout.flush()
        return code
    except TasksError as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG_USE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever reads has seen enough
        raise
    except OSError as error:  # files are guarded: this is what is printed
        with suppress(OSError):
            print(f"error: It cannot be printed: {error.strerror}.", file=sys.stderr, flush=True)
        forget_what_cannot_be_printed()
        return UNREADABLE


def _called(argv: Sequence[str], program: str) -> int:
    """Run the command that these words ask for, and return its exit code."""
    try:
        arguments = parsed(argv, program)
    except SystemExit as end:  # argparse has said why; Blender must not end with it
        return end.code if isinstance(end.code, int) else WRONG_USE
    arguments.words = list(argv)
    run = _module("batch.run").run if _needs_workers(arguments) else _fenced
    if arguments.command != "diff" and arguments.files and not arguments.tasks:
        print("Nothing is done: what is named has no file in it.", file=sys.stderr)
    for slip in Judge.of(arguments).slips() if hasattr(arguments, "ignore") else ():
        print(slip, file=sys.stderr)
    return int(run(arguments))


def _needs_workers(arguments: argparse.Namespace) -> bool:
    """Find out which files a command is about, and return whether workers are to do them.

    They are where the user asks for them, and of several .blend files: a crash costs one.
    """
    if arguments.command == "diff":
        return False
    arguments.tasks = tasks_of(arguments)
    blends = (task.path.suffix.lower() == BLEND for task in arguments.tasks)
    return is_supervised(arguments) or (len(arguments.tasks) > 1 and any(blends))


def _fenced(arguments: argparse.Namespace) -> int:
    """Run the command that was asked for, in this process."""
    with fenced(getattr(arguments, "inside", None)):
        command = _module(COMMANDS[arguments.command])
        if arguments.command == "diff":
            return int(command.diff(arguments))
        return int(_module("each_file").run(command.does, arguments))


def _entry(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what is reported of the one file that a worker has in hand."""
    with fenced(getattr(arguments, "inside", None)):
        does = _module(COMMANDS[arguments.command]).does
        reported: dict[str, Any] = _module("each_file").entry(does, arguments)
        return reported


def _module(name: str) -> ModuleType:
    return import_module(f"..{name}", __name__)
