# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases as glTF files for Godot, spelled by the product, and read as anybody would."""

from __future__ import annotations

import base64
import struct
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from omi_physics_joint.gltf.animated.keyed import POINTER, Channel
from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.document.json_text import Json, JsonObject, text_of
from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.for_whom import Audience
from omi_physics_joint.gltf.read import read_document
from omi_physics_joint.library.motion.from_file import measured_mechanism
from omi_physics_joint.library.offered import check as checked
from omi_physics_joint.model.geometry.frames import placements
from omi_physics_joint.model.geometry.transform import IDENTITY
from omi_physics_joint.model.godot.written import written
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.readers import USUAL, Reader
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import check

from .building import Case, Points, Triangles
from .judging import weighed

OLDER_ENGINE = frozenset({"godot-hard-limits", "godot-springs"})
"""What Check says of the engine that is not measured here."""
FLOAT, SHORT, BYTE = 5126, 5123, 5121
"""Component types of accessors."""


def write(
    case: Case,
    path: Path,
    target: Target = Target.GODOT,
    spoken: Collection[Spoken] = (Spoken.OMI,),
) -> None:
    """Write a case as a file for Godot as it is, or as specified, in one or more dialects."""
    mechanism = case.mechanism
    if target is Target.GODOT:
        mechanism = written(weighed(replace(case, played=None)))
    nodes, roots, index = _nodes(mechanism)
    numbering = Numbering(index, {i: i for i in range(len(case.meshes))})
    spelling = Audience(target, spoken).spell(mechanism, numbering)
    for at, extensions in spelling.nodes.items():
        nodes[at]["extensions"] = dict(extensions)
    numbers = Numbers()
    told = [*spelling.extensions_used, *([POINTER] if spelling.channels else [])]
    document: JsonObject = {
        "asset": {"version": "2.0"},
        "extensionsUsed": list(told),
        "extensions": dict(spelling.document),
        **({"extras": spelling.extras} if spelling.extras else {}),
        "scene": 0,
        "scenes": [{"nodes": list(roots)}],
        "nodes": list(nodes),
        **_meshes(case.meshes, numbers),
        **_animations(spelling.channels, numbers),
        **numbers.members(),
    }
    path.write_text(text_of(document), "utf-8")


def named_by_check(
    path: Path, readers: frozenset[Reader] = USUAL, *, tries: bool = False
) -> list[str]:
    """Return the codes of what ``check`` says of a file to some readers, with Jolt; and tried."""
    found = checked(path, readers, tries=tries)
    return sorted({issue.code for issue in found} - OLDER_ENGINE)


def throws_back(path: Path) -> bool:
    """Return whether Check says that Godot throws back at limits; meshes are measured."""
    document = load(path)
    reading = read_document(document)
    mechanism, _ = measured_mechanism(document, reading.mechanism)
    issues = check(mechanism, target=reading.audience.target)
    return any(issue.code == "godot-stops" for issue in issues)


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


class Numbers:
    """The numbers of a document, in one buffer."""

    def __init__(self) -> None:
        self._data = b""
        self._views: list[Json] = []
        self._accessors: list[Json] = []

    def add(self, values: bytes, **members: Json) -> int:
        """Add an accessor and return its index."""
        self._views.append({"buffer": 0, "byteOffset": len(self._data), "byteLength": len(values)})
        self._data += values + bytes(-len(values) % 4)
        self._accessors.append({"bufferView": len(self._views) - 1, **members})
        return len(self._accessors) - 1

    def scalars(self, values: Sequence[float], *, whole: bool = False) -> int:
        """Add single numbers, as bytes where they stand for true and false."""
        data = bytes(map(int, values)) if whole else struct.pack(f"<{len(values)}f", *values)
        kind = BYTE if whole else FLOAT
        ends: JsonObject = {"min": [min(values)], "max": [max(values)]}
        return self.add(data, componentType=kind, type="SCALAR", count=len(values), **ends)

    def members(self) -> JsonObject:
        """Return the members of a document that hold them."""
        if not self._accessors:
            return {}
        uri = "data:application/octet-stream;base64," + base64.b64encode(self._data).decode()
        return {
            "buffers": [{"uri": uri, "byteLength": len(self._data)}],
            "bufferViews": self._views,
            "accessors": self._accessors,
        }


def _meshes(meshes: Sequence[tuple[Points, Triangles]], numbers: Numbers) -> JsonObject:
    """Return the members of a document that say its meshes."""
    entries: list[Json] = []
    for points, triangles in meshes:
        columns = list(zip(*points, strict=True))
        corners = [corner for triangle in triangles for corner in triangle]
        positions = numbers.add(
            b"".join(struct.pack("<3f", *point) for point in points),
            componentType=FLOAT,
            type="VEC3",
            count=len(points),
            min=[min(column) for column in columns],
            max=[max(column) for column in columns],
        )
        indices = numbers.add(
            struct.pack(f"<{len(corners)}H", *corners),
            componentType=SHORT,
            type="SCALAR",
            count=len(corners),
        )
        entries.append(
            {"primitives": [{"attributes": {"POSITION": positions}, "indices": indices}]}
        )
    return {"meshes": entries} if entries else {}


def _animations(channels: Sequence[Channel], numbers: Numbers) -> JsonObject:
    """Return the members of a document that say its animated settings, as one animation."""
    samplers: list[Json] = []
    said: list[Json] = []
    for channel in channels:
        keys = channel.keys
        samplers.append(
            {
                "input": numbers.scalars(keys.times),
                "output": numbers.scalars(keys.values, whole=channel.is_flag),
                "interpolation": "STEP" if keys.is_stepped else "LINEAR",
            }
        )
        pointer: JsonObject = {POINTER: {"pointer": channel.pointer}}
        said.append(
            {"sampler": len(samplers) - 1, "target": {"path": "pointer", "extensions": pointer}}
        )
    animation: JsonObject = {"name": "Settings", "channels": said, "samplers": samplers}
    return {"animations": [animation]} if said else {}
