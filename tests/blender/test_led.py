# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that Blender leads while joints play: which they are, at what time, and all comes back."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from mathutils import Vector

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.animation import is_led
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.simulated.following import is_moved_by_animation
from tests.blender.test_play import started
from tests.blender.test_play_while_it_goes import led
from tests.scenes import box, door, issues, joined

Objects = tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]
"""A body, what it is parented to, and what that is."""


def keyed(obj: bpy.types.Object) -> None:
    """Have keys move it."""
    for frame, place in ((1, 0.0), (60, 6.0)):
        obj.location.y = place
        obj.keyframe_insert("location", frame=frame)


def constrained(obj: bpy.types.Object, *, mute: bool = False) -> None:
    """Have a constraint move it."""
    target = bpy.data.objects.get("Goal") or box("Goal", (0.0, 0.0, 0.0))
    keyed(target)
    made = obj.constraints.new("COPY_LOCATION")
    made.target, made.mute = target, mute


def twice(obj: bpy.types.Object) -> None:
    """Have one of two constraints move it."""
    constrained(obj, mute=True)
    constrained(obj)


def driven(obj: bpy.types.Object) -> None:
    """Have a driver move it."""
    curve = obj.driver_add("location", 1)
    curve.driver.expression = "frame * 0.4"


def onto_path(obj: bpy.types.Object) -> None:
    """Parent it to a path along Y, as Follow Path does."""
    bpy.ops.curve.primitive_bezier_curve_add()
    path = bpy.context.object
    for point, place in zip(path.data.splines[0].bezier_points, (0.0, 9.0), strict=True):
        point.handle_left_type = point.handle_right_type = "VECTOR"
        point.co = (0.0, place, 0.0)
    for one in bpy.context.selected_objects:
        one.select_set(False)
    obj.select_set(True)
    path.select_set(True)
    bpy.context.view_layer.objects.active = path
    bpy.ops.object.parent_set(type="FOLLOW")


def onto_vertex(obj: bpy.types.Object) -> None:
    """Parent it to a vertex that a keyed shape takes along Y."""
    carrier = box("Carrier", (0.0, 0.0, 30.0))
    carrier.shape_key_add(name="Basis")
    shape = carrier.shape_key_add(name="Gone")
    for point in shape.data:
        point.co.y += 8.0
    for frame, value in ((1, 0.0), (60, 1.0)):
        shape.value = value
        shape.keyframe_insert("value", frame=frame)
    obj.parent, obj.parent_type, obj.parent_vertices = carrier, "VERTEX", (0, 0, 0)


LEADS: dict[str, tuple[Callable[[Objects], None], bool]] = {
    "nothing": (lambda _: None, False),
    "keys": (lambda found: keyed(found[0]), True),
    "keys of the parent": (lambda found: keyed(found[1]), True),
    "keys of what is above": (lambda found: keyed(found[2]), True),
    "a driver above": (lambda found: driven(found[2]), True),
    "a driver": (lambda found: driven(found[0]), True),
    "a constraint": (lambda found: constrained(found[0]), True),
    "a constraint above": (lambda found: constrained(found[1]), True),
    "a muted one": (lambda found: constrained(found[0], mute=True), False),
    "the second of two": (lambda found: twice(found[0]), True),
    "a path above": (lambda found: onto_path(found[2]), True),
    "a vertex above": (lambda found: onto_vertex(found[2]), True),
}


@pytest.mark.parametrize("name", LEADS)
def test_what_is_led_goes_where_blender_leads_it(name: str) -> None:
    """Whoever leads it, and however far above; what is muted leads nobody."""
    top, middle = box("Top", (0.0, 0.0, 20.0)), box("Middle", (0.0, 0.0, 10.0))
    crank, arm = box("Crank"), box("Arm", (2.0, 0.0, 0.0))
    bpy.context.scene.cursor.location = (1.0, 0.0, 0.0)
    joined("HINGE", crank, arm, direction="GLOBAL_Z", use_range=False)
    crank.omi_physics_body.type = "kinematic"
    for below, above in ((crank, middle), (middle, top)):
        world = below.matrix_world.copy()
        below.parent = above
        below.matrix_world = world
    bpy.context.scene.frame_set(1)
    lead, is_led = LEADS[name]
    lead((crank, middle, top))
    bpy.context.scene.frame_set(1)
    bpy.context.view_layer.update()
    assert is_moved_by_animation(crank) is is_led
    before = crank.matrix_world.translation.y
    session = play.start(bpy.context.scene)
    assert bool(session.simulated.followers) is is_led
    started(session, 0.5)
    assert (abs(crank.matrix_world.translation.y - before) > 0.05) is is_led
    play.stop()
    assert crank.matrix_world.translation.y == pytest.approx(before, abs=1e-6)


