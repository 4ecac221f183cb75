# SPDX-License-Identifier: GPL-3.0-or-later
"""From joint settings to what the solver holds: frames on two bodies, bounds, soft elements.

A joint has six coordinates, as ``settings.coordinates`` says: three distances along the axes of the
joint frame, and three angles, the twists about them. Bounds on several axes together are on further
ones, see ``system.LINE``. What of them is limited or driven has a row, and elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isfinite, isnan, nan
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ...model.geometry.frames import is_sound, rigid_frame
from ...model.issue import Issue, Severity
from ...model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from ...model.mechanism import Mechanism
from ...model.settings.spans import intersection, spans_of
from ...model.settings.together import Together, together_in
from ...model.wording.describe import GLTF_AXES, AxisWords
from ..kinematics.rotation import Array
from ..system import CONE, LINE, MOST_ROWS, POINT, WHOLE, RowKind

STIFFEST = 1e15
"""Stiffness and damping beyond this, or a tenth, are as good as infinite, and are cut to it."""
STRONGEST_MOTOR = 1e4
"""s/m or s/rad: the same for the damping of a drive over its largest force, at which it misses its
speed by 1e-4. What is stronger sees that force in the rounding of a coordinate."""


@dataclass(frozen=True, slots=True)
class ForceElement:
    """One soft limit or one drive on a coordinate, of which it makes one row.

    A soft limit pushes back only outside of its range, and never pulls outward; held at one value
    it is a plain spring. A drive pulls to its targets, and spring and damper together are clamped
    to its largest force.
    """

    coordinate: int
    """0 to 2 along X, Y, Z; 3 to 5 about them."""
    stiffness: float
    damping: float
    low: float = -inf
    high: float = inf
    is_drive: bool = False
    target: float = 0.0
    speed: float = 0.0
    max_force: float = inf
    accelerates: bool = False

    @property
    def is_one_sided(self) -> bool:
        """Whether it is a limit with a range, in which it does nothing."""
        return not self.is_drive and self.low != self.high

    @property
    def neutral(self) -> float:
        """Where it does nothing, if it is not one-sided."""
        if self.is_one_sided:
            return 0.0
        return self.target if self.is_drive else self.low

    @property
    def spring(self) -> float:
        """Stiffness that is computed with."""
        return min(self.stiffness, STIFFEST)

    @property
    def damper(self) -> float:
        """Damping that is computed with."""
        return min(self.damping, STIFFEST, STRONGEST_MOTOR * self.max_force)


Tell = Callable[[str, str, str], None]
"""Takes the code of an issue, what is wrong and how it is mended."""


@dataclass(slots=True)
class Joint:
    """One joint between two bodies, in arrays; indices of bodies are those of ``read_bodies``.

    Attributes:
        node: index of the joint's node.
        settings: index of its settings.
        bodies: index of the joint's body, and of the connected body.
        frames: (2, 4, 4) world from the joint frame and from the connected frame, at rest.
        held_at: (3,) angle in rad at which each axis is held, rigidly or softly; NaN where none is.
        low, high: rigid bounds of all coordinates, those of several axes together last.
        elements: soft limits and drives.
    """

    node: int
    settings: int
    bodies: tuple[int, int]
    frames: Array
    held_at: Array = field(default_factory=lambda: np.full(3, nan))
    low: Array = field(default_factory=lambda: np.full(WHOLE + 1, -inf))
    high: Array = field(default_factory=lambda: np.full(WHOLE + 1, inf))
    elements: list[ForceElement] = field(default_factory=list)

    def part(self, first: int, end: int) -> Joint:
        """Return this joint with what acts on some coordinates only."""
        low, high = np.full(WHOLE + 1, -inf), np.full(WHOLE + 1, inf)
        low[first:end], high[first:end] = self.low[first:end], self.high[first:end]
        elements = [one for one in self.elements if first <= one.coordinate < end]
        return replace(self, low=low, high=high, elements=elements)


def read_joints(
    mechanism: Mechanism,
    settings: tuple[JointSettings, ...],
    body_index: dict[int, int],
    world: int,
    dynamic: frozenset[int],
    *,
    held: Mapping[int, frozenset[Limit]] = MappingProxyType({}),
    words: AxisWords = GLTF_AXES,
) -> tuple[list[Joint], tuple[Issue, ...]]:
    """Return the joints that can be simulated, and why others cannot.

    Args:
        mechanism: nodes and their joints.
        settings: of the joints; may differ from those of the mechanism.
        body_index: index of each body by its node.
        world: index of the body that is the world.
        dynamic: indices of the bodies that forces move.
        held: soft limits that are read as rigid, by joint node.
        words: what axes are called.
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
            message = "Both ends of the joint belong to the same body, so it does nothing."
            tell("joint-within-body", message, "Connect it to a node of another body.")
            continue
        bodies = tuple(world if end is None else body_index[end] for end in ends)
        if not dynamic & set(bodies):
            tell("joint-nothing-moves", "Neither body of the joint is dynamic.", "")
            continue
        if not all(is_sound(one.world) for one in (node, connected)):
            tell("flat-frame", "A frame of the joint has no direction.", "Scale must not be zero.")
            continue
        own = settings[joint.settings]
        frames = np.array([rigid_frame(one.world, own) for one in (node, connected)])
        result = Joint(index, joint.settings, (bodies[0], bodies[1]), frames)
        rigid = held.get(index, frozenset())
        limits = (replace(one, stiffness=inf) if one in rigid else one for one in own.limits)
        _JointReader(result, replace(own, limits=tuple(limits)), words, tell).read()
        joints.append(result)
    return joints, tuple(issues)


