# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender for the scripts beside this file: in a profile of its own, with the add-on enabled."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
# Blender reads this when it starts: the user's own add-ons would run along otherwise.
PROFILE = tempfile.mkdtemp(prefix="omi_benchmark_")
os.environ["BLENDER_USER_RESOURCES"] = PROFILE

import bpy  # noqa: E402
import addon_utils  # noqa: E402 - bpy has put it on the path
import gpu  # noqa: E402, F401 - overlay.py has it from here
from mathutils import Matrix  # noqa: E402


def run_script(main: Callable[[], None]) -> None:
    """Run a script, and end this process."""
    addon_utils.enable("omi_physics_joint", default_set=True)
    main()
    shutil.rmtree(PROFILE, ignore_errors=True)
    sys.stdout.flush()
    os._exit(0)  # some Blenders crash or hang on their way out


@contextmanager
def in_a_view() -> Iterator[None]:
    """Have a 3D view in the context."""
    window = bpy.context.window_manager.windows[0]
    area = window.screen.areas[0]
    area.type = "VIEW_3D"
    with bpy.context.temp_override(window=window, area=area):
        yield


def two_bodies(number: int) -> tuple[Matrix, list[bpy.types.Object]]:
    """Make two bodies without a shape, at a place of their own in a grid; return both."""
    place = Matrix.Translation((3.0 * (number % 40), 3.0 * (number // 40), 0.0))
    pair = [bpy.data.objects.new(f"{kind} {number}", None) for kind in ("Still", "Moving")]
    for body in pair:
        bpy.context.scene.collection.objects.link(body)
        body.matrix_world = place
        body.omi_physics_body.is_body = True
    return place, pair
