# SPDX-License-Identifier: GPL-3.0-or-later
"""Fix while a simulated frame is shown: what it leaves at rest is what it leaves without one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import bpy
import pytest
from scenes import issues, numbers

from tests.blender.test_check_bodies import report
from tests.blender.test_fix_of_each_code import SCENES

FRAME = 8


def made(make: Callable[[], object]) -> bpy.types.Scene:
    """Return a scene with a fault, in its first frame of ten."""
    bpy.ops.wm.read_homefile(use_empty=True)
    make()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 10
    scene.frame_set(1)
    return scene


def mended(code: str) -> dict[str, list[float]]:
    """Press Fix of a code; return where all is at rest afterwards, and how large."""
    issues()
    index = next(i for i, one in enumerate(report().issues) if one.code == code)
    assert bpy.ops.omi_joint.issue_fix("EXEC_DEFAULT", True, index=index) == {"FINISHED"}
    bpy.context.scene.frame_set(1)
    bpy.context.view_layer.update()
    return {
        obj.name: [*numbers(obj.matrix_world), *obj.dimensions, *obj.scale]
        for obj in bpy.context.scene.objects
    }


@pytest.mark.parametrize("scene", SCENES)
def test_fix_of_what_is_shown_leaves_the_same(scene: str) -> None:
    """In a frame in which its bodies are elsewhere."""
    code, make = SCENES[scene]
    made(make)
    right = mended(code)
    here = made(make)
    with suppress(RuntimeError):  # nothing can move
        bpy.ops.omi_joint.simulate("EXEC_DEFAULT", True)
    here.frame_set(FRAME)
    found = mended(code)
    assert found.keys() == right.keys()
    for name, values in right.items():
        assert found[name] == pytest.approx(values, abs=1e-4), name