@dataclass(frozen=True, slots=True)
class _JointReader:
    """Puts the settings of one joint into it."""

    joint: Joint
    settings: JointSettings
    words: AxisWords
    tell: Tell

    def read(self) -> None:
        """Read limits and drives into bounds and elements."""
        joint = self.joint
        drives = [drive for drive in self.settings.drives if self.is_sound(drive)]
        spans = spans_of(self.settings.limits)
        for at, span in enumerate(spans):
            self.bound(at, span.limits, span.freedom, span.axis)
            for drive in drives:
                if drive.type is span.freedom and drive.axis == span.axis:
                    self.drive(at, drive)
        for span in spans[3:]:
            at = 3 + span.axis
            held = joint.low[at] if joint.low[at] == joint.high[at] else span.held_at
            joint.held_at[span.axis] = nan if held is None else held
        together: dict[int, list[Together]] = {}
        for one in together_in(self.settings.limits):
            together.setdefault(coordinate_of(one), []).append(one)
        for at, here in together.items():
            limits = [replace(one.limit, min=one.low, max=one.high) for one in here]
            self.bound(at, limits, here[0].freedom, *here[0].axes)

    def bound(self, at: int, found: Iterable[Limit], freedom: Freedom, *axes: int) -> None:
        """Put limits on axes onto a coordinate; of rigid ones that contradict the first wins."""
        joint, way, rigid = self.joint, self.words.way(freedom, *axes), []
        for limit in [one for one in found if self.is_limit(one, way, together=len(axes) > 1)]:
            if limit.is_soft and limit.stiffness >= 0.0:
                damping = 0.0 if isnan(limit.damping) else max(limit.damping, 0.0)
                soft = ForceElement(at, limit.stiffness, damping, limit.min, limit.max)
                joint.elements.append(soft)
            else:
                rigid.append(limit)
        joint.low[at], joint.high[at], contradiction = intersection(rigid)
        if contradiction:
            message = f"Limits {way} exclude each other; the first one holds."
            self.tell("limits-contradict", message, "Make their ranges overlap.")

    def is_limit(self, limit: Limit, way: str, *, together: bool) -> bool:
        """Whether a limit bounds anything, and says so without contradiction."""
        possible = limit.max >= 0.0 if together else limit.max > -inf
        if limit.min <= limit.max and limit.min < inf and possible:
            return limit.min > -inf or limit.max < inf
        if limit.min <= limit.max and not possible:
            message, fix = "allows less than zero, which no distance and no angle is", "Widen it."
        else:
            message, fix = "has its minimum above its maximum", "Swap them."
        self.tell("limit-empty", f"A limit {way} {message}.", fix)
        return False

    def is_sound(self, drive: Drive) -> bool:
        """Whether a drive's numbers mean anything."""
        targets = [drive.position_target, drive.velocity_target]
        numbers = [drive.stiffness, drive.damping, drive.max_force, *targets]
        sound = not any(n is not None and isnan(n) for n in numbers)
        sound = sound and inf not in targets and -inf not in targets
        if not sound:
            message = "A drive has a value that is not a valid number."
            self.tell("drive-not-a-number", message, "Enter a number.")
        return sound and drive.axis in AXES

    def drive(self, at: int, drive: Drive) -> None:
        """Put a drive onto a coordinate."""
        if self.joint.low[at] == self.joint.high[at]:
            way = self.words.way(drive.type, drive.axis)
            message = f"A drive {way} does nothing: the axis is locked."
            self.tell("drive-on-locked-axis", message, "Free the axis or remove the drive.")
            return
        sprung = drive.position_target is not None
        damped = sprung or drive.velocity_target is not None
        element = ForceElement(
            coordinate=at,
            stiffness=max(drive.stiffness, 0.0) if sprung else 0.0,
            damping=max(drive.damping, 0.0) if damped else 0.0,
            is_drive=True,
            target=drive.position_target or 0.0,
            speed=drive.velocity_target or 0.0,
            max_force=drive.max_force if drive.max_force >= 0.0 else inf,
            accelerates=drive.mode is DriveMode.ACCELERATION,
        )
        self.joint.elements.append(element)


