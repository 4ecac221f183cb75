# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m omi_physics_joint``: the command line outside Blender."""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path

PIPE_CLOSED = 141


def main() -> int:
    """Run the command line with the words of this process, and return the exit code.

    Once Blender was started in this process it ends here, since Blender's own end may not.
    """
    try:
        from .cli.blender_door import is_blender_started, leave
        from .cli.command import PROGRAM
        from .cli.command import main as run
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    gc.enable()  # who starts us for workers holds it off while this is imported
    try:
        name = Path(sys.argv[0]).stem
        code = run(sys.argv[1:], PROGRAM if name == "__main__" else name)
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = PIPE_CLOSED
    if is_blender_started():
        leave(code)
    return code


if __name__ == "__main__":
    sys.exit(main())
