# SPDX-License-Identifier: GPL-3.0-or-later
"""The drive of a joint's one axis, as the sidebar sets it."""

from __future__ import annotations

from math import inf, pi, radians

import bpy
import pytest
from mathutils import Euler, Matrix, Vector
from redo import press
from scenes import box, door, issues, joined, select, slab

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.presets import applying
from omi_physics_joint.blender.presets.carried import borne_by
from omi_physics_joint.model.joint import Drive, Freedom
from omi_physics_joint.model.wording.describe import drive_kind, summary

AWAY = Matrix.LocRotScale((20.0, -3.0, 1.0), Euler((0.4, 1.0, 2.0)), None)
KINDS = ("SPRING", "MOTOR", "SERVO")


def change(kind: str) -> set[str]:
    """Choose a kind in the sidebar."""
    return bpy.ops.omi_joint.change_drive(kind=kind)


def drive_of(joint: bpy.types.Object) -> Drive:
    """Return the only drive of a joint."""
    (drive,) = settings_of(joint).drives
    return drive


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_every_drive_becomes_every_other(first: str, second: str) -> None:
    """There is one drive on the joint's axis after each choice, of the chosen kind."""
    _, _, hinge = door()
    for kind in (first, second):
        change(kind)
        drive = drive_of(hinge)
        assert drive_kind(drive) == kind.lower()
        assert (drive.type, drive.axis) == (Freedom.ANGULAR, 1)
    change("NONE")
    assert settings_of(hinge).drives == ()


@pytest.mark.parametrize("kind", ["HINGE", "SLIDER"])
def test_strength_is_for_what_the_joint_carries(kind: str) -> None:
    """A body of nine times the mass gets nine times the strength, wherever it stands and turned."""
    found = []
    for mass in (2.0, 18.0):
        joint = joined(kind, box("Post"), box("Load", (0.0, 3.0, 0.0)))
        bodies = [bpy.data.objects[name] for name in ("Post", "Load")]
        for body, name in zip(bodies, ("Old Post", "Old Load"), strict=True):
            body.name = name
            body.matrix_world = AWAY @ body.matrix_world
        bodies[1].omi_physics_body.mass = mass
        drives = []
        for choice in KINDS:
            select(joint)
            change(choice)
            drives.append(drive_of(joint))
        found.append(drives)
    for light, heavy in zip(*found, strict=True):
        assert heavy.stiffness == pytest.approx(9.0 * light.stiffness, rel=0.02)
        assert heavy.damping == pytest.approx(9.0 * light.damping, rel=0.02)
        assert heavy.max_force == light.max_force == inf or heavy.max_force == pytest.approx(
            9.0 * light.max_force, rel=0.02
        )
    if kind == "SLIDER":
        assert found[0][0].stiffness == pytest.approx(2.0 * (2.0 * pi * 1.5) ** 2, rel=0.02)


@pytest.mark.parametrize("size", [0.02, 0.1, 1.0, 3.0])
def test_a_new_servo_bears_what_it_carries(size: float) -> None:
    """A lid that stands out level and could sink stays within five degrees, however small it is."""
    rim = slab("Rim", (0.0, 0.0, 0.0), (size, size, size))
    lid = slab("Lid", (0.0, size, 0.0), (size, size, 0.1 * size))
    upright = Matrix.LocRotScale((20.0, -3.0, 1.0), Euler((0.0, 0.0, 2.0)), None)
    for body in (rim, lid):
        body.matrix_world = upright @ body.matrix_world
    hinge = joined("HINGE", rim, lid)
    item = next(one for one in hinge.omi_physics_joint.settings.limits if sum(one.axes) == 1)
    item.angular_min, item.angular_max = -1.5, 1.5
    change("SERVO")
    assert "drive-too-weak" not in issues()
    session = play.start(bpy.context.scene)
    for _ in range(60):
        assert session.tick(STEP), session.reason
    tilt = lid.matrix_world.col[2].to_3d().angle(Vector((0.0, 0.0, 1.0)))
    play.stop()
    assert 0.0 < tilt < radians(5.0)


