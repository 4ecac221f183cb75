# SPDX-License-Identifier: GPL-3.0-or-later
"""What play says and marks: what nothing holds, pins, and forces that suit the mechanism."""

from __future__ import annotations

import sys

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.placed import absence, bodies_of
from omi_physics_joint.blender.overlay import extras
from omi_physics_joint.blender.play.outlook import worded
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.play.viewport.screen import (
    KEYS,
    OF_MECHANISM,
    heading,
    show_extras,
)
from omi_physics_joint.blender.simulated.reading import PlayError
from omi_physics_joint.blender.timeline.recording import Recorder
from omi_physics_joint.solver.engines.compiled import engine
from omi_physics_joint.solver.engines.kernel import Kernel
from tests.scenes import box, door, instanced, joined, select

SWITCH = "Switch Contacts on, join" if engine().name == "kernel" else "Join"
FALLS = f"Nothing holds Torso: it falls. {SWITCH} it to a static body, or turn gravity off"


def ragdoll() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return a torso and a head, both dynamic, with a pin between them."""
    torso, head = box("Torso"), box("Head", (0.0, 0.0, 2.0))
    bpy.context.scene.cursor.location = (0.0, 0.0, 1.0)
    joined("PIN", torso, head)
    torso.omi_physics_body.type = head.omi_physics_body.type = "dynamic"
    bpy.context.view_layer.update()
    return torso, head


@pytest.fixture(autouse=True)
def nothing_catches() -> None:
    """Have bodies pass through each other, which is when there is something to say."""
    bpy.context.scene.omi_physics_preview.use_contacts = False


def test_a_ragdoll_without_a_floor_is_named_before_and_while_it_plays() -> None:
    """Both times the same sentence says what falls and what to do; a static body ends it."""
    torso, _ = ragdoll()
    scene = bpy.context.scene
    assert play.outlook(scene) == [FALLS]
    session = play.start(scene)
    assert session.remarks == [FALLS]
    session.settings.use_gravity = False
    session.tick(STEP)
    assert session.remarks == []
    play.stop()
    scene.omi_physics_preview.use_gravity = True
    torso.omi_physics_body.type = "static"
    assert play.start(scene).remarks == []
    play.stop()


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (
            "Door",
            f"Door Hinge: Its body 'Door' {absence(None)}. Select",
        ),
        (
            "Frame",
            f"Door Hinge: Its second body 'Frame' {absence(None)}. Choose",
        ),
        (
            "bounds",
            "Hinge: The limit about Y has its minimum, 171.9°, above its maximum, 90°. Swap",
        ),
    ],
)
def test_joints_that_hold_nothing_are_named_before_and_while_it_plays(lost: str, said: str) -> None:
    """Play says which joint, what is wrong with it and what to do, also if nothing else moves."""
    _, _, joint = door()
    if lost == "bounds":
        joint.omi_physics_joint.settings.limits[2].angular_min = 3.0
    else:
        with bpy.context.temp_override(selected_objects=[bpy.data.objects[lost]]):
            bpy.ops.object.delete()
    bpy.context.view_layer.update()
    assert [text[: len(said)] for text in play.outlook(bpy.context.scene)] == [said]
    if lost != "bounds":
        with pytest.raises(PlayError, match=said):
            play.start(bpy.context.scene)
    bpy.context.scene.omi_physics_preview.use_contacts = True
    ragdoll()
    assert said in " ".join(worded(play.start(bpy.context.scene).issues))
    play.stop()


@pytest.mark.parametrize("holds", ["static", "kinematic"])
def test_what_is_held_is_not_said_to_fall(holds: str) -> None:
    """A static or kinematic body holds all that hangs on it."""
    torso, _ = ragdoll()
    torso.omi_physics_body.type = holds
    session = play.start(bpy.context.scene)
    assert session.remarks == []
    play.stop()


@pytest.mark.parametrize("copies", [1, 3])
def test_what_no_joint_holds_is_said_to_stay(copies: int) -> None:
    """A door that was duplicated without its hinge hangs in the air, and a sentence says why."""
    _, leaf, _ = door()
    scene = bpy.context.scene
    for _ in range(copies):
        select(leaf)
        bpy.ops.object.duplicate()
    said = "Door.001: No joint holds it, so it stays in place here."
    if copies > 1:
        said = "Door.001 and 2 others: No joint holds them, so they stay in place here."
    said += " Without Contacts only what joints hold is moved; with them, what has a collider too."
    assert play.outlook(scene) == [said]
    session = play.start(scene)
    assert said in worded(session.issues)
    assert heading(session).endswith(said)
    for _ in range(30):
        session.tick(STEP)
    assert bpy.data.objects["Door.001"].matrix_world.translation.z == 0.0
    play.stop()


def test_a_duplicate_with_its_joint_swings_beside_the_first() -> None:
    """A door and its hinge, duplicated and moved, have a joint of their own and play alike."""
    frame, leaf, hinge = door(direction="GLOBAL_Y")
    for obj in (frame, leaf):
        obj.rotation_euler = (0.0, 0.0, 0.4)
    select(leaf, hinge)
    bpy.ops.object.duplicate()
    copy = bpy.data.objects["Door.001"]
    copy.location.y += 30.0
    bpy.context.view_layer.update()
    joint = bpy.data.objects["Door Hinge.001"]
    assert [one.name for one in bodies_of(joint)] == ["Door.001", "Frame"]
    assert play.outlook(bpy.context.scene) == []
    session = play.start(bpy.context.scene)
    before = leaf.matrix_world.translation.copy()
    for _ in range(20):
        session.tick(STEP)
    apart = copy.matrix_world.translation - leaf.matrix_world.translation
    assert (leaf.matrix_world.translation - before).length > 0.05
    assert apart.length == pytest.approx(30.0, abs=1e-4)
    play.stop()


@pytest.mark.parametrize("how", ["no kernel", "godot"])
@pytest.mark.parametrize("contacts", [False, True])
def test_contacts_are_not_asked_for_where_there_are_none(
    how: str, contacts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not of what falls, nor where nothing can move: it would do nothing, or is on already."""
    settings = bpy.context.scene.omi_physics_preview
    settings.use_contacts = contacts
    if how == "godot":
        settings.steps = "godot"
    else:
        for name in ("simulated.running", "simulated.reading", "play.outlook"):
            module = sys.modules[f"omi_physics_joint.blender.{name}"]
            monkeypatch.setattr(module, "kernel", lambda: Kernel(None, reason="a test"))
    body = box("Ball")
    select(body)
    bpy.ops.omi_joint.body_add(type="dynamic")
    body.omi_physics_body.use_collider = True
    with pytest.raises(PlayError, match=r"join two objects first$"):
        play.start(bpy.context.scene)
    ragdoll()
    said = [one for one in play.outlook(bpy.context.scene) if "falls" in one]
    assert said == [FALLS.replace(SWITCH, "Join")]


