# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports say what Check says of a scene, whatever was edited since things were joined.

Scenes are those of ``faults``: tipped, 24 m from the origin, below a scaled parent.
"""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from omi_export import export, two_bodies
from scenes import issues

from omi_physics_joint.blender.usd_hooks import HAS_USD
from omi_physics_joint.usd.stage import is_available
from tests.blender.faults import FAULTS
from tests.blender.test_check_bodies import report

SCENES = {make.__name__: make for several in FAULTS.values() for make in several}
EDITED = (
    *("reset-since-joined", "off-since-joined", "scaled-since-joined"),
    *("mass-outdated", "center-outdated", "scaled-since-read"),
)
"""What only somebody who remembers how things were joined can say."""
INSTEAD = {
    "second_body_unlinked": {"joint-without-partner", "godot-tumbling"},  # an error names the body
    "trigger_part_gone": {"trigger-part-missing"},
}
"""What glTF's export says in other words, by the scene."""
OF_STAGES = ("newton-", "physx-")
"""How codes begin of readers that read no glTF."""


def told() -> set[str]:
    """Return the codes of what Check, or the last export, has found."""
    return {one.code for one in report().issues}


@pytest.mark.parametrize("scene", SCENES)
def test_an_export_says_what_check_says(scene: str, tmp_path: Path) -> None:
    """Who exports without a look at Check hears of the same faults, as do builds at night."""
    SCENES[scene]()
    issues()
    found = {code for code in told() if not code.startswith(OF_STAGES)}
    export(tmp_path / "door.glb")
    assert found - told() <= INSTEAD.get(scene, set())


@pytest.mark.parametrize("code", EDITED)
def test_a_stage_says_what_was_edited(code: str, tmp_path: Path) -> None:
    """The export of USD remembers as well how things were joined and weighed."""
    if not (HAS_USD and is_available()):
        pytest.skip("this Blender has no USD, or no pxr")
    for make in FAULTS[code]:
        make()
    issues()
    assert code in told()
    assert bpy.ops.wm.usd_export(filepath=str(tmp_path / "door.usda")) == {"FINISHED"}
    assert code in told()


def test_custom_properties_are_those_of_the_user(tmp_path: Path) -> None:
    """What we store in objects and scenes is no second truth in files, nor somebody's to edit."""
    FAULTS["mass-outdated"][0]()
    scene = bpy.context.scene
    scene["chapter"], bpy.data.objects["Door"]["oak"] = 3, True
    gltf = export(tmp_path / "door.glb", export_extras=True)
    said = {
        one["name"]: one["extras"] for one in (*gltf["scenes"], *gltf["nodes"]) if "extras" in one
    }
    assert said == {scene.name: {"chapter": 3}, "Door": {"oak": True}}


@pytest.mark.parametrize("keyed", ["target", "collision", ""])
def test_keys_that_a_file_has_no_room_for_are_said(keyed: str, tmp_path: Path) -> None:
    """With Animation off, and in robots' files, a motor or a switch with keys has one value."""
    _, _, joint = two_bodies()
    settings = joint.omi_physics_joint.settings
    drive = settings.drives.add()
    drive.freedom, drive.use_velocity_target, drive.damping = "angular", True, 5.0
    keys = {"target": (drive, "angular_velocity_target")}
    keys["collision"] = (joint.omi_physics_joint, "enable_collision")
    for frame in (1, 20) if keyed else ():
        owner, name = keys[keyed]
        setattr(owner, name, frame // 20)
        owner.keyframe_insert(name, frame=frame)
    export(tmp_path / "on.glb")
    assert "keyed-physics" not in told()
    export(tmp_path / "off.glb", export_animations=False)
    assert ("keyed-physics" in told()) is bool(keyed)
    bpy.ops.omi_joint.export_robot(filepath=str(tmp_path / "robot.xml"))
    assert ("keyed-physics" in told()) is bool(keyed)