@pytest.mark.parametrize("base", [1.0, 1.001, 2.0])
@pytest.mark.parametrize("fps", [24, 30])
@pytest.mark.parametrize("begins", [(1, 0.0), (10, 0.25), (-3, 0.5)])
def test_frames_go_by_as_the_scene_says(begins: tuple[int, float], fps: int, base: float) -> None:
    """Of so many seconds from where it began, also at 29.97 and between two frames."""
    led()
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = fps, base
    scene.frame_set(begins[0], subframe=begins[1])
    session = play.start(scene)
    for time in (0.25, 0.5):
        started(session, 0.25)
        expected = sum(begins) + time * fps / base
        assert scene.frame_current_final == pytest.approx(expected, abs=1e-3)
    session.want_reset()
    session.tick(0.0)
    assert scene.frame_current_final == sum(begins)
    started(session, 0.1)
    play.stop()
    assert scene.frame_current_final == sum(begins)


@pytest.mark.parametrize("begins", [(1, 0.0), (0, 0.5), (10, 0.25), (-1, 0.5), (-3, 0.25)])
@pytest.mark.parametrize("does", ["check", "simulate", "bake"])
def test_the_frame_is_the_one_that_it_was(does: str, begins: tuple[int, float]) -> None:
    """Whatever went to other frames meanwhile, also from between two frames before zero."""
    led()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 4
    if does == "bake":
        assert bpy.ops.omi_joint.simulate() == {"FINISHED"}
    scene.frame_set(begins[0], subframe=begins[1])
    if does == "check":
        bpy.ops.omi_joint.check()
    elif does == "simulate":
        assert bpy.ops.omi_joint.simulate() == {"FINISHED"}
    else:
        assert bpy.ops.omi_joint.bake() == {"FINISHED"}
    assert scene.frame_current_final == sum(begins)


def of_material() -> tuple[bpy.types.ID, str]:
    """Return a number in the nodes of a material."""
    made = bpy.data.materials.new("Paint")
    box("Painted", (0.0, 9.0, 0.0)).data.materials.append(made)
    if made.node_tree is None:
        made.use_nodes = True
    return made.node_tree, 'nodes["Principled BSDF"].inputs[2].default_value'


def of_world() -> tuple[bpy.types.ID, str]:
    """Return a number in the nodes of a world."""
    made = bpy.context.scene.world = bpy.data.worlds.new("Sky")
    if made.node_tree is None:
        made.use_nodes = True
    return made.node_tree, 'nodes["Background"].inputs[1].default_value'


def of_shape() -> tuple[bpy.types.ID, str]:
    """Return the value of a shape key."""
    obj = box("Soft")
    obj.shape_key_add(name="Basis")
    obj.shape_key_add(name="Flat")
    return obj.data.shape_keys, 'key_blocks["Flat"].value'


def of_lamp() -> tuple[bpy.types.ID, str]:
    """Return the energy of a lamp."""
    light = bpy.data.lights.new("Lamp", "POINT")
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Lamp", light))
    return light, "energy"


def of_scene() -> tuple[bpy.types.ID, str]:
    """Return a number of the scene."""
    return bpy.context.scene, "audio_volume"


OWNERS = (of_material, of_world, of_shape, of_lamp, of_scene)


@pytest.mark.parametrize("make", OWNERS, ids=lambda one: one.__name__)
def test_what_was_changed_without_a_key_comes_back_whatever_it_is_of(
    make: Callable[[], tuple[bpy.types.ID, str]],
) -> None:
    """Frames that go by write it as its curve says, and the user has set it otherwise."""
    owner, path = make()
    holder, _, name = path.rpartition(".")
    target = owner.path_resolve(holder) if holder else owner
    for frame, value in ((1, 0.2), (30, 0.8)):
        setattr(target, name, value)
        owner.keyframe_insert(path, frame=frame)
    led()
    setattr(target, name, 0.5)
    owner.update_tag()  # else Blender does not evaluate new curves
    session = play.start(bpy.context.scene)
    started(session, 0.3)
    assert getattr(target, name) != 0.5
    play.stop()
    assert getattr(target, name) == 0.5


@pytest.mark.parametrize("count", [1, 2])
def test_only_the_led_body_itself_is_led_and_not_its_instances(count: int) -> None:
    """They stand where they are instanced, with all that hangs on them."""
    led()
    made = bpy.data.collections.new("Cranks")
    bpy.context.scene.collection.children.link(made)
    for obj in [*bpy.context.scene.collection.objects]:
        bpy.context.scene.collection.objects.unlink(obj)
        made.objects.link(obj)
    for at in range(count):
        bpy.ops.object.collection_instance_add(collection="Cranks", location=(9.0 + at, 0.0, 0.0))
    bpy.context.view_layer.update()
    session = play.start(bpy.context.scene)
    placed = session.simulated.placed
    assert [placed[node].instance for node in session.simulated.followers] == [None]
    play.stop()


