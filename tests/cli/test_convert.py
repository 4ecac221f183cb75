# SPDX-License-Identifier: GPL-3.0-or-later
"""``convert`` on files: containers, buffers, images, places, and how it ends."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest
from omi_documents import door, glb, keyed_door

from omi_physics_joint.cli.command import main
from omi_physics_joint.gltf.document.files import load

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(9))
POINTS = bytes(range(36))


def scene() -> dict[str, Any]:
    """Return the door with a buffer of 36 bytes, and an image."""
    gltf = door()
    gltf["buffers"] = [{"byteLength": 36, "uri": "the%20points.bin", "name": "Points"}]
    gltf["bufferViews"] = [{"buffer": 0, "byteLength": 24, "byteOffset": 12}]
    gltf["accessors"] = [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 2}]
    gltf["images"] = [{"uri": "textures/wood.png", "name": "Wood"}]
    return gltf


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A .gltf file with a buffer and an image beside it."""
    folder = tmp_path / "in"
    (folder / "textures").mkdir(parents=True)
    (folder / "the points.bin").write_bytes(POINTS + b"more")
    (folder / "textures/wood.png").write_bytes(PNG)
    (folder / "door.gltf").write_text(json.dumps(scene()))
    return folder / "door.gltf"


def content(path: Path, view: int) -> bytes:
    """Return the bytes of a buffer view of a .glb file."""
    document: Any = load(path)
    its = document.json["bufferViews"][view]
    start = its.get("byteOffset", 0)
    assert its["buffer"] == 0
    assert start + its["byteLength"] <= document.json["buffers"][0]["byteLength"]
    found: bytes = document.binary[start : start + its["byteLength"]]
    return found


