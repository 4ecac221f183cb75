# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of each kind that a joint may be of, on axes that are not the first."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld

LINEAR, ANGULAR = Freedom
PLACE = Limit(AXES, (), 0.0, 0.0)
TURNS = Limit((), AXES, 0.0, 0.0)
SERVO = Drive(
    ANGULAR,
    DriveMode.FORCE,
    1,
    position_target=0.5,
    velocity_target=0.25,
    stiffness=9.0,
    damping=2.0,
    max_force=20.0,
)
MOTOR = Drive(ANGULAR, DriveMode.FORCE, 1, velocity_target=-2.0, damping=3.0)
PULL = Drive(LINEAR, DriveMode.ACCELERATION, 2, position_target=0.25, stiffness=16.0, damping=1.0)


def settings(*limits: Limit, drives: tuple[Drive, ...] = ()) -> JointSettings:
    """Return settings without a name."""
    return JointSettings("", limits, drives)


def softened(joint: JointSettings) -> JointSettings:
    """Return settings whose limits give way."""
    soft = tuple(replace(one, stiffness=40.0, damping=2.0) for one in joint.limits)
    return replace(joint, limits=soft)


KINDS: dict[str, JointSettings] = {
    "a weld": weld(),
    "a pin": pin(),
    "a hinge": hinge(1),
    "a hinge with bounds": hinge(1, -0.5, 1.25),
    "a hinge with a lower bound": hinge(1, 0.25),
    "a hinge with an upper bound": hinge(1, high=0.25),
    "a hinge of more than a turn": hinge(1, -4.0, 5.0),
    "a hinge that is held aside": hinge(1, 0.5, 0.5),
    "a hinge with soft bounds": replace(
        hinge(1, -0.5, 1.25), limits=softened(hinge(1, -0.5, 1.25)).limits
    ),
    "a hinge with a servo": replace(hinge(1, -0.5, 1.25), drives=(SERVO,)),
    "a hinge with a motor": replace(hinge(1), drives=(MOTOR,)),
    "a slider": slider(2),
    "a slider with bounds": slider(2, -0.5, 0.75),
    "a slider with a lower bound": slider(2, 0.125),
    "a slider with a spring": replace(slider(2, high=0.75), drives=(PULL,)),
    "a cylinder": settings(Limit((0, 1), (), 0.0, 0.0), Limit((), (0, 1), 0.0, 0.0)),
    "a table": settings(
        Limit((1,), (), 0.0, 0.0),
        Limit((), (0, 2), 0.0, 0.0),
        Limit((0,), (), -0.5, 0.5),
        Limit((2,), (), -0.25, inf),
    ),
    "two angles": settings(
        PLACE, Limit((), (1,), 0.0, 0.0), Limit((), (0,), -0.5, 0.75), Limit((), (2,), -0.25, 1.0)
    ),
    "two free angles": settings(PLACE, Limit((), (2,), 0.0, 0.0)),
    "three angles": settings(
        PLACE,
        Limit((), (0,), -0.5, 0.5),
        Limit((), (1,), -inf, 0.75),
        Limit((), (2,), 0.25, 1.0),
    ),
    "a cone": settings(PLACE, Limit((), (0, 2), max=0.5, together=True)),
    "a hollow cone": settings(
        PLACE, Limit((), (0, 1), 0.25, 0.5, together=True), Limit((), (2,), -1.0, 0.5)
    ),
    "a whole angle": settings(PLACE, Limit((), AXES, max=0.75, together=True)),
    "a rope": settings(Limit(AXES, max=0.75, together=True)),
    "a soft cone": settings(
        PLACE, Limit((), (1, 2), max=0.5, stiffness=40.0, damping=2.0, together=True)
    ),
    "a whole angle of some": settings(PLACE, Limit((), AXES, 0.25, 0.75, together=True)),
    "a rope that pushes": settings(Limit(AXES, (), 0.25, 0.75, together=True), TURNS),
    "a ring": settings(Limit((0, 2), (), 0.25, 0.75, together=True), TURNS),
    "a spring in all ways": softened(weld()),
    "a box": settings(
        Limit((0,), (), -0.25, 0.25), Limit((1,), (), -0.5, 0.5), Limit((2,), (), 0.0, 0.75), TURNS
    ),
    "a bound that is none": settings(PLACE, Limit((), (2,), 1.0, -1.0)),
    "all free": JointSettings(),
}
