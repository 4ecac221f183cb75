# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that are scaled, sheared or mirrored after they were joined: what is said, and mended."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import bpy
import pytest
from mathutils import Euler, Matrix, Vector
from omi_export import export, reading
from scenes import box, door, issues, joined, numbers, select

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bodies import mass
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.mechanism import Mechanism

SCALED, OUTDATED = "scaled-since-joined", "mass-outdated"


def found(code: str) -> list[bpy.types.PropertyGroup]:
    """Return the issues of a code that Check finds."""
    issues()
    report = bpy.context.window_manager.omi_physics_joint
    return [one for one in report.issues if one.code == code]


def fix(code: str) -> None:
    """Press Fix of the only issue of a code."""
    (issue,) = found(code)
    assert issue.can_fix
    index = list(bpy.context.window_manager.omi_physics_joint.issues).index(issue)
    assert bpy.ops.omi_joint.issue_fix("EXEC_DEFAULT", True, index=index) == {"FINISHED"}
    bpy.context.view_layer.update()


def frames(mechanism: Mechanism) -> list[float]:
    """Return both frames of the only joint as readers take them."""
    ((index, _, joint),) = mechanism.joints()
    settings = mechanism.settings[joint.settings]
    worlds = (mechanism.nodes[node].world for node in (index, joint.connected_node))
    return [part for world in worlds for row in rigid_frame(world, settings) for part in row]


def played() -> list[float]:
    """Return both frames of the only joint as play takes them."""
    return frames(mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism)


def drawers() -> tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]:
    """Return a drawer on a slider along Y, the slider, and one of another that shares settings."""
    cabinet, drawer, other = box("Cabinet"), box("Drawer", (0, -2, 0)), box("Other", (3, -2, 0))
    for obj in (drawer, other):
        obj.scale = (0.4, 0.5, 0.1)
    bpy.context.view_layer.update()
    sliders = [joined("SLIDER", cabinet, one, direction="GLOBAL_Y") for one in (drawer, other)]
    block = sliders[0].omi_physics_joint.settings
    sliders[1].omi_physics_joint.settings = block
    return drawer, *sliders


def travel(joint: bpy.types.Object) -> list[tuple[float, float]]:
    """Return the bounds of all limits along axes of a joint."""
    limits = joint.omi_physics_joint.settings.limits
    return [(one.linear_min, one.linear_max) for one in limits if one.freedom == "linear"]


def change(obj: bpy.types.Object, how: str) -> float:
    """Make a body larger in one of the ways that people do, and return by how much it holds."""
    select(obj)
    if how in {"scaled", "applied"}:
        obj.scale.y *= 2.0
        if how == "applied":
            bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    elif how == "edited":
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.select_all(action="SELECT")
        bpy.ops.transform.resize(value=(1.0, 2.0, 1.0))
        bpy.ops.object.mode_set(mode="OBJECT")
    elif how == "joined":
        other = box(
            "Other part", obj.matrix_world.translation + Vector((0.0, 2.0 * obj.scale.y, 0.0))
        )
        other.scale, other.rotation_euler = obj.scale, obj.rotation_euler
        select(other, obj)
        bpy.ops.object.join()
    else:
        array = obj.modifiers.new("Array", "ARRAY")
        array.relative_offset_displace = (0.0, 1.0, 0.0)
    bpy.context.view_layer.update()
    return 2.0


@pytest.mark.parametrize("how", ["scaled", "applied", "edited", "joined", "arrayed"])
@pytest.mark.parametrize("weighed", ["new", "as steel"])
def test_a_mass_that_was_calculated_is_told_of_when_its_body_holds_more(
    how: str, weighed: str
) -> None:
    """Whatever made the door larger: Fix has it weigh as much more, as dense as before."""
    _, leaf, _ = door()
    leaf.location += Vector((20.0, -7.0, 3.0))
    leaf.scale = (0.7, 0.7, 0.7)
    bpy.context.view_layer.update()
    if weighed == "as steel":
        select(leaf)
        bpy.ops.omi_joint.mass_from_volume(material="STEEL")
    else:
        leaf.omi_physics_body.property_unset("mass")
        leaf.omi_physics_body.use_collider = False
        select(leaf)
        bpy.ops.omi_joint.body_add(type="dynamic")
    assert found(OUTDATED) == []
    before, times = leaf.omi_physics_body.mass, change(leaf, how)
    (issue,) = found(OUTDATED)
    assert issue.severity == "hint"
    assert issue.message.startswith(f"Its volume is {times:g} times")
    fix(OUTDATED)
    assert leaf.omi_physics_body.mass == pytest.approx(times * before, rel=0.01)
    assert found(OUTDATED) == []


