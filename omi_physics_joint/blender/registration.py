# SPDX-License-Identifier: GPL-3.0-or-later
"""How modules are registered in order, under which name Blender knows them, and where files are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import bpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, PointerProperty

Handler = Callable[..., None]
OVERRIDABLE: set[str] = {"LIBRARY_OVERRIDABLE"}
NOT_OVERRIDABLE: set[str] = set()
"""The window manager, which no file shares, is overridden by nothing."""
_FIELD = type(BoolProperty())

_handlers: list[tuple[list[Handler], Handler]] = []
_lasting: dict[ModuleType, Iterator[None]] = {}
"""By module: what it does while it is registered, and then takes back."""
PACKAGE = __name__.removesuffix(".blender.registration")
"""The package itself: ``omi_physics_joint``, or that name below ``bl_ext.REPOSITORY.`` twice."""

MODULE = PACKAGE.removesuffix(".omi_physics_joint") if PACKAGE.startswith("bl_ext.") else PACKAGE
"""The add-on as the preferences list it."""

_BESIDE = Path(__file__).resolve().parents[2]
_INSIDE = Path(__file__).resolve().parents[1]
ROOT = _BESIDE if (_BESIDE / "blender_manifest.toml").is_file() else _INSIDE
"""The folder of the manifest, with ``presets`` in it; where it is no add-on, the package itself."""


def on(*announced: list[Handler]) -> Callable[[Handler], Handler]:
    """Return a decorator for what lists of ``bpy.app.handlers`` call while its module is there."""

    def note(handler: Handler) -> Handler:
        _handlers.extend((listeners, persistent(handler)) for listeners in announced)
        return handler

    return note


def handlers_of(part: ModuleType) -> list[tuple[list[Handler], Handler]]:
    """Return the handlers that a module defines, each after its list, in the order of its text."""
    return [pair for pair in _handlers if pair[1].__module__ == part.__name__]


def classes_of(part: ModuleType) -> list[type]:
    """Return the classes that Blender registers of a module, in the order of its text; no tools."""
    own = [one for one in vars(part).values() if getattr(one, "__module__", "") == part.__name__]
    kinds = [one for one in own if isinstance(one, type) and issubclass(one, bpy.types.bpy_struct)]
    return [one for one in kinds if not issubclass(one, bpy.types.WorkSpaceTool)]


def name_operators(classes: Iterable[type]) -> None:
    """Give operators among some classes their ids: OMI_JOINT_OT_verb is omi_joint.verb."""
    for one in classes:
        if issubclass(one, bpy.types.Operator | bpy.types.Macro):
            one.bl_idname = one.__name__.lower().replace("_ot_", ".")


def _annotate(kind: type) -> None:
    """Move the fields of a class and its mixins into annotations, where Blender looks for them.

    They are written as values, of which a type checker knows what they hold.
    """
    for one in kind.__mro__:
        fields = {name: field for name, field in vars(one).items() if isinstance(field, _FIELD)}
        for name, field in fields.items():
            one.__annotations__[name] = field
            delattr(one, name)


def parts_of(modules: Iterable[ModuleType]) -> Iterator[ModuleType]:
    """Yield modules, each after those that its ``PARTS`` names."""
    for module in modules:
        names = getattr(module, "PARTS", ())
        yield from parts_of(import_module(f".{name}", module.__name__) for name in names)
        yield module


def in_order(features: Iterable[ModuleType]) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return functions that register modules and their parts in order, and back.

    The classes of a module come first, then its handlers, and what its generator ``while_on`` does
    until it yields; what is behind that is done at the end. Then the groups in its ``POINTERS`` are
    hung on Blender's types, and what its ``ENTRIES`` draw is drawn at the ends of Blender's menus
    and panels. Data that is unregistered stays in the file.
    """
    parts = list(parts_of(features))
    classes = [classes_of(part) for part in parts]

    def register() -> None:
        for part, own in zip(parts, classes, strict=True):
            for one in own:
                _annotate(one)
                bpy.utils.register_class(one)
            for listeners, handler in handlers_of(part):
                listeners.append(handler)
            _lasting[part] = getattr(part, "while_on", lambda: iter([None]))()
            next(_lasting[part])
            for owner, name, group, override in getattr(part, "POINTERS", ()):
                setattr(owner, name, PointerProperty(type=group, override=override))
            for menu, draw in getattr(part, "ENTRIES", ()):
                getattr(bpy.types, menu).append(draw)

    def unregister() -> None:
        for part, own in zip(reversed(parts), reversed(classes), strict=True):
            for menu, draw in reversed(getattr(part, "ENTRIES", ())):
                getattr(bpy.types, menu).remove(draw)
            for owner, name, *_ in reversed(getattr(part, "POINTERS", ())):
                delattr(owner, name)
            next(_lasting.pop(part), None)
            for listeners, handler in handlers_of(part):
                if handler in listeners:  # loading a file has left it in
                    listeners.remove(handler)
            for one in reversed(own):
                bpy.utils.unregister_class(one)

    return register, unregister
