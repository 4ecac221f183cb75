# SPDX-License-Identifier: GPL-3.0-or-later
"""Words in capitals are those of Blender's own lists: icons, kinds of reports, regions, answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import bpy

from omi_physics_joint import blender

CAPITALS = re.compile(r"[A-Z][A-Z0-9_]*[A-Z0-9]")
UNLISTED = {
    *("POST_VIEW", "POST_PIXEL", "LINES", "LINE_STRIP", "TRIS", "UNIFORM_COLOR", "FLAT_COLOR"),
    *("POLYLINE_UNIFORM_COLOR", "POLYLINE_FLAT_COLOR", "ENUM_FLAG", "ANIMATABLE", "SKIP_SAVE"),
    *("LIBRARY_OVERRIDABLE", "USE_INSERTION", "INSERTKEY_REPLACE", "SCRIPTS", "GLTF_SEPARATE"),
    *("INBETWEEN", "TRACKPAD", "WHEEL"),
}
"""Words of drawing, of declared properties and of events, which Blender has no lists of."""
OURS = {"OMI", "KHR", "GODOT", "SPECIFIED", "READERS", "GLB", "PARTS", "POINTERS", "ENTRIES"}
FILES = sorted(Path(blender.__file__).parent.rglob("*.py"))


def listed(struct: bpy.types.Struct) -> Iterator[str]:
    """Yield the names in all lists of choices that a type of Blender's has."""
    properties = [*struct.properties]
    for function in struct.functions:
        properties += function.parameters
    for one in properties:
        if one.type == "ENUM":
            yield from (item.identifier for item in one.enum_items)
            yield from (item.identifier for item in one.enum_items_static)


def known() -> set[str]:
    """Return all that Blender lists, for our own types and operators too."""
    types = [getattr(bpy.types, name) for name in dir(bpy.types)]
    structs = [one.bl_rna for one in types if hasattr(one, "bl_rna")]
    for name in dir(bpy.ops.omi_joint):
        with suppress(KeyError):  # a mix-in
            structs.append(getattr(bpy.ops.omi_joint, name).get_rna_type())
    return {word for one in structs for word in listed(one)}


def test_words_in_capitals_are_blenders() -> None:
    """What Blender does not list it refuses, and only when that line runs."""
    used = {
        node.value: path.stem
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    ours = {word: file for word, file in used.items() if CAPITALS.fullmatch(word)}
    assert len(ours) > 100
    assert {word: ours[word] for word in ours.keys() - known() - UNLISTED - OURS} == {}
