# SPDX-License-Identifier: GPL-3.0-or-later
"""Situations that a user is in: each builds its scene in an empty file and leaves it selected.

The sentence of a situation stands above what is shown or done in it, in approved texts.
"""

from __future__ import annotations

from collections.abc import Callable
from math import radians

import bpy
from mathutils import Vector

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.registration import ROOT
from omi_physics_joint.model.settings.recipes import weld
from tests.scenes import box, door, four_bar, joined, select, separated

PRESETS = ROOT / "presets" / "omi_physics_joint"
Situation = Callable[[], None]
FAR = Vector((0.3, -0.2, 0.5))


def moved(obj: bpy.types.Object) -> bpy.types.Object:
    """Put an object where no origin of the world hides a stale matrix."""
    obj.location += FAR
    obj.rotation_euler = (0.1, 0.2, 0.3)
    obj.scale = (1.0, 0.5, 1.5)
    bpy.context.view_layer.update()
    return obj


def pair() -> None:
    """A frame and a door are selected."""
    select(moved(box("Frame")), moved(box("Door", (2.2, 0.0, 1.0))))


def several() -> None:
    """Four links are selected, the highest active."""
    links = [moved(box(f"Link {index}", (0.0, 0.0, -3.0 * index))) for index in (2, 0, 3, 1)]
    select(*links, links[1])


def one_joint() -> None:
    """The hinge of a door is selected."""
    pair()
    frame, leaf = bpy.context.selected_objects
    joined("HINGE", bpy.data.objects["Frame"], bpy.data.objects["Door"], place="MIDDLE")
    assert {frame.name, leaf.name} == {"Frame", "Door"}


def apart() -> None:
    """A hinge is selected whose frames are apart."""
    one_joint()
    separated(bpy.context.object)
    bpy.context.object.location.x += 0.4
    bpy.context.view_layer.update()


def two_joints() -> None:
    """Two pins of three that share their settings are selected."""
    several()
    bpy.ops.omi_joint.create(kind="PIN", chain=True, place="MIDDLE")
    bpy.context.view_layer.update()
    select(*bpy.context.selected_objects[:2])


def two_kinds() -> None:
    """A weld is selected, and a pin too."""
    two_joints()
    other, active = bpy.context.selected_objects[:2]
    other.omi_physics_joint.settings = new_settings(weld())
    select(other, active)


def free_joint() -> None:
    """A hinge without a range is selected."""
    pair()
    bpy.ops.omi_joint.create(kind="HINGE", use_range=False)


def no_partner() -> None:
    """A hinge that has lost its second body is selected, and the body that it needs."""
    one_joint()
    joint = bpy.context.object
    joint.omi_physics_joint.connected_body = None
    select(joint, bpy.data.objects["Frame"])


def bodies() -> None:
    """A hinge, its frame and its door are selected, the door active."""
    one_joint()
    joint = bpy.context.object
    select(joint, bpy.data.objects["Frame"], bpy.data.objects["Door"])


def scaled_bodies() -> None:
    """Two dynamic bodies are selected whose size is in their scale."""
    pair()
    for obj in bpy.context.selected_objects:
        obj.scale *= 1.7
    bpy.ops.omi_joint.body_add(type="dynamic")
    bpy.context.view_layer.update()


def rigid_bodies() -> None:
    """Two rigid bodies of Blender and the constraint between them are selected."""
    pair()
    holder = bpy.data.objects.new("Constraint", None)
    holder.location = (1.0, 0.5, 0.2)
    bpy.context.scene.collection.objects.link(holder)
    objects = [bpy.data.objects[name] for name in ("Frame", "Door", "Constraint")]
    bpy.ops.rigidbody.world_add()
    for obj in objects[:2]:
        select(obj)
        bpy.ops.rigidbody.object_add(type="ACTIVE" if obj.name == "Door" else "PASSIVE")
    select(holder)
    bpy.ops.rigidbody.constraint_add(type="HINGE")
    holder.rigid_body_constraint.object1, holder.rigid_body_constraint.object2 = objects[:2]
    select(*objects)
    bpy.context.view_layer.update()


