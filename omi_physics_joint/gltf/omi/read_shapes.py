# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision shapes, out of JSON. Source: OMI_physics_shape."""

from __future__ import annotations

from dataclasses import replace

from ...model.shape import SHAPE_TYPES, Box, Capsule, Convex, Cylinder, Shape, Sphere, Trimesh
from ...model.target import Target
from ...model.wording.words import one_line
from ..document.json_text import members_of, text_of
from ..document.members import Members, Table
from ..document.node_graph import vector3

SPOKEN = SHAPE_TYPES.keys() - {"plane"}
"""Types of shapes that OMI has."""


def read_shape(shape: Members, meshes: Table, target: Target = Target.SPECIFIED) -> Shape | None:
    """Read one shape; None, with an issue, where its type or its mesh is not known.

    A shape without its block has the default size, as the official ``default_box.gltf`` has it.
    In files for Godot the height of a capsule counts both of its ends.
    """
    name = shape.text("name")
    shape.named(name)
    kind = shape.text("type")
    if kind not in SPOKEN:
        if "type" not in shape.json:
            shape.error("missing-member", "The shape has no type.", "It is left out.")
        elif isinstance(shape.json["type"], str):
            message = f'There is no shape of type "{one_line(kind)}".'
            shape.error("unknown-shape-type", message, "It is left out.", "type")
        return None
    block = shape.child(kind) or Members({}, shape.place.at(kind), [])
    read = _read_block(kind, block, meshes, target)
    if read is None:
        if block.json.get("mesh") is None:
            shape.error("missing-member", f"The {kind} shape has no mesh.", "It is left out.")
        return None
    return replace(read, name=name, unknown=_unknown(shape, kind, block))


def _read_block(kind: str, block: Members, meshes: Table, target: Target) -> Shape | None:
    if kind == "box":
        return Box(vector3(block.vector("size", Box().size)))
    if kind == "sphere":
        return Sphere(block.number("radius", Sphere().radius))
    if kind in ("convex", "trimesh"):
        mesh = block.index("mesh", meshes)
        if mesh is None:
            return None
        return Convex(mesh) if kind == "convex" else Trimesh(mesh)
    return _read_round(Capsule() if kind == "capsule" else Cylinder(), block, target)


def _read_round(default: Capsule | Cylinder, block: Members, target: Target) -> Shape:
    """Read a capsule or a cylinder.

    Until September 2024 both had one ``radius``, as four official examples still have, and the
    height of a capsule was its whole height; so it is in files of Godot, and in those for Godot.
    """
    bottom, top = default.radius_bottom, default.radius_top
    said = block.has("radiusBottom") or block.has("radiusTop")
    older = block.has("radius")
    if older:
        bottom = top = block.number("radius", bottom)
    bottom, top = block.number("radiusBottom", bottom), block.number("radiusTop", top)
    height = block.number("height", default.height)
    is_whole = (older and not said) or target is Target.GODOT
    if isinstance(default, Capsule) and block.has("height") and is_whole:
        height = max(height - bottom - top, 0.0)
    return replace(default, height=height, radius_bottom=bottom, radius_top=top)


def _unknown(shape: Members, kind: str, block: Members) -> str:
    """Return the unknown members of a shape, those of its block under the name of its type."""
    members = members_of(shape.unknown())
    inner = members_of(block.unknown())
    if inner:
        members[kind] = inner
    return text_of(members) if members else ""