def test_all_settings_that_are_keyed_are_played() -> None:
    """Bounds of two hinges move, each as its own keys say."""
    hinges = []
    for index in range(3):
        _, _, hinge = door(direction="GLOBAL_Y")
        limit = hinge.omi_physics_joint.settings.limits[-1]
        for frame, bound in ((1, 1.0), (13, 0.2 + 0.1 * index)):
            limit.angular_max = bound
            limit.keyframe_insert("angular_max", frame=frame)
        hinges.append(hinge)
    bpy.context.scene.render.fps = 24
    bpy.context.scene.frame_set(1)
    session = play.start(bpy.context.scene)
    started(session, 0.6)
    now = {round(one.limits[-1].max, 3) for one in session.run.settings}
    mechanism = session.simulated.mechanism
    bounds = []
    for hinge in hinges:
        joint = mechanism.nodes[session.simulated.joint_node(hinge)].joint
        limits = session.run.settings[joint.settings].limits
        bounds.append(min(abs(bound) for one in limits for bound in (one.min, one.max) if bound))
    assert bounds == pytest.approx([0.2, 0.3, 0.4], abs=0.01), now
    play.stop()


@pytest.mark.parametrize("velocity", ["linear_velocity", "angular_velocity"])
@pytest.mark.parametrize("axis", range(3))
def test_a_kinematic_body_is_shown_as_it_goes_by_itself(velocity: str, axis: int) -> None:
    """Along or about any axis: there where its joint has it."""
    crank, arm = box("Crank"), box("Arm", (2.0, 0.0, 0.0))
    joined("WELD", crank, arm)
    crank.omi_physics_body.type = "kinematic"
    setattr(crank.omi_physics_body, velocity, [2.0 * (at == axis) for at in range(3)])
    bpy.context.view_layer.update()
    between = np.array(crank.matrix_world.inverted() @ arm.matrix_world)
    before = np.array(crank.matrix_world)
    session = play.start(bpy.context.scene)
    started(session, 0.25)
    assert np.abs(np.array(crank.matrix_world) - before).max() > 0.1
    now = np.array(crank.matrix_world.inverted() @ arm.matrix_world)
    assert now == pytest.approx(between, abs=1e-3)
    play.stop()


@pytest.mark.parametrize("depth", range(4))
def test_what_stands_far_below_what_moves_is_shown_standing(depth: int) -> None:
    """With plain objects in between; Blender would take it along with its parents."""
    _, flap, _ = door(direction="GLOBAL_Y")
    above = flap
    for index in range(depth):
        empty = bpy.data.objects.new(f"Between {index}", None)
        bpy.context.scene.collection.objects.link(empty)
        empty.parent = above
        above = empty
    anchor = box("Anchor", (4.0, 0.0, 4.0))
    anchor.omi_physics_body.is_body, anchor.omi_physics_body.type = True, "static"
    anchor.parent = above
    bpy.context.view_layer.update()
    there = anchor.matrix_world.translation.copy()
    weight = box("Weight", (there.x + 2.0, there.y, there.z))
    bpy.context.scene.cursor.location = there
    joined("PIN", anchor, weight)
    session = play.start(bpy.context.scene)
    session.clock = lambda: 0.0
    for _ in range(20):
        session.tick(STEP)
    assert flap.matrix_world.translation.z < -0.1
    assert tuple(anchor.matrix_world.translation) == pytest.approx(tuple(there), abs=1e-5)
    play.stop()


@pytest.mark.parametrize("way", ["", "mute", "no influence", "scale", "no target", "still target"])
def test_only_a_constraint_that_pulls_at_something_that_moves_leads(way: str) -> None:
    """Muted, without influence, of sizes alone, or after what stands still, it leads nowhere."""
    body, goal = box("Body"), box("Goal", (3.0, 0.0, 0.0))
    body.omi_physics_body.is_body = True
    body.omi_physics_body.type = "kinematic"
    if way != "still target":
        goal.keyframe_insert("location", frame=1)
    kind = "COPY_SCALE" if way == "scale" else "COPY_LOCATION"
    made = body.constraints.new(kind)
    made.target = None if way == "no target" else goal
    made.mute = way == "mute"
    made.influence = 0.0 if way == "no influence" else 0.5
    assert is_led(body) is (way == "")
    below = box("Below")
    below.parent = body
    assert is_led(below) is (way == "")


@pytest.mark.parametrize("lead", [driven, onto_path, onto_vertex, keyed])
def test_what_animation_takes_apart_before_the_first_frame_was_not_moved_apart(
    lead: Callable[[bpy.types.Object], None],
) -> None:
    """Check looks at frame 0, where the tram is elsewhere, and names what moves it instead."""
    tram = box("Tram", (0.0, 0.0, 5.0))
    lead(tram)
    bpy.context.scene.frame_set(1)
    lantern = box("Lantern", tuple(tram.matrix_world.translation - Vector((0.0, 0.0, 2.0))))
    bpy.context.view_layer.update()
    joined("PIN", tram, lantern)
    found = issues()
    assert "static-animated" in found
    assert "moved-since-joined" not in found
