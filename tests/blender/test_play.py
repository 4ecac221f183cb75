# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints play in the viewport: what moves, how fast, and what stands."""

from __future__ import annotations

from itertools import count
from math import degrees, pi

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.play.session import ENOUGH, MOST_STEPS, STEP
from omi_physics_joint.blender.simulated.properties import OMI_JOINT_PG_preview
from tests.scenes import box, door, joined, relative, select, separated


def started(session: play.PlaySession, seconds: float) -> None:
    """Let a session play as the timer of a window would, on a machine that is fast enough."""
    session.clock = lambda: 0.0
    for _ in range(round(seconds / STEP)):
        assert session.tick(STEP), session.reason


def hatch() -> tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]:
    """Return a frame, a flap that falls from 0 to 90 degrees, and the hinge between them."""
    made = door(direction="GLOBAL_Y")
    made[1].omi_physics_body.mass = 1.0
    return made


def settings() -> OMI_JOINT_PG_preview:
    """Return the settings of the scene."""
    return bpy.context.scene.omi_physics_preview


def angle(session: play.PlaySession, joint: bpy.types.Object) -> float:
    """Return the largest angle of a joint in degrees, as the simulation has it."""
    node = session.simulated.joint_node(joint)
    return float(np.degrees(np.abs(session.run.simulation.coordinates(node)[3:]).max()))


def shown(joint: bpy.types.Object) -> float:
    """Return by how much the two frames of a joint are turned, in degrees, as objects stand."""
    return degrees(relative(joint).to_quaternion().angle)


def test_a_hatch_falls_to_its_bound() -> None:
    """Gravity swings the flap until the limit stops it, and stop puts it back."""
    _, flap, hinge = hatch()
    before = flap.matrix_world.copy()
    session = play.start(bpy.context.scene)
    started(session, 2.0)
    assert session.time == pytest.approx(2.0)
    assert shown(hinge) == pytest.approx(90.0, abs=1e-3)
    play.stop()
    assert flap.matrix_world == before


def test_no_gravity_no_motion() -> None:
    """Without gravity, by our switch or the scene's, the flap stays."""
    _, _, hinge = hatch()
    for where, name in ((settings(), "use_gravity"), (bpy.context.scene, "use_gravity")):
        setattr(where, name, False)
        session = play.start(bpy.context.scene)
        started(session, 0.5)
        assert shown(hinge) == pytest.approx(0.0, abs=1e-4)
        play.stop()
        setattr(where, name, True)


def test_gravity_of_the_scene_counts() -> None:
    """Gravity that points sideways opens a door, in Blender's own axes."""
    _, _, hinge = door(direction="GLOBAL_Z")
    bpy.context.scene.gravity = (0.0, 5.0, 0.0)
    session = play.start(bpy.context.scene)
    started(session, 2.0)
    assert shown(hinge) == pytest.approx(90.0, abs=1e-3)
    play.stop()


def test_speed_is_seconds_a_second() -> None:
    """At a quarter of the speed a second plays a quarter, in steps that are as smooth."""
    hatch()
    settings().speed = 0.25
    session = play.start(bpy.context.scene)
    started(session, 1.0)
    assert session.time == pytest.approx(0.25)
    settings().speed = 2.0
    session = play.start(bpy.context.scene)
    started(session, 1.0)
    assert session.time == pytest.approx(2.0)
    play.stop()


def test_slow_computing_slows_down_and_does_not_spiral() -> None:
    """A tick after a long wait takes a few steps and forgets the rest."""
    hatch()
    session = play.start(bpy.context.scene)
    assert session.tick(30.0)
    assert session.time <= MOST_STEPS * STEP + 1e-9
    for _ in range(40):
        session.tick(1.0)
    assert session.rate < 0.2
    before = session.time
    session.tick(STEP)
    assert session.time - before <= 2.5 * STEP
    play.stop()


def test_a_tick_ends_when_it_has_computed_for_long() -> None:
    """A step of which one takes longer than a tick may last is the only one of its tick."""
    hatch()
    session = play.start(bpy.context.scene)
    session.clock = count(0.0, 2.0 * ENOUGH).__next__
    assert session.tick(MOST_STEPS * STEP)
    assert session.time == pytest.approx(STEP)
    play.stop()


def test_pause_holds_and_reset_begins_again() -> None:
    """While it is paused nothing moves; a reset starts from the rest pose and goes on."""
    _, _, hinge = hatch()
    session = play.start(bpy.context.scene)
    started(session, 0.3)
    there = shown(hinge)
    session.is_paused = True
    assert not session.tick(STEP)
    assert shown(hinge) == there > 5.0
    session.want_reset()
    assert session.tick(STEP)
    assert session.time == pytest.approx(STEP)
    assert shown(hinge) < 1.0
    play.stop()


def test_loop_begins_again() -> None:
    """With a loop of half a second it never gets further."""
    hatch()
    settings().use_loop, settings().loop_seconds = True, 0.5
    session = play.start(bpy.context.scene)
    started(session, 1.2)
    assert session.time == pytest.approx(0.2)
    play.stop()


