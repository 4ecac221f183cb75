# SPDX-License-Identifier: GPL-3.0-or-later
"""What robots' files say of a coordinate and a mechanism has no place for: it goes along.

It stands in the ``extras`` of a joint's extension, as a list ``robot`` of an object for each
coordinate, in their order, and so goes through glTF, Blender and USD. Nothing of it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from math import isfinite
from pathlib import Path
from typing import Any

from ..model import unknown
from ..model.mechanism import Node
from ..model.unknown import EXTRAS, ROBOT, extras_in
from .element import Element, read_xml


@dataclass(frozen=True, slots=True)
class Mimic:
    """value = multiplier x the value of a joint + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Remarks:
    """Of one coordinate. Absent is what was not said."""

    type: str | None = None
    """``linear`` or ``angular``, where the joint has several coordinates or holds this one."""
    axis: int | None = None
    """Of the joint's frame in glTF, likewise."""
    name: str | None = None
    """Of the coordinate, where that of the node is another."""
    node: str | None = None
    """What the node was called then: where it is called otherwise now, a user has renamed it."""
    number: int | None = None
    """Place among the joints of the file, from 0."""
    effort: float | None = None
    """Largest force of all motors, N or N m."""
    velocity: float | None = None
    """Largest speed, m/s or rad/s."""
    armature: float | None = None
    """Inertia of the rotor, kg or kg m^2."""
    mimic: Mapping[str, Any] | None = None
    """Members of a ``Mimic``."""
    safety: Mapping[str, Any] | None = None
    """Attributes of URDF's safety controller."""
    actuators: Sequence[Any] | None = None
    """MJCF's actuators: attributes, ``tag``, ``number`` among all, ``control`` at the start."""
    transmissions: Sequence[Any] | None = None
    """URDF's: ``xml`` without the name of this joint, and ``number`` among all."""
    fixed: Mapping[str, Any] | None = None
    """Names of fixed joints, by the links that they hold to what this coordinate moves."""
    massless: bool | None = None
    """Whether the link that it moves says no mass."""

    def as_json(self) -> dict[str, Any]:
        """Return what is said."""
        pairs = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name: value for name, value in pairs if value is not None}


NOTHING = Remarks()
_KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("type", "name", "node"), (str,)),
    **dict.fromkeys(("axis", "number"), (int,)),
    **dict.fromkeys(("effort", "velocity", "armature"), (int, float)),
    **dict.fromkeys(("mimic", "safety", "fixed"), (dict,)),
    **dict.fromkeys(("actuators", "transmissions"), (list,)),
    "massless": (bool,),
}


def text_of(remarks: Sequence[Remarks]) -> str:
    """Return members of a joint that say this of its coordinates; "" where nothing is said."""
    if all(one == NOTHING for one in remarks):
        return ""
    return unknown.text_of({EXTRAS: {ROBOT: [one.as_json() for one in remarks]}})


def remarks_in(text: str) -> list[Remarks]:
    """Return what members of a joint say of its coordinates; what is damaged is not said."""
    found = extras_in(text).get(ROBOT)
    entries = found if isinstance(found, list) else []
    return [_remarks(entry) for entry in entries if isinstance(entry, dict)]


def mimic_of(remarks: Remarks) -> Mimic | None:
    """Return which joint one follows; None where it follows none."""
    said = remarks.mimic or {}
    joint = said.get("joint")
    if not isinstance(joint, str) or not joint:
        return None
    return Mimic(joint, number_in(said, "multiplier", 1.0), number_in(said, "offset"))


def number_in(said: Mapping[str, Any], name: str, default: float = 0.0) -> float:
    """Return a number that is kept; the default where it is none."""
    number = said.get(name, default)
    known = isinstance(number, int | float) and not isinstance(number, bool) and isfinite(number)
    return float(number) if known else default


def texts(said: Mapping[str, Any]) -> dict[str, str]:
    """Return what is kept of an element's attributes: texts by names that XML has."""
    return {
        name: text for name, text in said.items() if isinstance(text, str) and name.isidentifier()
    }


def _remarks(entry: Mapping[str, Any]) -> Remarks:
    return Remarks(
        **{
            name: entry[name]
            for name, kinds in _KINDS.items()
            if isinstance(entry.get(name), kinds)
            and (bool in kinds or not isinstance(entry[name], bool))
            and (not isinstance(entry[name], float) or isfinite(entry[name]))
        }
    )


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
