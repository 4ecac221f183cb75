# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies, shapes, materials, filters and scenes on a stage, as pxr's parser has them."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from math import inf
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given

pytest.importorskip("pxr", reason="usd-core is not installed in this Python (no module pxr)")

from blender.mechanisms import random_mechanism
from model.building import DOOR, DYNAMIC, JOINT, STATIC, WALL, changed, pair
from model.strategies import wild_mechanisms
from omi_mechanisms import over
from pxr import UsdGeom, UsdPhysics, UsdShade
from usd.parsed import complaints, descriptors, kind_of, opened

from omi_physics_joint.model.body import (
    Collider,
    CollisionFilter,
    Combine,
    Motion,
    MotionType,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import compose, multiply
from omi_physics_joint.model.joint import Breaking, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, weld
from omi_physics_joint.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Plane,
    Shape,
    Sphere,
    Trimesh,
)
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.usd.reading.read import contents_of
from omi_physics_joint.usd.stage import encoded
from omi_physics_joint.usd.writing.write import written

CORNER = Triangles(
    ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)),
)
QUARTER = (0.0, 0.7071067811865476, 0.0, 0.7071067811865476)


def test_static_bodies_that_become_plain_prims_are_named() -> None:
    """Those that are neither solid nor held by a joint; others are found again."""
    static = Motion(MotionType.STATIC)
    nodes = (Node("Floor", motion=static, collider=Collider(0)), Node("Post", motion=static))
    (issue,) = written(Contents(Mechanism(nodes, shapes=(Box(),))))[1]
    assert (issue.code, issue.where, issue.loss) == ("usd-static", "Post", False)


def on_stage(contents: Contents, folder: Path, **options: Any) -> tuple[Any, set[str]]:
    """Return a stage that the validators accept, and codes of what it cannot say."""
    record, issues = written(contents, **options)
    stage = opened(encoded(record, ".usda"), folder)
    assert complaints(stage) == []
    return stage, {issue.code for issue in issues}


def solid(shape: Shape, **parts: Any) -> Contents:
    """Return a body with one shape."""
    node = Node("Body", motion=DYNAMIC, collider=Collider(0))
    return Contents(Mechanism((node,), shapes=(shape,), meshes=("Corner",), **parts), (CORNER,))


@pytest.mark.parametrize(
    ("shape", "kind", "numbers"),
    [
        (Box((1.0, 2.0, 3.0)), "CubeShape", {"halfExtents": (0.5, 1.0, 1.5)}),
        (Sphere(0.25), "SphereShape", {"radius": 0.25}),
        (Capsule(2.0, 0.5, 0.5), "CapsuleShape", {"radius": 0.5, "halfHeight": 1.0}),
        (Cylinder(2.0, 0.5, 0.5), "CylinderShape", {"radius": 0.5, "halfHeight": 1.0}),
        (Cylinder(2.0, 0.5, 0.0), "ConeShape", {"radius": 0.5, "halfHeight": 1.0}),
        (Capsule(2.0, 0.5, 0.25), "Capsule1Shape", {"bottomRadius": 0.5, "topRadius": 0.25}),
        (Cylinder(2.0, 0.0, 0.5), "Cylinder1Shape", {"bottomRadius": 0.0, "topRadius": 0.5}),
        (Convex(0), "MeshShape", {"approximation": "convexHull"}),
        (Trimesh(0), "MeshShape", {"approximation": "none"}),
    ],
)
def test_shapes(shape: Shape, kind: str, numbers: dict[str, Any], tmp_path: Path) -> None:
    """A shape is the prim that USD has for it, standing along Y where it has an axis."""
    stage, lost = on_stage(solid(shape), tmp_path)
    found = descriptors(stage)["/World/Body/Collider"]
    assert kind_of(found) == kind
    for name, value in numbers.items():
        said = getattr(found, name)
        assert said == value if isinstance(value, str) else said == pytest.approx(value)
    if hasattr(found, "axis"):
        assert str(found.axis).endswith("Y")
    assert str(found.rigidBody) == "/World/Body"
    assert lost == set()