def coordinate_of(one: Together) -> int:
    """Return the coordinate that a bound on several axes together is on."""
    if len(one.axes) == len(AXES):
        return POINT if one.freedom is Freedom.LINEAR else WHOLE
    return one.left_axis + (LINE if one.freedom is Freedom.LINEAR else CONE)


class JointRow(NamedTuple):
    """One coordinate of a joint on which anything acts."""

    coordinate: int
    kind: RowKind
    hold: float
    low: float
    high: float


def elements_of(joint: Joint) -> list[ForceElement]:
    """Return the elements of a joint that do something: nothing soft moves what is locked."""
    return [
        one
        for one in joint.elements
        if joint.low[one.coordinate] != joint.high[one.coordinate]
        and (one.stiffness > 0.0 or one.damping > 0.0)
    ]


def rows_of(joint: Joint) -> list[JointRow]:
    """Return the rows of a joint, rising by coordinate."""
    acted_on = {one.coordinate for one in elements_of(joint)}
    bounds = zip(joint.low.tolist(), joint.high.tolist(), strict=True)
    return [
        _row(joint, c, low, high)
        for c, (low, high) in enumerate(bounds)
        if c in acted_on or isfinite(low) or isfinite(high)
    ]


def _row(joint: Joint, coordinate: int, low: float, high: float) -> JointRow:
    if low == high:
        return JointRow(coordinate, RowKind.LOCK, low, -inf, inf)
    held = float(joint.held_at[coordinate - 3]) if 3 <= coordinate < LINE else nan
    if isnan(held):
        return JointRow(coordinate, RowKind.FREE, 0.0, low, high)
    return JointRow(coordinate, RowKind.HELD, held, low, high)


def axes_of(coordinate: int) -> frozenset[int]:
    """Return which of the coordinates 0 to 5 one is about: itself, or those of its axes."""
    if coordinate < LINE:
        return frozenset({coordinate})
    if coordinate in {POINT, WHOLE}:
        return frozenset({0, 1, 2}) if coordinate == POINT else frozenset({3, 4, 5})
    first, left = (0, coordinate - LINE) if coordinate < POINT else (3, coordinate - CONE)
    return frozenset({first, first + 1, first + 2} - {first + left})


def is_crowded(joint: Joint) -> bool:
    """Return whether several axes together share one with another row, which may follow from it."""
    every = [row.coordinate for row in rows_of(joint)]
    return any(
        axes_of(one) & axes_of(other)
        for one in every
        if one >= LINE
        for other in every
        if other != one
    )


def in_parts(joint: Joint) -> list[Joint]:
    """Return a joint, or where it has too many rows several: others have those of axes together."""
    if len(rows_of(joint)) <= MOST_ROWS:
        return [joint]
    first, *further = (joint.part(*some) for some in ((0, LINE), (LINE, CONE), (CONE, WHOLE + 1)))
    return [first, *(part for part in further if rows_of(part))]


def shape_of(joint: Joint) -> tuple[object, ...]:
    """Return what must be the same of two joints that are computed together."""
    return (
        is_crowded(joint),
        tuple((row.coordinate, row.kind) for row in rows_of(joint)),
        tuple(
            (one.coordinate, one.is_drive, one.is_one_sided, one.accelerates)
            for one in elements_of(joint)
        ),
    )
