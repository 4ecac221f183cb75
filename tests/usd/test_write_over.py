# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers above a stage that others own: physics alone, and what is gone is taken away."""

from __future__ import annotations

from dataclasses import replace
from math import pi
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pxr", reason="usd-core is not installed in this Python (no module pxr)")

from model.building import DOOR, DYNAMIC, JOINT, WALL, changed, pair
from pxr import Sdf, Usd, UsdPhysics
from usd.parsed import complaints, descriptors, kind_of, parsed_joint
from usd_records import COLLISION, placed, prim

from omi_physics_joint.cli.command import main
from omi_physics_joint.model.body import Collider, CollisionFilter, MotionType, PhysicsMaterial
from omi_physics_joint.model.contents import Contents, PoseKeys
from omi_physics_joint.model.geometry.transform import (
    IDENTITY_ROTATION,
    Rotation,
    compose,
    matrix_from,
    multiply,
    rotation_about,
)
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, weld
from omi_physics_joint.model.shape import Sphere
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.usd import table
from omi_physics_joint.usd.authoring import author
from omi_physics_joint.usd.prim import Stage
from omi_physics_joint.usd.stage import encoded, read
from omi_physics_joint.usd.writing.write import written, written_over

BASE = """#usda 1.0
(
    defaultPrim = "root"
    metersPerUnit = 0.01
    upAxis = "Z"
    startTimeCode = 1
    endTimeCode = 48
)
def Xform "root"
{
    def Xform "Wall"
    {
        def Mesh "Shape"
        {
        }
    }
    def Xform "Door"
    {
        double3 xformOp:translate = (0, 0, 200)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def Xform "Tree"
    {
    }
}
"""
MOTOR = Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, 9.0, None, 2.0, 0.0, 3.0)


def door(low: float = -0.5) -> Mechanism:
    """Return a door that stands where the stage has it."""
    mechanism = pair(hinge(1, low, 1.0), compose((1.0, 2.0, 3.0)))
    return changed(mechanism, DOOR, world=compose((0.0, 2.0, 0.0)))


def layer_above(base: Path, mechanism: Mechanism) -> tuple[Path, set[str]]:
    """Write a layer beside a stage; return its file and the codes of what it cannot say."""
    record, issues = written_over(Contents(mechanism), read(base))
    file = base.with_name(f"over_{len(list(base.parent.iterdir()))}.usda")
    file.write_bytes(encoded(record, ".usda", f"./{base.name}"))
    return file, {issue.code for issue in issues}


def meaning(stage: Any) -> dict[str, Any]:
    """Return what the parser says of bodies, joints and shapes, by path."""
    out = {}
    for path, one in descriptors(stage).items():
        said = {name: str(getattr(one, name)) for name in dir(one) if not name.startswith("_")}
        for vector in ("jointLimits", "jointDrives"):
            said[vector] = str([f"{p.first}{p.second}" for p in getattr(one, vector, ())])
        out[path] = said
    return out


def test_a_layer_has_opinions_on_physics_alone(tmp_path: Path) -> None:
    """Prims of the stage below get no pose, geometry or type; its axes and units are kept."""
    base = tmp_path / "base.usda"
    base.write_text(BASE)
    file, lost = layer_above(base, door())
    assert lost == set()
    layer = Sdf.Layer.FindOrOpen(str(file))
    for path in ("/root", "/root/Wall", "/root/Door"):
        spec = layer.GetPrimAtPath(path)
        assert (spec.specifier, spec.typeName) == (Sdf.SpecifierOver, "")
        assert all(one.name.startswith("physics:") for one in spec.properties)
    assert not layer.GetPrimAtPath("/root/Tree")
    stage = Usd.Stage.Open(str(file))
    assert complaints(stage) == []
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (1.0, 48.0)
    joint = parsed_joint(stage, descriptors(stage), "/root/Door/Joint")
    assert kind_of(joint.descriptor) == "RevoluteJoint"
    assert str(joint.descriptor.axis).endswith("Z")
    for frame in joint.frames:
        assert [row[3] for row in frame[:3]] == pytest.approx([100.0, -300.0, 200.0])


