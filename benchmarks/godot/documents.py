# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases as glTF files for Godot, spelled by the product, and read as anybody would."""

from __future__ import annotations

import base64
import struct
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document import load
from omi_physics_joint.gltf.json_text import Json, JsonObject, text_of
from omi_physics_joint.gltf.numbering import Numbering
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.write import spell
from omi_physics_joint.model.frames import placements
from omi_physics_joint.model.godot.written import written
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.transform import IDENTITY
from omi_physics_joint.model.validate import check

from .building import Case, Points, Triangles

OLDER_ENGINE = frozenset({"godot-hard-limits", "godot-springs"})
"""What Check says of the engine that is not measured here."""
FLOAT, SHORT = 5126, 5123
"""Component types of accessors."""


def write(
    case: Case,
    path: Path,
    target: Target = Target.GODOT,
    spoken: Collection[Spoken] = (Spoken.OMI,),
) -> None:
    """Write a case as a file for Godot as it is, or as specified, in one or more dialects."""
    mechanism = written(case.mechanism) if target is Target.GODOT else case.mechanism
    nodes, roots, index = _nodes(mechanism)
    numbering = Numbering(index, {i: i for i in range(len(case.meshes))})
    spelling = spell(mechanism, numbering, spoken=spoken, target=target)
    for at, extensions in spelling.nodes.items():
        nodes[at]["extensions"] = dict(extensions)
    document: JsonObject = {
        "asset": {"version": "2.0"},
        "extensionsUsed": list(spelling.extensions_used),
        "extensions": dict(spelling.document),
        **({"extras": spelling.extras} if spelling.extras else {}),
        "scene": 0,
        "scenes": [{"nodes": list(roots)}],
        "nodes": list(nodes),
        **_meshes(case.meshes),
    }
    path.write_text(text_of(document), "utf-8")


def named_by_check(path: Path) -> list[str]:
    """Return the codes of what Check says of a file for Godot with Jolt."""
    reading = read(load(path).json)
    issues = (*reading.issues, *check(reading.mechanism, target=reading.target))
    return sorted({issue.code for issue in issues} - OLDER_ENGINE)


def _nodes(mechanism: Mechanism) -> tuple[list[JsonObject], list[int], dict[int, int]]:
    """Return nodes, which of them are roots, and where each node of the mechanism is."""
    nodes: list[JsonObject] = []
    children: dict[int | None, list[int]] = defaultdict(list)
    index: dict[int, int] = {}
    outer: list[tuple[int, int | None]] = []
    for at, node in enumerate(mechanism.nodes):
        above = IDENTITY if node.parent is None else mechanism.nodes[node.parent].world
        chain = placements(above, node.world)
        for place, placement in enumerate(chain):
            if place:
                children[len(nodes) - 1].append(len(nodes))
            else:
                outer.append((len(nodes), node.parent))
            nodes.append(
                {
                    "name": node.name if place == len(chain) - 1 else f"{node.name} holder",
                    "translation": list(placement.translation),
                    "rotation": list(placement.rotation),
                    "scale": list(placement.scale),
                }
            )
        index[at] = len(nodes) - 1
    for first, parent in outer:
        children[None if parent is None else index[parent]].append(first)
    for owner, below in children.items():
        if owner is not None:
            nodes[owner]["children"] = list(below)
    return nodes, children[None], index


def _meshes(meshes: Sequence[tuple[Points, Triangles]]) -> JsonObject:
    """Return the members of a document that hold its meshes."""
    if not meshes:
        return {}
    data = b""
    views: list[Json] = []
    accessors: list[Json] = []
    entries: list[Json] = []
    for points, triangles in meshes:
        parts: list[tuple[bytes, JsonObject]]
        columns = list(zip(*points, strict=True))
        corners = [corner for triangle in triangles for corner in triangle]
        parts = [
            (
                b"".join(struct.pack("<3f", *point) for point in points),
                {
                    "componentType": FLOAT,
                    "type": "VEC3",
                    "count": len(points),
                    "min": [min(column) for column in columns],
                    "max": [max(column) for column in columns],
                },
            ),
            (
                struct.pack(f"<{len(corners)}H", *corners),
                {"componentType": SHORT, "type": "SCALAR", "count": len(corners)},
            ),
        ]
        for values, members in parts:
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(values)})
            data += values + bytes(-len(values) % 4)
            accessors.append({"bufferView": len(views) - 1, **members})
        primitive: JsonObject = {
            "attributes": {"POSITION": len(accessors) - 2},
            "indices": len(accessors) - 1,
        }
        entries.append({"primitives": [primitive]})
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return {
        "buffers": [{"uri": uri, "byteLength": len(data)}],
        "bufferViews": views,
        "accessors": accessors,
        "meshes": entries,
    }
