# SPDX-License-Identifier: GPL-3.0-or-later
"""Play and Simulate name what falling bodies go through, as nobody has made bodies of it."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.simulated.passing import PlainMeshes
from tests.blender.test_play_contacts import pair, solid, started
from tests.redo import press
from tests.scenes import box, joined, select

pytestmark = pytest.mark.usefixtures("contacts")


def test_a_mesh_that_is_no_body_is_named_once_something_goes_through_it() -> None:
    """Stairs that were modelled and not made a body hold nobody up, nor does a plane."""
    pair()
    box("Stairs", (20.0, -20.0, -2.0))
    bpy.ops.mesh.primitive_plane_add(size=4.0, location=(20.0, -20.0, -0.5))
    box("Tree", (26.0, -20.0, 1.0))
    session = started(0.05, use_floor=False)
    assert not any("go through" in remark for remark in session.remarks)
    for _ in range(80):
        session.tick(STEP)
    said = [remark for remark in session.remarks if "go through" in remark]
    assert said == [
        "Stairs and Plane are no bodies, so others go through them. Stop, select them, and choose "
        "Object > Physics Joint > Make Static Body"
    ]
    session.reset()
    assert not any("go through" in remark for remark in session.remarks)
    play.stop()


def test_what_a_background_scene_shows_is_named_too() -> None:
    """A ground that is a static body in that scene is none here; what is in both is this one's."""
    ball = pair()[0]
    ground = solid("Ground", (20.0, -20.0, -2.0), dynamic=False)
    level = bpy.data.scenes.new("Level")
    for obj in (ground, ball):
        level.collection.objects.link(obj)
    bpy.context.scene.collection.objects.unlink(ground)
    bpy.context.scene.background_set = level
    session = started(0.05, use_floor=False)
    for _ in range(80):
        session.tick(STEP)
    (said,) = (remark for remark in session.remarks if "go through" in remark)
    assert said.startswith(
        "Ground of the scene Level is no body, so others go through it. Stop, link"
    )
    play.stop()


def test_what_is_held_may_swing_through_what_is_no_body() -> None:
    """A curtain beside a door is meant so; and what stands in a room is in that from the start."""
    frame, flap = box("Frame"), box("Flap", (2.0, 0.0, 0.0))
    bpy.context.scene.cursor.location = (1.0, 0.0, 0.0)
    joined("HINGE", frame, flap, direction="GLOBAL_Y", use_range=False)
    box("Curtain", (1.0, 0.0, -1.5))
    room = box("Room", (20.0, -20.0, 0.0))
    room.scale = (9.0, 9.0, 9.0)
    pair()
    session = started(0.05)
    for _ in range(80):
        session.tick(STEP)
        assert not any("go through" in remark for remark in session.remarks)
    play.stop()


def hidden(obj: bpy.types.Object) -> None:
    """Hide it with its eye."""
    obj.hide_set(True)


def switched_off(obj: bpy.types.Object) -> None:
    """Switch it off in views."""
    obj.hide_viewport = True


def part(obj: bpy.types.Object) -> None:
    """Make it hang below a body."""
    post = solid("Post", (40.0, -20.0, 0.0), dynamic=False)
    obj.parent, obj.matrix_parent_inverse = post, post.matrix_world.inverted()


def body(obj: bpy.types.Object) -> None:
    """Make a body of it that nothing can touch."""
    obj.omi_physics_body.is_body, obj.omi_physics_body.type = True, "static"


def curve(obj: bpy.types.Object) -> None:
    """Leave a curve there, which nobody expects to hold anything."""
    place = obj.location.copy()
    bpy.data.objects.remove(obj)
    bpy.ops.curve.primitive_bezier_circle_add(location=place)


def as_it_is(_obj: bpy.types.Object) -> None:
    """Leave it."""


@pytest.mark.parametrize(
    "make", [as_it_is, hidden, switched_off, part, body, curve], ids=lambda one: one.__name__
)
def test_only_meshes_that_are_seen_and_of_no_body_are_named(make: Callable[..., None]) -> None:
    """What hangs below a body is a part of it, and what nobody sees surprises nobody."""
    pair()
    stairs = box("Stairs", (20.0, -20.0, -2.0))
    make(stairs)
    bpy.context.view_layer.update()
    session = started(1.4, use_floor=False)
    assert any("go through" in one for one in session.remarks) is (make is as_it_is)
    play.stop()