def test_what_is_gone_is_taken_away(tmp_path: Path) -> None:
    """Above a stage with physics of its own, all that is said is what the mechanism says."""
    first = replace(door(), settings=(replace(hinge(1, -0.5, 1.0), drives=(MOTOR,)),))
    filters = (CollisionFilter("", ("walls",), None, ("walls",)),)
    first = replace(first, collision_filters=filters, physics_materials=(PhysicsMaterial("Ice"),))
    first = changed(first, WALL, collider=Collider(0, 0, 0))
    first = changed(first, WALL, motion=replace(DYNAMIC, mass=3.0, gravity_factor=0.0))
    record, _ = written(Contents(first))
    base = tmp_path / "base.usda"
    base.write_bytes(encoded(record, ".usda"))
    second = replace(door(), shapes=(Sphere(0.3),))
    third = changed(second, WALL, collider=Collider(0))
    for mechanism in (second, changed(second, WALL, collider=None), first, third):
        file, _ = layer_above(base, mechanism)
        over = Usd.Stage.Open(str(file))
        assert complaints(over) == []
        fresh = tmp_path / f"fresh_{len(list(tmp_path.iterdir()))}.usda"
        fresh.write_bytes(encoded(written(Contents(mechanism))[0], ".usda"))
        assert meaning(over) == meaning(Usd.Stage.Open(str(fresh)))


def test_joints_that_are_gone_are_inactive(tmp_path: Path) -> None:
    """A joint of the stage below between prims that nodes are is switched off with its node."""
    record, _ = written(Contents(door()))
    base = tmp_path / "base.usda"
    base.write_bytes(encoded(record, ".usda"))
    file, _ = layer_above(base, changed(door(), JOINT, joint=None))
    stage = Usd.Stage.Open(str(file))
    assert not stage.GetPrimAtPath("/World/Door/Joint").IsActive()
    assert not [path for path in descriptors(stage) if path.endswith("Joint")]


def test_prims_that_stand_elsewhere_take_their_joints_along(tmp_path: Path) -> None:
    """A joint stays where it is on its bodies, and it is said that they have moved."""
    base = tmp_path / "base.usda"
    base.write_text(BASE)
    moved = changed(door(), DOOR, world=compose((0.0, 5.0, 0.0)))
    file, lost = layer_above(base, moved)
    assert lost == {"usd-base-elsewhere"}
    stage = Usd.Stage.Open(str(file))
    joint = parsed_joint(stage, descriptors(stage), "/root/Door/Joint")
    assert [row[3] for row in joint.frames[1][:3]] == pytest.approx([100.0, -300.0, -100.0])
    assert multiply(joint.frames[0], compose())[2][3] == pytest.approx(200.0)


def test_what_only_others_say_stays(tmp_path: Path) -> None:
    """Sleep, owners, pairs and schemas of engines that the model has no word for are left alone."""
    base = tmp_path / "base.usda"
    said = """    def Xform "Door" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsFilteredPairsAPI", "PhysxJointAPI"]
    )
    {
        uniform bool physics:startsAsleep = 1
        bool physics:kinematicEnabled = 1
        rel physics:simulationOwner = </root/Second>
        rel physics:filteredPairs = </root/Tree>
        float physxJoint:armature = 2"""
    scenes = """    def PhysicsScene "First"
    {
    }
    def PhysicsScene "Second"
    {
    }
    def Xform "Tree\""""
    text = BASE.replace('    def Xform "Door"\n    {', said).replace('    def Xform "Tree"', scenes)
    base.write_text(text)
    file, _ = layer_above(base, changed(door(), WALL, name="Gate", motion=DYNAMIC))
    stage = Usd.Stage.Open(str(file))
    prim = stage.GetPrimAtPath("/root/Door")
    body = UsdPhysics.RigidBodyAPI(prim)
    assert body.GetStartsAsleepAttr().Get() is True
    assert body.GetKinematicEnabledAttr().Get() is False
    assert [str(path) for path in body.GetSimulationOwnerRel().GetTargets()] == ["/root/Second"]
    assert prim.HasAPI(UsdPhysics.FilteredPairsAPI)
    assert prim.GetAttribute("physxJoint:armature").Get() == 2.0
    added = UsdPhysics.RigidBodyAPI(stage.GetPrimAtPath("/root/Gate"))
    assert [str(path) for path in added.GetSimulationOwnerRel().GetTargets()] == ["/root/First"]


@pytest.mark.parametrize("near", ["Left", "Right"])
def test_of_prims_that_are_called_alike_the_nearest_is_meant(near: str, tmp_path: Path) -> None:
    """In whatever order they stand on the stage; nearer to the root goes before."""
    base = tmp_path / "base.usda"
    rooms = "".join(
        f"""    def Xform "{name}"
    {{
        def Xform "Door"
        {{
            double3 xformOp:translate = (0, 0, {200 if name == near else 900})
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }}
    }}
"""
        for name in ("Left", "Right")
    )
    before, _, after = BASE.partition('    def Xform "Door"')
    base.write_text(before + rooms + after[after.index("    }\n") + 6 :])
    file, _ = layer_above(base, door())
    stage = Usd.Stage.Open(str(file))
    bodies = [
        str(prim.GetPath())
        for prim in stage.Traverse()
        if prim.GetName() == "Door" and prim.HasAPI(UsdPhysics.RigidBodyAPI)
    ]
    assert bodies == [f"/root/{near}/Door"]