def test_several_mechanisms_are_counted() -> None:
    """Of two ragdolls and a door only the ragdolls fall, in one sentence."""
    ragdoll()
    for obj in bpy.data.objects:
        obj.location.x += 20.0 * (obj.parent is None)
    ragdoll()
    door()
    session = play.start(bpy.context.scene)
    assert session.remarks == [
        f"Nothing holds Torso and Torso.001: they fall. {SWITCH} them to a static body, or turn "
        "gravity off"
    ]
    play.stop()


def test_what_is_pinned_falls_no_more() -> None:
    """A pin holds a whole ragdoll; of two the other one still falls, and without it both do."""
    ragdoll()
    for obj in bpy.data.objects:
        obj.location.x += 20.0 * (obj.parent is None)
    ragdoll()
    session = play.start(bpy.context.scene)
    node = session.simulated.node_of(bpy.data.objects["Torso"])
    assert node is not None
    session.run.pin(node)
    (remark,) = session.remarks
    assert remark.startswith("Nothing holds Torso.001: it falls")
    session.run.unpin(node)
    assert session.remarks[0].startswith("Nothing holds Torso and Torso.001: they fall")
    play.stop()


def test_axes_have_the_names_that_blender_gives_them() -> None:
    """A drive along the locked Z of a slider is about Z when it plays and in the timeline too."""
    slider = joined("SLIDER", box("Cabinet"), box("Drawer", (0.0, -2.0, 0.0)))
    drive = slider.omi_physics_joint.settings.drives.add()
    drive.freedom, drive.axis, drive.use_velocity_target = "linear", "2", True
    session = play.start(bpy.context.scene)
    recorder = Recorder(bpy.context.scene, range(1, 6))
    list(recorder.steps())
    recorder.close()
    for issues in (session.issues, recorder.issues):
        (message,) = [one.message for one in issues if one.code == "drive-on-locked-axis"]
        assert message == "A drive along Z does nothing: the axis is locked."
    play.stop()


