# SPDX-License-Identifier: GPL-3.0-or-later
"""Pulling at bodies while they play: they come, stay inside their limits, and can be pinned."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector

from omi_physics_joint.blender import play
from omi_physics_joint.blender.overlay import extras
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.play.viewport.picking import by_ray
from omi_physics_joint.blender.play.viewport.screen import show_extras
from omi_physics_joint.blender.simulated.holding import LEASH, Grip
from tests.scenes import box, door, joined


def started(session: play.PlaySession, seconds: float) -> None:
    """Let a session play."""
    for _ in range(round(seconds / STEP)):
        assert session.tick(STEP), session.reason


def angle(session: play.PlaySession, joint: bpy.types.Object) -> float:
    """Return the angle of a hinge in degrees, positive as it opens."""
    node = session.simulated.joint_node(joint)
    return float(np.degrees(np.abs(session.run.simulation.coordinates(node)[3:]).max()))


@pytest.mark.parametrize("mass", [0.001, 1.0, 1000.0])
def test_a_gram_and_a_ton_come_alike(mass: float) -> None:
    """Grabbed at its middle and pulled up, the flap follows the hand in the same way."""
    _, flap, hinge = door(direction="GLOBAL_Y")
    flap.omi_physics_body.mass = mass
    session = play.start(bpy.context.scene)
    started(session, 2.0)
    assert angle(session, hinge) == pytest.approx(90.0, abs=1e-3)
    session.run.grab(session.simulated.node_of(flap), flap.matrix_world.translation)
    session.run.drag((1.0 + 0.5**0.5, 0.0, -(0.5**0.5)))
    started(session, 1.0)
    assert angle(session, hinge) == pytest.approx(45.0, abs=1.5)
    session.run.let_go()
    started(session, 2.0)
    assert angle(session, hinge) == pytest.approx(90.0, abs=1e-3)
    play.stop()


@pytest.mark.parametrize("target", [(2.0, 0.0, 50.0), (-9.0, 3.0, 0.1), (1.0, 0.0, 0.0)])
def test_it_never_leaves_its_limits(target: tuple[float, float, float]) -> None:
    """However far and wherever the mouse is, the hinge stays whole and within its bounds."""
    _, flap, hinge = door(direction="GLOBAL_Y")
    session = play.start(bpy.context.scene)
    started(session, 0.5)
    node = session.simulated.joint_node(hinge)
    session.run.grab(session.simulated.node_of(flap), flap.matrix_world @ Vector((1.0, 1.0, 1.0)))
    session.run.drag(target)
    for _ in range(120):
        assert session.tick(STEP), session.reason
        values = session.run.simulation.coordinates(node)
        assert np.abs(values[:3]).max() < 1e-5
        turned = np.degrees(values[3:])
        assert -90.0 - 1e-3 <= turned.min() <= turned.max() <= 1e-3
        assert not session.run.not_met
    play.stop()


@pytest.mark.parametrize("away", [0.05, 0.5, 50.0])
@pytest.mark.parametrize("speed", [0.0, 3.0])
def test_the_hand_is_never_farther_ahead_than_its_leash(away: float, speed: float) -> None:
    """Of the grabbed point, where a step begins and where that will be at its end."""
    mouse, point, way = (np.array(one) for one in ((away, 0, 0), (0, 0, 0), (0, speed, 0)))
    grip = Grip(0, (0.0, 0.0, 0.0), 1.0, mouse.astype(float), point.astype(float))
    for step in range(30):
        motion = grip.move_hand(step * STEP, (step + 1) * STEP, point, way)
        ends = motion.translations - (point, point + STEP * way)
        assert np.linalg.norm(ends, axis=1).max() <= LEASH + 1e-9
    assert np.linalg.norm(grip.hand - mouse) < 0.1 * away


def test_a_light_handle_moves_a_heavy_door() -> None:
    """A gram that is welded to half a ton is pulled as hard as all of it needs."""
    _, leaf, hinge = door(direction="GLOBAL_Z")
    leaf.omi_physics_body.mass = 500.0
    handle = box("Handle", (3.0, -1.2, 0.0))
    bpy.context.scene.cursor.location = handle.location
    joined("WELD", leaf, handle)
    handle.omi_physics_body.mass = 0.001
    session = play.start(bpy.context.scene)
    session.run.grab(session.simulated.node_of(handle), (3.0, -1.2, 0.0))
    session.run.drag((2.0, 6.0, 0.0))
    started(session, 1.5)
    assert angle(session, hinge) > 60.0
    play.stop()


def test_what_hangs_on_an_endless_mass_is_pulled_by_what_it_weighs_itself() -> None:
    """A link on what nothing moves comes as it would on a wall."""
    ends = []
    for is_endless in (False, True):
        wall, link = box("Wall"), box("Link", (3.0, 0.0, 0.0))
        bpy.context.scene.cursor.location = (1.5, 0.0, 0.0)
        joined("PIN", wall, link)
        wall.omi_physics_body.type = "dynamic" if is_endless else "static"
        wall.omi_physics_body.infinite_mass = is_endless
        wall.omi_physics_body.gravity_factor = 0.0
        session = play.start(bpy.context.scene)
        session.run.grab(session.simulated.node_of(link), (3.0, 0.0, 0.0))
        session.run.drag((1.5, 9.0, 0.0))
        started(session, 0.5)
        ends.append(tuple(link.matrix_world.translation))
        play.stop()
        for one in (wall, link):
            bpy.data.objects.remove(one)
    assert ends[1] == pytest.approx(ends[0], abs=1e-4)
    assert ends[0][1] > 0.5


def test_end_of_a_chain_is_pulled() -> None:
    """A hanging chain of ten links is lifted by its last one, and nothing comes apart."""
    before, joints = box("Post"), []
    before.scale = (0.2, 0.2, 0.2)
    for number in range(1, 11):
        link = box(f"Link {number}", (float(number), 0.0, 0.0))
        link.scale = (0.4, 0.1, 0.1)
        bpy.context.scene.cursor.location = (number - 0.5, 0.0, 0.0)
        joints.append(joined("PIN", before, link))
        before = link
    session = play.start(bpy.context.scene)
    started(session, 1.0)
    session.run.grab(session.simulated.node_of(before), before.matrix_world.translation)
    session.run.drag((3.0, 2.0, 4.0))
    started(session, 2.0)
    assert tuple(before.matrix_world.translation) == pytest.approx((3.0, 2.0, 4.0), abs=0.1)
    for joint in joints:
        node = session.simulated.joint_node(joint)
        assert np.abs(session.run.simulation.coordinates(node)[:3]).max() < 1e-4
    play.stop()


def test_pin_holds_and_lets_go() -> None:
    """A pinned body stays where it was against gravity and a pull at its neighbour."""
    _, flap, hinge = door(direction="GLOBAL_Y")
    session = play.start(bpy.context.scene)
    started(session, 0.4)
    node = session.simulated.node_of(flap)
    session.run.grab(node, flap.matrix_world.translation)
    session.run.pin(node)
    there = angle(session, hinge)
    assert session.run.grabbed is None
    assert tuple(session.run.pins) == (node,)
    started(session, 1.0)
    assert angle(session, hinge) == pytest.approx(there, abs=1e-3)
    session.run.unpin(node)
    started(session, 2.0)
    assert angle(session, hinge) == pytest.approx(90.0, abs=1e-3)
    session.run.pin(node)
    session.want_reset()
    started(session, 0.1)
    assert tuple(session.run.pins) == ()
    play.stop()


def test_a_pin_holds_what_its_joint_would_let_fall() -> None:
    """In all directions, whatever else joints of the scene let go."""
    still, loose = box("Still"), box("Loose", (3.0, 0.0, 0.0))
    joined("HINGE", still, loose).omi_physics_joint.settings.limits.clear()
    session = play.start(bpy.context.scene)
    started(session, 0.3)
    node, height = session.simulated.node_of(loose), loose.matrix_world.translation.z
    assert height < -0.3
    session.run.pin(node)
    started(session, 0.5)
    assert loose.matrix_world.translation.z == pytest.approx(height, abs=1e-3)
    play.stop()


def test_grabbing_a_pinned_body_unpins_it() -> None:
    """Hand and pin never fight over one body."""
    _, flap, _ = door(direction="GLOBAL_Y")
    session = play.start(bpy.context.scene)
    node = session.simulated.node_of(flap)
    session.run.pin(node)
    session.run.grab(node, flap.matrix_world.translation)
    assert tuple(session.run.pins) == ()
    play.stop()


def test_ray_finds_the_body_above_what_it_hits() -> None:
    """A part of a body is the body; what stands, or plays not, is nothing to pull at."""
    frame, flap, _ = door(direction="GLOBAL_Y")
    part = box("Knob", (2.0, 0.0, 2.0))
    part.parent = flap
    part.matrix_parent_inverse = flap.matrix_world.inverted()
    bpy.context.view_layer.update()
    session = play.start(bpy.context.scene)
    graph = bpy.context.evaluated_depsgraph_get()

    def under(x: float, y: float) -> object:
        ray = Vector((x, y, 9.0)), Vector((0.0, 0.0, -1.0))
        return by_ray(session.simulated, bpy.context.scene, graph, ray)

    picked = under(2.0, 0.3)
    assert picked.node == session.simulated.node_of(flap)
    assert tuple(picked.point) == pytest.approx((2.0, 0.3, 3.0), abs=1e-5)
    assert under(frame.location.x, 0.0) is None
    assert under(50.0, 0.0) is None
    play.stop()


def test_what_the_viewport_shows_of_it() -> None:
    """The spring goes from the grabbed point to the mouse, and arrows start at the joint."""
    _, flap, hinge = door(direction="GLOBAL_Y")
    session = play.start(bpy.context.scene)
    session.run.grab(session.simulated.node_of(flap), (2.0, 0.0, 1.0))
    session.run.drag((2.0, 0.0, 4.0))
    started(session, STEP)
    show_extras(session, [hinge])
    held, mouse = extras.extras.spring
    assert held == pytest.approx((2.0, 0.0, 1.0), abs=0.05)
    assert mouse == pytest.approx((2.0, 0.0, 4.0))
    force, torque = extras.extras.forces
    assert force.origin == pytest.approx((1.0, 0.0, 0.0), abs=1e-5)
    assert (force.kind, torque.kind) == ("force", "torque")
    session.settings.show_forces = False
    show_extras(session, [hinge])
    assert extras.extras.forces == ()
    session.run.let_go()
    show_extras(session, [])
    assert extras.extras.spring is None
    play.stop()