def test_settings_can_change_while_it_plays() -> None:
    """Gravity goes off on the way; substeps and the reading of soft locks begin again."""
    _, flap, _ = hatch()
    session = play.start(bpy.context.scene)
    started(session, 0.2)
    session.settings.use_gravity = False
    started(session, 0.1)
    assert session.time == pytest.approx(0.3)
    session.settings.use_substeps, session.settings.substeps = True, 2
    started(session, 0.1)
    assert session.time == pytest.approx(0.1)
    assert settings().use_gravity
    assert not settings().use_substeps
    play.stop()
    assert session.settings_changed
    assert not settings().use_gravity
    assert settings().substeps == 2
    assert tuple(flap.location) == (2.0, 0.0, 0.0)


def test_same_play_twice() -> None:
    """The same scene plays the same way, to the bit."""
    _, flap, _ = hatch()
    ends = []
    for _ in range(2):
        session = play.start(bpy.context.scene)
        started(session, 0.7)
        ends.append(tuple(flap.rotation_euler))
        play.stop()
    assert ends[0] == ends[1] != (0.0, 0.0, 0.0)


def test_only_what_hangs_together_with_the_selection_plays() -> None:
    """Of two hatches the selected one falls, whichever of its objects is selected."""
    frame, flap, _ = hatch()
    frame.name, flap.name = "Frame 1", "Flap 1"
    post, other = box("Post", (0.0, 9.0, 0.0)), box("Other", (2.0, 9.0, 0.0))
    bpy.context.scene.cursor.location = (1.0, 9.0, 0.0)
    hinge = joined("HINGE", post, other, direction="GLOBAL_Y")
    settings().which = "SELECTED"
    for chosen in (other, hinge, post, separated(hinge)):
        session = play.start(bpy.context.scene, [chosen])
        started(session, 0.3)
        assert other.location.z < -0.1
        assert flap.location.z == 0.0
        play.stop()
    lonely = box("Lonely", (0.0, 20.0, 0.0))
    with pytest.raises(play.PlayError, match="No selected object"):
        play.start(bpy.context.scene, [lonely])


def test_without_a_joint_there_is_nothing_to_play() -> None:
    """An empty scene says what to do, and leaves nothing behind."""
    box("Alone").omi_physics_body.is_body = True
    with pytest.raises(play.PlayError, match="join two objects"):
        play.start(bpy.context.scene)
    assert not play.is_playing()


def test_a_joint_that_cannot_play_is_named() -> None:
    """Where joints are there and nothing can move, the first error or the missing body is said."""
    _, flap, hinge = hatch()
    flap.omi_physics_body.type = "static"
    with pytest.raises(play.PlayError, match="make one dynamic"):
        play.start(bpy.context.scene)
    flap.omi_physics_body.type = "dynamic"
    hinge.omi_physics_joint.connected_body = None
    bpy.context.scene.omi_physics_preview.use_contacts = False
    with pytest.raises(play.PlayError, match=f"{hinge.name}: It has no second body. Choose"):
        play.start(bpy.context.scene)


def test_body_without_a_joint_stands() -> None:
    """There are no contacts, so a body that nothing holds would fall for ever."""
    hatch()
    ball = box("Ball", (0.0, 0.0, 9.0))
    ball.omi_physics_body.is_body = True
    session = play.start(bpy.context.scene)
    started(session, 0.5)
    assert tuple(ball.location) == (0.0, 0.0, 9.0)
    play.stop()


def test_kinematic_body_follows_its_animation() -> None:
    """A keyed frame carries its door along, the frame of the scene moves, and comes back."""
    frame, flap, hinge = hatch()
    frame.omi_physics_body.type = "kinematic"
    scene = bpy.context.scene
    scene.render.fps = 30
    frame.keyframe_insert("location", frame=10)
    frame.location.z = 3.0
    frame.keyframe_insert("location", frame=40)
    for curve in frame.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    scene.frame_set(10, subframe=0.25)
    bpy.context.view_layer.update()
    session = play.start(scene)
    started(session, 0.5)
    assert scene.frame_current_final == pytest.approx(25.25, abs=1e-3)
    assert frame.location.z == pytest.approx(3.0 * 15.25 / 30.0, abs=1e-4)
    gap = relative(hinge).translation.length
    assert gap == pytest.approx(0.0, abs=1e-4)
    assert flap.location.z > 0.5
    play.stop()
    assert (scene.frame_current, scene.frame_subframe) == (10, 0.25)
    assert tuple(flap.location) == (2.0, 0.0, 0.0)


def test_frame_stands_where_nothing_kinematic_is_animated() -> None:
    """Other animation is no reason to move the frame of the scene."""
    hatch()
    lamp = box("Lamp", (0.0, 5.0, 0.0))
    lamp.keyframe_insert("location", frame=1)
    session = play.start(bpy.context.scene)
    started(session, 0.2)
    assert bpy.context.scene.frame_current == 1
    play.stop()


