# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are shown away from where the user put them, as long as something plays.

Files, checks and exports are about the rest pose. Whoever moves objects for a while says so here,
and whoever reads or saves them asks for the rest pose meanwhile.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import bpy
from mathutils import Matrix

from ...interface.signals import signals
from .transforms import Kept, keep, put_back


class Suspendable(Protocol):
    """Something that is shown away together with objects, such as the frame of a scene."""

    def suspend(self) -> None:
        """Go back to rest for a while; objects follow."""

    def resume(self) -> None:
        """Go where it was before ``suspend``; objects follow."""


Carried = Mapping[int, Matrix]
"""By session uid of a joint: its second frame as seen from the second body."""
NONE_CARRIED: Carried = MappingProxyType({})


@dataclass(eq=False, slots=True)
class Away:
    """Some objects that are moved without being edited."""

    rest: tuple[Kept, ...]
    """Where they belong."""
    also: Suspendable | None
    """What is shown away with them."""
    carried: Carried
    """Second frames that bodies take along, though they are no objects."""
    keeps_settings: bool
    """Whether limits and drives may be edited meanwhile, and undone."""
    _is_home: bool = False
    _shown: tuple[Kept, ...] | None = None

    @property
    def is_home(self) -> bool:
        """Whether the objects are at rest for now, and may be edited."""
        return self._is_home

    @is_home.setter
    def is_home(self, value: bool) -> None:
        if value != self._is_home:
            self._is_home = value
            signals.away += 1

    @property
    def is_suspended(self) -> bool:
        """Whether the objects stand in their rest pose for now."""
        return self._shown is not None

    def suspend(self) -> None:
        """Put the objects into their rest pose for a while."""
        if self._shown is None:
            self._shown = keep(filter(None, (one.find() for one in self.rest)))
            signals.away += 1
            try:
                if self.also is not None:
                    self.also.suspend()
            finally:
                put_back(self.rest)

    def resume(self) -> None:
        """Show the objects again where they were before ``suspend``.

        What was edited meanwhile, as Fix does, stays at rest, which is where it is now.
        """
        if self._shown is not None:
            shown, self._shown = self._shown, None
            signals.away += 1
            edited = {one.session_uid: new for one in self.rest if (new := _edited(one))}
            self.rest = tuple(edited.get(one.session_uid, one) for one in self.rest)
            try:
                if self.also is not None:
                    self.also.resume()
            finally:
                put_back(one for one in shown if one.session_uid not in edited)


def _edited(rest: Kept) -> Kept | None:
    """Return the transform of an object that somebody, and no animation, took from its rest."""
    obj = rest.find()
    now = None if obj is None or obj.animation_data is not None else Kept.of(obj)
    return now if now is not None and now.values != rest.values else None


_away: list[Away] = []


def leave(
    rest: Iterable[Kept],
    also: Suspendable | None = None,
    carried: Carried = NONE_CARRIED,
    *,
    keeps_settings: bool = False,
) -> Away:
    """Say that objects will be moved without being edited, until ``come_back``; see ``Away``."""
    away = Away(tuple(rest), also, carried, keeps_settings)
    _away.append(away)
    signals.away += 1
    return away


def carried_frame(joint: bpy.types.Object) -> Matrix | None:
    """Return the second frame of a joint as seen from its second body, while that is away."""
    for away in reversed(_away):
        if not (away.is_suspended or away.is_home) and joint.session_uid in away.carried:
            return away.carried[joint.session_uid]
    return None


def come_back(away: Away) -> None:
    """Put the objects back for good."""
    if away in _away:
        _away.remove(away)
        signals.away += 1
    put_back(away.rest)


def forget_all() -> None:
    """Forget who is away: another file was opened, and all of it is gone."""
    _away.clear()


def is_anything_away(but: Iterable[Away] = (), *, from_settings: bool = False) -> bool:
    """Return whether anyone but those named moves objects without editing them.

    Transforms that are edited meanwhile are lost. With ``from_settings`` only those count who want
    no settings edited either.
    """
    known = list(but)
    return any(
        away not in known and not away.is_home and not (from_settings and away.keeps_settings)
        for away in _away
    )


def _all(steps: Iterable[Callable[[], None]]) -> None:
    """Do something with all that is away; where it fails, all others still have to be done."""
    for step in steps:
        try:
            step()
        except Exception:  # noqa: BLE001 - whatever it is
            traceback.print_exc(file=sys.stderr)
    if _away:
        bpy.context.view_layer.update()


def suspend() -> None:
    """Show the rest pose of everything that is away.

    Who left last goes first: it may have left from where another one had put the objects.
    """
    _all(away.suspend for away in reversed(_away))


def resume() -> None:
    """Show everything again where it was before ``suspend``."""
    _all(away.resume for away in _away)


@contextmanager
def rest_pose() -> Iterator[None]:
    """Show the rest pose while this lasts."""
    nested = any(away.is_suspended for away in _away)
    suspend()
    try:
        yield
    finally:
        if not nested:
            resume()
