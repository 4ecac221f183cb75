# SPDX-License-Identifier: GPL-3.0-or-later
"""What a .blend says costs at most itself: it leads nowhere, and damaged parts end in an issue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import bpy
import pytest
from omi_export import textured
from scenes import door

from omi_physics_joint.cli.command import main

Captured = pytest.CaptureFixture[str]


def picture(name: str, color: float = 0.0, size: int = 4) -> bpy.types.Image:
    """Return a packed image of one grey."""
    image = bpy.data.images.new(name, size, size)
    image.pixels = [color, color, color, 1.0] * (size * size)
    image.pack()
    return image


def saved(path: Path, *images: bpy.types.Image, **settings: Any) -> Path:
    """Save the scene with a painted door and with these export settings."""
    leaf = door()[1]
    for image in images:
        textured(leaf, image)
    if settings:
        bpy.context.scene["glTF2ExportSettings"] = settings
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def names(folder: Path) -> set[str]:
    """Return all files below a folder, by their path in it."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def pictures_of(path: Path) -> list[bytes]:
    """Return the pictures that a .gltf shows."""
    gltf = json.loads(path.read_text())
    return [(path.parent / unquote(image["uri"])).read_bytes() for image in gltf["images"]]


def report(words: list[str], capfd: Captured) -> list[dict[str, Any]]:
    """Export and return what is said of each file."""
    return printed(["export", "--json", "--format", "gltf", *words], capfd)


def printed(words: list[str], capfd: Captured) -> list[dict[str, Any]]:
    """Run a command and return what it prints of each file, after what Blender prints."""
    capfd.readouterr()
    main(words)
    out = capfd.readouterr().out
    files: list[dict[str, Any]] = json.loads(out[out.index("{\n") :])["files"]
    return files


def two_paintings(folder: Path, first: float, second: float) -> list[str]:
    """Return two scenes, each with an image "Wood" of its own."""
    paths = []
    for name, color in (("one", first), ("two", second)):
        bpy.ops.wm.read_homefile(use_empty=True)
        paths.append(str(saved(folder / f"{name}.blend", picture("Wood", color))))
    return paths


@pytest.mark.parametrize("strict", ["--strict", "--no-strict"])
def test_pictures_of_one_name_are_put_apart(strict: str, tmp_path: Path, capfd: Captured) -> None:
    """Each file of a batch keeps its own picture, it is said, and a second run changes nothing."""
    paths, out = two_paintings(tmp_path, 0.1, 0.9), tmp_path / "out"
    for _ in range(2):
        one, two = report([*paths, strict, "--output-dir", str(out)], capfd)
        assert (one["code"], two["code"]) == (0, 0)
        assert "picture-put-apart" in {issue["code"] for issue in two["issues"]}
        assert names(out) == {
            *("one.gltf", "one.bin", "two.gltf", "two.bin"),
            *("Wood.png", "Wood-1.png"),
        }
        (first,), (second,) = (pictures_of(out / f"{name}.gltf") for name in ("one", "two"))
        assert first != second


def test_pictures_are_put_apart_where_they_lie(tmp_path: Path, capfd: Captured) -> None:
    """Also in a folder of their own, whose name they keep."""
    for name, color in (("one", 0.1), ("two", 0.9)):
        bpy.ops.wm.read_homefile(use_empty=True)
        image = picture("Wood", color)
        saved(tmp_path / f"{name}.blend", image, export_texture_dir="my textures")
    report([str(tmp_path), "--output-dir", str(tmp_path / "out")], capfd)
    found = names(tmp_path / "out")
    assert {"my textures/Wood.png", "my textures/Wood-1.png"} <= found
    (first,), (second,) = (pictures_of(tmp_path / f"out/{name}.gltf") for name in ("one", "two"))
    assert first != second


def test_a_picture_named_like_a_path_is_one_file(tmp_path: Path, capfd: Captured) -> None:
    """Beside its document, by the same name but for what leads elsewhere."""
    path = saved(tmp_path / "one.blend", picture("../a/b\\c"))
    report([str(path), "--output-dir", str(tmp_path / "out")], capfd)
    assert names(tmp_path / "out") == {"one.gltf", "one.bin", ".._a_b_c.png"}


