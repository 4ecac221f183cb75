# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers out of buffers: every type, normalized or not, where strides and offsets put them."""

from __future__ import annotations

import base64
import struct
from pathlib import Path
from typing import Any

import pytest

from omi_physics_joint.gltf.document.accessors import AccessorError, Accessors, Row
from omi_physics_joint.gltf.document.files import Document


def rows(
    data: bytes, width: int, accessor: dict[str, Any], view: dict[str, Any] | None = None
) -> list[Row]:
    """Return the elements of the one accessor of a file that holds these bytes."""
    kind = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}[width]
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    document = Document(
        {
            "buffers": [{"byteLength": len(data), "uri": uri}],
            "bufferViews": [{"buffer": 0, "byteLength": len(data), **(view or {})}],
            "accessors": [{"bufferView": 0, "type": kind, **accessor}],
        },
        Path("file.gltf"),
    )
    return Accessors(document).rows(0, width)


@pytest.mark.parametrize(
    ("component", "form", "numbers", "expected"),
    [
        (5120, "b", (-128, -127, 0, 127), (-1.0, -1.0, 0.0, 1.0)),
        (5121, "B", (0, 51, 255, 0), (0.0, 0.2, 1.0, 0.0)),
        (5122, "h", (-32768, -32767, 0, 32767), (-1.0, -1.0, 0.0, 1.0)),
        (5123, "H", (0, 13107, 65535, 0), (0.0, 0.2, 1.0, 0.0)),
    ],
)
def test_normalized_integers_are_from_minus_one_to_one(
    component: int, form: str, numbers: tuple[int, ...], expected: tuple[float, ...]
) -> None:
    """The smallest integer, one below the negative of the largest, counts as -1 as well."""
    data = struct.pack(f"<4{form}", *numbers)
    accessor = {"componentType": component, "count": 1, "normalized": True}
    assert rows(data, 4, accessor) == [pytest.approx(expected, abs=1e-12)]


@pytest.mark.parametrize(
    ("component", "form", "numbers"),
    [
        (5120, "b", (-128, 127)),
        (5121, "B", (0, 255)),
        (5122, "h", (-32768, 32767)),
        (5123, "H", (0, 65535)),
        (5125, "I", (0, 4294967295)),
        (5126, "f", (-2.5, 1e6)),
    ],
)
def test_other_numbers_are_what_they_are(
    component: int, form: str, numbers: tuple[float, ...]
) -> None:
    """Nothing is scaled or cut where it is not normalized."""
    data = struct.pack(f"<2{form}", *numbers)
    assert rows(data, 2, {"componentType": component, "count": 1}) == [numbers]


def test_strides_and_offsets_are_followed() -> None:
    """Elements lie a stride apart, after the offset of the view and that of the accessor."""
    data = struct.pack("<10f", *range(10))
    accessor = {"componentType": 5126, "count": 2, "byteOffset": 4}
    view = {"byteOffset": 8, "byteStride": 16}
    assert rows(data, 2, accessor, view) == [(3.0, 4.0), (7.0, 8.0)]
    assert rows(data, 2, {**accessor, "count": 3}) == [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)]
    assert rows(data, 2, {**accessor, "count": 0}, {"byteOffset": 400}) == []


def test_the_last_element_may_end_with_the_buffer() -> None:
    """A buffer that is one byte shorter is too short, and the sentence says which accessor."""
    data = struct.pack("<6f", *range(6))
    accessor = {"componentType": 5126, "count": 2}
    assert len(rows(data, 3, accessor)) == 2
    with pytest.raises(AccessorError, match="Accessor 0 reaches beyond its buffer"):
        rows(data[:-1], 3, accessor)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"componentType": 5124}, "Accessor 0 has a form that is not read"),
        ({"componentType": None}, "Accessor 0 has a form that is not read"),
        ({"sparse": {}}, "Accessor 0 has a form that is not read"),
        ({"type": "VEC4"}, "Accessor 0 is not of 3 numbers"),
        ({"type": 3}, "Accessor 0 is not of 3 numbers"),
        ({"count": -1}, "A count is missing or wrong"),
        ({"count": True}, "A count is missing or wrong"),
        ({"count": 1.0}, "A count is missing or wrong"),
        ({"bufferView": 1}, "There is no item 1 in bufferViews"),
        ({"bufferView": None}, "A bufferView is missing or wrong"),
    ],
)
def test_what_cannot_be_read_is_said(change: dict[str, Any], sentence: str) -> None:
    """Every fault of an accessor ends in one sentence."""
    with pytest.raises(AccessorError, match=sentence):
        rows(bytes(12), 3, {"componentType": 5126, "count": 1, **change})


@pytest.mark.parametrize("index", [-3, -2, -1, 2, 2**40])
@pytest.mark.parametrize("key", ["accessors", "bufferViews", "buffers"])
def test_only_what_is_there_is_read(key: str, index: int) -> None:
    """No number counts from the end: what it names is not there, and one sentence says so."""
    uri = "data:application/octet-stream;base64," + base64.b64encode(bytes(4)).decode()
    places = {"accessors": 1, "bufferViews": 1, "buffers": 1, key: index}
    gltf: dict[str, Any] = {
        "buffers": [{"byteLength": 4, "uri": uri}] * 2,
        "bufferViews": [{"buffer": places["buffers"], "byteLength": 4}] * 2,
        "accessors": [{"bufferView": places["bufferViews"], "componentType": 5126, "count": 1}] * 2,
    }
    for accessor in gltf["accessors"]:
        accessor["type"] = "SCALAR"
    said = (
        {"bufferViews": "A bufferView is", "buffers": "A buffer is"}.get(key) if index < 0 else ""
    )
    with pytest.raises(AccessorError, match=said or f"There is no item {index} in {key}"):
        Accessors(Document(gltf, Path("file.gltf"))).rows(places["accessors"], 1)


def test_the_binary_chunk_is_the_first_buffer_without_uri() -> None:
    """A .glb keeps its first buffer inside; any other one has to say where it is."""
    data = struct.pack("<2f", 1.5, -2.0)
    views = [{"buffer": 0, "byteLength": 8}, {"buffer": 1, "byteLength": 8}]
    gltf: dict[str, Any] = {
        "buffers": [{"byteLength": 8}, {"byteLength": 8}],
        "bufferViews": views,
        "accessors": [
            {"bufferView": i, "componentType": 5126, "count": 2, "type": "SCALAR"} for i in (0, 1)
        ],
    }
    accessors = Accessors(Document(gltf, Path("file.glb"), data))
    assert accessors.rows(0, 1) == [(1.5,), (-2.0,)]
    with pytest.raises(AccessorError, match="Buffer 1 holds nothing"):
        accessors.rows(1, 1)


def test_a_buffer_beside_the_file_is_read(tmp_path: Path) -> None:
    """Its name may be escaped; one that is not there is named."""
    (tmp_path / "all my data.bin").write_bytes(struct.pack("<f", 4.25))
    gltf: dict[str, Any] = {
        "buffers": [{"byteLength": 4, "uri": "all%20my%20data.bin"}, {"uri": "gone.bin"}],
        "bufferViews": [{"buffer": 0}, {"buffer": 1}],
        "accessors": [
            {"bufferView": i, "componentType": 5126, "count": 1, "type": "SCALAR"} for i in (0, 1)
        ],
    }
    accessors = Accessors(Document(gltf, tmp_path / "file.gltf"))
    assert accessors.rows(0, 1) == [(4.25,)]
    with pytest.raises(AccessorError, match="Buffer 1 cannot be read"):
        accessors.rows(1, 1)
