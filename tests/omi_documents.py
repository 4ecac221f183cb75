# SPDX-License-Identifier: GPL-3.0-or-later
"""Small glTF documents to start tests from."""

from __future__ import annotations

import base64
import json
import struct
from copy import deepcopy
from typing import Any

from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.for_whom import Audience
from omi_physics_joint.gltf.read import Reading, read
from omi_physics_joint.model.geometry.frames import placements
from omi_physics_joint.model.geometry.transform import IDENTITY
from omi_physics_joint.model.joint import JointSettings
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.target import Target

FIXED: dict[str, Any] = {"linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0}


def door() -> dict[str, Any]:
    """Return a door (dynamic) on a hinge in a frame (static); the joint is below the door."""
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_joint", "OMI_physics_shape"],
        "extensions": {
            "OMI_physics_joint": {
                "physicsJoints": [
                    {
                        "name": "Hinge",
                        "limits": [
                            deepcopy(FIXED),
                            {"angularAxes": [0, 1], "min": 0.0, "max": 0.0},
                            {"angularAxes": [2], "min": 0.0, "max": 1.5},
                        ],
                    }
                ]
            },
            "OMI_physics_shape": {"shapes": [{"type": "box", "box": {"size": [1.0, 2.0, 0.1]}}]},
        },
        "scenes": [{"nodes": [0, 2]}],
        "scene": 0,
        "nodes": [
            {"name": "Frame", "children": [1], "extensions": body({"motion": {"type": "static"}})},
            {"name": "Frame Attachment", "translation": [0.5, 0.0, 0.0]},
            {
                "name": "Door",
                "children": [3],
                "translation": [1.0, 0.0, 0.0],
                "extensions": body({"motion": {"type": "dynamic"}, "collider": {"shape": 0}}),
            },
            {
                "name": "Door Hinge",
                "translation": [-0.5, 0.0, 0.0],
                "extensions": {"OMI_physics_joint": {"joint": 0, "connectedNode": 1}},
            },
        ],
    }


def keyed_door() -> dict[str, Any]:
    """Return the door with an upper bound that goes from 0.5 to 1.5 rad in a second."""
    gltf = door()
    data = struct.pack("<4f", 0.0, 1.0, 0.5, 1.5)
    uri = f"data:application/octet-stream;base64,{base64.b64encode(data).decode()}"
    gltf["buffers"] = [{"byteLength": 16, "uri": uri}]
    gltf["bufferViews"] = [{"buffer": 0, "byteLength": 8, "byteOffset": start} for start in (0, 8)]
    gltf["accessors"] = [
        {"bufferView": view, "componentType": 5126, "type": "SCALAR", "count": 2} for view in (0, 1)
    ]
    pointer = "/extensions/OMI_physics_joint/physicsJoints/0/limits/2/max"
    own = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}
    gltf["animations"] = [
        {"channels": [{"sampler": 0, "target": own}], "samplers": [{"input": 0, "output": 1}]}
    ]
    gltf["extensionsUsed"].append("KHR_animation_pointer")
    return gltf


def joint_of(gltf: dict[str, Any]) -> dict[str, Any]:
    """Return the joint extension of the door's hinge."""
    found: dict[str, Any] = gltf["nodes"][3]["extensions"]["OMI_physics_joint"]
    return found


def shapes_of(gltf: dict[str, Any]) -> list[Any]:
    """Return the shapes of a document."""
    found: list[Any] = gltf["extensions"]["OMI_physics_shape"]["shapes"]
    return found


def settings_in(gltf: dict[str, Any]) -> list[Any]:
    """Return the joint settings of a document."""
    found: list[Any] = gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]
    return found


def body(members: dict[str, Any]) -> dict[str, Any]:
    """Return the extensions of a node with these members of OMI_physics_body."""
    return {"OMI_physics_body": members}


def settings_of(*limits: object, drives: object = None, **others: object) -> dict[str, Any]:
    """Return the door with these limits and drives for its joint."""
    gltf = door()
    item: dict[str, Any] = {"limits": deepcopy(list(limits)), **others}
    if drives is not None:
        item["drives"] = deepcopy(drives)
    gltf["extensions"]["OMI_physics_joint"]["physicsJoints"] = [item]
    return gltf


def read_settings(
    *limits: object, drives: object = None, **others: object
) -> tuple[JointSettings, Reading]:
    """Return what is read of joint settings with these limits and drives."""
    reading = read(settings_of(*limits, drives=drives, **others))
    return reading.mechanism.settings[0], reading


def codes(reading: Reading) -> list[str]:
    """Return the codes of all issues."""
    return [issue.code for issue in reading.issues]


def glb(gltf: dict[str, Any], binary: bytes = b"") -> bytes:
    """Return the bytes of a .glb file."""
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    if binary:
        binary += b"\0" * (-len(binary) % 4)
        chunks += struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def document_of(mechanism: Mechanism, target: Target = Target.SPECIFIED) -> dict[str, Any]:
    """Return a document with the nodes of a mechanism, numbered alike, and its physics."""
    nodes: list[dict[str, Any]] = []
    for node in mechanism.nodes:
        above = IDENTITY if node.parent is None else mechanism.nodes[node.parent].world
        (placement,) = placements(above, node.world)
        parts = ("translation", "rotation", "scale")
        nodes.append({"name": node.name} | {part: [*getattr(placement, part)] for part in parts})
    for index, node in enumerate(mechanism.nodes):
        if node.parent is not None:
            nodes[node.parent].setdefault("children", []).append(index)
    same = {index: index for index in range(len(nodes))}
    spelling = Audience(target).spell(mechanism, Numbering(same, {}))
    for index, extensions in spelling.nodes.items():
        nodes[index]["extensions"] = extensions
    roots = [index for index, node in enumerate(mechanism.nodes) if node.parent is None]
    document: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "extensionsUsed": list(spelling.extensions_used),
        "extensions": spelling.document,
        "scenes": [{"nodes": roots}],
        "nodes": nodes,
    }
    return document | ({"extras": spelling.extras} if spelling.extras else {})
