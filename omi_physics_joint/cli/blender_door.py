# SPDX-License-Identifier: GPL-3.0-or-later
"""The one door from the command line to Blender. Nothing but JSON goes through it.

The copy of this package that runs the command and the copy that is enabled in Blender may differ
(a checkout beside an installed extension), and so do their classes: so no object is shared.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from ..files.outputs import OwnFolder
from .streams import stdout_to_stderr

ADDON = "omi_physics_joint"
PROFILE_VARIABLE = "BLENDER_USER_RESOURCES"
NO_BLENDER = (
    "Blender is not installed in this Python: run `pip install bpy==5.0.1` (Python 3.11) or "
    "`pip install bpy==5.2.3` (Python 3.13)."
)
BLENDER_COMMAND = "OMI_BLENDER_COMMAND"
"""In the environment, for who came out of a Blender: a JSON list of words that start the like."""
ROOT = Path(__file__).resolve().parents[2]
"""The folder that the package is in."""
START = (
    "import gc, sys; gc.disable(); sys.path[:0] = sys.argv[1:2]; del sys.argv[1]; import runpy; "
    "runpy.run_module('omi_physics_joint', run_name='__main__')"
)
"""For Python, to run this copy of the package."""
PROFILES, REPLIES = "omi_profile_", "omi_reply_"
"""How the names of our folders in the system's temporary folder begin."""
_own_profiles: list[OwnFolder] = []
Asked = str | bool | Sequence[str] | None
"""What a request may hold."""


class DoorError(Exception):
    """Blender cannot be asked; its text is one sentence for the user."""


def ask_blender(request: Mapping[str, Asked]) -> dict[str, Any]:
    """Let Blender do one request and return its reply.

    A request has ``command`` (export, check or info), ``path`` and ``readers``, of whom to speak
    (none: as the file says); for info ``articulations`` (a pattern of names; null: leave them out);
    for check ``tries`` (whether it is moved as Godot does); to export ``output``, ``format`` (glb
    or gltf), ``ignored`` (codes that strict does not look at), and ``strict``, ``target``,
    ``dialect`` and ``current_frame`` (null: as the file says), and ``scripts`` (allow or deny;
    null: Python in the file runs as it does in this Blender), and ``split`` (scene or collection:
    each becomes a file, whose name stands for {part} in ``output``; null: all in one).
    A reply has ``ok``, ``issues``, ``info``, ``inputs``, ``outputs``, ``refused`` and ``error``.

    Raises:
        DoorError: Blender or the add-on is not there, or no reply came.
    """
    with stdout_to_stderr(), OwnFolder(REPLIES) as folder:
        bpy = start_blender()
        reply = folder.path / "reply.json"
        try:
            bpy.ops.omi_joint.run(request=json.dumps(dict(request)), reply=str(reply))
        except RuntimeError as error:
            raise DoorError(f"Blender failed: {last_line(error)}") from None
        try:
            value = json.loads(reply.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            value = None
    if not isinstance(value, dict):
        raise DoorError("Blender gave no answer.")
    return value


def last_line(error: BaseException) -> str:
    """Return what an error says in one line.

    Of an exception inside an operator Blender makes a traceback, the exception, and a last line
    that tells where in Blender's own code it came through.
    """
    lines = [line.strip() for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.startswith("Location: ")]
    if not lines:
        return type(error).__name__
    reported = [line for line in lines if line.startswith("Error: ")]
    is_trace = any("Traceback (most recent call last)" in line for line in lines)
    return (lines if is_trace or not reported else reported)[-1].removeprefix("Error: ")


def is_blender_started() -> bool:
    """Return whether Blender runs in this process."""
    return "bpy" in sys.modules


def is_in_blender() -> bool:
    """Return whether this process is Blender itself, not a Python that has it as a package."""
    return is_blender_started() and bool(import_module("bpy").app.binary_path)


def python_command(*words: str) -> list[str]:
    """Return what starts this command line in a Python of its own."""
    return [sys.executable, "-c", START, str(ROOT), *words]


def become_python(words: Sequence[str]) -> int:
    """Go on with a command line in a Python, in place of the Blender that this process is.

    Returns:
        Where a process cannot become another program, the exit code of that Python.
    """
    bpy = import_module("bpy")
    before = [word for word in sys.argv[1:] if word not in ("-b", "--background")]
    names = [at for at, word in enumerate(before) if word in ("-c", "--command")]
    own = before[: names[0]] if names else []
    os.environ[BLENDER_COMMAND] = json.dumps([bpy.app.binary_path, "-b", *own])
    command = python_command(*words)
    if os.name == "nt":
        return subprocess.run(command, check=False).returncode
    _drop_temporary()
    sys.stdout.flush()
    os.execv(command[0], command)


def _drop_temporary() -> None:
    """Remove the temporary folder of a Blender that will not come to its own end."""
    if is_blender_started():
        shutil.rmtree(import_module("bpy").app.tempdir, ignore_errors=True)


def leave(code: int) -> NoReturn:
    """End the process at once; the way out of some Blenders crashes or hangs."""
    _drop_temporary()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    for folder in _own_profiles:
        folder.remove()
    os._exit(code)


@contextmanager
def uncollected() -> Iterator[None]:
    """Hold off Python's collector where much is made and nothing dropped: hooks, imports.

    All of it would be walked again and again, ours and what Blender's add-ons have made.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@uncollected()
def start_blender() -> ModuleType:
    """Import Blender with the add-on; outside a running one with a profile of its own or named.

    Raises:
        DoorError: one of them is not there.
    """
    if "bpy" not in sys.modules:
        if importlib.util.find_spec("bpy") is None:
            raise DoorError(NO_BLENDER)
        if not os.environ.get(PROFILE_VARIABLE):
            _own_profiles.append(OwnFolder(PROFILES))
            os.environ[PROFILE_VARIABLE] = str(_own_profiles[-1].path)
    try:
        bpy = import_module("bpy")
    except ImportError as error:
        raise DoorError(f"Blender does not start in this Python: {last_line(error)}") from None
    if not _is_registered(bpy):
        _enable_addon(bpy)
    return bpy


def _enable_addon(bpy: ModuleType) -> None:
    """Enable the copy of the add-on that is at hand."""
    reasons: list[BaseException] = []
    import_module("addon_utils").enable(ADDON, default_set=True, handle_error=reasons.append)
    if not _is_registered(bpy):
        reason = last_line(reasons[0]) if reasons else "it has no operator omi_joint.run"
        raise DoorError(f"The add-on cannot be enabled in Blender: {reason}")


def _is_registered(bpy: ModuleType) -> bool:
    return "run" in dir(bpy.ops.omi_joint)
