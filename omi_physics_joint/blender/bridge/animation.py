# SPDX-License-Identifier: GPL-3.0-or-later
"""What animation writes. Others may use the same action: only the slot that a user has counts."""

from __future__ import annotations

from collections.abc import Iterator

from bpy.types import Action, ActionSlot, AnimData, FCurve, NlaStrip, Object

from .placed import with_parents

PLACES = ("location", "rotation_", "delta_location", "delta_rotation_")
"""How the paths of properties begin that say where an object is."""


def is_led(obj: Object) -> bool:
    """Return whether keys, strips or drivers move an object, or what it is parented to.

    A dynamic body is moved by forces, whatever keys it has.
    """
    for above in with_parents(obj):
        body = above.omi_physics_body
        if body.is_body and body.type == "dynamic":
            return False
        if has_animated_place(above):
            return True
    return False


def has_animated_place(obj: Object) -> bool:
    """Return whether keys, strips or drivers say where an object is below its parent."""
    paths = animated_paths(obj.animation_data) if obj.animation_data is not None else ()
    return any(path.startswith(PLACES) for path in paths)


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
