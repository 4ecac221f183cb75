# SPDX-License-Identifier: GPL-3.0-or-later
"""What links, joints and geoms are called in a robot's file, and where they stand there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..model.mechanism import Node
from .element import Element, read_xml
from .remarks import remarks_in

JOINTS = ("joint", "freejoint")
OTHERS = ("link", "body", "geom", "collision", "visual")
"""The first of them that has a name is what is meant by it."""


def places_in(path: Path) -> Callable[[Node], str]:
    """Return what says of the nodes of a file that was read what they are there.

    Such as ``joint elbow, line 12``; the name alone of what another file has that it includes.
    """
    found: dict[tuple[str, str], Element] = {}
    waiting = [read_xml(path)]
    while waiting:
        element = waiting.pop()
        waiting += reversed(element.children)
        if "name" in element.attributes:
            found.setdefault((element.tag, element.text("name")), element)

    def place(node: Node) -> str:
        said = remarks_in(node.joint.unknown) if node.joint is not None else []
        name = said[0].name or node.name if said else node.name
        tags = OTHERS if node.joint is None else JOINTS
        element = next((found[tag, name] for tag in tags if (tag, name) in found), None)
        return name if element is None else f"{element.tag} {name}, line {element.line}"

    return place
