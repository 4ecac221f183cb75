# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings, their limits and drives, and joint nodes (OMI_physics_joint).

The value of a joint coordinate is the pose of the CONNECTED frame expressed in the JOINT frame,
right-handed. Axes are 0 (X), 1 (Y) and 2 (Z) of that frame. All units are SI.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf

from .keys import Track

AXES = (0, 1, 2)
AXIS_NAMES = ("X", "Y", "Z")


class Freedom(StrEnum):
    """The kind of a degree of freedom; the ``type`` of a drive."""

    LINEAR = "linear"
    ANGULAR = "angular"


class DriveMode(StrEnum):
    """What the spring equation of a drive yields."""

    FORCE = "force"
    ACCELERATION = "acceleration"


@dataclass(frozen=True, slots=True)
class Limit:
    """Bounds on relative motion along or about one or more axes.

    Source: OMI_physics_joint, "Joint Limits".
    """

    linear_axes: tuple[int, ...] = ()
    angular_axes: tuple[int, ...] = ()
    min: float = -inf
    """Lower bound in m or rad."""
    max: float = inf
    """Upper bound in m or rad."""
    stiffness: float = inf
    """N/m or N m/rad; infinite is a rigid limit."""
    damping: float = 0.0
    """N s/m or N m s/rad."""
    together: bool = False
    """Whether several axes of a kind have one bound: on the distance from a line (two axes) or a
    point (three), on the angle between the remaining axes (two: a cone) or the whole angle
    (three). Source: KHR_physics_rigid_bodies, "Joint Limit Metrics". OMI cannot say it."""
    unknown: str = ""
    """JSON object text of members that the specification does not name."""
    keys: Track = ()
    """Numbers of it that change with time; the numbers above are those of a rest pose."""

    @property
    def is_lock(self) -> bool:
        """Whether the axes are held at one value."""
        return self.min == self.max

    @property
    def is_reversed(self) -> bool:
        """Whether its minimum is above its maximum: it bounds nothing."""
        return self.min > self.max

    @property
    def is_fixed(self) -> bool:
        """Whether the axes are "fixed" in the sense of the specification: held at zero."""
        return self.min == 0.0 == self.max

    @property
    def is_soft(self) -> bool:
        """Whether the limit gives way."""
        return self.stiffness != inf

    def is_together(self, freedom: Freedom) -> bool:
        """Return whether one bound holds for the axes of a kind together."""
        return self.together and len(set(self.axes(freedom))) > 1

    def axes(self, freedom: Freedom) -> tuple[int, ...]:
        """Return the limited axes of one kind."""
        return self.linear_axes if freedom is Freedom.LINEAR else self.angular_axes


def on_axes(limit: Limit, freedom: Freedom, axes: tuple[int, ...]) -> Limit:
    """Return the limit with these axes of one kind and none of the other."""
    if freedom is Freedom.LINEAR:
        return replace(limit, linear_axes=axes, angular_axes=())
    return replace(limit, linear_axes=(), angular_axes=axes)


@dataclass(frozen=True, slots=True)
class Drive:
    """A motor or spring on one degree of freedom.

    Force = stiffness (position_target - position) + damping (velocity_target - velocity).
    Source: OMI_physics_joint, "Joint Drives".
    """

    type: Freedom
    mode: DriveMode
    axis: int
    max_force: float = inf
    """N or N m; infinite is not limited."""
    position_target: float | None = None
    """m or rad; None is not a spring."""
    velocity_target: float | None = None
    """m/s or rad/s; None is not a motor."""
    stiffness: float = 0.0
    """N/m or N m/rad; 1/s^2 in acceleration mode."""
    damping: float = 0.0
    """N s/m or N m s/rad; 1/s in acceleration mode."""
    unknown: str = ""
    keys: Track = ()

    @property
    def pulls_to_place(self) -> bool:
        """Whether it has a spring that works; it may well be undamped."""
        return self.position_target is not None and self.stiffness > 0.0


@dataclass(frozen=True, slots=True)
class JointSettings:
    """What a joint allows and drives; shared by any number of joints."""

    name: str = ""
    limits: tuple[Limit, ...] = ()
    drives: tuple[Drive, ...] = ()
    foreign_drives: tuple[str, ...] = ()
    """JSON texts of drives whose type or mode another extension defines: kept, not understood."""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Breaking:
    """What a joint bears; with more it breaks and holds nothing any longer.

    Source: UsdPhysics, "Joint" (break force and torque). glTF's extensions cannot say it.
    """

    force: float = inf
    """N."""
    torque: float = inf
    """N m."""


@dataclass(frozen=True, slots=True)
class JointNode:
    """The part of a joint that belongs to its node."""

    settings: int
    """Index into the settings of the mechanism."""
    connected_node: int
    """Index of the node that this one is connected to."""
    enable_collision: bool = False
    """Whether the two connected bodies collide with each other."""
    unknown: str = ""
    keys: Track = ()
    """How ``enable_collision`` changes with time: 0 or 1."""
    breaking: Breaking | None = None
    """None: it never breaks."""
    enabled: bool = True
    """Whether it holds; one that is muted is kept, and holds nothing. Source: UsdPhysics,
    "Joint" (joint enabled). glTF's extensions cannot say it."""
