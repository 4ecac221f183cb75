# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases as glTF files in Khronos' extensions, spelled by the product."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from benchmarks.godot.building import Case
from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.json_text import Json, JsonObject, text_of
from omi_physics_joint.gltf.numbering import Numbering
from omi_physics_joint.gltf.patching import patched
from omi_physics_joint.gltf.write import spell
from omi_physics_joint.model.frames import placements
from omi_physics_joint.model.transform import IDENTITY


def write(case: Case, path: Path) -> None:
    """Write a case, whose frames have no shear, as a file for readers of Khronos' extensions."""
    mechanism = case.mechanism
    children: dict[int | None, list[Json]] = defaultdict(list)
    nodes: list[JsonObject] = []
    for index, node in enumerate(mechanism.nodes):
        above = IDENTITY if node.parent is None else mechanism.nodes[node.parent].world
        (place,) = placements(above, node.world)
        children[node.parent].append(index)
        nodes.append(
            {
                "name": node.name,
                "translation": list(place.translation),
                "rotation": list(place.rotation),
                "scale": list(place.scale),
            }
        )
    for owner, below in children.items():
        if owner is not None:
            nodes[owner]["children"] = below
    bare: JsonObject = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": children[None]}],
        "nodes": list(nodes),
    }
    same = Numbering({i: i for i in range(len(nodes))}, {})
    path.write_text(text_of(patched(bare, spell(mechanism, same, spoken=(Spoken.KHR,)))), "utf-8")
