# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF files as raw JSON, in and out: a reader that repairs could not list what is wrong.

Source: glTF 2.0, "GLB File Format Specification".
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from pathlib import Path

from ...files.inputs import why_closed
from ...model.contents import ContentsError
from ...model.issue import Issue
from ...model.wording.words import one_line
from .json_text import Json, JsonObject, member_of

GLB_MAGIC = b"glTF"
GLB_VERSION = 2
GLB_HEADER = struct.Struct("<4sII")
CHUNK_HEADER = struct.Struct("<II")
JSON_CHUNK = 0x4E4F534A
BINARY_CHUNK = 0x004E4942
ALIGNED = 4
LARGEST = 2**32 - 1
"""Bytes: a .glb says its length in 32 bits."""


class DocumentError(ContentsError):
    """A file that holds no glTF, or cannot; its text is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Document:
    """A glTF file as it is, or one of another format as far as glTF can say it."""

    json: JsonObject = field(repr=False)
    path: Path
    binary: bytes | None = field(default=None, repr=False)
    """Binary chunk of a .glb; None where there is none."""
    unread: tuple[Issue, ...] = ()
    """Of another format: what its file has and this has not."""


def load(path: str | Path) -> Document:
    """Read a .gltf or .glb file; what it holds decides, not its name.

    Numbers beyond double precision, Infinity and NaN are let in: they are values to judge later.

    Raises:
        DocumentError: the file is not there or cannot be read, or it holds no JSON object.
    """
    path = Path(path)
    if why := why_closed(path, named=True):
        raise DocumentError(f"The file is not read: {why}.")
    try:
        if path.stat().st_size > LARGEST:
            raise DocumentError("The file is not read: it has more than 4 GB.")
        data = path.read_bytes()
    except FileNotFoundError:
        raise DocumentError("There is no such file.") from None
    except IsADirectoryError:
        raise DocumentError("This is a folder, not a file.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DocumentError(f"The file cannot be read: {reason}.") from None
    return document_of(data, path)


def document_of(data: bytes, path: Path) -> Document:
    """Return the document that bytes are, of a file at this path; raise DocumentError if none."""
    if data.startswith(GLB_MAGIC) or path.suffix.lower() == ".glb":
        text, binary = _glb_chunks(data)
        return Document(_parse(text), path, binary)
    return Document(_parse(data), path)


def mentions(path: str | Path, word: str) -> bool:
    """Return whether the JSON of a file may hold a word; it is not parsed for that.

    True where words are spelled with escapes, and where the file cannot be read: a reader says why.
    """
    headers = GLB_HEADER.size + CHUNK_HEADER.size
    try:
        with Path(path).open("rb") as file:
            start = file.read(headers)
            if start.startswith(GLB_MAGIC) and len(start) == headers:
                text = file.read(CHUNK_HEADER.unpack_from(start, GLB_HEADER.size)[0])
            else:
                text = start + file.read()
    except OSError:
        return True
    return word.encode() in text or b"\\u" in text


def gltf_bytes(document: JsonObject) -> bytes:
    """Return the text of a .gltf file.

    Raises:
        DocumentError: the document holds what JSON cannot.
    """
    return _text(document, indent=2) + b"\n"


def glb_bytes(document: JsonObject, binary: bytes | bytearray | None) -> bytes:
    """Return a .glb file; of None it has no binary chunk.

    Raises:
        DocumentError: the document holds what JSON cannot, or is too large.
    """
    chunks = [(JSON_CHUNK, _padded(_text(document, indent=None), b" "))]
    if binary is not None:
        chunks.append((BINARY_CHUNK, _padded(binary, b"\0")))
    length = GLB_HEADER.size + sum(CHUNK_HEADER.size + len(data) for _, data in chunks)
    if length > LARGEST:
        message = f"A .glb file holds no more than 4 GB, and this would have {length} bytes."
        raise DocumentError(message)
    parts: list[bytes | bytearray] = [GLB_HEADER.pack(GLB_MAGIC, GLB_VERSION, length)]
    for kind, data in chunks:
        parts += [CHUNK_HEADER.pack(len(data), kind), data]
    return b"".join(parts)


def _glb_chunks(data: bytes) -> tuple[bytes, bytes | None]:
    """Return the JSON chunk and the binary chunk of a .glb file."""
    if len(data) < GLB_HEADER.size:
        message = f"The file is cut off: a .glb has a header of 12 bytes, this has {len(data)}."
        raise DocumentError(message)
    magic, version, length = GLB_HEADER.unpack_from(data)
    if magic != GLB_MAGIC:
        raise DocumentError('This is no .glb file: it does not begin with "glTF".')
    if version != GLB_VERSION:
        message = f"This is a .glb file of version {version}; only version 2 can be read."
        raise DocumentError(message)
    if length != len(data):
        found = "is cut off" if length > len(data) else "is too long"
        message = f"The file {found}: its header says {length} bytes, it has {len(data)}."
        raise DocumentError(message)
    chunks: dict[int, bytes] = {}
    offset = GLB_HEADER.size
    while offset < length:
        if offset + CHUNK_HEADER.size > length:
            message = f"The file is cut off inside the header of a chunk at byte {offset}."
            raise DocumentError(message)
        size, kind = CHUNK_HEADER.unpack_from(data, offset)
        offset += CHUNK_HEADER.size
        if offset + size > length:
            message = f"A chunk of {size} bytes at byte {offset} reaches beyond the file."
            raise DocumentError(message)
        if not chunks and kind != JSON_CHUNK:
            break
        chunks.setdefault(kind, data[offset : offset + size])
        offset += size
    if JSON_CHUNK not in chunks:
        raise DocumentError("The first chunk of the .glb file is not JSON.")
    return chunks[JSON_CHUNK], chunks.get(BINARY_CHUNK)


def _parse(data: bytes) -> JsonObject:
    try:
        value: Json = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise DocumentError(f"The file is not JSON: byte {error.start} is not UTF-8.") from None
    except json.JSONDecodeError as error:
        message = f"The file is not JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        raise DocumentError(message) from None
    except ValueError:
        message = "The file holds a whole number of more digits than can be read."
        raise DocumentError(message) from None
    except RecursionError:
        raise DocumentError("The file is nested too deeply to be read.") from None
    if not isinstance(value, dict):
        raise DocumentError("The file is JSON but no glTF: it must be an object at the top.")
    version, least = (member_of(value, "asset", key) for key in ("version", "minVersion"))
    if not str(version).startswith("2.") or least not in (None, "2.0"):
        named = f"version {one_line(str(least or version))}" if least or version else "no version"
        raise DocumentError(f"This is a glTF file of {named}; only version 2.0 can be read.")
    return value


def _text(document: JsonObject, indent: int | None) -> bytes:
    separators = None if indent else (",", ":")
    try:
        text = json.dumps(
            document, indent=indent, separators=separators, allow_nan=False, ensure_ascii=False
        )
        return text.encode()
    except UnicodeEncodeError:  # half of a character, which only an escape can hold
        return json.dumps(document, indent=indent, separators=separators).encode()
    except RecursionError:
        raise DocumentError("The file is nested too deeply to be written.") from None
    except ValueError:
        message = "The file holds a number that JSON cannot hold: infinite, or none at all."
        raise DocumentError(message) from None


def _padded(data: bytes | bytearray, filler: bytes) -> bytes | bytearray:
    return data + filler * (-len(data) % ALIGNED)
