# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of groups: what a type checker takes them for, Blender holds."""

from __future__ import annotations

import ast
import inspect
import textwrap

import bpy

from omi_physics_joint.blender import CLASSES
from omi_physics_joint.blender.data import fields

HELD = {
    "Field[bool]": "BOOLEAN",
    "Field[int]": "INT",
    "Field[float]": "FLOAT",
    "Field[str]": "STRING or ENUM",
    "Field[set[str]]": "ENUM of several",
    "Field[bpy_prop_vector[bool]]": "BOOLEAN array",
    "Field[bpy_prop_vector[float]]": "FLOAT array",
    "str": "STRING or ENUM",
    "Group": "POINTER to a group",
    "Block | None": "POINTER to a block",
    "bpy_prop_collection[Group]": "COLLECTION",
}


def said_of(cls: type) -> dict[str, str]:
    """Return what the sources of a class say of its own fields: name -> what it holds."""
    found = {}
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(tree, ast.ClassDef)
    for node in tree.body:
        match node:
            case ast.Assign(targets, ast.Call(ast.Name(kind))) if hasattr(fields, kind):
                declared = fields.__annotations__.get(kind)
                said = declared or getattr(fields, kind).__annotations__["return"]
                found.update({ast.unparse(target): HELD[said] for target in targets})
    return found


def held_by(prop: bpy.types.Property) -> str:
    """Return what Blender holds in a property, in the words of ``HELD``."""
    if prop.type == "POINTER":  # a group of its own is never another one
        return "POINTER to a group" if prop.is_readonly else "POINTER to a block"
    if prop.type in {"STRING", "ENUM"}:
        several = prop.type == "ENUM" and prop.is_enum_flag
        return "ENUM of several" if several else "STRING or ENUM"
    return f"{prop.type} array" if getattr(prop, "is_array", False) else prop.type


def test_blender_holds_what_a_type_checker_is_told() -> None:
    """Each field of ours is of the kind in Blender that its function is said to return."""
    checked = 0
    groups = bpy.types.PropertyGroup | bpy.types.NodeTree
    for cls in (one for one in CLASSES if issubclass(one, groups)):
        for name, said in said_of(cls).items():
            assert held_by(cls.bl_rna.properties[name]) == said, f"{cls.__name__}.{name}"
            checked += 1
    assert checked > 150
