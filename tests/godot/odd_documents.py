# SPDX-License-Identifier: GPL-3.0-or-later
"""What odd files are made of: nodes, bodies and joints as no mechanism would say them."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.godot.documents import Numbers

BODY, SHAPE, JOINT = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"
KHR, IMPLICIT = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
POINTER = "KHR_animation_pointer"
Json = dict[str, Any]
DYNAMIC = {"motion": {"type": "dynamic"}}
LOCKS = [{"linearAxes": [0, 1, 2], "angularAxes": [0, 1], "min": 0, "max": 0}]
SWING = {"angularAxes": [2], "min": -0.5, "max": 0.25}


def node(name: str, *children: int, at: Any = None, **extensions: Any) -> Json:
    """Return a node of a file; a place is where it is below the node above."""
    told: Json = {"name": name}
    if children:
        told["children"] = list(children)
    if at is not None:
        told["translation"] = list(at)
    return told | ({"extensions": extensions} if extensions else {})


def document(nodes: list[Json], roots: list[int] | None = None, **others: Any) -> Json:
    """Return a file with these nodes; extensions that it uses are found."""
    extensions = others.get("extensions", {})
    used = {*extensions, *(name for one in nodes for name in one.get("extensions", {}))}
    below = {child for one in nodes for child in one.get("children", [])}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": sorted({*used, *others.pop("used", [])}),
        "scene": 0,
        "scenes": [{"nodes": roots or [at for at in range(len(nodes)) if at not in below]}],
        "nodes": nodes,
        **others,
    }


def shapes(*every: Json, family: str = SHAPE) -> Json:
    """Return the member of a document that has shapes."""
    return {family: {"shapes": list(every)}}


def on(shape: int, **others: Any) -> Json:
    """Return a dynamic body of OMI's with a shape."""
    return {BODY: {**DYNAMIC, "collider": {"shape": shape, **others}}}


def hinged(settings: list[Json], *more: Json, family: str = JOINT, **joint: Any) -> Json:
    """Return a file of a bar that a joint holds to a wall, both with no shape."""
    told = {"joint": 0, "connectedNode": 3, **joint}
    nodes = [
        node("Wall", 3, **{BODY: {"motion": {"type": "static"}}}),
        node("Bar", 2, at=(0.5, 0, 0), **{BODY: DYNAMIC}),
        node(
            "Joint",
            at=(-0.5, 0, 0),
            **({JOINT: told} if family == JOINT else {KHR: {"joint": told}}),
        ),
        node("Anchor"),
        *more,
    ]
    return document(nodes, extensions={family: {"physicsJoints": settings}})


def mesh_of(numbers: Numbers) -> Json:
    """Return the members of a document with one mesh, a wedge."""
    points = ((0, 0, 0), (0.4, 0, 0), (0, 0.3, 0), (0, 0, 0.2))
    positions = numbers.add(
        b"".join(struct.pack("<3f", *point) for point in points),
        componentType=5126,
        type="VEC3",
        count=4,
        min=[0, 0, 0],
        max=[0.4, 0.3, 0.2],
    )
    corners = (0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
    indices = numbers.add(
        struct.pack("<12H", *corners), componentType=5123, type="SCALAR", count=12
    )
    primitive = {"attributes": {"POSITION": positions}, "indices": indices}
    return {"meshes": [{"name": "Wedge", "primitives": [primitive]}], **numbers.members()}


def write_odd(folder: Path, files: Mapping[str, Json]) -> dict[str, Path]:
    """Write files, each under a sentence, and return their paths."""
    written = {}
    for number, (sentence, one) in enumerate(files.items()):
        written[sentence] = folder / f"odd{number}.gltf"
        written[sentence].write_text(json.dumps(one), "utf-8")
    return written


LISTS, SINGLES = {"children", "joints", "nodes"}, {"connectedNode", "node", "nodeA", "nodeB"}
"""Members that say which nodes something is about."""


def backwards(gltf: Json) -> Json:
    """Return a file whose nodes stand in the opposite order, and mean the same."""
    last = len(gltf.get("nodes", ())) - 1

    def other(value: Any) -> Any:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return last - value if is_number and 0 <= value <= last else value

    def told(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: told(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [other(one) if key in LISTS else told(one) for one in value]
        if isinstance(value, str) and key == "pointer":
            return re.sub(r"^/nodes/(\d+)/", lambda at: f"/nodes/{other(int(at[1]))}/", value)
        return other(value) if key in SINGLES else value

    turned: Json = {name: told(one, name) for name, one in gltf.items() if name != "nodes"}
    if "nodes" in gltf:
        turned["nodes"] = [told(one) for one in reversed(gltf["nodes"])]
    return turned
