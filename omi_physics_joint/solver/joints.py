# SPDX-License-Identifier: GPL-3.0-or-later
"""From joint settings to what the solver holds: frames on two bodies, bounds, soft elements.

A joint has six coordinates: three distances along the axes of the joint frame and three angular
slots. What the slots mean depends on how many angular axes are locked, and locks
away from zero go into the frames, so that a lock always reads zero:

* WELD, three locked: the slots are the rotation vector of the connected frame in the joint frame.
* HINGE, two locked: slot 0 is the free twist, slots 1 and 2 how far its axis leans.
* UNIVERSAL, one or none locked: R = Rx(slot 0) Ry(slot 1) Rz(slot 2), after a change of axes that
  puts the locked one in the middle; with none locked that change is none.
* FREE: nothing limits or drives any angle, and nothing is computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from math import inf, isnan, pi
from types import MappingProxyType

import numpy as np

from ..model.frames import is_flat, rigid_frame
from ..model.issue import Issue, Severity
from ..model.joint import AXES, AXIS_NAMES, Drive, DriveMode, Freedom, JointSettings, Limit
from ..model.mechanism import Mechanism
from ..model.ranges import limits_on
from ..model.transform import linear_part
from .rotation import Array
from .springs import Element

GIMBAL = pi / 2.0 - 0.02
"""rad: how far the middle one of three free angles may go."""


class Mode(IntEnum):
    """What the angular slots of a joint mean."""

    FREE = 0
    UNIVERSAL = 1
    HINGE = 2
    WELD = 3


@dataclass(slots=True)
class Joint:
    """One joint between two bodies, in arrays; indices of bodies are those of ``read_bodies``.

    Attributes:
        node: index of the joint's node.
        settings: index of its settings.
        name: of the joint's node.
        bodies: index of the joint's body, and of the connected body.
        origins: world positions of the joint frame and the connected frame at rest.
        linear: world axes of the joint frame, as columns.
        angular: world axes of the two angular frames, locks absorbed, as columns.
        mode: what the angular slots are.
        slot_axis: the axis of the settings that each angular slot stands for.
        sign, offset: value in the settings = sign * slot + offset, for all six coordinates.
        low, high: rigid bounds of the six coordinates, in slots.
        elements: soft limits and drives.
    """

    node: int
    settings: int
    name: str
    bodies: tuple[int, int]
    origins: tuple[Array, Array]
    linear: Array
    angular: tuple[Array, Array]
    mode: Mode = Mode.FREE
    slot_axis: tuple[int, int, int] = AXES
    sign: Array = field(default_factory=lambda: np.ones(6))
    offset: Array = field(default_factory=lambda: np.zeros(6))
    low: Array = field(default_factory=lambda: np.full(6, -inf))
    high: Array = field(default_factory=lambda: np.full(6, inf))
    elements: list[Element] = field(default_factory=list)

    @property
    def is_point(self) -> bool:
        """Whether all three distances are rigidly locked."""
        return bool((self.low[:3] == self.high[:3]).all())


def read_joints(
    mechanism: Mechanism,
    settings: tuple[JointSettings, ...],
    body_index: dict[int, int],
    world: int,
    dynamic: frozenset[int],
    *,
    rigid_soft_locks: bool = False,
    held: Mapping[int, frozenset[Limit]] = MappingProxyType({}),
) -> tuple[list[Joint], tuple[Issue, ...]]:
    """Return the joints that can be simulated, and why others cannot.

    Args:
        mechanism: nodes and their joints.
        settings: of the joints; may differ from those of the mechanism.
        body_index: index of each body by its node.
        world: index of the body that is the world.
        dynamic: indices of the bodies that forces move.
        rigid_soft_locks: whether soft axes with min == max are read as rigid.
        held: other soft limits that are, by joint node.
    """
    joints: list[Joint] = []
    issues: list[Issue] = []
    for index, node, joint in mechanism.joints():

        def tell(
            code: str, message: str, fix: str, index: int = index, name: str = node.name
        ) -> None:
            issues.append(Issue(Severity.WARNING, code, name, message, fix, index))

        if not (
            0 <= joint.settings < len(settings) and 0 <= joint.connected_node < len(mechanism.nodes)
        ):
            tell("joint-incomplete", "The joint lacks settings or a connected node.", "Set both.")
            continue
        connected = mechanism.nodes[joint.connected_node]
        ends = (mechanism.body_of(index), mechanism.body_of(joint.connected_node))
        if ends[0] == ends[1]:
            tell(
                "joint-within-body",
                "Both ends of the joint belong to the same body, so it does nothing.",
                "Connect it to a node of another body.",
            )
            continue
        bodies = tuple(world if end is None else body_index[end] for end in ends)
        if not dynamic & set(bodies):
            tell("joint-nothing-moves", "Neither body of the joint is dynamic.", "")
            continue
        if any(_is_unsound(one.world) for one in (node, connected)):
            tell("flat-frame", "A frame of the joint has no direction.", "Scale must not be zero.")
            continue
        own = settings[joint.settings]
        frames = tuple(np.array(rigid_frame(one.world, own)) for one in (node, connected))
        result = Joint(
            node=index,
            settings=joint.settings,
            name=node.name,
            bodies=(bodies[0], bodies[1]),
            origins=(frames[0][:3, 3], frames[1][:3, 3]),
            linear=frames[0][:3, :3],
            angular=(frames[0][:3, :3], frames[1][:3, :3]),
        )
        rigid = held.get(index, frozenset())
        _Reader(result, own, rigid_soft_locks, rigid, tell).read()
        joints.append(result)
    return joints, tuple(issues)


def _is_unsound(world: tuple[tuple[float, ...], ...]) -> bool:
    return not np.isfinite(np.array(world)).all() or is_flat(linear_part(world))


def turn(axis: int, angle: float) -> Array:
    """Return the rotation about one axis, shape (3, 3)."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[j, i] = np.sin(angle)
    matrix[i, j] = -matrix[j, i]
    return matrix


