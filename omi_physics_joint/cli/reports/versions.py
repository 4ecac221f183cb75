# SPDX-License-Identifier: GPL-3.0-or-later
"""Which versions did the work."""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
MANIFEST = "blender_manifest.toml"


def versions(*, solver: bool = True) -> dict[str, str]:
    """Return versions by name, ours first; of ours the manifest says it, beside or inside us.

    That of the solver, which loads NumPy, says whether it is the kernel.
    """
    found = {"omi_physics_joint": _own()}
    if solver and find_spec("numpy") is not None:
        from ...solver.engines.kernel import kernel
        from ...solver.engines.kernel_structs import KERNEL_VERSION

        found["solver"] = f"kernel {KERNEL_VERSION}" if kernel().library else "textbook"
    blender = sys.modules.get("bpy")
    if blender is not None:
        found["blender"] = str(blender.app.version_string)
    return found


@cache
def _own() -> str:
    folder = PACKAGE.parent if (PACKAGE.parent / MANIFEST).is_file() else PACKAGE
    manifest = tomllib.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return str(manifest["version"])
