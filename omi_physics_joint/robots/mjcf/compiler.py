# SPDX-License-Identifier: GPL-3.0-or-later
"""How numbers and classes of a model are to be read: ``compiler`` and ``default``."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass
from math import radians

from ...files.inputs import spend
from ...model.geometry.transform import (
    IDENTITY_ROTATION,
    Matrix,
    Rotation,
    normalized,
    rotation_about,
    rotation_from_quaternion,
)
from ..element import Element, XmlError
from ..turning import along_z, by_euler, from_axes, from_wxyz, pose

ACTUATORS = (
    "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle",
    "adhesion", "dcmotor", "plugin",
)  # fmt: skip
MAIN = "main"
Classes = dict[str, ChainMap[str, dict[str, str]]]
"""By name: attributes of elements by tag, those of the innermost class first."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """What ``compiler`` says, and every class with all that it takes over."""

    said: Element
    classes: Classes

    def angle(self, value: float) -> float:
        """Return an angle of the file in rad."""
        return value if self.said.text("angle", "degree") == "radian" else radians(value)

    def flag(self, name: str, *, default: bool) -> bool:
        """Return a setting that is true or false."""
        return self.said.text(name, str(default).lower()) == "true"

    def resolved(self, element: Element, childclass: str) -> Element:
        """Return an element with the attributes of its class.

        Raises:
            XmlError: there is no such class.
        """
        name = element.text("class") or childclass or MAIN
        if name not in self.classes:
            raise XmlError(f"line {element.line}: there is no default class {name!a}.")
        spend("elements", 0)  # classes in classes take time
        defaults: dict[str, str] = {}
        for tag in (*ACTUATORS, element.tag) if element.tag in ACTUATORS else (element.tag,):
            for own in reversed(self.classes[name].maps):
                defaults |= own.get(tag, {})
        return Element(element.tag, defaults | element.attributes, element.children, element.line)

    def turn(self, element: Element) -> Rotation:
        """Return how an element is turned, in whichever words."""
        if q := element.floats("quat", 4):
            return rotation_from_quaternion(from_wxyz(q))
        if a := element.floats("axisangle", 4):
            return rotation_about(normalized(a[:3]), self.angle(a[3]))
        if e := element.floats("euler", 3):
            return by_euler([*map(self.angle, e)], self.said.text("eulerseq", "xyz"))
        if a := element.floats("xyaxes", 6):
            return from_axes((a[0], a[1], a[2]), (a[3], a[4], a[5]))
        if element.text("zaxis"):
            return along_z(element.vector("zaxis"))
        return IDENTITY_ROTATION

    def pose(self, element: Element) -> Matrix:
        """Return where an element is."""
        return pose(self.turn(element), element.vector("pos"))


def compiler_of(root: Element) -> Compiler:
    """Return the compiler of a model; of what is said twice the last counts."""
    said = Element("compiler")
    for one in root.all("compiler"):
        said.attributes |= one.attributes
    if said.text("coordinate", "local") != "local":
        raise XmlError("Global coordinates are not read: save the model with MuJoCo 2.3.3 first.")
    order = said.text("eulerseq", "xyz")
    if len(order) != 3 or not set(order.lower()) <= set("xyz"):
        raise XmlError(f"eulerseq={order[:20]!a} is no order of turns.")
    return Compiler(said, _classes(root))


def _classes(root: Element) -> Classes:
    """Return every class; the outermost is one, in however many sections."""
    classes: Classes = {MAIN: ChainMap()}
    for outermost in root.all("default"):
        main = classes[MAIN] = classes[MAIN].new_child()
        waiting = [(outermost, main)]
        while waiting:
            section, own = waiting.pop()
            classes[section.text("class")] = own
            for child in section.children:
                if child.tag != "default":
                    own.maps[0].setdefault(child.tag, {}).update(child.attributes)
            waiting += [(one, own.new_child()) for one in section.all("default")][::-1]
    return classes
