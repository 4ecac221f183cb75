# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes joint settings in place: their lists, and bounds of many joints at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import floor, inf, isfinite, log10, pi

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Vector

from ...model.joint import AXES, Freedom, JointSettings
from ...model.settings.fields import BESIDE_BOUNDS
from ...model.settings.spans import axis_range, locked_axes
from ...model.settings.together import plain
from ...model.wording.describe import drive_kind, kind, sole_freedom
from ...model.wording.words import listed
from ..between_bodies.contact import bounds_of
from ..bridge.read_settings import limit_from_item, settings_from_block, settings_of
from ..data.joint import OmiJointSettings
from ..data.limits import OMI_JOINT_PG_limit
from .authoring import AuthoringError, Pair, pair_of
from .editing import main_axis

USUAL_TRAVEL = 0.5
"""m that a new slider lets a body slide, where nobody has said it."""
SHARES = (0.1, 1.0)
"""Between which shares of the length of a body that is a range for it."""
THIN = 0.25
"""Share of its longest side up to which a body is a plate across its way, as a platform is."""
LONG = 1.25
"""How many times longer than wide along the way is what leads such a plate."""


@dataclass(frozen=True, slots=True)
class AxisBounds:
    """The bounds of one axis."""

    freedom: Freedom
    axis: int
    low: float = -inf
    high: float = inf

    @property
    def are_none(self) -> bool:
        """Whether the axis has neither bound."""
        return self.low == -inf and self.high == inf


def first_bounds(block: OmiJointSettings | None) -> AxisBounds | None:
    """Return the first axis that has a range, or else the only one that moves; None without one."""
    if block is None:
        return None
    model = settings_from_block(block)
    found = [
        AxisBounds(freedom, axis, low, high)
        for freedom in Freedom
        for axis in AXES
        for low, high in [axis_range(model, freedom, axis)]
        if low < high
    ]
    ranged = [bounds for bounds in found if not bounds.are_none]
    return next(iter(ranged or found[: len(found) == 1]), None)


def travel_along(joint: Object) -> float:
    """Return how far the body that a joint moves slides at first, along the axis that it has."""
    pair, axis = pair_of(joint), main_axis(settings_of(joint))
    if pair is None:
        return USUAL_TRAVEL
    return travel_of(pair, joint.matrix_world.col[axis].to_3d().normalized())


def travel_of(pair: Pair, direction: Vector) -> float:
    """Return how far a body slides along a direction at first, in m.

    That is half a metre for what is about as long. What is modelled in other units, or is much
    smaller or larger, slides by half its own length, in a round number. A plate across its way, as
    a platform or a slat, has no length: that of what it slides along counts, as of a mast.
    """
    low, high = bounds_of(pair.moving)
    length = sum(abs(part * size) for part, size in zip(direction, high - low, strict=True))
    if length <= THIN * max(high - low):
        low, high = bounds_of(pair.still, direction.to_track_quat("X", "Z").to_matrix().to_4x4())
        along, *across = high - low
        length = along if along > LONG * max(across) else length
    if length <= 0.0 or SHARES[0] * length <= USUAL_TRAVEL <= SHARES[1] * length:
        return USUAL_TRAVEL
    half = 0.5 * length
    power = 10.0 ** floor(log10(half))
    steps = (power, 2.0 * power, 5.0 * power, 10.0 * power)
    return min(steps, key=lambda step: abs(log10(step / half)))


def limit_range(joint: Object) -> bool:
    """Give a joint that moves freely on one axis the range of a new one; False if it is none.

    Its settings change for all joints that share them.
    """
    bounds = first_bounds(joint.omi_physics_joint.settings)
    if bounds is None or not bounds.are_none:
        return False
    high = pi / 2.0 if bounds.freedom == Freedom.ANGULAR else travel_along(joint)
    set_bounds([joint], replace(bounds, low=0.0, high=high), own_copy=False)
    return True


def has_usual_range(block: OmiJointSettings) -> bool:
    """Return whether settings still have the range that nobody has asked for, nor changed."""
    bounds, usual = first_bounds(block), tuple(block.usual_range)
    if bounds is None or block.animation_data is not None:
        return False
    ends = (bounds.low, bounds.high)
    return any(usual) and bool(np.allclose(ends, usual, rtol=1e-6, atol=0.0))


