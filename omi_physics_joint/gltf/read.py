# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole glTF document, out of JSON: a mechanism of what is sound, and issues for the rest.

It never raises, whatever the JSON. Node i of the mechanism is node i of the file; nodes that the
file lacks (for joints of the older form) come after them. Shared resources that cannot be read
are left out, so their indices are the mechanism's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from ..model.body import CollisionFilter, PhysicsMaterial, Vector3
from ..model.bounds import Bounds
from ..model.godot.seen import seen
from ..model.issue import Issue
from ..model.joint import JointNode, JointSettings, Limit
from ..model.mechanism import Mechanism, Node
from ..model.shape import Shape
from ..model.target import Target
from .for_whom import target_of
from .godot import is_from_godot, with_angular_motors
from .gravity import EARTH, is_earths, read_gravity
from .json_text import Json
from .legacy import Assembly, is_legacy, read_constraint, read_legacy_joint
from .members import Members, Place, Table
from .names import BODY, EXTENSIONS, GRAVITY, JOINT
from .node_graph import NodeGraph, read_node_graph
from .other_physics import note_other_physics
from .read_bodies import (
    BodyTables,
    read_collider,
    read_collision_filter,
    read_motion,
    read_physics_material,
    read_trigger,
)
from .read_bounds import read_mesh_bounds
from .read_joints import read_joint, read_settings
from .read_shapes import read_shape

Item = TypeVar("Item")
NOT_ON_A_JOINT = ("mesh", "camera", "skin")
LIGHT = "KHR_lights_punctual"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file says, as far as it is sound."""

    mechanism: Mechanism
    """In terms of the specification, whoever the file is for."""
    issues: tuple[Issue, ...]
    target: Target = Target.SPECIFIED
    """For whom the file says that it is."""


@dataclass(frozen=True, slots=True)
class _Resources:
    """What nodes share, and how the file's indices lead there."""

    settings: list[JointSettings]
    settings_table: Table
    constraints: dict[int, Limit]
    shapes: list[Shape]
    physics_materials: list[PhysicsMaterial]
    collision_filters: list[CollisionFilter]
    bodies: BodyTables
    meshes: tuple[str, ...]
    unknown: dict[str, str]
    gravity: Vector3 | None


def read(gltf: Mapping[str, Json]) -> Reading:
    """Read a glTF document into a mechanism.

    Args:
        gltf: the JSON of the document, as it is.

    Returns:
        The mechanism, and an issue for everything that is not in it or not as the file has it.
    """
    issues: list[Issue] = []
    root = Members(gltf, Place(), issues)
    graph = read_node_graph(root)
    target = target_of(gltf)
    resources = _read_resources(root, len(graph.nodes), target)
    nodes, used = _read_nodes(graph, resources, read_mesh_bounds(root))
    _check_declared(root, used | set(resources.unknown))
    mechanism = Mechanism(
        nodes,
        tuple(resources.settings),
        tuple(resources.shapes),
        tuple(resources.physics_materials),
        tuple(resources.collision_filters),
        resources.meshes,
        {name: text for name, text in resources.unknown.items() if text},
        resources.gravity,
    )
    note_other_physics(root)
    if target is Target.GODOT:
        mechanism = seen(mechanism)
    return Reading(mechanism, tuple(issues), target)


def _read_resources(root: Members, node_count: int, target: Target) -> _Resources:
    """Read the extensions of the document."""
    extensions = root.child("extensions")
    found = {name: extensions.child(name) for name in EXTENSIONS} if extensions else {}
    empty = Members({}, root.place, [])
    body, joint, shape = (found.get(name) or empty for name in EXTENSIONS)
    meshes = _mesh_names(root)
    mesh_table = Table("meshes", len(meshes), {i: i for i in range(len(meshes))})
    settings, settings_table = _table(joint, "physicsJoints", "joint settings", read_settings)
    limits, constraints = _table(joint, "constraints", "constraints", read_constraint)
    read_meshed = partial(read_shape, meshes=mesh_table, target=target)
    read_shapes: tuple[list[Shape], Table] = _table(shape, "shapes", "shapes", read_meshed)
    shapes, shape_table = read_shapes
    materials, material_table = _table(
        body, "physicsMaterials", "physics materials", read_physics_material
    )
    filters, filter_table = _table(
        body, "collisionFilters", "collision filters", read_collision_filter
    )
    nodes = Table("nodes", node_count, {i: i for i in range(node_count)})
    _correct_motors(root, joint, settings, settings_table)
    gravity = extensions.child(GRAVITY) if extensions else None
    pull = EARTH if gravity is None else read_gravity(gravity)
    return _Resources(
        settings,
        settings_table,
        {index: limits[at] for index, at in constraints.index_from_file.items()},
        shapes,
        materials,
        filters,
        BodyTables(nodes, shape_table, material_table, filter_table),
        meshes,
        {
            name: members.unknown()
            for name, members in (*found.items(), (GRAVITY, gravity))
            if members is not None
        },
        None if gravity is None or is_earths(pull) else pull,
    )


