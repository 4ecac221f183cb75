# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings, limits, drives and joint nodes, bodies and their shapes, out of JSON.

OMI_physics_joint and KHR_physics_rigid_bodies spell them alike; what a range on several axes means
is for the dialect to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf, tau
from typing import Any

from ...model.body import ZERO, Motion, MotionType, Vector3
from ...model.issue import Severity
from ...model.joint import AXES, Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from ...model.settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Below, Field
from ...model.shape import Box, Capsule, Cylinder, Shape, Sphere
from ...model.wording.words import one_line
from ..animated.keyed import JOINT_FIELDS, firsts, read_keys
from ..document.json_text import text_of
from ..document.members import NO_INDEX, Members, Table
from ..document.node_graph import quaternion, vector3

MOST_DEGREES = 720.0
"""Larger angles stand for no bound."""


def read_limit(limit: Members) -> Limit | None:
    """Read one limit; None, with an issue, where it has no axis or nothing between its bounds."""
    linear = limit.integers("linearAxes", len(AXES), "axis")
    angular = limit.integers("angularAxes", len(AXES), "axis")
    numbers = _numbers(limit, LIMIT_FIELDS, "limit-negative")
    _question_degrees(limit, *((numbers["min"], numbers["max"]) if angular else ()))
    keys = read_keys(limit, LIMIT_FIELDS)
    read = Limit(linear, angular, **{**numbers, **firsts(numbers, keys)}, unknown=limit.unknown())
    return sound_limit(limit, replace(read, keys=keys))


def read_settings(
    settings: Members, read_limit: Callable[[Members], Limit | None] = read_limit
) -> JointSettings:
    """Read one item of ``physicsJoints``; limits and drives that are not sound are left out."""
    name = settings.name()
    limits = [read_limit(limit) for _, limit in settings.children("limits")]
    drives = [read_drive(drive) for _, drive in settings.children("drives")]
    return JointSettings(
        name,
        tuple(limit for limit in limits if limit is not None),
        tuple(drive for drive in drives if isinstance(drive, Drive)),
        tuple(foreign for foreign in drives if isinstance(foreign, str)),
        settings.unknown(),
    )


def sound_limit(members: Members, limit: Limit) -> Limit | None:
    """Return a limit, or None, with an issue, where it cannot be meant."""
    if not limit.linear_axes and not limit.angular_axes:
        members.error("limit-without-axes", "The limit names no axis.", "It is left out.")
        return None
    if limit.min > limit.max or limit.min == inf or limit.max == -inf:
        message = f"No value is within the limit: min is {limit.min:g} and max is {limit.max:g}."
        members.error("limit-reversed", message, "It is left out.")
        return None
    return limit


def read_drive(drive: Members) -> Drive | str | None:
    """Read one drive; its JSON text where another extension defines it, None where it is wrong."""
    freedom, mode = drive.text("type"), drive.text("mode")
    for key, value in (("type", freedom), ("mode", mode)):
        if not value:
            if drive.json.get(key, "") == "":
                drive.error("missing-member", f"The drive has no {key}.", "It is left out.")
            return None
    if freedom not in list(Freedom) or mode not in list(DriveMode):
        return _foreign(drive, freedom, mode)
    axis = drive.integer("axis")
    if axis not in AXES:
        if axis is not None:
            drive.error("index-out-of-range", "Set the axis to 0, 1 or 2.", key="axis")
        elif "axis" not in drive.json:
            drive.error("missing-member", "The drive has no axis.", "It is left out.")
        return None
    numbers = _numbers(drive, DRIVE_FIELDS, "drive-negative")
    _question_degrees(drive, numbers["position_target"] if freedom == Freedom.ANGULAR else None)
    keys = read_keys(drive, DRIVE_FIELDS)
    numbers |= firsts(numbers, keys)
    unknown = drive.unknown()
    return Drive(Freedom(freedom), DriveMode(mode), axis, **numbers, unknown=unknown, keys=keys)


def _question_degrees(members: Members, *angles: float | None) -> None:
    """Note an angle beyond a full turn that is a whole number, as those in degrees are."""
    for angle in angles:
        if angle is not None and tau < abs(angle) <= MOST_DEGREES and angle == round(angle):
            message = f"An angle is {angle:g} radians, as if it were in degrees."
            fix = "Write 90 degrees as 1.5708, if so."
            members.report(Severity.HINT, "angle-in-degrees", message, fix)
            return


def read_joint(joint: Members, settings: Table, nodes: Table) -> JointNode | None:
    """Read the extension of a joint node; None, with an issue, where it joins nothing."""
    settings_index = _required_index(joint, "joint", settings)
    connected_node = _required_index(joint, "connectedNode", nodes)
    enable_collision = joint.flag("enableCollision")
    unknown = joint.unknown()
    if settings_index is None or connected_node is None:
        return None
    if connected_node == joint.place.node:
        message = "The joint is connected to its own node."
        fix = "Connect it to a node of another body."
        joint.error("connected-to-itself", message, fix, "connectedNode")
        return None
    keys = read_keys(joint, JOINT_FIELDS)
    return JointNode(settings_index, connected_node, enable_collision, unknown, keys)


def _numbers(members: Members, fields: Sequence[Field], code: str) -> dict[str, Any]:
    """Return the numbers of a limit or a drive by their names; ``code`` is of negative ones."""
    return {field.name: _number(members, field, code) for field in fields}


def _number(members: Members, field: Field, code: str) -> float | None:
    if field.below is Below.INFINITE:
        return members.infinite_if_negative(field.key)
    if field.default is None:
        value = members.number(field.key, inf)
        return None if value == inf else value
    if field.below is Below.WRONG:
        return members.magnitude(field.key, field.default, code)
    return members.number(field.key, field.default, infinite=True)


def _foreign(drive: Members, freedom: str, mode: str) -> str | None:
    kind = f'"{one_line(freedom)}" and mode "{one_line(mode)}"'
    message = f"The drive is of type {kind}, which another extension defines."
    try:
        text = text_of(dict(drive.json))
    except ValueError as error:
        drive.warn("unknown-not-kept", f"A foreign drive cannot be kept: {error}.")
        return None
    drive.warn("foreign-drive", message, "It is kept and does nothing here.")
    return text


def _required_index(joint: Members, key: str, table: Table) -> int | None:
    joint.has(key)
    if joint.json.get(key, NO_INDEX) == NO_INDEX:
        what = "settings" if key == "joint" else "connected node"
        joint.error("missing-member", f"The joint has no {what}.", f"Set {key}.", key)
        return None
    return joint.index(key, table)


Blocks = Mapping[str, Callable[[Members], Shape | None]]
"""Types of shapes that a dialect has, each with what reads its block; None where it cannot."""


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
    own = shape.child(kind)
    block = shape if own is None else own  # until August 2023 sizes stood beside the type
    read = blocks[kind](block)
    if read is not None:
        return replace(read, name=name, unknown=shape.unknown(**{kind: own}))
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
