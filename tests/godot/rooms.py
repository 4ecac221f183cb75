# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint leaves and drives: as a node of Godot says it, and as Python has Godot told.

Both in the axes of the joint's own settings, so that names, signs and sides do not matter to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from omi_physics_joint.model.godot.settings import spelled
from omi_physics_joint.model.godot.written import shifted
from omi_physics_joint.model.joint import AXES, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.spans import spans_within

Drive = tuple[str, float, float, float]
"""A spring with target, stiffness and damping, or a motor with its speed and largest force."""
Room = tuple[float, float, Drive | None]
"""Bounds of one coordinate in m or rad, and what drives it."""
FREE: Room = (-inf, inf, None)
LOCKED: Room = (0.0, 0.0, None)
PIN, HINGE, SLIDER = "PinJoint3D", "HingeJoint3D", "SliderJoint3D"
GENERIC = "Generic6DOFJoint3D"
WORDS = (("linear", "distance"), ("angular", "angle"))


def told_rooms(
    settings: JointSettings, held: frozenset[Limit], zero: tuple[float, ...]
) -> list[Room]:
    """Return the six rooms of settings without keys, as Godot is to be told of them."""
    told = shifted(spelled(settings, held), zero)
    drives = {(drive.type, drive.axis): drive for drive in told.drives}
    rooms: list[Room] = []
    for span in spans_within(told.limits):
        drive = drives.get((span.freedom, span.axis))
        said: Drive | None = None
        if drive is not None and drive.position_target is not None:
            said = ("spring", drive.position_target, drive.stiffness, drive.damping)
        elif drive is not None:
            said = ("motor", drive.velocity_target or 0.0, drive.max_force, 0.0)
        rooms.append((span.low, span.high, said))
    return rooms


def kind_of(rooms: list[Room], *, is_exact: bool) -> str:
    """Return the plainest class of Godot's that says six rooms exactly."""
    if not is_exact or any(low == high != 0.0 for low, high, _ in rooms):
        return GENERIC
    moving = [at for at, (low, high, _) in enumerate(rooms) if low != high]
    driven = [at for at, (_, _, drive) in enumerate(rooms) if drive is not None]
    is_free = all(rooms[at][:2] == FREE[:2] for at in moving)
    if is_free and moving == [3, 4, 5] and not driven:
        return PIN
    if is_free and len(moving) == 1 and moving[0] >= 3 and set(driven) <= set(moving):
        drive = rooms[moving[0]][2]
        if drive is None or (drive[0] == "motor" and drive[2] == inf):
            return HINGE
    if is_free and len(moving) == 1 and moving[0] < 3 and not driven:
        return SLIDER
    return GENERIC


def fits_as_named(kind: str, rooms: list[Room]) -> bool:
    """Return whether a plain node says rooms as named: it turns about Z, or slides along X."""
    moving = [at for at, (low, high, _) in enumerate(rooms) if low != high]
    return moving == {HINGE: [5], SLIDER: [0]}.get(kind, moving)


def built_rooms(
    joint: Mapping[str, Any], value: Callable[[str], Any], shift: int, turned: Freedom | None
) -> list[Room]:
    """Return what a node of Godot leaves and drives, in the axes of the joint's own settings.

    Args:
        joint: what Godot says of the node.
        value: of a property, at some time.
        shift: axis i of the settings is axis i + shift of the node.
        turned: the coordinates that the node counts the other way.
    """
    kind = joint["class"]
    rooms = [LOCKED] * 6
    if kind == PIN:
        rooms = [LOCKED] * 3 + [FREE] * 3
    elif kind == SLIDER:
        low, high = (value(f"linear_limit/{end}_distance") for end in ("lower", "upper"))
        rooms[0] = FREE if low > high else (low, high, None)
    elif kind == HINGE:
        motor = ("motor", value("motor/target_velocity"), value("motor/max_impulse"), 0.0)
        assert not value("angular_limit/enable")
        rooms[5] = (-inf, inf, motor if value("motor/enable") else None)
    else:
        rooms = [_of_axis(value, *words, "xyz"[axis]) for words in WORDS for axis in AXES]
    told: list[Room] = []
    for first, freedom in ((0, Freedom.LINEAR), (3, Freedom.ANGULAR)):
        for axis in AXES:
            room = rooms[first + (axis + shift) % 3]
            told.append(_negated(room) if turned is freedom else room)
    return told


def _of_axis(value: Callable[[str], Any], words: str, bound: str, axis: str) -> Room:
    low, high, drive = -inf, inf, None
    if value(f"{words}_limit_{axis}/enabled"):
        low, high = (value(f"{words}_limit_{axis}/{end}_{bound}") for end in ("lower", "upper"))
    motor, spring = (f"{words}_{kind}_{axis}/" for kind in ("motor", "spring"))
    if value(motor + "enabled"):
        drive = ("motor", value(motor + "target_velocity"), value(motor + "force_limit"), 0.0)
    if value(spring + "enabled"):
        assert drive is None, "a motor and a spring"
        names = ("equilibrium_point", "stiffness", "damping")
        drive = ("spring", *(value(spring + name) for name in names))
    return low, high, drive


def _negated(room: Room) -> Room:
    low, high, drive = room
    if drive is not None:
        drive = (drive[0], -drive[1], *drive[2:])
    return -high, -low, drive
