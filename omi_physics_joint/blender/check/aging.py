# SPDX-License-Identifier: GPL-3.0-or-later
"""Notices when what Check, an export or an import found may be false by now.

Whoever shows results compares ``signals.edits`` with what it was when they were found. Blender
tells which objects were moved or edited, but also of those that play, so these are told apart
here. Until something was found there is nothing to notice, nor after the first edit since.
"""

from __future__ import annotations

from bpy.app import handlers
from bpy.types import Depsgraph, Object, Scene

from ..bridge.placed import is_physical
from ..bridge.poses import away
from ..data.joint import OmiJointSettings
from ..interface.signals import signals
from ..registration import on

MANY = 1000
"""Objects moved at once that are not looked at one by one: that would be felt while dragging."""


class _Watch:
    """What is looked after since something was found."""

    objects: frozenset[int] = frozenset()
    """Session uids of all objects whose edits count."""
    edits = -1
    """What ``signals.edits`` was: any other number means that the results are old already."""
    played = 0
    """What ``signals.away`` was when objects were updated last."""


_watch = _Watch()


def watch(scene: Scene) -> None:
    """Look after the joints, bodies and shapes of a scene: something was found there just now."""
    _watch.objects = frozenset(
        obj.session_uid
        for obj in scene.objects
        if is_physical(obj)
        or obj.omi_physics_body.use_gravity_shape
        or obj.omi_physics_joint.is_partner
    )
    _watch.edits, _watch.played = signals.edits, signals.away


@on(handlers.load_post, handlers.undo_post, handlers.redo_post)
def make_old(*_arguments: object) -> None:
    """Have results count as old: undo, redo and another file bring other data."""
    signals.edits += 1


@on(handlers.depsgraph_update_post)
def notice(_scene: Scene, depsgraph: Depsgraph) -> None:
    """Have results count as old where settings or objects with physics were edited or moved."""
    if _watch.edits != signals.edits:
        return
    settings = depsgraph.id_type_updated("NODETREE") and any(
        isinstance(update.id, OmiJointSettings) for update in depsgraph.updates
    )
    if settings or (depsgraph.id_type_updated("OBJECT") and _is_edited(depsgraph)):
        signals.edits += 1


def _is_edited(depsgraph: Depsgraph) -> bool:
    """Return whether an object that is looked after was moved, or has other fields.

    Fields that are edited in a panel are announced as moved and of another geometry. What plays
    only moves, and is announced once more when it is back.
    """
    plays = away.is_anything_away() or _watch.played != signals.away
    _watch.played = signals.away
    if not plays and len(depsgraph.updates) > MANY:
        return True
    return any(
        (update.is_updated_geometry or (update.is_updated_transform and not plays))
        and isinstance(update.id, Object)
        and update.id.original.session_uid in _watch.objects
        for update in depsgraph.updates
    )
