# SPDX-License-Identifier: GPL-3.0-or-later
"""A hinge of what another body meets along several sides is at one of them."""

from __future__ import annotations

import bpy
import pytest
from blender.anyhow import axis_of, moved, parallel, whole
from mathutils import Euler, Vector
from scenes import instanced, joined, select, slab

LEFT = ((-0.5525, 0.0, 1.0), (0.1, 0.12, 2.1))
RIGHT = ((0.5525, 0.0, 1.0), (0.1, 0.12, 2.1))
TOP = ((0.0, 0.0, 2.0525), (1.2, 0.12, 0.1))
SILL = ((0.0, 0.0, -0.05), (1.2, 0.12, 0.1))
FRAMES = {
    "two jambs": (LEFT, RIGHT),
    "left and top": (LEFT, TOP),
    "right and top": (RIGHT, TOP),
    "frame": (LEFT, RIGHT, TOP),
    "sill, which it stands on": (LEFT, RIGHT, TOP, SILL),
    "jamb and sill": (RIGHT, SILL),
}


UPRIGHT = Euler((0.0, 0.0, 1.1))
OUT = Vector((0.0, -1.0, 0.0))


def made(
    stays: bpy.types.Object, moving: bpy.types.Object, *, applied: bool, turn: Euler = UPRIGHT
) -> tuple[Vector, Vector, Vector]:
    """Return place, axis and the middle of what moves, of a hinge, as before all was moved."""
    middle = moving.matrix_world.translation.copy()
    turned = moved(stays, moving, turn=turn)
    if applied:
        select(stays, moving)
        bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)
    back = turned.inverted()
    hinge = joined("HINGE", stays, moving)
    about = -axis_of(hinge)  # the joint frame is under what moves, and looks back
    return back @ hinge.matrix_world.translation, back.to_3x3() @ about, middle


@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize("frame", FRAMES)
def test_a_door_turns_about_a_jamb_of_its_frame(frame: str, applied: bool) -> None:
    """However many of its sides the frame is at, and at whichever the gap is the smallest."""
    stays = whole("Frame", *FRAMES[frame])
    door = slab("Door", (0.0, 0.0, 1.0), (1.0, 0.04, 2.0))
    place, axis, _ = made(stays, door, applied=applied)
    assert parallel(axis, Vector((0.0, 0.0, 1.0)))
    sides = [jamb[0][0] for jamb in FRAMES[frame] if jamb in (LEFT, RIGHT)]
    side = min(sides) if not applied else max(sides, key=lambda one: one * place.x)
    assert place.x == pytest.approx(side - 0.051 * (1.0 if side > 0.0 else -1.0), abs=3e-3)
    assert place.y == pytest.approx(0.0, abs=1e-4)


BOX = ((0.0, 0.0, 0.5), (0.8, 0.6, 1.0))
RIM = [((side * 0.39, 0.0, 0.5), (0.02, 0.6, 1.0)) for side in (-1.0, 1.0)] + [
    ((0.0, side * 0.29, 0.5), (0.76, 0.02, 1.0)) for side in (-1.0, 1.0)
]
LAID = {
    "lid on a solid box": ((BOX,), ((0.0, 0.0, 1.02), (0.8, 0.6, 0.04)), (0.0, 0.3, 1.0)),
    "lid on an open box": (RIM, ((0.0, 0.0, 1.02), (0.8, 0.6, 0.04)), (0.0, 0.3, 1.0)),
    "lid that stands out": ((BOX,), ((0.0, 0.0, 1.02), (0.84, 0.64, 0.04)), (0.0, 0.31, 1.0)),
    "door on a cabinet": ((BOX,), ((0.0, -0.31, 0.5), (0.78, 0.02, 0.98)), (-0.39, -0.3, 0.5)),
    "door on a tall cabinet": ((BOX,), ((0.41, 0.0, 0.5), (0.02, 0.6, 1.0)), (0.4, 0.3, 0.5)),
    "sheet on a box": ((BOX,), ((0.0, 0.0, 1.0), (0.8, 0.6, 0.0)), (0.0, 0.3, 1.0)),
    "sheet below a box": ((BOX,), ((0.0, 0.0, 0.0), (0.8, 0.6, 0.0)), (0.0, 0.3, 0.0)),
    "lid before a step": (
        (BOX, ((0.0, 0.2, 1.1), (0.8, 0.2, 0.2))),
        ((0.0, -0.1, 1.01), (0.8, 0.4, 0.02)),
        (0.0, 0.1, 1.0),
    ),
    "right door of a wardrobe": (
        (((0.0, 0.0, 1.0), (1.2, 0.6, 2.0)),),
        ((0.3, -0.31, 1.0), (0.58, 0.02, 1.96)),
        (0.59, -0.3, 1.0),
    ),
    "bonnet": (
        (((0.0, 0.0, 0.5), (1.8, 4.0, 0.6)),),
        ((0.0, -1.45, 0.81), (1.6, 1.0, 0.02)),
        (0.0, -0.95, 0.8),
    ),
    "door on the flank of a car": (
        (((0.0, 0.0, 0.5), (1.8, 4.0, 0.6)), ((0.0, 0.4, 1.0), (1.6, 2.0, 0.5))),
        ((-0.91, 0.0, 0.75), (0.02, 1.0, 0.8)),
        (-0.9, 0.5, 0.75),
    ),
    "screen on a keyboard": (
        [((0.0, 0.0, 0.01), (0.34, 0.24, 0.02))],
        ((0.0, 0.0, 0.03), (0.34, 0.24, 0.02)),
        (0.0, 0.12, 0.02),
    ),
}