def trigger_parts() -> None:
    """A trigger and one below it are selected."""
    below, above = box("Part", (3.0, 0.0, 0.0)), box("Trigger")
    below.parent = above
    for obj in (below, above):
        obj.omi_physics_body.use_trigger = True
    select(below, above)


def checked() -> None:
    """Check has found a hinge whose frames are apart."""
    apart()
    check("frames-apart")


def checked_before_an_edit() -> None:
    """Check has found a hinge whose frames are apart, and then the door was moved."""
    checked()
    bpy.data.objects["Door"].location.x += 1.0
    bpy.context.view_layer.update()


def under_static() -> None:
    """Check has found a hinge below the body that stands."""
    one_joint()
    for name, motion in (("Frame", "dynamic"), ("Door", "static")):
        bpy.data.objects[name].omi_physics_body.type = motion
    check("joint-under-static")


def check(code: str) -> None:
    """Check, and bring the issue of a code to the head of the list."""
    bpy.ops.omi_joint.check()
    issues = bpy.context.window_manager.omi_physics_joint.issues
    issues.move([issue.code for issue in issues].index(code), 0)


def posed() -> None:
    """A door that stands ajar is selected."""
    one_joint()
    select(bpy.data.objects["Door"])
    bpy.ops.omi_joint.pose_zero()
    bpy.data.objects["Door"].rotation_euler.z += 0.01
    bpy.context.view_layer.update()


def simulated() -> None:
    """Frame 5 of simulated motion is shown."""
    one_joint()
    bpy.data.objects["Frame"].omi_physics_body.type = "dynamic"
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 8
    bpy.context.scene.omi_physics_preview.use_contacts = False  # nothing to catch what falls
    bpy.ops.omi_joint.simulate()
    bpy.context.scene.frame_set(5)


def nothing() -> None:
    """Nothing is there."""


def one_object() -> None:
    """A cube is selected that is no body."""
    select(box("Cube"))


def lamp_beside() -> None:
    """A door, its frame and a lamp are selected."""
    pair()
    frame, leaf = bpy.data.objects["Frame"], bpy.data.objects["Door"]
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.collection.objects.link(lamp)
    select(frame, lamp, leaf)


def edited_mesh() -> None:
    """A door is edited in Edit Mode."""
    pair()
    bpy.ops.object.mode_set(mode="EDIT")


def welded() -> None:
    """A weld is selected."""
    pair()
    joined("WELD", bpy.data.objects["Frame"], bpy.data.objects["Door"], place="MIDDLE")


def pinned() -> None:
    """A free pin is selected."""
    pair()
    joined("PIN", bpy.data.objects["Frame"], bpy.data.objects["Door"], place="MIDDLE")


def soft_slider() -> None:
    """A slider is selected that has a spring in its range, and is soft across."""
    pair()
    joint = joined("SLIDER", bpy.data.objects["Frame"], bpy.data.objects["Door"])
    bpy.ops.omi_joint.change_drive(kind="SPRING")
    block = joint.omi_physics_joint.settings
    block.limits[1].use_stiffness = block.limits[1].use_damping = True
    block.foreign_drives = '[{"type":"magnetic"}]'


def motored() -> None:
    """A hinge is selected that a motor turns without bounds."""
    free_joint()
    bpy.ops.omi_joint.change_drive(kind="MOTOR")


def closing() -> None:
    """A muted hinge is selected whose preset closes its door."""
    one_joint()
    bpy.ops.omi_joint.preset_apply(filepath=str(PRESETS / "Door_with_Closer.json"))
    bpy.context.object.omi_physics_joint.mute = True


def no_settings() -> None:
    """A joint is selected that has lost its settings."""
    welded()
    bpy.context.object.omi_physics_joint.settings = None


def alone() -> None:
    """A hinge is selected that has lost its second body."""
    no_partner()
    select(bpy.data.objects["Door Hinge"])