def test_kinematic_body_goes_by_its_velocity() -> None:
    """Without an animation it keeps its own velocity, as in the file."""
    frame, _, hinge = hatch()
    frame.omi_physics_body.type = "kinematic"
    frame.omi_physics_body.linear_velocity = (0.0, 2.0, 0.0)
    session = play.start(bpy.context.scene)
    started(session, 0.5)
    assert tuple(frame.location) == pytest.approx((0.0, 1.0, 0.0), abs=1e-5)
    assert relative(hinge).translation.length == pytest.approx(0.0, abs=1e-4)
    play.stop()
    assert tuple(frame.location) == (0.0, 0.0, 0.0)


def test_static_body_with_a_joint_stands_under_a_moving_one() -> None:
    """What the solver holds still is shown still, though its parent moves."""
    _, flap, _ = hatch()
    anchor = box("Anchor", (4.0, 0.0, 4.0))
    anchor.omi_physics_body.is_body = True
    anchor.omi_physics_body.type = "static"
    anchor.parent = flap
    bpy.context.view_layer.update()
    there = anchor.matrix_world.translation.copy()
    weight = box("Weight", (6.0, 0.0, 4.0))
    bpy.context.scene.cursor.location = there
    joined("PIN", anchor, weight)
    session = play.start(bpy.context.scene)
    started(session, 0.3)
    assert flap.location.z < -0.1
    assert tuple(anchor.matrix_world.translation) == pytest.approx(tuple(there), abs=1e-5)
    play.stop()


def test_motor_runs() -> None:
    """A drive turns the door while it plays."""
    _, leaf, hinge = door(direction="GLOBAL_Z", use_range=False)
    leaf.omi_physics_body.mass = 1.0
    drive = hinge.omi_physics_joint.settings.drives.add()
    drive.freedom, drive.axis, drive.use_velocity_target = "angular", "1", True
    drive.angular_velocity_target, drive.damping = pi, 1e4
    session = play.start(bpy.context.scene)
    started(session, 0.5)
    assert angle(session, hinge) == pytest.approx(90.0, abs=2.0)
    play.stop()


def test_what_turns_by_its_own_velocity_turns_while_it_plays() -> None:
    """A turntable that nothing but its velocity leads, with what hangs on it."""
    table, leaf, _ = door(direction="GLOBAL_Z")
    table.omi_physics_body.type = "kinematic"
    table.omi_physics_body.angular_velocity = (0.0, 0.0, 1.2)
    before = leaf.matrix_world.translation.copy()
    started(play.start(bpy.context.scene), 0.5)
    assert table.matrix_world.to_euler().z == pytest.approx(0.6, abs=1e-3)
    assert (leaf.matrix_world.translation - before).length > 0.1
    play.stop()


def test_load_of_the_active_joint_in_blenders_axes() -> None:
    """Once the flap rests, the hinge carries its weight: the frame is pulled down along Z."""
    _, flap, hinge = hatch()
    flap.omi_physics_body.mass = 2.0
    session = play.start(bpy.context.scene)
    started(session, 4.0)
    (load,) = session.loads_of([hinge])
    assert load.force == pytest.approx((0.0, 0.0, -2.0 * 9.81), rel=1e-2, abs=0.2)
    assert session.loads_of([flap]) == []
    play.stop()


def test_loads_of_no_joint_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The panel asks at each redraw, also where a body is active: nothing is reported of others."""
    _, flap, _ = hatch()
    session = play.start(bpy.context.scene)
    monkeypatch.delattr(type(session.run.simulation), "joint_report")
    assert session.loads_of([None]) == []
    assert session.loads_of([flap]) == []
    play.stop()


def test_joint_that_bears_too_much_breaks() -> None:
    """The hinge gives way, the flap falls, the break has a name and a time; a reset mends it."""
    _, flap, hinge = hatch()
    hinge.omi_physics_breaking.use_breaking = True
    hinge.omi_physics_breaking.force = 12.0
    bpy.context.scene.omi_physics_preview.use_floor = False
    session = play.start(bpy.context.scene)
    started(session, 1.5)
    ((name, time),) = session.broken
    assert name == hinge.name
    assert 0.0 < time < 1.5
    assert flap.location.z < -3.0
    session.want_reset()
    started(session, 0.1)
    assert session.broken == []
    session.settings.use_breaking = False
    started(session, 1.5)
    assert session.broken == []
    play.stop()
    assert tuple(flap.location) == (2.0, 0.0, 0.0)


def test_one_session_at_a_time() -> None:
    """A second start stops the first one and puts its objects back."""
    _, flap, _ = hatch()
    first = play.start(bpy.context.scene)
    started(first, 0.3)
    second = play.start(bpy.context.scene)
    assert first.is_over
    assert tuple(flap.location) == (2.0, 0.0, 0.0)
    assert play.current() is second
    play.stop()


def test_button_needs_a_window() -> None:
    """Without one the operator says so and starts nothing."""
    hatch()
    select(bpy.data.objects["Door"])
    assert not bpy.ops.omi_joint.play.poll()
    assert not play.is_playing()
