# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision shapes, out of JSON. Source: OMI_physics_shape."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ...model.shape import SHAPE_TYPES, Capsule, Convex, Cylinder, Shape, Trimesh
from ...model.target import Target
from ..document.members import Members, Table
from ..parts.read_bodies import Blocks, read_box, read_round, read_shape, read_sphere

SPOKEN = SHAPE_TYPES.keys() - {"plane"}
"""Types of shapes that OMI has."""


def read_omi_shape(shape: Members, meshes: Table, target: Target) -> Shape | None:
    """Read one shape; None, with an issue, where its type or its mesh is not known."""
    blocks: Blocks = {
        "box": read_box,
        "sphere": read_sphere,
        "capsule": partial(_read_round, default=Capsule(), target=target),
        "cylinder": partial(_read_round, default=Cylinder(), target=target),
        "convex": partial(_read_mesh, of=Convex, meshes=meshes),
        "trimesh": partial(_read_mesh, of=Trimesh, meshes=meshes),
    }
    return read_shape(shape, blocks)


def _read_mesh(block: Members, of: type[Convex | Trimesh], meshes: Table) -> Shape | None:
    mesh = block.index("mesh", meshes)
    return None if mesh is None else of(mesh)


def _read_round(block: Members, default: Capsule | Cylinder, target: Target) -> Shape:
    """Read a capsule or a cylinder.

    Until September 2024 both had one ``radius``, as four official examples still have, and the
    height of a capsule was its whole height; so it is in files of Godot, and in those for Godot.
    """
    older = block.has("radius")
    if older:
        radius = block.number("radius", default.radius_bottom)
        default = replace(default, radius_bottom=radius, radius_top=radius)
    read = read_round(block, default)
    said = "radiusBottom" in block.json or "radiusTop" in block.json
    is_whole = (older and not said) or target is Target.GODOT
    if isinstance(read, Capsule) and "height" in block.json and is_whole:
        height = max(read.height - read.radius_bottom - read.radius_top, 0.0)
        return replace(read, height=height)
    return read