def test_what_is_too_stiff_to_be_followed_is_named_by_play_and_timeline() -> None:
    """A flap falls onto a stop of 1e7 N m/rad: said while it plays and after, in one wording."""
    _, flap, hinge = door(direction="GLOBAL_Y")
    flap.omi_physics_body.mass = 1.0
    stop = next(one for one in hinge.omi_physics_joint.settings.limits if one.angular_max)
    stop.angular_min, stop.angular_max, stop.use_stiffness, stop.stiffness = -0.5, 0.5, True, 1e7
    recorder = Recorder(bpy.context.scene, range(1, 49))
    list(recorder.steps())
    recorder.close()
    (issue,) = [one for one in recorder.issues if one.code == "motion-not-followed"]
    session = play.start(bpy.context.scene)
    node, borne = session.simulated.joint_node(hinge), []
    while not session.run.stiff and session.time < 2.0:
        borne = [len(session.run.loads([node]))]
        session.run.step(STEP)
    assert borne == [1]
    assert session.run.loads([node]) == []  # a force of what was put in its place is none
    said = f"What pushes {hinge.name} is too stiff to be followed at 60 frames a second: "
    softer = "or make springs, drives and stops softer"
    told = f"{said}it gave way otherwise in 1 frame. Play slower, {softer}"
    assert session.approximations[-1] == told
    assert issue.message.startswith(said.replace("60", "24"))
    assert issue.fix == f"Raise the frame rate, {softer}."
    play.stop()


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_forces_suit_the_mechanism(scale: float) -> None:
    """The longest arrow is a fifth of what moves, and the weight is half of that, at any size."""
    frame, flap = box("Frame"), box("Flap", (2.0 * scale, 0.0, 0.0))
    for obj in (frame, flap):
        obj.scale = (scale,) * 3
    bpy.context.scene.cursor.location = (scale, 0.0, 0.0)
    bpy.context.view_layer.update()
    hinge = joined("HINGE", frame, flap)
    flap.omi_physics_body.mass = 3.0
    session = play.start(bpy.context.scene)
    session.tick(STEP)
    show_extras(session, [hinge])
    force, torque = extras.extras.forces
    across = 2.0 * scale * 3.0**0.5
    assert force.longest == pytest.approx(OF_MECHANISM * across, rel=1e-3)
    assert force.usual == pytest.approx(3.0 * 9.81)
    assert torque.usual == pytest.approx(0.5 * 3.0 * 9.81 * across, rel=1e-3)
    play.stop()
    extras.show()


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize(
    ("name", "number", "part"),
    [("infinite_mass", True, 0.0), ("gravity_factor", 0.0, 0.0), ("gravity_factor", -2.0, 2.0)],
)
def test_what_is_usual_is_what_gravity_can_do(
    name: str, number: float, part: float, at: int
) -> None:
    """To what is infinitely heavy it does nothing, and what it lifts pulls as hard as it weighs."""
    bodies = ragdoll()
    for body in bodies:
        body.omi_physics_body.mass = 3.0
    setattr(bodies[at].omi_physics_body, name, number)
    session = play.start(bpy.context.scene)
    usual = {round(one.force, 2) for one in session.simulated.usual.values()}
    assert usual == {round(3.0 * 9.81 * (1.0 + part), 2)}
    play.stop()


