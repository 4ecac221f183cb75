# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of a .gltf lie beside it under the names of images, and may meet others there.

A picture never goes over one with other content that another file uses, nor over one that the
.blend itself reads; and a name that looks like a path leads nowhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote

import bpy

from ....gltf.document.files import DocumentError, load, named_files
from ....model.issue import Issue, Severity
from .. import ExportSettings, Untyped, leftovers
from .staging import Staging


def harmless_names(export_settings: ExportSettings) -> str:
    """Have images that are named like paths go by other names until the export has ended.

    Returned is why that cannot be; "" where all is well.
    """
    if export_settings["gltf_format"] != "GLTF_SEPARATE":
        return ""
    for image in list(bpy.data.images):
        name, harmless = image.name, re.sub(r"[/\\]", "_", image.name)
        if harmless == name:
            continue
        if not image.is_editable:
            return f"the image {name!r} is named like a path; rename it in its library"
        image.name = harmless
        leftovers.note(partial(setattr, image, "name", name))
    return ""


def put_apart(gltf: Untyped, staging: Staging) -> Iterator[Issue]:
    """Give pictures that would go over what others need names of their own; yield which."""
    others: list[Path] | None = None
    renamed: dict[str, str] = {}
    for image in gltf.images or ():
        uri = image.uri
        if not isinstance(uri, str) or uri in renamed:
            image.uri = renamed.get(uri, uri)
            continue
        path = staging.home / unquote(uri)
        if not path.is_file() or not _differs(path, staging.place(path)):
            continue
        if others is None:
            others = [*_inputs(), *_used_by_others(staging.target)]
        new, numbers = path, count(1)
        while (new != path and new.exists()) or (  # else it would go over one of this file
            _is_one_of(others, staging.place(new)) and _differs(path, staging.place(new))
        ):
            new = path.with_name(f"{path.stem}-{next(numbers)}{path.suffix}")
        if new != path:
            path.rename(new)
            folder = PurePosixPath(unquote(uri)).parent
            renamed[uri] = image.uri = quote(str(folder / new.name))
            why = "Another file uses a different picture of this name"
            what = f"{why}, so it is written as {new.name}."
            fix = "Give the images different names to choose them yourself."
            yield Issue(Severity.WARNING, "picture-put-apart", path.name, what, fix)


def _differs(path: Path, place: Path) -> bool:
    """Return whether there is an old picture, and it is another one."""
    if not place.is_file():
        return False
    return path.stat().st_size != place.stat().st_size or path.read_bytes() != place.read_bytes()


def _is_one_of(paths: list[Path], place: Path) -> bool:
    return place.exists() and any(os.path.samefile(path, place) for path in paths)


def _inputs() -> Iterator[Path]:
    """Yield the files that the .blend itself reads its images from."""
    for image in bpy.data.images:
        if image.filepath:
            path = Path(bpy.path.abspath(image.filepath, library=image.library))
            if path.is_file():
                yield path


def _used_by_others(target: Path) -> Iterator[Path]:
    """Yield the files that other documents in the folder of a file name."""
    for path in sorted(target.parent.glob("*.gltf")):
        if target.exists() and path.samefile(target):
            continue
        try:
            document = load(path)
        except DocumentError:
            continue
        yield from (file for file in named_files(document) if file.is_file())