@pytest.mark.parametrize("kind", ["SPRING", "SERVO"])
@pytest.mark.parametrize("size", [0.02, 1.0])
@pytest.mark.parametrize("last", [0, 2])
def test_what_shares_its_drive_bears_all_that_hangs_there(
    kind: str, size: float, last: int
) -> None:
    """An arm that stands out level: its first joint bears three links, whichever is asked."""
    base = slab("Base", (0.0, 0.0, 0.0), (size, size, size))
    links = [
        slab("Link", ((n + 1.0) * size, 0.0, 0.0), (0.98 * size, 0.2 * size, 0.1 * size))
        for n in range(3)
    ]
    select(*links, base)
    press("omi_joint.create", kind="HINGE", chain=True, direction="LOCAL_Y")
    joints = [one for one in bpy.data.objects if one.omi_physics_joint.is_joint]
    (block,) = {one.omi_physics_joint.settings for one in joints}
    lost = bpy.data.objects.new("Lost", None)  # it carries nothing, so it needs nothing
    lost.omi_physics_joint.is_joint, lost.omi_physics_joint.settings = True, block
    select(joints[last])
    change(kind)
    assert "drive-too-weak" not in issues()
    weight = (
        sum((n + 1.0) * size * link.omi_physics_body.mass for n, link in enumerate(links)) * 9.81
    )
    drive = drive_of(joints[0])
    assert min(drive.max_force, 0.5 * drive.stiffness) > weight
    assert size > 0.1 or drive.stiffness < 80.0 * weight
    block.drives[0].stiffness, block.drives[0].max_force = weight, 0.9 * weight
    assert "drive-too-weak" in issues()


def along(name: str, start: Vector, end: Vector, thick: float) -> bpy.types.Object:
    """Return a bar along its Z between two points of the plane y = 0; its Y is Y."""
    way, side = (end - start).normalized(), Vector((0.0, 1.0, 0.0))
    turn = Matrix((side.cross(way), side, way)).transposed().to_4x4()
    bar = slab(name, (0.0, 0.0, 0.0), (thick, thick, (end - start).length))
    bar.matrix_world = AWAY @ Matrix.Translation(0.5 * (start + end)) @ turn @ bar.matrix_world
    return bar


@pytest.mark.parametrize("order", [("slide", "wrist", "head"), ("head", "slide", "wrist")])
@pytest.mark.parametrize("driven", ["slide", "pivot"])
def test_a_servo_in_a_loop_bears_all_of_the_loop(driven: str, order: tuple[str, ...]) -> None:
    """A digger's boom stands on its cylinder, or on a servo at its pivot, whatever is joined last.

    What hangs on the boom counts; what hangs on the digger beside it does not.
    """
    places = {
        "pivot": Vector((0.0, 0.0, 1.0)),
        "foot": Vector((0.6, 0.0, 0.5)),
        "head": Vector((1.5, 0.0, 1.3)),
        "wrist": Vector((4.0, 0.0, 2.0)),
    }
    places["slide"] = 0.5 * (places["foot"] + places["head"])
    digger = slab("Digger", (0.0, 0.0, 0.0), (2.0, 2.0, 1.0))
    digger.matrix_world = AWAY @ digger.matrix_world
    boom = along("Boom", places["pivot"], places["wrist"], 0.3)
    barrel = along("Barrel", places["foot"], places["slide"], 0.15)
    rod = along("Rod", places["slide"], places["head"], 0.08)
    bucket = along("Bucket", places["wrist"], Vector((4.0, 0.0, 1.0)), 0.5)
    pairs = {
        "pivot": (digger, boom),
        "foot": (digger, barrel),
        "head": (boom, rod),
        "slide": (barrel, rod),
        "wrist": (boom, bucket),
    }
    joints = {}
    for name in ("pivot", "foot", *order):
        bpy.context.scene.cursor.location = AWAY @ places[name]
        kind, way = ("SLIDER", "LOCAL_Z") if name == "slide" else ("HINGE", "LOCAL_Y")
        joints[name] = joined(kind, *pairs[name], direction=way, use_range=False)
        if name == driven:
            change("SERVO")
    ends = [AWAY.inverted() @ boom.matrix_world @ Vector((0.0, 0.0, end)) for end in (-1.0, 1.0)]
    session = play.start(bpy.context.scene)
    for _ in range(48):
        assert session.tick(STEP), session.reason
    sunk = [AWAY.inverted() @ boom.matrix_world @ Vector((0.0, 0.0, end)) for end in (-1.0, 1.0)]
    play.stop()
    assert (ends[0] - sunk[0]).length < 1e-3
    assert 1e-4 < (ends[1] - sunk[1]).length < 0.1
    light = along("Counterweight", Vector((-1.0, 0.0, 0.5)), Vector((-1.0, 0.0, 0.9)), 1.0)
    drive = drive_of(joints[driven])
    joined("WELD", digger, light)
    assert drive_of(joints[driven]) == drive


