# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export leaves out: it is a named issue, and all indices stay right."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from omi_export import (
    add,
    add_body,
    connect,
    errors,
    export,
    extension,
    joints,
    new_collection,
    pair,
)

from omi_physics_joint.model.settings.recipes import weld

SHOWN = "Show it, and select it where only what is selected is exported, or mute the joint."
SAID = {
    "hidden in the viewport": ("is hidden and not exported.", SHOWN),
    "disabled in the viewport": ("is hidden and not exported.", SHOWN),
    "not rendered": (
        "is hidden in renders and not exported.",
        "Show it in renders, and select it where only what is selected is exported, or mute "
        "the joint.",
    ),
    "not selected": (
        "is not exported.",
        "Select it too, export its collection along, or switch its type (such as Meshes) on, or "
        "mute the joint.",
    ),
}
"""What is told of a second body, by how it is left out, and what to do."""
HIDDEN = {
    "hidden in the viewport": ({"use_visible": True}, lambda obj: obj.hide_set(True)),
    "disabled in the viewport": (
        {"use_visible": True},
        lambda obj: setattr(obj, "hide_viewport", True),
    ),
    "not rendered": ({"use_renderable": True}, lambda obj: setattr(obj, "hide_render", True)),
    "not selected": ({"use_selection": True}, lambda obj: obj.select_set(False)),
}


@pytest.mark.parametrize("how", HIDDEN)
def test_partner_that_is_left_out_is_an_error(how: str, tmp_path: Path) -> None:
    """Where the partner is not exported the joint is named, and all others keep right indices."""
    options, hide = HIDDEN[how]
    bpy.context.scene.omi_physics_joint.use_belonging = False
    lost, kept = pair("A lost"), pair("B kept", x=5.0)
    for obj in bpy.context.scene.objects:
        obj.select_set(True)
    hide(lost.omi_physics_joint.connected_node)
    gltf = export(tmp_path / "hidden.glb", **options)
    assert errors() == {"partner-left-out": ["A lost"]}
    ((first, second),) = joints(gltf)
    assert gltf["nodes"][first]["name"] == kept.name
    assert gltf["nodes"][second]["name"] == "B kept Second Frame"
    assert extension(gltf, "A lost") == {}


UNRENDERED = ((how, True) for how in HIDDEN if how != "not rendered")
"""Ways to be left out where nothing is rendered, which is no reason then."""


@pytest.mark.parametrize(("how", "hidden"), [*((how, False) for how in HIDDEN), *UNRENDERED])
def test_body_that_is_left_out_is_an_error(how: str, hidden: bool, tmp_path: Path) -> None:
    """A frame whose body stays behind is named, since it belongs to nothing in the file."""
    options, hide = HIDDEN[how]
    joint = pair("Pin")
    for obj in bpy.context.scene.objects:
        obj.select_set(True)
        obj.hide_render = hidden
    hide(joint.parent)
    export(tmp_path / "hidden.glb", **options)
    assert errors() == {"body-lost-in-export": ["Pin"]}
    found = bpy.context.window_manager.omi_physics_joint.issues
    (told,) = (issue for issue in found if issue.code == "body-lost-in-export")
    why, fix = SAID[how]
    assert told.message.endswith(f"which {why}")
    assert told.fix == fix.replace(", or mute the joint", "")


def test_body_of_the_partner_that_is_left_out_is_named(tmp_path: Path) -> None:
    """Where the connected frame's body stays behind, strict names it and not its parenting."""
    joint = pair("Pin")
    joint.omi_physics_joint.connected_node.parent.hide_set(True)
    bpy.context.scene.omi_physics_joint.strict = True
    words = "Nothing was written: Pin Second Frame: It belongs to the body 'Pin Still', which"
    with pytest.raises(RuntimeError, match=words):
        export(tmp_path / "hidden.glb", use_visible=True)
    assert errors() == {"body-lost-in-export": ["Pin Second Frame"]}


def test_excluded_collection(tmp_path: Path) -> None:
    """What is excluded from the view layer is exported or not as the exporter says, with issues."""
    excluded = new_collection("Excluded")
    still = add_body("Still", "static", collection=excluded)
    moving = add_body("Moving")
    connect(moving, still, weld())
    bpy.context.view_layer.layer_collection.children["Excluded"].exclude = True
    gltf = export(tmp_path / "all.glb")
    ((_, second),) = joints(gltf)
    assert gltf["nodes"][second]["name"] == "Joint Second Frame"
    assert not errors()
    gltf = export(tmp_path / "visible.glb", use_visible=True)
    assert errors() == {"partner-left-out": ["Joint"]}
    assert joints(gltf) == []


@pytest.mark.parametrize("how", HIDDEN)
def test_why_a_second_body_is_not_exported_is_said(how: str, tmp_path: Path) -> None:
    """It is in the scene, so nobody is asked to choose another, and no Fix removes the joint."""
    options, hide = HIDDEN[how]
    bpy.context.scene.omi_physics_joint.use_belonging = False
    still, moving = add_body("Still", "static"), add_body("Moving")
    data = connect(moving, still, weld()).omi_physics_joint
    bpy.data.objects.remove(data.connected_node)
    data.connected_body = still
    for obj in bpy.context.scene.objects:
        obj.select_set(True)
    hide(still)
    export(tmp_path / "hidden.glb", **options)
    found = bpy.context.window_manager.omi_physics_joint.issues
    (told,) = (one for one in found if one.code == "partner-left-out")
    what, todo = SAID[how]
    assert told.message == f"Its second body 'Still' {what}"
    assert told.fix == todo
    assert not told.can_fix


@pytest.mark.parametrize("belonging", [False, True])
def test_joints_that_are_not_selected_are_in_no_other_scene(
    belonging: bool, tmp_path: Path
) -> None:
    """A body that two joints of this scene hold is not told of another scene."""
    moving = add_body("Moving")
    for name in ("Left", "Right"):
        connect(moving, add_body(name, "static"), weld(), name=f"Pin {name}")
    bpy.context.scene.omi_physics_joint.use_belonging = belonging
    for obj in bpy.context.scene.objects:
        obj.select_set(obj == moving)
    export(tmp_path / "moving.glb", use_selection=True)
    found = {one.code for one in bpy.context.window_manager.omi_physics_joint.issues}
    assert "left-out-of-export" in found
    assert "held-elsewhere" not in found


@pytest.mark.parametrize("form", ["glb", "usda"])
@pytest.mark.parametrize("end", ["own", "second"])
def test_a_body_that_is_not_selected_is_in_no_other_scene(
    end: str, form: str, tmp_path: Path
) -> None:
    """Whichever side of a joint it is on, and also where a part below it is what was chosen."""
    still, moving = add_body("Still", "static"), add_body("Moving")
    part = add("Part", parent=still)
    joint = connect(moving, still, weld())
    data = joint.omi_physics_joint
    bpy.data.objects.remove(data.connected_node)
    data.connected_body = part
    lost = moving if end == "own" else still
    for obj in bpy.context.scene.objects:
        obj.select_set(obj != lost)
    if form == "glb":
        export(tmp_path / "part.glb", use_selection=True)
    else:
        bpy.ops.wm.usd_export(filepath=str(tmp_path / "part.usda"), selected_objects_only=True)
    said = [str(one.message) for one in bpy.context.window_manager.omi_physics_joint.issues]
    is_lost = form == "glb"  # a stage has what is above as well
    assert any(repr(lost.name) in one for one in said) is is_lost
    assert not any("another scene" in one for one in said)
