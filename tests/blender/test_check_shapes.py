# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies whose shapes are other than what is drawn: what Check says of them, and what ends it."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from mathutils import Euler, Matrix, Vector
from omi_export import export
from scenes import joined, select, slab

from omi_physics_joint.blender.check.fixes import FIXES
from omi_physics_joint.blender.joints.authoring import AuthoringError
from tests.blender.test_check_scaled import OUTDATED, fix, found

CENTER, BARE = "center-outdated", "part-without-collider"
AWAY = Matrix.LocRotScale((20.0, -13.0, 4.0), Euler((0.4, -0.3, 1.1)), None)


def hung(name: str = "Rod", size: tuple[float, ...] = (1.0, 0.1, 0.1)) -> bpy.types.Object:
    """Return what hangs on a post by one end, tipped and away from the origin."""
    post, rod = slab("Post", (-0.6, 0.0, 0.0), (0.2, 0.2, 0.2)), slab(name, (0.0, 0.0, 0.0), size)
    for obj in (post, rod):
        obj.matrix_world = AWAY @ obj.matrix_world
    bpy.context.view_layer.update()
    bpy.context.scene.cursor.location = AWAY @ Vector((-0.5, 0.0, 0.0))
    joined("HINGE", post, rod, direction="GLOBAL_Y", place="CURSOR", use_range=False)
    return rod


def swollen(obj: bpy.types.Object) -> bpy.types.ShapeKey:
    """Return a shape key by which an object is three times as thick."""
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="Thick")
    key.value = 0.0
    for point in key.data:
        point.co.z *= 3.0
    return key


def test_shape_keys_that_a_shape_has_not_are_told_of(tmp_path: Path) -> None:
    """Only while they draw something: at 0, muted, or applied they do not."""
    rod = hung()
    key = swollen(rod)
    assert found("shape-keys-left-out") == []
    key.value = 0.7
    (issue,) = found("shape-keys-left-out")
    assert (issue.severity, issue.object_name, issue.can_fix) == ("warning", "Rod", False)
    export(tmp_path / "rod.glb")
    codes = [one.code for one in bpy.context.window_manager.omi_physics_joint.issues]
    assert codes.count("shape-keys-left-out") == 1
    key.mute = True
    assert found("shape-keys-left-out") == []
    rod.active_shape_key_index, rod.show_only_shape_key = 1, True
    assert len(found("shape-keys-left-out")) == 1
    rod.active_shape_key_index, key.mute = 0, False
    assert found("shape-keys-left-out") == []  # the basis alone is drawn
    rod.show_only_shape_key, rod.data.shape_keys.use_relative = False, False
    for time in (0.0, 10.0):
        rod.data.shape_keys.eval_time = time
        assert len(found("shape-keys-left-out")) == bool(time)
    rod.data.shape_keys.use_relative = True
    select(rod)
    bpy.ops.object.convert(target="MESH")
    assert found("shape-keys-left-out") == []
    assert rod.dimensions.z == pytest.approx(0.1 * (1.0 + 0.7 * 2.0))


def test_shape_keys_of_what_is_no_mesh_to_others_are_not_told_of() -> None:
    """A box has its own size; with a modifier play has what is drawn."""
    rod = hung()
    swollen(rod).value = 1.0
    rod.modifiers.new("Bevel", "BEVEL").width = 0.001
    assert found("shape-keys-left-out") == []
    rod.modifiers.clear()
    assert len(found("shape-keys-left-out")) == 1
    rod.omi_physics_body.collider.shape.type = "box"
    assert found("shape-keys-left-out") == []


def test_a_mirrored_body_is_told_of_until_its_scale_is_applied() -> None:
    """As a scaled one is; Fix cannot turn its faces and says what can."""
    rod = hung()
    select(rod)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    assert [one.object_name for one in found("collider-scaled")] == ["Post"]
    rod.scale = (1.0, -1.0, 1.0)
    bpy.context.view_layer.update()
    said = {one.object_name: one.message for one in found("collider-scaled")}
    assert said["Rod"].startswith("This collider is mirrored, which some engines ignore.")
    with pytest.raises(AuthoringError, match=r"Rod is mirrored .*by hand \(Ctrl\+A\)"):
        FIXES["collider-scaled"].mend(rod)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    assert [one.object_name for one in found("collider-scaled")] == ["Post"]


