# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache is let go where the mechanism was edited, and only there."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import pytest

from omi_physics_joint.blender import handlers
from omi_physics_joint.blender.bridge.poses.away import is_anything_away
from omi_physics_joint.blender.handles.operators import confirm
from omi_physics_joint.blender.handles.places import handles_allowed
from omi_physics_joint.blender.timeline import playback
from omi_physics_joint.blender.timeline.cache.storage import told_cache
from tests.blender.mouse import around, dragged, handle, ranged, side_view
from tests.blender.test_timeline import LAST, falling_door, raw, simulate
from tests.scenes import box, door, joined, separated

Edit = Callable[[], None]


def found(name: str) -> bpy.types.Object:
    """Return an object of the scene."""
    return bpy.data.objects[name]


def change_limit() -> None:
    """Let the door swing less."""
    found("Door Hinge").omi_physics_joint.settings.limits[0].linear_max = 0.1


def change_mass() -> None:
    """Make the door heavier."""
    found("Door").omi_physics_body.mass = 7.0


def change_gravity() -> None:
    """Go to the moon."""
    bpy.context.scene.gravity = (0.0, 0.0, -1.6)


def change_rate() -> None:
    """Show more frames a second."""
    bpy.context.scene.render.fps = 60


def let_break() -> None:
    """Let the hinge break."""
    found("Door Hinge").omi_physics_breaking.use_breaking = True


def let_touch() -> None:
    """Let the door touch its frame."""
    found("Door Hinge").omi_physics_joint.enable_collision = True


def harden() -> None:
    """Play soft locks as rigid ones."""
    bpy.context.scene.omi_physics_preview.soft_locks = "rigid"


def move_frame() -> None:
    """Move the hinge."""
    found("Door Hinge").location.x += 0.25


def move_partner_body() -> None:
    """Move the frame of the door, which stands."""
    found("Frame").location.z += 0.25


def move_body() -> None:
    """Move the door itself."""
    found("Door").location.y += 0.5


def stretch_body() -> None:
    """Scale the door by what is added to its own scale."""
    found("Door").delta_scale.x = 1.5


def delete_joint() -> None:
    """Remove the hinge."""
    bpy.data.objects.remove(found("Door Hinge"))


def delete_body() -> None:
    """Remove the door."""
    bpy.data.objects.remove(found("Door"))


def unlink_body() -> None:
    """Take the door out of the scene, as Delete does while the cache still knows it."""
    for collection in found("Door").users_collection:
        collection.objects.unlink(found("Door"))


def delete_second_body() -> None:
    """Remove the frame of the door, which stands: the joint is still there."""
    bpy.data.objects.remove(found("Frame"))


def mute() -> None:
    """Switch the joint off: it is still there."""
    found("Door Hinge").omi_physics_joint.mute = True


def add_body() -> None:
    """Add another body that falls, hung on the frame of the door."""
    stone = box("Stone")
    joined("PIN", found("Frame"), stone)


EDITS: dict[Edit, str] = {
    change_limit: "the joint Door Hinge was changed",
    change_mass: "the physics of Door was changed",
    change_gravity: "gravity was changed",
    change_rate: "the frame rate was changed",
    let_break: "the joint Door Hinge was changed",
    let_touch: "the joint Door Hinge was changed",
    harden: "how soft limits and breaking joints are played was changed",
    move_frame: "Door Hinge was moved",
    move_partner_body: "Frame was moved",
    move_body: "Door was moved",
    stretch_body: "Door was moved",
    delete_joint: "Door Hinge was deleted",
    delete_body: "a body was deleted",
    unlink_body: "Door was deleted",
    delete_second_body: "Frame was deleted",
    mute: "Door Hinge does not take part any more",
    add_body: "Stone was added",
}


