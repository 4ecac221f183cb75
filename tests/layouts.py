# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels, menus and redo boxes show, noted by a layout: Blender makes none without a window.

What is noted can be asked for by name (`fields`, `labels`) or read as a text (`lines`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import degrees
from pathlib import Path
from types import FunctionType, MethodType, SimpleNamespace
from typing import Any

import bpy

from omi_physics_joint.blender import CLASSES

WIDE = 4000
"""Pixels of a region in which no text is put into several lines, whatever font there is."""
STATES = {"enabled": "locked", "active": "grey", "alert": "red"}
"""What is set of a layout -> what its parts are then."""
SHOWN = ("factor", "heading", "columns", "emboss", "operator_context", "ui_units_x")
"""What else is said of a layout."""


@dataclass(frozen=True)
class Field:
    """A field that is drawn."""

    text: str
    enabled: bool
    """Whether it can be changed."""
    active: bool
    """Whether it is not drawn in grey."""
    owner: Any = None
    """What has it."""


class Layout:
    """Notes what is drawn in it and in its parts."""

    def __init__(self, above: Layout | None = None, kind: str = "column", **given: Any) -> None:
        self.enabled = self.active = True
        self.alert = False
        self.fields: dict[str, Field] = {} if above is None else above.fields
        self.labels: list[str] = [] if above is None else above.labels
        self.context: Any = None if above is None else above.context
        self._above, self._kind, self._given = above, kind, given
        self._parts: list[Layout | str | Button] = []

    def __getattr__(self, name: str) -> Any:
        """Have all kinds of layouts, and note what is drawn of which nothing else is known."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name in {"row", "column", "split", "box", "grid_flow", "column_flow", "menu_pie"}:
            return lambda **given: self._part(name, **given)

        def note(*given: Any, **named: Any) -> Layout:
            said = [str(one) for one in given if isinstance(one, str | int)]
            self._add(" ".join([name, *said, *_named(named)]))
            return self

        return note

    def _part(self, kind: str, **given: Any) -> Layout:
        part = Layout(self, kind, **given)
        self._parts.append(part)
        return part

    def _is(self, state: str) -> bool:
        return getattr(self, state) and (self._above is None or self._above._is(state))

    def _add(self, said: str) -> None:
        self._parts.append(" ".join(said.split()))

    def panel(self, name: str, *, default_closed: bool = False) -> tuple[Layout, Layout]:
        """Draw a panel that folds, unfolded."""
        self._add(f"panel {name}{' closed at first' * default_closed}")
        return self._part("row"), self._part("column")

    def prop(self, owner: Any, name: str, *, text: str | None = None, **named: Any) -> None:
        """Note a field."""
        self.fields[name] = Field(text or "", self._is("enabled"), self._is("active"), owner)
        index = named.pop("index", -1)
        said = _label(owner, name) if text is None else text
        place = name if index < 0 else f"{name}[{index}]"
        looks = _named({key: one for key, one in named.items() if key != "translate"})
        self._add(" ".join([f"{said} <{place}> {value(owner, name, index)}", *looks]))

    def prop_menu_enum(self, owner: Any, name: str, **named: Any) -> None:
        """Note a field whose choices are a menu."""
        self.prop(owner, name, **named)

    def prop_enum(self, owner: Any, name: str, choice: str, **named: Any) -> None:
        """Note one choice of a field."""
        chosen = getattr(owner, name)
        is_on = choice in chosen if isinstance(chosen, set) else choice == chosen
        self._add(" ".join([f"<{name}: {choice}> {'on' if is_on else 'off'}", *_named(named)]))

    def label(self, *, text: str = "", icon: str = "NONE", **_: object) -> None:
        """Note a text."""
        self.labels.append(text)
        self._add(f'"{text.strip()}"{_icon(icon)}')

    def operator(self, name: str, *, text: str | None = None, **named: Any) -> Button:
        """Note a button; what is set of its properties is noted too."""
        self._parts.append(Button(name, text, named))
        return self._parts[-1]

    def operator_menu_enum(
        self, name: str, field: str, *, text: str | None = None, **named: Any
    ) -> Button:
        """Note a menu of what one property of an operator may be."""
        self._parts.append(Button(f"{name} by {field}", text, named))
        return self._parts[-1]

    def template_list(
        self, kind: str, _id: str, data: Any, name: str, owner: Any, active: str, **named: Any
    ) -> None:
        """Draw the rows of a list, those that its filter lets through in its order."""
        self._add(" ".join([f"list of {name}", *_named(named)]))
        [drawn] = [one for one in CLASSES if one.__name__ == kind]
        view = Drawing(drawn, SimpleNamespace(filter_name="", bitflag_filter_item=1))
        items, rows = getattr(data, name), self._part("column")
        flags, order = [], []
        if hasattr(drawn, "filter_items"):
            flags, order = view.filter_items(self.context, data, name)
        shown = [one for one in range(len(items)) if not flags or flags[one]]
        for one in sorted(shown, key=lambda one: order[one] if order else one):
            row = rows._part("row")
            row._add("*" if getattr(owner, active) == one else "-")
            view.draw_item(self.context, row, data, items[one], 0, owner)

    def lines(self) -> list[str]:
        """Return what was drawn as text; what stands side by side is on one line."""
        return list(self._lines())

    def _lines(self) -> Iterator[str]:
        drawn = [list(_lines_of(part)) for part in self._parts]
        state = [word for name, word in STATES.items() if getattr(self, name) is (name == "alert")]
        known = {**self._given, **{one: vars(self)[one] for one in SHOWN if one in vars(self)}}
        looks = _named({one: known[one] for one in SHOWN if one in known})
        if self._kind == "box":
            looks = ["box", *looks]
        head = " ".join([*(f"{{{one}}}" for one in state), *looks])
        lines = [line for part in drawn for line in part]
        if not lines:
            return
        if self._kind in {"row", "split"} and all(len(part) <= 1 for part in drawn):
            lines = [" | ".join(lines)]
        if not head:
            yield from lines
        elif len(lines) == 1:
            yield f"{head}: {lines[0]}"
        else:
            yield f"{head}:"
            yield from (f"  {line}" for line in lines)


class Button:
    """A button that is drawn; keeps what is set of its operator's properties."""

    def __init__(self, name: str, text: str | None, named: dict[str, Any]) -> None:
        object.__setattr__(self, "_said", (name, text, named))

    def line(self) -> str:
        """Return what it says and does."""
        name, text, named = self._said
        set_ = [
            f"{one}={said(given)}" for one, given in sorted(vars(self).items()) if one != "_said"
        ]
        icon = _icon(named.pop("icon", "NONE"))
        named.pop("translate", None)
        shown = "" if text is None else f'"{text.strip()}" '
        does = " ".join([name.removeprefix("omi_joint."), *set_])
        return " ".join([f"{shown}({does}){icon}", *_named(named)])


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


class Context:
    """Blender's context, but for what is given; its region is wide enough for any text."""

    def __init__(self, **given: Any) -> None:
        self.region = SimpleNamespace(type="UI", width=WIDE)
        self.__dict__ |= given

    def __getattr__(self, name: str) -> Any:
        """Ask Blender."""
        return getattr(bpy.context, name)


def value(owner: Any, name: str, index: int = -1) -> str:
    """Return what a field shows, with four digits, angles in degrees."""
    found = getattr(owner, name)
    prop = owner.bl_rna.properties.get(name) if hasattr(owner, "bl_rna") else None
    turned = prop is not None and getattr(prop, "unit", "") == "ROTATION"
    return said(found if index < 0 else found[index], turned=turned)


def said(found: Any, *, turned: bool = False) -> str:
    """Return a value of a field as a short text."""
    if isinstance(found, float):
        number = f"{degrees(found) if turned else found:.4g}"
        return ("0" if number == "-0" else number) + "°" * turned
    if isinstance(found, str):
        return Path(found).name if found.startswith("/") else found or "-"
    if isinstance(found, set):
        return "{" + " ".join(sorted(found)) + "}"
    if not isinstance(found, bpy.types.ID) and hasattr(found, "__len__"):
        return " ".join(said(part, turned=turned) for part in found) or "-"
    words: dict[Any, str] = {True: "on", False: "off", None: "none"}
    is_word = found is None or isinstance(found, bool)
    return words[found] if is_word else str(getattr(found, "name", found))


def _label(owner: Any, name: str) -> str:
    """Return the label of a property of ours; what Blender calls its own differs by release."""
    rna = owner.bl_rna
    return rna.properties[name].name if rna.identifier.lower().startswith("omi") else ""


def _icon(icon: str) -> str:
    return "" if icon in {"NONE", ""} else f" [{icon}]"


def _named(named: dict[str, Any]) -> Iterator[str]:
    """Yield what is given by name and is not as it is anyhow."""
    for name, given in sorted(named.items()):
        if name == "icon":
            yield from filter(None, [_icon(given).strip()])
        elif name == "icon_value":
            yield "[picture]"
        elif name == "text":
            yield f'"{given}"'
        elif isinstance(given, float):
            yield f"{name}={given:.3g}"
        elif isinstance(given, bool):
            yield from [name] * given
        elif isinstance(given, str | int):
            yield f"{name}={given}"


def _lines_of(part: Layout | str | Button) -> Iterator[str]:
    if isinstance(part, Layout):
        yield from part._lines()
    else:
        yield part.line() if isinstance(part, Button) else part


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