def edited(rod: bpy.types.Object, how: str) -> None:
    """Change what is in the middle of a rod, in one of the ways that people do."""
    select(rod)
    if how == "origin":
        bpy.context.scene.cursor.location = rod.matrix_world @ Vector((0.8, 0.0, 0.0))
        bpy.ops.object.origin_set(type="ORIGIN_CURSOR")
    for vertex in rod.data.vertices if how != "origin" else ():
        if how == "moved":
            vertex.co.x += 0.8
        elif vertex.co.x > 0.0:
            vertex.co.yz *= 3.0
    bpy.context.view_layer.update()


@pytest.mark.parametrize("how", ["origin", "moved", "thick"])
@pytest.mark.parametrize("code", [CENTER, OUTDATED])
def test_a_center_of_mass_that_stays_behind_is_told_of_and_mended(how: str, code: str) -> None:
    """A rod whose mass was in its origin: one Fix mends mass and centre, whichever is pressed."""
    rod = hung()
    body = rod.omi_physics_body
    assert (body.computed_center, found(CENTER)) == (False, [])
    mass = body.mass
    edited(rod, how)
    (issue,) = found(CENTER)
    assert (issue.severity, issue.object_name) == ("hint", "Rod")
    if how != "thick":
        assert "is 0.4 m off its middle" in issue.message
    assert len(found(OUTDATED)) == (how == "thick")
    fix(code if how == "thick" else CENTER)
    assert found(CENTER) == found(OUTDATED) == []
    assert body.computed_center
    assert (body.mass > 3.0 * mass) if how == "thick" else (body.mass == mass)


@pytest.mark.parametrize("thick", [0.1, 0.5, 0.9])
def test_parts_of_a_body_that_were_separated_hold_less(thick: float) -> None:
    """However a box was cut across: each part has the mass of the whole, and Check says so."""
    low = slab("Low", (0.0, 0.0, 0.5 * thick), (1.0, 0.6, thick))
    select(low, slab("High", (0.0, 0.0, 0.5 * (1.0 + thick)), (1.0, 0.6, 1.0 - thick)))
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.ops.object.join()
    bpy.ops.object.origin_set(type="ORIGIN_GEOMETRY", center="BOUNDS")
    bpy.ops.omi_joint.body_add(type="dynamic")
    assert found(OUTDATED) == []
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.separate(type="LOOSE")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert len(found(OUTDATED)) == 2


def test_a_center_of_mass_that_was_chosen_is_meant_so() -> None:
    """Typed or computed it is not told of, nor is a rod that was moved, turned or never weighed."""
    rod = hung()
    body = rod.omi_physics_body
    edited(rod, "moved")
    assert len(found(CENTER)) == 1
    for field, value in (("type", "kinematic"), ("computed_center", True), ("weighed", (0, 0, 0))):
        kept = getattr(body, field)
        kept = kept if isinstance(kept, (str, bool)) else tuple(kept)
        setattr(body, field, value)
        assert found(CENTER) == []
        setattr(body, field, kept)
    body.center_of_mass.x = 0.1
    assert found(CENTER) == []
    body.center_of_mass.x = 0.0
    body.mass = entered = 7.015625
    said = FIXES[CENTER].mend(rod)
    assert said == "The center of mass of Rod is where its colliders have it."
    assert body.mass == entered
    assert found(CENTER) == []


def test_a_center_on_its_hinge_is_told_of_once() -> None:
    """What says more of a centre that stayed behind says it alone."""
    rod = hung()
    select(rod)
    bpy.context.scene.cursor.location = rod.matrix_world @ Vector((-1.0, 0.0, 0.0))
    bpy.ops.object.origin_set(type="ORIGIN_CURSOR")
    assert [len(found(code)) for code in ("center-on-hinge", CENTER)] == [1, 0]


def bob(rod: bpy.types.Object) -> bpy.types.Object:
    """Return a bob at the free end of a rod, parented to it."""
    obj = slab("Bob", (0.7, 0.0, 0.0), (0.4, 0.4, 0.4))
    obj.matrix_world = AWAY @ obj.matrix_world
    select(obj, rod)
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    bpy.context.view_layer.update()
    return obj


