# SPDX-License-Identifier: GPL-3.0-or-later
"""Where nodes and meshes of a mechanism are in the file that is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .json_text import Json, object_of


@dataclass(frozen=True, slots=True)
class Numbering:
    """Indices in the file of what a mechanism has and is in it."""

    nodes: Mapping[int, int]
    meshes: Mapping[int, int]
    holders: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """Of meshes of the file, the nodes that hold it and nothing below it."""

    def holder_of(self, mesh: int, own: int) -> int | None:
        """Return a node that holds a mesh of the file, best the one that asks, if there is one."""
        known = self.holders.get(mesh, ())
        return own if own in known else next(iter(known), None)


def holders_of(nodes: Sequence[Json]) -> dict[int, list[int]]:
    """Return, by mesh, the nodes of a document that hold it alone: no skin, nothing below."""
    holders: dict[int, list[int]] = {}
    for index, node in enumerate(nodes):
        said = object_of(node)
        mesh = said.get("mesh")
        if isinstance(mesh, int) and not said.get("children") and said.get("skin") is None:
            holders.setdefault(mesh, []).append(index)
    return holders
