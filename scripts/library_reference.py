# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what the package offers to other Python into docs/manual/library.md, below its mark.

python -m scripts.library_reference
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "manual" / "library.md"
MARK = "<!-- the rest: python -m scripts.library_reference -->\n"
PACKAGE = ROOT / "omi_physics_joint"
SECTION = "^(Args|Returns|Raises|Attributes):\n"
"""What begins a section of a docstring."""
PLACES = {
    "library/offered.py": "load read check convert simulate",
    "model/contents.py": "ContentsError Package",
    "model/issue.py": "Issue",
    "library/formats.py": "Choices",
    "gltf/document/files.py": "Document",
    "gltf/read.py": "Reading",
    "library/converted.py": "Converted",
    "library/motion/recorded_motion.py": "RecordedMotion BodyPoses",
    "model/mechanism.py": "Mechanism Node",
    "model/body.py": "Motion",
    "model/joint.py": "JointNode JointSettings Limit Drive",
}
"""What is described, as far as it is no function what these take and give; file by file."""
PROMISED = {
    "Document": "json path binary unread",
    "Reading": "mechanism issues document",
    "RecordedMotion": "times bodies values issues document summary",
    "Mechanism": "nodes settings gravity joints motions name_of body_of settings_of",
    "Issue": "severity code where message fix loss as_json",
    "Node": "name parent world motion joint",
    "Motion": "type mass center_of_mass inertia_diagonal inertia_orientation linear_velocity "
    "angular_velocity gravity_factor",
    "JointNode": "settings connected_node enable_collision enabled",
    "JointSettings": "name limits drives",
    "Limit": "linear_axes angular_axes min max stiffness damping together is_lock is_soft",
    "Drive": "type mode axis max_force position_target velocity_target stiffness damping",
}
"""Members that are promised, of classes that have others too."""
TO_TABLE = r"\|"
Definition = ast.FunctionDef | ast.ClassDef


def page(text: str) -> str:
    """Return the page with the reference of now."""
    return f"{text.split(MARK, maxsplit=1)[0]}{MARK}\n{reference()}"


def reference() -> str:
    """Return what is offered, as Markdown."""
    lines = [line for node in definitions() for line in _entry(node)]
    return "\n".join(lines).rstrip() + "\n"


def definitions() -> Iterator[Definition]:
    """Yield what is described, from its sources."""
    for place, names in PLACES.items():
        tree = ast.parse((PACKAGE / place).read_text("utf-8"))
        defined = {node.name: node for node in tree.body if isinstance(node, Definition)}
        yield from (defined[name] for name in names.split())


def _entry(node: Definition) -> Iterator[str]:
    yield from (f"### {node.name}", "")
    if isinstance(node, ast.FunctionDef):
        yield from ("```python", _signature(node), "```", "")
    said, attributes = _parts(ast.get_docstring(node) or "")
    yield from said
    if isinstance(node, ast.ClassDef):
        rows = list(
            _members(
                node, attributes, PROMISED[node.name].split() if node.name in PROMISED else None
            )
        )
        if rows:
            yield from ("| member | |", "|-|-|", *rows, "")


def _signature(node: ast.FunctionDef) -> str:
    """Return a call with all that it takes and gives."""
    words = re.sub(r"^self(, )?", "", ast.unparse(node.args))
    return f"{node.name}({words}) -> {ast.unparse(node.returns) if node.returns else 'None'}"


def _parts(docstring: str) -> tuple[list[str], dict[str, str]]:
    """Return a docstring as Markdown, and what it says of attributes."""
    text, *sections = re.split(SECTION, docstring, flags=re.MULTILINE)
    lines, attributes = [_marked(text.strip()), ""], dict[str, str]()
    for title, said in zip(sections[::2], sections[1::2], strict=True):
        plain = dedent(said).strip()
        if title == "Attributes":
            attributes = dict(_items(plain))
        else:
            lines += [f"{title}:", "", *(f"- `{name}`: {one}" for name, one in _items(plain)), ""]
    return lines, attributes


def _items(text: str) -> Iterator[tuple[str, str]]:
    """Yield names with what is said of them."""
    for item in re.split(r"\n(?=\S)", text):
        name, _, said = item.partition(": ")
        yield name, _marked(" ".join(said.split()))


def _members(
    node: ast.ClassDef, attributes: Mapping[str, str], promised: Container[str] | None
) -> Iterator[str]:
    """Yield a row for each public member, with what is said of it."""
    for member, below in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(member, ast.FunctionDef):
            name, said = member.name, (ast.get_docstring(member) or "").split("\n\nRaises:")[0]
            is_value = any(ast.unparse(one) == "property" for one in member.decorator_list)
            kind = f": {ast.unparse(member.returns)}" if member.returns else ""
            shown = f"{name}{kind}" if is_value else _signature(member)
        elif isinstance(member, ast.AnnAssign):
            name, said = ast.unparse(member.target), _text_of(below)
            shown = f"{name}: {ast.unparse(member.annotation)}"
        elif isinstance(member, ast.Assign):
            name, said = ast.unparse(member.targets[0]), _text_of(below)
            shown = name
        else:
            continue
        if not name.startswith("_") and (promised is None or name in promised):
            words = _marked(" ".join(said.split())) or attributes.get(name, "")
            yield f"| `{shown.replace('|', TO_TABLE)}` | {words} |"


def _text_of(node: ast.stmt | None) -> str:
    """Return the text that a statement is; "" of any other."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return str(node.value.value)
    return ""


def _marked(text: str) -> str:
    """Return words of a docstring with the marks of Markdown."""
    return text.replace("``", "`")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
