# SPDX-License-Identifier: GPL-3.0-or-later
"""What is below an object, its joints and its collections: who asks has to look at all objects.

Whoever does something to many asks within ``one_look``, which keeps what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import bpy
from bpy.types import Collection, Object

from ..bridge.placed import body_of
from ..bridge.poses.second_frames import below

_ByUid = dict[int, list[Object]]
_Objects = ParamSpec("_Objects")
_Found = TypeVar("_Found")
_held: dict[tuple[object, ...], Any] | None = None
"""What was found since ``one_look`` was entered, by who was asked and of which objects."""
_APART = ("apart",)


@contextmanager
def one_look(apart: Iterable[Object] = ()) -> Iterator[None]:
    """Look at all objects once, for all who ask within; meshes stay as they are meanwhile.

    Nobody looks where nobody asks. Empties that are made after that are not known. Objects that
    are to be joined count as ``apart`` from what they are parented to, before they are bodies.
    """
    global _held  # noqa: PLW0603 - who asks is far below who knows that there are many
    before = _held
    _held = {_APART: frozenset(apart)} if before is None else before
    try:
        yield
    finally:
        _held = before


def joined_now() -> Set[Object]:
    """Return the objects that are about to be joined, so that none is a part of its parent."""
    found: Set[Object] = frozenset() if _held is None else _held[_APART]
    return found


def seen_once(find: Callable[_Objects, _Found]) -> Callable[_Objects, _Found]:
    """Have a function be asked once about the same objects within ``one_look``."""

    @wraps(find)
    def found(*objects: _Objects.args, **named: _Objects.kwargs) -> _Found:
        if _held is None:
            return find(*objects, **named)
        key = (find, *objects)
        if key not in _held:
            _held[key] = find(*objects, **named)
        kept: _Found = _held[key]
        return kept

    return found


def descendants(obj: Object) -> list[Object]:
    """Return all objects below an object, parents first."""
    if _held is None:
        return list(obj.children_recursive)
    children, _ = _look()
    found = list(children.get(obj.session_uid, ()))
    for child in found:
        found += children.get(child.session_uid, ())
    return found


def joints_on(body: Object) -> list[tuple[Object, Object | None]]:
    """Return the joints of a body, each with the body at its other end, by name."""
    (children, joints), parts = _look(), [body]
    found: dict[Object, Object | None] = {}
    for part in parts:
        parts += (
            child
            for child in children.get(part.session_uid, ())
            if not child.omi_physics_body.is_body
        )
        found |= {joint: body_of(joint) for joint in joints.get(part.session_uid, ())}
        if part.omi_physics_joint.is_joint:
            found[part] = body_of(below(part))
    return sorted(found.items(), key=lambda pair: pair[0].name)


@seen_once
def _look() -> tuple[_ByUid, _ByUid]:
    """Return what is parented to each object, and the joints whose second body or frame it is."""
    children: _ByUid = {}
    joints: _ByUid = {}
    for obj in bpy.data.objects:
        if obj.parent is not None:
            children.setdefault(obj.parent.session_uid, []).append(obj)
        other = below(obj) if obj.omi_physics_joint.is_joint else None
        if other is not None:
            joints.setdefault(other.session_uid, []).append(obj)
    return children, joints


def homes_beside(obj: Object) -> list[Collection]:
    """Return the collections of an object for a new empty, else the first such of the scene.

    Linked and overridden ones take none; there is none where the scene itself is linked.
    """
    own = _homes().get(obj.session_uid)
    if own:
        return own
    scene = bpy.context.scene
    found = [scene.collection, *scene.collection.children_recursive]
    return [one for one in found if _takes_objects(one)][:1]


@seen_once
def _homes() -> dict[int, list[Collection]]:
    """Return the collections of all objects: Blender would look at all objects for each."""
    found: dict[int, list[Collection]] = {}
    for collection in (*bpy.data.collections, *(one.collection for one in bpy.data.scenes)):
        for obj in collection.objects if _takes_objects(collection) else ():
            found.setdefault(obj.session_uid, []).append(collection)
    return found


def _takes_objects(collection: Collection) -> bool:
    return bool(collection.is_editable) and collection.override_library is None
