# SPDX-License-Identifier: GPL-3.0-or-later
"""The gravity of a scene goes into files and comes back."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import pytest
from omi_export import export, import_file, issues
from scenes import door

from omi_physics_joint.blender.bridge.gravity import take_gravity

GRAVITY = "OMI_physics_gravity"


def test_gravity_of_the_moon_comes_back(tmp_path: Path) -> None:
    """What the scene has is in the file, and importing the file sets the scene to it."""
    door()
    bpy.context.scene.gravity = (0.5, 0.0, -1.5)
    gltf = export(tmp_path / "moon.glb")
    assert GRAVITY in gltf["extensionsUsed"]
    strength, (x, y, z) = (gltf["extensions"][GRAVITY][key] for key in ("gravity", "direction"))
    assert [strength * part for part in (x, y, z)] == pytest.approx([0.5, -1.5, 0.0], abs=1e-6)
    found = import_file(tmp_path / "moon.glb")
    assert tuple(bpy.context.scene.gravity) == pytest.approx((0.5, 0.0, -1.5), abs=1e-6)
    assert "gravity-taken" in found


def test_gravity_that_is_off_is_none(tmp_path: Path) -> None:
    """A scene without gravity is a file with gravity 0, and is so again."""
    door()
    bpy.context.scene.use_gravity = False
    assert export(tmp_path / "space.glb")["extensions"][GRAVITY] == {"gravity": 0}
    import_file(tmp_path / "space.glb")
    assert not bpy.context.scene.use_gravity


def test_a_file_that_says_gravity_alone_sets_it(tmp_path: Path) -> None:
    """A level without bodies and joints, which others bring."""
    level = {
        "asset": {"version": "2.0"},
        "extensionsUsed": [GRAVITY],
        "extensions": {GRAVITY: {"gravity": 1.5}},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Level"}],
    }
    (tmp_path / "level.gltf").write_text(json.dumps(level), "utf-8")
    assert "gravity-taken" in import_file(tmp_path / "level.gltf")
    assert tuple(bpy.context.scene.gravity) == pytest.approx((0.0, 0.0, -1.5))


def test_the_earth_needs_no_word(tmp_path: Path) -> None:
    """A plain scene says nothing of gravity, and a file without a word leaves the scene alone."""
    door()
    gltf = export(tmp_path / "earth.glb")
    assert GRAVITY not in gltf["extensions"]
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.gravity = (0.0, 0.0, -3.0)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "earth.glb"))
    assert tuple(bpy.context.scene.gravity) == (0.0, 0.0, -3.0)


@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("only", ["", "active scene", "collection"])
@pytest.mark.parametrize("second", ["its gravity", "the same", "no bodies"])
def test_a_file_of_several_scenes_has_the_gravity_of_the_active_one(
    tmp_path: Path, active: int, only: str, second: str
) -> None:
    """Wherever it is in the list; a word says that another one with bodies is pulled otherwise."""
    scenes = [bpy.context.scene, bpy.data.scenes.new("Zulu")]
    for scene, strength in zip(scenes, (3.7, 3.7 if second == "the same" else 1.6), strict=True):
        bpy.context.window.scene, scene.gravity = scene, (0.0, 0.0, -strength)
        if scene == scenes[active] or second != "no bodies":
            bpy.context.collection.children.link(home := bpy.data.collections.new(scene.name))
            for obj in door():
                home.objects.link(obj)
    bpy.context.window.scene = here = scenes[active]
    what = {"active scene": {"use_active_scene": True}, "collection": {"collection": here.name}}
    gltf = export(tmp_path / "levels.glb", **what.get(only, {}))
    strength = gltf["extensions"][GRAVITY]["gravity"]
    assert strength == pytest.approx(scenes[active].gravity.length)
    is_told = second == "its gravity" and not only
    assert issues().get("gravities-differ", []) == [scenes[active].name] * is_told


def test_options_of_the_active_scene_are_those_of_an_export(tmp_path: Path) -> None:
    """Its readers are who is spoken of, whatever another scene has chosen."""
    here = bpy.context.scene
    for scene, reader in ((here, "BABYLON"), (bpy.data.scenes.new("Zulu"), "GODOT")):
        bpy.context.window.scene = scene
        scene.omi_physics_joint.readers = {reader}
        scene.gravity = (0.0, 0.0, -1.6)
        door()
    bpy.context.window.scene = here
    export(tmp_path / "levels.glb")
    assert [code for code in issues() if code.startswith("godot")] == []


def test_physics_that_is_not_read_is_named_on_import(tmp_path: Path) -> None:
    """A file with other physics comes in with a word about what did not."""
    path = tmp_path / "msft.gltf"
    path.write_text(
        '{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],'
        '"nodes": [{"name": "A", "extensions": {"MSFT_physics": {}}}],'
        '"extensionsUsed": ["MSFT_physics"]}'
    )
    assert "physics-not-read" in import_file(path)
    assert issues()


def test_a_file_for_godot_comes_back_as_it_was_meant(tmp_path: Path) -> None:
    """Imported again, a file for Godot opens the same way, and the scene is for Godot."""
    door()
    bpy.context.scene.omi_physics_joint.target = "GODOT"
    export(tmp_path / "godot.glb")
    import_file(tmp_path / "godot.glb")
    assert bpy.context.scene.omi_physics_joint.target == "GODOT"
    again = export(tmp_path / "again.glb")
    first = export(tmp_path / "once more.glb")
    assert again["extensions"]["OMI_physics_joint"] == first["extensions"]["OMI_physics_joint"]


def test_the_older_option_is_taken_over(tmp_path: Path) -> None:
    """A file of release 0.1.0 that was for Godot still is, and may be made for all again."""
    options = bpy.context.scene.omi_physics_joint
    options.godot_angular_sign = True
    assert options.target == "GODOT"
    path = str(tmp_path / "old.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    options = bpy.context.scene.omi_physics_joint
    assert (options.target, options.godot_angular_sign) == ("GODOT", False)


def test_no_gravity_of_a_file_leaves_the_strength_of_the_scene() -> None:
    """It is switched off, so that whoever switches it on has what was there."""
    scene = bpy.context.scene
    scene.gravity = (0.0, 1.0, -2.0)
    assert take_gravity(scene, None) == []
    (said,) = take_gravity(scene, (0.0, 0.0, 0.0))
    assert (said.code, scene.use_gravity, tuple(scene.gravity)) == (
        "gravity-taken",
        False,
        (0.0, 1.0, -2.0),
    )
    take_gravity(scene, (0.0, -3.0, 0.5))
    assert scene.use_gravity
    assert tuple(scene.gravity) == pytest.approx((0.0, -0.5, -3.0))
