# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives joints the settings of a preset, as strong as what they carry asks for.

They keep pointing where they pointed; a single drive is made as strong likewise.

Presets say for which load their numbers are. A spring keeps its frequency and its damping ratio
where stiffness and damping grow as what it carries: k = m (2 pi f)^2, c = 2 zeta m (2 pi f). So
does a motor its run-up, by its largest force.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import TypeVar

from bpy.types import Object

from ...model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from ...model.settings.spans import axis_range
from ...model.wording.describe import drive_kind
from ...model.wording.words import rounded
from ..between_bodies.descendants import joints_on, one_look
from ..between_bodies.forms import are_parallel, round_shape
from ..between_bodies.zero_angle import relabelling
from ..bridge.placed import bodies_of, body_of
from ..bridge.poses.frame_users import joints_using
from ..bridge.read_settings import drive_from_item, settings_from_block, settings_of
from ..bridge.write import fill_drive, fill_settings, new_settings
from ..data.joint import OmiJointSettings
from ..joints.authoring import AuthoringError, moving_body
from ..joints.editing import UPRIGHT, aimed_axis, reaim, turn_frames, upright_across
from ..joints.settings_editing import block_of, driven_axis, drives_on, free_usual_ranges, users_of
from .carried import borne_by, mass_on, turned_by

UPWARD = 0.5
"""Smallest part of its travel by which what bears something goes up."""


def apply_to(
    joints: Sequence[Object], settings: JointSettings
) -> tuple[OmiJointSettings, list[Object]]:
    """Give joints one new settings block; return it and the joints that could not be kept aimed."""
    misaimed = keep_aim(joints, settings)
    block = new_settings(settings)
    for joint in joints:
        joint.omi_physics_joint.settings = block
    return block, misaimed


def overwrite(
    block: OmiJointSettings, settings: JointSettings
) -> tuple[list[Object], list[Object]]:
    """Replace what a settings block says, for all joints that use it; it keeps its name.

    Return those joints, and those of them that could not be kept aimed.
    """
    users = users_of(block)
    misaimed = keep_aim(users, settings)
    fill_settings(block, settings)
    return users, misaimed


def stand_up(joints: Sequence[Object]) -> list[Object]:
    """Aim joints upright that bear what is above them, and return them; what slopes up stays.

    A wheel is borne across its axle, however its car stands. Positive values lift what is borne.
    """
    turned = []
    for joint in joints:
        axis = aimed_axis(settings_of(joint))
        if axis is None or not joint.is_editable:
            continue
        holder, other = bodies_of(joint)
        wheels = (round_shape(body) for body in (holder, other) if body is not None)
        axle = next((wheel.axis for wheel in wheels if wheel is not None and wheel.is_disc), None)
        way = joint.matrix_world.col[axis].to_3d().normalized()
        up, borne = way.dot(UPRIGHT), borne_by(joint)
        lies = abs(up) < UPWARD or (axle is not None and are_parallel(way, axle))
        if not lies and (up > 0.0) == (borne == other):
            continue
        line = way if up > 0.0 else -way
        if lies:
            line = upright_across(axle or way)
        with suppress(AuthoringError):  # which Check says of its second frame
            reaim(joint, line if borne == moving_body(joint) else -line)
            if lies:
                turned.append(joint)
    return turned


def keep_aim(joints: Sequence[Object], settings: JointSettings) -> list[Object]:
    """Turn frames so that new settings move joints along or about the same line as the old ones.

    A plain hinge turns about Y, one with a motor about Z, a slider slides along X: without this a
    door would fall over when it gets a closer. Return the joints that cannot turn, and have another
    axis now: what is linked, or is a second frame of others, which must not change.
    """
    new, stuck = aimed_axis(settings), []
    if new is None:
        return []
    for joint in joints:
        old = settings_of(joint)
        axis = aimed_axis(old)
        if axis in (None, new):
            continue
        with suppress(AuthoringError):  # which Check says of its second frame
            if joint.is_editable and not joints_using(joint):
                turn_frames(joint, old, relabelling(axis, new))
                continue
        stuck.append(joint)
    return stuck


MOST_GROWN = 40
"""Driven joints of a mechanism whose drives grow with it: a quarter of a second."""
LOADS = ("mass", "inertia")
"""In kg; in kg m^2 about the axis of the joint."""
Spring = TypeVar("Spring", Limit, Drive)
STRENGTHS = {
    "spring": (89.0, 5.7, inf),
    "motor": (0.0, 300.0, 110.0),
    "servo": (800.0, 57.0, 110.0),
}
"""Stiffness, damping and largest force for 1 kg or 1 kg m^2. A spring swings at 1.5 Hz, damped to
0.3 of critical; a servo three times as fast, critically damped. A motor does its
most until it lacks a third of a rad/s or m/s; steps of 1/24 s follow that."""
LIFTS = 2.0
"""How many times as large as what gravity does the torque of a new drive is that it has at most."""
GIVES = 0.5
"""rad within which a new spring does that, so that it gives way by half of this."""
SPEEDS = {Freedom.ANGULAR: 10.0, Freedom.LINEAR: 1.0}
"""Of a new motor, in rad/s and m/s."""


