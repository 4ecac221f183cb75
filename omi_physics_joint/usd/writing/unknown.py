# SPDX-License-Identifier: GPL-3.0-or-later
"""Members of other extensions that a mechanism carries along, which no stage has a place for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass

from ...model.mechanism import Mechanism, Node


def unknown_in(mechanism: Mechanism) -> Iterator[int | None]:
    """Yield nodes of which, or of what they share, something is said that nobody here knows.

    None is yielded where the whole document says such things.
    """
    if any(mechanism.unknown.values()):
        yield None
    for index, node in enumerate(mechanism.nodes):
        if _says_more(node) or any(map(_says_more, _shared(mechanism, node))):
            yield index


def _shared(mechanism: Mechanism, node: Node) -> Iterator[object]:
    if node.joint is not None:
        yield from _at(mechanism.settings, node.joint.settings)
    if node.collider is not None:
        yield from _at(mechanism.physics_materials, node.collider.physics_material)
    for part in (node.collider, node.trigger):
        if part is not None:
            yield from _at(mechanism.shapes, part.shape)
            yield from _at(mechanism.collision_filters, part.collision_filter)


def _at(items: Sequence[object], index: int | None) -> Iterator[object]:
    if index is not None and 0 <= index < len(items):
        yield items[index]


def _says_more(value: object) -> bool:
    """Return whether a record, or one inside of it, has members that nobody knows."""
    if isinstance(value, tuple):
        return any(map(_says_more, value))
    if not is_dataclass(value):
        return False
    if getattr(value, "unknown", ""):
        return True
    return any(_says_more(getattr(value, one.name)) for one in fields(value))