def test_gltf_becomes_glb(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Buffers and images are inside, and everything else is as it was."""
    output = tmp_path / "new folder/door.glb"
    assert main(["convert", str(source), str(output)]) == 0
    assert capsys.readouterr() == (f"{output}\n", "")
    document: Any = load(output)
    assert content(output, 0) == POINTS[12:]
    assert document.json["images"] == [{"name": "Wood", "mimeType": "image/png", "bufferView": 1}]
    assert content(output, 1) == PNG
    assert document.json["buffers"][0]["name"] == "Points"
    assert document.json["accessors"] == scene()["accessors"]
    assert {"OMI_physics_joint", "KHR_physics_rigid_bodies"} <= set(document.json["extensionsUsed"])
    assert os.listdir(output.parent) == ["door.glb"]
    assert len(output.read_bytes()) % 4 == 0


def test_glb_becomes_gltf(source: Path, tmp_path: Path) -> None:
    """What was inside is a file beside it; there and back it is the same."""
    binary, text, again = (tmp_path / name for name in ("a.glb", "out/b.gltf", "c.glb"))
    for one, other in ((source, binary), (binary, text), (text, again)):
        assert main(["convert", str(one), str(other), "--dialect", "omi"]) == 0
    document: Any = load(text)
    assert document.json["buffers"][0]["uri"] == "b.bin"
    assert (tmp_path / "out/b.bin").stat().st_size == document.json["buffers"][0]["byteLength"]
    assert sorted(os.listdir(text.parent)) == ["b.bin", "b.gltf"]
    assert again.read_bytes() == binary.read_bytes()


def test_files_go_along_to_another_folder(source: Path, tmp_path: Path) -> None:
    """A .gltf in another folder has copies of what it names; in the same one the same files."""
    there, here = tmp_path / "out/door.gltf", source.with_name("other.gltf")
    for output in (there, here):
        assert main(["convert", str(source), str(output), "--dialect", "khr"]) == 0
        document: Any = load(output)
        assert document.json["buffers"] == scene()["buffers"]
        assert document.json["images"] == scene()["images"]
    assert (there.parent / "textures/wood.png").read_bytes() == PNG
    assert (there.parent / "the points.bin").read_bytes() == POINTS + b"more"


def test_several_buffers_become_one(tmp_path: Path) -> None:
    """Views lead to where their data is then, also those in extensions; what is empty stays."""
    gltf = door()
    data = base64.b64encode(b"abcde").decode()
    gltf["buffers"] = [
        {"byteLength": 36, "uri": "a.bin"},
        {"byteLength": 8, "extensions": {"EXT_meshopt_compression": {"fallback": True}}},
        {"byteLength": 5, "uri": f"data:application/octet-stream;base64,{data}"},
    ]
    packed = {"EXT_meshopt_compression": {"buffer": 2, "byteOffset": 1, "byteLength": 4}}
    gltf["bufferViews"] = [
        {"buffer": 0, "byteLength": 36},
        {"buffer": 2, "byteLength": 4, "byteOffset": 1},
        {"buffer": 1, "byteLength": 8, "extensions": packed},
    ]
    (tmp_path / "a.bin").write_bytes(POINTS)
    source, output = tmp_path / "a.gltf", tmp_path / "a.glb"
    source.write_text(json.dumps(gltf))
    assert main(["convert", str(source), str(output)]) == 0
    document: Any = load(output)
    assert document.json["buffers"] == [{"byteLength": 45}, gltf["buffers"][1]]
    assert content(output, 0) == POINTS
    assert content(output, 1) == b"bcde"
    assert document.json["bufferViews"][2]["buffer"] == 1
    moved = document.json["bufferViews"][2]["extensions"]["EXT_meshopt_compression"]
    assert moved == {"buffer": 0, "byteOffset": 41, "byteLength": 4}


def test_an_image_alone_makes_a_buffer(tmp_path: Path) -> None:
    """A document without buffers gets one for it."""
    source, output = tmp_path / "a.gltf", tmp_path / "a.glb"
    source.write_text(json.dumps(door() | {"images": [{"uri": "a.png"}]}))
    (tmp_path / "a.png").write_bytes(PNG)
    assert main(["convert", str(source), str(output)]) == 0
    assert content(output, 0) == PNG


def test_animated_settings_go_along(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their channels lead to where the number is now, in each dialect, with the same sampler."""
    gltf = keyed_door()
    first, second, third = (tmp_path / name for name in ("a.gltf", "b.gltf", "c.gltf"))
    first.write_text(json.dumps(gltf))
    found = {}
    for source, output, dialect in ((first, second, "khr"), (second, third, "both")):
        assert main(["convert", str(source), str(output), "--dialect", dialect]) == 0
        document: Any = load(output)
        (animation,) = document.json["animations"]
        assert {channel["sampler"] for channel in animation["channels"]} == {0}
        found[dialect] = {
            channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"]
            for channel in animation["channels"]
        }
        assert document.json["accessors"] == gltf["accessors"]
    omi, khr = (
        f"/extensions/{name}/physicsJoints/0/limits/2/max"
        for name in ("OMI_physics_joint", "KHR_physics_rigid_bodies")
    )
    assert found == {"khr": {khr}, "both": {khr, omi}}
    assert capsys.readouterr().err == ""


def test_numbers_and_letters_stay(tmp_path: Path) -> None:
    """Not a digit changes of what is no physics, nor half a character."""
    gltf = door()
    gltf["extras"] = {
        "n": [1.0, 1, 1e-07, 0.1, 10**30, -0.0],
        "s": "\u00e9\U0001f6aa",
        "h": "\ud800",
    }
    source, output = tmp_path / "a.gltf", tmp_path / "b.gltf"
    source.write_text(json.dumps(gltf))
    assert main(["convert", str(source), str(output)]) == 0
    assert json.dumps(load(output).json["extras"]) == json.dumps(gltf["extras"])


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"buffers": [{"byteLength": 4, "uri": "none.bin"}]}, "there is no such file"),
        ({"buffers": [{"byteLength": 4, "uri": "../up.bin"}]}, "outside of the folder"),
        ({"buffers": [{"byteLength": 4, "uri": "https://x.org/a.bin"}]}, "is not fetched"),
        ({"buffers": [{"byteLength": 99, "uri": "short.bin"}]}, "is cut off"),
        ({"buffers": [{"uri": "short.bin"}]}, "does not say its byteLength"),
        ({"images": [{"uri": "short.bin"}]}, "of a kind that is not known"),
        ({"images": {}}, "must be an array"),
        ({"extras": {"n": float("nan")}}, "a number that JSON cannot hold"),
    ],
)
def test_what_cannot_go_along_is_said(
    tmp_path: Path, members: dict[str, Any], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, exit code 2, and nothing is written."""
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "up.bin").write_bytes(b"1234")
    (folder / "short.bin").write_bytes(b"1234")
    (folder / "a.gltf").write_text(json.dumps(door() | members))
    output = tmp_path / "out.glb"
    assert main(["convert", str(folder / "a.gltf"), str(output)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert reason in err
    assert len(err.splitlines()) == 1
    assert not output.exists()


def test_an_input_is_written_over_on_demand_only(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither the file itself nor one that it names, whatever path leads there."""
    named_too = scene()
    named_too["extensions"]["EXT_of_others"] = {"uri": "far.glb"}
    source.write_text(json.dumps(named_too))
    before = source.read_bytes()
    link, named = source.with_name("link.gltf"), source.with_name("far.glb")
    link.symlink_to(source)
    named.write_bytes(b"far")
    for output in (source, link, named):
        assert main(["convert", str(source), str(output)]) == 3
        assert "a file that is read: with overwrite" in capsys.readouterr().err
        assert (source.read_bytes(), named.read_bytes()) == (before, b"far")
    assert main(["convert", "--overwrite", str(source), str(source)]) == 0
    document: Any = load(source)
    assert "KHR_physics_rigid_bodies" in document.json["extensionsUsed"]
    assert document.json["buffers"] == scene()["buffers"]


def test_files_of_others_are_left_alone(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What lies where a buffer would go stays, unless it belongs to the older output."""
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "the points.bin").write_bytes(b"mine")
    words = ["convert", str(source), str(folder / "door.gltf")]
    assert main(words) == 3
    assert "is there already" in capsys.readouterr().err
    assert os.listdir(folder) == ["the points.bin"]
    assert main([*words, "--overwrite"]) == 0
    (source.parent / "the points.bin").write_bytes(POINTS[::-1])
    assert main(words) == 0
    assert (folder / "the points.bin").read_bytes() == POINTS[::-1]


def test_issues_and_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Errors of the input end with 1; with --strict nothing is written then."""
    gltf = door()
    gltf["nodes"][3]["extensions"]["OMI_physics_joint"]["joint"] = 5
    source, output = tmp_path / "a.gltf", tmp_path / "a.glb"
    source.write_text(json.dumps(gltf))
    assert main(["convert", "--strict", str(source), str(output)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: /nodes/3")
    assert not output.exists()
    assert main(["convert", "--json", str(source), str(output)]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["command"], report["code"], report["output"]) == ("convert", 1, str(output))
    assert report["issues"][0]["code"] == "index-out-of-range"
    assert output.exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("scene.blend", "a.glb"), "written by export"),
        (("a.obj", "a.glb"), "Only .gltf, .glb, .usda"),
        (("a.urdf.xacro", "a.glb"), "run xacro on it"),
        (("a.srdf", "a.glb"), "give the .urdf beside it"),
        (("none.gltf", "a.glb"), "no such file"),
        (("door.glb", "a.txt"), "must be named .gltf, .glb, .usda"),
        (("door.glb", "door.glb/a.glb"), "is no folder"),
    ],
)
def test_what_cannot_be_converted_ends_with_3(
    tmp_path: Path, words: tuple[str, str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence says what is wrong."""
    (tmp_path / "door.glb").write_bytes(glb(door()))
    assert main(["convert", *(str(tmp_path / word) for word in words)]) == 3
    assert reason in capsys.readouterr().err


def test_omi_gets_the_centre_that_a_file_leaves_to_its_colliders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bar as collider of a child whose body has its origin at one end; Khronos' stays open."""
    khr, shape = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
    bar = {"type": "box", "box": {"size": [0.8, 0.1, 0.1]}}
    collider = {"collider": {"geometry": {"shape": 0}}}
    gltf = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "extensionsUsed": [khr, shape],
        "extensions": {shape: {"shapes": [bar]}},
        "nodes": [
            {"children": [1], "extensions": {khr: {"motion": {"mass": 1.0}}}},
            {"translation": [0.4, 0.0, 0.0], "extensions": {khr: collider}},
        ],
    }
    first, second, third = (tmp_path / f"{name}.gltf" for name in ("khr", "both", "omi"))
    first.write_text(json.dumps(gltf))
    assert main(["convert", str(first), str(second)]) == 0
    assert main(["convert", str(second), str(third), "--dialect", "omi"]) == 0
    assert capsys.readouterr().err == ""
    for path, dialects in ((second, {khr, "OMI_physics_body"}), (third, {"OMI_physics_body"})):
        said = json.loads(path.read_text())["nodes"][0]["extensions"]
        assert set(said) == dialects
        assert said["OMI_physics_body"]["motion"]["centerOfMass"] == [0.4, 0.0, 0.0]
        assert "centerOfMass" not in said.get(khr, {}).get("motion", {})