def free_usual_ranges(joints: Sequence[Object], *, own_copy: bool) -> list[Object]:
    """Let joints move freely whose range nobody has asked for, and return them.

    ``own_copy`` leaves other joints alone that share their settings.
    """
    freed: dict[AxisBounds, list[Object]] = {}
    for joint in joints:
        block = joint.omi_physics_joint.settings
        bounds = first_bounds(block)
        if block is not None and bounds is not None and has_usual_range(block):
            freed.setdefault(AxisBounds(bounds.freedom, bounds.axis), []).append(joint)
    for bounds, several in freed.items():
        set_bounds(several, bounds, own_copy=own_copy)
        for joint in several:
            block_of(joint).property_unset("usual_range")
    return [joint for several in freed.values() for joint in several]


def driven_axis(block: OmiJointSettings | None) -> tuple[Freedom, int]:
    """Return the one axis of settings that a drive can be on.

    Raises:
        AuthoringError: there is none, or there are several, or drives that are several.
    """
    if block is None or not block.is_editable:
        raise AuthoringError("Linked settings" if block else "No settings")
    settings = settings_from_block(block)
    sole = sole_freedom(settings)
    if sole is None:
        raise AuthoringError(
            "Nothing moves" if kind(settings) == "Weld" else "Drives: several axes move"
        )
    if len(drives_on(block, *sole)) > 1:
        raise AuthoringError("Drives: several on one axis")
    return sole


def drives_on(block: OmiJointSettings, freedom: Freedom, axis: int) -> list[int]:
    """Return the indices of the drives that settings have on one axis."""
    wanted = (freedom, str(axis))
    return [at for at, item in enumerate(block.drives) if (item.freedom, item.axis) == wanted]


def by_settings(joints: Iterable[Object]) -> dict[OmiJointSettings | None, list[Object]]:
    """Return the joints among objects by their settings block; None is of those without one."""
    found: dict[OmiJointSettings | None, list[Object]] = {}
    for obj in joints:
        if obj.omi_physics_joint.is_joint:
            found.setdefault(obj.omi_physics_joint.settings, []).append(obj)
    return found


def block_of(joint: Object) -> OmiJointSettings:
    """Return the settings block of a joint.

    Raises:
        AuthoringError: it has none.
    """
    block = joint.omi_physics_joint.settings
    if block is None:
        raise AuthoringError(f"{joint.name} has no settings yet: make new ones first.")
    return block


def block_without_keys(joint: Object, remedy: str) -> OmiJointSettings:
    """Return the settings block of a joint, whose lists and units may be changed.

    Raises:
        AuthoringError: it has none, or they are animated; the remedy says what to do then.
    """
    block = block_of(joint)
    if block.animation_data is not None:
        raise AuthoringError(f"{block.name} is animated: {remedy}.")
    return block


def users_of(settings: OmiJointSettings) -> list[Object]:
    """Return the joints that use a settings block."""
    return by_settings(bpy.data.objects).get(settings, [])


def own_settings(
    block: OmiJointSettings, joints: Iterable[Object], *, alone: bool = False
) -> OmiJointSettings:
    """Return settings of joints that can be changed: these, or a copy that the joints use then.

    They get one of settings from another file, or if others are not to change: ``alone``.
    """
    if block.is_editable and not alone:
        return block
    own = block.copy()
    for joint in joints:
        if joint.is_editable:
            joint.omi_physics_joint.settings = own
    return own


def move_item(settings: OmiJointSettings, target: str, action: str, freedom: str) -> bool:
    """Return whether a list, "limits" or "drives", changed: by ADD, REMOVE, UP or DOWN.

    All are relative to the active item; a new one has the given freedom, a drive a free axis.
    """
    items = getattr(settings, target)
    active_name = f"active_{target.removesuffix('s')}"
    active: int = getattr(settings, active_name)
    if action == "ADD":
        item = items.add()
        item.freedom = freedom
        if target == "drives":
            locked = locked_axes(settings_from_block(settings), Freedom(freedom))
            item.axis = str(min(set(AXES).difference(locked), default=0))
        place = min(active + 1, len(items) - 1)
        items.move(len(items) - 1, place)
    elif not 0 <= active < len(items):
        return False
    elif action == "REMOVE":
        items.remove(active)
        place = max(0, min(active, len(items) - 1))
    else:
        place = active + (-1 if action == "UP" else 1)
        if not 0 <= place < len(items):
            return False
        items.move(active, place)
    setattr(settings, active_name, place)
    return True


