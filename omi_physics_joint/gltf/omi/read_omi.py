# SPDX-License-Identifier: GPL-3.0-or-later
"""A document as the extensions of OMI say it, out of JSON."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ...model.body import ZERO, Collider, Motion, MotionType, Trigger
from ...model.joint import Drive, Freedom, JointSettings
from ...model.mechanism import Mechanism
from ...model.settings.spans import spans_of
from ...model.shape import SHAPE_TYPES, Capsule, Convex, Cylinder, Shape, Trimesh, without_ends
from ..document.json_text import member_of
from ..document.members import Members, Table, quiet
from ..document.node_graph import vector3
from ..document.numbers import endless
from ..shared.read_settings import (
    Blocks,
    read_box,
    read_joint,
    read_motion_of,
    read_round,
    read_settings,
    read_shape,
    read_sphere,
)
from ..shared.resources import Tables, read_items, read_resources
from ..source import Source, check_alone
from .legacy import Assembly, is_legacy, is_legacy_body, read_constraint, with_legacy_bodies
from .names import BODY, EXTENSIONS, JOINT

MOTION = Motion(MotionType.STATIC)
"""Holds the defaults of the specification."""
SPOKEN = SHAPE_TYPES.keys() - {"plane"}
"""Types of shapes that OMI has."""
HINGE_AXIS = 2
"""About which hinges of Godot turn."""


def read_omi(source: Source) -> tuple[Mechanism, frozenset[str]]:
    """Return what OMI's extensions say, and which of them the file uses.

    Nodes are those of the file and, after them, those that joints of the older form need.
    """
    found = {name: source.root.extension(name) for name in EXTENSIONS}
    bodies, joints, shapes = (found[name] or quiet({}) for name in EXTENSIONS)
    generator = str(member_of(source.root.json, "asset", "generator"))
    mechanism, tables = read_resources(
        source,
        (joints, bodies, shapes),
        _read_settings_of_godot if "godot" in generator.lower() else read_settings,
        partial(read_omi_shape, meshes=source.mesh_table),
    )
    limits, constraints = read_items(joints, "constraints", "constraints", read_constraint)
    unknown = {name: members.unknown() for name, members in found.items() if members is not None}
    used = set(unknown)
    nodes = list(source.nodes)
    legacy: list[Members] = []
    for index, members in enumerate(source.members):
        body, joint = members.extension(BODY), members.extension(JOINT)
        if body is not None:
            used.add(BODY)
        if body is not None and not is_legacy_body(body):
            nodes[index] = replace(
                nodes[index],
                motion=body.part("motion", _read_motion),
                collider=body.part("collider", partial(_read_collider, tables=tables)),
                trigger=body.part("trigger", partial(_read_trigger, tables=tables)),
                unknown=body.unknown(),
            )
        if joint is not None:
            used.add(JOINT)
            check_alone(members, joint)
            if is_legacy(joint):
                legacy.append(joint)
            else:
                read = read_joint(joint, tables.settings, tables.nodes)
                nodes[index] = replace(nodes[index], joint=read)
    nodes = with_legacy_bodies(source, nodes, tables)
    by_index = {index: limits[at] for index, at in constraints.index_from_file.items()}
    assembly = Assembly(nodes, list(mechanism.settings), by_index, tables.nodes)
    for joint in legacy:
        assembly.read(joint)
    mechanism = replace(
        mechanism,
        nodes=tuple(nodes),
        settings=tuple(assembly.settings),
        unknown={name: text for name, text in unknown.items() if text},
    )
    return mechanism, frozenset(used)


def _read_settings_of_godot(members: Members) -> JointSettings:
    """Read settings that Godot wrote, whose hinge motors turn.

    Godot's writer leaves the type of the motor of a HingeJoint3D at "linear", axis 2. Along an
    axis that is fixed such a motor would do nothing, so a turn about Z is what was meant.
    """
    settings = read_settings(members)
    held = all(span.low == span.high == 0.0 for span in spans_of(settings.limits)[:3])
    if not held or not any(map(_is_mistyped, settings.drives)):
        return settings
    message = 'Godot wrote the motor of this hinge as "linear".'
    members.warn("godot-hinge-motor", message, "It is read as a motor about Z.")
    drives = tuple(
        replace(drive, type=Freedom.ANGULAR) if _is_mistyped(drive) else drive
        for drive in settings.drives
    )
    return replace(settings, drives=drives)


def _is_mistyped(drive: Drive) -> bool:
    return (
        drive.type is Freedom.LINEAR
        and drive.axis == HINGE_AXIS
        and drive.velocity_target is not None
        and drive.position_target is None
    )


def _read_motion(motion: Members) -> Motion | None:
    """Read what makes a node a body; None, with an issue, where the type is missing or wrong."""
    if "type" not in motion.json:
        motion.error("missing-member", "The motion has no type.", "It is left out.")
        return None
    kind = motion.choice("type", MotionType, MotionType.STATIC)
    if kind != motion.json["type"]:
        return None
    mass = endless(motion.number("mass", MOTION.mass, infinite=True))
    diagonal = vector3(tuple(map(endless, motion.vector("inertiaDiagonal", ZERO))))
    return read_motion_of(motion, kind, mass, ZERO, diagonal)


def _read_collider(collider: Members, tables: Tables) -> Collider:
    """Read what makes a node solid; without a shape it is a compound of its descendants."""
    return Collider(
        collider.index("shape", tables.shapes),
        collider.index("physicsMaterial", tables.physics_materials),
        collider.index("collisionFilter", tables.collision_filters),
        collider.unknown(),
    )


def _read_trigger(trigger: Members, tables: Tables) -> Trigger:
    """Read what makes a node notice things; of a shape and nodes, only the shape counts."""
    shape = trigger.index("shape", tables.shapes)
    nodes = trigger.integers("nodes", tables.nodes.count, "node")
    if shape is not None and trigger.json.get("nodes"):
        message = "The trigger has a shape and also nodes."
        trigger.error("trigger-both", message, "Only the shape counts.")
        nodes = ()
    collision_filter = trigger.index("collisionFilter", tables.collision_filters)
    return Trigger(shape, nodes, collision_filter, trigger.unknown())


def read_omi_shape(shape: Members, meshes: Table) -> Shape | None:
    """Read one shape; None, with an issue, where its type or its mesh is not known."""
    blocks: Blocks = {
        "box": read_box,
        "sphere": read_sphere,
        "capsule": partial(_read_round, default=Capsule()),
        "cylinder": partial(_read_round, default=Cylinder()),
        "convex": partial(_read_mesh, of=Convex, meshes=meshes),
        "trimesh": partial(_read_mesh, of=Trimesh, meshes=meshes),
    }
    return read_shape(shape, blocks)


def _read_mesh(block: Members, of: type[Convex] | type[Trimesh], meshes: Table) -> Shape | None:
    mesh = block.index("mesh", meshes)
    return None if mesh is None else of(mesh)


SAME = 1e-6
"""Part of a length that single precision rounds off."""


def _read_round(block: Members, default: Capsule | Cylinder) -> Shape:
    """Read a capsule or a cylinder.

    Until September 2024 both had one ``radius``, as four official examples still have, and the
    height of a capsule was its whole height; so it is in files of Godot.
    """
    older = block.has("radius")
    if older:
        radius = block.number("radius", default.radius_bottom)
        default = replace(default, radius_bottom=radius, radius_top=radius)
    read = read_round(block, default)
    said = "radiusBottom" in block.json or "radiusTop" in block.json
    if not (isinstance(read, Capsule) and "height" in block.json and older and not said):
        return read
    least = read.radius_bottom + read.radius_top
    if read.height < least * (1.0 - SAME):
        message = f"This capsule is {read.height:g} m high with its ends, which take {least:g} m."
        block.warn("capsule-height", message, "It is a ball: write at least twice the radius.")
    return without_ends(read)