@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize("case", LAID)
def test_what_lies_on_a_box_lifts_off_about_a_side(case: str, applied: bool) -> None:
    """A lid at the back, a door of a cabinet at an upright side: by a positive angle."""
    parts, (place, size), expected = LAID[case]
    stays, moving = whole("Box", *parts), slab("Lid", place, size)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    there, axis, middle = made(stays, moving, applied=applied, turn=Euler((0.0, 0.0, 0.2)))
    assert list(there) == pytest.approx(expected, abs=0.012)
    thin = min(range(3), key=lambda i: size[i])
    away = Vector([(i == thin) * (middle[i] - parts[0][0][i]) for i in range(3)]).normalized()
    assert axis.cross(middle - there).dot(away) > 0.9 * (middle - there).length


@pytest.mark.parametrize("handle", [None, -0.42, 0.42])
@pytest.mark.parametrize("end", [-0.5, 0.5])
def test_the_origin_of_a_hatch_tells_its_side(end: float, handle: float | None) -> None:
    """Whoever puts it at an edge has said where a hatch turns, but for one with a handle."""
    hole = [((side * 0.81, 0.0, 0.0), (0.6, 2.0, 0.1)) for side in (-1.0, 1.0)]
    hole += [((0.0, side * 0.81, 0.0), (1.0, 0.6, 0.1)) for side in (-1.0, 1.0)]
    stays, hatch = whole("Floor", *hole), slab("Hatch", (0.0, 0.0, 0.0), (1.0, 1.0, 0.04))
    bpy.context.scene.cursor.location = (end, 0.0, 0.0)
    select(hatch)
    bpy.ops.object.origin_set(type="ORIGIN_CURSOR")
    bpy.context.scene.cursor.location = (0.0, 0.0, 0.0)
    if handle is not None:
        grip = slab("Handle", (handle, 0.0, 0.06), (0.04, 0.12, 0.08))
        grip.parent, grip.matrix_parent_inverse = hatch, hatch.matrix_world.inverted()
        bpy.context.view_layer.update()
    hinge = joined("HINGE", stays, hatch, place="AUTO")
    side = end if handle is None else -0.5 if handle > 0.0 else 0.5
    assert parallel(axis_of(hinge), Vector((0.0, 1.0, 0.0)))
    assert hinge.matrix_world.translation.x == pytest.approx(1.01 * side, abs=3e-3)


def test_a_hand_on_a_dial_turns_across_it() -> None:
    """A bar within the face of a plate is no lid."""
    dial = slab("Dial", (0.0, 0.0, 0.0), (1.0, 0.02, 1.0))
    hand = slab("Hand", (0.1, -0.02, 0.0), (0.4, 0.02, 0.04))
    assert parallel(axis_of(joined("HINGE", dial, hand)), Vector((0.0, 1.0, 0.0)))


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("which", ["frame", "door", "both"])
def test_collection_instances_are_joined_where_they_are_seen(which: str, nested: bool) -> None:
    """Not at their empties, whose origins are anywhere."""
    frame = whole("Frame", *FRAMES["frame"])
    door = slab("Door", (0.0, 0.0, 1.0), (1.0, 0.04, 2.0))
    for _ in range(1 + nested):
        frame = instanced(frame) if which != "door" else frame
        door = instanced(door) if which != "frame" else door
    place, axis, _ = made(frame, door, applied=False)
    assert parallel(axis, Vector((0.0, 0.0, 1.0)))
    assert place.x == pytest.approx(-0.501, abs=3e-3)


@pytest.mark.parametrize("hung", [True, False])
@pytest.mark.parametrize("end", [-1.0, 1.0])
def test_an_origin_at_an_upright_edge_goes_before_a_handle(end: float, hung: bool) -> None:
    """A handle tells the other side of where it is, unless somebody has said where it is hung."""
    stays = whole("Frame", LEFT, RIGHT)
    door = slab("Door", (0.0, 0.0, 1.0), (1.0, 0.04, 2.0))
    if hung:
        bpy.context.scene.cursor.location = (0.5 * end, 0.0, 1.0)
        select(door)
        bpy.ops.object.origin_set(type="ORIGIN_CURSOR")
    handle = slab("Handle", (0.42 * end, -0.06, 1.0), (0.04, 0.08, 0.12))
    handle.parent = door
    handle.matrix_parent_inverse = door.matrix_world.inverted()
    bpy.context.view_layer.update()
    hinge = joined("HINGE", stays, door, place="AUTO")
    side = end if hung else -end
    assert hinge.matrix_world.translation.x == pytest.approx(0.5015 * side, abs=3e-3)
