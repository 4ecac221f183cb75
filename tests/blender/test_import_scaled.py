# SPDX-License-Identifier: GPL-3.0-or-later
"""Files whose nodes are scaled are no joints that were scaled since: only what is done here is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Matrix
from robot_models import ARM
from scenes import box, issues, select

from omi_physics_joint.blender.check.since_joined import grow_body
from omi_physics_joint.blender.imported import link_beside
from omi_physics_joint.blender.joints.authoring import place_frame
from omi_physics_joint.blender.usd_hooks import HAS_USD
from omi_physics_joint.usd.stage import is_available

SCALES = ([0.01] * 3, [100.0] * 3, [0.01, 0.03, 0.01], [1.0, 1.0, -1.0])
SCALED, READ, SINCE = "scaled-since-joined", "scaled-since-read", "since"
RANGE, SLIDES = 0.4, (0.0, 0.0, 0.4)
STAGE = """#usda 1.0
( metersPerUnit = {metre}
  upAxis = "Z" )
def Xform "Root" {{
  double3 xformOp:scale = ({scale})
  uniform token[] xformOpOrder = ["xformOp:scale"]
  def Cube "Cabinet" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) {{ }}
  def Cube "Drawer" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"] ) {{
    double3 xformOp:translate = (0, 3, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
  }}
  def PhysicsPrismaticJoint "Rail" {{
    rel physics:body0 = </Root/Cabinet>
    rel physics:body1 = </Root/Drawer>
    point3f physics:localPos0 = (0, 3, 0)
    uniform token physics:axis = "X"
    float physics:lowerLimit = 0
    float physics:upperLimit = {upper}
  }}
}}
"""


def drawer(family: str, root: list[float], own: list[float]) -> dict[str, Any]:
    """Return a drawer whose root, and the node of whose joint, are scaled."""
    used = [f"{family}_physics_body", f"{family}_physics_joint"]
    body, joint = used
    if family == "KHR":
        body = joint = "KHR_physics_rigid_bodies"
        used = [body]
    limits = [
        {"linearAxes": [0, 1], "min": 0.0, "max": 0.0},
        {"linearAxes": [2], "min": 0.0, "max": RANGE},
        {"angularAxes": [0, 1, 2], "min": 0.0, "max": 0.0},
    ]
    settings = {"physicsJoints": [{"limits": limits}]}
    joined = {"joint": 0, "connectedNode": 4}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": used,
        "extensions": {joint: settings},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": "Root", "scale": root, "children": [1, 2]},
            {"name": "Drawer", "children": [3], "extensions": {body: {"motion": {"mass": 3}}}},
            {"name": "Cabinet", "children": [4]},
            {
                "name": "Rail",
                "scale": own,
                "extensions": {joint: {"joint": joined} if family == "KHR" else joined},
            },
            {"name": "Rail End"},
        ],
    }


def imported(path: Path, family: str, root: list[float], own: list[float]) -> bpy.types.Object:
    """Import a file of a family, and return its joint."""
    if family.startswith("USD"):
        metre = float(family.partition(" ")[2])
        scale = ", ".join(map(str, root))
        stage = STAGE.format(metre=metre, scale=scale, upper=RANGE / metre / root[0])
        path.with_suffix(".usda").write_text(stage)
        bpy.ops.wm.usd_import(filepath=str(path.with_suffix(".usda")))
    else:
        text = drawer(family, root, own)
        path.write_text(json.dumps(text))
        bpy.ops.import_scene.gltf(filepath=str(path))
    bpy.context.view_layer.update()
    return next(obj for obj in bpy.context.scene.objects if obj.omi_physics_joint.is_joint)


def reach(joint: bpy.types.Object) -> float:
    """Return how far a joint slides."""
    limits = joint.omi_physics_joint.settings.limits
    return max(one.linear_max - one.linear_min for one in limits if one.freedom == "linear")


@pytest.mark.parametrize("root", SCALES, ids=str)
@pytest.mark.parametrize("family", ["OMI", "KHR", "USD 1", "USD 0.01"])
def test_nothing_was_done_since_when_a_file_has_just_come(
    tmp_path: Path, family: str, root: list[float]
) -> None:
    """However its roots and the nodes of its joints are scaled; its distances are as they were."""
    if family.startswith("USD") and not (HAS_USD and is_available()):
        pytest.skip("this Blender has no USD, or no pxr")
    joint = imported(tmp_path / "a.gltf", family, root, [2.0, 1.0, 1.0])
    before = reach(joint)
    if not family.startswith("USD"):
        assert before == pytest.approx(RANGE)
    assert [code for code in issues() if SINCE in code] == []
    assert reach(joint) == before


def test_nor_when_a_robot_has(tmp_path: Path) -> None:
    """Robots come by glTF."""
    (tmp_path / "arm.urdf").write_text(ARM, "utf-8")
    bpy.ops.omi_joint.import_robot(filepath=str(tmp_path / "arm.urdf"))
    assert [code for code in issues() if SINCE in code] == []


@pytest.mark.parametrize("squared", [False, True])
def test_what_is_scaled_here_is_told_of_as_much_as_it_is(tmp_path: Path, squared: bool) -> None:
    """A root that is made twice as large, by Fix the way of the drawer too, and by no more."""
    joint = imported(tmp_path / "a.gltf", "KHR", [0.01] * 3, [1.0] * 3)
    if squared:  # as aiming it does
        place_frame(joint, Matrix.Translation(joint.matrix_world.translation))
    root = bpy.data.objects["Root"]
    root.scale *= 2.0
    bpy.context.view_layer.update()
    assert issues()[SCALED] == "hint"
    report = bpy.context.window_manager.omi_physics_joint.issues
    index = next(at for at, one in enumerate(report) if one.code == SCALED)
    assert "scaled by 2 \N{MULTIPLICATION SIGN} 2" in report[index].message
    select(joint)
    bpy.ops.omi_joint.issue_fix("EXEC_DEFAULT", True, index=index)
    bpy.context.view_layer.update()
    assert reach(joint) == pytest.approx(2.0 * RANGE)
    assert SCALED not in issues()


@pytest.mark.parametrize("growth", [2.0, 0.1])
def test_bodies_of_a_robot_that_is_scaled_are_told(tmp_path: Path, growth: float) -> None:
    """What its file says of their masses grows along by Fix, once."""
    (tmp_path / "arm.urdf").write_text(ARM, "utf-8")
    bpy.ops.omi_joint.import_robot(filepath=str(tmp_path / "arm.urdf"))
    bodies = [one for one in bpy.context.scene.objects if one.omi_physics_body.is_body]
    before = {one: centre_and_moments(one) for one in bodies}
    told = {one.name for one, numbers in before.items() if any(map(any, numbers))}
    for root in (one for one in bpy.context.scene.objects if one.parent is None):
        root.scale *= growth
    bpy.context.view_layer.update()
    assert issues()[READ] == "hint"
    assert told
    assert {one.object_name for one in report() if one.code == READ} == told
    for _ in told:
        at = next(at for at, one in enumerate(report()) if one.code == READ)
        bpy.ops.omi_joint.issue_fix("EXEC_DEFAULT", True, index=at)
        issues()
    assert READ not in issues()
    for one, (centre, moments) in before.items():
        grown, turned = centre_and_moments(one)
        assert grown == pytest.approx([part * growth for part in centre])
        assert turned == pytest.approx([part * growth**2 for part in moments])


@pytest.mark.parametrize("is_applied", [False, True])
def test_a_body_that_was_scaled_unevenly_has_the_moments_of_its_colliders(is_applied: bool) -> None:
    """Its axes of inertia are others; what applies the scale means its numbers to stay."""
    body = box("Body")
    entered = body.omi_physics_body
    entered.is_body, entered.read_scale = True, (1.0, 1.0, 1.0)
    entered.center_of_mass, entered.inertia_diagonal = (0.5, 0.5, 0.5), (1.0, 2.0, 3.0)
    body.scale = (2.0, 1.0, 1.0)
    if is_applied:
        select(body)
        bpy.ops.object.transform_apply(location=False, rotation=False)
    bpy.context.view_layer.update()
    assert (READ in issues()) != is_applied
    if not is_applied:
        grow_body(body)
        assert centre_and_moments(body) == ([1.0, 0.5, 0.5], [0.0, 0.0, 0.0])
        assert READ not in issues()


def test_a_copy_of_a_body_was_not_read() -> None:
    """Whoever copies a body of a file onto what has another scale has scaled nothing."""
    source, target = box("Source"), box("Target", (5.0, 0.0, 0.0))
    entered = source.omi_physics_body
    entered.is_body, entered.read_scale = True, (1.0, 1.0, 1.0)
    entered.center_of_mass, target.scale = (0.5, 0.0, 0.0), (3.0, 3.0, 3.0)
    select(target, source)
    assert bpy.ops.omi_joint.body_copy() == {"FINISHED"}
    assert target.omi_physics_body.is_body
    assert READ not in issues()


def centre_and_moments(body: bpy.types.Object) -> tuple[list[float], list[float]]:
    """Return what is entered of a body."""
    entered = body.omi_physics_body
    return [*entered.center_of_mass], [*entered.inertia_diagonal]


def report() -> Any:
    """Return what Check has found."""
    return bpy.context.window_manager.omi_physics_joint.issues


@pytest.mark.parametrize("below", ["", "own", "loose"])
def test_what_is_made_beside_others_is_where_a_user_looks(below: str) -> None:
    """In the collection of its parent, or in the active one, which need not be the scene's."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    homes = [bpy.data.collections.new(name) for name in ("Active", "Of the parent")]
    for home in homes:
        scene.collection.children.link(home)
    layer.active_layer_collection = layer.layer_collection.children["Active"]
    parent = bpy.data.objects.new("Parent", None) if below else None
    if parent is not None and below == "own":
        homes[1].objects.link(parent)
    made = bpy.data.objects.new("Made", None)
    link_beside(made, parent)
    assert made.users_collection == (homes[below == "own"],)
