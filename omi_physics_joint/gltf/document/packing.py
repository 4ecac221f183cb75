# SPDX-License-Identifier: GPL-3.0-or-later
"""A document with its buffers and images, in the container of another file.

A .glb has buffers and images inside; those that are on a server stay there. A .gltf keeps its
files beside it, and what was the binary chunk of a .glb becomes one of them.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from ...model.contents import Package
from ...model.issue import Issue, Severity
from ...model.wording.words import one_line
from .accessors import content_of, file_below
from .files import Document, DocumentError, glb_bytes, gltf_bytes
from .json_text import Json, JsonObject, items_of, member_of, object_of

ALIGNED = 8
"""Bytes at which embedded data begins; no extension asks for more."""
PLAIN = {"uri", "byteLength", "name"}
"""Members of a buffer that may become a part of another one."""
STARTS = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (8, b"WEBP", "image/webp"),
    (0, b"\xabKTX 20\xbb", "image/ktx2"),
    (0, b"DDS ", "image/vnd-ms.dds"),
)
"""Where and what an image begins with, and its type."""


def packed(source: Document, gltf: JsonObject, output: Path) -> Package:
    """Return the files that JSON becomes: a .gltf or .glb by the name of the output.

    What lies beside the file that was read, and in its binary chunk, goes along.

    Raises:
        DocumentError: something that the document names cannot be taken along.
    """
    document = deepcopy(gltf)
    embeds = output.suffix.lower() == ".glb"
    if embeds:
        binary = _Binary(source, document)
        binary.take_buffers()
        binary.take_images()
    sides: dict[str, bytes | Path] = {}
    named = {os.path.normpath(name): name for name in _relative_names(document)}
    if os.path.realpath(source.path.parent) != os.path.realpath(output.parent):
        sides |= {normal: _beside(source, name) for normal, name in named.items()}
    if embeds:
        return Package(glb_bytes(document, binary.data), sides)
    first = next(iter(_objects(document, "buffers")), None)
    if first is not None and "uri" not in first and source.binary is not None:
        name, number = f"{output.stem}.bin", 0
        while name in named:
            number += 1
            name = f"{output.stem}_{number}.bin"
        sides[name] = _cut(source.binary, first, 0)
        first["uri"] = quote(name)
    return Package(gltf_bytes(document), sides)


def named_files(document: Document) -> Iterator[Path]:
    """Yield a document's own file and those that it names, wherever in it."""
    yield document.path
    for name in _relative_names(document.json):
        yield document.path.parent / name


def missing_files(document: Document) -> Iterator[Issue]:
    """Yield what a document names beside it and is not there: without a buffer nobody can open it.

    Images are a warning.
    """
    for kind, severity in (("buffers", Severity.ERROR), ("images", Severity.WARNING)):
        for index, item in enumerate(items_of(document.json, kind)):
            uri = member_of(item, "uri")
            if not isinstance(uri, str) or not _is_relative(uri):
                continue
            name, size = one_line(unquote(uri)), -1
            with suppress(OSError, ValueError):  # no name that any file could have
                size = (document.path.parent / unquote(uri)).stat().st_size
            whole = member_of(item, "byteLength")
            if size >= (whole if isinstance(whole, int) else 0):
                continue
            message = f'There is no file "{name}" beside the document.'
            if size >= 0:
                message = f'The file "{name}" is cut off: of {whole} bytes it has {size}.'
            fix = "Keep a .gltf and the files that it names together, or write a .glb."
            yield Issue(severity, "file-missing", f"/{kind}/{index}", message, fix)


