# SPDX-License-Identifier: GPL-3.0-or-later
"""For whom a scene is: what Check says, how files are spelled, what preferences do there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import pytest
from omi_export import door, export, import_file, issues

from omi_physics_joint.blender.check.report import is_old
from omi_physics_joint.blender.purpose.chosen import extensions_in_words
from omi_physics_joint.blender.purpose.panels import readers_in_words
from omi_physics_joint.blender.registration import MODULE
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom
from omi_physics_joint.model.readers import PROFILES, Reader
from omi_physics_joint.model.settings.recipes import hinge

OMI, KHR = "OMI_physics_joint", "KHR_physics_rigid_bodies"
MOTOR = Drive(Freedom.ANGULAR, DriveMode.FORCE, 0, velocity_target=1.0, damping=5.0)


def options() -> Any:
    """Return the settings of the scene."""
    return bpy.context.scene.omi_physics_joint


@pytest.fixture
def preferences() -> Iterator[Any]:
    """Return the preferences of the add-on, which are put back."""
    found = bpy.context.preferences.addons[MODULE].preferences
    yield found
    found.property_unset("dialect")


def checked() -> set[str]:
    """Press Check and return the codes of what it found."""
    bpy.ops.omi_joint.check()
    return set(issues())


def test_check_speaks_of_the_readers_of_a_scene(tmp_path: Path) -> None:
    """A one-sided door is said for omi-godot, its motor for Babylon, neither by default."""
    door(replace(hinge(0), drives=(MOTOR,)))
    export(tmp_path / "door.glb")
    usual = set(issues())
    assert not [code for code in usual if code.startswith("babylon-")]
    assert "godot-angular-sign" not in usual
    options().readers = {"BABYLON"}
    babylon = checked()
    assert "babylon-motor-speed" in babylon
    assert not [code for code in babylon if code.startswith("godot-")]
    options().readers = {"BABYLON", "GODOT_OMI"}
    assert checked() >= babylon | {"godot-angular-sign"}
    options().readers = set()
    assert not [code for code in checked() if code.startswith(("babylon-", "godot-"))]


def test_a_gltf_file_is_not_judged_for_readers_of_stages(tmp_path: Path) -> None:
    """Check speaks of Newton, which the scene is for; an export of glTF, which it reads not, no."""
    settings = hinge(0, 0.0, 1.0)
    soft = [replace(one, stiffness=30.0) if one.min != one.max else one for one in settings.limits]
    door(replace(settings, limits=tuple(soft)))
    options().readers = {"NEWTON"}
    assert any(code.startswith("newton-") for code in checked())
    export(tmp_path / "door.glb")
    assert not any(code.startswith("newton-") for code in issues())


def test_godot_without_an_add_on_is_one_sentence() -> None:
    """Whoever has no add-on is told once, and where the cure is."""
    door()
    options().readers = {"GODOT_PLAIN"}
    assert checked() == {"godot-no-joints"}


def test_a_scene_for_omi_godot_alone_is_written_for_it(tmp_path: Path) -> None:
    """What suits one reader is written where nobody else reads; a choice of one's own counts."""
    door()
    for readers, written in (({"GODOT_OMI"}, True), ({"GODOT_OMI", "BABYLON"}, False)):
        options().readers = readers
        gltf = export(tmp_path / "door.glb")
        assert (gltf.get("extras", {}).get("physics_target") == "godot") is written
        assert (KHR in gltf["extensionsUsed"]) is not written
    options().target = "GODOT"
    assert "reader-misled" in checked()
    options().readers = {"GODOT_OMI"}
    assert "reader-misled" not in checked()
    options().target = "SPECIFIED"
    assert "extras" not in export(tmp_path / "door.glb")


@pytest.mark.parametrize(
    ("chosen", "there"),
    [("BOTH", {OMI, KHR}), ("OMI", {OMI}), ("KHR", {KHR})],
)
def test_new_scenes_follow_the_preferences(
    preferences: Any, tmp_path: Path, chosen: str, there: set[str]
) -> None:
    """Extensions of a scene that has chosen nothing are those of the preferences."""
    preferences.dialect = chosen
    door()
    assert set(export(tmp_path / "door.glb")["extensionsUsed"]) & {OMI, KHR} == there
    scene = bpy.data.scenes.new("Another")
    assert scene.omi_physics_joint.dialect == "PREFERENCES"