@pytest.mark.parametrize("at", [1, 15])
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_edit_of_the_mechanism_lets_go(edit: Edit, at: int, request: pytest.FixtureRequest) -> None:
    """Bodies are at rest again, but for what the user moved, and the panel says what was edited."""
    if edit is let_touch:
        request.getfixturevalue("contacts")
    leaf = falling_door()
    rest = raw(leaf)
    simulate()
    scene = bpy.context.scene
    scene.frame_set(at)
    edit()
    edited = raw(found("Door")) if edit is move_body else rest
    scene.frame_set(9)
    assert told_cache(scene).outdated == EDITS[edit]
    if edit is not delete_body:
        assert raw(found("Door")) == edited
    scene.frame_set(LAST)
    if edit is not delete_body:
        assert raw(found("Door")) == edited
    bpy.ops.omi_joint.free_cache()
    if edit is not delete_body:
        assert raw(found("Door")) == edited


def rename() -> None:
    """Rename everything."""
    for data in (*bpy.data.objects, *bpy.data.node_groups, bpy.context.scene):
        data.name = f"Other {data.name}"


def add_bystander() -> None:
    """Add an object without physics."""
    box("Bystander", (0.0, 9.0, 0.0))


def add_floor() -> None:
    """Add a static body that no joint holds."""
    body = box("Floor", (0.0, 9.0, 0.0)).omi_physics_body
    body.is_body, body.type = True, "static"


def change_friction() -> None:
    """Change what only contacts use."""
    found("Door").omi_physics_body.collider.physics_material.static_friction = 0.9


def edit_mesh() -> None:
    """Change the look of the door inside the room that it takes."""
    mesh = found("Door").data
    mesh.vertices[0].co.x += 0.5
    mesh.update()


def change_end() -> None:
    """Make the scene longer."""
    bpy.context.scene.frame_end = 500


@pytest.mark.parametrize(
    "edit",
    [rename, add_bystander, add_floor, change_friction, edit_mesh, change_end],
    ids=lambda edit: edit.__name__,
)
def test_other_edits_leave_the_cache_valid(edit: Edit) -> None:
    """What does not change the motion does not cost it."""
    leaf = falling_door()
    simulate()
    scene = bpy.context.scene
    scene.frame_set(15)
    there = raw(leaf)
    edit()
    scene.frame_set(9)
    assert raw(leaf) != there
    scene.frame_set(15)
    assert told_cache(scene).outdated == ""
    assert raw(leaf) == there


def test_edit_that_is_taken_back_makes_it_valid_again() -> None:
    """A bound tried out and set back brings the motion back."""
    leaf = falling_door()
    simulate()
    scene = bpy.context.scene
    scene.frame_set(15)
    there, rest = raw(leaf), leaf.location.copy()
    scene.gravity.z = -5.0
    playback.refresh(scene)
    assert told_cache(scene).outdated
    assert leaf.location == rest or raw(leaf) != there
    scene.gravity.z = -9.81
    playback.refresh(scene)
    assert told_cache(scene).outdated == ""
    assert raw(leaf) == there


def test_other_rotation_mode_is_no_edit() -> None:
    """Quaternions instead of Euler angles show the same motion, and rest as before."""
    leaf = falling_door()
    leaf.rotation_euler = (0.1, 0.2, 0.3)
    simulate()
    scene = bpy.context.scene
    scene.frame_set(1)
    rest = leaf.matrix_world.copy()
    scene.frame_set(15)
    there = leaf.matrix_world.copy()
    leaf.rotation_mode = "QUATERNION"
    scene.frame_set(9)
    assert told_cache(scene).outdated == ""
    scene.frame_set(15)
    assert sum(abs(x) for row in leaf.matrix_world - there for x in row) < 1e-5
    scene.frame_set(1)
    assert sum(abs(x) for row in leaf.matrix_world - rest for x in row) < 1e-5


def test_rest_that_is_typed_is_kept_between_looks() -> None:
    """A body put back to its rest transform by hand was not edited at all."""
    leaf = falling_door()
    rest = tuple(leaf.location), tuple(leaf.rotation_euler)
    simulate()
    scene = bpy.context.scene
    scene.frame_set(15)
    leaf.location, leaf.rotation_euler = rest
    scene.frame_set(16)
    assert told_cache(scene).outdated == ""
    assert tuple(leaf.location) != rest[0]


