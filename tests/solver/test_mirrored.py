# SPDX-License-Identifier: GPL-3.0-or-later
"""What pulls the other way round moves things the other way round, to the last bit."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Options, Simulation
from tests.solver.building import Builder

WEIGHTLESS = Options(gravity=(0.0, 0.0, 0.0))
SERVO = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, position_target=0.7, damping=40.0)
DRIVES: dict[str, Drive] = {
    f"{mode} {kind} of at most {most:g}": replace(drive, mode=mode, max_force=most)
    for mode in DriveMode
    for most in (5.0, inf)
    for kind, drive in {
        "soft servo": replace(SERVO, stiffness=200.0),
        "stiff servo": replace(SERVO, stiffness=1e9, damping=1e6),
        "servo on its way": replace(SERVO, stiffness=1e9, damping=1e6, velocity_target=1.5),
        "stiff motor": replace(SERVO, position_target=None, velocity_target=3.0, damping=1e7),
    }.items()
}


def course(drive: Drive, sign: float, speed: float) -> list[float]:
    """Return the values of a joint with a drive and a soft bound, or of its mirror image."""
    turns = drive.type is Freedom.ANGULAR
    base = recipes.hinge(drive.axis) if turns else recipes.slider(drive.axis)
    own = (drive.axis,)
    low, high = sorted((-0.5 * sign, 0.9 * sign))
    bound = Limit(() if turns else own, own if turns else (), low, high, 1e6, 10.0)

    def mirrored(value: float | None) -> float | None:
        return None if value is None else sign * value

    drive = replace(
        drive,
        position_target=mirrored(drive.position_target),
        velocity_target=mirrored(drive.velocity_target),
    )
    made = Builder()
    ground, velocity = made.ground(), [0.0, 0.0, 0.0]
    velocity[drive.axis] = sign * speed
    body = made.body(**{"angular_velocity" if turns else "linear_velocity": tuple(velocity)})
    settings = JointSettings("", (*base.limits, bound), (drive,))
    joint = made.joint(ground, body, settings)
    simulation, found = Simulation(made.mechanism(), WEIGHTLESS), []
    for _ in range(24):
        simulation.step(1.0 / 60.0)
        found.append(sign * simulation.coordinates(joint)[drive.axis + (3 if turns else 0)])
    return found


@pytest.mark.parametrize("name", DRIVES)
def test_a_drive_pulls_alike_both_ways(name: str) -> None:
    """From rest or thrown the other way, at its largest force, at its bound, and as it lets go."""
    number = list(DRIVES).index(name)
    drive = replace(DRIVES[name], type=[*Freedom][number % 2], axis=number % 3)
    speed = -4.0 * (number // 2 % 2)
    assert course(drive, 1.0, speed) == course(drive, -1.0, speed)
