# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that an add-on can put into Blender, written down so that it can be compared.

Timers, draw callbacks and commands cannot be listed in Blender: `Watch` counts them as they come
and go, and lets each call through.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import bpy
import io_scene_gltf2

Snapshot = dict[str, list[str]]
"""Registry -> its sorted entries."""


def name_of(thing: object) -> str:
    """Return a name that stays the same from one registration to the next."""
    return f"{getattr(thing, '__module__', '')}.{getattr(thing, '__qualname__', repr(thing))}"


class Watch:
    """The timers, draw callbacks and commands that are registered since it was made."""

    def __init__(self) -> None:
        self.timers: set[Callable[[], float | None]] = set()
        self.draw_callbacks: dict[int, str] = {}
        self.commands: dict[int, str] = {}
        self._handles: list[object] = []  # kept, so that no two ever have the same id
        self._watch_timers()
        self._watch_commands()
        for name in dir(bpy.types):
            space = getattr(bpy.types, name)
            if hasattr(space, "draw_handler_add") and space is not bpy.types.Space:
                self._watch_draw_callbacks(space)

    def _watch_timers(self) -> None:
        register = bpy.app.timers.register

        def watched(function: Callable[[], float | None], **options: object) -> None:
            self.timers.add(function)
            register(function, **options)

        bpy.app.timers.register = watched

    def _watch_commands(self) -> None:
        register, unregister = bpy.utils.register_cli_command, bpy.utils.unregister_cli_command

        def watched(name: str, execute: Callable[..., int]) -> object:
            handle = register(name, execute)
            self._handles.append(handle)
            self.commands[id(handle)] = name
            return handle

        def unwatched(handle: object) -> None:
            unregister(handle)
            self.commands.pop(id(handle), None)

        bpy.utils.register_cli_command = watched
        bpy.utils.unregister_cli_command = unwatched

    def _watch_draw_callbacks(self, space: type) -> None:
        add, remove = space.draw_handler_add, space.draw_handler_remove

        def watched(function: Callable[..., None], *rest: object) -> object:
            handle = add(function, *rest)
            self._handles.append(handle)
            self.draw_callbacks[id(handle)] = f"{space.__name__} {name_of(function)}"
            return handle

        def unwatched(handle: object, region: str) -> None:
            remove(handle, region)
            self.draw_callbacks.pop(id(handle), None)

        space.draw_handler_add = staticmethod(watched)
        space.draw_handler_remove = staticmethod(unwatched)

    def snapshot(self) -> Snapshot:
        """Return what is registered now of what was watched."""
        still_there = (one for one in self.timers if bpy.app.timers.is_registered(one))
        return {
            "timers": sorted(map(name_of, still_there)),
            "draw callbacks": sorted(self.draw_callbacks.values()),
            "commands": sorted(self.commands.values()),
        }


def snapshot(watch: Watch) -> Snapshot:
    """Return all registries as they are now."""
    named = (getattr(bpy.types, name) for name in dir(bpy.types))
    types = [one for one in named if isinstance(one, type)]
    return {
        "types": sorted(dir(bpy.types)),
        "classes": sorted(set(registered_classes(bpy.types.bpy_struct))),
        "properties": sorted(properties_of(types)),
        "operators": sorted(f"{area}.{name}" for area in dir(bpy.ops) for name in operators(area)),
        "handlers": sorted(handlers()),
        "manuals": sorted(prefix for prefix, _ in bpy.utils.manual_map()),
        "key maps": sorted(key_map_items()),
        "draw functions": sorted(draw_functions(types)),
        "tools": sorted(tools(types)),
        "preset paths": sorted(bpy.utils._preset_path_registry),
        "manual maps": sorted(map(name_of, bpy.utils._manual_map)),
        "driver names": sorted(bpy.app.driver_namespace),
        "exporter panels": sorted(map(str, io_scene_gltf2.exporter_extension_layout_draw)),
        "sys.path": list(sys.path),
        **watch.snapshot(),
    }


def registered_classes(base: type) -> Iterator[str]:
    """Yield the Python classes below `base` that Blender knows."""
    for one in type.__subclasses__(base):
        if "bl_rna" in vars(one) and getattr(one, "is_registered", False):
            yield name_of(one)
        yield from registered_classes(one)


def properties_of(types: list[type]) -> Iterator[str]:
    """Yield the RNA properties and the Python attributes of all types in bpy.types."""
    for one in types:
        if hasattr(one, "bl_rna"):
            yield from (
                f"{one.__name__}.{key}" for key in map(identifier_of, one.bl_rna.properties)
            )
            yield from (f"{one.__name__}:{key}" for key in vars(one) if not key.startswith("__"))


def identifier_of(rna_property: bpy.types.Property) -> str:
    """Return the name of an RNA property in Python."""
    return str(rna_property.identifier)


def operators(area: str) -> list[str]:
    """Return the names of the operators in one module of bpy.ops."""
    return dir(getattr(bpy.ops, area))


def handlers() -> Iterator[str]:
    """Yield the functions in all lists of bpy.app.handlers."""
    for event in dir(bpy.app.handlers):
        functions = getattr(bpy.app.handlers, event)
        if isinstance(functions, list):
            yield from (f"{event} {name_of(function)}" for function in functions)


def key_map_items() -> Iterator[str]:
    """Yield the items of all key maps of all key configurations."""
    for config in bpy.context.window_manager.keyconfigs:
        for key_map in config.keymaps:
            for item in key_map.keymap_items:
                where = f"{config.name}/{key_map.name}/{key_map.space_type}/{key_map.region_type}"
                yield f"{where} {item.idname} {item.type} {item.value} {item.to_string()}"


def draw_functions(types: list[type]) -> Iterator[str]:
    """Yield the functions that draw each menu, panel and header, those added by others included."""
    for one in types:
        draw = vars(one).get("draw")
        for function in getattr(draw, "_draw_funcs", [draw] if draw else []):
            yield f"{one.__name__} {name_of(function)}"


def tools(types: list[type]) -> Iterator[str]:
    """Yield the tools in the tool bars."""
    for one in types:
        for mode, entries in getattr(one, "_tools", {}).items():
            yield from (f"{one.__name__} {mode} {entry!r}" for entry in entries)