def test_of_nodes_that_are_called_alike_each_is_another_prim(tmp_path: Path) -> None:
    """The first takes the nearest one, and the second what is left."""
    base = tmp_path / "base.usda"
    base.write_text(BASE.replace('def Xform "Wall"', 'def Xform "Room"'))
    text = base.read_text()
    more = text[text.index('    def Xform "Door"') : text.index('    def Xform "Tree"')]
    base.write_text(text.replace("        def Mesh", f"{more}        def Mesh"))
    mechanism = changed(changed(door(), WALL, name="Door", motion=DYNAMIC), DOOR, motion=DYNAMIC)
    file, _ = layer_above(base, mechanism)
    stage = Usd.Stage.Open(str(file))
    bodies = {str(one.GetPath()) for one in stage.Traverse() if one.HasAPI(UsdPhysics.RigidBodyAPI)}
    assert bodies == {"/root/Door", "/root/Room/Door"}


def test_a_body_that_is_the_end_of_a_joint_stands_where_its_prim_does(tmp_path: Path) -> None:
    """It is no mere frame: what is beside it on the stage goes there, as of any other body."""
    base = tmp_path / "base.usda"
    base.write_text(BASE)
    mechanism = changed(door(), DOOR, world=compose((0.0, 5.0, 0.0)))
    (at, joint), *_ = ((i, one) for i, _, one in mechanism.all_joints())
    ended = changed(mechanism, at, joint=replace(joint, connected_node=DOOR))
    _, lost = layer_above(base, ended)
    assert "usd-base-elsewhere" in lost


@pytest.mark.parametrize("rate", [24.0, 60.0])
def test_what_is_led_and_new_keeps_the_time_of_the_stage(rate: float) -> None:
    """Its keys stand at the time codes that its seconds are there."""
    led = replace(DYNAMIC, type=MotionType.KINEMATIC)
    keys = PoseKeys((0.0, 0.5), (compose(), compose((1.0, 0.0, 0.0))))
    contents = Contents(Mechanism((Node("Lead", motion=led),)), led={0: keys})
    made, _ = written_over(contents, Stage(time_codes_per_second=rate))
    (one,) = (prim for prim in made if prim.name == "Lead")
    assert [code for code, _ in one.poses] == [0.0, 0.5 * rate]


def test_a_stage_of_its_own_begins_at_zero(tmp_path: Path) -> None:
    """Whenever its keys do: who reads it counts from where it begins."""
    later = PoseKeys((1.0, 2.0), (compose(), compose((1.0, 0.0, 0.0))))
    led = Node("Lead", motion=replace(DYNAMIC, type=MotionType.KINEMATIC))
    record, _ = written(Contents(Mechanism((led,)), led={0: later}))
    file = tmp_path / "later.usda"
    file.write_bytes(encoded(record, ".usda"))
    assert read(file).times == (0.0, 48.0)


@pytest.mark.parametrize(
    ("up", "turned", "down"),
    [
        ("Z", IDENTITY_ROTATION, None),
        ("Z", rotation_about((0.0, 0.0, 1.0), 2.0), None),
        ("Y", rotation_about((1.0, 0.0, 0.0), -pi / 2.0), None),
        ("X", rotation_about((0.0, 1.0, 0.0), pi / 2.0), (-1.0, 0.0, 0.0)),
        ("Z", rotation_about((1.0, 0.0, 0.0), pi), (0.0, 0.0, 1.0)),
        ("Y", rotation_about((1.0, 0.0, 0.0), pi / 2.0), (0.0, 1.0, 0.0)),
    ],
)
def test_gravity_is_said_where_a_stage_has_another_way_down(
    up: str, turned: Rotation, down: tuple[float, float, float] | None
) -> None:
    """Blender's exporter turns the stage, and no stage has X up, nor anything but up."""
    room = prim("/root", local=matrix_from(turned, (0.0, 0.0, 0.0)))
    base = placed(room, prim("/root/Wall"), default_prim="root", up_axis=up)
    contents = Contents(Mechanism((Node("Wall", motion=DYNAMIC),)))
    for length in (1.0, 0.01):
        stage = replace(base, meters_per_unit=length)
        made, _ = written_over(contents, stage, made_of={0: "/root/Wall"})
        (scene,) = (one for one in made if one.type == "PhysicsScene")
        assert scene.attributes.get("physics:gravityDirection") == (down and pytest.approx(down))