@dataclass(frozen=True, slots=True)
class MadeFor:
    """What the numbers of a preset are for."""

    kind: str
    """One of ``LOADS``."""
    size: float


def scaled(
    settings: JointSettings, made_for: MadeFor, joints: Sequence[Object], least: float = 0.0
) -> JointSettings:
    """Return settings with springs, dampers and motors for what some joints carry on average.

    They are ``least`` times as strong at least.
    """
    with one_look():
        if made_for.kind == "mass":
            found = (mass_on(joint, {*joints}) for joint in joints)
        else:
            found = (turned_by(joint)[0] for joint in joints)
        loads = [load for load in found if load > 0.0]
    if not loads:
        return settings
    factor = max(sum(loads) / len(loads) / made_for.size, least)
    return replace(
        settings,
        limits=tuple(_scaled(limit, factor) for limit in settings.limits),
        drives=tuple(
            replace(_scaled(drive, factor), max_force=rounded(drive.max_force * factor))
            for drive in settings.drives
        ),
    )


def _scaled(spring: Spring, factor: float) -> Spring:
    return replace(
        spring,
        stiffness=rounded(spring.stiffness * factor),
        damping=rounded(spring.damping * factor),
    )


def change_drive(joint: Object, kind: str) -> list[Object]:
    """Make, change or remove the drive of a joint's one axis; "" is none.

    Targets stay where they mean something. Its settings change for all joints that share them, and
    strengths are for what the one of these carries that needs most. A motor takes the range that
    nobody has asked for, since it would stop there.

    Returns:
        The joint, if it has lost its range.

    Raises:
        AuthoringError: it has no settings, not one axis, or several drives on it.
    """
    block = joint.omi_physics_joint.settings
    freedom, axis = driven_axis(block)
    assert block is not None
    indices = drives_on(block, freedom, axis)
    if not kind:
        for index in indices:
            block.drives.remove(index)
        block.active_drive = max(0, min(block.active_drive, len(block.drives) - 1))
        return []
    old = drive_from_item(block.drives[indices[0]]) if indices else None
    if old is not None and drive_kind(old) == kind:
        return []
    low, high = axis_range(settings_from_block(block), freedom, axis)
    place = None if old is None else old.position_target
    speed = None if old is None else old.velocity_target
    drive = Drive(freedom, DriveMode.FORCE, axis, max_force=STRENGTHS[kind][2])
    if kind == "motor":
        drive = replace(drive, velocity_target=SPEEDS[freedom] if speed is None else speed)
    else:
        place = min(max(0.0, low), high) if place is None else place
        drive = replace(drive, position_target=place)
    fitted = _fitted(block, drive)
    item = block.drives[indices[0]] if indices else block.drives.add()
    fill_drive(item, replace(fitted, unknown="" if old is None else old.unknown))
    block.active_drive = indices[0] if indices else len(block.drives) - 1
    return free_usual_ranges([joint], own_copy=False) if kind == "motor" else []


def _fitted(block: OmiJointSettings, drive: Drive) -> Drive:
    """Return a drive as strong as suits what the joints of settings carry."""
    kind = drive_kind(drive)
    if not kind:
        return drive
    stiffness, damping, most = STRENGTHS[kind]
    drive = replace(drive, stiffness=stiffness, damping=damping, max_force=most)
    turns = drive.type is Freedom.ANGULAR
    made_for = MadeFor("inertia" if turns else "mass", 1.0)
    strongest = min(most, GIVES * stiffness or most)
    plain = JointSettings(drives=(drive,))
    with one_look():
        pulls = {one: LIFTS * turned_by(one)[1] / strongest for one in users_of(block)}
        found = [scaled(plain, made_for, [one], least) for one, least in pulls.items()]
    fits = [one.drives[0] for one in found if one is not plain] or [drive]
    return max(fits, key=lambda one: one.damping)


def drives_like_new(objects: Sequence[Object]) -> list[tuple[Object, int, Drive]]:
    """Return drives as strong as new ones, which nobody has set, of all that some objects are in.

    Each with its number and a joint that has it; those that are keyed or linked are left out, and
    all where they are many: what each carries takes as long as all others.
    """
    bodies, joints = list(filter(None, map(body_of, objects))), dict[OmiJointSettings, Object]()
    known = {*bodies}
    for body in bodies:  # grows while it is walked
        for joint, other in joints_on(body):
            block = joint.omi_physics_joint.settings
            if block is not None and block.drives:
                joints.setdefault(block, joint)
            if other is not None and other not in known:
                known.add(other)
                bodies.append(other)
    if sum(len(users_of(block)) for block in joints) > MOST_GROWN:
        return []
    return [
        (joint, at, drive)
        for block, joint in joints.items()
        if block.is_editable and block.animation_data is None
        for at, drive in enumerate(map(drive_from_item, block.drives))
        if _fitted(block, drive) == drive
    ]


def grow_along(drives: Sequence[tuple[Object, int, Drive]]) -> list[Object]:
    """Have drives be as strong as new ones for what hangs there by now; return joints of these."""
    changed = []
    for joint, at, drive in drives:
        fitted = _fitted(block_of(joint), drive)
        if fitted != drive:
            fill_drive(block_of(joint).drives[at], fitted)
            changed.append(joint)
    return changed
