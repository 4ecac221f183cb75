# SPDX-License-Identifier: GPL-3.0-or-later
"""Set Limits of Selected Joints changes one axis and nothing else; the list says why it is off."""

from __future__ import annotations

from math import inf, isfinite, pi
from types import SimpleNamespace

import bpy
import pytest
from scenes import box, door, joined, select

from omi_physics_joint.blender.bridge.read_settings import limit_from_item, settings_from_block
from omi_physics_joint.blender.bridge.write import fill_settings
from omi_physics_joint.blender.joints.parts import ranged_limit
from omi_physics_joint.blender.joints.settings_editing import AxisBounds, first_bounds
from omi_physics_joint.blender.joints.settings_operators import OMI_JOINT_OT_set_limit
from omi_physics_joint.model.joint import Freedom, JointSettings, Limit

LIFT = Limit(linear_axes=(2,), min=0.0, max=1.0, stiffness=50.0, damping=3.0, unknown='{"a":1}')
SWING = Limit(angular_axes=(0, 1), min=-0.25, max=0.25, stiffness=80.0, unknown='{"b":2}')
TWIST = Limit(angular_axes=(2,), min=0.0, max=0.0)


def joint_with(*limits: Limit) -> bpy.types.Object:
    """Return a selected joint with these limits."""
    _, _, hinge = door()
    fill_settings(hinge.omi_physics_joint.settings, JointSettings("Soft", limits))
    select(hinge)
    return hinge


def limits_of(joint: bpy.types.Object) -> tuple[Limit, ...]:
    """Return the limits of a joint."""
    return settings_from_block(joint.omi_physics_joint.settings).limits


def test_a_limit_of_its_own_changes_in_place() -> None:
    """A soft limit on only that axis keeps its place, softness and unknown members."""
    joint = joint_with(LIFT, SWING, TWIST)
    bpy.ops.omi_joint.set_limit(freedom="linear", axis="2", distance_min=0.25, distance_max=2.0)
    lift, *others = limits_of(joint)
    assert (lift.min, lift.max) == (0.25, 2.0)
    assert (lift.stiffness, lift.damping, lift.unknown) == (50.0, 3.0, '{"a":1}')
    assert others == [SWING, TWIST]


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("high", [False, True])
def test_only_bounds_that_are_both_there_can_be_the_wrong_way_round(low: bool, high: bool) -> None:
    """What stands in the field of a bound that is off is no bound."""
    joint = joint_with(LIFT, SWING)
    words = {"use_min": low, "use_max": high, "distance_min": 3.0, "distance_max": 1.0}
    if low and high:
        with pytest.raises(RuntimeError, match="nothing was changed"):
            bpy.ops.omi_joint.set_limit(freedom="linear", axis="2", **words)
        assert limits_of(joint) == (LIFT, SWING)
        return
    bpy.ops.omi_joint.set_limit(freedom="linear", axis="2", **words)
    bounds = [(one.min, one.max) for one in limits_of(joint) if one.linear_axes]
    assert bounds == [(3.0 if low else -inf, 1.0 if high else inf)] * (low or high)


def test_an_axis_taken_out_gives_way_as_before() -> None:
    """The new limit stands right after the one it comes from and is as soft as that."""
    joint = joint_with(LIFT, SWING, TWIST)
    block = joint.omi_physics_joint.settings
    block.active_limit = 2
    bpy.ops.omi_joint.set_limit(freedom="angular", axis="0", angle_min=-0.5, angle_max=0.5)
    lift, swing, new, twist = limits_of(joint)
    assert (lift, twist) == (LIFT, TWIST)
    assert (swing.angular_axes, swing.unknown) == ((1,), '{"b":2}')
    assert new == Limit(
        angular_axes=(0,), min=-0.5, max=0.5, stiffness=80.0, damping=0.0, unknown='{"b":2}'
    )
    assert block.active_limit == 3, "the same limit is active"


def test_several_limits_on_an_axis_become_one() -> None:
    """Of all limits on the axis the one that is only on it stays, with the new bounds."""
    narrow = Limit(angular_axes=(0,), min=-0.125, max=0.125, stiffness=5.0)
    joint = joint_with(SWING, TWIST, narrow)
    bpy.ops.omi_joint.set_limit(freedom="angular", axis="0", angle_min=-1.0, angle_max=1.0)
    swing, twist, kept = limits_of(joint)
    assert (swing.angular_axes, twist, kept.stiffness) == ((1,), TWIST, 5.0)
    assert (kept.min, kept.max) == (-1.0, 1.0)


def test_duplicates_go() -> None:
    """Of two limits on just that axis the first stays and the second goes."""
    again = Limit(angular_axes=(2,), min=-0.125, max=0.125)
    joint = joint_with(TWIST, LIFT, again)
    bpy.ops.omi_joint.set_limit(freedom="angular", axis="2", angle_min=-1.0, angle_max=1.0)
    assert limits_of(joint) == (Limit(angular_axes=(2,), min=-1.0, max=1.0), LIFT)


def test_no_bounds_free_the_axis() -> None:
    """Unbounded both ways takes the axis out, and removes a limit that is left without axes."""
    joint = joint_with(LIFT, SWING, TWIST)
    for freedom, axis in (("linear", "2"), ("angular", "0")):
        bpy.ops.omi_joint.set_limit(freedom=freedom, axis=axis, use_min=False, use_max=False)
    assert [limit.angular_axes for limit in limits_of(joint)] == [(1,), (2,)]