def lost_kinds(joints: Sequence[Object], settings: JointSettings) -> str:
    """Say which of the four types joints are no more with new settings, and what a rope lacks."""
    kinds = {kind(settings_of(joint)) for joint in joints} - {kind(settings), ""}
    said = f", no {listed(sorted(kinds))} any more" if kinds else ""
    is_rope = any(one.together and len(one.linear_axes) == len(AXES) for one in settings.limits)
    if is_rope and any(joint.omi_physics_joint.connected_node is None for joint in joints):
        said += ": press Separate Frames and put both frames to where it is fastened"
    return said


def copy_settings(source: Object, targets: Sequence[Object], *, share: bool) -> int:
    """Give joints the settings of another one, to share or each a copy; say how many got them.

    What is linked from another file is passed over.
    """
    settings = block_of(source)
    done = 0
    for target in targets:
        data = target.omi_physics_joint
        if target.is_editable and data.settings != settings:
            data.settings = settings if share else settings.copy()
            done += 1
    return done


def driven_by(joints: Iterable[Object]) -> set[str]:
    """Return the kinds of drives that joints have: "spring", "motor" or "servo"."""
    return {drive_kind(one) for joint in joints for one in settings_of(joint).drives} - {""}


def set_bounds(joints: Sequence[Object], bounds: AxisBounds, *, own_copy: bool) -> tuple[int, int]:
    """Set the bounds of one axis in the settings of joints, maybe in a copy of what others share.

    Returns:
        How many of the joints changed, and how many other joints with them.
    """
    everywhere, done, others = by_settings(bpy.data.objects), 0, 0
    for block, users in by_settings(joints).items():
        if block is None:
            continue
        done += len(users)
        outside = len(everywhere[block]) - len(users)
        changed = own_settings(block, users, alone=own_copy and outside > 0)
        others += outside if changed == block else 0
        _bound_axis(changed, bounds)
    return done, others


def _bound_axis(settings: OmiJointSettings, bounds: AxisBounds) -> None:
    """Let one limit bound an axis; what other limits say of other axes stays.

    A limit on this axis alone is changed in place. Otherwise the new one stands right after the
    one that the axis is taken out of, and gives way as that does. A bound on several axes together
    is none of this one, and stays.
    """
    here = [
        index
        for index, item in enumerate(settings.limits)
        if item.freedom == bounds.freedom and item.axes[bounds.axis] and not is_together(item)
    ]
    alone = [index for index in here if sum(settings.limits[index].axes) == 1]
    kept = alone[0] if alone and not bounds.are_none else None
    for index in reversed(here):
        if index != kept:
            settings.limits[index].axes[bounds.axis] = False
            if not any(settings.limits[index].axes):
                _remove_limit(settings, index)
    if bounds.are_none:
        return
    if kept is None:  # all of here have other axes, so none has gone
        kept = _insert_after(settings, here[0] if here else None)
    item = settings.limits[kept]
    item.freedom = bounds.freedom
    item.axes = [axis == bounds.axis for axis in range(3)]
    for name, bound in (("min", bounds.low), ("max", bounds.high)):
        setattr(item, f"use_{name}", isfinite(bound))
        setattr(item, f"{bounds.freedom}_{name}", bound if isfinite(bound) else 0.0)


def is_together(item: OMI_JOINT_PG_limit) -> bool:
    """Return whether a limit bounds several axes together."""
    limit = plain(limit_from_item(item))
    return limit.is_together(Freedom(item.freedom))


def _insert_after(settings: OmiJointSettings, index: int | None) -> int:
    """Insert a limit that gives way as another does, right after it; None is at the end.

    Return its index. The active limit stays the active one.
    """
    items = settings.limits
    items.add()
    if index is None:
        return len(items) - 1
    given = {"unknown"}
    for field in BESIDE_BOUNDS:
        given |= {f"use_{field.name}", *(field.property_on(freedom) for freedom in Freedom)}
    for name in given.intersection(items[index].bl_rna.properties.keys()):
        setattr(items[-1], name, getattr(items[index], name))
    items.move(len(items) - 1, index + 1)
    if settings.active_limit > index:
        settings.active_limit += 1
    return index + 1


def _remove_limit(settings: OmiJointSettings, index: int) -> None:
    """Remove a limit; the active one stays active unless it is the one that goes."""
    settings.limits.remove(index)
    if settings.active_limit > index or settings.active_limit == len(settings.limits):
        settings.active_limit = max(0, settings.active_limit - 1)
