# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws anew whatever shows joints, after each of our operators and while it drags.

Blender redraws what its own buttons change. What a script writes to our properties it announces to
nobody, so that the Properties editor would go on showing old numbers until the mouse comes over it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import wraps
from inspect import isfunction
from typing import Any

import bpy
from bpy.types import Context, Event, Operator, Region, Screen

from .signals import signals

EDITORS = {"PROPERTIES", "VIEW_3D"}
"""Editors that show joints."""

Result = set[str]


HARMLESS = ("omi_joint.issue_", "omi_joint.select_", "omi_joint.simulate", "omi_joint.go_to_rest")
"""How ids of operators begin that are undone, but after which all that was found is true: those
that select or simulate, and Fix, which checks again itself."""


def redraw(editors: Collection[str] = EDITORS, kinds: Collection[str] = ()) -> None:
    """Have all regions that show joints drawn anew, in all windows, or those of some kinds.

    Nothing is done without a window.
    """
    if bpy.app.background:
        return
    for window in bpy.context.window_manager.windows:
        for region in regions_of(window.screen, editors):
            if not kinds or region.type in kinds:
                region.tag_redraw()


def regions_of(screen: Screen, editors: Collection[str] = EDITORS) -> Iterator[Region]:
    """Yield the regions of a screen that may show joints."""
    for area in screen.areas:
        if area.type in editors:
            yield from area.regions


def redraw_after(classes: Iterable[type]) -> None:
    """Let every operator among some classes redraw what shows joints whenever it has worked."""
    for one in classes:
        if not issubclass(one, Operator):
            continue
        for name, wrapped in (("execute", _once), ("invoke", _with_event), ("modal", _with_event)):
            method = getattr(one, name, None)
            if isfunction(method):
                setattr(one, name, wrapped(method))


# Blender counts the arguments of the methods that it calls, hence no *arguments here.


def _once(method: Callable[[Any, Context], Result]) -> Callable[..., Result]:
    @wraps(method)
    def work(self: Any, context: Context) -> Result:  # noqa: ANN401
        result = method(self, context)
        _count(type(self), result)
        redraw()
        return result

    return work


def _with_event(method: Callable[[Any, Context, Event], Result]) -> Callable[..., Result]:
    @wraps(method)
    def work(self: Any, context: Context, event: Event) -> Result:  # noqa: ANN401
        result = method(self, context, event)
        # What ticks draws for itself, and what passes an event on has not worked.
        if not (event.type.startswith("TIMER") or "PASS_THROUGH" in result):
            _count(type(self), result)
            redraw()
        return result

    return work


def _count(operator: type[Operator], result: Result) -> None:
    signals.operators += 1
    is_undone = any(option.startswith("UNDO") for option in getattr(operator, "bl_options", ()))
    if "FINISHED" in result and is_undone and not operator.bl_idname.startswith(HARMLESS):
        signals.edits += 1
