# SPDX-License-Identifier: GPL-3.0-or-later
"""What is parented to an object. Blender looks at all objects each time it is asked for that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
from bpy.types import Object

_children: dict[int, list[Object]] | None = None
"""By session uid, as long as ``one_look`` lasts; what has no children is not there."""


@contextmanager
def one_look() -> Iterator[None]:
    """Look at all objects once, for all who ask within; meshes keep their parents meanwhile.

    For what is done to many bodies. Empties that are made within are not known.
    """
    global _children  # noqa: PLW0603 - who asks is far below who knows that there are many
    before = _children
    if before is None:
        _children = {}
        for obj in bpy.data.objects:
            if obj.parent is not None:
                _children.setdefault(obj.parent.session_uid, []).append(obj)
    try:
        yield
    finally:
        _children = before


def descendants(obj: Object) -> list[Object]:
    """Return all objects below an object, parents first."""
    if _children is None:
        return list(obj.children_recursive)
    found = list(_children.get(obj.session_uid, ()))
    for child in found:
        found += _children.get(child.session_uid, ())
    return found