@pytest.mark.parametrize(
    ("plane", "motion", "kind", "codes"),
    [
        (Plane(), STATIC, "Plane", set()),
        (Plane(double_sided=True), STATIC, "Plane", {"usd-plane"}),
        (Plane(2.0, 3.0), STATIC, "Cube", {"usd-plane"}),
        (Plane(size_x=2.0), STATIC, "Cube", {"usd-plane"}),
        (Plane(size_z=3.0), STATIC, "Cube", {"usd-plane"}),
        (Plane(), DYNAMIC, "Cube", {"usd-plane"}),
    ],
)
def test_planes(plane: Plane, motion: Motion, kind: str, codes: set[str], tmp_path: Path) -> None:
    """A plane that ends somewhere, or that moves, is written as a box, and that is said."""
    mechanism = changed(solid(plane).mechanism, 0, motion=motion)
    stage, lost = on_stage(Contents(mechanism), tmp_path)
    prim = stage.GetPrimAtPath("/World/Body/Collider")
    assert (prim.GetTypeName(), lost) == (kind, codes)
    if kind == "Plane":
        assert str(descriptors(stage)[str(prim.GetPath())].axis).endswith("Y")


def test_a_mesh_that_nobody_could_read_is_named() -> None:
    """Triangles that a node shows or collides with, and that could not be read, are a loss."""
    (node,) = solid(Convex(0)).mechanism.nodes
    for one in (node, replace(node, collider=None)):
        mechanism = Mechanism((one,), shapes=(Convex(0),), meshes=("Corner",))
        (issue,) = written(Contents(mechanism, (None,), {0: 0}))[1]
        assert (issue.code, issue.where, issue.loss) == ("mesh-not-read", "Body", True)


def test_a_mesh_that_is_shown_is_its_own_collider(tmp_path: Path) -> None:
    """Triangles that a node shows and collides with are written once; others are guides."""
    contents = solid(Convex(0))
    stage, _ = on_stage(replace(contents, shown={0: 0}), tmp_path)
    mesh = stage.GetPrimAtPath("/World/Body/Corner")
    assert mesh.GetAppliedSchemas() == ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]
    assert not stage.GetPrimAtPath("/World/Body/Collider")
    assert UsdGeom.Mesh(mesh).GetSubdivisionSchemeAttr().Get() == "none"
    stage, _ = on_stage(replace(solid(Box()), shown={0: 0}), tmp_path)
    cube = UsdGeom.Imageable(stage.GetPrimAtPath("/World/Body/Collider"))
    assert cube.ComputePurpose() == UsdGeom.Tokens.guide


def test_bodies(tmp_path: Path) -> None:
    """Velocities are in degrees and the body's own space, and those of the centre of mass."""
    motion = Motion(
        MotionType.DYNAMIC,
        mass=3.0,
        center_of_mass=(0.0, 1.0, 0.0),
        inertia_diagonal=(1.0, 2.0, 3.0),
        inertia_orientation=QUARTER,
        linear_velocity=(1.0, 0.0, 0.0),
        angular_velocity=(0.0, 0.0, 3.141592653589793),
    )
    world = compose((1.0, 2.0, 3.0), QUARTER, (1.0, 2.0, 1.0))
    stage, lost = on_stage(Contents(Mechanism((Node("A", None, world, motion),))), tmp_path)
    found = descriptors(stage)["/World/A"]
    assert lost == set()
    assert tuple(found.angularVelocity) == pytest.approx((0.0, 0.0, 180.0))
    assert tuple(found.linearVelocity) == pytest.approx((1.0 - 3.1415927, 0.0, 0.0), abs=1e-6)
    assert tuple(found.position) == pytest.approx((1.0, 2.0, 3.0))
    masses = UsdPhysics.MassAPI(stage.GetPrimAtPath("/World/A"))
    assert masses.GetMassAttr().Get() == 3.0
    assert tuple(masses.GetCenterOfMassAttr().Get()) == pytest.approx((0.0, 0.5, 0.0))
    assert tuple(masses.GetDiagonalInertiaAttr().Get()) == (1.0, 2.0, 3.0)
    assert masses.GetPrincipalAxesAttr().Get().GetReal() == pytest.approx(QUARTER[3])


