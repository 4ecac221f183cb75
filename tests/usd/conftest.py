# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds Blender's own pxr, which its wheel does not put on the path: each release has another."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path


def _add_pxr_of_blender() -> None:
    """Have `import pxr` find the one of Blender, where there is no other."""
    blender = None if find_spec("pxr") is not None else find_spec("bpy")
    if blender is not None and blender.origin is not None:
        inside = f"*/python/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
        sys.path += map(str, Path(blender.origin).parent.glob(inside))


_add_pxr_of_blender()
