# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies as OMI_physics_body spelled them before August 2023, as bodies of today.

Then the extension of a node was one flat object with a type, and shapes stood on nodes of their own
in OMI_physics_shape: solid, or what makes up a trigger, by the type of the nearest body above.
Source: OMI_physics_body in omigroup/gltf-extensions and in KhronosGroup/glTF (2023).
"""

from __future__ import annotations

from dataclasses import replace

from ...model.body import (
    IDENTITY_QUATERNION,
    ZERO,
    Collider,
    Motion,
    MotionType,
    Quaternion,
    Trigger,
    Vector3,
)
from ...model.geometry.transform import Rotation, quaternion_from_rotation, singular_values
from ...model.mechanism import Mechanism, Node
from ..document.members import Members
from ..shared.read_bodies import read_motion_of
from ..shared.resources import Tables
from ..source import Source
from .names import BODY, SHAPE

TYPES = {
    "static": MotionType.STATIC,
    "kinematic": MotionType.KINEMATIC,
    "character": MotionType.KINEMATIC,
    "rigid": MotionType.DYNAMIC,
    "dynamic": MotionType.DYNAMIC,
    "vehicle": MotionType.DYNAMIC,
}
TRIGGER = "trigger"
NO_TENSOR = (0.0,) * 9


def is_legacy_body(body: Members) -> bool:
    """Return whether the extension of a node has the older form."""
    return "type" in body.json and body.json.keys().isdisjoint({"motion", "collider", "trigger"})


def with_legacy_bodies(source: Source, nodes: list[Node], tables: Tables) -> list[Node]:
    """Return nodes with the bodies and shapes that are in the older form; one warning says so."""
    kinds: dict[int, str] = {}
    shapes: dict[int, int | None] = {}
    nodes = list(nodes)
    for index, members in enumerate(source.members):
        body, shape = members.extension(BODY), members.extension(SHAPE)
        if body is not None and is_legacy_body(body):
            kinds[index] = body.text("type")
            nodes[index] = replace(nodes[index], motion=_motion(body, kinds[index]))
        if shape is not None:
            shapes[index] = shape.index("shape", tables.shapes)
    tree = Mechanism(source.nodes)
    for index, at in shapes.items():
        owner = next((above for above in tree.ancestry(index) if above in kinds), None)
        if owner is None or kinds[owner] != TRIGGER:
            nodes[index] = replace(nodes[index], collider=None if at is None else Collider(at))
            continue
        nodes[index] = replace(nodes[index], trigger=None if at is None else Trigger(at))
        if owner != index and at is not None:
            parts = nodes[owner].trigger or Trigger()
            together = replace(parts, nodes=(*parts.nodes, index)) if parts.shape is None else parts
            nodes[owner] = replace(nodes[owner], trigger=together)
    if kinds or shapes:
        message = "The file has bodies or shapes in the older form, before August 2023."
        source.root.warn("legacy-body", message, "Export the file again.")
    return nodes


def _motion(body: Members, kind: str) -> Motion | None:
    """Return what a body is; None of a trigger, and, with an issue, of a type that is none."""
    if kind == TRIGGER:
        return None
    if kind not in TYPES:
        body.error("wrong-type", f'There is no body of type "{kind}".', "It is left out.", "type")
        return None
    moments, axes = _principal(body.vector("inertiaTensor", NO_TENSOR))
    motion = read_motion_of(body, TYPES[kind], body.number("mass", 1.0), ZERO, ZERO)
    return replace(motion, inertia_diagonal=moments, inertia_orientation=axes, unknown="")


def _principal(tensor: tuple[float, ...]) -> tuple[Vector3, Quaternion]:
    """Return the principal moments of an inertia tensor of nine numbers, and their axes."""
    a, b, c, d, e, f, g, h, i = tensor
    diagonal, rows = (a, e, i), ((a, b, c), (d, e, f), (g, h, i))
    if not any((b, c, d, f, g, h)):
        return diagonal, IDENTITY_QUATERNION
    symmetric: Rotation = tuple(
        tuple(0.5 * (rows[r][s] + rows[s][r]) for s in range(3)) for r in range(3)
    )
    try:
        _, (x, y, z), axes = singular_values(symmetric)
    except ZeroDivisionError:
        return diagonal, IDENTITY_QUATERNION
    return (abs(x), abs(y), abs(z)), quaternion_from_rotation(axes)