def test_a_pinned_body_is_marked_where_it_was_taken_hold_of() -> None:
    """The pin stands at the grabbed point, stays there, and goes when it is let go."""
    _, flap, hinge = door(direction="GLOBAL_Y", use_range=False)
    session = play.start(bpy.context.scene)
    node = session.simulated.node_of(flap)
    session.run.grab(node, (2.5, 0.3, 1.0))
    assert extras.extras.pins == ()
    before = session.marks
    session.run.pin(node)
    assert session.marks != before
    for _ in range(10):
        session.tick(STEP)
    show_extras(session, [hinge])
    (point,) = extras.extras.pins
    assert point == pytest.approx((2.5, 0.3, 1.0), abs=1e-5)
    session.run.unpin(node)
    show_extras(session, [])
    assert extras.extras.pins == ()
    play.stop()


def test_the_hand_is_nothing_that_somebody_made_too_stiff() -> None:
    """What pulls by the mouse is told of nowhere; a spring that gave way beside it is."""
    _, flap, hinge = door(direction="GLOBAL_Y")
    session = play.start(bpy.context.scene)
    session.run.grab(session.simulated.node_of(flap), (2.5, 0.3, 1.0))
    session.tick(STEP)
    hand = max(session.run.simulation.joint_nodes)
    assert hand >= len(session.simulated.mechanism.nodes)
    session.run.stiff.update({hand: 30})
    session.run.stiff_step = STEP
    assert session.approximations == []
    session.run.stiff.update({session.simulated.joint_node(hinge): 2})
    (said,) = session.approximations
    assert said.startswith("What pushes Door Hinge is too stiff")
    assert "in 2 frames" in said
    play.stop()


def test_a_body_that_was_not_grabbed_is_marked_at_its_origin() -> None:
    """Pins that were set without the mouse are seen as well."""
    _, flap, _ = door()
    session = play.start(bpy.context.scene)
    node = session.simulated.node_of(flap)
    session.run.pin(node)
    assert session.run.pins[node] == pytest.approx(np.array((2.0, 0.0, 0.0)), abs=1e-6)
    play.stop()


def test_icons_of_the_status_bar_are_blenders() -> None:
    """Blender has every icon that the status bar shows while joints play."""
    icons = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items
    assert {icon for _, used in KEYS for icon in used} <= set(icons.keys())


@pytest.mark.parametrize("by", ["play", "simulate"])
@pytest.mark.parametrize("fault", ["limit-reversed", "same-body"])
def test_a_fault_is_said_once_and_not_by_the_solver_too(fault: str, by: str) -> None:
    """Of reversed bounds that two joints share, and of a joint of one body beside another."""
    (_, _, hinge), (_, _, other) = door(), door()
    data = other.omi_physics_joint
    if fault == "same-body":
        data.connected_body = other.parent
    else:
        data.settings = hinge.omi_physics_joint.settings
        data.settings.limits[2].use_min, data.settings.limits[2].angular_min = True, 3.0
    if by == "play":
        found = play.start(bpy.context.scene).issues
        play.stop()
    else:
        recorder = Recorder(bpy.context.scene, range(1, 3))
        list(recorder.steps())
        found = recorder.issues
    assert [one.code for one in found] == [fault]


def test_joints_in_instances_alone_are_no_empty_scene() -> None:
    """Check knows them, as a file has them, and Play says why they stand and what to do."""
    instanced(*door())
    bpy.ops.omi_joint.check()
    assert bpy.context.window_manager.omi_physics_joint.title == "Check at frame 0"
    with pytest.raises(PlayError, match=r"collection instance.* Make the instance real"):
        play.start(bpy.context.scene)