@pytest.mark.parametrize("size", [0.02, 0.1, 1.0])
def test_a_new_spring_opens_a_lid(size: float) -> None:
    """As soon as its target is up, however small the lid is and whichever way the box is turned."""
    box_, lid = slab("Box", (0.0, 0.0, 0.0), (size,) * 3), slab("Lid", (0.0, 0.0, 0.0), (size,) * 3)
    lid.data.transform(Matrix.Diagonal((1.0, 1.0, 0.1, 1.0)))
    upright = Matrix.LocRotScale((20.0, -3.0, 1.0), Euler((0.0, 0.0, 2.0)), None)
    lid.matrix_world = upright @ Matrix.Translation((0.0, 0.0, 0.55 * size))
    box_.matrix_world = upright
    hinge = joined("HINGE", box_, lid)
    change("SPRING")
    hinge.omi_physics_joint.settings.drives[0].angular_position_target = radians(90.0)
    assert "drive-too-weak" not in issues()
    session = play.start(bpy.context.scene)
    for _ in range(60):
        assert session.tick(STEP), session.reason
    tilt = lid.matrix_world.col[2].to_3d().angle(Vector((0.0, 0.0, 1.0)))
    play.stop()
    assert tilt > radians(20.0)


def test_targets_stay_where_they_mean_something() -> None:
    """A spring that becomes a servo pulls to where it did; a new one pulls to within the range."""
    _, _, hinge = door()
    block = hinge.omi_physics_joint.settings
    item = next(one for one in block.limits if sum(one.axes) == 1)
    item.angular_min = radians(20.0)
    change("SPRING")
    assert drive_of(hinge).position_target == pytest.approx(radians(20.0))
    block.drives[0].angular_position_target = radians(50.0)
    change("SERVO")
    assert drive_of(hinge).position_target == pytest.approx(radians(50.0))


@pytest.mark.parametrize(("low", "high", "aim"), [(-90, -10, -10), (-90, 30, 0), (10, 90, 10)])
def test_a_new_target_is_the_nearest_to_zero_in_the_range(low: int, high: int, aim: int) -> None:
    """A servo aims at zero, or where its joint may not go there at the end next to it."""
    _, _, hinge = door()
    limits = hinge.omi_physics_joint.settings.limits
    item = next(one for one in limits if sum(one.axes) == 1)
    item.angular_min, item.angular_max = radians(low), radians(high)
    change("SERVO")
    assert drive_of(hinge).position_target == pytest.approx(radians(aim))