def ajar() -> None:
    """A door is selected that was posed 20 degrees open."""
    one_joint()
    bpy.context.object.omi_physics_pose.about_y = radians(20.0)
    select(bpy.data.objects["Door"])


def coned() -> None:
    """A pin is selected that may lean by 45 degrees."""
    pinned()
    bpy.ops.omi_joint.preset_apply(filepath=str(PRESETS / "Cone.json"))


def second_frame() -> None:
    """The second frame of a hinge is selected."""
    apart()
    select(bpy.context.object.omi_physics_joint.connected_node)


def linkage() -> None:
    """The coupler of a four-bar linkage is selected."""
    four_bar()
    select(bpy.data.objects["Coupler"])


def plain_body() -> None:
    """A dynamic body with a box as collider and a material is selected."""
    select(box("Body"))
    bpy.ops.omi_joint.body_add(type="dynamic")
    body = bpy.context.object.omi_physics_body
    body.use_collider, body.collider.shape.type = True, "box"
    body.collider.use_physics_material = True


def led_trigger() -> None:
    """A kinematic body is selected, with a capsule as trigger that notices some systems."""
    select(box("Lift"))
    bpy.ops.omi_joint.body_add(type="kinematic")
    body = bpy.context.object.omi_physics_body
    body.use_collider, body.use_trigger = False, True
    body.trigger.shape.type = "capsule"
    body.trigger.use_collision_filter = True
    body.trigger.collision_filter.mode = "only"


def part_of_body() -> None:
    """A collider is selected that is a part of the body above it."""
    plain_body()
    above = bpy.context.object
    part = box("Part", (3.0, 0.0, 0.0))
    part.parent = above
    part.omi_physics_body.use_collider = True
    select(part)


def compound_trigger() -> None:
    """A trigger is selected that is made of two others below it."""
    trigger_parts()
    above = bpy.data.objects["Trigger"]
    for obj in (bpy.data.objects["Part"], None):
        above.omi_physics_body.trigger.nodes.add().object = obj
    select(above)


def gravity_volume() -> None:
    """An empty is selected that is an imported gravity volume."""
    hollow = bpy.data.objects.new("Hollow", None)
    bpy.context.scene.collection.objects.link(hollow)
    hollow.omi_physics_body.use_gravity_shape = True
    select(hollow)


def played() -> None:
    """A flap plays as Godot would move it, with the exact motion as a ghost; a weld has broken."""
    frame, _, hinge = door(direction="GLOBAL_Y")
    weak = joined("WELD", frame, box("Weak", (0.0, 4.0, 0.0)))
    weak.omi_physics_breaking.use_breaking = weak.omi_physics_breaking.use_force = True
    weak.omi_physics_breaking.force = 1.0
    settings = bpy.context.scene.omi_physics_preview
    settings.steps, settings.show_ghost = "godot", True
    select(hinge)
    session = play.start(bpy.context.scene)
    session.clock = lambda: 0.0
    for _ in range(30):
        session.tick(STEP)


def lying() -> None:
    """A body that begins 0.1 m in another plays with contacts, on that and in a trigger."""
    plain_body()
    table = box("Table", (0.0, 0.0, -1.9))
    bpy.ops.omi_joint.body_add(type="static")
    led_trigger()
    bpy.context.object.omi_physics_body.trigger.use_collision_filter = False
    for solid in (bpy.data.objects["Body"], table):
        solid.omi_physics_body.use_collider = True
        solid.omi_physics_body.collider.shape.size = (2.0, 2.0, 2.0)
    select(bpy.data.objects["Body"])
    bpy.context.view_layer.update()
    bpy.context.scene.omi_physics_preview.use_contacts = True
    session = play.start(bpy.context.scene)
    session.clock = lambda: 0.0
    for _ in range(120):
        session.tick(STEP)


def outdated() -> None:
    """Motion was simulated, and a limit changed since."""
    simulated()
    bpy.data.objects["Door"].omi_physics_body.mass = 7.0
    bpy.context.scene.frame_set(1)
    bpy.context.scene.frame_set(4)
