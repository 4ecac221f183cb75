# SPDX-License-Identifier: GPL-3.0-or-later
"""One line for people out of what Blender makes of an error."""

from __future__ import annotations


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
