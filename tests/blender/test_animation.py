# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation is found wherever it hides: strict exports lose no key, caches miss no edit of one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import bpy
import pytest
from omi_export import issues, two_bodies

from omi_physics_joint.blender.timeline import playback
from omi_physics_joint.blender.timeline.cache import fingerprint
from omi_physics_joint.blender.timeline.cache.storage import told_cache
from tests.blender.test_timeline import LAST, simulate
from tests.scenes import box, door

MASS = "omi_physics_body.mass"


def pushed_down(obj: bpy.types.Object) -> bpy.types.NlaStrip:
    """Move the action of an object into a strip of its own and return it."""
    data = obj.animation_data
    track = data.nla_tracks.new()
    strip = track.strips.new(data.action.name, 1, data.action)
    strip.action_slot = data.action_slot
    data.action = None
    return strip


def into_meta(obj: bpy.types.Object) -> bpy.types.NlaStrip:
    """Put the strips of an object into a meta strip, as the NLA editor does, and return that."""
    track = obj.animation_data.nla_tracks[0]
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    track.select = True
    for strip in track.strips:
        strip.select = True
    window = bpy.context.window_manager.windows[0]
    area = window.screen.areas[0]
    before, area.type = area.type, "NLA_EDITOR"
    region = next(one for one in area.regions if one.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=region):
        assert bpy.ops.nla.meta_add() == {"FINISHED"}
    area.type = before
    assert track.strips[0].type == "META"
    return track.strips[0]


def by_action(body: bpy.types.Object) -> None:
    """Key the mass."""
    body.keyframe_insert(MASS, frame=1)


def by_shared_action(body: bpy.types.Object) -> None:
    """Key the mass in the second slot of an action that another object uses too."""
    other = box("Bystander")
    other.keyframe_insert("location", frame=1)
    action = other.animation_data.action
    data = body.animation_data_create()
    data.action = action
    data.action_slot = action.slots.new("OBJECT", "Body")
    body.keyframe_insert(MASS, frame=1)
    assert body.animation_data.action == action


def by_strip(body: bpy.types.Object) -> None:
    """Key the mass in a strip."""
    by_action(body)
    pushed_down(body)


def by_meta_strip(body: bpy.types.Object) -> None:
    """Key the mass in a strip inside of another."""
    by_strip(body)
    into_meta(body)


def by_muted_track(body: bpy.types.Object) -> None:
    """Key the mass in a track that is switched off for now."""
    by_strip(body)
    body.animation_data.nla_tracks[0].mute = True


def by_driver(body: bpy.types.Object) -> None:
    """Drive the mass."""
    body.driver_add(MASS).driver.expression = "2 + 3"


@pytest.mark.parametrize(
    "animate",
    [by_action, by_shared_action, by_strip, by_meta_strip, by_muted_track, by_driver],
    ids=lambda animate: animate.__name__,
)
def test_strict_export_refuses_a_keyed_setting(
    animate: Callable[[bpy.types.Object], None], tmp_path: Path
) -> None:
    """Whatever animates the mass of a body, nothing is written, and the body is named."""
    _, second, _ = two_bodies()
    animate(second)
    bpy.context.scene.omi_physics_joint.strict = True
    with pytest.raises(RuntimeError, match="animated") as caught:
        bpy.ops.export_scene.gltf(filepath=str(tmp_path / "door.glb"))
    assert second.name in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_action_that_others_use_is_no_animation_of_this_body(tmp_path: Path) -> None:
    """Keys of a mass in the slot of another object leave a strict export alone."""
    _, second, _ = two_bodies()
    other = box("Bystander")
    other.keyframe_insert("location", frame=1)
    action = other.animation_data.action
    slot = action.slots.new("OBJECT", "Nobody")
    bag = action.layers[0].strips[0].channelbag(slot, ensure=True)
    bag.fcurves.new(MASS).keyframe_points.insert(1.0, 5.0)
    second.animation_data_create().action = action
    second.animation_data.action_slot = other.animation_data.action_slot
    bpy.context.scene.omi_physics_joint.strict = True
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "door.glb"))
    assert (tmp_path / "door.glb").is_file()


def carried_door() -> bpy.types.Object:
    """Return the animated cart that carries the frame of a falling door."""
    frame, _, _ = door(direction="GLOBAL_Y", use_range=False)
    frame.omi_physics_body.type = "kinematic"
    cart = bpy.data.objects.new("Cart", None)
    bpy.context.collection.objects.link(cart)
    frame.parent = cart
    for time, place in ((1, 0.0), (LAST, 1.0)):
        cart.location.z = place
        cart.keyframe_insert("location", frame=time)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    scene.frame_set(1)
    return cart


