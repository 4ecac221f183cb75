# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the screen: how they are read, compared and kept."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from scripts.window.screen import (
    SCREEN_FILE,
    Rect,
    differing,
    marked,
    read_screen,
    write_png,
)


def noise(height: int = 12, width: int = 17) -> np.ndarray:
    """Return a picture of noise."""
    return np.random.default_rng(4).integers(0, 256, (height, width, 3), np.uint8)


def keep_screen(folder: Path, pixels: np.ndarray, *, bits: int = 32, colors: int = 3) -> None:
    """Write a picture as an X server keeps it: blue first, lines padded, a colour map before."""
    height, width, _ = pixels.shape
    line = 4 * (width + 5)
    rows = np.zeros((height, line // 4, 4), np.uint8)
    rows[:, :width, :3] = pixels[:, :, ::-1]
    header = [0] * 25
    header[0], header[1], header[4], header[5] = 100 + 8, 7, width, height
    header[11], header[12], header[19] = bits, line, colors
    name = b"screen\0\0"
    data = struct.pack(">25I", *header) + name + bytes(12 * colors) + rows.tobytes()
    (folder / SCREEN_FILE).write_bytes(data)


def test_screen_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Width, height, order of the colours and padding of lines come out right."""
    pixels = noise()
    keep_screen(tmp_path, pixels)
    assert np.array_equal(read_screen(tmp_path), pixels)


def test_screen_of_few_colors_is_refused(tmp_path: Path) -> None:
    """A screen that is not of 24 bits in 32 is refused, with what to do."""
    keep_screen(tmp_path, noise(), bits=16)
    with pytest.raises(ValueError, match="-screen 0 WxHx24"):
        read_screen(tmp_path)


def test_difference_leaves_out_what_is_faint() -> None:
    """Equal pictures differ nowhere, faint changes are none, and each other pixel counts."""
    pixels = np.full((10, 10, 3), 100, np.uint8)
    other = pixels.copy()
    other[0, :4, 0] = 106
    assert not differing(pixels, other).any()
    other[3, 2:5] = (0, 255, 0)
    assert np.argwhere(differing(pixels, other)).tolist() == [[3, 2], [3, 3], [3, 4]]
    assert (differing(pixels, other) == differing(other, pixels)).all()
    shown = marked(pixels, other)
    assert (shown[3, 3] == (0, 255, 0)).all()
    assert (shown[9, 9] == 25).all()


def test_part_of_a_picture_ends_at_its_edge() -> None:
    """A part that reaches beyond the picture is what there is of it."""
    pixels = noise()
    assert pixels[Rect(-3, -2, 8, 5).slices].shape == (3, 5, 3)
    assert np.array_equal(pixels[Rect(2, 1, 3, 4).slices], pixels[1:5, 2:5])


def test_png_holds_the_pixels(tmp_path: Path) -> None:
    """A written PNG has sound checksums and gives the same pixels back."""
    pixels = noise()
    path = tmp_path / "folder" / "picture.png"
    write_png(path, pixels)
    data, at, parts = path.read_bytes(), 8, {}
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size)[0] == zlib.crc32(name + body)
        parts[name] = body
        at += 12 + size
    width, height = struct.unpack_from(">2I", parts[b"IHDR"])
    assert (height, width, 3) == pixels.shape
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, -1)
    assert (rows[:, 0] == 0).all()
    assert np.array_equal(rows[:, 1:].reshape(pixels.shape), pixels)
