# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints to bodies of linked and overridden sets; what cannot be made leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from omi_physics_joint.blender.check.report import named_by
from omi_physics_joint.blender.joints.parts import fault_of
from tests.scenes import box, door, issues, joined, select, separated

Bring = Callable[[Path], bpy.types.Object]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A file with a collection "Set" that holds the static body "Gate Post"."""
    post = box("Gate Post")
    post.omi_physics_body.is_body, post.omi_physics_body.type = True, "static"
    collection = bpy.data.collections.new("Set")
    bpy.context.scene.collection.children.link(collection)
    collection.objects.link(post)
    bpy.context.scene.collection.objects.unlink(post)
    path = tmp_path / "set.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    return path


def linked_post(library: Path) -> bpy.types.Object:
    """Link the collection into the scene and return its body."""
    with bpy.data.libraries.load(str(library), link=True) as (_, here):
        here.collections = ["Set"]
    bpy.context.scene.collection.children.link(here.collections[0])
    return bpy.data.objects["Gate Post"]


def overridden_post(library: Path) -> bpy.types.Object:
    """Override the linked collection with all that is in it and return its body."""
    linked_post(library)
    linked = bpy.data.collections["Set"]
    scene = bpy.context.scene
    scene.collection.children.unlink(linked)
    linked.override_hierarchy_create(scene, bpy.context.view_layer)
    post = next(obj for obj in bpy.data.objects if obj.override_library is not None)
    assert post.users_collection[0].override_library is not None
    return post


@pytest.mark.parametrize("bring", [linked_post, overridden_post], ids=["linked", "overridden"])
def test_joint_to_a_body_of_another_file(
    bring: Callable[[Path], bpy.types.Object], library: Path, tmp_path: Path
) -> None:
    """The new empties go into the scene, the joint is whole, and it is there after reloading."""
    post = bring(library)
    post_name = post.name
    leaf = box("Gate", (2.0, 0.0, 0.0))
    joint = joined("HINGE", post, leaf)
    data = joint.omi_physics_joint
    assert data.is_joint
    assert leaf.omi_physics_body.is_body
    assert joint.users_collection[0] == bpy.context.scene.collection
    assert separated(joint).users_collection[0] == bpy.context.scene.collection
    bpy.ops.omi_joint.separate_frames(use_separate=False)
    path = tmp_path / "shot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    joint = bpy.data.objects["Gate Hinge"]
    assert joint.omi_physics_joint.settings is not None
    assert joint.omi_physics_joint.connected_body.name == post_name
    bpy.ops.omi_joint.check()
    found = bpy.context.window_manager.omi_physics_joint.issues
    assert [issue.code for issue in found if issue.severity == "error"] == []


def everything() -> tuple[set[str], set[str], set[str]]:
    """Return the names of all objects, settings and bodies."""
    bodies = {obj.name for obj in bpy.data.objects if obj.omi_physics_body.is_body}
    return {obj.name for obj in bpy.data.objects}, set(bpy.data.node_groups.keys()), bodies


def test_what_is_linked_is_told_to_be_overridden(tmp_path: Path) -> None:
    """A linked object cannot become a body; its override can, which the error names."""
    box("Leaf")
    path = tmp_path / "leaf.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (_, here):
        here.objects = ["Leaf"]
    bpy.context.scene.collection.objects.link(here.objects[0])
    post = box("Post", (2.0, 0.0, 0.0))
    with pytest.raises(RuntimeError, match=r"Object > Library Override > Make"):
        joined("HINGE", post, here.objects[0])
    own = here.objects[0].override_create(remap_local_usages=True)
    assert joined("HINGE", post, own).parent == own


def test_no_room_for_a_joint_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the new empties have no collection to be in, one sentence says so, and that is all."""
    from omi_physics_joint.blender.joints import authoring

    first, second = box("First"), box("Second", (2.0, 0.0, 0.0))
    before = everything()
    monkeypatch.setattr(authoring, "homes_beside", lambda _obj: [])
    select(first, second)
    with pytest.raises(RuntimeError, match="linked from another file: no joint can be added"):
        bpy.ops.omi_joint.create(kind="HINGE")
    assert everything() == before


def test_partner_that_is_refused_makes_no_body() -> None:
    """An object above the joint that is no other body stays what it is."""
    _, leaf, hinge = door()
    holder = box("Holder", (0.0, 9.0, 0.0))
    hinge.parent.parent = holder
    hinge.parent = holder
    select(hinge, holder)
    assert not holder.omi_physics_body.is_body
    with pytest.raises(RuntimeError, match="is not another body"):
        bpy.ops.omi_joint.connect()
    assert not holder.omi_physics_body.is_body
    assert leaf.omi_physics_body.is_body


def test_select_what_another_object_has_the_name_of(library: Path) -> None:
    """A partner that is in no view layer is said to be, whoever else has its name."""
    with bpy.data.libraries.load(str(library), link=True) as (_, here):
        here.objects = ["Gate Post"]
    _, _, hinge = door()
    hinge.omi_physics_joint.connected_node = here.objects[0]
    box("Gate Post", (0.0, 9.0, 0.0))
    select(hinge)
    assert bpy.ops.omi_joint.select_second_frame() == {"CANCELLED"}
    assert bpy.context.object == hinge


def test_an_issue_is_of_the_object_that_it_names_whoever_else_is_called_so(library: Path) -> None:
    """Two posts of one name, one of another file: there is a line of each, and it selects it."""
    posts = [linked_post(library), box("Gate Post", (0.0, 9.0, 0.0))]
    posts[1].omi_physics_body.is_body, posts[1].omi_physics_body.type = True, "static"
    bpy.context.view_layer.update()
    issues()
    report = bpy.context.window_manager.omi_physics_joint
    found = []
    for index, one in enumerate(report.issues):
        if one.code == "body-without-collider":
            assert bpy.ops.omi_joint.issue_select(index=index) == {"FINISHED"}
            found.append(bpy.context.object)
            assert bpy.context.selected_objects == [named_by(one)] == found[-1:]
    assert sorted(found, key=posts.index) == posts


@pytest.mark.parametrize("kind", ["SLIDER", "WELD"])
def test_a_joint_of_another_file_becomes_no_other_type(kind: str, tmp_path: Path) -> None:
    """Where all chosen joints are linked nothing changes, which is said as of any other button."""
    door()
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (there, here):
        here.objects = there.objects
    for obj in here.objects:
        bpy.context.scene.collection.objects.link(obj)
    select(bpy.data.objects["Door Hinge"])
    assert bpy.ops.omi_joint.change_type(kind=kind) == {"CANCELLED"}
    assert bpy.ops.omi_joint.flip() == {"CANCELLED"}


@pytest.mark.parametrize("which", ["second", "own"])
def test_a_joint_that_was_linked_alone_is_told_what_it_lacks(which: str, tmp_path: Path) -> None:
    """Nobody deleted its body: it was not linked along, says Check, and so does the sidebar."""
    door()
    path = str(tmp_path / "door.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    wanted = ["Door Hinge", "Frame" if which == "own" else "Door"]
    with bpy.data.libraries.load(path, link=True) as (_, here):
        here.objects = wanted
    for obj in here.objects:
        bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    code = "joint-without-body" if which == "own" else "joint-without-partner"
    assert issues()[code] == "error"
    (found,) = [
        one for one in bpy.context.window_manager.omi_physics_joint.issues if one.code == code
    ]
    lost = "Door" if which == "own" else "Frame"
    assert f"{lost!r} was not linked along." in found.message
    assert fault_of(bpy.data.objects["Door Hinge"], bpy.context.scene) == (
        f"{lost} was not linked along"
    )