def test_kinds_of_bodies(tmp_path: Path) -> None:
    """A static body is none; it stands in none that moves, whose part it would be."""
    kinematic = Motion(MotionType.KINEMATIC)
    nodes = (
        Node("Moved", motion=kinematic),
        Node("Still", 0, motion=STATIC),
        Node("Floor", motion=STATIC),
    )
    stage, _ = on_stage(Contents(Mechanism(nodes)), tmp_path)
    found = descriptors(stage)
    assert found["/World/Moved"].kinematicBody
    assert not {"/World/Still", "/World/Moved/Still", "/World/Floor"} & found.keys()
    assert stage.GetPrimAtPath("/World/Still")


def test_a_kinematic_body_below_a_dynamic_one_stands_apart(tmp_path: Path) -> None:
    """In PhysX it would be a part of the tree of that; below a kinematic one it stays."""
    kinematic = Motion(MotionType.KINEMATIC)
    nodes = (
        Node("Falls", motion=DYNAMIC),
        Node("Post", 0, motion=kinematic),
        Node("Arm", 1, motion=kinematic),
    )
    stage, _ = on_stage(Contents(Mechanism(nodes)), tmp_path)
    assert descriptors(stage)["/World/Post/Arm"].kinematicBody


def test_what_bodies_cannot_say(tmp_path: Path) -> None:
    """Endless masses and factors of gravity are named; a factor of zero is PhysX's."""
    nodes = (
        Node("Heavy", motion=replace(DYNAMIC, mass=inf)),
        Node("Light", motion=replace(DYNAMIC, gravity_factor=0.5)),
        Node("Floating", motion=replace(DYNAMIC, gravity_factor=0.0)),
    )
    stage, lost = on_stage(Contents(Mechanism(nodes)), tmp_path)
    assert lost == {"usd-infinite-mass", "usd-gravity-factor"}
    prim = stage.GetPrimAtPath("/World/Floating")
    assert prim.GetAttribute("physxRigidBody:disableGravity").Get() is True
    assert prim.GetAttribute("physxRigidBody:angularDamping").Get() == 0.0


def test_gravity(tmp_path: Path) -> None:
    """Gravity of the Earth is said by saying nothing; any other by direction and strength."""
    stage, _ = on_stage(Contents(Mechanism()), tmp_path)
    scene = UsdPhysics.Scene(stage.GetPrimAtPath("/World/PhysicsScene"))
    assert not scene.GetGravityMagnitudeAttr().HasAuthoredValue()
    for gravity in ((0.0, -1.62, 0.0), (3.0, 0.0, 4.0)):
        stage, _ = on_stage(Contents(Mechanism(gravity=gravity)), tmp_path)
        found = descriptors(stage)["/World/PhysicsScene"]
        said = tuple(found.gravityMagnitude * part for part in found.gravityDirection)
        assert said == pytest.approx(gravity)
    stage, _ = on_stage(Contents(Mechanism(gravity=(0.0, 0.0, 0.0))), tmp_path)
    assert descriptors(stage)["/World/PhysicsScene"].gravityMagnitude == 0.0


def test_materials_are_bound_for_physics(tmp_path: Path) -> None:
    """A material is bound for physics alone; how it combines is PhysX's, and said to be."""
    material = PhysicsMaterial("Ice", 0.1, 0.05, 0.2, Combine.MINIMUM)
    contents = solid(Box(), physics_materials=(material,))
    nodes = (replace(contents.mechanism.nodes[0], collider=Collider(0, 0)),)
    mechanism = replace(contents.mechanism, nodes=nodes)
    stage, lost = on_stage(replace(contents, mechanism=mechanism), tmp_path)
    prim = stage.GetPrimAtPath("/World/Body/Collider")
    bound, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")
    found = descriptors(stage)[str(bound.GetPath())]
    assert (found.staticFriction, found.restitution) == pytest.approx((0.1, 0.2))
    mode = bound.GetPrim().GetAttribute("physxMaterial:frictionCombineMode").Get()
    assert (mode, lost) == ("min", {"usd-combine"})
    other, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
    assert not other


