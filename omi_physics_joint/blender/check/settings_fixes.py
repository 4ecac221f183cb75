# SPDX-License-Identifier: GPL-3.0-or-later
"""What "Fix" does for limits and drives; each function says in one sentence what it did."""

from __future__ import annotations

import bpy
from bpy.types import Object

from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.joint import AXES, AXIS_NAMES, DriveMode, Freedom
from ...model.settings.reach import idle_limits
from ...model.settings.spans import spans_of
from ...model.validate.settings import is_narrow
from ...model.validate.unintended import met_bound
from ...model.wording.words import counted, listed, some
from ...solver import drive_inertias, stopped_limits
from ..bridge.placed import owner_of, placed_in_scene
from ..bridge.read_nodes import mechanism_from_placed
from ..bridge.read_settings import limit_from_item, settings_from_block, settings_of
from ..joints.authoring import AuthoringError
from ..joints.settings_editing import (
    AxisBounds,
    block_of,
    block_without_keys,
    own_settings,
    set_bounds,
    users_of,
)

ALL = 6
"""Coordinates of a joint: along and about each axis."""
BY_HAND = "remove the limit by hand, as keys count limits"


def lock(joint: Object) -> str:
    """Hold each axis that has no room to move: where the frames coincide, or else in its middle."""
    locked = []
    for span in spans_of(settings_of(joint).limits):
        if is_narrow(span):
            low, high = span.rigid_low, span.rigid_high
            at = 0.0 if low <= 0.0 <= high else 0.5 * (low + high)
            set_bounds([joint], AxisBounds(span.freedom, span.axis, at, at), own_copy=False)
            verb = "along" if span.freedom is Freedom.LINEAR else "about"
            locked.append(f"{verb} {AXIS_NAMES[span.axis]}")
    return f"{joint.name} is locked {listed(locked)} now."


def free_loop(joint: Object) -> str:
    """Remove the ranges of a loop that stop each other, in copies of what further joints share."""
    placed = placed_in_scene(bpy.context.scene)
    loops = (
        [(owner_of(placed, node), at) for node, at in loop]
        for loop in stopped_limits(mechanism_from_placed(placed).mechanism)
    )
    # From 6 on are bounds on several axes together, which no single range is.
    stopped = [(one, at) for loop in loops if joint in dict(loop) for one, at in loop if at < ALL]
    joints = list({one: block_without_keys(one, BY_HAND) for one, _ in stopped if one is not None})
    if not joints:
        raise AuthoringError("Go to the frame that was checked, and widen the limits by hand.")
    for at in {at for _, at in stopped}:
        several = [one for one in joints if (one, at) in stopped]
        freedom = Freedom.ANGULAR if at >= len(AXES) else Freedom.LINEAR
        axis = Y_UP_FROM_Z_UP.axis.index(at % len(AXES))
        set_bounds(several, AxisBounds(freedom, axis), own_copy=True)
    return f"Without their ranges {some([one.name for one in joints])} move freely now."


def free_motor(joint: Object) -> str:
    """Take the ranges at which motors stop, for all joints that share the settings."""
    block = block_without_keys(joint, BY_HAND)
    settings = settings_from_block(own_settings(block, users_of(block)))
    for drive in settings.drives:
        if met_bound(drive, spans_of(settings.limits)) is not None:
            set_bounds([joint], AxisBounds(drive.type, drive.axis), own_copy=False)
    return f"The motor of {joint.name} runs without a range now."


def drop_idle_limits(joint: Object) -> str:
    """Remove limits that are never reached; of settings from another file in a copy."""
    block = block_without_keys(joint, BY_HAND)
    block = own_settings(block, users_of(block))
    idle = idle_limits(settings_from_block(block).limits)
    for index in reversed(idle):
        block.limits.remove(index)
    block.active_limit = max(0, min(block.active_limit, len(block.limits) - 1))
    return f"{counted(len(idle), 'limit')} of {joint.name} that nothing reached removed."


def swap_bounds(joint: Object) -> str:
    """Swap minimum and maximum of each limit whose minimum is the larger one."""
    block = block_of(joint)
    for item in own_settings(block, users_of(block)).limits:
        low, high = (f"{item.freedom}_{end}" for end in ("min", "max"))
        if limit_from_item(item).is_reversed:
            bounds = getattr(item, high), getattr(item, low)
            setattr(item, low, bounds[0])
            setattr(item, high, bounds[1])
    return f"Minimum and maximum of {joint.name} are swapped."


def as_force(joint: Object) -> str:
    """Give drives the mode of forces and what they move at rest, all joints of these settings.

    Joints move different bodies, so each that has shared them gets its own.
    """
    block = block_without_keys(joint, "set the mode by hand, as keys are numbers of a mode")
    placed = placed_in_scene(bpy.context.scene)
    mechanism = mechanism_from_placed(placed).mechanism
    inertias = drive_inertias(mechanism)
    nodes = {one.object: index for index, one in enumerate(placed)}
    users = users_of(block)
    here = [user for user in users if user in nodes and user.is_editable]
    for user in here:
        own = own_settings(block, [user], alone=len(users) > 1)
        read = mechanism.nodes[nodes[user]].joint
        drives = () if read is None else mechanism.settings[read.settings].drives
        for item, drive in zip(own.drives, drives, strict=False):
            at = drive.axis + (len(AXES) if drive.type is Freedom.ANGULAR else 0)
            inertia = inertias.get((nodes[user], at))
            if drive.mode is not DriveMode.ACCELERATION or inertia is None:
                continue
            item.stiffness *= inertia
            item.damping *= inertia
            item.mode = DriveMode.FORCE
    if any(item.mode == DriveMode.ACCELERATION for item in block_of(joint).drives):
        raise AuthoringError(f"A drive of {joint.name} moves nothing that could be weighed.")
    return f"Drives of {counted(len(here), 'joint')} work by force, as strong as they are at rest."
