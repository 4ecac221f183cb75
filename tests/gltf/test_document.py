# SPDX-License-Identifier: GPL-3.0-or-later
"""Loading .gltf and .glb files as raw JSON, and what is said of files that are neither."""

from __future__ import annotations

import json
import os
import struct
from math import inf, isnan
from pathlib import Path

import pygltflib
import pytest
from omi_documents import door, glb

from omi_physics_joint.gltf.document.files import DocumentError, load, mentions

GOOD = glb(door(), b"abc")


@pytest.mark.parametrize("name", ["a.glb", "a.gltf", "A.GLB"])
def test_glb_is_read_by_its_content(tmp_path: Path, name: str) -> None:
    """A .glb is recognised whatever its name, and its binary chunk comes along."""
    path = tmp_path / name
    path.write_bytes(GOOD)
    document = load(path)
    assert document.json == door()
    assert document.binary == b"abc\0"
    assert document.path == path


def test_gltf_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    """A .gltf that some editor saved with a byte order mark is still JSON."""
    path = tmp_path / "a.gltf"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(door()).encode())
    document = load(str(path))
    assert document.json == door()
    assert document.binary is None


def test_glb_of_pygltflib_is_read(tmp_path: Path) -> None:
    """A .glb from another writer is read."""
    path = tmp_path / "other.glb"
    gltf = pygltflib.GLTF2(nodes=[pygltflib.Node(name="A")], extensions={"X": {"y": 1}})
    gltf.set_binary_blob(b"12345678")
    gltf.buffers.append(pygltflib.Buffer(byteLength=8))
    gltf.bufferViews.append(pygltflib.BufferView(buffer=0, byteLength=8))
    gltf.save_binary(str(path))
    document = load(path)
    assert document.json["nodes"] == [{"name": "A"}]
    assert document.binary == b"12345678"


def test_numbers_beyond_json_are_let_in(tmp_path: Path) -> None:
    """1e99999, Infinity and NaN load as the values they are, to be judged later."""
    path = tmp_path / "a.gltf"
    asset = '"asset": {"version": "2.0"}'
    path.write_text(f'{{{asset}, "a": 1e99999, "b": -Infinity, "c": NaN}}')
    found = load(path).json
    assert found["a"] == inf
    assert found["b"] == -inf
    assert isinstance(found["c"], float)
    assert isnan(found["c"])


BROKEN = {
    "empty.glb": (b"", "header of 12 bytes"),
    "short.glb": (GOOD[:11], "header of 12 bytes"),
    "text.glb": (b"this is not a glTF file", 'does not begin with "glTF"'),
    "version.glb": (GOOD[:4] + struct.pack("<I", 1) + GOOD[8:], "version 1"),
    "cut.glb": (GOOD[:-4], "is cut off"),
    "long.glb": (GOOD + b"more", "is too long"),
    "bare.glb": (struct.pack("<4sII", b"glTF", 2, 12), "first chunk"),
    "swapped.glb": (
        struct.pack("<4sIIII", b"glTF", 2, 24, 4, 0x004E4942) + b"{}  ",
        "first chunk",
    ),
    "chunk.glb": (struct.pack("<4sIIII", b"glTF", 2, 20, 99, 0x4E4F534A), "beyond the file"),
    "half.glb": (struct.pack("<4sII", b"glTF", 2, 16) + b"abcd", "header of a chunk"),
    "empty.gltf": (b"", "line 1, column 1"),
    "cut.gltf": (b'{"asset": {\n  "version": ', "line 2, column 14"),
    "one.gltf": (b'{"asset": {"version": "1.0"}, "nodes": {}}', "of version 1.0"),
    "three.gltf": (b'{"asset": {"version": "3.0"}}', "of version 3.0"),
    "later.gltf": (b'{"asset": {"version": "2.2", "minVersion": "2.1"}}', "of version 2.1"),
    "bare.gltf": (b'{"nodes": []}', "of no version"),
    "latin.gltf": ('{"name": "\u00e9"}'.encode("latin-1"), "byte 10 is not UTF-8"),
    "array.gltf": (b"[1, 2]", "must be an object"),
    "null.gltf": (b"null", "must be an object"),
    "deep.gltf": (b"[" * 200_000, "nested too deeply"),
    "digits.gltf": (b'{"a": ' + b"1" * 5000 + b"}", "digits"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_in_one_sentence(tmp_path: Path, name: str) -> None:
    """What is wrong with a file is said in one line that names it."""
    data, reason = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        load(path)
    sentence = str(caught.value)
    assert reason in sentence
    assert sentence.endswith(".")
    assert len(sentence.splitlines()) == 1


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    """A path that leads to no file is named for what it is."""
    with pytest.raises(DocumentError, match="no such file"):
        load(tmp_path / "nowhere.glb")
    with pytest.raises(DocumentError, match="folder"):
        load(tmp_path)
    with pytest.raises(DocumentError, match="no file can have its name"):
        load("a\0b.glb")


def test_a_file_is_asked_for_a_word_without_reading_it(tmp_path: Path) -> None:
    """Only the JSON counts; escapes and what cannot be read mean that it must be looked at."""
    text = b'{"asset": {"version": "2.0"}, "nodes": [{"name": "Door"}]}'
    path = tmp_path / "m.glb"
    path.write_bytes(glb(json.loads(text), b"physics"))
    assert not mentions(path, "physics")
    assert mentions(path, "Door")
    path.write_bytes(text)
    assert not mentions(path, "physics")
    path.write_bytes(text.replace(b"Door", b"\\u0070hysics"))
    assert mentions(path, "physics")
    assert mentions(tmp_path / "nowhere.glb", "physics")


@pytest.mark.parametrize("name", ["huge.glb", "huge.gltf"])
def test_what_no_memory_holds_is_not_read(name: str, tmp_path: Path) -> None:
    """A .glb has no more than 4 GB; a file that takes no room on the disk may have."""
    path = tmp_path / name
    path.touch()
    os.truncate(path, 2**40)
    with pytest.raises(DocumentError, match="more than 4 GB"):
        load(path)
