# SPDX-License-Identifier: GPL-3.0-or-later
"""An export leaves nothing behind in memory, however often it is made."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FunctionType

import bpy
import pytest
from omi_export import export
from scenes import door

from omi_physics_joint.blender.gltf_hooks.exported import exporting
from omi_physics_joint.blender.gltf_hooks.leftovers import none_left

OFTEN = gc.get_threshold()
"""How often Python's collector looks, as it is before any export."""


@pytest.fixture(autouse=True)
def _no_log() -> Iterator[None]:
    """Keep pytest from collecting what the exporter logs."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


def objects() -> int:
    """Return how many objects Python has once its collector has run."""
    gc.collect()
    return len(gc.get_objects())


@pytest.mark.long
def test_nothing_is_kept_over_two_hundred_exports(tmp_path: Path) -> None:
    """After two hundred exports Python has no more objects than after twenty.

    It may have fewer: what tests before it have left is collected meanwhile.
    """
    door()
    target = tmp_path / "door.glb"
    counts = []
    for run in range(200):
        export(target)
        if run in (19, 199):
            counts.append(objects())
    assert counts[1] - counts[0] < 20


@pytest.mark.parametrize("ends", ["well", "broken off"])
@pytest.mark.parametrize("new", [0, OFTEN[0]])
def test_older_objects_are_left_alone_during_an_export(
    ends: str, new: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's collector is on as it was, but for what is older; then all is as before."""
    door()
    seen = []

    def gather(*_arguments: object) -> None:
        seen.append(gc.get_threshold())
        if ends != "well":
            raise KeyboardInterrupt

    monkeypatch.setattr(exporting, "gather_meshes", gather)
    try:
        gc.set_threshold(new, *OFTEN[1:])
        with suppress(KeyboardInterrupt, RuntimeError), none_left(bpy.context.scene):
            export(tmp_path / "door.glb")
        assert gc.get_threshold() == (new, *OFTEN[1:])
    finally:
        gc.set_threshold(*OFTEN)
    assert [one[0] for one in seen] == [new]
    assert seen[0][1] > 100 * OFTEN[1]


STEPS = [
    name
    for name, one in vars(exporting).items()
    if isinstance(one, FunctionType)
    and one.__module__.startswith(exporting.__package__)
    and one.__module__ != exporting.__name__
    and name != "is_confined"
]
"""What other modules do in an export."""


@pytest.mark.parametrize("form", ["GLB", "GLTF_SEPARATE"])
def test_an_export_without_joints_does_nothing_of_ours(form: str, tmp_path: Path) -> None:
    """With Physics Joints off the exporter is as it is without us."""
    door()
    bpy.context.scene.omi_physics_joint.use_export = False
    assert {"harmless_names", "put_apart", "gather_meshes", "take_along"} <= {*STEPS}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "set_threshold", pytest.fail)
        for name in STEPS:
            patch.setattr(exporting, name, pytest.fail)
        export(tmp_path / ("door.glb" if form == "GLB" else "door.gltf"), export_format=form)


@pytest.mark.long
def test_nothing_is_kept_of_refused_exports(tmp_path: Path) -> None:
    """Exports that are refused keep nothing either, and leave the collector as it was."""
    _, _, hinge = door()
    hinge.omi_physics_joint.connected_body = None
    bpy.context.scene.omi_physics_joint.strict = True
    counts = []
    for run in range(30):
        with pytest.raises(RuntimeError):
            export(tmp_path / "door.glb")
        if run in (9, 29):
            counts.append(objects())
    assert counts[1] - counts[0] < 20
    assert gc.isenabled()
    assert gc.get_threshold() == OFTEN