def _table(
    extension: Members, key: str, what: str, read_item: Callable[[Members], Item | None]
) -> tuple[list[Item], Table]:
    """Read the sound items of an array, and where each of them came from."""
    items: list[Item] = []
    index_from_file: dict[int, int] = {}
    for position, members in extension.children(key):
        item = read_item(members)
        if item is not None:
            index_from_file[position] = len(items)
            items.append(item)
    array = extension.json.get(key)
    count = len(array) if isinstance(array, list) else 0
    return items, Table(what, count, index_from_file)


def _mesh_names(root: Members) -> tuple[str, ...]:
    """Return the name of every mesh; meshes themselves are not judged here."""
    meshes = root.json.get("meshes")
    items = meshes if isinstance(meshes, list) else []
    return tuple(
        Members(item, Place(), []).text("name") if isinstance(item, dict) else "" for item in items
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
    graph: NodeGraph, resources: _Resources, bounds: tuple[Bounds | None, ...]
) -> tuple[tuple[Node, ...], set[str]]:
    """Read what the nodes say, and which of our extensions they use."""
    nodes: list[Node] = []
    legacy: list[Members] = []
    used: set[str] = set()
    rest = zip(graph.nodes, graph.names, graph.parents, graph.worlds, strict=True)
    for members, name, parent, world in rest:
        node = Node(name, parent, world, bounds=_bounds(members, bounds))
        extensions = members.child("extensions")
        body = extensions.child(BODY) if extensions else None
        joint = extensions.child(JOINT) if extensions else None
        if body is not None:
            used.add(BODY)
            node = _with_body(node, body, resources.bodies)
        if joint is not None:
            used.add(JOINT)
            _check_alone(members, joint)
            if is_legacy(joint):
                legacy.append(joint)
            else:
                node = replace(node, joint=_joint(joint, resources))
        nodes.append(node)
    assembly = Assembly(nodes, resources.settings)
    for joint in legacy:
        read_legacy_joint(joint, resources.constraints, resources.bodies.nodes, assembly)
    return tuple(assembly.nodes), used


def _bounds(node: Members, meshes: tuple[Bounds | None, ...]) -> Bounds | None:
    """Return the bounds of the mesh of a node; a wrong index is for others to judge."""
    mesh = Members(node.json, Place(), []).integer("mesh")
    return meshes[mesh] if mesh is not None and 0 <= mesh < len(meshes) else None


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


def _joint(joint: Members, resources: _Resources) -> JointNode | None:
    return read_joint(joint, resources.settings_table, resources.bodies.nodes)


def _check_alone(node: Members, joint: Members) -> None:
    """Note what the specification does not want on the node of a joint, bodies aside."""
    extensions = node.json.get("extensions")
    others = [key for key in NOT_ON_A_JOINT if key in node.json]
    if isinstance(extensions, dict) and LIGHT in extensions:
        others.append("light")
    if others:
        joint.error(
            "joint-not-alone",
            f"The node of the joint also has a {' and a '.join(others)}.",
            "Give the joint a node of its own.",
        )


def _check_declared(root: Members, used: set[str]) -> None:
    """Note extensions that are used and not listed in ``extensionsUsed``."""
    declared = root.strings("extensionsUsed")
    for name in EXTENSIONS:
        if name in used and name not in declared:
            root.error(
                "extension-not-declared",
                f"The file uses {name} and does not say so.",
                f"Add {name} to extensionsUsed.",
                "extensionsUsed",
            )
