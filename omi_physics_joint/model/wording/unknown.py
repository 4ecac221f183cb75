# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mechanism says that nobody here knows; glTF keeps it, and other formats lose it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

from ..articulation.authored import EXTRAS, ROOT, members_in, saying
from ..body import Motion
from ..joint import JointNode
from ..mechanism import Mechanism, Node


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
        yield mechanism.settings_of(node.joint)
    if node.collider is not None:
        yield mechanism.material_of(node.collider)
    for part in (node.collider, node.trigger):
        if part is not None:
            yield mechanism.shape_at(part.shape)
            if part.collision_filter is not None:
                yield mechanism.collision_filters[part.collision_filter]


def _says_more(value: object) -> bool:
    """Return whether a record, or one inside of it, has members that nobody knows."""
    if isinstance(value, JointNode | Motion) and value.unknown:
        return bool(members_in(value.unknown).keys() - {EXTRAS})
    if isinstance(value, Node) and value.unknown == saying("", ROOT):
        value = replace(value, unknown="")
    parts = value if isinstance(value, tuple) else ()
    if is_dataclass(value):
        parts = tuple(getattr(value, one.name) for one in fields(value))
    return bool(getattr(value, "unknown", "")) or any(map(_says_more, parts))
