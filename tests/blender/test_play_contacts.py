# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that touch while they play: on a floor and on each other, drawn, said, and put back."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.overlay import extras
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.play.viewport.screen import OF_WEIGHT, heading, show_extras
from omi_physics_joint.blender.timeline.cache.storage import told_cache
from omi_physics_joint.drawing.strokes import Role
from omi_physics_joint.library.offered import simulate
from omi_physics_joint.solver.contacts import touching
from tests.scenes import box, door, joined

pytestmark = pytest.mark.usefixtures("contacts")

NOT_IN_FILES = "The floor is not in the file"
CHANGED = "contacts or the floor were changed"


def material(of: bpy.types.Object) -> bpy.types.PropertyGroup:
    """Return what a body is made of."""
    return of.omi_physics_body.collider.physics_material


def solid(
    name: str, place: tuple[float, float, float], shape: str = "box", *, dynamic: bool = True
) -> bpy.types.Object:
    """Return a two metre body of a shape that the solver knows."""
    made = box(name, place)
    body = made.omi_physics_body
    body.is_body, body.type = True, "dynamic" if dynamic else "static"
    body.use_collider = True
    body.collider.shape.type = shape
    body.collider.shape.size = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    return made


def pair() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return a torso and a head above it with a pin between them, a metre above the ground."""
    torso, head = solid("Torso", (20.0, -20.0, 2.0)), solid("Head", (20.0, -20.0, 5.0))
    bpy.context.scene.cursor.location = (20.0, -20.0, 3.5)
    joined("PIN", torso, head)
    torso.omi_physics_body.type = head.omi_physics_body.type = "dynamic"
    bpy.context.view_layer.update()
    return torso, head


def started(seconds: float, **settings: object) -> play.PlaySession:
    """Play with contacts for some seconds, on a machine that is fast enough."""
    for name, value in {"use_contacts": True, **settings}.items():
        setattr(bpy.context.scene.omi_physics_preview, name, value)
    session = play.start(bpy.context.scene)
    session.clock = lambda: 0.0
    for _ in range(round(seconds / STEP)):
        assert session.tick(STEP), session.reason
    return session


def test_a_ragdoll_lies_on_the_floor_and_comes_back() -> None:
    """What nothing holds falls on a floor at zero; the header says whose it is; stop restores."""
    torso, head = pair()
    before = [torso.matrix_world.copy(), head.matrix_world.copy()]
    session = started(3.0)
    assert session.run.simulation.floor == pytest.approx(0.0)
    assert torso.matrix_world.translation.z == pytest.approx(1.0, abs=0.01)
    assert session.remarks == []
    assert NOT_IN_FILES in heading(session)
    play.stop()
    assert [torso.matrix_world, head.matrix_world] == before


def test_points_that_are_left_out_are_said_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where more touches than there is room for, the header says how much, and what to do."""
    monkeypatch.setattr(touching, "MOST_POINTS", 6)
    solid("Lower", (20.0, -20.0, 1.0))
    solid("Upper", (20.0, -20.0, 3.0))
    assert "2 points of contact left out" in heading(started(0.2))
    assert "Take simpler shapes" in heading(play.session.current())


def test_it_falls_for_ever_without_a_floor_and_is_said_to() -> None:
    """Floor off and nothing below is what Play names, with the switch that ends it."""
    torso, _ = pair()
    session = started(1.0, use_floor=False)
    assert torso.matrix_world.translation.z < -2.0
    assert session.remarks[0].startswith("Nothing holds Torso: it falls. Switch Floor on, join it")
    assert NOT_IN_FILES not in heading(session)
    play.stop()


def test_what_misses_all_that_stands_is_said_to_fall() -> None:
    """It may land on something while that is below; once nothing is, Play names what falls."""
    pair()
    solid("Stone", (0.0, 0.0, -2.0), dynamic=False)
    solid("Table", (20.0, 20.0, 0.0), dynamic=False)
    solid("Lands", (20.0, 20.0, 3.0))
    session = started(1.0, use_floor=False)
    assert session.remarks == []
    started_at = session.time
    while session.time < started_at + 1.0:
        session.tick(STEP)
    assert session.remarks[0].startswith("Nothing holds Torso: it falls. Switch Floor on, join it")
    session.reset()
    assert session.remarks == []
    play.stop()


def test_the_floor_lies_under_what_is_lowest() -> None:
    """A scene below zero has its floor under the lowest collider, turned as it may be."""
    pair()
    stone = solid("Stone", (30.0, 0.0, -5.0), dynamic=False)
    stone.rotation_euler = (0.0, 0.7853981633974483, 0.0)
    bpy.context.view_layer.update()
    session = started(0.1)
    assert session.run.simulation.floor == pytest.approx(-5.0 - 2.0**0.5, abs=1e-5)
    low = session.floor.lines[:, :, 2]
    assert low == pytest.approx(np.full(low.shape, -5.0 - 2.0**0.5), abs=1e-5)
    play.stop()


