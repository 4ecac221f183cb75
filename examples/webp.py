# SPDX-License-Identifier: GPL-3.0-or-later
"""Joins still pictures in WebP to one that moves; Blender writes the former but not the latter.

The container is RIFF: https://developers.google.com/speed/webp/docs/riff_container
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ANIMATED = 0x02
NO_BLENDING = 0x02
PICTURES = (b"ALPH", b"VP8 ", b"VP8L")


@dataclass(frozen=True)
class Still:
    """One picture as it stands in its file."""

    data: bytes
    """Its chunks that hold pixels."""
    width: int
    height: int


def animated(pictures: Sequence[bytes], duration: int) -> bytes:
    """Return a file that shows pictures one after the other, for ever.

    Args:
        pictures: WebP files of one size.
        duration: milliseconds that each is shown.

    Raises:
        ValueError: If one is no WebP file, or of another size than the first.
    """
    stills = [read_still(picture) for picture in pictures]
    size = stills[0].width, stills[0].height
    if any((still.width, still.height) != size for still in stills):
        raise ValueError("the pictures are not all of one size")
    canvas = _three(size[0] - 1) + _three(size[1] - 1)
    chunks = [
        _chunk(b"VP8X", bytes([ANIMATED, 0, 0, 0]) + canvas),
        _chunk(b"ANIM", struct.pack("<IH", 0xFFFFFFFF, 0)),
    ]
    for still in stills:
        place = _three(0) + _three(0) + canvas + _three(duration) + bytes([NO_BLENDING])
        chunks.append(_chunk(b"ANMF", place + still.data))
    return _chunk(b"RIFF", b"WEBP" + b"".join(chunks))


def read_still(picture: bytes) -> Still:
    """Return what a WebP file of one picture holds.

    Raises:
        ValueError: If it is none.
    """
    if picture[:4] != b"RIFF" or picture[8:12] != b"WEBP":
        raise ValueError("this is no WebP file")
    parts = [(name, body) for name, body in chunks_of(picture[12:]) if name in PICTURES]
    sizes = [_size(name, body) for name, body in parts if name != b"ALPH"]
    if len(sizes) != 1:
        raise ValueError("this WebP file does not hold one picture")
    data = b"".join(_chunk(name, body) for name, body in parts)
    return Still(data, *sizes[0])


def chunks_of(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and the body of each chunk."""
    at = 0
    while at + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        yield name, data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


def _size(name: bytes, body: bytes) -> tuple[int, int]:
    """Return width and height, from the head of the coded picture."""
    if name == b"VP8 ":
        width, height = struct.unpack_from("<2H", body, 6)
        return width & 0x3FFF, height & 0x3FFF
    bits = struct.unpack_from("<I", body, 1)[0]
    return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1


def _three(number: int) -> bytes:
    """Return a number in three bytes."""
    return struct.pack("<I", number)[:3]


def _chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)
