# SPDX-License-Identifier: GPL-3.0-or-later
"""What Check, Fix and panels say and do of one, of two and of many: each is meant, and counted."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import pytest

from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.check.diagnosis import bodies_on_bones
from omi_physics_joint.blender.check.fixes import FIXES
from omi_physics_joint.blender.interface import playing, redrawing, words
from omi_physics_joint.blender.purpose import chosen
from omi_physics_joint.blender.purpose.left_out import left_out, left_out_bodies, stood_still
from omi_physics_joint.blender.purpose.missing import missing
from omi_physics_joint.blender.purpose.panels import readers_in_words
from omi_physics_joint.model.joint import JointSettings, Limit
from omi_physics_joint.model.readers import PROFILES
from tests.scenes import box, door


@pytest.mark.parametrize("count", range(4))
@pytest.mark.parametrize("mute", range(3))
def test_drivers_that_do_not_run_are_counted_and_named(count: int, mute: int) -> None:
    """Those that are muted are nobody's fault."""
    for at in range(count):
        curve = box(f"Box {at}").driver_add("location", 0)
        curve.driver.expression = "no_such_name + 1"
        curve.mute = at < mute
    bpy.context.view_layer.update()
    found = [one for one in missing([bpy.context.scene]) if one.code == "driver-not-run"]
    told = list(range(mute, count))
    assert len(found) == bool(told)
    for one in found:
        start = "1 driver does not run" if len(told) == 1 else f"{len(told)} drivers do not run"
        assert one.message.startswith(start)
        assert ("it leads stays" in one.message) is (len(told) == 1)
        assert [at for at in range(count) if f"Box {at} (" in one.message] == told


@pytest.mark.parametrize("count", [1, 2, 3])
def test_bodies_on_bones_are_named(count: int) -> None:
    """Of an armature with a skin; one is, several are."""
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    skin = box("Skin")
    skin.modifiers.new("Armature", "ARMATURE").object = armature
    made = []
    for at in range(count):
        body = box(f"Body {at}", (3.0 * at, 9.0, 0.0))
        body.parent, body.parent_type, body.parent_bone = armature, "BONE", "Bone"
        body.omi_physics_body.is_body, body.omi_physics_body.type = True, "dynamic"
        made.append(body)
    (issue,) = bodies_on_bones([None, skin, *made])
    names = {1: "Body 0 is", 2: "Body 0 and Body 1 are", 3: "Body 0, Body 1 and Body 2 are"}
    assert issue.message.startswith(f"{names[count]} on bones")
    assert issue.where == armature.name


@pytest.mark.parametrize(
    ("kind", "is_bent", "told"),
    [("dynamic", True, ["Skin"]), ("dynamic", False, []), ("static", True, [])],
)
def test_a_body_that_is_a_skin_is_named(kind: str, is_bent: bool, told: list[str]) -> None:
    """Readers draw a skin where its bones are, so it must not be what moves."""
    bpy.ops.object.armature_add()
    armature, skin = bpy.context.object, box("Skin")
    skin.modifiers.new("Armature", "ARMATURE").object = armature if is_bent else None
    skin.omi_physics_body.is_body, skin.omi_physics_body.type = True, kind
    assert [one.where for one in bodies_on_bones([None, armature, skin])] == told


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("led", [(), (1,), (0, 2)])
def test_animated_bodies_that_stand_in_a_file_are_named(count: int, led: tuple[int, ...]) -> None:
    """Those that are led there too are not."""
    for at in range(count):
        body = box(f"Body {at}", (3.0 * at, 0.0, 0.0))
        body.omi_physics_body.is_body, body.omi_physics_body.type = True, "kinematic"
        body.keyframe_insert("location", frame=1)
    placed = placed_in_scene(bpy.context.scene)
    nodes = {one.object.name: index for index, one in enumerate(placed)}
    told = [at for at in range(count) if at not in led]
    found = list(stood_still(placed, {nodes[f"Body {at}"] for at in led if at < count}))
    assert len(found) == bool(told)
    for one in found:
        noun = "1 animated body" if len(told) == 1 else f"{len(told)} animated bodies"
        assert f"The file has {noun} (" in one.message
        assert [at for at in range(count) if f"Body {at}" in one.message] == told


