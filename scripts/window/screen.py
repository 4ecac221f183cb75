# SPDX-License-Identifier: GPL-3.0-or-later
"""What is on the screen of an X server that keeps its picture in a file (`Xvfb -fbdir`).

Blender's own screenshots are black without a graphics card, and a screen that is a file is read
in a millisecond, without another program.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""Red, green and blue of each pixel: (height, width, 3), the first row on top."""

SCREEN_FILE = "Xvfb_screen0"
FAINT = 12
"""A difference of a channel, out of 255, that counts as none: dithering and soft edges."""

_HEADER = struct.Struct(">25I")
_COLOR_SIZE = 12


@dataclass(frozen=True)
class Rect:
    """A part of the screen in pixels, from its top left corner."""

    left: int
    top: int
    width: int
    height: int

    @property
    def middle(self) -> tuple[int, int]:
        """The pixel in the middle."""
        return self.left + self.width // 2, self.top + self.height // 2

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns of this part in a picture."""
        left, top = max(self.left, 0), max(self.top, 0)
        return slice(top, self.top + self.height), slice(left, self.left + self.width)


def read_screen(folder: Path) -> Pixels:
    """Return the picture of the screen that Xvfb keeps in `folder`.

    Raises:
        ValueError: If it is not of 24 bits in 32.
    """
    data = (folder / SCREEN_FILE).read_bytes()
    header = _HEADER.unpack_from(data)
    size, width, height, bits, line, colors = (header[i] for i in (0, 4, 5, 11, 12, 19))
    if bits != 32:
        raise ValueError("a screen of %d bits a pixel; start Xvfb with -screen 0 WxHx24" % bits)
    start = size + _COLOR_SIZE * colors
    rows = np.frombuffer(data, np.uint8, line * height, start).reshape(height, line // 4, 4)
    blue_first = header[7] == 0  # the order of bytes in a pixel
    channels = rows[:, :width, 2::-1] if blue_first else rows[:, :width, 1:4]
    return np.ascontiguousarray(channels)


def differing(first: Pixels, second: Pixels) -> NDArray[np.bool_]:
    """Return which pixels of two pictures differ by more than is faint: (height, width)."""
    apart: NDArray[np.int16] = np.abs(first.astype(np.int16) - second.astype(np.int16))
    return np.asarray(apart.max(axis=2) > FAINT)


def marked(first: Pixels, second: Pixels) -> Pixels:
    """Return the second picture, dimmed, with what differs from the first in full colour."""
    apart = differing(first, second)
    shown: Pixels = (second // 4).astype(np.uint8)
    shown[apart] = second[apart]
    return shown


def write_png(path: Path, pixels: Pixels) -> None:
    """Write a picture as PNG."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, 3 * width)
    kind = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    packed = zlib.compress(rows.tobytes(), 6)
    parts = [(b"IHDR", kind), (b"IDAT", packed), (b"IEND", b"")]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts))


def _chunk(name: bytes, data: bytes) -> bytes:
    check = zlib.crc32(name + data)
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", check)