def test_an_edit_within_the_same_bounds_is_told_of() -> None:
    """A box that became a pyramid fills the same room, and holds a third."""
    _, leaf, _ = door()
    for vertex in leaf.data.vertices:
        if vertex.co.z > 0.0:
            vertex.co.x = vertex.co.y = 0.0
    leaf.data.vertices[0].co.z = -1.0
    bpy.context.view_layer.update()
    (issue,) = found(OUTDATED)
    assert issue.message.startswith("Its volume is 0.333 times")


@pytest.mark.parametrize("part", ["radius", "scale of a part"])
def test_a_calculated_mass_of_other_shapes_is_compared_too(part: str) -> None:
    """A ball whose radius was changed, and a compound one part of which has grown."""
    body, handle = box("Body"), box("Handle", (4.0, 0.0, 0.0))
    handle.parent = body
    handle.omi_physics_body.use_collider = True
    select(body)
    bpy.ops.omi_joint.body_add(type="dynamic")
    shape = body.omi_physics_body.collider.shape
    body.omi_physics_body.use_collider = True
    shape.type = "sphere" if part == "radius" else "convex"
    bpy.ops.omi_joint.mass_from_volume(material="OAK")
    assert found(OUTDATED) == []
    if part == "radius":
        shape.radius = 3.0
    else:
        handle.scale.z = 2.0
    bpy.context.view_layer.update()
    assert len(found(OUTDATED)) == 1


