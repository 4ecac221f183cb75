# SPDX-License-Identifier: GPL-3.0-or-later
"""What a .blend wants and does not get is a loss: said, and refused by strict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import pytest
from omi_export import export, issues, textured
from scenes import door

from omi_physics_joint.blender.purpose.missing import missing
from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.outcome import REFUSED

Captured = pytest.CaptureFixture[str]
PYTHON = "len(str(123456)) * 1.0"


def saved(path: Path) -> Path:
    """Save the scene."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


@pytest.fixture
def driven(tmp_path: Path) -> Path:
    """A door whose height a driver leads that needs Python; another one needs none."""
    leaf = door()[1]
    for axis, text in ((2, PYTHON), (0, "1 + 2")):
        driver = leaf.driver_add("location", axis).driver
        driver.type, driver.expression = "SCRIPTED", text
    return saved(tmp_path / "driven.blend")


@pytest.fixture
def painted(tmp_path: Path) -> Path:
    """A door with an image that is not there, and one that is there but in no file."""
    image = bpy.data.images.new("Paint", 4, 4)
    image.filepath, image.source = "//gone.png", "FILE"
    textured(door()[1], image)
    return saved(tmp_path / "painted.blend")


def said(words: list[object], capfd: Captured) -> dict[str, Any]:
    """Return what a command reports of its only file."""
    capfd.readouterr()
    code = main([*map(str, words), "--json"])
    out = capfd.readouterr().out
    report: dict[str, Any] = json.loads(out[out.index("{\n") :])
    assert report["code"] == code
    assert report["versions"]["blender"] == bpy.app.version_string
    file: dict[str, Any] = report["files"][0]
    return file


def losses(file: dict[str, Any]) -> set[str]:
    """Return the codes of what is lost."""
    return {one["code"] for one in file["issues"] if one["loss"]}


@pytest.mark.parametrize("name", ["driven", "painted"])
def test_what_a_file_lacks_is_a_loss(
    name: str, request: pytest.FixtureRequest, tmp_path: Path, capfd: Captured
) -> None:
    """It is said by check and export, written where nobody minds, and refused by strict."""
    path, code = (
        request.getfixturevalue(name),
        {"driven": "driver-not-run"}.get(name, "image-missing"),
    )
    output = path.with_suffix(".glb")
    strict = said(["export", path, "--strict"], capfd)
    assert (strict["code"], strict["error"], strict["output"]) == (1, REFUSED, "")
    assert not output.exists()
    assert losses(said(["check", path], capfd)) == {code}
    assert said(["check", path, "--fail-on", "loss"], capfd)["code"] == 1
    lenient = said(["export", path], capfd)
    assert (lenient["code"], losses(lenient)) == (0, {code})
    assert (lenient["bodies"], lenient["joints"], lenient["bytes"]) == (2, 1, output.stat().st_size)
    output.unlink()
    ignoring = said(["export", path, "--strict", "--ignore", code], capfd)
    assert (ignoring["code"], losses(ignoring)) == (0, set())
    assert output.exists()


def test_python_runs_where_blender_was_told_so(driven: Path, capfd: Captured) -> None:
    """As with ``blender -y``: the driver leads, and nothing is lost. Otherwise it stays off."""
    for allowed in (True, False):
        bpy.ops.wm.open_mainfile(filepath=str(driven), use_scripts=allowed)
        found = losses(said(["export", driven, "--strict"], capfd))
        assert found == (set() if allowed else {"driver-not-run"})
        height = bpy.data.objects["Door"].location.z
        assert (height == 6.0) is allowed


def test_a_reader_on_the_command_line_counts_for_blend_files(
    tmp_path: Path, capfd: Captured
) -> None:
    """Of whom the file speaks is not spoken of; nobody at all can be asked for."""
    door(direction="GLOBAL_Y")  # it falls onto its stop, where it bounces in Godot
    path = saved(tmp_path / "door.blend")
    for command in ("check", "export"):
        for reader, begins in (("unity", "unity-"), ("spec", ""), ("", "godot-")):
            words = [command, path, *(["--reader", reader] if reader else [])]
            codes = {one["code"] for one in said(words, capfd)["issues"]}
            about = {"unity-", "godot-", "babylon-"} - {begins}
            assert not [code for code in codes if code.startswith(tuple(about))]
            if begins and (begins != "godot-" or command == "export"):  # rebounds: where it goes
                assert [code for code in codes if code.startswith(begins)]


def test_quiet_keeps_what_blender_prints_away(tmp_path: Path, capfd: Captured) -> None:
    """Only the name of the file that was written is printed."""
    door()
    path = saved(tmp_path / "door.blend")
    capfd.readouterr()
    assert main(["export", str(path), "--quiet"]) == 0
    out, err = capfd.readouterr()
    assert (out.strip().splitlines()[-1], err) == (str(path.with_suffix(".glb")), "")


