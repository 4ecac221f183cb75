# SPDX-License-Identifier: GPL-3.0-or-later
"""How modules are registered in order, and handlers begin and cease to listen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import ModuleType

Handlers = Iterable[tuple[list[Callable[..., None]], Callable[..., None]]]
"""Lists of ``bpy.app.handlers``, and what is put into each."""


def in_order(parts: Sequence[ModuleType]) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return functions that register modules in order, and that unregister them backwards."""

    def register() -> None:
        for part in parts:
            part.register()

    def unregister() -> None:
        for part in reversed(parts):
            part.unregister()

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
