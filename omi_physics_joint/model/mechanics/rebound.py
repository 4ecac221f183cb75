# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a body is thrown back from a bound, so far that it is noticed.

Godot's engine, Jolt, finds the impulses of a joint row by row, in ten passes, and begins each step
with those of the step before. So what has stopped a body comes once more, and a pass leaves of it
the part k that the other rows share: m r^2 / (I + m r^2) of a body on a pivot, r away from it. What
strikes at a speed v leaves at k^10 v: 0.06 v of a bar at its end, 0.25 v of one on a long arm.

What can strike is known of a body that one joint leads one way, from what stands still: it has no
more than its energy at rest. The add-on in GDScript asks the same (``rebound.gd``), and
``make test-godot`` compares what both say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf, isfinite, sqrt

from ..body import Vector3
from ..geometry.frames import rigid_frame
from ..geometry.transform import (
    apply,
    cross,
    dot,
    linear_part,
    minus,
    normalized,
    plus,
    rotation_about,
    times,
    translation_of,
)
from ..mechanism import GRAVITY, Mechanism
from .inertias import centre_of, inertia_of

PASSES = 10
ANGLE, WAY = 0.0175, 0.005
"""rad and m by which a body is noticed to be elsewhere: a degree and 5 mm."""
SECONDS = 2.0
"""How long what nothing pulls back may go on."""
LOOKS = 32
"""How often the way to a bound is looked at: it rises and falls once in a turn, so few would do."""
ROUNDED = 1e-6
"""m by which a body may seem to climb: far more than rounding, far less than 5 mm."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The one way that a joint lets a body go.

    Attributes:
        turns: about a line in the world, else along it.
        origin: a point of the line, in m.
        axis: the direction of the line, of length one.
        low: how far the body may go from rest, rad or m, at most zero.
        high: the same the other way.
    """

    turns: bool
    origin: Vector3
    axis: Vector3
    low: float
    high: float


def throws_back(
    mechanism: Mechanism,
    body: int,
    parts: Sequence[int],
    lead: Lead,
    left: float | None = None,
) -> bool:
    """Return whether a body may be thrown back from a bound, noticeably; also if nobody knows.

    Its node is not flat; ``parts`` are the nodes that belong to it. A bound gives back the part
    ``left`` of the speed; None is what Godot's give back.
    """
    motion = mechanism.nodes[body].motion
    inertia = inertia_of(mechanism, body, parts)
    if motion is None or inertia is None or not 0.0 < motion.mass < inf:
        return True
    frame = rigid_frame(mechanism.nodes[body].world)
    arm = _aside(minus(centre_of(mechanism, body, parts), lead.origin), lead.axis)
    about = lead.axis if lead.turns else normalized(cross(arm, lead.axis))
    shared = motion.mass * dot(arm, arm)
    whole = shared + dot(about, apply(inertia, about))
    spin = apply(linear_part(frame), motion.angular_velocity)
    velocity = plus(motion.linear_velocity, cross(motion.angular_velocity, motion.center))
    energy = 0.5 * (motion.mass * dot(velocity, velocity) + dot(spin, apply(inertia, spin)))
    origin = _aside(minus(translation_of(frame), lead.origin), lead.axis)
    if left is None:
        left = (shared / whole) ** PASSES if whole > 0.0 else 0.0
    moves = whole if lead.turns else motion.mass  # kg m^2 or kg
    weight = motion.mass * motion.gravity_factor * GRAVITY
    noticed = min(ANGLE, WAY / max(hypot(*arm), hypot(*origin), WAY)) if lead.turns else WAY

    def lift(value: float) -> float:
        if lead.turns:
            return apply(rotation_about(lead.axis, value), arm)[1] - arm[1]
        return lead.axis[1] * value

    for end, back in ((lead.low, noticed), (lead.high, -noticed)):
        if not isfinite(end) or lead.high - lead.low <= noticed:
            continue
        climbs = (weight * (lift(end * i / LOOKS) - ROUNDED) for i in range(LOOKS + 1))
        if any(climb > energy for climb in climbs):
            continue
        speed = left * sqrt(2.0 * max(energy - weight * lift(end), 0.0) / moves)
        held = weight * (lift(end + back) - lift(end))
        if speed * SECONDS > noticed and 0.5 * moves * speed * speed > held:
            return True
    return False


def _aside(arm: Vector3, axis: Vector3) -> Vector3:
    return minus(arm, times(axis, dot(arm, axis)))
