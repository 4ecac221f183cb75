# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of a scene before it plays follows whatever it depends on, and is so."""

from __future__ import annotations

import importlib
from collections.abc import Callable

import bpy
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.simulated.running import Run
from tests.blender.test_play import started
from tests.blender.test_play_contacts import solid
from tests.blender.test_play_hand import Clock
from tests.blender.test_play_says import ragdoll
from tests.scenes import box, door, joined

outlook = importlib.import_module("omi_physics_joint.blender.play.outlook")

CHOICES = [
    ("unit_settings", "system", "IMPERIAL", "METRIC"),
    ("unit_settings", "length_unit", "MILLIMETERS", "METERS"),
    ("unit_settings", "scale_length", 0.01, 1.0),
    ("unit_settings", "system_rotation", "RADIANS", "DEGREES"),
    ("omi_physics_preview", "use_contacts", False, True),
    ("omi_physics_preview", "use_floor", False, True),
    ("omi_physics_preview", "use_gravity", False, True),
    ("omi_physics_preview", "steps", "godot", "exact"),
    ("omi_physics_preview", "soft_locks", "literal", "automatic"),
    ("", "use_gravity", False, True),
    ("", "gravity", (0.0, 0.0, 0.0), (0.0, 0.0, -9.81)),
]
"""Of a scene: a group, a choice, something else, and what is there."""


def faulty() -> None:
    """Make what is said in angles and lengths, what falls, stays and sags."""
    _, _, hinge = door(direction="GLOBAL_Y")
    limit = hinge.omi_physics_joint.settings.limits[-1]
    limit.angular_min, limit.angular_max = 1.0, 1.00001
    slider = joined("SLIDER", box("Cabinet", (0.0, 9.0, 0.0)), box("Drawer", (0.0, 12.0, 0.0)))
    for item in slider.omi_physics_joint.settings.limits:
        if item.freedom == "linear" and item.linear_max:
            item.linear_min, item.linear_max = 0.2, 0.2000001
    for obj in [*bpy.data.objects]:
        if obj.parent is None:
            obj.location.y += 20.0
    for body in ragdoll():
        body.omi_physics_body.use_collider = False
    solid("Stone", (-20.0, 0.0, 5.0))


