# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker: a process that runs commands on one file each, as its supervisor asks, and replies.

Requests and replies are JSON in bytes over a local connection of their own: nothing that Blender
or an add-on prints gets between them. A worker ends with its supervisor, however that ends.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from multiprocessing.connection import Listener
from pathlib import Path
from typing import Any

from ..blender_door import DoorError, leave, start_blender
from ..reports.versions import versions
from ..streams import flushed
from .tasks import Task

ADDRESS, KEY = "OMI_WORKER_ADDRESS", "OMI_WORKER_KEY"
"""Names in the environment: where the supervisor looks for it, and the secret of both."""
Run = Callable[[argparse.Namespace], dict[str, Any]]
"""Runs a command on one file, and returns what is reported of it."""


def packed(arguments: argparse.Namespace, task: Task) -> bytes:
    """Return the words of a command on one file alone as JSON."""
    own = {"tasks": [task], "files": [], "words": []}  # not of thousands, in thousands of requests
    return json.dumps({**vars(arguments), **own}, default=_spelled).encode()


def _spelled(value: Path | Task) -> dict[str, Any]:
    return {"path": str(value)} if isinstance(value, Path) else {"task": asdict(value)}


def unpacked(request: bytes) -> argparse.Namespace:
    """Return the words that JSON holds."""
    return argparse.Namespace(**json.loads(request, object_hook=_meant))


def _meant(value: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    if value.keys() == {"task"}:
        return Task(**value["task"])
    return Path(value["path"]) if value.keys() == {"path"} else value


def serve(run: Run, *, needs_blender: bool = False) -> int:
    """Say which versions are here, do one request after the other, and leave this process.

    Args:
        run: Runs a command with its words.
        needs_blender: Whether Blender is to be started first where it does not run this.
    """
    threading.Thread(target=_end_with_supervisor, daemon=True).start()
    key = bytes.fromhex(os.environ.pop(KEY))
    with (
        suppress(EOFError, OSError),  # the supervisor is gone
        Listener(os.environ[ADDRESS], authkey=key) as listener,
        listener.accept() as connection,
    ):
        try:
            if needs_blender:
                start_blender()
        except DoorError as error:
            print(error, file=sys.stderr)
            leave(1)
        connection.send_bytes(json.dumps(versions()).encode())
        while request := connection.recv_bytes():
            reply = run(unpacked(request))
            flushed()  # what was printed belongs to this file
            connection.send_bytes(json.dumps(reply).encode())
    leave(0)


def _end_with_supervisor() -> None:
    """Wait until the other end of standard input is closed, and end at once without a trace."""
    while os.read(0, 4096):
        pass
    with suppress(OSError):  # a pipe of Windows is no file
        Path(os.environ[ADDRESS]).unlink()
    os._exit(1)