def test_filters_are_groups(tmp_path: Path) -> None:
    """A filter is a group; what it does not meet are its filtered groups, else it is inverted."""
    filters = (
        CollisionFilter("", ("cars",), None, ("walls",)),
        CollisionFilter("", ("walls",), ("cars", "walls")),
    )
    nodes = tuple(Node(f"N{i}", collider=Collider(0, None, i)) for i in range(2))
    mechanism = Mechanism(nodes, shapes=(Box(),), collision_filters=filters)
    stage, _ = on_stage(Contents(mechanism), tmp_path)
    found = descriptors(stage)
    cars, walls = "/World/CollisionGroups/cars", "/World/CollisionGroups/walls"
    assert [str(path) for path in found[cars].filteredGroups] == [walls]
    assert [str(path) for path in found[walls].filteredGroups] == [cars, walls]
    assert (found[cars].invertFilteredGroups, found[walls].invertFilteredGroups) == (False, True)
    assert [str(one) for one in found["/World/N0/Collider"].collisionGroups] == [cars]


def test_triggers_are_named(tmp_path: Path) -> None:
    """A trigger is PhysX's, which others do not know."""
    mechanism = Mechanism((Node("T", trigger=Trigger(0)),), shapes=(Box(),))
    stage, lost = on_stage(Contents(mechanism), tmp_path)
    prim = stage.GetPrimAtPath("/World/T/Trigger")
    assert "PhysxTriggerAPI" in prim.GetMetadata("apiSchemas").GetAddedOrExplicitItems()
    assert lost == {"usd-trigger"}


def test_names_are_unique_below_a_prim_only(tmp_path: Path) -> None:
    """Names become identifiers, each once per parent; what was meant is shown."""
    nodes = (
        Node("Tür 1", motion=DYNAMIC),
        Node("Tür 1", motion=DYNAMIC),
        Node("Tür 1", 0, motion=DYNAMIC),
        Node("1.a", motion=DYNAMIC),
        Node("", motion=DYNAMIC),
    )
    stage, _ = on_stage(Contents(Mechanism(nodes)), tmp_path)
    paths = ("Tür_1", "Tür_1_1", "Tür_1/Tür_1", "_1_a", "Node")
    assert all(stage.GetPrimAtPath(f"/World/{path}") for path in paths)
    assert stage.GetPrimAtPath("/World/Tür_1_1").GetDisplayName() == "Tür 1"


@pytest.mark.parametrize("meets", [False, True])
def test_a_door_does_not_meet_the_wall_that_it_is_joined_to(tmp_path: Path, meets: bool) -> None:
    """PhysX and Newton take what stands still for the world, whose joints keep nothing apart.

    The pair that says so is none of ours when it is read: the joint says it.
    """
    door = changed(pair(hinge(2)), DOOR, collider=Collider(0))
    joint = door.nodes[JOINT].joint
    assert joint is not None
    joint = replace(joint, enable_collision=meets)
    door = replace(changed(door, JOINT, joint=joint), shapes=(Box(),))
    stage, _ = on_stage(Contents(door), tmp_path)
    solid = stage.GetPrimAtPath("/World/Door/Collider")
    pairs = UsdPhysics.FilteredPairsAPI(solid).GetFilteredPairsRel().GetTargets()
    assert [str(path) for path in pairs] == ([] if meets else ["/World/Wall/Collider"])
    back, _ = contents_of(written(Contents(door))[0])
    assert back.mechanism.collision_filters == ()


def test_bodies_are_nested_or_flat(tmp_path: Path) -> None:
    """Bodies stand in each other as nodes do, or beside each other; poses are the same."""
    arm = Node("Arm", 0, compose((0.0, 3.0, 0.0), QUARTER), DYNAMIC)
    nodes = (Node("Base", None, compose((0.0, 1.0, 0.0)), DYNAMIC), arm)
    mechanism = Mechanism(nodes)
    for flat, path in ((False, "/World/Base/Arm"), (True, "/World/Arm")):
        stage, _ = on_stage(Contents(mechanism), tmp_path, flat=flat)
        assert tuple(descriptors(stage)[path].position) == pytest.approx((0.0, 3.0, 0.0))


