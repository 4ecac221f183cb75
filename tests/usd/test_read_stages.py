# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages as tools write them, made with ``pxr``: read, written again, and judged by its parser."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import pi
from pathlib import Path
from typing import Any

import pytest
from usd_records import node_of

pytest.importorskip("pxr", reason="USD takes pxr: pip install usd-core")

from pxr import Gf, Sdf, UsdGeom, UsdPhysics, UsdShade
from usd.authored import begun, contents_in, cube, elbow, lift, motor, rope
from usd.parsed import descriptors, kind_of, opened, parsed_joint

from omi_physics_joint import read
from omi_physics_joint.cli.command import main
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP
from omi_physics_joint.model.geometry.transform import linear_part, translation_of, transpose
from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.model.shape import Box, Convex, Trimesh
from omi_physics_joint.usd import stage as door
from omi_physics_joint.usd.reading.read import contents_of
from omi_physics_joint.usd.writing.write import written


def meant(stage: Any, path: str) -> Iterator[Any]:
    """Yield what the parser says of a joint, in m and rad along the axes of glTF."""
    found = parsed_joint(stage, descriptors(stage), path)
    meters = UsdGeom.GetStageMetersPerUnit(stage)
    is_z_up = UsdGeom.GetStageUpAxis(stage) == "Z"
    turned = Y_UP_FROM_Z_UP.vector if is_z_up else tuple
    for frame in found.frames:
        place = translation_of(frame)
        yield [round(meters * x, 4) + 0.0 for x in turned(place)]
    near = found.distance()
    yield near and [round(meters * x, 4) for x in near]
    rows = []
    for freedom, axis, limit, drive in found.axes():
        linear = freedom is Freedom.LINEAR
        unit = meters if linear else pi / 180.0
        force = 1.0 / (1.0 if linear else meters**2 * 180.0 / pi)
        direction = turned(transpose(linear_part(found.frames[0]))[axis])
        sign = 1.0 if sum(direction) > 0.0 else -1.0
        bounds = None if limit is None else [limit.lower, limit.upper]
        if bounds is not None and bounds[0] > bounds[1]:
            bounds = [0.0, 0.0]
        if limit is None and drive is None:
            continue
        rows.append(
            (
                str(freedom),
                [round(abs(x)) for x in direction],
                bounds and sorted(round(sign * unit * x, 4) for x in bounds),
                drive
                and [
                    round(sign * unit * drive.targetPosition, 4),
                    round(sign * unit * drive.targetVelocity, 4),
                    float(f"{drive.stiffness / force:.4g}"),
                    float(f"{drive.damping / force:.4g}"),
                    float(f"{drive.forceLimit * (meters if linear else meters**2):.4g}")
                    if drive.forceLimit < 1e30
                    else None,
                ],
            )
        )
    yield sorted(rows, key=lambda row: (row[0], row[1]))


@pytest.mark.parametrize("made", [motor, rope, lift, elbow])
def test_a_joint_is_the_same_to_the_parser_when_it_is_written_again(
    made: Any, tmp_path: Path
) -> None:
    """In centimetres along Z before, in metres along Y after: frames, limits and drives."""
    before = made()
    records, _ = written(contents_in(before))
    after = opened(door.encoded(records, ".usda"), tmp_path)
    (path,) = (name for name, one in descriptors(after).items() if "Joint" in kind_of(one))
    assert list(meant(after, path)) == list(meant(before, "/World/Joint"))


def test_scaled_cubes_are_boxes_of_their_size_and_weigh_as_much_as_they_hold() -> None:
    """0.1 x 1 x 0.1 m of water: 10 kg."""
    mechanism = contents_in(motor()).mechanism
    assert [shape for shape in mechanism.shapes if isinstance(shape, Box)] == [
        Box((pytest.approx(0.1), pytest.approx(0.1), pytest.approx(1.0)))
    ]
    motion = node_of(mechanism, "Plank").motion
    assert motion is not None
    assert motion.mass == pytest.approx(10.0)


def test_a_box_that_rests_on_its_corner_on_a_quad() -> None:
    """Centre of mass and hull, in m."""
    stage = begun()
    box = cube(stage, "/World/Box", 25.0, (0, 0, 500), moves=True)
    weight = UsdPhysics.MassAPI.Apply(box)
    weight.CreateMassAttr(10.0)
    weight.CreateCenterOfMassAttr(Gf.Vec3f(40, 40, 40))
    quad = UsdGeom.Mesh.Define(stage, "/World/Quad")
    quad.CreatePointsAttr([(-1, 1, 0), (1, 1, 0), (1, -1, 0), (-1, -1, 0)])
    quad.CreateFaceVertexCountsAttr([4])
    quad.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
    quad.AddScaleOp().Set(Gf.Vec3f(750))
    UsdPhysics.CollisionAPI.Apply(quad.GetPrim())
    UsdPhysics.MeshCollisionAPI.Apply(quad.GetPrim()).CreateApproximationAttr("convexHull")
    contents = contents_in(stage)
    motion = node_of(contents.mechanism, "Box").motion
    assert motion is not None
    assert (motion.mass, motion.center) == (10.0, (0.4, 0.4, -0.4))
    hull = next(shape for shape in contents.mechanism.shapes if isinstance(shape, Convex))
    mesh = contents.meshes[hull.mesh]
    assert mesh is not None
    assert mesh.points[0] == (-0.01, 0.0, -0.01)
    assert translation_of(node_of(contents.mechanism, "Box").world) == (0.0, 5.0, 0.0)


