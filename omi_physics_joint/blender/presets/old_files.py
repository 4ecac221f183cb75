# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets of the time when they were Python, as users have them: read as text, never run.

Such a file adds limits and drives to lists and assigns literals to their properties. A line that
does anything else is refused.
"""

from __future__ import annotations

import ast
from math import radians
from types import SimpleNamespace
from typing import Any

from bpy.types import Property, PropertyGroup

from ...model.joint import JointSettings
from ..bridge.read_settings import is_damaged, settings_from_block
from ..data.limits import OMI_JOINT_PG_drive, OMI_JOINT_PG_limit

LISTS = {"limits": OMI_JOINT_PG_limit, "drives": OMI_JOINT_PG_drive}
TEXTS = ("foreign_drives", "unknown")


def settings_of(text: str) -> JointSettings:
    """Return what such a file says, in Blender's axes.

    Raises:
        ValueError: it holds something else.
    """
    try:
        lines = ast.parse(text).body
    except SyntaxError as error:
        message = f"line {error.lineno}, {error.msg}" if error.lineno else error.msg
        raise ValueError(message) from error
    preset: Any = SimpleNamespace(name="", limits=[], drives=[], foreign_drives="", unknown="")
    items: dict[str, Any] = {}
    for line in lines:
        try:
            _take(line, preset, items)
        except (ValueError, TypeError, OverflowError) as error:
            message = f"line {line.lineno}, only values of limits and drives are read"
            raise ValueError(message) from error
    if is_damaged(preset):
        raise ValueError("its foreign drives are no JSON")
    return settings_from_block(preset)


def _take(line: ast.stmt, preset: Any, items: dict[str, Any]) -> None:
    """Do to the preset what one line would have done.

    Limits and drives are noted by the names of their variables.
    """
    match line:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return
        case ast.Expr(value=call):
            owner, name, method = ast.unparse(call).split(".")
            if owner == "preset" and name in LISTS and method == "clear()":
                getattr(preset, name).clear()
                return
        case ast.Assign(targets=[ast.Name(id="preset")]):
            return
        case ast.Assign(targets=[ast.Name(id=variable)], value=call):
            owner, name, method = ast.unparse(call).split(".")
            if owner == "preset" and name in LISTS and method == "add()":
                items[variable] = SimpleNamespace(kind=LISTS[name], **_defaults(LISTS[name]))
                getattr(preset, name).append(items[variable])
                return
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="preset"), attr=attr)]):
            if attr in TEXTS:
                setattr(preset, attr, str(ast.literal_eval(line.value)))
                return
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=variable), attr=attr)]):
            item = items.get(variable)
            rna = item.kind.bl_rna.properties.get(attr) if item else None
            if rna is not None:
                setattr(item, attr, _checked(rna, _literal(line.value)))
                return
    raise ValueError


def _literal(value: ast.expr) -> Any:
    """Return a literal, or an angle that is given in degrees."""
    match value:
        case ast.Call(func=ast.Name(id="radians"), args=[degrees], keywords=[]):
            return radians(ast.literal_eval(degrees))
    return ast.literal_eval(value)


def _defaults(kind: type[PropertyGroup]) -> dict[str, Any]:
    properties = [rna for rna in kind.bl_rna.properties if rna.type != "POINTER"]
    return {
        rna.identifier: rna.default_array if getattr(rna, "is_array", False) else rna.default
        for rna in properties
    }


def _checked(rna: Property, value: Any) -> Any:
    """Return a value as Blender would store it; whatever error there is, Blender would not."""
    if rna.type == "FLOAT":
        return min(max(float(value), rna.hard_min), rna.hard_max)
    if rna.type == "ENUM":
        fits = any(item.identifier == value for item in rna.enum_items)
    elif getattr(rna, "is_array", False):
        fits = len(value) == rna.array_length and all(isinstance(one, int) for one in value)
    else:
        fits = isinstance(value, str if rna.type == "STRING" else int)
    if not fits:
        raise ValueError
    return value