def test_articulations(tmp_path: Path) -> None:
    """A tree's first body is its root, or what fixes it: PhysX fixes the body of any such joint."""
    first, last = "/World/Body1/Joint1", "/World/Body2/Joint2"
    for settings, root, other in (
        (hinge(2), "/World/Body1", first),
        (weld(), first, "/World/Body1"),
    ):
        mechanism = _arm(2)
        joint = replace(mechanism.nodes[2], joint=JointNode(1, 3))
        nodes = (*mechanism.nodes[:2], joint, *mechanism.nodes[3:])
        mechanism = replace(mechanism, nodes=nodes, settings=(hinge(2), settings))
        stage, _ = on_stage(Contents(mechanism), tmp_path)
        assert stage.GetPrimAtPath(root).HasAPI(UsdPhysics.ArticulationRootAPI)
        assert not stage.GetPrimAtPath(other).HasAPI(UsdPhysics.ArticulationRootAPI)
        found = descriptors(stage, trees=True)[root]
        assert {str(path) for path in found.articulatedJoints} >= {first, last}
        assert {str(path) for path in found.articulatedBodies} >= {"/World/Body1", "/World/Body2"}
        assert str(descriptors(stage)[last].body0) == "/World/Body1"
    stage, _ = on_stage(Contents(pair(hinge(2))), tmp_path)
    root = "/World/Door/Joint"
    assert not stage.GetPrimAtPath(root).HasAPI(UsdPhysics.ArticulationRootAPI)
    floating = changed(pair(weld()), WALL, motion=replace(DYNAMIC, mass=9.0))
    stage, _ = on_stage(Contents(floating), tmp_path)
    assert stage.GetPrimAtPath("/World/Wall").HasAPI(UsdPhysics.ArticulationRootAPI)
    assert not stage.GetPrimAtPath(root).HasAPI(UsdPhysics.ArticulationRootAPI)
    assert floating.nodes[DOOR].name == "Door"


def test_physx_takes_by_coordinates_what_it_moves_alike_then() -> None:
    """Chains of hinges at zero and at rest: it would lose velocities, poses, softness, contacts."""
    arm = _arm(2)
    end = len(arm.nodes) - 1
    turned = multiply(arm.nodes[end].world, compose(rotation=QUARTER))
    thrown = replace(DYNAMIC, angular_velocity=(0.0, 0.0, 1.0))
    soft = Limit((), (2,), -1.0, 1.0, stiffness=9.0)
    broken = JointNode(0, end, breaking=Breaking(9.0))
    others = (
        changed(arm, end, world=turned),
        changed(arm, end - 2, motion=thrown),
        changed(arm, end - 1, joint=broken),
        changed(arm, end - 1, joint=JointNode(0, end, enable_collision=True)),
        replace(arm, settings=(JointSettings(limits=(*hinge(2).limits, soft)),)),
        replace(arm, settings=(pin(),)),
    )
    for mechanism, apart in ((arm, False), *((other, True) for other in others)):
        record, _ = written(Contents(mechanism))
        (root,) = (prim for prim in record if "PhysicsArticulationRootAPI" in prim.schemas)
        assert (root.attributes.get("physxArticulation:articulationEnabled") is False) is apart


def _arm(count: int) -> Mechanism:
    """Return bodies that hang on one another by hinges, the first one on a wall."""
    nodes, above = [Node("Wall", motion=STATIC)], 0
    for number in range(1, count + 1):
        body = len(nodes)
        nodes.append(Node(f"Body{number}", None, compose((0.3 * number, 0.0, 0.0)), DYNAMIC))
        nodes.append(Node(f"Joint{number}", body, nodes[body].world, joint=JointNode(0, body + 2)))
        nodes.append(Node(f"End{number}", above, nodes[body].world))
        above = body
    return Mechanism(tuple(nodes), (hinge(2),))


@pytest.mark.parametrize("suffix", [".usda", ".usdc", ".usd", ".usdz"])
def test_same_contents_give_the_same_bytes(suffix: str) -> None:
    """Every kind of file is the same each time, and of the kind that its name says."""
    record, _ = written(Contents(random_mechanism(3, 4)))
    content = encoded(record, suffix)
    assert content == encoded(record, suffix)
    assert content.startswith({".usda": b"#usda", ".usdz": b"PK"}.get(suffix, b"PXR-USDC"))
    if suffix == ".usdz":  # whatever time it is
        assert {one.date_time[0] for one in ZipFile(BytesIO(content)).infolist()} == {2000}


@pytest.mark.long
@given(wild_mechanisms())
@over(30)
def test_nonsense_is_written_too(mechanism: Mechanism) -> None:
    """Whatever a mechanism says, a stage is written."""
    record, _ = written(Contents(mechanism, (CORNER,)))
    assert encoded(record, ".usda").startswith(b"#usda")