class _Reader:
    """Puts the settings of one joint into it."""

    def __init__(
        self,
        joint: Joint,
        settings: JointSettings,
        rigid_soft_locks: bool,
        held: frozenset[Limit],
        tell: object,
    ) -> None:
        self.joint = joint
        self.settings = settings
        self.rigid_soft_locks = rigid_soft_locks
        self.held = held
        self.tell = tell

    def warn(self, code: str, message: str, fix: str = "") -> None:
        """Pass on one issue."""
        if callable(self.tell):
            self.tell(code, message, fix)

    def read(self) -> None:
        """Read limits and drives into bounds, frames and elements."""
        drives = [drive for drive in self.settings.drives if self.is_sound(drive)]
        limits = {
            (freedom, axis): [
                limit
                for limit in limits_on(self.settings, freedom, axis)
                if self.is_limit(limit, freedom, axis)
            ]
            for freedom in Freedom
            for axis in AXES
        }
        for axis in AXES:
            low, high = self.rigid_range(limits[Freedom.LINEAR, axis], Freedom.LINEAR, axis)
            self.joint.low[axis], self.joint.high[axis] = low, high
            self.add(axis, Freedom.LINEAR, axis, limits[Freedom.LINEAR, axis], drives)
        self.read_angles({axis: limits[Freedom.ANGULAR, axis] for axis in AXES}, drives)

    def read_angles(self, limits: dict[int, list[Limit]], drives: list[Drive]) -> None:
        """Choose the meaning of the angular slots and read what acts on them."""
        joint = self.joint
        ranges = {a: self.rigid_range(limits[a], Freedom.ANGULAR, a) for a in AXES}
        locks = {a: _lock(ranges[a], limits[a]) for a in AXES}
        driven = any(drive.type is Freedom.ANGULAR for drive in drives)
        if not driven and not any(limits.values()):
            return
        locked = [a for a in AXES if locks[a] is not None]
        joint.mode = (Mode.UNIVERSAL, Mode.UNIVERSAL, Mode.HINGE, Mode.WELD)[len(locked)]
        angles = [value if (value := locks[a]) is not None else 0.0 for a in AXES]
        joint.offset[3:] = self.absorb(locked, angles)
        if not locked:
            ranges[1] = self.away_from_gimbal(*ranges[1])
        for slot, axis in enumerate(joint.slot_axis):
            at = 3 + slot
            bounds = [joint.sign[at] * (b - joint.offset[at]) for b in ranges[axis]]
            joint.low[at], joint.high[at] = min(bounds), max(bounds)
            self.add(at, Freedom.ANGULAR, axis, limits[axis], drives)

    def absorb(self, locked: list[int], angles: list[float]) -> Array:
        """Turn the angular frames so that locks read zero; return what was taken out of each slot.

        R = Rx Ry Rz. Locked turns on the outside of a free one are taken to its left into the
        joint frame and to its right into the connected frame. A locked turn between two free ones
        cannot be taken out: it stays the bound of the middle slot.
        """
        joint = self.joint
        left, right = np.eye(3), np.eye(3)
        free = [a for a in AXES if a not in locked]
        for axis in locked:
            if not free or axis < free[0]:
                left = left @ turn(axis, angles[axis])
        for axis in locked:
            if free and axis > free[-1]:
                right = right @ turn(axis, angles[axis])
        order = np.eye(3)
        if len(locked) == 2:
            k = free[0]
            joint.slot_axis = (k, (k + 1) % 3, (k + 2) % 3)
            order = np.eye(3)[:, list(joint.slot_axis)]
        elif len(locked) == 1 and locked[0] != 1:
            # Free X Y (Z locked) or Y Z (X locked): first to slot 0, second to slot 2. The middle
            # axis is then second x first, which is minus the locked one.
            first, second = free
            joint.slot_axis = (first, locked[0], second)
            joint.sign[4] = -1.0
            order = np.stack([np.eye(3)[first], -np.eye(3)[locked[0]], np.eye(3)[second]], 1)
        joint.angular = (
            joint.angular[0] @ left @ order,
            joint.angular[1] @ right.T @ order,
        )
        kept = len(locked) == 1 and locked[0] == 1
        return np.array([angles[a] if a in locked and not kept else 0.0 for a in joint.slot_axis])

    def away_from_gimbal(self, low: float, high: float) -> tuple[float, float]:
        """Bound the middle one of three free angles to where it can be told from the others."""
        if low >= -GIMBAL and high <= GIMBAL:
            return low, high
        self.warn(
            "angle-about-y-bounded",
            "With no angular axis fixed, the angle about Y is held within 88.9\N{DEGREE SIGN}.",
            "Limit Y further, or fix one angular axis.",
        )
        low, high = max(low, -GIMBAL), min(high, GIMBAL)
        return (low, high) if low <= high else (min(low, GIMBAL),) * 2

    def rigid_range(self, limits: list[Limit], freedom: Freedom, axis: int) -> tuple[float, float]:
        """Intersect the rigid limits on an axis; of contradicting ones the first wins."""
        low, high = -inf, inf
        for limit in limits:
            if not self.is_rigid(limit):
                continue
            new_low, new_high = max(low, limit.min), min(high, limit.max)
            if new_low > new_high:
                self.warn(
                    "limits-contradict",
                    f"Limits {_axis_text(freedom, axis)} exclude each other; the first one holds.",
                    "Make their ranges overlap.",
                )
                continue
            low, high = new_low, new_high
        return low, high

    def is_rigid(self, limit: Limit) -> bool:
        """Whether a limit does not give way."""
        soft = limit.is_soft and limit.stiffness >= 0.0
        return not soft or limit in self.held or (self.rigid_soft_locks and limit.is_lock)

    def is_limit(self, limit: Limit, freedom: Freedom, axis: int) -> bool:
        """Whether a limit bounds anything, and says so without contradiction."""
        if limit.min <= limit.max and limit.min < inf and limit.max > -inf:
            return limit.min > -inf or limit.max < inf
        self.warn(
            "limit-empty",
            f"A limit {_axis_text(freedom, axis)} has its minimum above its maximum.",
            "Swap them.",
        )
        return False

    def is_sound(self, drive: Drive) -> bool:
        """Whether a drive's numbers mean anything."""
        numbers = [drive.stiffness, drive.damping, drive.position_target, drive.velocity_target]
        targets = [drive.position_target, drive.velocity_target]
        sound = not any(n is not None and isnan(n) for n in [*numbers, drive.max_force])
        sound = sound and not any(t in (inf, -inf) for t in targets)
        if not sound:
            self.warn(
                "drive-not-a-number",
                "A drive has a value that is not a valid number.",
                "Enter a number.",
            )
        return sound and drive.axis in AXES

    def add(
        self, at: int, freedom: Freedom, axis: int, limits: list[Limit], drives: list[Drive]
    ) -> None:
        """Add the soft limits and drives of one axis to a coordinate."""
        joint = self.joint
        sign, offset = float(joint.sign[at]), float(joint.offset[at])
        for limit in limits:
            if not self.is_rigid(limit):
                bounds = sorted(sign * (b - offset) for b in (limit.min, limit.max))
                damping = 0.0 if isnan(limit.damping) else max(limit.damping, 0.0)
                joint.elements.append(Element(at, limit.stiffness, damping, bounds[0], bounds[1]))
        for drive in drives:
            if drive.type is not freedom or drive.axis != axis:
                continue
            if joint.low[at] == joint.high[at]:
                self.warn(
                    "drive-on-locked-axis",
                    f"A drive {_axis_text(freedom, axis)} does nothing: the axis is locked.",
                    "Free the axis or remove the drive.",
                )
                continue
            sprung = drive.position_target is not None
            target = sign * ((drive.position_target or 0.0) - offset)
            limited = drive.max_force if drive.max_force >= 0.0 else inf
            joint.elements.append(
                Element(
                    coordinate=at,
                    stiffness=max(drive.stiffness, 0.0) if sprung else 0.0,
                    damping=max(drive.damping, 0.0)
                    if sprung or drive.velocity_target is not None
                    else 0.0,
                    is_drive=True,
                    target=target,
                    speed=sign * (drive.velocity_target or 0.0),
                    max_force=limited,
                    accelerates=drive.mode is DriveMode.ACCELERATION,
                )
            )


def _lock(bounds: tuple[float, float], limits: list[Limit]) -> float | None:
    """Return the value at which an axis is held, rigidly or softly, or None."""
    if bounds[0] == bounds[1]:
        return bounds[0]
    held = [limit.min for limit in limits if limit.is_lock]
    return held[0] if held else None


def _axis_text(freedom: Freedom, axis: int) -> str:
    return f"{'along' if freedom is Freedom.LINEAR else 'about'} {AXIS_NAMES[axis]}"
