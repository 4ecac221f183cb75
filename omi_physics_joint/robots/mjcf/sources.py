# SPDX-License-Identifier: GPL-3.0-or-later
"""A model in several files as one element: ``include`` is replaced by what it names.

Only files below the folder of the model are included, each once, as MuJoCo has it.
"""

from __future__ import annotations

from pathlib import Path

from ..element import Element, XmlError, read_xml

ROOTS = ("mujoco", "mujocoinclude")


def read_model(path: Path) -> Element:
    """Return the root element of a model with all that it includes.

    Raises:
        XmlError: a file cannot be read, or lies elsewhere.
    """
    root = read_xml(path)
    if root.tag not in ROOTS:
        message = f"{path.name} is no MJCF: its first element is <{root.tag}>, not <mujoco>."
        raise XmlError(message)
    folder = path.resolve().parent
    seen = {path.resolve()}
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if any(child.tag == "include" for child in element.children):
            element.children = [
                one
                for child in element.children
                for one in (_included(child, folder, seen) if child.tag == "include" else [child])
            ]
            waiting.append(element)  # included files may include
        else:
            waiting += element.children
    return root


def _included(include: Element, folder: Path, seen: set[Path]) -> list[Element]:
    name = include.text("file").replace("\\", "/")
    place = (folder / name).resolve()
    if not name or not place.is_relative_to(folder):
        message = f"line {include.line}: {name!a} is included, which is not below {folder.name}."
        raise XmlError(message)
    if place in seen:
        message = f"line {include.line}: {name!a} is included twice."
        raise XmlError(message)
    seen.add(place)
    return read_xml(place).children