def test_what_bodies_hold_is_not_measured_where_nothing_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Hulls of many bodies take seconds; a body that was moved and turned is the same."""
    _, leaf, _ = door()
    leaf.modifiers.new("Bevel", "BEVEL").width = 1e-6
    bpy.context.view_layer.update()
    select(leaf)
    bpy.ops.omi_joint.mass_from_volume(material="OAK")
    leaf.location += Vector((20.0, -7.0, 3.0))
    leaf.rotation_euler = (0.3, 1.1, -2.0)
    bpy.context.view_layer.update()
    asked: list[object] = []
    monkeypatch.setattr(mass, "fillings_of", lambda *_: asked.append(_) or {})
    assert found(OUTDATED) == []
    assert asked == []
    leaf.scale.x = 1.5
    bpy.context.view_layer.update()
    found(OUTDATED)
    assert len(asked) == 1


def test_a_mass_that_was_entered_or_copied_is_meant_so() -> None:
    """Nor is anything said of 4 % more, of what is not dynamic, and of infinite mass."""
    _, leaf, _ = door()
    body = leaf.omi_physics_body
    leaf.scale.z = 1.04
    bpy.context.view_layer.update()
    assert found(OUTDATED) == []
    leaf.scale.z = 3.0
    bpy.context.view_layer.update()
    assert len(found(OUTDATED)) == 1
    for field, value in (("type", "kinematic"), ("infinite_mass", True), ("mass", 40.0)):
        kept = getattr(body, field)
        setattr(body, field, value)
        assert found(OUTDATED) == []
        setattr(body, field, kept)
    assert len(found(OUTDATED)) == 1
    small = box("Small", (0.0, 5.0, 0.0))
    small.scale = (0.1, 0.1, 0.1)
    bpy.context.view_layer.update()
    select(small)
    bpy.ops.omi_joint.body_add(type="dynamic")
    select(small, leaf)
    bpy.ops.omi_joint.body_copy()
    assert small.omi_physics_body.mass == pytest.approx(8.0)
    assert [one.object_name for one in found(OUTDATED)] == [leaf.name]


@pytest.mark.parametrize("applied", [False, True])
def test_what_does_not_grow_with_a_scaled_body_is_said_and_mended(*, applied: bool) -> None:
    """A drawer twice as long travels twice as far after Fix, it alone, applied or not."""
    drawer, slider, other = drawers()
    before = travel(slider)
    assert any(map(any, before))
    assert found(SCALED) == []
    drawer.scale.y *= 2.0
    if applied:
        select(drawer)
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.context.view_layer.update()
    (issue,) = found(SCALED)
    assert issue.severity == "hint"
    assert "scaled by 2 × 1 × 1, " in issue.message
    place = numbers(slider.matrix_world.translation)
    fix(SCALED)
    assert travel(slider) == [pytest.approx([2.0 * end for end in pair]) for pair in before]
    assert travel(other) == [pytest.approx(pair) for pair in before]
    assert found(SCALED) == []
    assert numbers(slider.matrix_world.translation) == pytest.approx(place, abs=1e-6)


def test_each_distance_grows_by_its_own_axis() -> None:
    """Targets as bounds do; angles stay, and what is over two axes that grew unequally."""
    drawer, slider, _ = drawers()
    block = slider.omi_physics_joint.settings
    axes = {(True, False, False): 2.0, (False, True, True): 1.0, (True, True, False): 1.0}
    for used in axes:
        item = block.limits.add()
        item.freedom, item.axes, item.linear_min, item.linear_max = "linear", used, -0.25, 0.75
    wanted = [("linear", "0", 2.0), ("linear", "1", 1.0), ("angular", "0", 1.0)]
    for freedom, axis, _ in wanted:
        item = block.drives.add()
        item.freedom, item.axis = freedom, axis
        item.linear_position_target = item.angular_position_target = 0.5
    drawer.scale.y *= 2.0  # the slider's X
    bpy.context.view_layer.update()
    fix(SCALED)
    times = list(axes.values())
    assert travel(slider)[-len(times) :] == [(-0.25 * by, 0.75 * by) for by in times]
    drives = slider.omi_physics_joint.settings.drives[-len(wanted) :]
    assert [(one.freedom, one.linear_position_target * 2.0) for one in drives] == [
        (freedom, by) for freedom, _, by in wanted
    ]
    assert {one.angular_position_target for one in drives} == {0.5}


def test_only_what_is_as_before_is_said() -> None:
    """A hinge has no distances, and a joint whose own scale is applied is meant so."""
    _, _, hinge = door()
    hinge.scale = (0.2, 0.2, 0.2)
    bpy.context.view_layer.update()
    assert found(SCALED) == []
    _, slider, _ = drawers()
    slider.scale = (0.2, 0.2, 0.2)
    bpy.context.view_layer.update()
    assert len(found(SCALED)) == 1
    select(slider)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    assert found(SCALED) == []


def test_an_instanced_joint_and_body_are_said_once() -> None:
    """A drawer whose collection is instanced twice has one hint each, as there is one to mend."""
    drawer, *_ = drawers()
    drawer.scale.y *= 3.0
    chest = bpy.data.collections.new("Drawers")
    for obj in bpy.context.scene.objects:
        chest.objects.link(obj)
    for name in ("Left", "Right"):
        instance = bpy.data.objects.new(name, None)
        instance.instance_type, instance.instance_collection = "COLLECTION", chest
        bpy.context.scene.collection.objects.link(instance)
    bpy.context.view_layer.update()
    assert len(found(SCALED)) == len(found(OUTDATED)) == 1


def skewed(rotation: Iterable[float]) -> bpy.types.Object:
    """Return a door that was turned, joined to its frame and then scaled along one axis."""
    frame, leaf = box("Frame", (20.0, 0.0, 0.0)), box("Door", (22.5, 0.3, 0.1))
    leaf.rotation_euler = Euler(rotation)
    bpy.context.view_layer.update()
    bpy.context.scene.cursor.location = (21.2, 0.0, 0.0)
    joined("HINGE", frame, leaf, direction="GLOBAL_Z", use_range=False)
    leaf.scale.x = 1.7
    bpy.context.view_layer.update()
    return leaf


def test_a_sheared_frame_is_played_and_exported_alike_and_straightened(tmp_path: Path) -> None:
    """A turned body that is scaled shears its joint: said once, and Fix leaves the axis there."""
    leaf = skewed((0.5, 0.2, 0.4))
    before = played()
    assert len(found("frame-sheared")) == 1
    session = play.start(bpy.context.scene)
    for _ in range(10):
        session.tick(STEP)
    swung = numbers(leaf.matrix_world)
    play.stop()
    fix("frame-sheared")
    assert found("frame-sheared") == []
    assert played() == pytest.approx(before, abs=2e-6)
    assert frames(reading(export(tmp_path / "door.glb")).mechanism) == pytest.approx(
        before, abs=2e-5
    )
    session = play.start(bpy.context.scene)
    for _ in range(10):
        session.tick(STEP)
    assert numbers(leaf.matrix_world) == pytest.approx(swung, abs=1e-4)
    play.stop()


@pytest.mark.parametrize("use_range", [True, False])
@pytest.mark.parametrize("posed", [False, True])
def test_a_mirrored_joint_is_said_once_and_set_right(
    *, use_range: bool, posed: bool, tmp_path: Path
) -> None:
    """A door that is mirrored with its hinge is told of once; Fix leaves how it moves."""
    _, leaf, hinge = door(use_range=use_range)
    if posed:
        hinge.omi_physics_joint.connected_rotation = (0.0, 0.3, 0.0)
    leaf.matrix_world = Matrix.Diagonal((-1.0, 1.0, 1.0, 1.0)) @ leaf.matrix_world
    bpy.context.view_layer.update()
    before = played()
    assert len(found("frame-mirrored")) == 1
    fix("frame-mirrored")
    assert found("frame-mirrored") == []
    assert played() == pytest.approx(before, abs=2e-6)
    assert frames(reading(export(tmp_path / "door.glb")).mechanism) == pytest.approx(
        before, abs=2e-5
    )


def test_the_advice_on_a_mirrored_joint_helps_by_hand_too() -> None:
    """Object > Apply > Scale of the joint ends the warning; that of the body alone does not."""
    _, leaf, hinge = door()
    leaf.scale.x = -1.0
    bpy.context.view_layer.update()
    for obj, left in ((leaf, 1), (hinge, 0)):
        select(obj)
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
        assert len(found("frame-mirrored")) == left


@pytest.mark.parametrize("entered", [False, True])
@pytest.mark.parametrize("kind", ["SLIDER", "HINGE"])
@pytest.mark.parametrize("drive", ["SPRING", "SERVO"])
@pytest.mark.parametrize("growth", [0.1, 3.0])
def test_strengths_suit_what_was_scaled_as_they_did_before(
    kind: str, drive: str, growth: float, *, entered: bool
) -> None:
    """After all Fixes a spring has the frequency that it had, whether masses are ours or not."""
    base, load = box("Base"), box("Load", (2.0, 0.0, 0.0))
    joint = joined(kind, base, load)
    if entered:
        load.omi_physics_body.mass = 7.0
    bpy.ops.omi_joint.change_drive(kind=drive)
    block = joint.omi_physics_joint.settings  # no other joint shares it
    fields = ("stiffness", "damping", "max_force")[: 3 if drive == "SERVO" else 2]
    old, mass_then = [getattr(block.drives[0], one) for one in fields], load.omi_physics_body.mass
    for body in (base, load):
        body.scale, body.location = (growth,) * 3, growth * body.location
    bpy.context.view_layer.update()
    fix(SCALED)
    for _ in found(OUTDATED):
        fix(OUTDATED)
    heavy = load.omi_physics_body.mass / mass_then
    assert heavy == pytest.approx(1.0 if entered else growth**3, rel=1e-3)
    now = [heavy * (growth**2 if kind == "HINGE" else 1.0) * one for one in old]
    assert [getattr(block.drives[0], one) for one in fields] == pytest.approx(now, rel=1e-3)


@pytest.mark.parametrize("kind", ["CHILD_OF", "COPY_SCALE"])
def test_what_follows_a_body_keeps_its_place_and_size(kind: str) -> None:
    """Fix takes the scale out of what a constraint follows it by; where it cannot, it says so."""
    _, leaf, _ = door()
    leaf.scale = (1.5, 0.7, 2.0)
    bpy.context.view_layer.update()
    cup = box("Cup", (0.5, -0.3, 1.2))
    follows = cup.constraints.new(kind)
    follows.target = leaf
    if kind == "CHILD_OF":
        follows.inverse_matrix = leaf.matrix_world.inverted()
    bpy.context.view_layer.update()
    before = [*numbers(cup.matrix_world), *leaf.dimensions]
    if kind == "CHILD_OF":
        fix("collider-scaled")
    else:
        with pytest.raises(RuntimeError, match="Cup has its scale from"):
            fix("collider-scaled")
    assert [*numbers(cup.matrix_world), *leaf.dimensions] == pytest.approx(before, abs=1e-5)