@pytest.mark.parametrize(("loose", "touching"), [(False, False), (False, True), (True, True)])
def test_simulate_names_what_was_gone_through(*, loose: bool, touching: bool) -> None:
    """Both bodies of a mechanism, or a crate alone; where nothing touches, nobody expects it to."""
    bpy.context.scene.omi_physics_preview.use_contacts = touching
    bpy.context.scene.omi_physics_preview.use_floor = False
    if loose:
        solid("Crate", (20.0, -20.0, 0.0))
    else:
        pair()
    table = box("Table", (20.0, -20.0, -3.0))
    box("Tree", (26.0, -20.0, 1.0))
    for is_body in (False, True):
        bpy.context.scene.frame_end = 24
        bpy.ops.omi_joint.simulate()
        found = [
            one
            for one in bpy.context.window_manager.omi_physics_joint.issues
            if one.code == "went-through"
        ]
        assert [one.message for one in found] == ["Table is no body, so others go through it."] * (
            touching and not is_body
        )
        bpy.context.scene.frame_set(1)
        select(table)
        press("omi_joint.body_add", type="static")


def test_what_was_gone_through_is_said_until_the_reset() -> None:
    """Also while bodies are in it and far below; the way back to the start is no way through."""
    pair()
    box("Stairs", (20.0, -20.0, -2.0))
    session = started(0.05, use_floor=False)

    def said() -> bool:
        return any("go through" in one for one in session.remarks)

    for _ in range(2):
        course = []
        for _ in range(120):
            session.tick(STEP)
            course.append(said())
        assert course == sorted(course)
        assert course[-1]
        assert not course[0]
        session.want_reset()
        session.tick(STEP)
        assert not said()
    play.stop()


@pytest.mark.parametrize("peg", [0.1, 1.6])
def test_a_ring_that_its_hull_keeps_on_a_peg_is_named_by_play_and_simulate(peg: float) -> None:
    """It was to fall over that; on a block as wide as itself it lies as anyone expects."""
    solid("Peg", (20.0, -20.0, 0.0), dynamic=False).dimensions = (peg, peg, 1.0)
    bpy.ops.mesh.primitive_torus_add(location=(20.0, -20.0, 0.7), rotation=(0.2, 0.0, 0.0))
    bpy.context.object.name, bpy.context.object.scale = "Ring", (0.5, 0.5, 0.5)
    press("omi_joint.body_add", type="dynamic")

    def told(texts: list[str]) -> list[str]:
        return [text for text in texts if "no holes, so Ring touched Peg where" in text]

    session = started(1.0)
    assert len(told(session.remarks)) == (peg < 1.0)
    session.reset()
    assert not told(session.remarks)
    play.stop()
    bpy.context.scene.frame_end = 24
    bpy.ops.omi_joint.simulate()
    issues = bpy.context.window_manager.omi_physics_joint.issues
    assert len(told([one.message for one in issues])) == (peg < 1.0)


OUT, IN, STILL_IN, BEYOND = -5.0, -0.5, 0.5, 5.0
"""Places along a line through a mesh that is two metres wide."""
WAYS = {
    "comes and rests within": ((OUT, IN, STILL_IN), True),
    "goes through in one step": ((OUT, BEYOND), True),
    "comes back": ((IN, BEYOND, IN), True),
    "comes from beyond": ((BEYOND, STILL_IN, STILL_IN), True),
    "is within from the start": ((IN, STILL_IN, IN), False),
    "goes out": ((IN, STILL_IN, BEYOND), False),
    "stays outside": ((OUT, OUT - 1.0, OUT), False),
}


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("way", WAYS)
def test_what_comes_into_a_mesh_is_told_and_what_leaves_it_is_not(
    way: str, axis: int, *, beside: bool
) -> None:
    """Along each axis of the scene, also beside a body that rests elsewhere."""
    wall = box("Wall", (20.0, -20.0, 7.0))
    meshes = PlainMeshes(bpy.context.scene)
    path, is_told = WAYS[way]
    for _ in range(2):
        for place in path:
            x, y, z = (wall.location[one] + (place if one == axis else 0.0) for one in range(3))
            rows = [(x, z, -y), *[(0.0, 0.0, 0.0)] * beside]
            meshes.follow(np.array(rows))
        assert meshes.said[0].startswith("Wall is no body") is is_told
        meshes.forget()
        assert meshes.said == ("", "")