def test_a_ball_without_a_joint_falls_onto_what_stands() -> None:
    """With contacts what has a collider moves, joint or not; without, it stays as ever."""
    solid("Table", (0.0, 0.0, 0.0), dynamic=False)
    ball = solid("Ball", (0.0, 0.0, 3.0))
    bpy.context.scene.omi_physics_preview.use_contacts = False
    with pytest.raises(play.PlayError, match="join two objects first, or switch Contacts on"):
        play.start(bpy.context.scene)
    session = started(2.0, use_floor=False)
    assert ball.matrix_world.translation.z == pytest.approx(2.0, abs=1e-3)
    assert session.remarks == []
    play.stop()
    assert ball.matrix_world.translation.z == 3.0


def test_nothing_is_advised_that_is_so_already() -> None:
    """A body without a collider stays with contacts too: what it lacks is said, not that switch."""
    assert bpy.context.scene.omi_physics_preview.use_contacts
    solid("Ghost", (0.0, 0.0, 3.0)).omi_physics_body.use_collider = False
    with pytest.raises(play.PlayError, match="join two objects first, or give a dynamic body a co"):
        play.start(bpy.context.scene)


@pytest.mark.parametrize("how", ["eye", "monitor", "collection"])
def test_hidden_bodies_are_counted_where_they_play(how: str) -> None:
    """They move and touch, as Blender's own do; a hidden part of what is shown does not count."""
    table = solid("Table", (0.0, 0.0, 0.0), dynamic=False)
    ball = solid("Ball", (0.0, 0.0, 3.0))
    part = box("Part", (0.0, 0.0, 3.5))
    part.parent = ball
    part.hide_set(True)
    session = started(0.1)
    assert session.simulated.hidden == ""
    play.stop()
    scene, group = bpy.context.scene, bpy.data.collections.new("Group")
    scene.collection.children.link(group)
    for obj in (table, ball):
        scene.collection.objects.unlink(obj)
        group.objects.link(obj)
        obj.hide_viewport = how == "monitor"
        obj.hide_set(how == "eye")
    layer = bpy.context.view_layer.layer_collection.children["Group"]
    layer.hide_viewport = how == "collection"
    session = started(2.0, use_floor=False)
    assert session.run.poses()[0][0][1] == pytest.approx(2.0, abs=1e-3)
    assert "   2 hidden bodies play too" in heading(session)
    play.stop()
    table.omi_physics_body.is_body = False
    session = started(0.1)
    assert session.simulated.hidden == "1 hidden body plays too"
    play.stop()


def test_the_floor_leaves_alone_what_is_held() -> None:
    """A door that swings below zero does so with a floor as without, to the last bit."""
    ends = []
    for contacts in (False, True):
        bpy.ops.wm.read_homefile(use_empty=True)
        _, leaf, _ = door(direction="GLOBAL_Y")
        leaf.omi_physics_body.collider.shape.type = "box"
        solid("Ball", (9.0, 0.0, 4.0))
        started(1.0, use_contacts=contacts)
        ends.append([*map(tuple, leaf.matrix_world)])
        play.stop()
    assert ends[0] == ends[1]
    assert ends[0][2][3] < -0.5


def test_touches_are_drawn_where_they_are_with_their_forces() -> None:
    """Points lie on the floor, arrows point up and bear the weight; a switch takes them away."""
    pair()
    session = started(3.0)
    show_extras(session, ())
    touches = extras.extras.touches
    weight = sum(bpy.data.objects[name].omi_physics_body.mass for name in ("Torso", "Head")) * 9.81
    assert touches.points[:, 2] == pytest.approx(np.zeros(len(touches.points)), abs=1e-3)
    assert touches.forces.sum(0)[2] == pytest.approx(weight, rel=0.05)
    assert extras.extras.floor is session.floor
    session.settings.show_contacts = False
    show_extras(session, ())
    assert extras.extras.touches is None
    play.stop()
    extras.show()


def test_a_ground_that_was_made_last_is_lain_on() -> None:
    """What stands may come after what falls on it: its touches are drawn as large as suits that."""
    solid("Ball", (0.0, 0.0, 2.0))
    solid("Ground", (0.0, 0.0, 0.0), dynamic=False)
    session = started(0.2, use_floor=False)
    show_extras(session, ())
    usual = bpy.data.objects["Ball"].omi_physics_body.mass * 9.81 * OF_WEIGHT
    assert extras.extras.touches.usual == pytest.approx([usual] * 4, rel=1e-3)
    play.stop()
    extras.show()