class _Binary:
    """The binary chunk of a .glb file, while it is filled."""

    def __init__(self, source: Document, document: JsonObject) -> None:
        self.data: bytearray | None = None
        self._source = source
        self._document = document

    def take_buffers(self) -> None:
        """Put all buffers into the chunk, in their order."""
        buffers = _objects(self._document, "buffers")
        kept: list[JsonObject] = []
        places: dict[int, tuple[int, int]] = {}
        first: JsonObject | None = None
        for index, buffer in enumerate(buffers):
            data = self._content(buffer, index)
            if data is not None and (first is None or set(buffer) <= PLAIN):
                places[index] = (0, self._add(data))
                first = first or buffer
                continue
            if data is not None:
                text = base64.b64encode(data).decode()
                buffer["uri"] = f"data:application/octet-stream;base64,{text}"
            kept.append(buffer)
            places[index] = (len(kept), 0)
        if self.data is None:
            return
        whole: JsonObject = {key: value for key, value in (first or {}).items() if key != "uri"}
        whole["byteLength"] = len(self.data)
        self._document["buffers"] = [whole, *kept]
        for view in _objects(self._document, "bufferViews"):
            for owner in (view, *object_of(view, "extensions").values()):
                _lead(owner, places)

    def take_images(self) -> None:
        """Put images that lie beside the document into the chunk."""
        for index, image in enumerate(_objects(self._document, "images")):
            uri = image.get("uri")
            if not isinstance(uri, str) or not _is_relative(uri):
                continue
            data = _read(_beside(self._source, unquote(uri), f"Image {index}"), f"Image {index}")
            kinds = (kind for at, start, kind in STARTS if data[at:].startswith(start))
            kind = image.get("mimeType") or next(kinds, None)
            if not kind:
                message = f"Image {index} is of a kind that is not known: {unquote(uri)}."
                raise DocumentError(message)
            image["mimeType"] = kind
            image["bufferView"] = self._view_of(data)
            del image["uri"]

    def _view_of(self, data: bytes) -> int:
        """Add data, and return the buffer view that is it."""
        starts_new = self.data is None
        at = self._add(data)
        buffers, views = (_list(self._document, key) for key in ("buffers", "bufferViews"))
        if starts_new:
            for view in _objects(self._document, "bufferViews"):
                _lead(view, {index: (index + 1, 0) for index in range(len(buffers))})
            buffers.insert(0, {"byteLength": 0})
        whole = buffers[0]
        if isinstance(whole, dict) and self.data is not None:
            whole["byteLength"] = len(self.data)
        views.append({"buffer": 0, "byteOffset": at, "byteLength": len(data)})
        return len(views) - 1

    def _add(self, data: bytes) -> int:
        """Add data, and return where it begins."""
        if self.data is None:
            self.data = bytearray()
        self.data += b"\0" * (-len(self.data) % ALIGNED)
        self.data += data
        return len(self.data) - len(data)

    def _content(self, buffer: JsonObject, index: int) -> bytes | None:
        """Return what a buffer holds; None of one without data, which an extension fills."""
        uri, what = buffer.get("uri"), f"Buffer {index}"
        if not isinstance(uri, str) or uri.startswith("data:"):
            data = content_of(self._source, buffer, index)
            return _cut(data, buffer, index) if isinstance(data, bytes) else None
        if not _is_relative(uri):
            raise DocumentError(f"{what} is elsewhere and is not fetched: {uri[:80]}.")
        return _cut(_read(_beside(self._source, unquote(uri), what), what), buffer, index)


def _lead(owner: Json, places: dict[int, tuple[int, int]]) -> None:
    """Have a buffer view, or an extension of it, lead to where its data is now."""
    if not isinstance(owner, dict):
        return
    index = owner.get("buffer")
    if isinstance(index, bool) or not isinstance(index, int) or index not in places:
        return
    buffer, start = places[index]
    owner["buffer"] = buffer
    offset = owner.get("byteOffset", 0)
    if start and isinstance(offset, int):
        owner["byteOffset"] = offset + start


def _cut(data: bytes, buffer: JsonObject, index: int) -> bytes:
    """Return as many bytes as a buffer says that it has."""
    length = buffer.get("byteLength")
    if isinstance(length, bool) or not isinstance(length, int) or length < 0:
        raise DocumentError(f"Buffer {index} does not say its byteLength.")
    if len(data) < length:
        message = f"Buffer {index} is cut off: it should have {length} bytes, it has {len(data)}."
        raise DocumentError(message)
    return data[:length]


def _relative_names(value: Json, key: str = "") -> Iterator[str]:
    """Yield the files beside a document that any ``uri`` in it names."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name != "extras":
                yield from _relative_names(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _relative_names(item)
    elif key == "uri" and isinstance(value, str) and _is_relative(value):
        yield unquote(value)


def _is_relative(uri: str) -> bool:
    """Return whether a URI names a file beside the document, and not data or a server."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return False
    return bool(uri) and not parts.scheme and not parts.netloc


def _beside(source: Document, name: str, what: str = "") -> Path:
    """Return a file below the folder of a document, from which it can also go below another."""
    what = what or f'"{name}"'
    found = file_below(source.path, name, what)
    normal = os.path.normpath(name)
    if os.path.isabs(name) or normal.split(os.sep)[0] == os.pardir:
        message = f"{what} is not taken along: its name leads out of the folder of the document."
        raise DocumentError(message)
    return found


def _read(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DocumentError(f"{what} cannot be read: {error.strerror}.") from None


def _list(document: JsonObject, key: str) -> list[Json]:
    """Return an array of a document, which is made where it is missing."""
    value = document.setdefault(key, [])
    if not isinstance(value, list):
        raise DocumentError(f"{key} must be an array.")
    return value


def _objects(document: JsonObject, key: str) -> list[JsonObject]:
    """Return the items of an array, all of which must be objects."""
    items = document.get(key)
    if items is None:
        return []
    found = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    if not isinstance(items, list) or len(found) != len(items):
        raise DocumentError(f"{key} must be an array of objects.")
    return found
