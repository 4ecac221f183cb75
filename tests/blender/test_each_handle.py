# SPDX-License-Identifier: GPL-3.0-or-later
"""What every handle does alike, whichever joint it is of."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import pytest
from blender.everything import everything
from blender.mouse import FREE, pixel_of, side_view
from scenes import box, joined

from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.handles.frames import FrameDrag
from omi_physics_joint.blender.handles.operators import begin
from omi_physics_joint.blender.handles.places import PlacedHandle, placed_handles
from omi_physics_joint.blender.handles.values import HeldKeys
from omi_physics_joint.drawing.mouse.handles import Part
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit

SETTINGS = {
    "turn": JointSettings(
        "",
        (Limit(angular_axes=(1,), min=-0.5, max=1.0),),
        (Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, position_target=0.2, stiffness=1.0),),
    ),
    "slide": JointSettings(
        "",
        (Limit(linear_axes=(2,), min=-0.5, max=1.0),),
        (Drive(Freedom.LINEAR, DriveMode.FORCE, 2, position_target=0.2, stiffness=1.0),),
    ),
    "rope": JointSettings("", (Limit((0, 1, 2), (), 0.5, 1.5, together=True),)),
    "cone": JointSettings("", (Limit((), (0, 2), 0.2, 0.9, together=True),)),
}
CONSTRAINTS = ("", "X", "Y", "Z", "XX", "YY", "ZZ")


def held(kind: str) -> bpy.types.Object:
    """Return a joint with such settings, far from the origin and turned anyhow."""
    frame, door = box("Frame", (20.0, -3.0, 5.0)), box("Door", (22.2, -3.0, 5.0))
    frame.rotation_euler = door.rotation_euler = (0.3, -0.4, 1.1)
    joint = joined("HINGE", frame, door)
    joint.omi_physics_joint.settings = new_settings(SETTINGS[kind])
    bpy.context.view_layer.update()
    return joint


def ways(joint: bpy.types.Object) -> Iterator[tuple[PlacedHandle, str]]:
    """Yield each handle, and that of the whole joint once for each axis that it may keep to."""
    for place in list(placed_handles(joint)):
        kept = CONSTRAINTS if place.handle.part is Part.MOVE else ("",)
        yield from ((place, keys) for keys in kept)


def number(joint: bpy.types.Object, place: PlacedHandle) -> float:
    """Return the bound or target that a handle drags."""
    one, block = place.handle, joint.omi_physics_joint.settings
    if one.part is Part.TARGET:
        return float(getattr(block.drives[one.index], f"{one.freedom}_position_target"))
    return float(getattr(block.limits[one.index], f"{one.freedom}_{one.part}"))


def by(joint: bpy.types.Object, place: PlacedHandle, constraint: str, keys: HeldKeys) -> float:
    """Return how far a handle goes in m or rad by a few pixels with keys held; it is let go."""
    one = place.handle
    of_number = one.part not in {Part.MOVE, Part.TURN}
    before = number(joint, place) if of_number else 0.0
    drag = begin(bpy.context, joint, one)
    for axis in constraint:
        assert isinstance(drag, FrameDrag)
        drag.constrain(axis)
    axis = one.axis if one.part is not Part.MOVE else 1
    view = side_view(joint, (axis + 1) % 3 if one.freedom is Freedom.LINEAR else axis)
    x, y = pixel_of(view, place.point)
    drag.moved(bpy.context, view, (x, y), FREE)
    for step in (4.0, 8.0):
        drag.moved(bpy.context, view, (x + step, y + 1.5 * step), keys)
    if isinstance(drag, FrameDrag):
        way = drag.change.translation.length
        found = way if one.part is Part.MOVE else drag.change.to_quaternion().angle
    else:
        found = abs(number(joint, place) - before)
    drag.restore()
    bpy.context.view_layer.update()
    return found


@pytest.mark.parametrize("kind", SETTINGS)
def test_shift_goes_a_tenth_of_the_way(kind: str) -> None:
    """For bounds, targets and whole joints, along any axis; let go, nothing has changed."""
    joint = held(kind)
    before, found = everything(), list(ways(joint))
    for place, constraint in found:
        free, fine = (by(joint, place, constraint, keys) for keys in (FREE, HeldKeys(fine=True)))
        what = (place.handle.part, place.handle.axis, constraint, free, fine)
        assert free > 0.02, what
        assert fine == pytest.approx(0.1 * free, abs=0.006), what
    assert everything() == before
