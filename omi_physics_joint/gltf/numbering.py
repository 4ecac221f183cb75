# SPDX-License-Identifier: GPL-3.0-or-later
"""Where nodes and meshes of a mechanism are in the file that is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .json_text import Json


@dataclass(slots=True)
class Numbering:
    """Indices in the file of what a mechanism has.

    Attributes:
        nodes: index of every node of the mechanism that is in the file.
        meshes: index of every mesh of the mechanism that is in the file.
        holders: of meshes of the file, a node that holds it and nothing below it.
        count: nodes that the file has.
        added: meshes of the file that nodes beyond those have to hold, since no other does.
    """

    nodes: Mapping[int, int]
    meshes: Mapping[int, int]
    holders: Mapping[int, Sequence[int]] = field(default_factory=dict)
    count: int = 0
    added: list[int] = field(default_factory=list)

    def holder_of(self, mesh: int, own: int) -> int:
        """Return a node that holds a mesh of the file: best the one that asks, else one more."""
        known = self.holders.get(mesh, ())
        if known:
            return own if own in known else known[0]
        if mesh not in self.added:
            self.added.append(mesh)
        return self.count + self.added.index(mesh)


def holders_of(nodes: Sequence[Mapping[str, Json]]) -> dict[int, list[int]]:
    """Return, by mesh, the nodes of a document that hold it alone: no skin, nothing below."""
    holders: dict[int, list[int]] = {}
    for index, node in enumerate(nodes):
        mesh = node.get("mesh")
        if isinstance(mesh, int) and not node.get("children") and node.get("skin") is None:
            holders.setdefault(mesh, []).append(index)
    return holders
