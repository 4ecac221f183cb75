# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a script in a Blender window on a screen of its own, and shows what the script says.

    in_window.py tests|pictures /path/to/blender OUTPUT_FOLDER [ARGUMENTS OF THE SCRIPT]

All that Blender says is kept in OUTPUT_FOLDER/log.txt. The command may enter a container or a
chroot; the checkout must be there under the same path.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TextIO

from window.said import MARK

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WINDOW = os.path.join(ROOT, "scripts", "window")
SCRIPTS = {"tests": "run_steps.py", "pictures": "take_pictures.py"}
WRONG_USE = 2


def run(blender: str, script: str, output: str, arguments: list[str]) -> int:
    """Run a script of the folder `window`; return its exit code, or 2 if it did not run at all."""
    shutil.rmtree(output, ignore_errors=True)
    os.makedirs(output)
    command = [blender, "--background", "--factory-startup", "--python-exit-code", "3"]
    command += ["--python", os.path.join(WINDOW, "stage.py")]
    command += ["--", os.path.join(WINDOW, script), output, *arguments]
    try:
        with open(os.path.join(output, "log.txt"), "w", encoding="utf-8") as log:
            code, heard = _listen(command, log)
    except OSError as error:
        print("%s does not start: %s" % (blender, error), file=sys.stderr)
        return WRONG_USE
    problem = ""
    if not heard:
        problem = "%s ran nothing; is this checkout where it runs, at this path?" % blender
        code = WRONG_USE
    elif code > 1:
        problem = "It ended with %d." % code
    if problem:
        print("%s What it said is in %s/log.txt" % (problem, output), file=sys.stderr)
    return code


def _listen(command: list[str], log: TextIO) -> tuple[int, int]:
    """Run a command, log what it says, print what is for the user; return its code and count."""
    heard = 0
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    for raw in process.stdout:
        line = raw.decode(errors="replace")
        log.write(line)
        _, marked, text = line.partition(MARK)
        if marked:
            heard += 1
            print(text, end="", flush=True)
    return process.wait(), heard


def main(arguments: list[str]) -> int:
    """Run what the command line asks for."""
    if len(arguments) < 3 or arguments[0] not in SCRIPTS:
        print((__doc__ or "").strip(), file=sys.stderr)
        return WRONG_USE
    what, blender, output, *rest = arguments
    return run(blender, SCRIPTS[what], os.path.abspath(output), rest)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
