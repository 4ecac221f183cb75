# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside `blender --background`: puts up a screen and opens the same Blender's window on it.

    blender --background --factory-startup --python scripts/window/stage.py -- SCRIPT [ARGUMENTS]

The window's Blender runs SCRIPT with the arguments, in an empty profile. Because this runs where
Blender is, a command that enters a container or a chroot needs to know nothing of screens; what
the screen needs must be installed there. The exit code is that of the window's Blender.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy  # noqa: TID251 - this runs inside Blender

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from window.said import say

SIZE = (1600, 1000)
NEEDS = {"Xvfb": "xvfb", "xkbcomp": "x11-xkb-utils", "xdotool": "xdotool"}
"""Program -> Debian package that holds it."""
LONGEST = float(os.environ.get("OMI_WINDOW_SECONDS", "1800"))
CANNOT = 2
TOO_LONG = 124


def missing() -> list[str]:
    """Return the programs that are not here."""
    return [program for program in NEEDS if shutil.which(program) is None]


@contextmanager
def screen(folder: Path) -> Iterator[str]:
    """Put up a screen that keeps its picture in `folder`; give its name for DISPLAY."""
    reading, writing = os.pipe()
    width, height = SIZE
    command = ["Xvfb", "-displayfd", str(writing), "-fbdir", str(folder), "-noreset", "-nocursor"]
    command += ["-nolisten", "tcp", "-screen", "0", f"{width}x{height}x24", "+extension", "GLX"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        if not number:
            raise OSError(f"Xvfb ended with {server.wait()}")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


def open_window(display: str, pictures: Path, profile: Path, arguments: list[str]) -> int:
    """Open Blender's window, wait for its end and return its exit code."""
    width, height = SIZE
    command = [bpy.app.binary_path, "--factory-startup", "--no-window-focus"]
    command += ["--window-geometry", "0", "0", str(width), str(height)]
    command += ["--gpu-backend", "opengl", "--python-exit-code", "3", "--python"]
    environment = dict(
        os.environ,
        DISPLAY=display,
        OMI_SCREEN=str(pictures),
        BLENDER_USER_RESOURCES=str(profile),
        PYTHONDONTWRITEBYTECODE="1",
    )
    environment.pop("WAYLAND_DISPLAY", None)
    environment.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")
    script, *rest = arguments
    window = subprocess.Popen([*command, script, "--", *rest], env=environment)
    try:
        return window.wait(LONGEST)
    except subprocess.TimeoutExpired:
        say(f"Blender's window was still open after {LONGEST:g} s")
        return TOO_LONG
    finally:
        window.kill()
        window.wait()


def main(arguments: list[str]) -> int:
    """Put up the screen and open the window; return the exit code."""
    absent = missing()
    if absent:
        packages = " ".join(dict.fromkeys(NEEDS[program] for program in absent))
        say(f"missing where Blender runs: {', '.join(absent)}")
        say(f"on Debian and Ubuntu: apt-get install -y --no-install-recommends {packages}")
        return CANNOT
    with tempfile.TemporaryDirectory(prefix="omi_window_") as folder:
        pictures, profile = Path(folder) / "screen", Path(folder) / "profile"
        pictures.mkdir()
        profile.mkdir()
        with screen(pictures) as display:
            say(f"Blender {bpy.app.version_string} with a window on {display}")
            return open_window(display, pictures, profile, arguments)


code = main(sys.argv[sys.argv.index("--") + 1 :])
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)  # Blender's own way out can crash or hang
