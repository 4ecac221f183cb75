# SPDX-License-Identifier: GPL-3.0-or-later
"""A document as the extensions of OMI say it, out of JSON."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from ...model.joint import JointSettings, Limit
from ...model.mechanism import Mechanism, Node
from ...model.shape import Shape
from ..document.members import Members, Table
from ..parts.read_settings import read_joint, read_settings
from ..parts.surfaces import read_collision_filter, read_physics_material
from ..source import Source, check_alone, read_items
from .godot import is_from_godot, with_angular_motors
from .legacy import Assembly, is_legacy, read_constraint, read_legacy_joint
from .names import BODY, EXTENSIONS, JOINT
from .read_bodies import BodyTables, read_collider, read_motion, read_trigger
from .read_shapes import read_shape


@dataclass(frozen=True, slots=True)
class _Shared:
    """What nodes share, and how the file's indices lead there."""

    mechanism: Mechanism
    """Without its nodes."""
    settings: Table
    constraints: dict[int, Limit]
    bodies: BodyTables


def read_omi(source: Source) -> tuple[Mechanism, frozenset[str]]:
    """Read what OMI's extensions say.

    Returns:
        The mechanism, whose nodes are those of the file and, after them, those that joints of the
        older form need; and the extensions that the file uses.
    """
    found = {name: source.extension(name) for name in EXTENSIONS}
    body, joint, shape = (found[name] or source.none() for name in EXTENSIONS)
    shared = _read_shared(source, body, joint, shape)
    unknown = {name: members.unknown() for name, members in found.items() if members is not None}
    nodes, settings, used = _read_nodes(source, shared)
    mechanism = replace(
        shared.mechanism,
        nodes=nodes,
        settings=settings,
        unknown={name: text for name, text in unknown.items() if text},
    )
    return mechanism, frozenset(used | set(unknown))


def _read_shared(source: Source, body: Members, joint: Members, shape: Members) -> _Shared:
    settings, settings_table = read_items(joint, "physicsJoints", "joint settings", read_settings)
    limits, constraints = read_items(joint, "constraints", "constraints", read_constraint)
    read = partial(read_shape, meshes=source.mesh_table, target=source.target)
    read_shapes: tuple[list[Shape], Table] = read_items(shape, "shapes", "shapes", read)
    shapes, shape_table = read_shapes
    materials, material_table = read_items(
        body, "physicsMaterials", "physics materials", read_physics_material
    )
    filters, filter_table = read_items(
        body, "collisionFilters", "collision filters", read_collision_filter
    )
    _correct_motors(source.root, joint, settings, settings_table)
    return _Shared(
        Mechanism((), tuple(settings), tuple(shapes), tuple(materials), tuple(filters)),
        settings_table,
        {index: limits[at] for index, at in constraints.index_from_file.items()},
        BodyTables(source.node_table, shape_table, material_table, filter_table),
    )


def _correct_motors(
    root: Members, joint: Members, settings: list[JointSettings], table: Table
) -> None:
    asset = root.json.get("asset")
    generator = asset.get("generator") if isinstance(asset, dict) else None
    if not isinstance(generator, str) or not is_from_godot(generator):
        return
    for position, at in table.index_from_file.items():
        corrected = with_angular_motors(settings[at])
        if corrected != settings[at]:
            settings[at] = corrected
            joint.item("physicsJoints", position, {}).named(corrected.name).warn(
                "godot-hinge-motor",
                'Godot wrote the motor of this hinge as "linear".',
                "It is read as a motor about Z.",
            )


def _read_nodes(
    source: Source, shared: _Shared
) -> tuple[tuple[Node, ...], tuple[JointSettings, ...], set[str]]:
    """Read what the nodes say, and which of our extensions they use."""
    nodes: list[Node] = []
    legacy: list[Members] = []
    used: set[str] = set()
    for members, bare in zip(source.members, source.nodes, strict=True):
        node = bare
        extensions = members.child("extensions")
        body = extensions.child(BODY) if extensions else None
        joint = extensions.child(JOINT) if extensions else None
        if body is not None:
            used.add(BODY)
            node = _with_body(node, body, shared.bodies)
        if joint is not None:
            used.add(JOINT)
            check_alone(members, joint)
            if is_legacy(joint):
                legacy.append(joint)
            else:
                read = read_joint(joint, shared.settings, shared.bodies.nodes)
                node = replace(node, joint=read)
        nodes.append(node)
    assembly = Assembly(nodes, list(shared.mechanism.settings))
    for joint in legacy:
        read_legacy_joint(joint, shared.constraints, shared.bodies.nodes, assembly)
    return tuple(assembly.nodes), tuple(assembly.settings), used


def _with_body(node: Node, body: Members, tables: BodyTables) -> Node:
    """Return the node with what its body extension says."""
    motion, collider, trigger = (body.child(key) for key in ("motion", "collider", "trigger"))
    return replace(
        node,
        motion=None if motion is None else read_motion(motion),
        collider=None if collider is None else read_collider(collider, tables),
        trigger=None if trigger is None else read_trigger(trigger, tables),
        unknown=body.unknown(),
    )
