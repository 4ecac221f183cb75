# SPDX-License-Identifier: GPL-3.0-or-later
"""What mypy knows of our own data in Blender: what hangs on Blender's types, and its names."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "omi_physics_joint" / "blender").rglob("*.py"))
OURS = "omi_physics_"


def hung() -> set[tuple[str, str, str]]:
    """Return what the package hangs on Blender's types: type, name, class."""
    found = set()
    for path in SOURCES:
        text = path.read_text("utf-8")
        for node in ast.parse(text).body if "POINTERS = " in text else ():
            match node:
                case ast.Assign([ast.Name("POINTERS")], ast.Tuple(rows)):
                    parts = [[last(one) for one in ast.iter_child_nodes(row)] for row in rows]
                    found.update((owner, name, group) for owner, name, group, *_ in parts)
    return found | {("WindowManager", "omi_physics_joint_row", "int")}


def last(node: ast.AST) -> str:
    """Return the last part of a dotted name, or what a text says."""
    return ast.unparse(node).strip("'").split(".")[-1]


def test_the_stub_has_what_hangs_on_blenders_types() -> None:
    """Every pointer that the package registers is in the stub with its class, and no other is."""
    stub = ast.parse((ROOT / "typings" / "bpy" / "types.pyi").read_text("utf-8"))
    said = {
        (kind.name, ast.unparse(field.target), last(field.annotation))
        for kind in stub.body
        if isinstance(kind, ast.ClassDef)
        for field in kind.body
        if isinstance(field, ast.AnnAssign) and ast.unparse(field.target).startswith(OURS)
    }
    assert said == hung()


def test_no_name_on_blenders_types_is_misspelt() -> None:
    """All that is asked of Blender's objects in our name is registered; their types are open."""
    known = {name for _, name, _ in hung()}
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in SOURCES
        for name in re.findall(rf"\.({OURS}\w+)", path.read_text("utf-8"))
        if name not in known
    ]
    assert wrong == []