def test_balls_with_a_material_of_their_own_or_from_above() -> None:
    """Bound for purpose physics; density is of the material, in kg per cm^3."""
    stage = begun()
    for name, bounce in (("Dull", 0.1), ("Bouncy", 0.8)):
        material = UsdShade.Material.Define(stage, f"/World/Looks/{name}")
        physics = UsdPhysics.MaterialAPI.Apply(material.GetPrim())
        physics.CreateRestitutionAttr(bounce)
        physics.CreateDensityAttr(0.001)
        group = UsdGeom.Xform.Define(stage, f"/World/Group{name}").GetPrim()
        ball = UsdGeom.Sphere.Define(stage, f"/World/Group{name}/{name}Ball")
        ball.AddScaleOp().Set(Gf.Vec3f(25))
        UsdPhysics.CollisionAPI.Apply(ball.GetPrim())
        UsdPhysics.RigidBodyAPI.Apply(ball.GetPrim())
        owner = ball.GetPrim() if name == "Dull" else group
        binding = UsdShade.MaterialBindingAPI.Apply(owner)
        binding.Bind(material, UsdShade.Tokens.weakerThanDescendants, "physics")
    mechanism = contents_in(stage).mechanism
    assert [one.restitution for one in mechanism.physics_materials] == [0.1, 0.8]
    for name in ("DullBall", "BouncyBall"):
        motion = node_of(mechanism, name).motion
        assert motion is not None
        assert motion.mass == pytest.approx(0.001 * 4.0 / 3.0 * pi * 25.0**3)


def test_each_instance_has_bodies_of_its_own() -> None:
    """Joints of an instance join its own bodies."""
    stage = begun()
    source = UsdGeom.Xform.Define(stage, "/Door").GetPrim()
    cube(stage, "/Door/Frame", 10.0, (0, 0, 0), moves=True)
    cube(stage, "/Door/Leaf", 10.0, (10, 0, 0), moves=True)
    joint = UsdPhysics.RevoluteJoint.Define(stage, "/Door/Hinge")
    joint.CreateBody0Rel().SetTargets(["/Door/Frame"])
    joint.CreateBody1Rel().SetTargets(["/Door/Leaf"])
    source.SetSpecifier(Sdf.SpecifierClass)
    for index in range(3):
        instance = UsdGeom.Xform.Define(stage, f"/World/Door{index}")
        instance.AddTranslateOp().Set(Gf.Vec3d(0, 100 * index, 0))
        instance.GetPrim().GetReferences().AddInternalReference("/Door")
        instance.GetPrim().SetInstanceable(True)
    contents = contents_in(stage)
    joints = list(contents.mechanism.joints())
    assert len(joints) == 3
    places = [round(translation_of(node.world)[2], 6) + 0.0 for _, node, _ in joints]
    assert places == [0.0, -1.0, -2.0]
    bodies = [contents.mechanism.body_of(index) for index, _, _ in joints]
    assert len(set(bodies)) == 3
    assert sum(mesh is not None for mesh in contents.meshes) == 1


def test_below_one_prim_come_its_own_bodies_and_what_they_share(tmp_path: Path) -> None:
    """Joints to what is elsewhere hold nothing; materials come along."""
    stage = elbow()
    material = UsdShade.Material.Define(stage, "/Looks/Ice")
    UsdPhysics.MaterialAPI.Apply(material.GetPrim()).CreateDynamicFrictionAttr(0.25)
    plank = stage.GetPrimAtPath("/World/Plank")
    UsdShade.MaterialBindingAPI.Apply(plank).Bind(material, materialPurpose="physics")
    file = tmp_path / "elbow.usda"
    stage.GetRootLayer().Export(str(file))
    contents, _ = contents_of(door.read(file, "/World/Plank"))
    assert contents.mechanism.nodes[0].name == "Plank"
    assert contents.mechanism.physics_materials[0].dynamic_friction == 0.25
    assert not list(contents.mechanism.joints())
    with pytest.raises(door.StageError, match="There is no prim"):
        door.read(file, "/World/Nobody")