def test_choosing_what_is_there_changes_nothing() -> None:
    """A motor that was set by hand stays as it is when Motor is chosen again."""
    _, _, hinge = door()
    change("MOTOR")
    hinge.omi_physics_joint.settings.drives[0].max_force = 7.0
    before = settings_of(hinge)
    change("MOTOR")
    assert settings_of(hinge) == before


def test_a_motor_takes_the_range_that_nobody_asked_for() -> None:
    """It would stop there; undo brings range and all back in one step, other drives keep it."""
    _, _, hinge = door()
    name = hinge.name
    for kind in ("SPRING", "SERVO", "NONE"):
        change(kind)
        assert "0° to 90°" in summary(settings_of(hinge))
    press("omi_joint.change_drive", kind="MOTOR")
    assert summary(settings_of(bpy.data.objects[name])).startswith("Hinge, motor")
    bpy.ops.ed.undo()
    assert summary(settings_of(bpy.data.objects[name])) == "Hinge, 0° to 90°"


@pytest.mark.parametrize("how", ["said", "edited", "asked for again"])
def test_a_motor_leaves_a_range_that_somebody_wants_and_check_says_where_it_stops(how: str) -> None:
    """Fix takes it away, which is nothing to do unasked."""
    _, _, hinge = door(**{"use_range": True} if how == "said" else {})
    block = hinge.omi_physics_joint.settings
    item = next(one for one in block.limits if sum(one.axes) == 1)
    if how == "edited":
        item.angular_max = 1.0
    change("MOTOR")
    if how == "asked for again":
        assert bpy.ops.omi_joint.limit_range() == {"FINISHED"}
        change("NONE")
        change("MOTOR")
    assert "° to " in summary(settings_of(hinge))
    assert issues()["motor-meets-bound"] == "hint"
    report = bpy.context.window_manager.omi_physics_joint
    row = next(at for at, one in enumerate(report.issues) if one.code == "motor-meets-bound")
    assert bpy.ops.omi_joint.issue_fix(index=row) == {"FINISHED"}
    assert summary(settings_of(hinge)).startswith("Hinge, motor")
    assert "motor-meets-bound" not in issues()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("joint", ["HINGE", "SLIDER"])
def test_a_fresh_drive_gets_no_word_from_check(joint: str, kind: str) -> None:
    """What we choose ourselves is right: nothing but what the engine may lack or give back."""
    post, leaf = box("Post"), box("Leaf", (2.0, 0.0, 0.0))
    made = joined(joint, post, leaf, **{"direction": "GLOBAL_X"} if joint == "SLIDER" else {})
    before = issues().keys()
    select(made)
    change(kind)
    assert issues().keys() - before <= {"godot-springs"}


@pytest.mark.parametrize("kind", ["WELD", "PIN"])
def test_joint_without_one_axis_is_driven_in_the_properties(kind: str) -> None:
    """Where nothing moves, or several axes do, the choice is grey."""
    joint = joined(kind, box("Post"), box("Load", (0.0, 3.0, 0.0)))
    select(joint)
    assert not bpy.ops.omi_joint.change_drive.poll()


def test_several_drives_on_one_axis_are_left_alone() -> None:
    """What the properties alone can show is not half replaced here."""
    _, _, hinge = door()
    change("MOTOR")
    other = hinge.omi_physics_joint.settings.drives.add()
    other.freedom, other.axis = "angular", "1"
    assert not bpy.ops.omi_joint.change_drive.poll()