@pytest.mark.parametrize(
    ("collider", "inertia", "reason"),
    [
        (None, 0.0, "the physics of Door was changed"),
        ("convex", 0.0, "the physics of Door was changed"),
        ("box", 0.0, ""),
        ("convex", 1.0, ""),
    ],
    ids=["no collider", "hull", "box", "typed inertia"],
)
def test_mesh_counts_where_inertia_is_guessed_from_it(
    collider: str | None, inertia: float, reason: str
) -> None:
    """A larger mesh is an edit of a body that turns as its mesh does, and of no other."""
    leaf = falling_door()
    body, scene = leaf.omi_physics_body, bpy.context.scene
    body.use_collider = collider is not None
    body.collider.shape.type = collider or "convex"
    body.inertia_diagonal = (inertia,) * 3
    scene.omi_physics_preview.use_contacts = False  # with them the mesh is what is touched
    simulate()
    for vertex in leaf.data.vertices:
        vertex.co.y *= 1.5
    leaf.data.update()
    scene.frame_set(9)
    assert told_cache(scene).outdated == reason


def test_bounds_are_dragged_where_the_cache_shows_motion() -> None:
    """A drag that is given up leaves the frame as it was shown; one that is kept lets it go."""
    _, leaf, joint = door(direction="GLOBAL_Y")
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    rest = raw(leaf)
    simulate()
    scene.frame_set(15)
    shown = raw(leaf)
    assert shown != rest
    assert handles_allowed(bpy.context)
    assert is_anything_away()
    place = handle(joint, "max", ranged(joint))
    way = around(joint, 1, place.point, 0.3)
    drag = dragged(joint, place, way, side_view(joint, 1))
    assert drag.changed
    drag.restore()
    playback.refresh(scene)
    assert (raw(leaf), told_cache(scene).outdated) == (shown, "")
    assert confirm(dragged(joint, place, way, side_view(joint, 1)))
    playback.refresh(scene)
    assert (raw(leaf), told_cache(scene).outdated) == (rest, f"the joint {joint.name} was changed")


def test_data_brought_up_to_date_keep_their_motion() -> None:
    """A joint of two objects becomes one when an older file is opened; its motion stays valid."""
    leaf = falling_door()
    hinge = found("Door Hinge")
    separated(hinge)
    simulate()
    scene = bpy.context.scene
    scene.frame_set(LAST)
    there = list(leaf.matrix_world.translation)
    scene.frame_set(5)
    hinge.omi_physics_joint.schema_version = 1
    handlers.bring_up_to_date()
    assert hinge.omi_physics_joint.connected_node is None
    playback.refresh(scene)
    playback.show(scene)
    assert not told_cache(scene).outdated
    scene.frame_set(LAST)
    assert list(leaf.matrix_world.translation) == pytest.approx(there, abs=1e-6)


PLACES: tuple[tuple[str, str, object], ...] = (
    *(("Door", name, (0.9, 0.1, 0.2, 0.3)) for name in ("delta_rotation_quaternion",)),
    *(("Door", name, (0.1, 0.2, 0.3)) for name in ("delta_location", "delta_rotation_euler")),
    *(("Door", name, (1.1, 1.2, 1.3)) for name in ("scale", "delta_scale")),
    *(("Frame", name, (0.1, 0.2, 0.3)) for name in ("location", "rotation_euler")),
    ("Limit", "influence", 0.5),
    ("Limit", "mute", True),
)
"""Of the door, its frame and what holds that: what says where they are, and another value."""


def test_each_number_that_places_a_body_counts() -> None:
    """Another one is an edit, and set back it is none."""
    falling_door()
    limit = found("Frame").constraints.new("LIMIT_LOCATION")
    simulate()
    scene = bpy.context.scene
    scene.frame_set(15)
    for owner, name, other in PLACES:
        one = limit if owner == "Limit" else found(owner)
        before = getattr(one, name)
        before = before.copy() if hasattr(before, "copy") else before
        setattr(one, name, other)
        playback.refresh(scene)
        assert told_cache(scene).outdated, name
        setattr(one, name, before)
        playback.refresh(scene)
        assert told_cache(scene).outdated == "", name
