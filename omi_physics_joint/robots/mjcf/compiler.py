# SPDX-License-Identifier: GPL-3.0-or-later
"""How numbers and classes of a model are to be read: ``compiler`` and ``default``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import radians

from ...model.body import IDENTITY_QUATERNION
from ...model.geometry.transform import (
    IDENTITY_ROTATION,
    Matrix,
    Rotation,
    normalized,
    rotation_from_quaternion,
)
from ..element import Element, XmlError
from ..numbers import floats, number, vector
from ..turning import about, along_z, by_euler, from_axes, pose

ACTUATORS = (
    "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle",
    "adhesion", "dcmotor", "plugin",
)  # fmt: skip
MAIN = "main"
Classes = dict[str, dict[str, dict[str, str]]]


@dataclass(frozen=True, slots=True)
class Compiler:
    """What ``compiler`` says, and every class with all that it takes over."""

    said: Mapping[str, str]
    classes: Classes

    def angle(self, value: float) -> float:
        """Return an angle of the file in rad."""
        return value if self.said.get("angle", "degree") == "radian" else radians(value)

    def flag(self, name: str, *, default: bool) -> bool:
        """Return a setting that is true or false."""
        return self.said.get(name, str(default).lower()) == "true"

    def amount(self, name: str, default: float) -> float:
        """Return a number of the compiler."""
        return number(Element("compiler", dict(self.said)), name, default)

    def resolved(self, element: Element, childclass: str) -> Element:
        """Return an element with the attributes of its class.

        Raises:
            XmlError: there is no such class.
        """
        name = element.text("class") or childclass or MAIN
        if name not in self.classes:
            message = f"line {element.line}: there is no default class {name!a}."
            raise XmlError(message)
        tags = self.classes[name]
        defaults: dict[str, str] = {}
        for tag in (*ACTUATORS, element.tag) if element.tag in ACTUATORS else (element.tag,):
            defaults |= tags.get(tag, {})
        return Element(element.tag, defaults | element.attributes, element.children, element.line)

    def turn(self, element: Element) -> Rotation:
        """Return how an element is turned, in whichever words."""
        if q := floats(element, "quat"):
            w, x, y, z = _sized(q, 4, element, "quat")
            turns = any((x, y, z, w))
            return rotation_from_quaternion((x, y, z, w) if turns else IDENTITY_QUATERNION)
        if a := floats(element, "axisangle"):
            x, y, z, angle = _sized(a, 4, element, "axisangle")
            return about(normalized((x, y, z)), self.angle(angle))
        if e := floats(element, "euler"):
            angles = [self.angle(value) for value in _sized(e, 3, element, "euler")]
            return by_euler(angles, self.said.get("eulerseq", "xyz"))
        if a := floats(element, "xyaxes"):
            _sized(a, 6, element, "xyaxes")
            return from_axes((a[0], a[1], a[2]), (a[3], a[4], a[5]))
        if floats(element, "zaxis"):
            return along_z(vector(element, "zaxis"))
        return IDENTITY_ROTATION

    def pose(self, element: Element) -> Matrix:
        """Return where an element is."""
        return pose(self.turn(element), vector(element, "pos"))


def compiler_of(root: Element) -> Compiler:
    """Return the compiler of a model; of what is said twice the last counts."""
    said: dict[str, str] = {}
    for one in root.all("compiler"):
        said |= one.attributes
    if said.get("coordinate", "local") != "local":
        message = "Global coordinates are not read: save the model with MuJoCo 2.3.3 first."
        raise XmlError(message)
    order = said.get("eulerseq", "xyz")
    if len(order) != 3 or not set(order.lower()) <= set("xyz"):
        message = f"eulerseq={order[:20]!a} is no order of turns."
        raise XmlError(message)
    return Compiler(said, _classes(root))


def _classes(root: Element) -> Classes:
    """Return of every class all attributes by tag, its own over those of the classes around it."""
    classes: Classes = {MAIN: {}}
    waiting = [(one, classes[MAIN], one.text("class") or MAIN) for one in root.all("default")]
    while waiting:
        section, around, name = waiting.pop(0)
        own = {tag: dict(attributes) for tag, attributes in around.items()}
        for child in section.children:
            if child.tag != "default":
                own[child.tag] = own.get(child.tag, {}) | child.attributes
        # The outermost class is one, in however many sections.
        outermost = around is classes[MAIN] and section in root.children
        if outermost:
            classes[MAIN].update(own)
            own = classes[MAIN]
        classes[name] = own
        waiting[:0] = [(one, own, one.text("class")) for one in section.all("default")]
    return classes


def _sized(
    numbers: tuple[float, ...], count: int, element: Element, name: str
) -> tuple[float, ...]:
    if len(numbers) != count:
        message = f"line {element.line}: {name} of <{element.tag}> wants {count} numbers."
        raise XmlError(message)
    return numbers
