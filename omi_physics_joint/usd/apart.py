# SPDX-License-Identifier: GPL-3.0-or-later
"""A stage read in a process of its own, so that what ``pxr`` does with a file has an end.

A damaged or hostile file of 12 kB can have USD itself take all memory, never come back, or crash.
The process that reads it hands plain records back, and is ended where it takes too much.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import Any

from ..files.inputs import Budget, InputError, bounded, fence, fenced, too_long
from ..model.contents import ContentsError
from ..model.issue import Issue, Severity
from .prim import Prim, Stage
from .stage import StageError, check_here, read

MEMORY = 1536 * 2**20
"""Bytes of data; where a system cannot bound that, only time is bounded."""
WAITING = 4.0
"""So many times the time for computing may pass by the clock."""
KINDS: Mapping[str, type] = {kind.__name__: kind for kind in (Prim, Stage, Issue, Severity)}
WORDS = ("-P", "-m", f"{Path(__file__).parents[1].name}.usd.{Path(__file__).stem}")
"""For Python, to run this file; what lies in the working folder is not imported."""


def read_apart(path: Path, below: str = "") -> Stage:
    """Return what a file composes to, as ``stage.read`` does.

    Raises:
        StageError: it cannot be opened, or USD does not come to an end with it.
    """
    check_here()
    with bounded() as budget:
        asked = {
            "path": str(path),
            "below": below,
            "fence": None if fence() is None else str(fence()),
            "seconds": max(budget.seconds, 1.0),
        }
        try:
            done = subprocess.run(
                [sys.executable, *WORDS, json.dumps(asked)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=WAITING * budget.seconds,
                check=False,
                env=_environment(),
            )
        except subprocess.TimeoutExpired:
            raise StageError(too_long(budget.times)) from None
        return _answered(done.stdout, done.returncode, path, budget)


def _environment() -> dict[str, str]:
    """Return that of this process, for one that finds what is found here.

    USD works in one thread, whose time and memory can be told.
    """
    pxr = find_spec("pxr")
    folders = [os.environ.get("PYTHONPATH", ""), str(Path(__file__).resolve().parents[2])]
    if pxr is not None and pxr.origin is not None:
        folders.append(str(Path(pxr.origin).parents[1]))
    known = os.pathsep.join(filter(None, folders))
    return {"PXR_WORK_THREAD_LIMIT": "1", **os.environ, "PYTHONPATH": known}


def _answered(content: bytes, code: int, path: Path, budget: Budget) -> Stage:
    """Return the stage that a process has answered with."""
    found = loaded(content)
    if isinstance(found, Stage):
        return found
    if isinstance(found, str):
        raise StageError(found)
    if -code == getattr(signal, "SIGXCPU", None):
        raise StageError(too_long(budget.times))
    size = f"{MEMORY * budget.times / 2**30:.1f} GB"
    message = f"USD breaks off in {path.name}: it is damaged, or takes more than {size} to read."
    raise StageError(message)


def dumped(found: Stage | str) -> bytes:
    """Return the bytes of an answer, which ``loaded`` takes."""
    content = io.BytesIO()
    _Plain(content, pickle.HIGHEST_PROTOCOL).dump(found)
    return content.getvalue()


def loaded(content: bytes) -> Any:  # noqa: ANN401 - a stage, or a sentence
    """Return what a process has answered; None where that is nothing of ours."""
    try:
        return _Records(io.BytesIO(content)).load()
    except Exception:  # noqa: BLE001 - whatever bytes may make of it
        return None


def answer(asked: Mapping[str, Any]) -> None:
    """Read a stage and write its records to standard output; what runs in the other process."""
    out = os.dup(1)
    os.dup2(2, 1)  # USD prints what it likes
    found: Stage | str
    try:
        with fenced(asked["fence"] and Path(asked["fence"])), bounded() as budget:
            _limit(asked["seconds"], round(MEMORY * budget.times))
            found = read(Path(asked["path"]), asked["below"])
    except (ContentsError, InputError) as error:
        found = str(error)
    with os.fdopen(out, "wb") as file:
        file.write(dumped(found))
    os._exit(0)  # the way out of USD can take as long as the way in


def _limit(seconds: float, memory: int) -> None:
    """Have the system end this process where it takes too much; Windows knows no such bounds."""
    try:
        import resource
    except ImportError:
        return
    spent = time.process_time()
    bounds = {
        resource.RLIMIT_CPU: ceil(seconds + spent),
        resource.RLIMIT_DATA: memory,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in bounds.items():
        with suppress(ValueError, OSError):  # what whoever started us has bounded more narrowly
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


class _Plain(pickle.Pickler):
    """Writes members of enumerations by their values, whatever Python this is.

    Python 3.11 up to 3.11.3 would write that ``getattr`` is to be called, which is no record.
    """

    def reducer_override(self, value: object) -> Any:  # noqa: ANN401 - NotImplemented has no type
        """Return what makes a member of its value, and leave the rest as it is."""
        return (type(value), (value.value,)) if isinstance(value, Enum) else NotImplemented


class _Records(pickle.Unpickler):
    """Makes records and nothing else, whatever it reads."""

    def find_class(self, _module: str, name: str) -> type:
        """Return one of our own kinds of records."""
        if name not in KINDS:
            raise pickle.UnpicklingError(name)
        return KINDS[name]


if __name__ == "__main__":
    answer(json.loads(sys.argv[1]))
