# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers out of the buffers of a glTF document. Source: glTF 2.0, "Binary Data Storage"."""

from __future__ import annotations

import base64
import struct
from binascii import Error as Base64Error
from urllib.parse import unquote

from .document import Document
from .json_text import Json, JsonObject

Row = tuple[float, ...]

FORMATS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
"""Component type -> format of ``struct``."""
LARGEST = {5120: 127.0, 5121: 255.0, 5122: 32767.0, 5123: 65535.0}
"""What a normalized integer of a type is divided by."""
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class AccessorError(Exception):
    """Numbers that cannot be read; its text is one sentence for the user."""


class Accessors:
    """Reads accessors of one document, each buffer once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._buffers: dict[int, bytes] = {}

    def rows(self, index: int, width: int) -> list[Row]:
        """Return the elements of an accessor that has this many components.

        Raises:
            AccessorError: it is not there, has another type, or lies outside its buffer.
        """
        accessor = self._item("accessors", index)
        kind, component = accessor.get("type"), accessor.get("componentType")
        if not isinstance(component, int) or component not in FORMATS or "sparse" in accessor:
            message = f"Accessor {index} has a form that is not read."
            raise AccessorError(message)
        if not isinstance(kind, str) or WIDTHS.get(kind) != width:
            message = f"Accessor {index} is not of {width} numbers."
            raise AccessorError(message)
        view = self._item("bufferViews", _whole(accessor, "bufferView"))
        data = self._buffer(_whole(view, "buffer"))
        element = struct.Struct(f"<{width}{FORMATS[component]}")
        stride = _whole(view, "byteStride", 0) or element.size
        start = _whole(view, "byteOffset", 0) + _whole(accessor, "byteOffset", 0)
        count = _whole(accessor, "count")
        if count and start + stride * (count - 1) + element.size > len(data):
            message = f"Accessor {index} reaches beyond its buffer."
            raise AccessorError(message)
        scale = LARGEST[component] if accessor.get("normalized") and component in LARGEST else 1.0
        return [
            tuple(max(x / scale, -1.0) if scale != 1.0 else x for x in row)
            for row in (element.unpack_from(data, start + stride * i) for i in range(count))
        ]

    def _item(self, key: str, index: int) -> JsonObject:
        items = self._document.json.get(key)
        item = items[index] if isinstance(items, list) and 0 <= index < len(items) else None
        if not isinstance(item, dict):
            message = f"There is no item {index} in {key}."
            raise AccessorError(message)
        return item

    def _buffer(self, index: int) -> bytes:
        if index not in self._buffers:
            self._buffers[index] = self._read_buffer(index)
        return self._buffers[index]

    def _read_buffer(self, index: int) -> bytes:
        uri = self._item("buffers", index).get("uri")
        if uri is None and index == 0 and self._document.binary is not None:
            return self._document.binary
        if not isinstance(uri, str):
            message = f"Buffer {index} holds nothing."
            raise AccessorError(message)
        try:
            if uri.startswith("data:"):
                return base64.b64decode(uri.partition(",")[2])
            return (self._document.path.parent / unquote(uri)).read_bytes()
        except (OSError, ValueError, Base64Error):
            message = f"Buffer {index} cannot be read."
            raise AccessorError(message) from None


def _whole(members: JsonObject, key: str, default: Json = None) -> int:
    """Return a member that must be a whole number, not negative."""
    value = members.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        message = f"A {key} is missing or wrong."
        raise AccessorError(message)
    return value