def test_a_bob_that_is_only_parented_is_told_of() -> None:
    """Until it has a collider, is joined into the rod, or is no thing that is rendered."""
    rod = hung()
    part = bob(rod)
    (issue,) = found(BARE)
    assert (issue.severity, issue.object_name) == ("hint", "Bob")
    assert issue.message.startswith("This part of Rod has no collider")
    for field, value in (("hide_render", True), ("display_type", "WIRE")):
        kept = getattr(part, field)
        setattr(part, field, value)
        assert found(BARE) == []
        setattr(part, field, kept)
    part.omi_physics_body.use_collider = True
    assert found(BARE) == []
    part.omi_physics_body.use_collider = False
    assert len(found(BARE)) == 1
    select(part, rod)
    bpy.ops.object.join()
    bpy.context.view_layer.update()
    assert found(BARE) == []


@pytest.mark.parametrize("way", [*"XYZ", "there"])
def test_a_part_that_was_turned_or_moved_may_take_the_center_along(way: str) -> None:
    """Of two weights at either side whose origins are in the middle; about its own line none."""
    rod = hung()
    parts = [bob(rod), bob(rod)]
    for part, side in zip(parts, (1.0, -1.0), strict=True):
        part.data.transform(Matrix.Translation((5.0 * side, 0.0, 0.0)))
        part.omi_physics_body.use_collider = True
        part.matrix_world = AWAY @ Matrix.Diagonal((0.2, 0.2, 0.2, 1.0))
    bpy.context.view_layer.update()
    fix(OUTDATED)
    assert found(CENTER) == found(OUTDATED) == []
    moved = Matrix.Translation((2.0, 0.0, 0.0)) if way == "there" else Matrix.Rotation(1.0, 4, way)
    parts[0].matrix_world = parts[0].matrix_world @ moved
    bpy.context.view_layer.update()
    assert len(found(CENTER)) == (way != "X")


def test_a_weight_on_a_plank_is_told_of() -> None:
    """Though it ends where that does, scaled or not; a cup on it is none."""
    plank = hung("Plank", (3.0, 0.3, 0.1))
    part = bob(plank)
    for size, said in ((0.4, 1), (0.15, 0)):
        way = Matrix.LocRotScale(
            Vector((1.2, 0.0, 0.05 + 0.5 * size)), None, Vector([size / 2] * 3)
        )
        part.matrix_world = AWAY @ way
        bpy.context.view_layer.update()
        assert len(found(BARE)) == said


def test_what_is_drawn_within_the_colliders_of_its_body_is_meant_so() -> None:
    """As the looks of an empty that has a box, in most models of games."""
    rod = hung()
    part = bob(rod)
    shape = rod.omi_physics_body.collider.shape
    shape.type, shape.size = "box", (3.4, 10.0, 10.0)  # below a scale of 0.5, 0.05, 0.05
    assert found(BARE) == []
    shape.size = (2.0, 2.0, 2.0)
    assert len(found(BARE)) == 1
    part.matrix_world = rod.matrix_world @ Matrix.Diagonal((0.9, 0.9, 0.9, 1.0))
    bpy.context.view_layer.update()
    assert found(BARE) == []


