# SPDX-License-Identifier: GPL-3.0-or-later
"""The gravity of a document, and that of nodes: kept as it is, not played.

What a node says stands in its ``unknown`` text, under the name of the extension. The one index in
it, of a shape, is null there: the shape is one of the mechanism's, ``Node.gravity_shape``. A shape
of a type that is not read stands in the text itself, since a document that is written has others.
Source: OMI_physics_gravity, "glTF Document" and "glTF Node".
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import hypot

from ...model.body import Vector3
from ...model.mechanism import EARTH, Mechanism
from ...model.mechanism import GRAVITY as STRENGTH
from ...model.shape import Shape
from ..document.json_text import Json, JsonObject, members_of, merged, object_of, text_of
from ..document.members import Members, Table, quiet
from ..document.new_nodes import Numbering
from ..document.node_graph import vector3
from ..document.numbers import number, numbers
from ..omi.names import SHAPE
from ..omi.read_omi import SPOKEN, read_omi_shape
from ..omi.spell_omi import spell_shape
from ..source import Source
from .kept import GRAVITY, both, kept_for, kept_under
from .resources import read_items

DOWN: Vector3 = (0.0, -1.0, 0.0)
SAME = 1e-6
"""Parts of the Earth's gravity that do not count: single precision holds no more."""


def read_gravity(gravity: Members) -> Vector3:
    """Return the gravity of a whole document in m/s^2, in its axes."""
    strength = gravity.number("gravity", STRENGTH)
    direction = vector3(gravity.vector("direction", DOWN))
    length = hypot(*direction)
    if length == 0.0:
        gravity.error("gravity-direction", "The direction of gravity is zero.", "Down is taken.")
        direction, length = DOWN, 1.0
    x, y, z = (strength * part / length + 0.0 for part in direction)
    return (x, y, z)


def spell_gravity(gravity: Vector3 | None, unknown: str) -> JsonObject:
    """Return the extension object of a document; an empty one where there is nothing to say."""
    members: JsonObject = {}
    if gravity is None and unknown:
        members["gravity"] = number(STRENGTH)
    if gravity is not None:
        strength = hypot(*gravity)
        members["gravity"] = number(strength)
        if strength > 0.0:
            direction = tuple(part / strength for part in gravity)
            if max(abs(a - b) for a, b in zip(direction, DOWN, strict=True)) > SAME:
                members["direction"] = numbers(direction)
    return merged(members, unknown) if members else {}


def is_earths(gravity: Vector3) -> bool:
    """Return whether gravity is what a file means that does not say it."""
    return max(abs(a - b) for a, b in zip(gravity, EARTH, strict=True)) <= SAME * STRENGTH


SHAPED = "shaped"


def with_node_gravity(mechanism: Mechanism, source: Source) -> Mechanism:
    """Return a mechanism that keeps the gravity of nodes of its document."""
    found = ((index, node.extension(GRAVITY)) for index, node in enumerate(source.members))
    pulling = [(index, gravity) for index, gravity in found if gravity is not None]
    if not pulling:
        return mechanism
    volumes = _Volumes(source, list(mechanism.shapes))
    nodes = list(mechanism.nodes)
    for index, gravity in pulling:
        text, shape = volumes.read(gravity)
        kept = both(nodes[index].unknown, kept_under(GRAVITY, text))
        nodes[index] = replace(nodes[index], unknown=kept, gravity_shape=shape)
    return replace(mechanism, nodes=tuple(nodes), shapes=tuple(volumes.shapes))


def spell_node_gravity(
    mechanism: Mechanism,
    index: int,
    document: dict[str, JsonObject],
    numbering: Numbering,
) -> JsonObject:
    """Return the gravity that a node keeps; a shape that it needs is put into the document."""
    node = mechanism.nodes[index]
    members = members_of(kept_for(GRAVITY, node.unknown))
    block = members.get(SHAPED)
    if not isinstance(block, dict) or "shape" not in block:
        return members
    shape = block["shape"]
    if node.gravity_shape is not None:
        own = mechanism.shapes[node.gravity_shape]
        shape = spell_shape(own, numbering.meshes)
        if own.name and shape is not None:
            shape = {"name": own.name, **shape}
    if not isinstance(shape, dict):
        return {}
    extension = document.setdefault(SHAPE, {})
    shapes = extension.setdefault("shapes", [])
    assert isinstance(shapes, list)
    return {**members, SHAPED: {**block, "shape": _put(shapes, shape)}}


class _Volumes:
    """The shapes of a mechanism, to which those of gravity are added."""

    def __init__(self, source: Source, shapes: list[Shape]) -> None:
        self.shapes = shapes
        # Who reads the dialect says what is wrong.
        extension = quiet(object_of(source.root.json, "extensions", SHAPE))
        read = partial(read_omi_shape, meshes=source.mesh_table)
        found: tuple[list[Shape], Table] = read_items(extension, "shapes", "shapes", read)
        self._found, self._table = found
        self._raw = extension.items("shapes")

    def read(self, gravity: Members) -> tuple[str, int | None]:
        """Return the text of the gravity of a node, and its shape; "" where it cannot be kept."""
        members, shape = dict(gravity.json), None
        block = gravity.child(SHAPED)
        if block is not None and block.has("shape"):
            rest: JsonObject = {key: x for key, x in block.json.items() if key != "shape"}
            foreign = self._foreign(block.json["shape"])
            at = None if foreign else block.index("shape", self._table)
            if at is not None:
                if self._found[at] not in self.shapes:
                    self.shapes.append(self._found[at])
                shape = self.shapes.index(self._found[at])
            if foreign or at is not None:
                rest["shape"] = foreign
            members[SHAPED] = rest
        try:
            return (text_of(members) if members else ""), shape
        except ValueError as error:
            gravity.warn("unknown-not-kept", f"The gravity of the node cannot be kept: {error}.")
            return "", None

    def _foreign(self, index: Json) -> JsonObject | None:
        if not isinstance(index, int) or not 0 <= index < len(self._raw):
            return None
        shape = object_of(self._raw[index])
        kind = shape.get("type")
        return shape if isinstance(kind, str) and kind not in SPOKEN else None


def _put(shapes: list[Json], shape: JsonObject) -> int:
    """Return where a shape is among those of a document; a name is none of its value.

    A name that is new comes first, as ``Pool`` has it, so the order is always one.
    """
    for at, other in enumerate(shapes):
        if isinstance(other, dict) and {**other, "name": ""} == {**shape, "name": ""}:
            if "name" in shape and "name" not in other:
                shapes[at] = {"name": shape["name"], **other}
            return at
    shapes.append(shape)
    return len(shapes) - 1
