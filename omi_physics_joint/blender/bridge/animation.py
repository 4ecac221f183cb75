# SPDX-License-Identifier: GPL-3.0-or-later
"""What animation writes. Others may use the same action: only the slot that a user has counts."""

from __future__ import annotations

from collections.abc import Iterator

from bpy.types import Action, ActionSlot, AnimData, FCurve, NlaStrip, Object
from bpy.utils import escape_identifier

from .placed import is_dynamic, with_parents

PLACES = ("location", "rotation_", "delta_location", "delta_rotation_")
"""How the paths of properties begin that say where an object is."""


def is_led(obj: Object) -> bool:
    """Return whether keys, strips or drivers move an object, or what it is parented to.

    What is below a dynamic body goes where forces move that, and a dynamic one below any body is
    meant to be moved by it.
    """
    is_free = is_dynamic(obj)
    for above in with_parents(obj):
        is_body = above != obj and above.omi_physics_body.is_body
        if is_body and (is_free or is_dynamic(above)):
            return False
        if _is_written(above, PLACES) or _has_animated_bone(above):
            return True
    return False


def _has_animated_bone(obj: Object) -> bool:
    """Return whether keys, strips or drivers move the bone that an object is parented to."""
    above = obj.parent if obj.parent_type == "BONE" else None
    bone = above.pose.bones.get(obj.parent_bone) if above is not None and above.pose else None
    if above is None or bone is None:
        return False
    names = [escape_identifier(one.name) for one in (bone, *bone.parent_recursive)]
    places = [f'pose.bones["{name}"].{place}' for name in names for place in PLACES]
    return _is_written(above, tuple(places))


def _is_written(obj: Object, beginnings: tuple[str, ...]) -> bool:
    """Return whether keys, strips or drivers write a property whose path begins so."""
    paths = animated_paths(obj.animation_data) if obj.animation_data is not None else ()
    return any(path.startswith(beginnings) for path in paths)


def animated_paths(data: AnimData) -> set[str]:
    """Return the paths of all properties that keys, strips or drivers of a data-block write."""
    found = {curve.data_path for curve in data.drivers}
    for user in (data, *strips_of(data)):
        found.update(curve.data_path for curve in curves_of(user.action, user.action_slot))
    return found


def strips_of(data: AnimData) -> Iterator[NlaStrip]:
    """Yield all strips of a data-block, those inside of others too."""
    strips = [strip for track in data.nla_tracks for strip in track.strips]
    while strips:
        strip = strips.pop()
        strips.extend(strip.strips)
        yield strip


def curves_of(action: Action | None, slot: ActionSlot | None) -> Iterator[FCurve]:
    """Yield the curves of an action that the users of one slot follow."""
    if action is None or slot is None:
        return
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(slot)
            if bag is not None:
                yield from bag.fcurves
