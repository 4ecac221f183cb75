# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender is told of us when the add-on is switched on, as approved texts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, groupby
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy

from omi_physics_joint.blender import CLASSES, FEATURES
from omi_physics_joint.blender.registration import parts_of
from tests.approved import approved
from tests.blender.everything import handlers
from tests.layouts import said

GROUPS, OPERATORS = bpy.types.PropertyGroup, bpy.types.Operator
PACKAGE = "omi_physics_joint.blender."
PLACES = ("space_type", "region_type", "context", "category", "parent_id", "order", "options")
"""Where and how a class of ours is shown, if it says so, without the bl_ of each."""
USUAL = {
    "space_type VIEW_3D region_type UI category Joints": "in our tab",
    "space_type PROPERTIES region_type WINDOW context physics": "in Physics",
}
"""Where most of our panels are, and what that is called."""
NONE_BEYOND = 2**31 - 1
"""Bounds that large are Blender's own."""


def head(kind: type) -> str:
    """Return what a class says of itself."""
    found = {name: getattr(kind, f"bl_{name}", None) for name in PLACES}
    found["topic"] = getattr(kind, "topic", None)
    shown = " ".join(f"{name} {said(one)}" for name, one in found.items() if one)
    for usual, word in USUAL.items():
        shown = shown.replace(usual, word)
    return f'{kind.__name__} "{getattr(kind, "bl_label", "")}" {shown}'.rstrip()


def fields(rna: Any) -> Iterator[str]:
    """Yield each property of ours: label, default, bounds, steps, choices, how it is kept."""
    noted = []
    for prop in rna.properties:
        is_blenders = prop.identifier in {"rna_type", "name"} or prop.identifier[:3] == "bl_"
        if is_blenders or (rna.base and prop.identifier in rna.base.properties):
            continue
        if prop.name == prop.identifier and prop.is_hidden and prop.is_skip_save:
            noted.append(f"{prop.identifier} {' '.join(_default(prop))}")
        else:
            about = [f'"{prop.name}"', *_default(prop), *_numbers(prop), *_kept(prop)]
            yield f"  {prop.identifier}: {prop.type.lower()} {' '.join(about)}"
    if noted:
        yield f"  noted for itself: {', '.join(noted)}"


def _default(prop: Any) -> Iterator[str]:
    turned = getattr(prop, "unit", "") == "ROTATION"
    if prop.type == "ENUM":
        items = prop.enum_items_static
        named = (f'{one.identifier} "{one.name}"{_icon(one.icon)}' for one in items)
        yield f"({' | '.join(named)})"
        yield f"= {said(prop.default_flag if prop.is_enum_flag else prop.default)}"
    elif prop.type in {"POINTER", "COLLECTION"}:
        yield f"of {prop.fixed_type.identifier}"
    else:
        default = [*prop.default_array] if getattr(prop, "is_array", False) else prop.default
        yield f"= {said(default, turned=turned)}"


def _icon(icon: str) -> str:
    return "" if icon == "NONE" else f" [{icon}]"


def _numbers(prop: Any) -> Iterator[str]:
    if prop.type not in {"FLOAT", "INT"}:
        return
    bounds = ((prop.hard_min, prop.hard_max), (prop.soft_min, prop.soft_max))
    for name, ends in zip(("from", "dragged from"), bounds, strict=True):
        low, high = ("" if abs(one) >= NONE_BEYOND else said(one) for one in ends)
        if (low or high) and (name == "from" or ends != bounds[0]):
            yield f"{name} {low or 'anything'} to {high or 'anything'}"
    if prop.type == "FLOAT":
        yield f"digits {prop.precision}"
    if prop.step not in {1, 3}:
        yield f"step {prop.step}"


def _kept(prop: Any) -> Iterator[str]:
    unit = getattr(prop, "unit", "NONE")
    if unit != "NONE":
        yield f"unit {unit.lower()}"
    elif prop.subtype != "NONE":
        yield prop.subtype.lower()
    switches = {"hidden": prop.is_hidden, "forgotten": prop.is_skip_save}
    switches["no key"] = not prop.is_animatable and prop.type not in {"POINTER", "COLLECTION"}
    yield from (f"({name})" for name, is_on in switches.items() if is_on)


def name_of(part: ModuleType) -> str:
    """Return the name of a module of ours."""
    return part.__name__.removeprefix(PACKAGE)


