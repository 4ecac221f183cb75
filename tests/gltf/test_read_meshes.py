# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of meshes, whatever the form in which a file has them."""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable
from math import nan
from pathlib import Path
from typing import Any, cast

import pytest

from omi_physics_joint import check
from omi_physics_joint.gltf.document.files import Document, load
from omi_physics_joint.gltf.document.json_text import text_of
from omi_physics_joint.gltf.source import MANY, MeshReader

SQUARE = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]


def document(tmp_path: Path, indices: list[int] | None, **primitive: Any) -> Document:
    """Return a document with one mesh of the corners of a square."""
    data = b"".join(struct.pack("<3f", *point) for point in SQUARE)
    words = struct.pack(f"<{len(indices or ())}H", *(indices or ()))
    uri = "data:application/octet-stream;base64," + base64.b64encode(data + words).decode()
    attributes: dict[str, Any] = {"attributes": {"POSITION": 0}, **primitive}
    if indices is not None:
        attributes["indices"] = 1
    gltf = {
        "asset": {"version": "2.0"},
        "buffers": [{"uri": uri, "byteLength": len(data) + len(words)}],
        "bufferViews": [
            {"buffer": 0, "byteLength": len(data)},
            {"buffer": 0, "byteOffset": len(data), "byteLength": len(words)},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4},
            {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": len(words) // 2},
        ],
        "meshes": [{"primitives": [attributes, attributes]}],
    }
    path = tmp_path / "mesh.gltf"
    path.write_text(text_of(gltf), encoding="utf-8")
    return load(path)


@pytest.mark.parametrize(
    ("mode", "indices", "triangles"),
    [
        (None, [0, 1, 2, 0, 2, 3], {(0, 1, 2), (0, 2, 3)}),
        (4, [0, 1, 2, 0, 2], {(0, 1, 2)}),
        (5, [0, 1, 3, 2], {(0, 1, 3), (1, 2, 3)}),
        (6, None, {(0, 1, 2), (0, 2, 3)}),
        (1, [0, 1], set()),
    ],
    ids=["triangles", "cut short", "strip", "fan without indices", "lines"],
)
def test_every_mode_gives_triangles_that_look_the_same_way(
    tmp_path: Path, mode: int | None, indices: list[int] | None, triangles: set[tuple[int, ...]]
) -> None:
    """Two primitives make two squares, each with the winding of the first triangle."""
    extra = {} if mode is None else {"mode": mode}
    mesh = MeshReader(document(tmp_path, indices, **extra)).read(0)
    assert mesh is not None
    assert list(mesh.points) == SQUARE * 2
    half = len(mesh.triangles) // 2
    first = {_from_smallest(corners) for corners in mesh.triangles[:half]}
    second = {_from_smallest((a - 4, b - 4, c - 4)) for a, b, c in mesh.triangles[half:]}
    assert first == second == triangles


def _from_smallest(corners: tuple[int, int, int]) -> tuple[int, ...]:
    """Return a triangle as it is named from its smallest index."""
    start = corners.index(min(corners))
    return corners[start:] + corners[:start]


@pytest.mark.parametrize(
    "changed",
    [
        {"attributes": {}},
        {"attributes": {"POSITION": 9}},
        {"attributes": {"POSITION": 1}},
        {"extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {}}}},
    ],
    ids=["no positions", "no accessor", "numbers for points", "packed"],
)
def test_what_cannot_be_read_whole_is_not_read(tmp_path: Path, changed: dict[str, Any]) -> None:
    """Half a mesh would have a wrong inertia without a word."""
    assert MeshReader(document(tmp_path, [0, 1, 2], **changed)).read(0) is None


def test_indices_beyond_the_points_and_meshes_beyond_the_file(tmp_path: Path) -> None:
    """Neither is an exception."""
    assert MeshReader(document(tmp_path, [0, 1, 4])).read(0) is None
    assert MeshReader(document(tmp_path, [0, 1, 2])).read(7) is None


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda gltf: gltf["bufferViews"][0].update(byteOffset=99), "reaches beyond its buffer"),
        (lambda gltf: gltf["accessors"][1].update(count=9), "reaches beyond its buffer"),
        (lambda gltf: gltf["accessors"][0].update(count=2), "an index beyond its points"),
        (lambda gltf: gltf["accessors"][0].update(bufferView=1, count=1, byteOffset=0), "beyond"),
        (lambda gltf: gltf["meshes"][0]["primitives"][0].update(mode=0), "points or lines alone"),
        (lambda gltf: gltf["buffers"][0].update(uri="../other.bin"), "outside of the folder"),
        (lambda gltf: gltf["accessors"][0].update(sparse={}), ""),
        (lambda gltf: gltf["meshes"][0]["primitives"][0].update(extensions={"EXT": {}}), ""),
        (lambda gltf: gltf["accessors"].extend(({"count": MANY}, gltf["accessors"].pop(0))), ""),
        (lambda gltf: None, ""),
    ],
)
def test_check_says_of_a_collision_mesh_that_nobody_can_read_it(
    tmp_path: Path, damage: Callable[[dict[str, Any]], object], said: str
) -> None:
    """What others read in another form is none of it, nor are meshes that nothing touches."""
    gltf = cast("dict[str, Any]", document(tmp_path, [0, 1, 2]).json)
    gltf["meshes"][0]["primitives"].pop()
    gltf["nodes"] = [{"mesh": 0}]
    damage(gltf)
    path = tmp_path / "mesh.gltf"
    path.write_text(text_of(gltf), encoding="utf-8")
    assert "mesh-not-read" not in {issue.code for issue in check(path)}
    collider = {"collider": {"geometry": {"mesh": 0}}}
    gltf["extensionsUsed"] = ["KHR_physics_rigid_bodies"]
    gltf["nodes"][0]["extensions"] = {"KHR_physics_rigid_bodies": collider}
    path.write_text(text_of(gltf), encoding="utf-8")
    found = [issue.message for issue in check(path) if issue.code == "mesh-not-read"]
    assert len(found) == bool(said)
    assert all(said in message for message in found)


def test_a_point_that_is_no_number_is_not_read(tmp_path: Path) -> None:
    """It would go on as one: into masses, hulls, and other files."""
    whole = document(tmp_path, [0, 1, 2])
    uri = whole.json["buffers"][0]["uri"]  # type: ignore[index,call-overload]
    head, _, body = str(uri).partition(",")
    data = struct.pack("<f", nan) + base64.b64decode(body)[4:]
    whole.json["buffers"][0]["uri"] = f"{head},{base64.b64encode(data).decode()}"  # type: ignore[index,call-overload]
    assert MeshReader(whole).read(0) is None


@pytest.mark.parametrize(("size", "said"), [(60, False), (59, True), (0, True)])
def test_a_buffer_that_is_cut_off_is_said_without_its_numbers(
    tmp_path: Path, size: int, said: bool
) -> None:
    """Whatever is in it, and however large it is."""
    gltf = {"asset": {"version": "2.0"}, "buffers": [{"uri": "b.bin", "byteLength": 60}]}
    (tmp_path / "b.bin").write_bytes(bytes(size))
    (tmp_path / "a.gltf").write_text(text_of(gltf), encoding="utf-8")
    found = [issue.message for issue in check(tmp_path / "a.gltf")]
    assert found == [f'The file "b.bin" is cut off: of 60 bytes it has {size}.'] * said
