# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows the motion of a cache on the objects, frame by frame, and lets go where something changed.

A body is where its cache has it in some frame, or where the user put it. Which frame cannot be
remembered: of an undo step Blender reads what differs from the next step, and leaves the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import bpy
import numpy as np
from bpy.types import Object, Scene
from mathutils import Matrix
from numpy.typing import NDArray

from ..bridge.placed import carried_in, placed_in_scene
from ..bridge.poses import away
from ..bridge.poses.transforms import rotation_field, tidy
from ..interface.signals import signals
from .cache.fingerprint import difference, fingerprint, is_animated
from .cache.motion import COLUMNS, CachedMotion, Single, numbers_of, rotation_of, values_after
from .cache.storage import (
    Sign,
    cache_of,
    discard,
    fingerprint_of,
    frames_of,
    is_in,
    motion_of,
    rest_of,
    sign_anew,
)
from .edited import Look, copies_of, moved_along
from .properties import OmiMotionCache

DAMAGED = "the motion in this file is damaged"


@dataclass(slots=True)
class _Session:
    """What is true of this run of Blender alone."""

    away: dict[int, away.Away] = field(default_factory=dict)
    """Caches whose bodies may be elsewhere, by session identity."""
    written: dict[int, Single] = field(default_factory=dict)
    """What any cache last wrote to an object, by session uid; undo may bring another one back."""
    shown: dict[int, Matrix] = field(default_factory=dict)
    """The same as matrices."""
    rest: dict[int, Single] = field(default_factory=dict)
    """Where bodies rest, as one array: read from the cache when it is needed first."""
    looks: dict[int, Look] = field(default_factory=dict)
    """What bodies looked like at rest, by session uid."""
    between: set[float] = field(default_factory=set)
    """What was shown of any cache between two frames, in frames from its first one."""
    pauses: int = 0


_session = _Session()


@contextmanager
def paused() -> Iterator[None]:
    """Show nothing on changes of the frame while this lasts: somebody samples the scene."""
    _session.pauses += 1
    try:
        yield
    finally:
        _session.pauses -= 1


def is_simulating() -> bool:
    """Return whether somebody samples the scene now."""
    return _session.pauses > 0


def is_blocked() -> bool:
    """Return whether someone else moves objects, or wants them at rest."""
    mine = _session.away.values()
    return is_simulating() or any(one.is_suspended for one in mine) or away.is_anything_away(mine)


def show(scene: Scene) -> None:
    """Show the current frame of a scene, if its cache is valid; up to the first it is at rest."""
    cache = cache_of(scene)
    if cache is None or cache.outdated or is_blocked():
        return
    try:
        motion = motion_of(cache)
    except ValueError:
        cache.outdated = DAMAGED
        return
    if cache.session_uid not in _session.away:
        rest = [rest_of(item, item.object) for item in cache.bodies if item.object is not None]
        _session.looks |= {one.session_uid: Look.of(one.object) for one in rest}
        _session.away[cache.session_uid] = away.leave(
            rest,
            _Look(scene),
            carried={obj.session_uid: one for obj, one in frames_of(cache.joints).items()},
            keeps_settings=True,
        )
    frame = _frame_of(cache)
    if frame % 1.0:
        _session.between.add(frame)
    _session.away[cache.session_uid].is_home = frame <= 0.0
    numbers = _rest_numbers(cache)
    if frame > 0.0:
        _write(cache, motion, frame, numbers)
    for item, row in zip(cache.bodies, numbers, strict=True):
        if (obj := item.object) is not None:
            if frame <= 0.0:
                rest_of(item, obj).put_back()
            _session.written[obj.session_uid] = row
            _session.shown[obj.session_uid] = obj.matrix_basis.copy()


def _frame_of(cache: OmiMotionCache) -> float:
    """Return the current frame, counted from the first one of a cache."""
    scene = cache.scene
    assert scene is not None  # ``cache_of`` has found it by its scene
    return float(scene.frame_current + scene.frame_subframe - cache.frame_start)


def _rest_numbers(cache: OmiMotionCache) -> Single:
    """Return the transforms that the user gave the bodies: (bodies, numbers), to be changed."""
    if cache.session_uid not in _session.rest:
        _session.rest[cache.session_uid] = numbers_of(cache.bodies)
    return _session.rest[cache.session_uid].copy()


def _write(cache: OmiMotionCache, motion: CachedMotion, frame: float, numbers: Single) -> None:
    """Move the bodies, and put their new numbers where those at rest are."""
    locations = motion.locations_at(frame)
    numbers[:, :3] = locations
    for row, (item, location) in enumerate(zip(cache.bodies, locations.tolist(), strict=True)):
        obj = item.object
        if obj is None:
            continue
        name = rotation_field(item.rotation_mode)
        own = numbers[row, COLUMNS[name]]
        rotation = motion.rotation_at(row, frame, item.rotation_mode, own.tolist())
        obj.location = location
        setattr(obj, name, rotation)
        own[:] = rotation


