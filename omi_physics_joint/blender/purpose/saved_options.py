# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of Blender's glTF exporter that its dialog has saved in a scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bpy.types import Scene

KEY = "glTF2ExportSettings"
"""Custom property of a scene that the dialog saves them in."""


def saved_options(scene: Scene) -> Mapping[str, Any]:
    """Return what "Remember Export Settings" has saved; nothing where that is off, or damaged."""
    saved = scene.get(KEY)
    return saved if hasattr(saved, "items") else {}
