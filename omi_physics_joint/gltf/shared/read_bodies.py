# SPDX-License-Identifier: GPL-3.0-or-later
"""What all dialects read of bodies and their shapes alike, out of JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ...model.body import ZERO, Motion, MotionType, Vector3
from ...model.shape import Box, Capsule, Cylinder, Shape, Sphere
from ...model.wording.words import one_line
from ..document.members import Members, quiet
from ..document.node_graph import quaternion, vector3

Blocks = Mapping[str, Callable[[Members], Shape | None]]
"""Types of shapes that a dialect has, each with what reads its block; None where it cannot."""

SIZES = ("size", "radius", "height", "mesh")
"""What shapes of the older form have beside their type."""


def read_motion_of(
    motion: Members, kind: MotionType, mass: float, center: Vector3 | None, diagonal: Vector3
) -> Motion:
    """Read the rest of a motion, of which dialects spell type, mass and inertia otherwise.

    Without a centre of mass in the file it is ``center``.
    """
    return Motion(
        kind,
        mass,
        vector3(motion.vector("centerOfMass", ZERO)) if motion.has("centerOfMass") else center,
        diagonal,
        quaternion(motion, "inertiaOrientation"),
        vector3(motion.vector("linearVelocity", ZERO)),
        vector3(motion.vector("angularVelocity", ZERO)),
        motion.number("gravityFactor", 1.0),
        motion.unknown(),
    )


def read_shape(shape: Members, blocks: Blocks) -> Shape | None:
    """Read one shape; None, with an issue, where its type or its mesh is not known.

    A shape without its block has the default size, as the official ``default_box.gltf`` has it.
    """
    name = shape.name()
    kind = shape.text("type")
    if kind not in blocks:
        if "type" not in shape.json:
            shape.error("missing-member", "The shape has no type.", "It is left out.")
        elif isinstance(shape.json["type"], str):
            message = f'There is no shape of type "{one_line(kind)}".'
            shape.error("unknown-shape-type", message, "It is left out.", "type")
        return None
    block = shape.child(kind)
    if block is None:  # until August 2023 the sizes stood beside the type
        sizes = {key: one for key, one in shape.json.items() if shape.has(key) and key in SIZES}
        block = quiet(sizes)
    read = blocks[kind](block)
    if read is not None:
        return replace(read, name=name, unknown=shape.unknown(**{kind: block}))
    if block.json.get("mesh") is None:
        shape.error("missing-member", f"The {kind} shape has no mesh.", "It is left out.")
    return None


def read_box(block: Members) -> Box:
    """Read the block of a box."""
    return Box(vector3(block.vector("size", Box().size)))


def read_sphere(block: Members) -> Sphere:
    """Read the block of a sphere."""
    return Sphere(block.number("radius", Sphere().radius))


def read_round(block: Members, default: Capsule | Cylinder) -> Capsule | Cylinder:
    """Read the block of a capsule or a cylinder, of which a dialect has this default."""
    return replace(
        default,
        height=block.number("height", default.height),
        radius_bottom=block.number("radiusBottom", default.radius_bottom),
        radius_top=block.number("radiusTop", default.radius_top),
    )
