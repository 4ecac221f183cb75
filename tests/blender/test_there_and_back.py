# SPDX-License-Identifier: GPL-3.0-or-later
"""What is changed and changed back is as it was, whatever was kept of it in between."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.poses.away import rest_pose
from omi_physics_joint.blender.overlay.drawn_joints import LIVE, REST
from omi_physics_joint.blender.timeline.cache.storage import told_cache
from omi_physics_joint.drawing.picture import Parts
from omi_physics_joint.drawing.strokes import MUTED, Role
from tests.blender.test_overlay import drawn
from tests.blender.test_play_hand import STEP, Hand, hand
from tests.blender.test_timeline import falling_door, simulate
from tests.scenes import box, door, joined

__all__ = ["hand"]

Objects = tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]


def bound(objects: Objects, *, is_other: bool) -> None:
    """Change a bound."""
    objects[2].omi_physics_joint.settings.limits[-1].angular_max = 0.5 if is_other else 1.0


def without_minimum(objects: Objects, *, is_other: bool) -> None:
    """Take a bound away."""
    objects[2].omi_physics_joint.settings.limits[-1].use_min = not is_other


def muted(objects: Objects, *, is_other: bool) -> None:
    """Mute the joint."""
    objects[2].omi_physics_joint.mute = is_other


def size(objects: Objects, *, is_other: bool) -> None:
    """Draw it larger."""
    objects[2].empty_display_size = 3.0 if is_other else 1.0


def other_body(objects: Objects, *, is_other: bool) -> None:
    """Move a body with its joint."""
    objects[1].location.z = 1.0 if is_other else 0.0


MODES = ("QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE")
EDITS = (bound, without_minimum, muted, size, other_body)


def shown() -> list[np.ndarray]:
    """Return all numbers of what is drawn."""
    seen = drawn()
    colours = np.zeros((MUTED + 1, len(Role), 4), np.float32)
    colours[:, :, 0], colours[:, :, 1] = np.arange(MUTED + 1)[:, None], np.arange(len(Role))
    pictures = [seen.picture(pool, seen.visible, Parts(), colours) for pool in (REST, LIVE)]
    batches = [part for one in pictures for part in (*one.lines.values(), one.fills)]
    return [numbers.copy() for one in batches for numbers in (one.points, one.colours)]


def same(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    """Return whether two drawings are the same."""
    return len(one) == len(other) and all(map(np.array_equal, one, other))


@pytest.mark.parametrize("is_active", [False, True])
@pytest.mark.parametrize("edit", EDITS, ids=lambda one: one.__name__)
def test_what_is_drawn_goes_there_and_back(edit: Callable[..., None], *, is_active: bool) -> None:
    """By scripts, which Blender announces to nobody, and twice, as what was seen is kept."""
    objects = door(direction="GLOBAL_Z", angle_min=0.0, angle_max=1.0)
    edit(objects, is_other=False)
    bpy.context.view_layer.objects.active = objects[2] if is_active else None
    before = shown()
    for _ in range(2):
        edit(objects, is_other=True)
        assert not same(shown(), before)
        edit(objects, is_other=False)
        assert same(shown(), before)


@pytest.mark.parametrize(("old", "new"), [*permutations(MODES, 2)])
def test_who_wants_the_rest_pose_has_it_in_any_rotation_mode(old: str, new: str) -> None:
    """The mode may change while a frame is shown: what is saved and exported rests as it did."""
    leaf = falling_door()
    leaf.rotation_euler = (0.1, 0.2, 0.3)
    leaf.rotation_mode = old
    bpy.context.view_layer.update()
    rest = leaf.matrix_world.copy()
    simulate()
    scene = bpy.context.scene
    for mode in (new, old):
        scene.frame_set(15)
        there = leaf.matrix_world.copy()
        leaf.rotation_mode = mode
        for frame in (9, 15):
            scene.frame_set(frame)
            with rest_pose():
                bpy.context.view_layer.update()
                assert np.allclose(leaf.matrix_world, rest, atol=1e-5)
        bpy.context.view_layer.update()
        assert np.allclose(leaf.matrix_world, there, atol=1e-5)
        assert told_cache(scene).outdated == ""


@pytest.mark.parametrize("ends", ["released", "pinned", "reset", "pinned by key"])
def test_the_mouse_is_blenders_again_once_no_body_is_in_hand(hand: Hand, ends: str) -> None:
    """However the pull ended, the next release is of a press that Blender had, as in our tab."""
    hand.does("LEFTMOUSE", "PRESS", 2.5, 0.3)
    hand.does("MOUSEMOVE", "NOTHING", 3.0, -0.5)
    if ends == "reset":
        hand.does("R", "PRESS", 3.0, -0.5)
    elif ends == "pinned by key":
        hand.does("P", "PRESS", 3.0, -0.5)
    else:
        told = hand.does("LEFTMOUSE", "RELEASE", 3.0, -0.5, shift=ends == "pinned")
        assert told == {"RUNNING_MODAL"}
    hand.session.tick(STEP)  # where a reset is done
    assert hand.session.run.spring is None
    for kind, value in (("MOUSEMOVE", "NOTHING"), ("LEFTMOUSE", "RELEASE")):
        assert hand.does(kind, value, -3.0, 2.0) == {"PASS_THROUGH"}
    assert hand.session.run.spring is None
    play.stop()


@pytest.mark.parametrize("led", [False, True])
@pytest.mark.parametrize("kind", ["WELD", "HINGE"])
def test_what_stands_in_play_stands_where_it_is_whatever_its_keys_say(
    kind: str, *, led: bool
) -> None:
    """Joints move a dynamic body, and where they let nothing move, its keys do not either.

    With a body that is led the frames of the scene go by, and Blender moves what has keys.
    """
    frame, leaf = box("Frame"), box("Leaf", (3.0, 0.0, 0.0))
    joined(kind, frame, leaf, direction="GLOBAL_Z")
    crank, arm = box("Crank", (0.0, 9.0, 0.0)), box("Arm", (3.0, 9.0, 0.0))
    joined("HINGE", crank, arm, direction="GLOBAL_Z")
    crank.omi_physics_body.type = "kinematic"
    for obj in (leaf, crank) if led else (leaf,):
        for time, place in ((1, obj.location.x), (20, 9.0)):
            obj.location.x = place
            obj.keyframe_insert("location", frame=time)
    bpy.context.scene.frame_set(1)
    session = play.start(bpy.context.scene)
    session.clock = lambda: 0.0
    for _ in range(30):
        assert session.tick(STEP), session.reason
        assert leaf.matrix_world.translation.x == pytest.approx(3.0, abs=1e-3)
    assert (crank.matrix_world.translation.x > 1.0) is led
    play.stop()
    assert (leaf.location.x, crank.location.x) == (3.0, 0.0)


@pytest.mark.parametrize("order", [*permutations(range(3), 2)])
def test_whatever_was_edited_before_an_edit_is_drawn(order: tuple[int, int]) -> None:
    """Settings are edited by turns, which are read again alone: none is forgotten by another."""
    blocks = []
    for number in range(3):
        bodies = box("Frame", (9.0 * number, 0.0, 0.0)), box("Leaf", (9.0 * number, 3.0, 0.0))
        joint = joined("HINGE", *bodies, angle_min=0.0, angle_max=1.0)
        blocks.append(joint.omi_physics_joint.settings)
    bpy.context.view_layer.objects.active = None
    drawn()
    for bound in (0.5, 0.75):
        for number in order:
            blocks[number].limits[-1].angular_max = bound
            maxima = [row.limits[-1].max for row in drawn().table.settings]
            assert maxima == pytest.approx([one.limits[-1].angular_max for one in blocks])
