# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as files beside a robot's file: binary STL, which every reader of either format has."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path

from ...model.contents import ContentsError
from ..robot import Surface
from .stl import write_stl

LONGEST = 60
"""Letters of a file's name."""


@dataclass(slots=True)
class MeshFiles:
    """The files of one robot in a folder beside its own, each mesh once."""

    folder: str
    files: dict[str, bytes | Path] = field(default_factory=dict)
    """What each holds, by its path relative to the robot's file."""
    names: list[str] = field(default_factory=list)
    """Of meshes in the robot's file; that of a mesh's file has an ending besides."""
    _known: dict[int, tuple[str, Surface]] = field(default_factory=dict)

    def name(self, surface: Surface) -> str:
        """Return the name of a mesh, and note its file.

        Raises:
            ContentsError: it has points that no file of this form can say.
        """
        if id(surface) not in self._known:
            plain, taken = _plain(surface.name), {name.lower() for name in self.names}
            names = chain([plain], (f"{plain}_{number}" for number in count(2)))
            name = next(name for name in names if name.lower() not in taken)
            self.names.append(name)
            try:
                self.files[f"{self.folder}/{name}.stl"] = write_stl(surface)
            except OverflowError:
                message = f"The mesh {surface.name!a} has points farther away than STL can say."
                raise ContentsError(message) from None
            self._known[id(surface)] = (name, surface)
        return self._known[id(surface)][0]


def _plain(name: str) -> str:
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in name)
    return kept[:LONGEST].strip("_") or "mesh"
