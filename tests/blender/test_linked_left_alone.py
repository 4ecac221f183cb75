# SPDX-License-Identifier: GPL-3.0-or-later
"""No operator changes what is linked from another file: a reload would take it back unseen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.blender import situations as are
from tests.blender.everything import differences, everything
from tests.blender.test_redo import CASES
from tests.redo import press

SCENES = (are.apart, are.posed, are.compound_trigger)


def linked(path: Path) -> list[bpy.types.Object]:
    """Link the objects of a file into an empty scene and return them."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (there, here):
        here.objects = list(there.objects)
    for obj in here.objects:
        bpy.context.scene.collection.objects.link(obj)
    return list(here.objects)


def of_library(name: str) -> dict[str, Any]:
    """Return all properties of what is linked, but how many use it."""
    found = everything("users")
    return {key: value for key, value in found.items() if f"[{name}]]" in key}


@pytest.mark.parametrize("scene", SCENES, ids=lambda one: one.__name__)
def test_what_is_linked_stays_as_it_is(scene: Callable[[], None], tmp_path: Path) -> None:
    """All of it selected, each joint and body active in turn: every operator that can be undone."""
    scene()
    objects = linked(tmp_path / "set.blend")
    before = of_library("set.blend")
    assert any(".omi_physics_" in key for key in before)
    for active in objects:
        for case in CASES:
            for one in objects:
                one.select_set(True)
            bpy.context.view_layer.objects.active = active
            press(case.identifier, **case.options)
        assert differences(before, of_library("set.blend")) == [], active