def test_equal_pictures_are_shared(tmp_path: Path, capfd: Captured) -> None:
    """The same picture under the same name is one file; one that changes is not the other's."""
    paths, out = two_paintings(tmp_path, 0.4, 0.4), tmp_path / "out"
    for one in report([*paths, "--output-dir", str(out)], capfd):
        assert "picture-put-apart" not in {issue["code"] for issue in one["issues"]}
    assert "Wood.png" in names(out)
    assert "Wood-1.png" not in names(out)
    before = pictures_of(out / "one.gltf")
    bpy.ops.wm.open_mainfile(filepath=paths[1])
    bpy.data.images["Wood"].scale(8, 8)
    bpy.data.images["Wood"].pack()
    bpy.ops.wm.save_mainfile()
    report([paths[1], "--output-dir", str(out)], capfd)
    assert pictures_of(out / "one.gltf") == before
    assert pictures_of(out / "two.gltf") != before


def test_a_picture_that_changes_is_replaced(tmp_path: Path, capfd: Captured) -> None:
    """Where nobody else uses the old picture, the new one takes its name."""
    path = saved(tmp_path / "one.blend", picture("Wood", 0.2))
    report([str(path)], capfd)
    before = pictures_of(tmp_path / "one.gltf")
    bpy.ops.wm.open_mainfile(filepath=str(path))
    bpy.data.images["Wood"].scale(8, 8)
    bpy.data.images["Wood"].pack()
    bpy.ops.wm.save_mainfile()
    report([str(path)], capfd)
    assert "Wood-1.png" not in names(tmp_path)
    assert pictures_of(tmp_path / "one.gltf") != before


def test_a_source_picture_is_not_written_over(tmp_path: Path, capfd: Captured) -> None:
    """The artist's own file beside the .blend stays, whatever the export makes of the image."""
    source = tmp_path / "Wood.png"
    image = picture("Wood", 0.3)
    image.filepath_raw, image.file_format = str(source), "PNG"
    image.save()
    path = saved(tmp_path / "one.blend", image, export_image_format="AUTO")
    bpy.data.images["Wood"].scale(8, 8)
    bpy.data.images["Wood"].pack()
    bpy.ops.wm.save_mainfile()
    before = source.read_bytes()
    report([str(path)], capfd)
    assert source.read_bytes() == before
    assert pictures_of(tmp_path / "one.gltf") != [before]


@pytest.mark.parametrize("place", ["../../../x", "/tmp/omi_escaped", "link", "in/../../x"])
def test_pictures_stay_in_the_output_folder(place: str, tmp_path: Path, capfd: Captured) -> None:
    """A saved folder for pictures that leads elsewhere does not count, and it is said."""
    out = tmp_path / "deep" / "er" / "out"
    (tmp_path / "elsewhere").mkdir()
    out.mkdir(parents=True)
    (out / "link").symlink_to(tmp_path / "elsewhere")
    path = saved(tmp_path / "a.blend", picture("Wood"), export_texture_dir=place)
    (one,) = report([str(path), "--strict", "--output-dir", str(out)], capfd)
    (issue,) = [one for one in one["issues"] if one["code"] == "export-setting-not-used"]
    assert "leads out of the folder" in issue["message"]
    assert names(tmp_path) == {
        "a.blend",
        *(f"deep/er/out/{name}" for name in ("a.gltf", "a.bin", "Wood.png")),
    }


def test_pictures_in_a_folder_below_are_fine(tmp_path: Path, capfd: Captured) -> None:
    """A saved folder inside the output folder is used."""
    path = saved(tmp_path / "a.blend", picture("Wood"), export_texture_dir="textures")
    report([str(path)], capfd)
    assert "textures/Wood.png" in names(tmp_path)


