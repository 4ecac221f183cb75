# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels and redo boxes show, noted by a layout: Blender makes none without a window."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any

import bpy


@dataclass(frozen=True)
class Field:
    """A field that is drawn."""

    text: str
    enabled: bool
    """Whether it can be changed."""
    active: bool
    """Whether it is not drawn in grey."""


class Layout:
    """Notes what is drawn in it and in its parts."""

    def __init__(self, above: Layout | None = None) -> None:
        self.enabled = self.active = True
        self.fields: dict[str, Field] = {} if above is None else above.fields
        self.labels: list[str] = [] if above is None else above.labels
        self._above = above

    def __getattr__(self, name: str) -> Any:
        """Draw something of which nothing is noted."""
        return lambda *_, **__: self

    def _part(self, **_: object) -> Layout:
        return Layout(self)

    row = column = split = box = _part

    def _is(self, state: str) -> bool:
        return getattr(self, state) and (self._above is None or self._above._is(state))

    def prop(self, _owner: object, name: str, *, text: str = "", **_: object) -> None:
        """Note a field."""
        self.fields[name] = Field(text, self._is("enabled"), self._is("active"))

    prop_menu_enum = prop

    def label(self, *, text: str = "", **_: object) -> None:
        """Note a text."""
        self.labels.append(text)


class Drawing:
    """An instance of a class that draws, with our layout and the fields of an operator."""

    def __init__(self, kind: type, fields: object = None) -> None:
        self.layout = Layout()
        self._kind, self._fields = kind, fields

    def __getattr__(self, name: str) -> Any:
        """Find methods in the class, fields in the operator."""
        found = getattr(self._kind, name, None)
        if isinstance(found, FunctionType):
            return MethodType(found, self)
        return getattr(self._kind if self._fields is None else self._fields, name)


def in_panel(kind: type) -> dict[str, Field]:
    """Return the fields of a panel by name."""
    drawing = Drawing(kind)
    drawing.draw(bpy.context)
    return drawing.layout.fields


def in_redo_box(kind: type) -> dict[str, Field]:
    """Return the fields in the redo box of the last operator by name."""
    drawing = Drawing(kind, bpy.context.active_operator.properties)
    drawing.draw(bpy.context)
    return drawing.layout.fields
