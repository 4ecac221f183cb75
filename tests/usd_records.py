# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages as records, for tests that need no ``pxr``: prims with poses, shapes and joints."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose, multiply
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.usd.prim import Prim, Stage
from omi_physics_joint.usd.reading.read import contents_of
from omi_physics_joint.usd.table import JOINTS

BODY, COLLISION, MASS = "PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"
GPRIMS = {"Cube", "Sphere", "Capsule", "Capsule_1", "Cylinder", "Cylinder_1", "Cone", "Plane"} | {
    "Mesh",
    "Points",
}
SHADED = "PhysicsMaterialAPI"


def prim(
    path: str,
    kind: str = "Xform",
    schemas: tuple[str, ...] = (),
    local: Matrix | None = IDENTITY,
    **more: Any,
) -> Prim:
    """Return a prim that stands somewhere; ``placed`` finds out where."""
    kinds: tuple[str, ...] = ()
    if kind.startswith("Physics") and kind.endswith("Joint"):
        kinds, local = ("PhysicsJoint",), None
    elif kind in GPRIMS:
        kinds = ("Gprim", "Xformable")
    elif not kind.startswith(("Physics", "Scope", "Material")):
        kinds = ("Xformable",)
    else:
        local = None
    return Prim(path, kind, schemas, local=local, **{"kinds": kinds, **more})


def placed(*prims: Prim, **more: Any) -> Stage:
    """Return a stage whose prims have the poses in the world that their local ones make."""
    worlds: dict[str, Matrix] = {}
    found: list[Prim] = []
    for one in prims:
        above = worlds.get(one.parent, IDENTITY)
        own = one.local if one.local is not None else IDENTITY
        worlds[one.path] = own if one.resets else multiply(above, own)
        found.append(replace(one, world=worlds[one.path]))
    return Stage(tuple(found), **more)


def composed(stage: Stage) -> Stage:
    """Return a stage that was written as it is when it is read, without ``pxr`` in between."""
    groups = {one.path: one for one in stage if one.type == "PhysicsCollisionGroup"}
    worlds: dict[str, Matrix] = {"/": IDENTITY}
    bound: dict[str, str] = {}
    found: list[Prim] = []
    for one in stage:
        worlds[one.path] = multiply(
            IDENTITY if one.resets else worlds[one.parent], one.local or IDENTITY
        )
        bound[one.path] = one.first("material:binding:physics") or bound.get(one.parent, "")
        kinds: tuple[str, ...] = ()
        if one.type in GPRIMS:
            kinds = ("Gprim", "Xformable")
        elif one.type == "Xform":
            kinds = ("Xformable",)
        elif one.type in JOINTS:
            kinds = ("PhysicsJoint",)
        members = one.targets.get("collection:colliders:includes", ()) if one.path in groups else ()
        local = (one.local or IDENTITY) if "Xformable" in kinds else None
        found.append(
            replace(
                one,
                world=worlds[one.path],
                local=local,
                kinds=kinds,
                members=members,
                physics_material=bound[one.path],
            )
        )
    return replace(stage, prims=tuple(found))


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0, **more: Any) -> Matrix:
    """Return the pose of something that stands somewhere, perhaps turned and scaled."""
    return compose((x, y, z), **more)


def joint(path: str, kind: str, first: str = "", second: str = "", **more: Any) -> Prim:
    """Return a joint between two prims; nothing is the world."""
    sides = {"physics:body0": first, "physics:body1": second}
    targets = {name: (body,) for name, body in sides.items() if body}
    return prim(path, f"Physics{kind}", targets=targets, **more)


def mechanism_of(stage: Stage) -> Mechanism:
    """Return what is read of a stage."""
    return contents_of(stage)[0].mechanism


def issues_of(stage: Stage) -> dict[str, Issue]:
    """Return what is said of a stage, by code."""
    return {issue.code: issue for issue in contents_of(stage)[1]}


def node_of(mechanism: Mechanism, name: str) -> Node:
    """Return the one node of a name."""
    (found,) = (node for node in mechanism.nodes if node.name == name)
    return found