@pytest.mark.parametrize("kind", ["LIGHT", "CAMERA"])
@pytest.mark.parametrize("lights", [None, False, True])
@pytest.mark.parametrize("cameras", [None, False, True])
def test_lamps_and_cameras_are_missed_by_the_option_of_their_own(
    kind: str, lights: bool | None, cameras: bool | None
) -> None:
    """Both are off where nothing was saved."""
    scene = bpy.context.scene
    options = {"export_lights": lights, "export_cameras": cameras}
    saved = {name: value for name, value in options.items() if value is not None}
    if saved:
        scene["glTF2ExportSettings"] = saved
    data = bpy.data.lights.new("Data", "SPOT") if kind == "LIGHT" else bpy.data.cameras.new("Data")
    obj = bpy.data.objects.new("Held", data)
    scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    assert not [*left_out_bodies(placed_in_scene(scene), scene)]  # nobody misses what is no body
    obj.omi_physics_body.is_body = True
    bpy.context.view_layer.update()
    is_in = lights if kind == "LIGHT" else cameras
    label = "Punctual Lights" if kind == "LIGHT" else "Cameras"
    said = left_out([box("Other"), obj], scene)
    expected = f"Held is a {kind.lower()}: glTF files have it only with {label} on at export."
    assert said == ("" if is_in else expected)
    assert len([*left_out_bodies(placed_in_scene(scene), scene)]) == (not is_in)


def test_readers_are_named_or_counted() -> None:
    """None is as specified, one has its name, several are so many."""
    names = [one.name for one in PROFILES]
    assert readers_in_words(set()) == "As specified"
    for one, profile in PROFILES.items():
        assert readers_in_words({one.name}) == f"For {profile.name}"
    for count in range(2, len(names) + 1):
        assert readers_in_words(set(names[:count])) == f"For {count} readers"


@pytest.mark.parametrize("dialect", ["PREFERENCES", "OMI", "KHR", "BOTH"])
def test_which_extensions_files_have_is_said_where_no_field_says_it(dialect: str) -> None:
    """A file for Godot has its own, whatever stands in the field, which is grey then."""
    scene = bpy.context.scene
    options = scene.omi_physics_joint
    options.dialect = dialect
    chooses = set()
    for target in [one.identifier for one in options.bl_rna.properties["target"].enum_items]:
        options.target = target
        said = chosen.extensions_in_words(scene)
        chooses.add(chosen.chooses_dialect(scene))
        if not chosen.chooses_dialect(scene):
            assert said == "Files have OMI"
        elif dialect == "PREFERENCES":
            assert said == "Files have OMI and Khronos"
        else:
            assert said == ""
    assert chooses == {False, True}


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize("count", [1, 2, 3])
def test_fix_mends_all_that_is_wrong_with_one_object(count: int, at: int) -> None:
    """Not only the first, wherever it stands among what is right."""
    _, leaf, hinge = door()
    limits = [Limit(angular_axes=(axis,), min=1.0, max=-1.0) for axis in range(count)]
    limits.insert(min(at, count), Limit(linear_axes=(0,), min=-1.0, max=1.0))
    hinge.omi_physics_joint.settings = new_settings(JointSettings("Odd", tuple(limits)))
    FIXES["limit-reversed"].mend(hinge)
    for item in hinge.omi_physics_joint.settings.limits:
        assert getattr(item, f"{item.freedom}_min") == -1.0
        assert getattr(item, f"{item.freedom}_max") == 1.0
    narrow = [Limit(angular_axes=(axis,), min=0.2, max=0.2 + 1e-6) for axis in range(count)]
    hinge.omi_physics_joint.settings = new_settings(JointSettings("Narrow", tuple(narrow)))
    said = FIXES["limit-narrow"].mend(hinge)
    assert [axis for axis in "XYZ" if f"about {axis}" in said] == list("XYZ"[:count])
    for _ in range(count):
        leaf.constraints.new("LIMIT_LOCATION")
    FIXES["constraint-on-body"].mend(leaf)
    assert all(one.mute for one in leaf.constraints)
    for kind in ("CLOTH", "SOFT_BODY", "CLOTH")[:count]:
        leaf.modifiers.new(kind.title(), kind)
    said = FIXES["soft-body-too"].mend(leaf)
    assert not any(one.show_viewport or one.show_render for one in leaf.modifiers)
    assert all(one.name in said for one in leaf.modifiers)


