# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents as the bytes of a .gltf or a .glb file. Source: glTF 2.0, "GLB File Format"."""

from __future__ import annotations

import json

from .files import (
    BINARY_CHUNK,
    CHUNK_HEADER,
    GLB_HEADER,
    GLB_MAGIC,
    GLB_VERSION,
    JSON_CHUNK,
    DocumentError,
)
from .json_text import JsonObject

ALIGNED = 4
LARGEST = 2**32 - 1
"""Bytes: a .glb says its length in 32 bits."""


def gltf_bytes(document: JsonObject) -> bytes:
    """Return the text of a .gltf file.

    Raises:
        DocumentError: the document holds what JSON cannot.
    """
    return _text(document, indent=2) + b"\n"


def glb_bytes(document: JsonObject, binary: bytes | None) -> bytes:
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
    parts = [GLB_HEADER.pack(GLB_MAGIC, GLB_VERSION, length)]
    for kind, data in chunks:
        parts += [CHUNK_HEADER.pack(len(data), kind), data]
    return b"".join(parts)


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


def _padded(data: bytes, filler: bytes) -> bytes:
    return data + filler * (-len(data) % ALIGNED)
