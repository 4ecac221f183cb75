# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF files with physics of every kind, and the same files damaged at random."""

from __future__ import annotations

import base64
import copy
import json
import struct
from pathlib import Path
from random import Random
from typing import Any

from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.write import spell
from omi_physics_joint.model.geometry.transform import inverse, multiply
from tests.blender.mechanisms import random_mechanism

NASTY: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 3, 2**31, 10**400, 0.5, -0.0, 1e-320, 1e39, 1e300),
    *(float("inf"), float("nan"), "", "linear", "\ud800\n", "a" * 300, [], {}, [[]]),
    *([0, 0, 0, 0], [1e300, 0, 0], {"extras": {}}, [None, {}], {"mesh": 0}),
)
CORNERS = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
FACES = [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6]
JSON_CHUNK = 0x4E4F534A


def document(chance: Random) -> dict[str, Any]:
    """Return a sound document with a few random mechanisms; some of its nodes are a skin's."""
    mechanism = random_mechanism(chance.randrange(2**31), chance.randint(1, 3))
    data = b"".join(struct.pack("<3f", *corner) for corner in CORNERS) + bytes(FACES)
    same = {index: index for index in range(len(mechanism.nodes))}
    spelled = spell(mechanism, Numbering(same, {0: 0, 1: 1}))
    nodes: list[dict[str, Any]] = []
    for index, node in enumerate(mechanism.nodes):
        local = node.world
        if node.parent is not None:
            local = multiply(inverse(mechanism.nodes[node.parent].world), node.world)
        columns = [local[row][column] for column in range(4) for row in range(4)]
        nodes.append({"name": node.name, "matrix": columns})
        if index in spelled.nodes:
            nodes[-1]["extensions"] = spelled.nodes[index]
        if node.parent is not None:
            nodes[node.parent].setdefault("children", []).append(index)
        if chance.random() < 0.2:
            nodes[-1]["mesh"] = chance.randrange(2)
    found: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "extensionsUsed": sorted(spelled.document) or [],
        "extensions": spelled.document,
        "scene": 0,
        "scenes": [{"nodes": [i for i, one in enumerate(mechanism.nodes) if one.parent is None]}],
        "nodes": nodes,
        "buffers": [{"byteLength": len(data), "uri": _uri(data)}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 96},
            {"buffer": 0, "byteOffset": 96, "byteLength": len(FACES)},
        ],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": 8,
                "type": "VEC3",
                "min": [-0.5] * 3,
                "max": [0.5] * 3,
            },
            {"bufferView": 1, "componentType": 5121, "count": len(FACES), "type": "SCALAR"},
        ],
        "meshes": [
            {"name": name, "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}
            for name in ("Hull", "Floor")
        ],
    }
    if chance.random() < 0.3:
        bones = chance.sample(range(len(nodes)), chance.randint(1, len(nodes)))
        found["skins"] = [{"joints": [index for index in bones if "mesh" not in nodes[index]]}]
    return found


def _uri(data: bytes) -> str:
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()


def places(value: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401 - any JSON
    """Return every container of a JSON value with each of its keys."""
    found: list[tuple[Any, Any]] = []
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        found.append((value, key))
        if isinstance(item, dict | list):
            found += places(item)
    return found


def _container(value: Any) -> Any:  # noqa: ANN401 - any JSON
    return value if isinstance(value, dict | list) else []


def damage(gltf: dict[str, Any], chance: Random) -> None:
    """Replace, remove, double and swap values; physics more often than the rest."""
    for _ in range(chance.randint(1, 6)):
        every = places(gltf)
        near = [place for place in every if place[1] == "extensions"]
        near = [
            one for holder, key in near if holder[key] for one in places(_container(holder[key]))
        ]
        container, key = chance.choice(near if near and chance.random() < 0.7 else every)
        action = chance.randrange(4)
        if action == 0:
            del container[key]
        elif action == 1 and isinstance(container, list):
            container.append(copy.deepcopy(container[key]))
        elif action == 2:
            other, other_key = chance.choice(every)
            container[key] = copy.deepcopy(other[other_key])
        else:
            container[key] = copy.deepcopy(chance.choice(NASTY))


def write(gltf: dict[str, Any], path: Path, chance: Random, *, hurt: bool) -> None:
    """Write a document as .gltf or .glb; the bytes of some are hurt as well."""
    text = json.dumps(gltf).encode("utf-8", "replace")
    data = text if path.suffix == ".gltf" else _glb(text)
    if hurt and chance.random() < 0.2:
        data = bytearray(data)
        if chance.random() < 0.5:
            del data[chance.randrange(len(data)) :]
        for _ in range(chance.randint(1, 8)):
            if data:
                data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(bytes(data))


def _glb(text: bytes) -> bytes:
    text += b" " * (-len(text) % 4)
    chunk = struct.pack("<II", len(text), JSON_CHUNK) + text
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunk)) + chunk
