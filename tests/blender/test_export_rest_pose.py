# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation and export: whose frame's pose is the rest pose, and what cannot be animated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from omi_export import (
    add,
    assert_same_frame,
    errors,
    export,
    extension,
    index_of,
    issues,
    shown_frame,
    two_bodies,
    worlds,
)

from omi_physics_joint.blender.check.diagnosis import diagnose_scene
from tests.scenes import joined, slab


def animated_slide() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return a body that is at X = 1 at frame 0 and at X = 3 at frame 20, and its joint."""
    _, moving, joint = two_bodies()
    for frame, x in ((0, 1.0), (20, 3.0)):
        moving.location.x = x
        moving.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(20)
    return moving, joint


@pytest.mark.parametrize("current", [False, True])
def test_rest_pose_is_that_of_the_exported_frame(current: bool, tmp_path: Path) -> None:
    """The file rests at frame 0, or at the current frame where that is asked for."""
    moving, joint = animated_slide()
    gltf = export(tmp_path / "slide.glb", export_current_frame=current, export_animations=False)
    assert bpy.context.scene.frame_current == 20
    found = worlds(gltf)
    assert found[index_of(gltf, "Moving")][0, 3] == pytest.approx(3.0 if current else 1.0)
    if not current:
        bpy.context.scene.frame_set(0)
    assert_same_frame(found[index_of(gltf, "Weld")], shown_frame(joint))
    assert moving.animation_data.action is not None


def test_animated_body_keeps_its_animation(tmp_path: Path) -> None:
    """Joints and animation live in one file, and both name the right nodes."""
    animated_slide()
    gltf = export(tmp_path / "slide.glb")
    (animation,) = gltf["animations"]
    assert {c["target"]["node"] for c in animation["channels"]} == {index_of(gltf, "Moving")}
    assert gltf["nodes"][extension(gltf, "Weld")["connectedNode"]]["name"] == "Weld Second Frame"
    assert not errors()


def test_body_that_moved_is_a_warning_that_names_both_frames() -> None:
    """Check warns of a body that stands elsewhere at the rest frame, and moves no frame itself."""
    animated_slide()
    issues, _ = diagnose_scene(bpy.context.scene)
    moved = {issue.where: issue for issue in issues if issue.code == "moved-from-rest"}
    assert set(moved) == {"Moving", "Weld"}
    assert "frame 20" in moved["Moving"].message
    assert "frame 0" in moved["Moving"].message
    assert moved["Moving"].severity == "warning"
    assert bpy.context.scene.frame_current == 20
    bpy.context.scene.frame_set(0)
    issues, _ = diagnose_scene(bpy.context.scene)
    assert not [issue for issue in issues if issue.code == "moved-from-rest"]


@pytest.mark.parametrize(
    ("current", "along", "is_told"),
    [(True, False, True), (False, False, False), (True, True, False)],
)
def test_a_joint_that_is_torn_apart_at_the_exported_frame_is_said(
    current: bool, along: bool, tmp_path: Path, *, is_told: bool
) -> None:
    """The file has it where its bodies are then; Check does not say to export such a frame."""
    lift, load = (
        slab("Lift", (0.0, 0.0, 0.5), (1.0, 1.0, 0.1)),
        slab("Load", (0.0, 0.0, 0.9), (0.3,) * 3),
    )
    joined("WELD", lift, load)
    for one in (lift, load)[: 1 + along]:
        for frame in (0, 20):
            one.location.z += frame / 20.0
            one.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(20)
    fixes = [one.fix for one in diagnose_scene(bpy.context.scene)[0] if one.where == "Lift"]
    assert any("Use Current Frame" in fix for fix in fixes) is along
    export(tmp_path / "slide.glb", export_current_frame=current)
    assert ("moved-since-joined" in issues()) is is_told


def keyed_settings(joint: bpy.types.Object) -> None:
    """Key the axes of a limit of the joint settings."""
    block = joint.omi_physics_joint.settings
    block.limits[0].keyframe_insert("axes", frame=1)


def keyed_mass(joint: bpy.types.Object) -> None:
    """Key the mass of the joint's body."""
    joint.parent.omi_physics_body.keyframe_insert("mass", frame=1)


def keyed_mute(joint: bpy.types.Object) -> None:
    """Key a switch of the joint."""
    joint.omi_physics_joint.keyframe_insert("mute", frame=1)


def driven_mass(joint: bpy.types.Object) -> None:
    """Drive the mass of the joint's body."""
    joint.parent.omi_physics_body.driver_add("mass").driver.expression = "2.0"


KEYED: dict[Any, str] = {
    keyed_settings: "Weld: Weld",
    keyed_mass: "Moving",
    keyed_mute: "Weld",
    driven_mass: "Moving",
}


@pytest.mark.parametrize("key", KEYED, ids=lambda key: key.__name__)
def test_animated_physics_is_a_named_error(key: Any, tmp_path: Path) -> None:
    """Physics that is animated, numbers of joints aside, has no place in a file; that is said."""
    _, _, joint = two_bodies()
    export(tmp_path / "before.glb")
    assert not errors()
    key(joint)
    export(tmp_path / "after.glb")
    assert errors() == {"keyed-physics": [KEYED[key]]}


def test_animated_bystander_is_no_matter(tmp_path: Path) -> None:
    """Keys on objects and properties that are not physics are no error."""
    two_bodies()
    other = add("Bystander")
    other.keyframe_insert("location", frame=1)
    other["omi"] = 1.0
    other.keyframe_insert('["omi"]', frame=1)
    export(tmp_path / "bystander.glb")
    assert not errors()
