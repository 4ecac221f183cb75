# SPDX-License-Identifier: GPL-3.0-or-later
"""A document as KHR_physics_rigid_bodies and KHR_implicit_shapes say it, out of JSON.

Where the two families differ: nodes without a motion are static, zero masses and inertias are
infinite, a mass that is not said is the engine's choice, and limits over several axes hold them
together. Source: KHR_physics_rigid_bodies (draft of 2025).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

from ...model.body import ZERO, Collider, Motion, MotionType, Trigger
from ...model.issue import Severity
from ...model.joint import Freedom, JointSettings, Limit
from ...model.mechanism import Mechanism, Node
from ...model.settings.radial import plain
from ...model.shape import Shape
from ..document.members import Members, Table
from ..document.node_graph import quaternion, vector3
from ..parts.kept import kept_for
from ..parts.read_settings import read_joint, read_settings
from ..parts.surfaces import read_collision_filter, read_physics_material
from ..source import Source, read_items
from .names import BODY, EXTENSIONS
from .read_geometry import Geometries, read_shape

MOTION = Motion(MotionType.DYNAMIC)


@dataclass(frozen=True, slots=True)
class _Tables:
    """What the extension of a node may point at."""

    nodes: Table
    settings: Table
    physics_materials: Table
    collision_filters: Table
    geometries: Geometries


def read_khr(source: Source) -> tuple[Mechanism, frozenset[str]]:
    """Read what the extensions of Khronos say.

    Returns:
        The mechanism, and the extensions that the file uses.
    """
    found = {name: source.extension(name) for name in EXTENSIONS}
    body, shape = ((found[name] or source.none()).in_dialect(BODY) for name in EXTENSIONS)
    settings, settings_table = read_items(body, "physicsJoints", "joint settings", _read_settings)
    materials, material_table = read_items(
        body, "physicsMaterials", "physics materials", read_physics_material
    )
    filters, filter_table = read_items(
        body, "collisionFilters", "collision filters", read_collision_filter
    )
    implicit: tuple[list[Shape], Table] = read_items(shape, "shapes", "shapes", read_shape)
    shapes, shape_table = implicit
    geometries = Geometries(source, shapes, shape_table)
    unknown = {name: members.unknown() for name, members in found.items() if members is not None}
    tables = _Tables(source.node_table, settings_table, material_table, filter_table, geometries)
    nodes, used = _read_nodes(source, tables)
    mechanism = Mechanism(
        tuple(nodes),
        tuple(settings),
        tuple(geometries.shapes),
        tuple(materials),
        tuple(filters),
        unknown={name: kept_for(BODY, text) for name, text in unknown.items() if text},
    )
    return mechanism, frozenset(used | set(unknown))


def _read_settings(settings: Members) -> JointSettings:
    """Read joint settings; a range on several axes holds them together."""
    read = read_settings(settings)
    return replace(read, limits=tuple(part for limit in read.limits for part in _parts(limit)))


def _parts(limit: Limit) -> list[Limit]:
    bare = (replace(limit, angular_axes=()), replace(limit, linear_axes=()))
    return [
        plain(replace(one, together=True))
        for one, freedom in zip(bare, Freedom, strict=True)
        if one.axes(freedom)
    ]


def _read_nodes(source: Source, tables: _Tables) -> tuple[list[Node], set[str]]:
    nodes: list[Node] = []
    used: set[str] = set()
    for members, bare in zip(source.members, source.nodes, strict=True):
        extensions = members.child("extensions")
        body = extensions.child(BODY) if extensions else None
        if body is None:
            nodes.append(bare)
            continue
        used.add(BODY)
        nodes.append(_with_physics(bare, body.in_dialect(BODY), tables))
    return nodes, used


def _with_physics(node: Node, body: Members, tables: _Tables) -> Node:
    names = ("motion", "collider", "trigger", "joint")
    motion, collider, trigger, joint = (body.child(name) for name in names)
    return replace(
        node,
        motion=None if motion is None else _read_motion(motion),
        collider=None if collider is None else _read_collider(collider, tables),
        trigger=None if trigger is None else _read_trigger(trigger, tables),
        joint=None if joint is None else read_joint(joint, tables.settings, tables.nodes),
        unknown=body.unknown(),
    )


def _read_motion(motion: Members) -> Motion:
    kinematic = motion.flag("isKinematic", default=False)
    if not motion.has("mass") and not kinematic:
        motion.report(
            Severity.HINT,
            "mass-left-open",
            "The body has no mass, so every engine takes its own.",
            f"Set one; {MOTION.mass:g} kg is taken.",
        )
    diagonal = ZERO
    if motion.has("inertiaDiagonal"):
        x, y, z = (part or inf for part in motion.vector("inertiaDiagonal", ZERO))
        diagonal = (x, y, z)
    return Motion(
        MotionType.KINEMATIC if kinematic else MotionType.DYNAMIC,
        motion.number("mass", MOTION.mass) or inf,
        vector3(motion.vector("centerOfMass", ZERO)),
        diagonal,
        quaternion(motion, "inertiaOrientation"),
        vector3(motion.vector("linearVelocity", ZERO)),
        vector3(motion.vector("angularVelocity", ZERO)),
        motion.number("gravityFactor", MOTION.gravity_factor),
        motion.unknown(),
    )


def _read_collider(collider: Members, tables: _Tables) -> Collider | None:
    """Read what makes a node solid; None, with an issue, where its geometry cannot be read."""
    shape = tables.geometries.read(collider)
    material = collider.index("physicsMaterial", tables.physics_materials)
    collision_filter = collider.index("collisionFilter", tables.collision_filters)
    unknown = collider.unknown()
    return None if shape is None else Collider(shape, material, collision_filter, unknown)


def _read_trigger(trigger: Members, tables: _Tables) -> Trigger | None:
    nodes = trigger.integers("nodes", tables.nodes.count, "node")
    shape = None
    if trigger.has("geometry") or not nodes:
        shape = tables.geometries.read(trigger)
    if shape is not None and nodes:
        trigger.error(
            "trigger-both",
            "The trigger has a geometry and also nodes.",
            "Only the geometry counts.",
        )
        nodes = ()
    collision_filter = trigger.index("collisionFilter", tables.collision_filters)
    unknown = trigger.unknown()
    if shape is None and not nodes:
        return None
    return Trigger(shape, nodes, collision_filter, unknown)


def with_world_bodies(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism with a static body wherever a joint holds what has no motion.

    That is the nearest collider, the node itself or above it; else the node above; else itself.
    """
    nodes = list(mechanism.nodes)
    for index, _, joint in mechanism.joints():
        for end in (index, joint.connected_node):
            above = list(mechanism.ancestry(end))
            if any(nodes[one].motion for one in above):
                continue
            solid = [one for one in above if nodes[one].collider is not None]
            at = (solid or above[1:2] or above)[0]
            nodes[at] = replace(nodes[at], motion=Motion(MotionType.STATIC))
    return replace(mechanism, nodes=tuple(nodes))