@pytest.mark.parametrize("shown", [True, False])
def test_a_joint_that_shows_something_stands_below_what_is_shown(shown: bool) -> None:
    """A joint prim is nowhere, so it can show nothing; a bare one is the joint itself."""
    mechanism = replace(door(), meshes=("Mark",))
    at = next(index for index, _, _ in mechanism.all_joints())
    mark = Triangles(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), ((0, 1, 2),))
    made, _ = written(Contents(mechanism, (mark,), {at: 0} if shown else {}))
    (hinge,) = (one for one in made if one.type.endswith("Joint"))
    names = [one.name for one in made if one.path == hinge.parent]
    assert (names == [mechanism.nodes[at].name]) is shown
    assert any(one.type == "Mesh" for one in made) is shown


@pytest.mark.parametrize("shared", [True, False])
def test_nothing_is_said_of_what_stands_in_an_instance(shared: bool) -> None:
    """A layer can have no opinion there; elsewhere shapes that are gone are no colliders."""
    solid = prim("/root/Wall/Old", "Cube", (COLLISION,), is_shared=shared)
    base = placed(prim("/root"), prim("/root/Wall"), solid, default_prim="root")
    made, _ = written_over(Contents(door()), base)
    assert (solid.path in {one.path for one in made}) is not shared


def test_what_the_stage_has_not_is_added(tmp_path: Path) -> None:
    """A body without a prim of its name gets one, and that is said."""
    base = tmp_path / "base.usda"
    base.write_text(BASE)
    mechanism = changed(door(), DOOR, name="Gate", collider=Collider(0))
    file, lost = layer_above(base, mechanism)
    assert lost == {"usd-not-on-base"}
    stage = Usd.Stage.Open(str(file))
    assert complaints(stage) == []
    assert "/root/Gate" in descriptors(stage)


def test_what_has_no_material_has_that_of_the_scene(tmp_path: Path) -> None:
    """PhysX takes the material of the scene, of the stage below too, which is as ours there."""
    base = tmp_path / "base.usda"
    scene = 'def PhysicsScene "Scene"\n    {\n    }\n    def Xform "Tree"'
    base.write_text(BASE.replace('def Xform "Tree"', scene))
    file, _ = layer_above(base, changed(door(), DOOR, collider=Collider(0)))
    stage = Usd.Stage.Open(str(file))
    bound = stage.GetPrimAtPath("/root/Scene").GetRelationship("material:binding:physics")
    (material,) = bound.GetTargets()
    found = stage.GetPrimAtPath(material).GetAttribute("physics:dynamicFriction")
    assert found.Get() == pytest.approx(0.6)


def test_convert_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`convert IN OUT --over STAGE` names the stage by where it is from OUT, and leaves it."""
    glb = tmp_path / "in.gltf"
    first, folder = tmp_path / "first.usda", tmp_path / "layers"
    first.write_bytes(encoded(written(Contents(pair(weld())))[0], ".usda"))
    before = first.read_bytes()
    folder.mkdir()
    assert main(["convert", str(first), str(glb)]) == 0
    assert main(["convert", str(glb), str(folder / "o.usda"), "--over", str(first)]) == 0
    assert main(["convert", str(glb), str(folder / "o.usdz"), "--over", str(first)]) == 3
    assert main(["convert", str(glb), str(first), "--overwrite", "--over", str(first)]) == 3
    assert first.read_bytes() == before
    layer = Sdf.Layer.FindOrOpen(str(folder / "o.usda"))
    assert list(layer.subLayerPaths) == ["./../first.usda"]
    assert descriptors(Usd.Stage.Open(str(folder / "o.usda")))["/World/Door/Joint"]
    assert "cannot lie over a stage" in capsys.readouterr().err


def test_an_attribute_may_change_with_time_unless_its_schema_says_no() -> None:
    """Those of others, which no schema of ours knows, may."""
    known = [one for one in vars(table).values() if isinstance(one, table.Attribute)]
    said = {one.name.replace("*", "rotX"): one.is_uniform for one in known}
    assert {*said.values()} == {False, True}
    said["somebody:word"] = False
    layer = Sdf.Layer.CreateAnonymous(".usda")
    author(placed(prim("/A", "Cube", attributes=dict.fromkeys(said))), layer)
    written_ones = {one.name: one.variability for one in layer.GetPrimAtPath("/A").attributes}
    assert {name: written_ones[name] == Sdf.VariabilityUniform for name in said} == said
