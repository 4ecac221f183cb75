# SPDX-License-Identifier: GPL-3.0-or-later
"""What exports, imports and commands change for their time is put back, all of it and in order."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from omi_physics_joint.blender.gltf_hooks import leftovers
from omi_physics_joint.blender.gltf_hooks.exported import exporting, staging
from omi_physics_joint.blender.gltf_hooks.exported.exporting import GltfExport, ignoring
from omi_physics_joint.blender.robots.files import EVERYTHING, _said_in_full
from omi_physics_joint.cli.blender_door import uncollected
from omi_physics_joint.files.inputs import bounded, fence, fenced, spend
from omi_physics_joint.model.issue import Issue, Severity
from tests.scenes import box, select


class BrokenOffError(Exception):
    """Something on the way goes wrong."""


@contextmanager
def ended(how: str) -> Iterator[None]:
    """Go on whether what is inside comes to its end or not."""
    with suppress(BrokenOffError):
        yield
        assert how == "well"


def end(how: str) -> None:
    """Come to an end, or not."""
    if how != "well":
        raise BrokenOffError


@pytest.mark.parametrize("count", [0, 1, 3])
def test_all_that_an_export_leaves_is_undone_the_last_first(count: int) -> None:
    """As what came later may hang on what came before; and once."""
    done: list[int] = []
    for number in range(count):
        leftovers.note(lambda number=number: done.append(number))
    for _ in range(2):
        leftovers.put_back()
        assert done == list(range(count))[::-1]


@pytest.mark.parametrize("how", ["well", "broken off"])
@pytest.mark.parametrize(("frame", "subframe"), [(1, 0.0), (7, 0.25)])
def test_an_export_leaves_the_time(frame: int, subframe: float, how: str) -> None:
    """Between two frames too, and where it raises."""
    scene = bpy.context.scene
    scene.frame_set(frame, subframe=subframe)
    with ended(how), leftovers.none_left(scene):
        scene.frame_set(30)
        end(how)
    assert (scene.frame_current, scene.frame_subframe) == (frame, subframe)
    go_back = leftovers.way_back()
    scene.frame_set(frame)
    go_back()
    assert (scene.frame_current, scene.frame_subframe) == (frame, subframe)


@pytest.mark.parametrize("mode", ["OBJECT", "EDIT", None])
def test_an_export_leaves_who_is_active_and_its_mode(mode: str | None) -> None:
    """The exporter goes to Object Mode and may make another one active, or none."""
    other, mine = box("Other"), box("Mine")
    select(mine)
    objects = bpy.context.view_layer.objects
    if mode is None:
        objects.active = None
    else:
        bpy.ops.object.mode_set(mode=mode)
    for taken in (other, None):
        go_back = leftovers.way_back()
        if mode == "EDIT":
            bpy.ops.object.mode_set(mode="OBJECT")
        objects.active = taken
        go_back()
        assert objects.active == (None if mode is None else mine)
        assert mine.mode == (mode or "OBJECT")
    if mode == "EDIT":
        bpy.ops.object.mode_set(mode="OBJECT")


@pytest.mark.parametrize("how", ["well", "broken off"])
def test_codes_are_ignored_for_one_export(how: str) -> None:
    """The next one hears of all again."""
    with ended(how), ignoring(["a", "b"]):
        assert exporting._ignored == ["a", "b"]
        end(how)
    assert exporting._ignored == []


@pytest.mark.parametrize("how", ["well", "broken off"])
def test_fences_stand_within_fences(how: str, tmp_path: Path) -> None:
    """What ends inside leaves the outer one: of what is written, and of what is read."""
    inner = tmp_path / "inner"
    inner.mkdir()
    assert not staging.is_confined()
    with staging.confined(tmp_path), fenced(tmp_path):
        with ended(how), staging.confined(inner), fenced(inner):
            assert fence() == inner.resolve()
            end(how)
        assert staging.is_confined()
        assert fence() == tmp_path.resolve()
    assert not staging.is_confined()
    assert fence() is None


def test_what_is_read_within_spends_the_budget_of_the_whole() -> None:
    """A file that names others costs what they cost."""
    with bounded() as whole:
        spend("nodes", 2)
        with bounded() as part:
            spend("nodes", 3)
        assert part is whole
        assert whole.spent == {"nodes": 5}
    with bounded() as next_one:
        assert next_one.spent == {}


@pytest.mark.parametrize("collects", [True, False])
@pytest.mark.parametrize("how", ["well", "broken off"])
def test_the_collector_is_as_it_was(how: str, *, collects: bool) -> None:
    """On where it was on, and off where somebody wants it so."""
    before = gc.isenabled()
    try:
        (gc.enable if collects else gc.disable)()
        with ended(how), uncollected():
            assert not gc.isenabled()
            end(how)
        assert gc.isenabled() is collects
    finally:
        (gc.enable if before else gc.disable)()


@pytest.mark.parametrize("names", [["plain"], ["a/b"], ["a/b", "c\\d", "plain", "e/f/g"]])
def test_images_have_their_names_again(names: list[str]) -> None:
    """All of those that are named like paths, which lead nowhere meanwhile."""
    images = [bpy.data.images.new(name, 1, 1) for name in names]
    assert staging.harmless_names({"gltf_format": "GLTF_SEPARATE"}) == ""
    assert not any(sign in image.name for image in images for sign in "/\\")
    leftovers.put_back()
    assert [image.name for image in images] == names
    assert staging.harmless_names({"gltf_format": "GLB"}) == ""
    assert [image.name for image in images] == names
    leftovers.put_back()


@pytest.mark.parametrize("how", ["well", "broken off"])
@pytest.mark.parametrize("dialect", ["OMI", "KHR", "BOTH"])
@pytest.mark.parametrize("target", ["GODOT", "SPECIFIED"])
def test_a_scene_is_for_its_own_readers_again(target: str, dialect: str, how: str) -> None:
    """A robot goes through a file that says all, whatever the scene's own files are for."""
    options = bpy.context.scene.omi_physics_joint
    options.target, options.dialect = target, dialect
    with ended(how), _said_in_full(bpy.context.scene):
        assert {name: getattr(options, name) for name in EVERYTHING} == EVERYTHING
        assert (options.target, options.dialect) == ("SPECIFIED", "BOTH")
        end(how)
    assert (options.target, options.dialect) == (target, dialect)


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 1, 0)])
@pytest.mark.parametrize("strict", [False, True])
def test_an_export_tells_the_worst_and_counts_the_others(
    order: tuple[int, ...], *, strict: bool
) -> None:
    """By its own name, wherever it stands among them."""
    issues = [
        Issue(Severity.ERROR, "bad", "Door", "It is bad.", "Mend it."),
        Issue(Severity.ERROR, "bad", "Lid", "It is bad.", "Mend it."),
        Issue(Severity.HINT, "odd", "Wall", "It is odd.", ""),
    ]
    bpy.context.scene.omi_physics_joint.strict = strict
    said: list[str] = []
    note = lambda text, **_: said.append(text)  # noqa: E731
    export = GltfExport()
    export.export_settings = {"log": SimpleNamespace(warning=note, error=note)}
    export.staging = SimpleNamespace()
    export.issues = [issues[at] for at in order]
    export.tell()
    first = "Door" if order.index(0) < order.index(1) else "Lid"
    if strict:
        more = "(1 more in the list of issues)"
        assert said == [f"Nothing was written: {first}: It is bad; mend it {more}."]
    else:
        words = "2 errors, 1 hint"
        assert said == [f"Physics joints: {words}. {first}: It is bad. Mend it."]
    leftovers.put_back()