@pytest.mark.parametrize("gone", range(3))
@pytest.mark.parametrize("active", range(3))
def test_the_active_limit_stays_active_when_another_goes(gone: int, active: int) -> None:
    """The list shows the same limit after one is removed, and one that is there if it was that."""
    limits = [Limit(angular_axes=(axis,), min=0.0, max=1.0 + axis) for axis in range(3)]
    joint = joint_with(*limits)
    block = joint.omi_physics_joint.settings
    block.active_limit = active
    bpy.ops.omi_joint.set_limit(freedom="angular", axis=str(gone), use_min=False, use_max=False)
    left = limits_of(joint)
    assert [*left] == limits[:gone] + limits[gone + 1 :]
    assert 0 <= block.active_limit < 2
    assert active == gone or left[block.active_limit] == limits[active]


def test_a_bound_on_axes_together_stays() -> None:
    """A rope that is bounded along X too is still a rope; freeing X then leaves it as it was."""
    rope = Limit(linear_axes=(0, 1, 2), max=2.0, together=True)
    joint = joint_with(rope)
    bpy.ops.omi_joint.set_limit(freedom="linear", axis="0", distance_min=0.0, distance_max=0.5)
    assert limits_of(joint) == (rope, Limit(linear_axes=(0,), min=0.0, max=0.5))
    bpy.ops.omi_joint.set_limit(freedom="linear", axis="0", use_min=False, use_max=False)
    assert limits_of(joint) == (rope,)


def test_a_new_axis_comes_last() -> None:
    """An axis that was free gets a rigid limit at the end."""
    joint = joint_with(LIFT)
    bpy.ops.omi_joint.set_limit(freedom="angular", axis="1", use_min=False, angle_max=0.5)
    assert limits_of(joint) == (LIFT, Limit(angular_axes=(1,), max=0.5))


def test_list_buttons_say_what_is_missing() -> None:
    """Without a joint or without settings the reason is that, and not linking."""
    select(box("Plain"))
    with pytest.raises(RuntimeError, match="not a joint"):
        bpy.ops.omi_joint.list_edit(target="limits", action="ADD")
    _, _, hinge = door()
    hinge.omi_physics_joint.settings = None
    with pytest.raises(RuntimeError, match="no settings"):
        bpy.ops.omi_joint.list_edit(target="limits", action="ADD")


def test_the_dialog_starts_from_the_active_joint() -> None:
    """Axis and bounds are those that the active joint has, of whatever type."""
    held = Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0)
    still = Limit(angular_axes=(0, 1, 2), min=0.0, max=0.0)
    rail = Limit(linear_axes=(1, 2), min=0.0, max=0.0)
    for limits, expected in (
        ((held, SWING), AxisBounds(Freedom.ANGULAR, 0, -0.25, 0.25)),
        ((still, rail), AxisBounds(Freedom.LINEAR, 0)),
        ((still, rail, Limit(linear_axes=(0,), min=0.25)), AxisBounds(Freedom.LINEAR, 0, 0.25)),
        ((), None),
    ):
        assert first_bounds(joint_with(*limits).omi_physics_joint.settings) == expected


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.5), (-1.5, 0.0), (-inf, 0.0), (0.5, inf)])
def test_the_dialog_shows_each_bound_that_is_there(low: float, high: float) -> None:
    """Zero is one: an OK that nobody has edited leaves the bounds as they are."""
    shown = SimpleNamespace(properties=SimpleNamespace(is_property_set=lambda _: False))
    OMI_JOINT_OT_set_limit._start_from(shown, AxisBounds(Freedom.ANGULAR, 1, low, high))
    assert (shown.use_min, shown.use_max) == (low > -inf, high < inf)
    expected = tuple(bound if isfinite(bound) else 0.0 for bound in (low, high))
    assert (shown.angle_min, shown.angle_max) == expected
    assert (shown.freedom, shown.axis) == ("angular", "1")


def test_the_active_joint_is_at_hand_without_being_selected() -> None:
    """Flip and Remove act on the joint whose fields the sidebar shows."""
    joint = joint_with(TWIST)
    name = joint.name
    joint.select_set(False)
    assert bpy.context.object == joint
    assert bpy.ops.omi_joint.flip.poll()
    assert bpy.ops.omi_joint.remove() == {"FINISHED"}
    assert name not in bpy.data.objects


@pytest.mark.parametrize(("kind", "range_"), [("HINGE", (0.0, pi / 2)), ("SLIDER", (0.0, 0.5))])
def test_what_is_free_gets_a_range_where_its_fields_would_be(
    kind: str, range_: tuple[float, float]
) -> None:
    """Limit Range gives a free hinge or slider the range of a new one, and fields to change it."""
    joint = joined(kind, box("Frame"), box("Door", (2.0, 0.0, 0.0)), use_range=False)
    block = joint.omi_physics_joint.settings
    assert ranged_limit(block) is None
    assert bpy.ops.omi_joint.limit_range() == {"FINISHED"}
    item = ranged_limit(block)
    limit = limit_from_item(item)
    assert (limit.min, limit.max) == pytest.approx(range_)
    assert bpy.ops.omi_joint.limit_range() == {"CANCELLED"}, "it has one"
    item.use_min = item.use_max = False
    assert ranged_limit(block) == item, "the fields stay where both are switched off"


def test_what_moves_on_many_axes_has_no_range_to_limit() -> None:
    """A pin and a weld are left as they are."""
    for kind in ("PIN", "WELD"):
        joint = joined(kind, box("Frame"), box("Door", (2.0, 0.0, 0.0)))
        before = limits_of(joint)
        assert bpy.ops.omi_joint.limit_range() == {"CANCELLED"}
        assert limits_of(joint) == before
