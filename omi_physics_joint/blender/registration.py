# SPDX-License-Identifier: GPL-3.0-or-later
"""How modules are registered in order, and handlers begin and cease to listen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import ModuleType

import bpy
from bpy.app.handlers import persistent
from bpy.props import PointerProperty

Handler = Callable[..., None]
Pair = tuple[Callable[[], None], Callable[[], None]]
"""What registers, and what takes it back."""

OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}
NOT_OVERRIDABLE: set[str] = set()
"""The window manager, which no file shares, is overridden by nothing."""


class Listening:
    """Handlers of ``bpy.app.handlers`` that begin and cease to listen together."""

    def __init__(self) -> None:
        self.handlers: list[tuple[list[Handler], Handler]] = []

    def to(self, *announced: list[Handler]) -> Callable[[Handler], Handler]:
        """Return a decorator that notes a handler for some lists, past the loading of files."""

        def note(handler: Handler) -> Handler:
            self.handlers += [(listeners, persistent(handler)) for listeners in announced]
            return handler

        return note

    def begin(self) -> None:
        """Put the handlers into their lists, in the order in which they were noted."""
        for listeners, handler in self.handlers:
            listeners.append(handler)

    def end(self) -> None:
        """Take the handlers out of their lists, where loading a file has left them in."""
        for listeners, handler in self.handlers:
            if handler in listeners:
                listeners.remove(handler)


SILENCE = Listening()
"""Of modules without handlers."""


def classes_of(part: ModuleType) -> list[type]:
    """Return the classes of Blender's kinds that a module defines, in the order of its text."""
    found = [one for one in vars(part).values() if isinstance(one, type)]
    return [
        one
        for one in found
        if issubclass(one, bpy.types.bpy_struct) and one.__module__ == part.__name__
    ]


def parts_of(modules: Iterable[ModuleType]) -> Iterator[ModuleType]:
    """Yield modules, each after those in its ``PARTS``."""
    for module in modules:
        yield from parts_of(getattr(module, "PARTS", ()))
        yield module


def in_order(features: Iterable[ModuleType]) -> Pair:
    """Return functions that register modules and their parts in order, and back.

    The classes of a module come first, unless it has said in ``classes`` that it sees to them, then
    its handlers (``listening``) and what it registers itself, then the groups in its ``POINTERS``
    are hung on Blender's types. Data that is unregistered stays in the file.
    """
    parts = list(parts_of(features))
    classes = [() if hasattr(part, "classes") else classes_of(part) for part in parts]

    def register() -> None:
        for part, own in zip(parts, classes, strict=True):
            for one in own:
                bpy.utils.register_class(one)
            getattr(part, "listening", SILENCE).begin()
            getattr(part, "register", tuple)()
            for owner, name, group, override in getattr(part, "POINTERS", ()):
                setattr(owner, name, PointerProperty(type=group, override=override))

    def unregister() -> None:
        for part, own in zip(reversed(parts), reversed(classes), strict=True):
            for owner, name, *_ in reversed(getattr(part, "POINTERS", ())):
                delattr(owner, name)
            getattr(part, "unregister", tuple)()
            getattr(part, "listening", SILENCE).end()
            for one in reversed(own):
                bpy.utils.unregister_class(one)

    return register, unregister
