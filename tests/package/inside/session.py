# SPDX-License-Identifier: GPL-3.0-or-later
"""How a script in this folder gets its arguments, answers, and ends."""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

ADDON = "bl_ext.user_default.omi_physics_joint"
"""The name under which Blender imports the installed extension."""


def arguments() -> dict[str, Any]:
    """Return what the test passed on the command line."""
    passed: dict[str, Any] = json.loads(sys.argv[-1])
    return passed


def end(code: int) -> None:
    """End here: Blender's own way out can crash or hang."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def fail(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an error that nothing has caught, and end."""
    traceback.print_exception(kind, error, trace)
    end(1)


sys.excepthook = fail


def finish(answer: object) -> None:
    """Write the answer for the test, and end."""
    Path(arguments()["answer"]).write_text(json.dumps(answer), "utf-8")
    end(0)
