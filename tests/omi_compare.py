# SPDX-License-Identifier: GPL-3.0-or-later
"""Two mechanisms, or two files, held against each other whatever their numbering."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import pygltflib
from omi_export import BODY, JOINT, SHAPE

from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.shape import Convex, Trimesh


def described(mechanism: Mechanism) -> dict[str, Any]:
    """Return what physics says of each node by its name, with all that is shared put in place.

    Names of shared things are left out: things of equal value become one on the way.
    """
    nodes = mechanism.nodes
    names = [node.name for node in nodes]
    assert len(set(names)) == len(names), "nodes are told apart by their names"

    def at(items: tuple[Any, ...], index: int | None) -> Any:
        if index is None:
            return None
        item = replace(items[index], name="")
        if isinstance(item, Convex | Trimesh):
            return (type(item).__name__, item.unknown)  # ``facts`` tells meshes apart
        return item

    return {
        node.name: {
            "parent": None if node.parent is None else names[node.parent],
            "world": node.world,
            "motion": node.motion,
            "unknown": node.unknown,
            "joint": node.joint
            and (
                names[node.joint.connected_node],
                node.joint.enable_collision,
                node.joint.unknown,
                canonical(at(mechanism.settings, node.joint.settings)),
            ),
            "collider": node.collider
            and (
                at(mechanism.shapes, node.collider.shape),
                at(mechanism.physics_materials, node.collider.physics_material),
                at(mechanism.collision_filters, node.collider.collision_filter),
                node.collider.unknown,
            ),
            "trigger": node.trigger
            and (
                at(mechanism.shapes, node.trigger.shape),
                tuple(names[part] for part in node.trigger.nodes),
                at(mechanism.collision_filters, node.trigger.collision_filter),
                node.trigger.unknown,
            ),
            "gravity": at(mechanism.shapes, node.gravity_shape),
        }
        for node in nodes
    }


def facts(gltf: pygltflib.GLTF2) -> dict[str, Any]:
    """Return what pygltflib finds of each node by its name: poses and all of our extensions.

    It shares no code with the add-on: defaults, older spellings and sharing are undone here anew.
    """
    document = {name: (gltf.extensions or {}).get(name, {}) for name in (JOINT, BODY, SHAPE)}
    return {
        node.name: {
            "pose": [
                *(node.translation or (0.0, 0.0, 0.0)),
                *_same_sign(node.rotation or (0.0, 0.0, 0.0, 1.0)),
                *(node.scale or (1.0, 1.0, 1.0)),
            ],
            "children": sorted(gltf.nodes[child].name for child in node.children or ()),
            "joint": _joint(gltf, node, document),
            **_body(gltf, node, document),
        }
        for node in gltf.nodes
    }


def _same_sign(q: Any) -> list[float]:
    """Return the one of two equal quaternions whose largest element is positive."""
    sign = 1.0 if max(q, key=abs) >= 0.0 else -1.0
    return [sign * x for x in q]


def _joint(gltf: pygltflib.GLTF2, node: Any, document: dict[str, Any]) -> Any:
    extension = (node.extensions or {}).get(JOINT)
    if extension is None:
        return None
    settings = document[JOINT]["physicsJoints"][extension["joint"]]
    limits = sorted(
        (
            kind,
            axis,
            limit.get("min", -inf),
            limit.get("max", inf),
            limit.get("stiffness", inf),
            limit.get("damping", 0.0),
        )
        for limit in settings.get("limits", ())
        for kind in ("linearAxes", "angularAxes")
        for axis in limit.get(kind, ())
    )
    drives = sorted(
        [key, str(value)] if isinstance(value, str) else [key, value]
        for drive in settings.get("drives", ())
        for key, value in drive.items()
    )
    other = gltf.nodes[extension["connectedNode"]].name
    return [limits, drives, other, extension.get("enableCollision", False)]


def _body(gltf: pygltflib.GLTF2, node: Any, document: dict[str, Any]) -> dict[str, Any]:
    extension = (node.extensions or {}).get(BODY, {})

    def at(key: str, part: dict[str, Any], items: list[Any]) -> Any:
        return _bare(items[part[key]]) if key in part else None

    bodies = document[BODY]
    motion = extension.get("motion")
    found: dict[str, Any] = {"motion": motion and {**_MOTION_DEFAULTS, **motion}}
    for kind in ("collider", "trigger"):
        part = extension.get(kind)
        found[kind] = part is not None and {
            "shape": _shape(gltf, at("shape", part, document[SHAPE].get("shapes", []))),
            "material": at("physicsMaterial", part, bodies.get("physicsMaterials", [])),
            "filter": at("collisionFilter", part, bodies.get("collisionFilters", [])),
            "nodes": [gltf.nodes[index].name for index in part.get("nodes", ())],
        }
    return found


def _shape(gltf: pygltflib.GLTF2, shape: Any) -> Any:
    """Return a shape with its defaults, and with the extents of its mesh.

    Where a capsule has one ``radius``, as older files have it, its height counts both ends.
    """
    if shape is None:
        return None
    kind = shape["type"]
    block = {**_SHAPE_DEFAULTS.get(kind, {}), **shape.get(kind, {})}
    if "radius" in block and kind in ("capsule", "cylinder"):
        block["radiusBottom"] = block["radiusTop"] = radius = block.pop("radius")
        block["height"] = round(block["height"] - (2 * radius if kind == "capsule" else 0), 12)
    if "mesh" in block:
        block["mesh"] = _extents(gltf, gltf.meshes[block["mesh"]])
    return {"type": kind, **block}


def _extents(gltf: pygltflib.GLTF2, mesh: Any) -> list[Any]:
    """Return what tells a mesh from others: corners of its bounds, and number of triangles."""
    positions = [gltf.accessors[part.attributes.POSITION] for part in mesh.primitives]
    indices = [gltf.accessors[part.indices].count for part in mesh.primitives]
    return [[[*bounds.min, *bounds.max] for bounds in positions], indices]


_MOTION_DEFAULTS = {
    "mass": 1.0,
    "centerOfMass": [0.0, 0.0, 0.0],
    "inertiaDiagonal": [0.0, 0.0, 0.0],
    "inertiaOrientation": [0.0, 0.0, 0.0, 1.0],
    "linearVelocity": [0.0, 0.0, 0.0],
    "angularVelocity": [0.0, 0.0, 0.0],
    "gravityFactor": 1.0,
}
_SHAPE_DEFAULTS: dict[str, dict[str, Any]] = {
    "box": {"size": [1.0, 1.0, 1.0]},
    "sphere": {"radius": 0.5},
    "capsule": {"height": 1.0, "radiusBottom": 0.5, "radiusTop": 0.5},
    "cylinder": {"height": 2.0, "radiusBottom": 0.5, "radiusTop": 0.5},
}


def _bare(item: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key not in ("name", "extras")}