def sign_again(scene: Scene) -> None:
    """Take the mechanism as it is for what the motion of a scene was made from.

    Data of an older release were brought up to date: they say the same in another way.
    """
    cache = cache_of(scene)
    if cache is None or cache.outdated:
        return
    for layer in scene.view_layers:
        layer.update()
    moved = [item.object for item in cache.bodies if item.object is not None]
    sign_anew(cache, Sign(fingerprint(scene, moved), carried_in(placed_in_scene(scene))))


def follow(scene: Scene) -> None:
    """Show the current frame, unless the user has moved a body since the last one.

    What another scene shows of the same bodies goes to rest.
    """
    cache = cache_of(scene)
    for other in filter(None, map(cache_of, bpy.data.scenes)):
        is_shown = other != cache and other.session_uid in _session.away
        if is_shown and is_in(scene, other):
            put_to_rest(other)
    if cache is None or is_blocked():
        return
    if not cache.outdated:
        _adopt_rotation_modes(cache)
        _look(scene, cache)
    show(scene)


def refresh(scene: Scene) -> None:
    """Look whether the cache is still what the joints would do; show it or let go accordingly.

    This takes as long as reading a mechanism.
    """
    cache = cache_of(scene)
    if cache is None or is_blocked():
        return
    if _adopt_rotation_modes(cache):
        show(scene)
    reason = _moved(scene, cache) or difference(
        fingerprint_of(cache),
        fingerprint(scene, (item.object for item in cache.bodies if item.object)),
        set(scene.objects.keys()),
    )
    if reason == cache.outdated:
        return
    if not reason:
        cache.outdated = ""
        show(scene)
    elif cache.outdated:
        cache.outdated = reason
    else:
        _let_go(cache, reason)


def _moved(scene: Scene, cache: OmiMotionCache) -> str:
    """Return in words which body is neither where it was shown nor where it rests."""
    present = {obj.as_pointer() for obj in scene.objects}
    for item, is_left in zip(cache.bodies, _as_left(cache).tolist(), strict=True):
        obj = item.object
        if obj is None or obj.as_pointer() not in present:
            return "a body was deleted" if obj is None else f"{obj.name} was deleted"
        if not is_left and not is_animated(obj):
            return f"{obj.name} was moved"
    return ""


def _as_left(cache: OmiMotionCache) -> NDArray[np.bool_]:
    """Return which bodies have a transform that the cache knows: (bodies,)."""
    now = numbers_of(item.object for item in cache.bodies)
    known = (now == _rest_numbers(cache)).all(axis=1)
    for row in np.flatnonzero(~known).tolist():
        obj = cache.bodies[row].object
        own = None if obj is None else _session.written.get(obj.session_uid)
        known[row] = (own is not None and bool((now[row] == own).all())) or any(
            bool((now[row] == shown).all()) for shown in _shown_at(cache, row, now[row, :3])
        )
    return np.asarray(known)


def _shown_at(cache: OmiMotionCache, row: int, location: Single) -> Iterator[Single]:
    """Yield the numbers of a body in all frames that have it at a location."""
    try:
        motion = motion_of(cache)
    except ValueError:
        return
    item, numbers = cache.bodies[row], _rest_numbers(cache)[row]
    field_name = rotation_field(item.rotation_mode)
    rest = numbers[COLUMNS[field_name]].tolist()
    whole = np.flatnonzero((motion.locations[:, row] == location).all(axis=1)).tolist()
    for frame in (*whole, *_session.between, _frame_of(cache)):
        here = motion.locations_at(frame)[row]
        if (here == location).all():
            numbers[:3] = here
            numbers[COLUMNS[field_name]] = motion.rotation_at(row, frame, item.rotation_mode, rest)
            yield numbers


def _adopt_rotation_modes(cache: OmiMotionCache) -> bool:
    """Follow objects into another rotation mode: that is no motion, but it has other numbers.

    Returns:
        Whether a body was put to rest for that, and is to be shown anew.
    """
    adopted = False
    if cache.outdated or _frame_of(cache) <= 0.0:  # it is the user's own pose
        return adopted
    for row, item in enumerate(cache.bodies):
        obj = item.object
        if obj is None or obj.rotation_mode == item.rotation_mode:
            continue
        if next(_shown_at(cache, row, np.array(obj.location, np.float32)), None) is None:
            continue
        before = getattr(item, rotation_field(item.rotation_mode))
        turn = rotation_of(item.rotation_mode, tuple(before))
        name = rotation_field(obj.rotation_mode)
        zero = [0.0] * len(getattr(item, name))
        zero[0] = float(obj.rotation_mode == "QUATERNION")
        setattr(item, name, values_after(obj.rotation_mode, turn, zero))
        item.rotation_mode = obj.rotation_mode
        _forget(cache.session_uid)
        rest_of(item, obj).put_back()
        adopted = True
    return adopted


