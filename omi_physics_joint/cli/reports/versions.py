# SPDX-License-Identifier: GPL-3.0-or-later
"""Which versions do the work: of this package, and of Blender where it runs in this process."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
MANIFEST = "blender_manifest.toml"


def versions() -> dict[str, str]:
    """Return versions by name, ours first; of ours the manifest says it, beside or inside us."""
    folder = PACKAGE.parent if (PACKAGE.parent / MANIFEST).is_file() else PACKAGE
    manifest = tomllib.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    found = {"omi_physics_joint": str(manifest["version"])}
    blender = sys.modules.get("bpy")
    if blender is not None:
        found["blender"] = str(blender.app.version_string)
    return found