@pytest.mark.parametrize(
    ("how", "kind", "shape"),
    [
        ("bones", "static", "trimesh"),
        ("constrained bones", "kinematic", "convex"),
        ("hook", "kinematic", "convex"),
        ("lattice", "static", "convex"),
    ],
)
def test_a_mesh_that_is_bent_away_from_its_collider_is_told_of(
    how: str, kind: str, shape: str
) -> None:
    """While what bends it moves; what stands, moves the object too, or is off does not."""
    skin, lead = (
        slab("Skin", (0.0, 0.0, 0.0), (1.0, 0.1, 0.1)),
        slab("Lead", (3.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
    )
    if "bones" in how:
        bpy.ops.object.armature_add()
        after, made = bpy.context.object, skin.modifiers.new("Armature", "ARMATURE")
    elif how == "hook":
        after, made = bpy.data.objects.new("Root", None), skin.modifiers.new("Hook", "HOOK")
        bpy.context.collection.objects.link(after)
    else:
        bpy.ops.object.add(type="LATTICE")
        after, made = bpy.context.object, skin.modifiers.new("Lattice", "LATTICE")
    made.object = after
    for obj in (skin, after):
        obj.matrix_world = AWAY @ obj.matrix_world
    body = skin.omi_physics_body
    body.is_body, body.type, body.use_collider = True, kind, True
    body.collider.shape.type = shape
    assert found("body-on-bone") == []
    moved = after.pose.bones[0] if how == "bones" else after
    if how == "constrained bones":
        after.pose.bones[0].constraints.new("COPY_LOCATION").target, moved = lead, lead
    moved.keyframe_insert("location", frame=1)
    assert [one.object_name for one in found("body-on-bone")] == ["Skin"]
    for off in ({"shape": "box"}, {"shown": False}):
        body.collider.shape.type = off.get("shape", shape)
        made.show_viewport = off.get("shown", True)
        assert found("body-on-bone") == []
    made.show_viewport = True
    if moved == after:
        skin.parent = after  # all goes along
        assert found("body-on-bone") == []


@pytest.mark.parametrize("how", ["keys", "InputSceneTime", "SimulationOutput", "wave", "nodes"])
@pytest.mark.parametrize("kind", ["static", "kinematic", "dynamic"])
def test_a_mesh_that_its_own_modifiers_move_is_told_of(how: str, kind: str) -> None:
    """Its collider is that of one frame, and so is its mass, of which nothing more is said."""
    (rod, tree) = hung(), None
    rod.omi_physics_body.type = kind
    if how not in {"keys", "wave"}:
        tree = bpy.data.node_groups.new("Up", "GeometryNodeTree")
        made = rod.modifiers.new("Nodes", "NODES")
    else:
        made = rod.modifiers.new("Push", "WAVE" if how == "wave" else "DISPLACE")
    made.show_viewport = False
    if how == "keys":
        made.strength = 0.0
        made.keyframe_insert("strength", frame=1)
    elif how == "nodes":
        value = tree.nodes.new("ShaderNodeValue").outputs[0]
        value.keyframe_insert("default_value", frame=1)
    elif tree is not None:
        tree.nodes.new(f"GeometryNode{how}")
    if tree is not None:
        made.node_group = tree
        for side in ("INPUT", "OUTPUT"):
            tree.interface.new_socket("Geometry", in_out=side, socket_type="NodeSocketGeometry")
        start, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
        tree.links.new(start.outputs[0], end.inputs[0])
    assert found("body-on-bone") == []
    made.show_viewport = True
    assert [one.object_name for one in found("body-on-bone")] == ["Rod"]
    edited(rod, "thick")
    assert found(OUTDATED) == found(CENTER) == []


@pytest.mark.parametrize("how", ["moved", "to the other side", "turned", "with all", "not"])
def test_a_part_that_is_moved_on_its_body_is_told_of(how: str) -> None:
    """Wherever a center of mass stays at the origin; all turned together is the same body."""
    rod = hung()
    for at in (-0.4, 0.4):
        part = bob(rod)
        part.matrix_world = AWAY @ Matrix.Translation((at, 0.0, 0.0))
        part.omi_physics_body.use_collider = True
        bpy.context.view_layer.update()
    select(rod)
    bpy.ops.omi_joint.mass_from_volume()
    assert found(CENTER) == found(OUTDATED) == []
    change = {
        "moved": Matrix.Translation((0.2, 0.0, 0.3)),
        "to the other side": Matrix.Translation((-0.8, 0.0, 0.0)),
        "turned": Matrix.Rotation(2.0, 4, "Z"),
    }.get(how, Matrix())
    part.matrix_world = AWAY @ change @ AWAY.inverted() @ part.matrix_world
    if how == "with all":
        for obj in (rod, bpy.data.objects["Post"]):
            obj.matrix_world = Matrix.Rotation(1.0, 4, "X") @ obj.matrix_world
    bpy.context.view_layer.update()
    assert len(found(CENTER)) == (how not in {"with all", "not"})