@pytest.mark.parametrize("ends", [*product(("/World/Plank", "/World/Post", ""), repeat=2)])
@pytest.mark.parametrize("below", ["/World/Plank", "World/Plank/"])
def test_a_joint_of_a_part_comes_along_or_is_missed(below: str, ends: tuple[str, str]) -> None:
    """One to what is elsewhere is told, since its body falls; the world is everywhere."""
    stage = elbow()
    joint = UsdPhysics.Joint(stage.GetPrimAtPath("/World/Joint"))
    for relation, end in zip((joint.GetBody0Rel(), joint.GetBody1Rel()), ends, strict=True):
        relation.SetTargets([end] if end else [])
    part = door.record(stage, below)
    assert ("/World/Joint" in {prim.path for prim in part}) is ("/World/Plank" in ends)
    contents, issues = contents_of(part)
    is_whole = set(ends) == {"/World/Plank", ""}
    assert bool(list(contents.mechanism.joints())) is is_whole
    is_missed = set(ends) == {"/World/Plank", "/World/Post"}
    assert ("usd-target-missing" in {one.code for one in issues}) is is_missed


def test_a_body_may_reset_the_poses_above_it() -> None:
    """Then its pose is one in the stage."""
    stage = begun()
    outer = UsdGeom.Xform.Define(stage, "/World/Outer")
    outer.AddTranslateOp().Set(Gf.Vec3d(100, 0, 0))
    UsdPhysics.RigidBodyAPI.Apply(outer.GetPrim())
    inner = cube(stage, "/World/Outer/Inner", 10.0, (0, 0, 50), moves=True)
    UsdGeom.Xformable(inner).SetResetXformStack(True)
    mechanism = contents_in(stage).mechanism
    assert translation_of(node_of(mechanism, "Inner").world) == (0.0, 0.5, 0.0)
    assert node_of(mechanism, "Inner").motion is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#usda 1.0\n(",
        "PXR-USDC" + "\0" * 40,
        '#usda 1.0\ndef Xform "A" (references = @./gone.usda@</B>) {\n}\n',
        "#usda 1.0\n(subLayers = [@./gone.usda@, @./self.usda@])\n",
        '#usda 1.0\ndef PhysicsFixedJoint "J" {\n rel physics:body0 = </J.physics:body0>\n}\n',
        '#usda 1.0\ndef "A" (references = </A>) {\n}\n',
        "#usda 1.0\n(metersPerUnit = 0\nkilogramsPerUnit = -1\ntimeCodesPerSecond = 0)\n"
        'def Xform "A" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\n'
        " float physics:mass = nan\n matrix4d xformOp:transform = ((nan,0,0,0),(0,1,0,0),(0,0,1,0),"
        '(0,0,0,1))\n uniform token[] xformOpOrder = ["xformOp:transform"]\n}\n',
    ],
)
def test_damaged_files_are_one_sentence(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or are read as far as they go; nothing is raised."""
    file, out = tmp_path / "self.usda", tmp_path / "out.glb"
    file.write_text(text)
    code = main(["convert", str(file), str(out)])
    said = capsys.readouterr().err
    assert code in (0, 1, 3)
    assert "Traceback" not in said
    assert (code == 0) is out.is_file() or "error" in said


def test_triangles_of_a_stage_are_those_that_are_collided_with() -> None:
    """A mesh that says nothing of its approximation."""
    stage = begun()
    mesh = UsdGeom.Mesh.Define(stage, "/World/Ramp")
    mesh.CreatePointsAttr([(0, 0, 0), (100, 0, 0), (0, 100, 0), (0, 0, 100)])
    mesh.CreateFaceVertexCountsAttr([3, 3, 3, 3])
    mesh.CreateFaceVertexIndicesAttr([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3])
    UsdPhysics.CollisionAPI.Apply(mesh.GetPrim())
    contents = contents_in(stage)
    assert contents.mechanism.shapes == (Trimesh(0),)
    assert contents.shown == {0: 0}


EMPTY = """#usda 1.0
(defaultPrim = "Body")
def Mesh "Body" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
    point3f[] points = []
    int[] faceVertexCounts = []
    int[] faceVertexIndices.timeSamples = { 0: [], 1: [] }
    string note = ""
    uniform token[] xformOpOrder = []
}
"""


def test_a_list_with_nothing_in_it_is_read(tmp_path: Path) -> None:
    """Points, samples, tokens and texts: what is empty is counted as anything else."""
    file = tmp_path / "empty.usda"
    file.write_text(EMPTY)
    reading = read(file)
    assert [node.name for node in reading.mechanism.nodes if node.motion is not None] == ["Body"]
    assert "usd-unreadable" not in {one.code for one in reading.issues}