@pytest.mark.parametrize("fake", [False, True])
@pytest.mark.parametrize("users", [1, 2, 3])
def test_settings_are_said_to_be_shared_by_joints_alone(users: int, fake: bool) -> None:
    """Blender counts the shield of a data-block as a user."""
    said = words.shared_by(users + fake, fake=fake)
    assert said == (f"Shared by {users} joints: a change here changes all of them" * (users > 1))


@pytest.mark.parametrize("mode", ["force", "acceleration"])
@pytest.mark.parametrize("freedom", ["linear", "angular"])
def test_units_are_those_of_the_mode(freedom: str, mode: str) -> None:
    """By acceleration no mass is in them; the largest force is one in both."""
    newton = {"linear": "N", "angular": "N\u00b7m"}[freedom]
    assert words.unit_of(freedom, "max_force", mode) == newton
    by_force = {"linear": "N/m", "angular": "N\u00b7m"}[freedom]
    expected = by_force if mode == "force" else "1/s\u00b2"
    assert words.unit_of(freedom, "stiffness", mode) == expected
    assert words.unit_of(freedom, "stiffness") == by_force


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.0, 0.0, "fixed"),
        (1.0, 1.0, "held at 1 m"),
        (-1.0, -1.0, "held at -1 m"),
        (-1.0, 2.0, "-1 m to 2 m"),
        (-float("inf"), 2.0, "up to 2 m"),
        (-1.0, float("inf"), "from -1 m"),
    ],
)
def test_a_limit_is_said_as_it_holds(low: float, high: float, said: str, soft: bool) -> None:
    """What is held elsewhere than at zero is not just fixed; what is soft is said to be."""
    limit = Limit(linear_axes=(0,), min=low, max=high, stiffness=10.0 if soft else float("inf"))
    assert words.limit_row(limit) == f"Along X: {said}{', soft' * limit.is_soft}"
    assert limit.is_soft is soft


@pytest.mark.parametrize("count", [0, 1, 3])
def test_all_windows_are_drawn_anew(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A joint may be shown in each of them."""
    drawn: list[int] = []

    def window(at: int) -> SimpleNamespace:
        region = SimpleNamespace(type="WINDOW", tag_redraw=lambda: drawn.append(at))
        area = SimpleNamespace(type="VIEW_3D", regions=[region])
        other = SimpleNamespace(type="IMAGE_EDITOR", regions=[region])
        return SimpleNamespace(screen=SimpleNamespace(areas=[area, other]))

    manager = SimpleNamespace(windows=[window(at) for at in range(count)])
    context = SimpleNamespace(window_manager=manager)
    app = SimpleNamespace(background=False)
    monkeypatch.setattr(redrawing, "bpy", SimpleNamespace(app=app, context=context))
    redrawing.redraw()
    assert drawn == list(range(count))


def test_why_a_play_ended_is_said_once_it_is_over() -> None:
    """Not of one that goes on, nor of the one before."""
    first, second = (SimpleNamespace(is_over=False, reason="") for _ in range(2))
    playing.begin(first)
    assert playing.last_reason() == ""
    first.is_over, first.reason = True, "Stopped: a test"
    assert playing.last_reason() == "Stopped: a test"
    playing.begin(second)
    second.reason = "not yet"
    assert playing.last_reason() == ""
    assert playing.is_playing()
    second.is_over = True
    assert playing.last_reason() == "not yet"
    playing.begin(SimpleNamespace(is_over=True, reason=""))
    assert not playing.is_playing()
