# SPDX-License-Identifier: GPL-3.0-or-later
"""A joint that is switched off stays in the scene, and takes part in nothing."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.articulation.connected_objects import joints_around
from omi_physics_joint.blender.handles.places import joint_at_hand
from omi_physics_joint.blender.overlay.drawn_joints import DrawnJoints
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.posing.stands import stand_of
from omi_physics_joint.blender.simulated.reading import PlayError
from omi_physics_joint.drawing.picture import Parts
from omi_physics_joint.drawing.strokes import Theme, palette
from tests.blender.test_animated_settings import key
from tests.scenes import box, door, issues, joined, select, separated


@pytest.fixture
def hinge() -> bpy.types.Object:
    """Return the hinge of a trapdoor, switched off."""
    _, _, joint = door(direction="GLOBAL_Y", use_range=False)
    joint.omi_physics_joint.mute = True
    bpy.context.scene.omi_physics_preview.use_contacts = False
    bpy.context.view_layer.update()
    return joint


def test_check_mentions_it_and_fix_switches_it_on(hinge: bpy.types.Object) -> None:
    """What is off is a hint, and no rule judges it; Fix brings it back."""
    separated(hinge).location.x += 0.5
    found = issues()
    assert found["joint-muted"] == "hint"
    assert "frames-apart" not in found
    rows = bpy.context.window_manager.omi_physics_joint.issues
    bpy.ops.omi_joint.issue_fix(index=[row.code for row in rows].index("joint-muted"))
    assert not hinge.omi_physics_joint.mute
    assert "frames-apart" in issues()


def test_file_has_no_trace_of_it(hinge: bpy.types.Object, tmp_path: Path) -> None:
    """The export goes through, also a strict one, without the joint."""
    bpy.context.scene.omi_physics_joint.strict = True
    path = tmp_path / "door.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    text = path.read_text("utf-8")
    assert "OMI_physics_joint" not in text
    assert any(node["name"] == "Door" for node in json.loads(text)["nodes"])
    hinge.omi_physics_joint.mute = False
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    assert "OMI_physics_joint" in path.read_text("utf-8")


def test_play_and_simulation_let_the_body_fall(hinge: bpy.types.Object) -> None:
    """Nothing holds the door: it falls freely, in play and on the timeline."""
    assert hinge.parent.name == "Door"
    joined("WELD", bpy.data.objects["Door"], box("Handle", (2.5, 0.0, 0.0)))
    session = play.start(bpy.context.scene)
    for _ in range(round(0.5 / STEP)):
        assert session.tick(STEP), session.reason
    fallen = bpy.data.objects["Door"].location.copy()
    play.stop()
    assert fallen.z == pytest.approx(-0.5 * 9.81 * 0.5**2, rel=0.05)
    assert fallen.x == pytest.approx(2.0)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 13
    bpy.ops.omi_joint.simulate()
    scene.frame_set(13)
    assert bpy.data.objects["Door"].matrix_world.translation.z < -1.0


def test_play_says_that_all_joints_are_off(hinge: bpy.types.Object) -> None:
    """Where nothing is left to be played the sentence names the joint that is off."""
    with pytest.raises(PlayError, match=f"{hinge.name}: This joint is muted"):
        play.start(bpy.context.scene)


def test_simulation_is_outdated_by_the_switch() -> None:
    """What was simulated with the joint is not shown without it."""
    _, _, joint = door(direction="GLOBAL_Y", use_range=False)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 8
    bpy.ops.omi_joint.simulate()
    joint.omi_physics_joint.mute = True
    scene.frame_set(5)
    scene.frame_set(8)
    assert bpy.data.objects["Door"].matrix_world.translation.z == pytest.approx(0.0, abs=1e-6)


def test_pose_passes_it_over(hinge: bpy.types.Object) -> None:
    """A body whose only joint is off is part of no mechanism."""
    assert joints_around(bpy.data.objects["Door"], bpy.context.scene) == []
    hinge.omi_physics_joint.mute = False
    assert joints_around(bpy.data.objects["Door"], bpy.context.scene) == [hinge]


def test_it_is_drawn_grey() -> None:
    """The lines stay where they are, without colour and fainter than those of what is on."""
    frame, leaf, _ = door()
    other = joined("HINGE", frame, leaf, place="OTHER")
    select(other)
    seen, colours = DrawnJoints(), palette(Theme())

    def drawn() -> np.ndarray:
        seen.refresh(bpy.context.scene, bpy.context.view_layer)
        found = [
            batch.colours
            for pool in (0, 1)
            for batch in seen.picture(pool, seen.visible, Parts(), colours).lines.values()
        ]
        return np.concatenate(found)

    before = drawn()
    for joint in bpy.data.objects:
        if joint.omi_physics_joint.is_joint:
            joint.omi_physics_joint.mute = True
    bpy.context.view_layer.update()
    after = drawn()
    assert before.shape == after.shape
    assert np.ptp(before[:, :3], axis=1).max() > 0.3
    assert np.ptp(after[:, :3], axis=1).max() < 1e-3
    assert after[:, 3].max() < before[:, 3].min()


def test_the_switch_goes_along_with_swapped_sides(hinge: bpy.types.Object) -> None:
    """Swapping sides hands the switch to the new joint frame."""
    select(hinge)
    bpy.ops.omi_joint.swap_sides()
    [new] = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    assert new.omi_physics_joint.mute


def test_what_is_off_has_no_handles_and_no_number(hinge: bpy.types.Object) -> None:
    """Nothing in the 3D view or in the panel invites to drag what takes part in nothing."""
    select(hinge)
    assert stand_of(hinge) is None
    assert joint_at_hand(bpy.context) is None
    seen = DrawnJoints()
    seen.refresh(bpy.context.scene, bpy.context.view_layer)
    assert seen.muted.tolist() == [True]
    hinge.omi_physics_joint.mute = False
    assert joint_at_hand(bpy.context) == hinge
    assert stand_of(hinge) is not None


@pytest.mark.parametrize("mute", [False, True])
def test_of_what_is_off_no_key_is_told(mute: bool) -> None:
    """Readers that read no keys miss none of a joint that no file has."""
    _, _, joint = door()
    key(joint.omi_physics_joint, "enable_collision", (False, True, False), "CONSTANT")
    bpy.context.scene.omi_physics_joint.target = "GODOT"
    joint.omi_physics_joint.mute = mute
    assert ("godot-keyed" in issues()) is not mute