@pytest.mark.usefixtures("contacts")
@pytest.mark.parametrize("choice", CHOICES, ids=lambda one: one[1])
def test_what_is_said_follows_each_choice_there_and_back(
    choice: tuple[str, str, object, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a script sets it, which nobody announces: it is what a first look says."""
    clock = Clock()
    monkeypatch.setattr(outlook, "monotonic", clock)
    faulty()
    scene, (group, name, other, usual) = bpy.context.scene, choice
    owner = getattr(scene, group) if group else scene
    setattr(owner, name, usual)
    told = {}
    for value in (usual, other, usual, other):
        setattr(owner, name, value)
        clock.now += 100.0
        found = play.outlook(scene)
        assert found == outlook._Outlook().of(scene)
        assert told.setdefault(str(value), found) == found
    if name not in {"soft_locks", "scale_length"}:
        assert len({str(one) for one in told.values()}) == 2


@pytest.mark.parametrize("count", range(1, 7))
def test_each_of_several_faults_is_told_up_to_four(count: int) -> None:
    """Not only the first, and not so many that nothing else is left of the panel."""
    for index in range(count):
        _, _, hinge = door(direction="GLOBAL_Y")
        hinge.name = f"Hinge {index}"
        limit = hinge.omi_physics_joint.settings.limits[-1]
        limit.angular_min, limit.angular_max = 1.0, 1.00001
        for obj in bpy.data.objects:
            if obj.parent is None:
                obj.location.y += 9.0
    bpy.context.view_layer.update()
    told = [one for one in play.outlook(bpy.context.scene) if one.startswith("Hinge ")]
    assert [one[:8] for one in told] == [f"Hinge {at}:" for at in range(count)][: outlook.MOST]


def static(body: bpy.types.PropertyGroup) -> None:
    """Have it stand."""
    body.type = "static"


def kinematic(body: bpy.types.PropertyGroup) -> None:
    """Have it be led."""
    body.type = "kinematic"


def immovable(body: bpy.types.PropertyGroup) -> None:
    """Have no force move it."""
    body.infinite_mass = True


def weightless(body: bpy.types.PropertyGroup) -> None:
    """Have no gravity pull it."""
    body.gravity_factor = 0.0


def as_it_is(_body: bpy.types.PropertyGroup) -> None:
    """Leave it."""


HOLDS: tuple[Callable[..., None], ...] = (as_it_is, static, kinematic, immovable, weightless)


@pytest.mark.parametrize("where", [(0,), (1,), (0, 1)], ids=str)
@pytest.mark.parametrize("how", HOLDS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("pulls", ["", "play", "scene"])
def test_what_is_said_to_fall_falls_and_nothing_else(
    how: Callable[..., None], where: tuple[int, ...], pulls: str
) -> None:
    """Whichever of two bodies is held, and whoever has switched gravity off."""
    bodies = ragdoll()
    for at in where:
        how(bodies[at].omi_physics_body)
    scene = bpy.context.scene
    scene.omi_physics_preview.use_contacts = False
    scene.use_gravity = pulls != "scene"
    scene.omi_physics_preview.use_gravity = pulls != "play"
    if len(where) == 2 and how in {static, kinematic}:
        return  # nothing plays there
    said = any("fall" in one for one in play.outlook(scene))
    session = play.start(scene)
    assert any("fall" in one for one in session.remarks) is said
    before = bodies[0].matrix_world.translation.z + bodies[1].matrix_world.translation.z
    started(session, 0.5)
    after = bodies[0].matrix_world.translation.z + bodies[1].matrix_world.translation.z
    play.stop()
    if how is weightless and len(where) == 1:
        return  # one that is pulled draws the other along: it falls, and slower
    assert (after < before - 0.5) is said


def test_all_that_is_too_stiff_is_named() -> None:
    """Two flaps on stops of 1e7 N m/rad, each with a stop of its own."""
    hinges = []
    for name in ("Left", "Right"):
        _, flap, hinge = door(direction="GLOBAL_Y")
        flap.omi_physics_body.mass, hinge.name = 1.0, name
        stop = next(one for one in hinge.omi_physics_joint.settings.limits if one.angular_max)
        stop.angular_min, stop.angular_max = -0.5, 0.5
        stop.use_stiffness, stop.stiffness = True, 1e7
        hinges.append(hinge)
        for obj in bpy.data.objects:
            if obj.parent is None:
                obj.location.y += 9.0
    bpy.context.view_layer.update()
    session = play.start(bpy.context.scene)
    while not session.run.stiff and session.time < 2.0:
        session.run.step(STEP)
    assert "Left and Right" in session.approximations[-1]
    assert {session.simulated.joint_node(one) for one in hinges} == set(session.run.stiff)
    play.stop()


def parted(objects: list[bpy.types.Object]) -> bpy.types.Collection:
    """Put objects into a collection of their own, which the scene does not show."""
    collection = bpy.data.collections.new("Apart")
    for obj in objects:
        for user in obj.users_collection:
            user.objects.unlink(obj)
        collection.objects.link(obj)
    return collection


@pytest.mark.parametrize("shows", [False, True])
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("contacts", [False, True])
def test_instances_are_neither_hidden_bodies_nor_the_joint(
    shows: bool, count: int, contacts: bool
) -> None:
    """The loads of a joint are those of the one that moves, wherever else its collection stands."""
    bpy.context.scene.omi_physics_preview.use_contacts = contacts
    frame, leaf, hinge = door(direction="GLOBAL_Y")
    for body in (frame, leaf):
        body.omi_physics_body.use_collider = True
    collection = parted([frame, leaf, hinge])
    if shows:
        bpy.context.scene.collection.children.link(collection)
    else:
        door(direction="GLOBAL_Y")
    for at in range(count):
        bpy.ops.object.collection_instance_add(collection="Apart", location=(0.0, 20.0 + at, 0.0))
    bpy.context.view_layer.update()
    session = play.start(bpy.context.scene)
    assert session.simulated.hidden == ""
    node = session.simulated.joint_node(hinge)
    assert node is not None
    assert (session.simulated.placed[node].instance is None) is shows
    play.stop()


@pytest.mark.parametrize("how", ["cleared", "deleted", "elsewhere"])
def test_a_joint_below_nothing_is_told_of_by_the_name_of_its_body(how: str) -> None:
    """That is what the user looks for; the joint stands before the sentence."""
    box("Bystander", (0.0, 5.0, 0.0))
    _, leaf, hinge = door()
    if how == "cleared":
        world = hinge.matrix_world.copy()
        hinge.parent, hinge.matrix_world = None, world
    elif how == "deleted":
        with bpy.context.temp_override(selected_objects=[leaf]):
            bpy.ops.object.delete()
    else:
        other = bpy.data.scenes.new("Other")
        bpy.context.scene.collection.objects.unlink(leaf)
        other.collection.objects.link(leaf)
    bpy.context.view_layer.update()
    (told,) = [one for one in play.outlook(bpy.context.scene) if one.startswith(hinge.name)]
    said = told.removeprefix(f"{hinge.name}: ")
    assert "Door" in said
    assert hinge.name not in said
    assert "Bystander" not in said
    if how == "cleared":
        assert said.startswith("It is not parented to Door any more")
        assert "Parent it to Door again" in said


@pytest.mark.parametrize("substeps", [1, 4, 60])
@pytest.mark.parametrize("is_on", [False, True])
def test_substeps_are_set_where_they_are_switched_on(substeps: int, is_on: bool) -> None:
    """If off there are as many as the solver needs, whatever number stands there."""
    door(direction="GLOBAL_Y")
    settings = bpy.context.scene.omi_physics_preview
    settings.substeps, settings.use_substeps = substeps, is_on
    session = play.start(bpy.context.scene)
    assert isinstance(session.run, Run)
    assert session.run.options.substeps == (substeps if is_on else None)
    play.stop()


@pytest.mark.parametrize("floor", [False, True])
@pytest.mark.parametrize("solids", [(), (0,), (1,), (0, 1), (1, 2), (0, 1, 2)], ids=str)
def test_what_passes_through_each_other_is_told_of_where_it_could_meet(
    solids: tuple[int, ...], floor: bool
) -> None:
    """Something solid that moves, and another solid or a floor; the first body stands."""
    for at, body in enumerate((box("Post", (0.0, 5.0, 0.0)), *ragdoll())):
        body.omi_physics_body.is_body = True
        body.omi_physics_body.use_collider = at in solids
    settings = bpy.context.scene.omi_physics_preview
    settings.use_contacts, settings.use_floor = False, floor
    session = play.start(bpy.context.scene)
    could = any(solids) and (floor or len(solids) > 1)
    assert session.apart == ("Bodies pass through each other: Contacts is off" if could else "")
    play.stop()


def test_of_what_locks_only_the_first_few_are_told() -> None:
    """However much of a scene cannot move: the sidebar is small."""
    for number in range(outlook.MOST + 2):
        case, lid = box(f"Case {number}", (5.0 * number, 0.0, 0.0)), box(f"Lid {number}")
        lid.location = (5.0 * number, 0.0, 2.0)
        for axis in ("GLOBAL_X", "GLOBAL_Y"):
            joined("HINGE", case, lid, direction=axis)
    session = play.start(bpy.context.scene)
    told = [one for one in session.remarks if "lock each other" in one]
    play.stop()
    assert len(told) == outlook.MOST