@pytest.mark.parametrize("name", ["../../x", "/tmp/omi_escaped", "folder/Wood", "..\\x"])
@pytest.mark.parametrize("use_export", [True, False])
def test_images_named_like_paths_lead_nowhere(
    name: str, use_export: bool, tmp_path: Path, capfd: Captured
) -> None:
    """The picture lies beside the file, also without joints, and the image keeps its name."""
    bpy.context.scene.omi_physics_joint.use_export = use_export
    out = tmp_path / "deep" / "out"
    path = saved(tmp_path / "a.blend", picture(name))
    report([str(path), "--output-dir", str(out)], capfd)
    made = names(tmp_path) - {"a.blend", "deep/out/a.gltf", "deep/out/a.bin"}
    (only,) = made
    assert only.startswith("deep/out/")
    assert only.count("/") == 2
    assert len(pictures_of(out / "a.gltf")) == 1
    assert name in bpy.data.images
    assert not Path("/tmp/omi_escaped.png").exists()


@pytest.mark.parametrize(
    "settings",
    [
        {"export_image_format": "NOPE"},
        {"export_texture_dir": 7},
        {"export_image_quality": "best"},
        {"export_yup": {"not": "this"}},
    ],
)
def test_settings_that_this_blender_lacks_cost_only_themselves(
    settings: dict[str, Any], tmp_path: Path, capfd: Captured
) -> None:
    """A warning names the setting, and the file is exported with the default."""
    path = saved(tmp_path / "a.blend", **settings)
    (one,) = report([str(path), "--strict"], capfd)
    assert one["code"] == 0
    assert "export-setting-not-used" in {issue["code"] for issue in one["issues"]}
    assert (tmp_path / "a.gltf").is_file()


def test_settings_that_are_no_choices_are_passed_over(tmp_path: Path, capfd: Captured) -> None:
    """A saved file path or an unknown name says nothing, nor do settings that are no group."""
    other = tmp_path / "other.gltf"
    path = saved(tmp_path / "a.blend", filepath=str(other), gltf_export_id="x", nonsense=1)
    (one,) = report([str(path)], capfd)
    assert one["output"] == str(tmp_path / "a.gltf")
    assert not other.exists()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    bpy.context.scene["glTF2ExportSettings"] = "text"
    bpy.ops.wm.save_mainfile()
    (one,) = report([str(path)], capfd)
    assert one["code"] == 0
    assert main(["check", str(path)]) == 0


@pytest.mark.parametrize("text", ["{", "7", "[1e999]", "[" * 100000])
def test_damaged_drives_cost_only_themselves(text: str, tmp_path: Path, capfd: Captured) -> None:
    """Drives of unknown kinds that cannot be read are an error of their joint, not a traceback."""
    path = saved(tmp_path / "a.blend")
    bpy.data.objects["Door Hinge"].omi_physics_joint.settings.foreign_drives = text
    bpy.ops.wm.save_mainfile()
    (one,) = printed(["check", "--json", str(path)], capfd)
    assert [issue["code"] for issue in one["issues"] if issue["severity"] == "error"] == [
        "settings-damaged"
    ]
    (one,) = report([str(path), "--no-strict"], capfd)
    gltf = json.loads((tmp_path / "a.gltf").read_text())
    assert len(gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]) == 1


@pytest.mark.parametrize("name", ["Frame", "Door"])
@pytest.mark.parametrize("scale", [(1.0, 1.0, 1e-20), (1e-20, 1e-20, 1.0), (1e-20,) * 3])
def test_a_body_scaled_to_almost_nothing_is_named(
    name: str, scale: tuple[float, float, float], tmp_path: Path, capfd: Captured
) -> None:
    """The frame that cannot be placed is an error; the rest of the physics is in the file."""
    door()
    body = bpy.data.objects[name]
    body.rotation_euler = (0.1, 0.2, 0.3)
    body.scale = scale
    path = tmp_path / "a.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    (one,) = report([str(path), "--no-strict"], capfd)
    assert "could not be exported" not in one["error"]
    assert "OMI_physics_body" in (tmp_path / "a.gltf").read_text()
