# SPDX-License-Identifier: GPL-3.0-or-later
"""Files for exports by workers, with scripts that harm whoever opens them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import bpy
from scenes import door

ROOT = Path(__file__).resolve().parents[1]
SEGFAULT = "import ctypes\nprint('x' * 5000, 'last words', flush=True)\nctypes.string_at(0)\n"
GREEDY = "kept = []\nwhile True:\n    kept.append(bytearray(10**8))\n"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def saved(path: Path, script: str = "") -> Path:
    """Save a door, with a script that runs when the file is opened."""
    bpy.ops.wm.read_homefile(use_empty=True)
    door()
    return kept(path, script)


def kept(path: Path, script: str = "") -> Path:
    """Save what is open, with a script that runs when the file is opened."""
    if script:
        text = bpy.data.texts.new("night.py")
        text.write(script)
        text.use_module = True
    path.parent.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    return path


def files_of(report: Path) -> list[dict[str, Any]]:
    """Return what a report says of files, in its order."""
    lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    return [one for one in map(json.loads, lines) if one["kind"] == "file"]
