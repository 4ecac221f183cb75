# SPDX-License-Identifier: GPL-3.0-or-later
"""Buffers are regular files below the folder of the document, read no farther than their end."""

from __future__ import annotations

import base64
import os
import struct
from pathlib import Path
from typing import Any

import pytest

from omi_physics_joint.gltf.document.accessors import AccessorError, Accessors
from omi_physics_joint.gltf.document.files import Document
from omi_physics_joint.gltf.document.packing import named_files

NUMBERS = struct.pack("<6f", *range(6))


def accessors(folder: Path, uri: str, **buffer: Any) -> Accessors:
    """Return the accessors of a document with six numbers in a buffer: all, and the last two."""
    gltf = {
        "buffers": [{"uri": uri, "byteLength": 24, **buffer}],
        "bufferViews": [{"buffer": 0, "byteLength": 24}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 6},
            {
                "bufferView": 0,
                "componentType": 5126,
                "type": "SCALAR",
                "count": 2,
                "byteOffset": 16,
            },
        ],
    }
    return Accessors(Document(gltf, folder / "m.gltf"))


@pytest.mark.parametrize("name", ["m.bin", "deep/er/m%20n.bin", "deep/../m.bin"])
def test_files_below_the_document_are_read(name: str, tmp_path: Path) -> None:
    """Beside the document or deeper, with names as URIs spell them."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / name.replace("%20", " ")).write_bytes(NUMBERS)
    found = accessors(tmp_path, name)
    assert found.rows(0, 1) == [(float(i),) for i in range(6)]
    assert found.rows(1, 1) == [(4.0,), (5.0,)]


def test_data_in_the_document_is_read(tmp_path: Path) -> None:
    """A data: URI is a buffer too."""
    uri = "data:application/octet-stream;base64," + base64.b64encode(NUMBERS).decode()
    assert accessors(tmp_path, uri).rows(1, 1) == [(4.0,), (5.0,)]


def test_a_document_that_is_a_link_has_its_buffers_at_either_end(tmp_path: Path) -> None:
    """Stores of files link every file of a folder by itself."""
    store, work = tmp_path / "store", tmp_path / "work"
    store.mkdir()
    work.mkdir()
    for name in ("m.gltf", "m.bin"):
        (store / name).write_bytes(NUMBERS)
        (work / name).symlink_to(store / name)
    assert len(accessors(work, "m.bin").rows(0, 1)) == 6


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("/dev/zero", "no regular file"),
        ("../outside.bin", "outside"),
        ("..%2Foutside.bin", "outside"),
        ("deep/../../outside.bin", "outside"),
        ("link.bin", "outside"),
        ("pipe", "no regular file"),
        ("deep", "no regular file"),
        ("missing.bin", "no such file"),
        ("nul%00.bin", "no file can have its name"),
        ("x" * 5000, "file name too long"),
        ("http://example.com/m.bin", "no such file"),
    ],
)
def test_nothing_else_is_read(uri: str, reason: str, tmp_path: Path) -> None:
    """Devices, pipes, folders, what lies elsewhere and what is not there end in a sentence."""
    home = tmp_path / "home"
    (home / "deep").mkdir(parents=True)
    (tmp_path / "outside.bin").write_bytes(NUMBERS)
    (home / "link.bin").symlink_to(tmp_path / "outside.bin")
    os.mkfifo(home / "pipe")
    with pytest.raises(AccessorError, match=reason) as caught:
        accessors(home, uri).rows(0, 1)
    assert str(caught.value).startswith("Buffer 0 ")


def test_a_uri_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """In words, as what names no file."""
    with pytest.raises(AccessorError, match="The uri of buffer 0 is no text"):
        accessors(tmp_path, 3).rows(0, 1)  # type: ignore[arg-type]


def test_a_buffer_ends_where_it_says(tmp_path: Path) -> None:
    """What a file holds beyond the length of the buffer is not read, nor all of what is there."""
    (tmp_path / "m.bin").write_bytes(NUMBERS)
    with pytest.raises(AccessorError, match="beyond its buffer"):
        accessors(tmp_path, "m.bin", byteLength=20).rows(0, 1)
    with pytest.raises(AccessorError, match="byteLength"):
        accessors(tmp_path, "m.bin", byteLength=None).rows(0, 1)
    with (tmp_path / "huge.bin").open("wb") as file:  # a hole, no data
        file.truncate(1 << 40)
    assert accessors(tmp_path, "huge.bin", byteLength=1 << 40).rows(1, 1) == [(0.0,), (0.0,)]


def test_named_files_are_the_document_and_what_it_points_to(tmp_path: Path) -> None:
    """Buffers and images in files of their own count, embedded ones do not."""
    gltf = {
        "buffers": [{"uri": "m%20n.bin"}, {"uri": "data:,"}, {}],
        "images": [{"uri": "Wood.png"}, {"bufferView": 0}, 7],
    }
    document = Document(gltf, tmp_path / "m.gltf")  # type: ignore[arg-type]
    assert [path.name for path in named_files(document)] == ["m.gltf", "m n.bin", "Wood.png"]