def test_a_spring_between_two_that_turn_carries_both_against_each_other() -> None:
    """Of inertias I and J it is I J / (I + J), and along no axis that it does not turn about."""
    strengths = []
    for moving in ({"Load"}, {"Post"}, {"Post", "Load"}):
        bpy.ops.wm.read_homefile(use_empty=True)
        bodies = [box("Post"), box("Load", (0.5, 3.0, 2.5))]
        for body, mass in zip(bodies, (30.0, 2.0), strict=True):
            body.omi_physics_body.is_body = True
            body.omi_physics_body.type = "dynamic" if body.name in moving else "static"
            body.omi_physics_body.mass = mass
        joined("HINGE", *bodies, use_range=False, direction="GLOBAL_Z", place="CURSOR")
        for body in bodies:
            body.matrix_world = AWAY @ body.matrix_world
        bpy.context.view_layer.update()
        change("SPRING")
        joint = bpy.context.object
        strengths.append(drive_of(joint).stiffness)
        place = joint.matrix_world.inverted() @ bodies[1].matrix_world.translation
    one, other, both = strengths
    assert abs(place.y) > 1.0  # along which it is aimed
    # Of a cube of 2 m and 2 kg about its middle, and round the axis.
    assert one == pytest.approx(89.0 * 2.0 * (2.0 / 3.0 + place.xz.length_squared), rel=0.01)
    assert both == pytest.approx(one * other / (one + other), rel=0.01)


def test_of_equal_bodies_a_spring_bears_the_higher_one() -> None:
    """Whichever was selected first, and wherever its origin is."""
    for names in (("High", "Low"), ("Low", "High")):
        bpy.ops.wm.read_homefile(use_empty=True)
        bodies = {"High": box("High", (0.0, 0.0, 2.5)), "Low": box("Low")}
        bodies["High"].data.transform(Matrix.Translation((0.0, 0.0, 5.0)))
        bodies["High"].location.z -= 5.0
        for body in bodies.values():
            body.omi_physics_body.is_body = True
            body.omi_physics_body.type, body.omi_physics_body.mass = "dynamic", 3.0
        joint = joined("SLIDER", *(bodies[name] for name in names))
        assert borne_by(joint) == bodies["High"]


def test_a_motor_leaves_a_range_that_is_keyed() -> None:
    """Keys count limits, and somebody has asked for these."""
    for keyed in (False, True):
        bpy.ops.wm.read_homefile(use_empty=True)
        _, _, hinge = door()
        block = hinge.omi_physics_joint.settings
        if keyed:
            block.limits[-1].keyframe_insert("angular_max", frame=1)
        count = len(block.limits)
        change("MOTOR")
        assert (len(block.limits) == count) is keyed


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", ["weld", "chain", "by hand", "keyed", "beside", "of many"])
def test_a_drive_grows_along_with_what_is_hung_on_it_later(
    how: str, kind: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is as strong as one that is chosen then; what somebody has set, or keyed, stays.

    So do the drives of a mechanism of very many, which nobody would want to wait for.
    """
    monkeypatch.setattr(applying, "MOST_GROWN", 0 if how == "of many" else 1)
    post, arm, head, tip = (
        slab("Post", (0.0, 0.0, 1.0), (0.1, 0.1, 0.5)),
        slab("Arm", (0.3, 0.0, 1.0), (0.5, 0.05, 0.05)),
        slab("Head", (0.7, 0.0, 1.0), (0.3, 0.3, 0.3)),
        slab("Tip", (0.9, 0.0, 1.0), (0.1, 0.1, 0.1)),
    )
    for obj in (post, arm, head, tip):
        obj.matrix_world = AWAY @ obj.matrix_world
    joint = joined("HINGE", post, arm, direction="LOCAL_Z")
    change(kind)
    block = joint.omi_physics_joint.settings
    if how == "by hand":
        block.drives[0].damping *= 0.5
    if how == "keyed":
        block.drives[0].keyframe_insert("damping", frame=1)
    before = drive_of(joint)
    capfd.readouterr()
    joined("WELD", *((head, tip) if how == "beside" else (arm, head)))
    if how == "chain":
        joined("WELD", head, tip)
    now, is_said = drive_of(joint), "drive is as strong as suits" in capfd.readouterr().out
    assert is_said is (how in {"weld", "chain"})
    assert (now == before) is not is_said
    if is_said:
        select(joint)
        change("NONE")
        change(kind)
        assert drive_of(joint) == now