@pytest.mark.parametrize("shape", ["box", "sphere", "capsule", "cylinder", "convex"])
def test_a_trigger_is_outlined_with_names_while_somebody_is_inside(shape: str) -> None:
    """Its shape is drawn as it stands, turned and scaled; a part of a trigger lights all of it."""
    gate, parts = box("Gate", (20.0, -20.0, 0.0)), []
    for place, kind in (((20.0, -20.0, 0.0), shape), ((20.0, -16.0, 0.5), "box")):
        part = box(kind, place)
        part.parent, part.matrix_parent_inverse = gate, gate.matrix_world.inverted()
        body = part.omi_physics_body
        body.use_trigger, own = True, body.trigger.shape
        own.type, own.size, own.radius, own.height = kind, (1.0, 2.0, 3.0), 0.4, 1.0
        own.radius_bottom = own.radius_top = 0.4
        gate.omi_physics_body.trigger.nodes.add().object = part
        parts.append(part)
    gate.omi_physics_body.use_trigger = True
    gate.rotation_euler, gate.scale = (0.3, 0.5, 0.2), (1.5, 1.5, 1.5)
    ball = solid("Ball", (20.0, -20.0, 4.0), "sphere")
    ball.omi_physics_body.collider.shape.radius = 0.3
    bpy.context.view_layer.update()
    session = started(0.1, use_floor=False)
    show_extras(session, ())
    assert extras.extras.outlined == ()
    for _ in range(round(0.75 / STEP)):
        assert session.tick(STEP), session.reason
    show_extras(session, ())
    (lit,) = extras.extras.outlined
    assert [text for _, text in lit.notes] == ["In Gate: Ball"]
    assert lit.role is Role.CONTACT
    half = {"box": (0.5, 1.0, 1.5), "sphere": (0.4,) * 3, "convex": (1.0,) * 3}
    half |= {"capsule": (0.4, 0.4, 0.9), "cylinder": (0.4, 0.4, 0.5)}
    for obj, sketch, world, size in zip(
        parts, lit.outlines, lit.worlds, (half[shape], half["box"]), strict=True
    ):
        assert world == pytest.approx(np.array(obj.matrix_world), abs=1e-6)
        assert np.abs(sketch.triangles).max((0, 1)) == pytest.approx(size, abs=1e-5)
    play.stop()
    extras.show()


def test_what_lies_is_pulled_up_and_begins_again() -> None:
    """The hand lifts a ragdoll off its floor and lets it fall; R begins where the scene stands."""
    torso, head = pair()
    session = started(2.0)
    first = torso.matrix_world.copy()
    node = session.simulated.node_of(head)
    session.run.grab(node, head.matrix_world.translation)
    session.run.drag((20.0, -20.0, 9.0))
    for _ in range(round(2.0 / STEP)):
        assert session.tick(STEP), session.reason
    assert torso.matrix_world.translation.z > 2.0
    assert len(session.run.touching().nodes) == 0
    session.run.let_go()
    for _ in range(round(3.0 / STEP)):
        assert session.tick(STEP), session.reason
    assert torso.matrix_world.translation.z == pytest.approx(1.0, abs=0.45)
    assert len(session.run.touching().nodes) > 0
    session.want_reset()
    for _ in range(round(2.0 / STEP)):
        assert session.tick(STEP), session.reason
    assert torso.matrix_world == first
    play.stop()


def test_another_floor_begins_anew_and_stays_set() -> None:
    """Friction that is changed while it plays counts from rest, and is the scene's at the end."""
    stone = solid("Stone", (0.0, 0.0, 1.0))
    bpy.context.scene.gravity = (3.0, 0.0, -9.0)
    session = started(1.0)
    assert stone.matrix_world.translation.x == pytest.approx(0.0, abs=1e-3)
    session.settings.floor_friction = 0.0
    session.tick(STEP)
    assert session.time < 2.0 * STEP
    play.stop()
    assert bpy.context.scene.omi_physics_preview.floor_friction == 0.0


def test_steps_of_godot_have_no_contacts_and_say_so() -> None:
    """What falls there falls through; neither the floor nor the switch is offered."""
    torso, _ = pair()
    session = started(1.0, steps="godot")
    assert torso.matrix_world.translation.z < -2.0
    assert session.apart.endswith("Steps: As Godot has no contacts")
    assert session.remarks[0].startswith("Nothing holds Torso: it falls. Join it to a static body")
    play.stop()
    for body in bpy.data.objects:
        body.omi_physics_body.use_collider = False
    assert started(0.1, steps="godot").apart == ""
    play.stop()