def _let_go(cache: OmiMotionCache, reason: str) -> None:
    """Show the cache no longer: bodies go back to rest, but for those that the user has moved."""
    put_to_rest(cache)
    cache.outdated = reason
    signals.edits += 1


@dataclass(frozen=True, slots=True)
class _Look:
    """Lets go of what was moved just now, before somebody reads the rest pose."""

    scene: Scene

    def suspend(self) -> None:
        """Look for bodies that are not where they were shown."""
        _look(self.scene, cache_of(self.scene))

    def resume(self) -> None:
        """Objects are shown again by themselves."""


def _look(scene: Scene, cache: OmiMotionCache | None) -> None:
    """Let go of a cache of which a body was moved."""
    if cache is not None and (reason := _moved(scene, cache)):
        _let_go(cache, reason)


def put_to_rest(cache: OmiMotionCache) -> None:
    """Put back what the cache has moved; what the user has moved since stays where it is.

    What was moved together with something else, as a lid with its box, has its rest moved along.
    What was scaled alone, or had its transforms applied, keeps that and goes to rest. What was
    copied with its joint is at rest as its original is.
    """
    is_shown, left = not cache.outdated, _as_left(cache).tolist()
    copies = copies_of(cache) if is_shown else {}
    shown = {copy: own.matrix_basis.inverted_safe() for copy, own in copies.items()}
    along = moved_along(cache, _session.shown) if is_shown and not all(left) else {}
    for item, is_left in zip(cache.bodies, left, strict=True):
        if (obj := item.object) is None:
            continue
        edited = is_shown and not is_left
        scaled = edited and _is_scaled_alone(obj)
        ways = _ways(obj, along) if edited and not scaled else None
        if is_left or ways or scaled or (is_shown and is_animated(obj)):
            scale = obj.scale.copy()
            rest_of(item, obj).put_back()
            if scaled:
                obj.scale = scale
            _session.written.pop(obj.session_uid, None)
            if ways:
                obj.matrix_basis = ways[0] @ obj.matrix_basis @ ways[1]
                tidy(obj)
    for copy, own in copies.items():
        copy.matrix_basis = copy.matrix_basis @ shown[copy] @ own.matrix_basis
        tidy(copy)
    _forget(cache.session_uid)


def _ways(obj: Object, along: Mapping[int, Matrix]) -> tuple[Matrix, Matrix] | None:
    """Return what the rest of an edited object is multiplied by from both sides, if it is known."""
    uid = obj.session_uid
    if uid in _session.looks and uid in _session.shown:
        kept = _session.looks[uid].kept(obj, _session.shown[uid])
        if kept is not None:
            return kept
    return (along[uid], Matrix()) if uid in along else None


def _is_scaled_alone(obj: Object) -> bool:
    """Return whether an object is where it was shown, whatever its scale."""
    shown, place = _session.written.get(obj.session_uid), slice(COLUMNS["scale"].start)
    return shown is not None and bool((numbers_of([obj])[0, place] == shown[place]).all())


def put_all_to_rest() -> None:
    """Put the bodies of all scenes to rest, until their frame is shown again."""
    for cache in map(cache_of, bpy.data.scenes):
        if cache is not None and not cache.outdated:
            put_to_rest(cache)


def free(scene: Scene) -> None:
    """Put the bodies of a scene to rest and take its cache out of the file."""
    cache = cache_of(scene)
    if cache is not None:
        put_to_rest(cache)
    discard(scene)


def _forget(uid: int) -> None:
    """Forget where the bodies of a cache rest, and let nobody put them back any more."""
    _session.rest.pop(uid, None)
    one = _session.away.pop(uid, None)
    if one is not None:
        one.rest = ()
        away.come_back(one)


def forget_all() -> None:
    """Forget who was away: another file was opened, or an undo step has replaced all data."""
    for uid in {*_session.rest, *_session.away}:
        _forget(uid)


def begin_anew() -> None:
    """Find out what is true after all data was replaced: by another file, by undo or redo.

    Undo may bring bodies back from before the motion was outdated, and the motion from after it.
    """
    forget_all()
    for scene in bpy.data.scenes:
        refresh(scene)
        show(scene)
        cache = cache_of(scene)
        if cache is not None and cache.outdated:
            put_to_rest(cache)