@pytest.mark.parametrize("is_written", [False, True])
def test_a_led_body_without_its_animation_is_named(is_written: bool, tmp_path: Path) -> None:
    """With Animation off a file has the door's frame stand still: a loss, which strict refuses."""
    carried_door()
    bpy.context.scene.omi_physics_joint.strict = True
    path = tmp_path / "door.glb"
    with suppress(RuntimeError):
        bpy.ops.export_scene.gltf(filepath=str(path), export_animations=is_written)
    assert ("body-not-led" in issues()) is not is_written
    assert path.is_file() is is_written


def led_by(how: str) -> None:
    """Have something move the cart, or nothing that it would not do without."""
    cart = carried_door()
    bag = cart.animation_data.action.layers[0].strips[0].channelbag(cart.animation_data.action_slot)
    if how == "constant":
        for point in bag.fcurves[2].keyframe_points:
            point.co.y, point.interpolation = 0.0, "LINEAR"
    elif how in ("strip", "muted"):
        pushed_down(cart)
        cart.animation_data.nla_tracks[0].mute = how == "muted"
    elif how == "driver":
        cart.animation_data_clear()
        cart.driver_add("location", 2).driver.expression = "frame * 0.1"


@pytest.mark.parametrize(
    ("how", "mode", "is_told"),
    [
        ("keys", "ACTIONS", False),
        ("keys", "NLA_TRACKS", True),
        ("constant", "NLA_TRACKS", False),
        ("strip", "NLA_TRACKS", False),
        ("strip", "ACTIVE_ACTIONS", True),
        ("muted", "ACTIVE_ACTIONS", False),
        ("driver", "ACTIONS", True),
        ("driver", "SCENE", False),
    ],
)
def test_a_led_body_is_named_where_no_channel_of_the_file_moves_it(
    how: str, mode: str, tmp_path: Path, *, is_told: bool
) -> None:
    """Whatever the mode of the exporter leaves out; what does not move here stands there too."""
    led_by(how)
    bpy.context.scene.frame_set(7)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "x.gltf"), export_animation_mode=mode)
    assert ("body-not-led" in issues()) is is_told
    assert bpy.context.scene.frame_current == 7


def outdated_by(edit: Callable[[], None]) -> str:
    """Simulate, edit, look for edits, and return why the motion is outdated."""
    simulate()
    scene = bpy.context.scene
    playback.refresh(scene)
    assert told_cache(scene).outdated == ""
    edit()
    playback.refresh(scene)
    return str(told_cache(scene).outdated)


def test_edited_keys_in_a_meta_strip_outdate_simulated_motion() -> None:
    """Keys are found however deep their strip lies."""
    cart = carried_door()
    strip = pushed_down(cart)
    curve = strip.action.layers[0].strips[0].channelbag(strip.action_slot).fcurves[2]
    into_meta(cart)

    def edit() -> None:
        curve.keyframe_points[1].co.y = 3.0

    assert outdated_by(edit) == "Cart was moved"


def move_strip(cart: bpy.types.Object) -> None:
    """Play a strip faster."""
    cart.animation_data.nla_tracks[0].strips[0].scale = 0.5


def mute_track(cart: bpy.types.Object) -> None:
    """Switch a track off."""
    cart.animation_data.nla_tracks[0].mute = True


def straighten(cart: bpy.types.Object) -> None:
    """Go from key to key in a straight line."""
    strip = cart.animation_data.nla_tracks[0].strips[0]
    for curve in strip.action.layers[0].strips[0].channelbag(strip.action_slot).fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


@pytest.mark.parametrize(
    "name",
    [
        *("frame_start", "frame_end", "action_frame_start", "action_frame_end", "scale", "repeat"),
        *("blend_in", "blend_out", "influence", "mute", "use_reverse"),
        *("blend_type", "extrapolation"),
    ],
)
def test_whatever_changes_what_a_strip_does_outdates_simulated_motion(name: str) -> None:
    """Each of its switches, ways to blend, and numbers."""
    cart = carried_door()
    strip = pushed_down(cart)
    kind, before = strip.bl_rna.properties[name], getattr(strip, name)

    def edit() -> None:
        if kind.type == "ENUM":
            value = next(one.identifier for one in kind.enum_items if one.identifier != before)
        else:
            value = not before if kind.type == "BOOLEAN" else before + 0.5 * (-1) ** (before == 1.0)
        setattr(strip, name, value)
        assert getattr(strip, name) != before

    assert outdated_by(edit) == "Cart was moved"


