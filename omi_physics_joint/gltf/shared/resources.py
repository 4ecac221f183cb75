# SPDX-License-Identifier: GPL-3.0-or-later
"""What nodes share in every dialect: arrays of a document, and how indices lead into them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ...model.joint import JointSettings
from ...model.mechanism import Mechanism
from ...model.shape import Shape
from ..document.json_text import items_of
from ..document.members import Members, Table
from ..source import Source
from .surfaces import read_collision_filter, read_physics_material

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Tables:
    """What the extensions of nodes may point at."""

    nodes: Table
    settings: Table
    shapes: Table
    physics_materials: Table
    collision_filters: Table


def read_resources(
    source: Source,
    extensions: tuple[Members, Members, Members],
    read_settings: Callable[[Members], JointSettings],
    read_shape: Callable[[Members], Shape | None],
) -> tuple[Mechanism, Tables]:
    """Return a mechanism of what nodes share, without nodes, and where the file has it.

    The extensions are those that hold joint settings, surfaces and shapes.
    """
    joint, body, shape = extensions
    settings, of_settings = read_items(joint, "physicsJoints", "joint settings", read_settings)
    shapes: list[Shape]
    shapes, of_shapes = read_items(shape, "shapes", "shapes", read_shape)
    materials, of_materials = read_items(
        body, "physicsMaterials", "physics materials", read_physics_material
    )
    filters, of_filters = read_items(
        body, "collisionFilters", "collision filters", read_collision_filter
    )
    mechanism = Mechanism((), tuple(settings), tuple(shapes), tuple(materials), tuple(filters))
    return mechanism, Tables(source.node_table, of_settings, of_shapes, of_materials, of_filters)


def read_items(
    extension: Members, key: str, what: str, read_item: Callable[[Members], Item | None]
) -> tuple[list[Item], Table]:
    """Read the sound items of an array, and where each of them came from."""
    items: list[Item] = []
    index_from_file: dict[int, int] = {}
    for position, members in extension.children(key):
        item = read_item(members)
        if item is not None:
            index_from_file[position] = len(items)
            items.append(item)
    return items, Table(what, len(items_of(extension.json, key)), index_from_file)