@pytest.mark.parametrize("is_alone", [True, False])
def test_an_image_that_lacks_in_another_scene_is_said_where_that_is_written(
    is_alone: bool, painted: Path, tmp_path: Path
) -> None:
    """Where only the active scene is written nothing of it is lost."""
    bpy.ops.wm.open_mainfile(filepath=str(painted))
    bpy.context.window.scene = bpy.data.scenes.new("Other")
    export(tmp_path / "one.glb", use_active_scene=is_alone)
    assert ("image-missing" in issues()) is not is_alone


def test_an_issue_is_printed_once(painted: Path, capfd: Captured) -> None:
    """Blender's side says it in its own log; the command does not say it again."""
    capfd.readouterr()
    assert main(["export", str(painted)]) == 0
    err = capfd.readouterr().err
    assert err.count("warning: Paint: The image //gone.png is not there") == 1


def gone(name: str = "Gone") -> bpy.types.Image:
    """Return an image whose file is not there."""
    image = bpy.data.images.new(name, 4, 4)
    image.filepath, image.source = "//gone.png", "FILE"
    return image


def found() -> list[str]:
    """Return what the scene wants and does not get."""
    return [one.code for one in missing([bpy.context.scene])]


def test_images_count_where_files_would_have_them() -> None:
    """In groups of nodes too; not unconnected, packed, or in what no object of the scene has."""
    leaf = door()[1]
    textured(leaf)
    assert found() == []
    picture = next(iter(leaf.data.materials[0].node_tree.nodes.values()[::-1]))
    picture.image = gone()
    assert found() == ["image-missing"]
    leaf.data.materials.clear()
    assert found() == []
    other = bpy.data.materials.new("Grouped")
    if other.node_tree is None:
        other.use_nodes = True
    group = bpy.data.node_groups.new("Group", "ShaderNodeTree")
    inner = group.nodes.new("ShaderNodeTexImage")
    inner.image = gone("Inner")
    other.node_tree.nodes.new("ShaderNodeGroup").node_tree = group
    leaf.data.materials.append(other)
    assert found() == []
    group.links.new(inner.outputs[0], group.nodes.new("ShaderNodeInvert").inputs[1])
    assert found() == ["image-missing"]


def test_an_image_of_a_linked_object_lies_beside_its_library(tmp_path: Path) -> None:
    """Its path counts from there, and not from the file that links it."""
    for folder in ("library", "shots"):
        (tmp_path / folder).mkdir()
    textured(door()[1], gone())
    library = saved(tmp_path / "library/door.blend")
    bpy.ops.wm.read_homefile(use_empty=True)
    saved(tmp_path / "shots/shot.blend")
    with bpy.data.libraries.load(str(library), link=True) as (source, target):
        target.objects = list(source.objects)
    for obj in target.objects:
        bpy.context.scene.collection.objects.link(obj)
    assert found() == ["image-missing"]
    (library.parent / "gone.png").touch()
    assert found() == []


def test_drivers_of_materials_and_settings_are_drivers_too() -> None:
    """Whatever data-block they are of; one that fails for another reason is said as well."""
    leaf = door()[1]
    textured(leaf)
    tree = leaf.data.materials[0].node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    driver = shader.inputs["Metallic"].driver_add("default_value").driver
    driver.type, driver.expression = "SCRIPTED", "0.5"
    bpy.context.view_layer.update()
    assert found() == []
    driver.expression = "nobody + 1"
    bpy.context.view_layer.update()
    assert found() == ["driver-not-run"]


def test_a_muted_driver_is_not_missed() -> None:
    """Whoever muted a driver wants it not to run, whether it could or not."""
    curve = door()[1].driver_add("location", 2)
    curve.driver.type, curve.driver.expression = "SCRIPTED", "nobody + 1"
    bpy.context.view_layer.update()
    assert found() == ["driver-not-run"]
    curve.mute = True
    assert found() == []


@pytest.mark.parametrize("ending", ["glb", "urdf"])
def test_physics_that_was_switched_off_once_is_a_loss(
    ending: str, tmp_path: Path, capfd: Captured
) -> None:
    """A file of a night without joints looks as sound as any; a scene without physics is sound."""
    options = bpy.context.scene.omi_physics_joint
    options.use_export = False
    lamps = saved(tmp_path / "lamps.blend")
    door()
    path = saved(tmp_path / "door.blend")
    words = ["export", path, "--format", ending]
    strict = said([*words, "--strict"], capfd)
    assert (strict["code"], strict["error"], strict["output"]) == (1, REFUSED, "")
    assert not path.with_suffix(f".{ending}").exists()
    lenient = said(words, capfd)
    assert (lenient["code"], losses(lenient), lenient["joints"]) == (0, {"left-out-of-export"}, 0)
    ignoring = said([*words, "--strict", "--ignore", "left-out-of-export"], capfd)
    assert (ignoring["code"], ignoring["joints"]) == (0, 0)
    assert not losses(said(["export", lamps, "--strict", "--format", ending], capfd))