def test_a_scene_that_has_chosen_does_not_follow(preferences: Any, tmp_path: Path) -> None:
    """What a scene says of its extensions counts, whatever the preferences say."""
    preferences.dialect = "KHR"
    door()
    options().dialect = "OMI"
    assert set(export(tmp_path / "door.glb")["extensionsUsed"]) & {OMI, KHR} == {OMI}


def test_the_preferences_may_leave_a_reader_out(preferences: Any) -> None:
    """A reader that cannot read the extensions of the preferences is named."""
    door()
    options().readers = {"BABYLON"}
    assert "reader-deaf" not in checked()
    preferences.dialect = "OMI"
    report = bpy.context.window_manager.omi_physics_joint
    assert is_old(report, bpy.context.scene)
    assert "reader-deaf" in checked()


def test_every_reader_but_the_specification_can_be_chosen() -> None:
    """Each row of the table has a button, and the names are those of the table."""
    field = type(options()).bl_rna.properties["readers"]
    names = {item.identifier: item.name for item in field.enum_items_static}
    assert names == {one.name: PROFILES[one].name for one in Reader if one is not Reader.SPEC}


def test_who_is_chosen_is_said_in_few_words() -> None:
    """The button that leads to the choice says what is chosen."""
    assert readers_in_words(set()) == "As specified"
    assert readers_in_words({"BABYLON"}) == "For Babylon.js"
    assert readers_in_words({"BABYLON", "GODOT"}) == "For 2 readers"


def test_what_files_will_have_is_said_in_few_words(preferences: Any) -> None:
    """Where the scene leaves it to the preferences, or omi-godot overrules it, one line says it."""
    scene = bpy.context.scene
    assert extensions_in_words(scene) == "Files have OMI and Khronos"
    preferences.dialect = "KHR"
    assert extensions_in_words(scene) == "Files have Khronos"
    options().readers = {"GODOT_OMI"}
    assert extensions_in_words(scene) == "Files have OMI"
    options().readers, options().dialect = {"GODOT"}, "OMI"
    assert extensions_in_words(scene) == ""


def test_choices_of_older_files_mean_what_they_meant() -> None:
    """The numbers that files hold of readers, of whom a file is for and of extensions stay."""
    rna = type(options()).bl_rna.properties
    values = {
        name: {item.identifier: item.value for item in rna[name].enum_items_static}
        for name in ("readers", "target", "dialect")
    }
    assert (values["readers"]["GODOT"], values["readers"]["BABYLON"]) == (1, 2)
    assert (values["target"]["SPECIFIED"], values["target"]["GODOT"]) == (0, 1)
    assert [values["dialect"][one] for one in ("BOTH", "OMI", "KHR")] == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "value"), [("readers", {"UNITY"}), ("target", "GODOT"), ("dialect", "KHR")]
)
def test_results_for_other_readers_are_old(name: str, value: object) -> None:
    """What was found for Godot is no answer for Unity, nor for another file."""
    door()
    bpy.ops.omi_joint.check()
    report = bpy.context.window_manager.omi_physics_joint
    assert not is_old(report, bpy.context.scene)
    setattr(options(), name, value)
    assert is_old(report, bpy.context.scene)


@pytest.mark.parametrize("target", ["SPECIFIED", "GODOT"])
def test_an_import_leaves_the_choices_of_a_scene(target: str, tmp_path: Path) -> None:
    """Only what is for Godot says so; all else that the user has chosen stays as it was."""

    def chosen() -> dict[str, object]:
        named = options().bl_rna.properties.keys()
        return {name: getattr(options(), name) for name in named if name not in {"unknown"}}

    door(hinge(1))
    options().target = target
    export(tmp_path / "door.glb")
    bpy.ops.wm.read_homefile(use_empty=True)
    before = chosen()
    import_file(tmp_path / "door.glb")
    assert chosen() == before | ({"target": "GODOT"} if target == "GODOT" else {})