@pytest.mark.parametrize(
    "edit", [move_strip, mute_track, straighten], ids=lambda edit: edit.__name__
)
def test_edited_strip_outdates_simulated_motion(edit: Callable[[bpy.types.Object], None]) -> None:
    """What a strip does to its keys counts as the keys do."""
    cart = carried_door()
    pushed_down(cart)
    assert outdated_by(lambda: edit(cart)) == "Cart was moved"


def driven_door() -> tuple[bpy.types.Driver, bpy.types.Object]:
    """Return the driver of what carries a falling door, and the object that it looks at."""
    cart = carried_door()
    cart.animation_data_clear()
    knob = bpy.data.objects.new("Knob", None)
    bpy.context.collection.objects.link(knob)
    knob["pull"] = 0.25
    driver = cart.driver_add("location", 2).driver
    driver.type = "SCRIPTED"
    variable = driver.variables.new()
    variable.name = "pull"
    variable.targets[0].id = knob
    variable.targets[0].data_path = '["pull"]'
    place = driver.variables.new()
    place.name, place.type = "place", "TRANSFORMS"
    place.targets[0].id = knob
    place.targets[0].transform_type = "LOC_X"
    driver.expression = "pull + place"
    bpy.context.view_layer.update()
    return driver, knob


def edit_expression(driver: bpy.types.Driver, _knob: bpy.types.Object) -> None:
    """Reckon in another way."""
    driver.expression = "pull - place"


def edit_path(driver: bpy.types.Driver, _knob: bpy.types.Object) -> None:
    """Look at another property."""
    driver.variables["pull"].targets[0].data_path = "location.y"


def edit_channel(driver: bpy.types.Driver, _knob: bpy.types.Object) -> None:
    """Look at another axis."""
    driver.variables["place"].targets[0].transform_type = "LOC_Y"


def edit_target(driver: bpy.types.Driver, _knob: bpy.types.Object) -> None:
    """Look at nothing."""
    driver.variables["place"].targets[0].id = None


def edit_value(_driver: bpy.types.Driver, knob: bpy.types.Object) -> None:
    """Change what is looked at."""
    knob["pull"] = 0.5


def move_knob(_driver: bpy.types.Driver, knob: bpy.types.Object) -> None:
    """Move what is looked at."""
    knob.location.x = 0.5


@pytest.mark.parametrize(
    "edit",
    [edit_expression, edit_path, edit_channel, edit_target, edit_value, move_knob],
    ids=lambda edit: edit.__name__,
)
def test_edited_driver_outdates_simulated_motion(
    edit: Callable[[bpy.types.Driver, bpy.types.Object], None],
) -> None:
    """A driver is what it reckons, and what it looks at."""
    driver, knob = driven_door()
    assert outdated_by(lambda: edit(driver, knob)) == "Cart was moved"


def test_driver_that_looks_at_what_moves_leaves_the_motion_valid() -> None:
    """Neither another name nor another frame is an edit, and drivers may go in circles."""
    driver, knob = driven_door()
    circle = knob.driver_add("location", 1).driver.variables.new()
    circle.name = "other"
    circle.type = "TRANSFORMS"
    circle.targets[0].id = bpy.data.objects["Cart"]
    variable = driver.variables["place"]
    variable.targets[0].id = bpy.data.objects["Door"]

    def edit() -> None:
        knob.name = "Other"
        bpy.context.scene.frame_set(LAST)

    assert outdated_by(edit) == ""


def test_fingerprints_are_the_same_in_every_release_of_blender() -> None:
    """What says where objects are is one text on all releases: caches travel between them."""
    parent, child = bpy.data.objects.new("Parent", None), bpy.data.objects.new("Child", None)
    for obj in (parent, child):
        bpy.context.collection.objects.link(obj)
    child.parent = parent
    child.matrix_parent_inverse = ((1, 0, 0, 0.5), (0, 1, 0, 0), (0, 0, 1, 0.25), (0, 0, 0, 1))
    child.location, child.scale = (1.0, -2.5, 0.125), (2.0, 2.0, 0.5)
    parent.keyframe_insert("location", index=0, frame=1)
    pushed_down(parent)
    curve = parent.driver_add("scale", 1)
    curve.driver.expression = "2"
    curve.keyframe_points.clear()  # releases differ in what a new driver starts with
    for modifier in list(curve.modifiers):
        curve.modifiers.remove(modifier)
    curve.extrapolation = "LINEAR"
    text = repr([list(fingerprint.own_place(obj, ())) for obj in (parent, child)])
    assert blake2b(text.encode(), digest_size=8).hexdigest() == "710d51a71ae390cc"
    assert fingerprint.fingerprint(bpy.context.scene, ())
