# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers out of the buffers of a glTF document. Source: glTF 2.0, "Binary Data Storage"."""

from __future__ import annotations

import base64
import struct
from binascii import Error as Base64Error
from pathlib import Path
from urllib.parse import unquote

from ...files.inputs import spend, why_closed
from .files import Document, DocumentError
from .json_text import Json, JsonObject, items_of

Row = tuple[float, ...]

FORMATS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
"""Component type -> format of ``struct``."""
LARGEST = {5120: 127.0, 5121: 255.0, 5122: 32767.0, 5123: 65535.0}
"""What a normalized integer of a type is divided by."""
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class AccessorError(DocumentError):
    """Numbers that cannot be read; its text is one sentence for the user."""


class FormError(AccessorError):
    """Numbers that others read, in a form that is not read here."""


class Accessors:
    """Reads accessors of one document; of a buffer in a file of its own only what it needs."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._buffers: dict[int, bytes | Path] = {}

    def rows(self, index: int, width: int) -> list[Row]:
        """Return the elements of an accessor that has this many components.

        Raises:
            AccessorError: it is not there, has another type, or lies outside its buffer.
        """
        accessor = self._item("accessors", index)
        kind, component = accessor.get("type"), accessor.get("componentType")
        if not isinstance(component, int) or component not in FORMATS or "sparse" in accessor:
            raise FormError(f"Accessor {index} has a form that is not read.")
        if not isinstance(kind, str) or WIDTHS.get(kind) != width:
            raise AccessorError(f"Accessor {index} is not of {width} numbers.")
        view = self._item("bufferViews", _whole(accessor, "bufferView"))
        element = struct.Struct(f"<{width}{FORMATS[component]}")
        stride = _whole(view, "byteStride", 0) or element.size
        start = _whole(view, "byteOffset", 0) + _whole(accessor, "byteOffset", 0)
        count = _whole(accessor, "count")
        spend("numbers", count * width)
        length = stride * (count - 1) + element.size if count else 0
        data = self._bytes(_whole(view, "buffer"), start, length)
        if len(data) < length:
            raise AccessorError(f"Accessor {index} reaches beyond its buffer.")
        scale = LARGEST[component] if accessor.get("normalized") and component in LARGEST else 1.0
        return [
            tuple(max(x / scale, -1.0) if scale != 1.0 else x for x in row)
            for row in (element.unpack_from(data, stride * i) for i in range(count))
        ]

    def _item(self, key: str, index: int) -> JsonObject:
        items = items_of(self._document.json, key)
        item = items[index] if 0 <= index < len(items) else None
        if not isinstance(item, dict):
            raise AccessorError(f"There is no item {index} in {key}.")
        return item

    def _bytes(self, index: int, start: int, length: int) -> bytes:
        """Return bytes of a buffer; fewer where it ends before."""
        item = self._item("buffers", index)
        if index not in self._buffers:
            content = content_of(self._document, item, index)
            if content is None:
                raise AccessorError(f"Buffer {index} holds nothing.")
            self._buffers[index] = content
        buffer = self._buffers[index]
        if isinstance(buffer, bytes):
            return buffer[start : start + length]
        most = _whole(item, "byteLength")
        try:
            size = min(most, buffer.stat().st_size)
            with buffer.open("rb") as file:
                file.seek(min(start, size))
                return file.read(max(min(length, size - start), 0))
        except OSError as error:
            raise AccessorError(f"Buffer {index} cannot be read: {error.strerror}.") from None


def content_of(document: Document, buffer: JsonObject, index: int) -> bytes | Path | None:
    """Return what a buffer holds, or the file that does; None of one that an extension fills.

    Raises:
        AccessorError: it cannot be read.
    """
    uri = buffer.get("uri")
    if uri is None:
        return document.binary if index == 0 else None
    if not isinstance(uri, str):
        raise AccessorError(f"The uri of buffer {index} is no text.")
    if not uri.startswith("data:"):
        return file_below(document.path, unquote(uri), f"Buffer {index}")
    try:
        return base64.b64decode(uri.partition(",")[2])
    except (ValueError, Base64Error):
        raise AccessorError(f"Buffer {index} cannot be read: its data: URI is damaged.") from None


def file_below(document: Path, name: str, what: str) -> Path:
    """Return a regular file below the folder of a document, which alone a document may name.

    Raises:
        AccessorError: there is none, or it is elsewhere or a device or a pipe.
    """
    why = why_closed(document.parent / name)
    if why:
        raise AccessorError(f"{what} is not read: {why}.")
    try:
        real = (document.parent / name).resolve()
        homes = {document.parent.resolve(), document.resolve().parent}
        if not any(real.is_relative_to(home) for home in homes):
            message = f"{what} is not read: its file is outside of the folder of the document."
            raise AccessorError(message)
        is_file, is_there = real.is_file(), real.exists()
    except (OSError, ValueError):  # no name that any file could have
        is_file = is_there = False
    if not is_file:
        reason = "it names no regular file" if is_there else "there is no such file"
        raise AccessorError(f"{what} cannot be read: {reason}.")
    return real


def _whole(members: JsonObject, key: str, default: Json = None) -> int:
    """Return a member that must be a whole number, not negative."""
    value = members.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise AccessorError(f"A {key} is missing or wrong.")
    return value