def test_operators_and_what_they_can_be_told() -> None:
    """Each operator has the label, the options and the fields that somebody has read."""
    lines = []
    for kind in (one for one in CLASSES if issubclass(one, OPERATORS)):
        rna = getattr(bpy.ops.omi_joint, kind.bl_idname.partition(".")[2]).get_rna_type()
        lines += [head(kind), *fields(rna)]
    approved("told_of_operators.txt", {"What Blender is told of each operator.": lines})


def tips(kind: type) -> Iterator[str]:
    """Yield each tool tip that buttons of an operator may have, and the first options with it."""
    rna = getattr(bpy.ops.omi_joint, kind.bl_idname.partition(".")[2]).get_rna_type()
    properties = [one for one in rna.properties if one.identifier != "rna_type"]
    told, defaults = set(), {one.identifier: _plain_default(one) for one in properties}
    others = [(one.identifier, value) for one in properties for value in _others(one)]
    for changed in chain.from_iterable(combinations(others, count) for count in range(3)):
        options = SimpleNamespace(**{**defaults, **dict(changed)})
        tip = kind.description(bpy.context, options)  # type: ignore[attr-defined]
        if tip not in told:
            told.add(tip)
            words = ", ".join(f"{name} {said(value)}" for name, value in changed)
            yield f"{kind.__name__} {words}".rstrip()
            yield f"  {' / '.join(tip.splitlines())}"


def _plain_default(prop: Any) -> Any:
    return [*prop.default_array] if getattr(prop, "is_array", False) else prop.default


def _others(prop: Any) -> list[Any]:
    """Return the values, beside the default, that a button may have a property at."""
    if prop.type == "ENUM" and not prop.is_enum_flag:
        return [one.identifier for one in prop.enum_items_static if one.identifier != prop.default]
    if prop.type == "BOOLEAN" and not prop.is_array:
        return [not prop.default]
    return ["Named"] if prop.type == "STRING" else []


def test_tool_tips_that_depend_on_the_button() -> None:
    """Where buttons of one operator do several things, each has the tip that somebody has read."""
    kinds = [one for one in CLASSES if issubclass(one, OPERATORS) and hasattr(one, "description")]
    lines = [line for kind in kinds for line in tips(kind)]
    assert len(kinds) > 5
    approved(
        "told_of_buttons.txt", {"Tool tips of operators that say them by their options.": lines}
    )


def test_fields_that_are_stored() -> None:
    """Each field in a file has the label, default, bounds and choices that somebody has read."""
    stored = [one for one in CLASSES if issubclass(one, GROUPS)]
    lines = [line for kind in stored for line in [kind.__name__, *fields(kind.bl_rna)]]
    hung = [
        f"{owner.__name__}.{name}: {group.__name__} {said(override)}"
        for part in parts_of(FEATURES)
        for owner, name, group, override in getattr(part, "POINTERS", ())
    ]
    blocks = [one for one in CLASSES if issubclass(one, bpy.types.NodeTree)]
    approved(
        "told_of_fields.txt",
        {
            "What Blender is told of each group of fields.": lines,
            "Where these groups hang.": hung,
            "Data-blocks of ours.": [
                line for kind in blocks for line in [head(kind), *fields(kind.bl_rna)]
            ],
        },
    )


def test_what_is_shown_where_and_who_listens() -> None:
    """Panels, menus, listeners and the order of modules are what somebody has read."""
    parts = list(parts_of(FEATURES))
    known = (OPERATORS, GROUPS, bpy.types.NodeTree)
    listening = {name: one for name, one in handlers().items() if "omi_physics" in str(one)}
    approved(
        "told_of_places.txt",
        {
            "Panels, menus, lists and handles, and where they are.": [
                head(kind) for kind in CLASSES if not issubclass(kind, known)
            ],
            "Who listens to what of Blender.": [
                f"{name.partition('.')[2]}: {one.removeprefix(PACKAGE)}"
                for name, those in listening.items()
                for one in those
                if one.startswith(PACKAGE)
            ],
            "What is drawn at the ends of Blender's menus and panels.": [
                f"{menu}: {draw.__name__} of {name_of(part)}"
                for part in parts
                for menu, draw in getattr(part, "ENTRIES", ())
            ],
            "Modules in the order in which they are registered, a line a feature.": [
                f"{feature}: {' '.join(name.partition('.')[2] or '.' for name in names)}"
                for feature, names in groupby(
                    map(name_of, parts), key=lambda name: name.partition(".")[0]
                )
            ],
        },
    )