def test_the_timeline_moves_what_touches_as_play_does() -> None:
    """A ball without a joint lands in simulated frames, and only what touches outdates them."""
    table = solid("Table", (0.0, 0.0, 0.0), dynamic=False)
    ball = solid("Ball", (0.0, 0.0, 3.0))
    scene = bpy.context.scene
    table.omi_physics_body.collider.use_physics_material = True
    scene.frame_end, scene.render.fps = 60, 60
    scene.omi_physics_preview.use_contacts = True
    assert bpy.ops.omi_joint.simulate() == {"FINISHED"}
    scene.frame_set(60)
    assert ball.matrix_world.translation.z == pytest.approx(2.0, abs=1e-3)
    scene.frame_set(30)
    assert told_cache(scene).outdated == ""
    for edit, said in (
        (lambda: setattr(material(table), "restitution", 0.5), "the physics of Table was changed"),
        (lambda: setattr(material(table), "restitution", 0.0), ""),
        (lambda: setattr(scene.omi_physics_preview, "floor_friction", 0.1), CHANGED),
        (lambda: setattr(scene.omi_physics_preview, "floor_friction", 0.6), ""),
        (lambda: setattr(scene.omi_physics_preview, "use_contacts", False), CHANGED),
    ):
        edit()
        scene.frame_set(31)
        scene.frame_set(30)
        assert told_cache(scene).outdated == said


def test_a_hull_falls_on_the_triangles_of_a_scaled_mesh() -> None:
    """Both are what their objects show, with modifiers and scale: a round hull lies in a dish."""
    dish = bpy.data.meshes.new("Dish")
    dish.from_pydata(
        [(x, y, 0.25 if abs(x) + abs(y) > 0 else 0.0) for x in (-1, 0, 1) for y in (-1, 0, 1)],
        [],
        [(0, 3, 4, 1), (1, 4, 5, 2), (3, 6, 7, 4), (4, 7, 8, 5)],
    )
    ground = solid("Ground", (20.0, -20.0, 1.0), "trimesh", dynamic=False)
    ground.data, ground.scale = dish, (4.0, 4.0, 4.0)
    ball = solid("Ball", (20.4, -20.3, 4.0), "convex")
    ball.modifiers.new("Round", "SUBSURF").levels = 3
    bpy.context.view_layer.update()
    session = started(4.0, use_floor=False)
    assert session.run.simulation.touching().nodes.tolist()
    assert 1.5 < ball.matrix_world.translation.z < 2.0
    assert [one.code for one in session.issues] == ["hull-simplified"]


def test_what_the_buttons_make_lands_as_its_file_says(tmp_path: Path) -> None:
    """Two objects, one press of Pin: hulls on a floor and on a mesh, and so does the export."""
    scene = bpy.context.scene
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=7, y_subdivisions=7, size=30.0)
    ground = bpy.context.object
    ground.name, ground.location.z = "Ground", 0.5
    ground.omi_physics_body.is_body, ground.omi_physics_body.type = True, "static"
    ground.omi_physics_body.use_collider = True
    ground.omi_physics_body.collider.shape.type = "trimesh"
    for x in (3.0, 40.0):  # over the mesh, and beside it
        torso, head = box(f"Torso {x}", (x, 1.0, 3.0)), box(f"Head {x}", (x, 1.0, 5.5))
        scene.cursor.location = (x, 1.0, 4.25)
        joined("PIN", torso, head)
        torso.omi_physics_body.type = head.omi_physics_body.type = "dynamic"
        torso.omi_physics_body.mass = head.omi_physics_body.mass
        torso.omi_physics_body.collider.shape.type = "convex"
    bpy.context.view_layer.update()
    path = tmp_path / "heaps.glb"
    bpy.ops.export_scene.gltf(filepath=str(path))
    started(1.0)
    heights = [bpy.data.objects[f"Torso {x}"].matrix_world.translation.z for x in (3.0, 40.0)]
    play.stop()
    assert heights == pytest.approx([1.5, 1.0], abs=0.01)
    motion = simulate(path, seconds=1.0, contacts=True, floor=True)
    ends = [motion.bodies[f"Torso {x}"].translation[-1, 1] for x in (3.0, 40.0)]
    assert ends == pytest.approx(heights, abs=1e-3)


def test_what_begins_in_something_else_is_named_in_the_header() -> None:
    """It is pushed out slowly, and both names and the depth are said, in units of the scene."""
    stone = solid("Stone", (20.0, 0.0, 0.75))
    solid("Table", (20.0, 0.0, -1.0), dynamic=False)
    session = started(0.5, use_floor=False)
    assert heading(session).endswith(
        "Stone: It begins in Table, 0.25 m deep. It is pushed out slowly: move it out."
    )
    assert 0.76 < stone.matrix_world.translation.z < 0.9
    play.stop()
