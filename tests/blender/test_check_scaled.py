# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that are scaled, sheared or mirrored after they were joined: what is said, and mended."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import bpy
import pytest
from mathutils import Euler, Matrix
from omi_export import export, reading
from scenes import box, door, issues, joined, numbers, select

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.mechanism import Mechanism

SCALED = "scaled-since-joined"


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


def test_what_does_not_grow_with_a_scaled_body_is_said_and_mended() -> None:
    """A drawer twice as long is twice as heavy and travels twice as far after Fix, it alone."""
    drawer, slider, other = drawers()
    mass, before = drawer.omi_physics_body.mass, travel(slider)
    assert any(map(any, before))
    assert found(SCALED) == []
    drawer.scale.y *= 2.0
    bpy.context.view_layer.update()
    (issue,) = found(SCALED)
    assert issue.severity == "hint"
    assert "and the mass of Drawer" in issue.message.replace(";", " and")
    assert "its distances are not" in issue.message
    fix(SCALED)
    assert drawer.omi_physics_body.mass == pytest.approx(2.0 * mass, rel=0.01)
    assert travel(slider) == [pytest.approx([2.0 * end for end in pair]) for pair in before]
    assert travel(other) == [pytest.approx(pair) for pair in before]
    assert found(SCALED) == []


def test_only_what_is_as_before_is_said() -> None:
    """A hinge has no distances, a mass that was typed since is meant so, an empty may be small."""
    _, leaf, hinge = door()
    hinge.scale = (0.2, 0.2, 0.2)
    bpy.context.view_layer.update()
    assert found(SCALED) == []
    leaf.rotation_euler = (0.0, 0.3, 0.0)
    leaf.scale = (1.0, 1.0, 3.0)
    bpy.context.view_layer.update()
    (issue,) = found(SCALED)
    assert "scaled by 1 × 1 × 3 " in issue.message
    assert "the mass of Door is not" in issue.message
    leaf.omi_physics_body.mass = 40.0
    assert found(SCALED) == []


def test_an_instanced_joint_is_said_once() -> None:
    """A door whose collection is instanced twice has one hint, as it has one hinge to mend."""
    _, leaf, _ = door()
    leaf.scale.z = 3.0
    doors = bpy.data.collections.new("Doors")
    for obj in bpy.context.scene.objects:
        doors.objects.link(obj)
    for name in ("Left", "Right"):
        instance = bpy.data.objects.new(name, None)
        instance.instance_type, instance.instance_collection = "COLLECTION", doors
        bpy.context.scene.collection.objects.link(instance)
    bpy.context.view_layer.update()
    assert len(found(SCALED)) == 1


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
