# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism while it is read from a stage: in the axes of the stage, lengths in m.

Values of prims are in SI: what nobody has authored is its default, and so is what is no number.
Nodes are the prims that stand somewhere and matter, in their order; what has no prim of its own
(frames of joints, turned shapes) comes after them. ``nodes.started`` begins one.
"""

from __future__ import annotations

from ctypes import c_float
from dataclasses import replace
from math import inf, isfinite, isnan
from typing import Any

from ...files.inputs import spend
from ...model.body import CollisionFilter, PhysicsMaterial, Quaternion, Vector3
from ...model.contents import Contents, PoseKeys
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.geometry.transform import IDENTITY, Matrix
from ...model.joint import AXIS_NAMES, JointSettings
from ...model.keys import Keys
from ...model.mechanism import Mechanism, Node
from ...model.shape import Shape
from ...model.solid import Triangles
from ...model.unknown import EXTRAS, members_in, text_of
from ...model.wording.findings import Findings
from .. import table
from ..prim import Prim, Stage, above
from ..table import Attribute
from ..units import Unit, has_space
from .findings import KINDS

WORLD = "Static World"
"""Name of the node that stands for the world where a joint holds on to it."""


_AMOUNTS = (table.BODY_MASS, table.BODY_DENSITY)
"""What is never below zero."""


class StageReading:
    """The values of a stage, what has been read of it so far, and what is said of it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.prims = {prim.path: prim for prim in stage}
        self.units = stage.units
        self.found = Findings(KINDS)
        self.up = 2 if stage.up_axis == "Z" else 1
        """The axis that is up."""
        self.nodes: list[Node] = []
        self.node_of: dict[str, int] = {}
        self.prim_of: dict[int, Prim] = {}
        """The prim that a node is."""
        self.joint_prims: dict[int, Prim] = {}
        """The joint that a node of our own is the first frame of."""
        self.joint_of: dict[str, int] = {}
        """The node of the first frame of a joint prim."""
        self.settings: dict[JointSettings, tuple[int, str]] = {}
        """Without names; with index and name, as are meshes."""
        self.meshes: dict[Triangles, tuple[int, str]] = {}
        self.shapes: dict[Shape, int] = {}
        self.materials: dict[PhysicsMaterial, int] = {}
        self.filters: dict[CollisionFilter, int] = {}
        self.shown: dict[int, int] = {}
        self.led: dict[int, PoseKeys] = {}
        self.gravity: Vector3 | None = None
        self._world: int | None = None

    def note(self, code: str, prim: Prim, detail: str = "") -> None:
        """Note a kind of finding of a prim, once; the detail stands behind its name."""
        self.found.note(code, f"{prim.name} ({detail})" if detail else prim.name, prim.path)

    def flag(self, prim: Prim, attribute: Attribute) -> bool:
        """Return whether something is so."""
        value = prim.attributes.get(attribute.name)
        return bool(value if isinstance(value, bool | int) else attribute.default)

    def token(self, prim: Prim, attribute: Attribute) -> str:
        """Return a word."""
        value = prim.attributes.get(attribute.name)
        return value if isinstance(value, str) else str(attribute.default)

    def axis(self, prim: Prim, attribute: Attribute) -> int:
        """Return the number of an axis."""
        word = self.token(prim, attribute)
        if word not in AXIS_NAMES:
            self.note("usd-number", prim, attribute.name)
        return AXIS_NAMES.index(word if word in AXIS_NAMES else str(attribute.default))

    def extras(self, prim: Prim) -> str:
        """Return what is kept of glTF's extras, as members that nobody knows; "" where nothing."""
        extras = members_in(self.token(prim, table.EXTRAS))
        return text_of({EXTRAS: extras}) if extras else ""

    def number(
        self,
        prim: Prim,
        attribute: Attribute,
        instance: str = "",
        *,
        unit: Unit | None = None,
        default: float | None = None,
    ) -> float:
        """Return a number in SI, of an instance of a schema that is applied several times.

        A unit is named where it depends on the degree of freedom, a default where prims of this
        type have another one.
        """
        name, fallback = attribute.of(instance), attribute.default if default is None else default
        value = prim.attributes.get(name, fallback)
        is_negative = attribute in _AMOUNTS and _is_number(value) and value < 0.0
        if not _is_number(value) or isnan(value) or is_negative:
            self.note("usd-number", prim, name)
            value = fallback
        return self.units.meant(_plain(attribute, float(value)), unit or attribute.unit)

    def amount(self, prim: Prim, attribute: Attribute) -> float:
        """Return how much there is of something; zero in place of what is negative or endless."""
        value = self.number(prim, attribute)
        return value if 0.0 < value < inf else 0.0

    def vector(self, prim: Prim, attribute: Attribute) -> Vector3 | None:
        """Return three finite numbers in SI; None where they are not said, or a sentinel."""
        numbers = self._several(prim, attribute, 3)
        if numbers is None or not all(map(isfinite, numbers)):
            return None
        x, y, z = (self.units.meant(one, attribute.unit) for one in numbers)
        return (x, y, z)

    def quaternion(self, prim: Prim, attribute: Attribute) -> Quaternion | None:
        """Return a rotation; None where it is not said or zero."""
        numbers = self._several(prim, attribute, 4)
        if numbers is None or not any(numbers):
            return None
        x, y, z, w = numbers
        return (x, y, z, w)

    def _several(self, prim: Prim, attribute: Attribute, count: int) -> tuple[float, ...] | None:
        """Return numbers as they were typed; None where they are not said or are none.

        The sentinel of vectors is -inf.
        """
        value = prim.attributes.get(attribute.name)
        if value is None:
            return None
        if isinstance(value, tuple) and len(value) == count and all(map(_is_number, value)):
            numbers = tuple(_plain(attribute, float(one)) for one in value)
            if all(isfinite(one) or (one == -inf and count == 3) for one in numbers):
                return numbers
        self.note("usd-number", prim, attribute.name)
        return None

    def keys(self, prim: Prim, name: str, field: str, unit: Unit) -> Keys | None:
        """Return how a number goes over time; None where it does not change."""
        samples = prim.samples.get(name, ())
        sound = [(t, v) for t, v in samples if _is_number(v) and not isnan(v) and isfinite(t)]
        if len(sound) < len(samples):
            self.note("usd-number", prim, name)
        if len(sound) < 2:
            return None
        times = tuple(self.stage.seconds(time) for time, _ in sound)
        return Keys(
            field, times, tuple(self.units.meant(shortest(float(v)), unit) for _, v in sound)
        )

    def add(self, name: str, parent: int | None, world: Matrix, prim: Prim | None = None) -> int:
        """Add a node and return its index."""
        index = len(self.nodes)
        spend("nodes")
        self.nodes.append(Node(name, parent, world))
        if prim is not None:
            self.prim_of[index] = prim
        return index

    def change(self, index: int, **changes: Any) -> None:  # noqa: ANN401
        """Change a node."""
        self.nodes[index] = replace(self.nodes[index], **changes)

    def is_flat(self, index: int) -> bool:
        """Return whether a node is scaled by zero."""
        return not has_space(self.nodes[index].world)

    def node_at_or_above(self, path: str) -> int | None:
        """Return the node of a prim, or of the nearest one above it."""
        return next((self.node_of[one] for one in above(path) if one in self.node_of), None)

    def body_of(self, index: int | None) -> int | None:
        """Return the nearest node with a motion, the node itself or above it."""
        while index is not None and self.nodes[index].motion is None:
            index = self.nodes[index].parent
        return index

    def world(self) -> int:
        """Return the node that stands for the world."""
        if self._world is None:
            self._world = self.add(WORLD, None, IDENTITY)
        return self._world

    def settings_of(self, name: str, settings: JointSettings) -> int:
        """Return the index of joint settings; equal ones are one, called by the first."""
        return self.settings.setdefault(settings, (len(self.settings), name))[0]

    def mesh(self, name: str, triangles: Triangles) -> int:
        """Return the index of a mesh; equal ones are one, called by the first."""
        return self.meshes.setdefault(triangles, (len(self.meshes), name))[0]

    def contents(self) -> Contents:
        """Return what was read, in glTF axes."""
        mechanism = Mechanism(
            nodes=tuple(self.nodes),
            settings=tuple(replace(one, name=name) for one, (_, name) in self.settings.items()),
            shapes=tuple(self.shapes),
            physics_materials=tuple(self.materials),
            collision_filters=tuple(self.filters),
            meshes=tuple(name for _, name in self.meshes.values()),
            gravity=self.gravity,
        )
        contents = Contents(mechanism, tuple(self.meshes), self.shown, self.led)
        return contents.turned(Y_UP_FROM_Z_UP) if self.up == 2 else contents


def shortest(value: float) -> float:
    """Return the shortest decimal that single precision holds as a number: 0.3, not 0.30000001."""
    tries = (float(f"{value:.{digits}g}") for digits in range(6, 9))
    return next((one for one in tries if c_float(one).value == value), value)


def _plain(attribute: Attribute, value: float) -> float:
    """Return a number as it was typed, where its attribute holds single precision."""
    return value if attribute.type.startswith("double") else shortest(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def pooled(pool: dict[Any, int], item: Any) -> int:  # noqa: ANN401 - whatever is shared
    """Return the index of an item among equal ones."""
    return pool.setdefault(item, len(pool))
