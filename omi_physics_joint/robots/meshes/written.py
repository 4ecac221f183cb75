# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as files beside a robot's file: binary STL, which every reader of either format has."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ..robot import Surface
from .stl import write_stl

LONGEST = 60
"""Letters of a file's name."""


@dataclass(slots=True)
class MeshFiles:
    """The files of one robot, each mesh once.

    Attributes:
        folder: beside the robot's file.
        files: what each holds, by its path relative to the robot's file.
    """

    folder: str
    files: dict[str, bytes | Path] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """Name of each file, without folder, by the name that stands in the robot's file."""
    _known: dict[int, tuple[str, Surface]] = field(default_factory=dict)

    def name(self, surface: Surface) -> str:
        """Return the name of a mesh, and note its file."""
        if id(surface) not in self._known:
            stem = _unique(_plain(surface.name), {name.lower() for name in self.names})
            self.names[stem] = f"{stem}.stl"
            self.files[f"{self.folder}/{stem}.stl"] = write_stl(surface)
            self._known[id(surface)] = (stem, surface)
        return self._known[id(surface)][0]


def _plain(name: str) -> str:
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in name)
    return kept[:LONGEST].strip("_") or "mesh"


def _unique(name: str, taken: set[str]) -> str:
    number, found = 2, name
    while found.lower() in taken:
        found, number = f"{name}_{number}", number + 1
    return found
