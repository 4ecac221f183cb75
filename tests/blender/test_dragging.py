# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers that are dragged: what Alt does to the other bound, and what it leaves when let go."""

from __future__ import annotations

from math import pi, radians

import bpy
import pytest
from blender.mouse import handle
from scenes import box, joined, separated

from omi_physics_joint.blender.bridge.placed import is_seen_from_second
from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.handles.operators import begin
from omi_physics_joint.blender.handles.places import label_with_value
from omi_physics_joint.blender.joints.parts import ranged_limit
from omi_physics_joint.model.joint import JointSettings, Limit


def test_the_other_bound_returns_when_alt_is_let_go() -> None:
    """While Alt is held both bounds move alike; without it the other one is where it was."""
    joint = joined("WELD", box("Frame"), box("Door", (2.0, 0.0, 0.0)))
    limit = Limit(angular_axes=(1,), min=-0.5, max=0.5)
    joint.omi_physics_joint.settings = new_settings(JointSettings("Range", (limit,)))
    item = joint.omi_physics_joint.settings.limits[0]
    drag = begin(bpy.context, joint, handle(joint, "max").handle)
    for value, mirror, low, high in (
        (0.9, True, -0.9, 0.9),
        (0.7, False, -0.5, 0.7),
        (0.2, True, -0.2, 0.2),
        (-0.8, False, -0.5, -0.5),
    ):
        drag.set(value, mirror=mirror)
        found = (item.angular_min, item.angular_max)
        assert found == pytest.approx((low, high)), (value, mirror)


def leaning(freedom: str, low: float, high: float) -> bpy.types.Object:
    """Return a joint with one bound on three distances, or two angles, together."""
    joint = joined("WELD", box("Frame"), box("Door", (2.0, 0.0, 0.0)))
    axes = (0, 1, 2) if freedom == "linear" else (0, 1)
    limit = Limit(**{f"{freedom}_axes": axes}, min=low, max=high, together=True)
    joint.omi_physics_joint.settings = new_settings(JointSettings("Range", (limit,)))
    return joint


@pytest.mark.parametrize(("freedom", "most"), [("linear", 9.0), ("angular", pi)])
def test_bounds_of_axes_together_stay_above_zero(freedom: str, most: float) -> None:
    """No drag makes a distance negative or an angle more than half a turn; Alt keeps their gap."""
    joint = leaning(freedom, 0.5, 0.9)
    item = joint.omi_physics_joint.settings.limits[0]
    lower, upper = (
        begin(bpy.context, joint, handle(joint, part).handle) for part in ("min", "max")
    )
    for drag, value, mirror, low, high in (
        (upper, 9.0, False, 0.5, most),
        (upper, 0.2, False, 0.5, 0.5),
        (upper, 1.5, True, 1.1, 1.5),
        (upper, 0.1, True, 0.0, 0.4),
        (upper, 9.0, True, most - 0.4, most),
        (lower, -1.0, False, 0.0, 0.9),
        (lower, 2.0, False, 0.9, 0.9),
        (lower, 0.7, True, 0.7, 1.1),
        (lower, -1.0, True, 0.0, 0.4),
        (lower, 9.0, True, *((most - 0.4, most) if freedom == "angular" else (9.0, 9.4))),
    ):
        drag.restore()
        drag.set(value, mirror=mirror)
        found = (getattr(item, f"{freedom}_min"), getattr(item, f"{freedom}_max"))
        assert found == pytest.approx((low, high), abs=1e-6), (drag.handle.part, value, mirror)
        drag.restore()
    assert settings_of(joint).limits[0].max == pytest.approx(0.9)


def test_a_minimum_that_bounds_nothing_stays_where_it_is() -> None:
    """A minimum of -1 m is none of a distance: Alt moves the maximum alone, down to zero."""
    joint = leaning("linear", -1.0, 0.9)
    item = joint.omi_physics_joint.settings.limits[0]
    drag = begin(bpy.context, joint, handle(joint, "max").handle)
    for value, mirror, high in ((1.4, True, 1.4), (-3.0, False, 0.0)):
        drag.set(value, mirror=mirror)
        assert (item.linear_min, item.linear_max) == pytest.approx((-1.0, high))


def test_a_sphere_is_dragged_where_it_is_drawn() -> None:
    """About the end that stands still, on the positive sides of its axes."""
    joint = leaning("linear", 0.5, 0.9)
    second = separated(joint)
    second.location.x += 0.25
    bpy.context.view_layer.update()
    assert is_seen_from_second(joint)
    for axis in range(3):
        way = handle(joint, "max", 0, axis).point - second.matrix_world.translation
        wanted = 0.9 * second.matrix_world.col[axis].to_3d().normalized()
        assert tuple(way) == pytest.approx(tuple(wanted), abs=1e-5)


def test_a_bound_together_says_what_it_is() -> None:
    """A distance, a lean; in the scene's units, and typed in them."""
    scene = bpy.context.scene
    joint = leaning("linear", 0.5, 0.9)
    assert label_with_value(handle(joint, "max").handle, scene) == "Maximum distance: 0.9 m"
    scene.unit_settings.length_unit = "CENTIMETERS"
    drag = begin(bpy.context, joint, handle(joint, "min").handle)
    assert drag.typed("65")
    assert drag.label == "Minimum distance: 65 cm"
    joint = leaning("angular", 0.5, radians(40.0))
    assert label_with_value(handle(joint, "max").handle, scene) == "Maximum lean: 40°"


def test_a_bound_together_has_its_fields_in_the_sidebar() -> None:
    """The one limit that leaves a range is there, on one axis or on several together."""
    joint = leaning("linear", 0.5, 0.9)
    limits = joint.omi_physics_joint.settings.limits
    assert ranged_limit(joint.omi_physics_joint.settings) == limits[0]
    limits[0].together = False
    assert ranged_limit(joint.omi_physics_joint.settings) is None
