# SPDX-License-Identifier: GPL-3.0-or-later
"""Standard output stays clean whatever writes to it, Python or C."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOISE = """
import ctypes, os, sys
sys.path.insert(0, sys.argv[1])
from omi_physics_joint.cli.streams import stdout_to_stderr
libc = ctypes.CDLL(None)
print("before")
libc.printf(b"early noise\\n")
with stdout_to_stderr():
    print("python noise")
    libc.printf(b"C noise\\n")
    os.write(1, b"raw noise\\n")
    os.system("echo child noise")
print("after")
"""


AMID = """
import io, os, signal, sys
sys.path.insert(0, sys.argv[1])
from omi_physics_joint.cli.streams import say_amid
class Raw(io.RawIOBase):
    raised = False
    def writable(self):
        return True
    def write(self, words):
        if not Raw.raised:
            Raw.raised = True
            signal.raise_signal(signal.SIGTERM)
        return os.write(2, words)
signal.signal(signal.SIGTERM, lambda *_: say_amid("stops"))
sys.stderr = io.TextIOWrapper(io.BufferedWriter(Raw()))
print("line", file=sys.stderr, flush=True)
say_amid("later")
"""


HELD_OFF = """
import gc, sys
sys.path.insert(0, sys.argv[1])
sys.argv[1:] = ["info"]
gc.disable()
from omi_physics_joint import __main__ as started
from omi_physics_joint.cli import command
seen = []
command.main = lambda *_: seen.append(gc.isenabled()) or 0
assert started.main() == 0
print(seen)
"""


STARTED = """
import sys
sys.path.insert(0, sys.argv[1])
from omi_physics_joint import __main__ as started
from omi_physics_joint.cli import blender_door, command
seen = []
def main(*_):
    if sys.argv[2] == "closed":
        raise BrokenPipeError
    return 5
command.main = main
blender_door.is_blender_started = lambda: True
blender_door.leave = lambda code: seen.append(code) or print(seen, flush=True) or sys.exit(7)
started.main()
"""


def run(script: str, *words: str, **streams: int) -> subprocess.CompletedProcess[str]:
    """Run a script with the checkout as its argument, its output held back as usual."""
    return subprocess.run(
        [sys.executable, "-c", script, str(ROOT), *words],
        text=True,
        check=False,
        **({"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams),
    )


def test_noise_goes_to_standard_error() -> None:
    """Python, C, raw writes and child processes: none of them reaches standard output."""
    done = run(NOISE)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "before\nafter\n"
    for noise in ("early", "python", "C", "raw", "child"):
        assert f"{noise} noise\n" in done.stderr


def test_standard_output_comes_back_after_an_error() -> None:
    """An exception inside leaves standard output as it was."""
    done = run(
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from omi_physics_joint.cli.streams import stdout_to_stderr\n"
        "try:\n"
        "    with stdout_to_stderr():\n"
        "        raise ValueError\n"
        "except ValueError:\n"
        "    print('back')\n"
    )
    assert done.stdout == "back\n"


def test_a_process_without_standard_output_is_no_crash() -> None:
    """Where file descriptor 1 is closed there is nothing to keep clean."""
    done = run(
        "import os, sys; sys.path.insert(0, sys.argv[1])\n"
        "from omi_physics_joint.cli.streams import stdout_to_stderr\n"
        "os.close(1)\n"
        "with stdout_to_stderr():\n"
        "    print('inside', end='', file=sys.stderr, flush=True)\n"
        "os._exit(7)\n"
    )
    assert (done.returncode, done.stderr) == (7, "inside")


def test_a_signal_amid_a_line_is_told_all_the_same() -> None:
    """A stream that is written to cannot be entered again: that ended a batch with an error."""
    done = run(AMID)
    assert done.returncode == 0, done.stderr
    assert done.stderr.split() == ["stops", "line", "later"]


def test_who_holds_the_collector_off_to_load_us_need_not_let_it_go() -> None:
    """Workers are loaded without Python's collector; their files are read with it."""
    done = run(HELD_OFF)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("[True]\n")


@pytest.mark.parametrize(("ends", "code"), [("well", 5), ("closed", 141)])
def test_where_blender_was_started_its_own_end_is_not_waited_for(ends: str, code: int) -> None:
    """The process ends as soon as the command has, however that is, with its exit code."""
    done = run(STARTED.replace("print(seen, flush=True)", "print(seen, file=sys.stderr)"), ends)
    assert (done.returncode, done.stderr) == (7, f"[{code}]\n")
