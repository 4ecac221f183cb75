# SPDX-License-Identifier: GPL-3.0-or-later
"""Which file a mesh of a robot is: plain paths, ``package://`` and ``model://``.

A package is a folder of that name beside or above the robot's file; nothing else is looked up.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ..meshes.files import MeshError

SCHEMES = ("package://", "model://")
HIGHEST = 6
"""So many folders above the file are looked through for a package."""


def mesh_path(name: str, folder: Path) -> Path:
    """Return the file that a robot names.

    Raises:
        MeshError: it is nowhere, or named in a way that is not followed.
    """
    text = name.replace("\\", "/")
    scheme = next((one for one in SCHEMES if text.startswith(one)), "")
    if text.startswith("file://"):
        text = text.removeprefix("file://")
    elif "://" in text and not scheme:
        message = f"addresses {text.split('://')[0]}:// are not followed"
        raise MeshError(message)
    below = PurePosixPath(text.removeprefix(scheme))
    if below.is_absolute():
        message = "its path begins at the root of a disk, where nothing is read"
        raise MeshError(message)
    if not scheme:
        return folder / below
    if ".." in below.parts:
        message = "its path leads out of its package"
        raise MeshError(message)
    for place in _places(below, folder.resolve()):
        if place.is_file():
            return place
    package = below.parts[0] if below.parts else ""
    message = f"there is no such file in a folder {package!a} beside or above this one"
    raise MeshError(message)


def _places(below: PurePosixPath, folder: Path) -> Iterator[Path]:
    """Yield where a file of a package may be: the nearest first."""
    inside = PurePosixPath(*below.parts[1:])
    for above in [folder, *folder.parents][: HIGHEST + 1]:
        yield above / below
        if below.parts and above.name == below.parts[0]:
            yield above / inside
    # Packages are copied without the folder that names them.
    for above in [folder, *folder.parents][:2]:
        yield above / inside
