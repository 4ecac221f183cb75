# SPDX-License-Identifier: GPL-3.0-or-later
"""How modules are registered in order, and handlers begin and cease to listen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import ModuleType

import bpy
from bpy.props import PointerProperty

Handlers = Iterable[tuple[list[Callable[..., None]], Callable[..., None]]]
"""Lists of ``bpy.app.handlers``, and what is put into each."""


Pair = tuple[Callable[[], None], Callable[[], None]]
"""What registers, and what takes it back."""

OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}
NOT_OVERRIDABLE: set[str] = set()
"""The window manager, which no file shares, is overridden by nothing."""

Pointers = Sequence[tuple[type, str, type[bpy.types.PropertyGroup], set[str]]]
"""Owner, name, group and library overrides of what hangs on Blender's types."""


def in_order(parts: Sequence[ModuleType]) -> Pair:
    """Return functions that register modules in order, and that unregister them backwards."""

    def register() -> None:
        for part in parts:
            part.register()

    def unregister() -> None:
        for part in reversed(parts):
            part.unregister()

    return register, unregister


def with_pointers(groups: Pair, pointers: Pointers) -> Pair:
    """Return functions that register property groups and hang them on Blender's types, and back.

    Unregistered data stays in the file.
    """

    def register() -> None:
        groups[0]()
        for owner, name, group, override in pointers:
            setattr(owner, name, PointerProperty(type=group, override=override))

    def unregister() -> None:
        for owner, name, _, _ in reversed(pointers):
            delattr(owner, name)
        groups[1]()

    return register, unregister


def listen(handlers: Handlers) -> None:
    """Put handlers into their lists."""
    for listeners, handler in handlers:
        listeners.append(handler)


def stop_listening(handlers: Handlers) -> None:
    """Take handlers out of their lists, where loading a file has left them in."""
    for listeners, handler in handlers:
        if handler in listeners:
            listeners.remove(handler)
