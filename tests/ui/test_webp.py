# SPDX-License-Identifier: GPL-3.0-or-later
"""Moving pictures joined from still ones."""

from __future__ import annotations

import struct

import pytest

from examples.webp import animated, chunks_of, read_still


def still(width: int, height: int, body: bytes = b"pixels") -> bytes:
    """Return a WebP file that claims a size, with an odd number of bytes."""
    coded = b"\x30\x01\x00\x9d\x01\x2a" + struct.pack("<2H", width, height) + body
    coded += b"." * (1 - len(coded) % 2)
    parts = b""
    for name, data in ((b"ICCP", b"profile"), (b"VP8 ", coded)):
        parts += name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
    return b"RIFF" + struct.pack("<I", 4 + len(parts)) + b"WEBP" + parts


def test_animation_holds_the_pictures_in_order() -> None:
    """Every picture is in it as it was coded, for its time, on a canvas of its size."""
    pictures = [still(960, 620, bytes([k]) * (k + 3)) for k in range(5)]
    data = animated(pictures, 50)
    assert len(data) == 8 + struct.unpack_from("<I", data, 4)[0]
    chunks = list(chunks_of(data[12:]))
    assert [name for name, _ in chunks] == [b"VP8X", b"ANIM"] + [b"ANMF"] * 5
    header = chunks[0][1]
    assert header[0] == 2
    assert int.from_bytes(header[4:7], "little") == 959
    assert int.from_bytes(header[7:10], "little") == 619
    assert struct.unpack("<IH", chunks[1][1])[1] == 0  # for ever
    for picture, (_, frame) in zip(pictures, chunks[2:], strict=True):
        assert int.from_bytes(frame[12:15], "little") == 50
        assert frame[16:] == read_still(picture).data
        assert b"ICCP" not in frame


@pytest.mark.parametrize(
    "pictures",
    [[b"GIF89a" + bytes(20)], [still(8, 8), still(8, 9)], [b"RIFF\4\0\0\0WEBP"]],
    ids=["another format", "two sizes", "nothing in it"],
)
def test_what_cannot_be_joined_is_refused(pictures: list[bytes]) -> None:
    """What is no WebP file, holds no picture, or is of another size, is an error."""
    with pytest.raises(ValueError, match=r"WebP|size"):
        animated(pictures, 50)
