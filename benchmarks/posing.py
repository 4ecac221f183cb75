# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a mechanism that is posed keeps a hand waiting: processor time of its moves, in ms.

    python -m benchmarks.posing

Arms and a ragdoll are dragged around a circle, the crank of a four-bar goes to and fro.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import cos, sin, tau

import numpy as np

from benchmarks.solver.random_mechanisms import Builder
from omi_physics_joint.model.body import IDENTITY_QUATERNION, Motion, MotionType, Vector3
from omi_physics_joint.model.joint import AXES, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.posing import Posing

Move = Callable[[float], object]
"""Makes the move at an angle of the circle, rad."""
MOVES = 150


def ball(*reach: float) -> JointSettings:
    """Return a ball joint with a bound on each angle, rad."""
    bounds = (Limit((), (axis,), -most, most) for axis, most in zip(AXES, reach, strict=True))
    return JointSettings(limits=(Limit(AXES, (), 0.0, 0.0), *bounds))


class Figure(Builder):
    """Collects bodies of 1 kg."""

    def part(self, onto: int, settings: JointSettings, joint: Vector3, place: Vector3) -> int:
        """Add a body on a joint to another one."""
        added = self.body(place, IDENTITY_QUATERNION, Motion(MotionType.DYNAMIC))
        self.joint((onto, added), settings, (joint, IDENTITY_QUATERNION))
        return added


def arm(settings: JointSettings, count: int) -> Move:
    """Return what drags the end of an arm of rods of 0.1 m on joints of one kind."""
    made, end, size = Figure(), 0, 0.1 * count
    for i in range(count):
        end = made.part(end, settings, (0.1 * i, 0.0, 0.0), (0.1 * i + 0.05, 0.0, 0.0))
    posing, tip = Posing(made.mechanism()), (0.05, 0.0, 0.0)
    return lambda turn: posing.drag(
        end, tip, (size * (0.5 + 0.3 * cos(turn)), size * (0.3 + 0.3 * sin(turn)), 0.0)
    )


def ragdoll() -> Move:
    """Return what drags a hand of a ragdoll of 15 bodies that nothing holds."""
    made, joint = Figure(), ball(0.8, 0.8, 0.5)
    trunk = made.body((0.0, 0.0, 0.0), IDENTITY_QUATERNION, Motion(MotionType.DYNAMIC, 5.0))
    chest = made.part(trunk, joint, (0.0, 0.15, 0.0), (0.0, 0.3, 0.0))
    hand = made.part(chest, joint, (0.0, 0.45, 0.0), (0.0, 0.6, 0.0))
    shoulders = hand
    for side in (1.0, -1.0):
        foot, hand = trunk, shoulders
        for i in range(3):
            knee = recipes.hinge(0, -0.1, 2.2) if i == 1 else joint
            elbow = recipes.hinge(2, -2.2, 0.1) if i == 1 else joint
            down, out = -0.4 * i - 0.3, side * (0.3 * i + 0.3)
            foot = made.part(foot, knee, (0.1 * side, down + 0.2, 0.0), (0.1 * side, down, 0.0))
            hand = made.part(hand, elbow, (out - 0.15 * side, 0.6, 0.0), (out, 0.6, 0.0))
    posing, tip = Posing(made.mechanism()), (-0.1, 0.0, 0.0)
    return lambda turn: posing.drag(
        hand, tip, (0.35 * cos(turn) - 0.8, 0.35 * sin(turn) + 0.7, 0.05 * sin(2.0 * turn))
    )


def four_bar() -> Move:
    """Return what swings the crank of a double rocker by 46 degrees either way."""
    made, hinge = Figure(), recipes.hinge(2)
    crank = made.part(0, hinge, (0.0, 0.0, 0.0), (0.0, 0.5, 0.0))
    coupler = made.part(crank, hinge, (0.0, 1.0, 0.0), (1.0, 1.25, 0.0))
    rocker = made.part(coupler, hinge, (2.0, 1.5, 0.0), (2.0, 0.75, 0.0))
    made.joint((0, rocker), hinge, ((2.0, 0.0, 0.0), IDENTITY_QUATERNION))
    posing = Posing(made.mechanism())
    first = posing.joint_nodes[0]
    return lambda turn: posing.set_value(first, Freedom.ANGULAR, 2, 0.8 * sin(turn))


CASES: dict[str, Callable[[], Move]] = {
    "30 hinges": lambda: arm(recipes.hinge(2), 30),
    "30 hinges at their bounds": lambda: arm(recipes.hinge(2, -0.1, 0.15), 30),
    "30 pins": lambda: arm(recipes.pin(), 30),
    "30 balls with bounds": lambda: arm(ball(0.4, 0.4, 0.4), 30),
    "100 hinges": lambda: arm(recipes.hinge(2), 100),
    "ragdoll of 15": ragdoll,
    "four-bar": four_bar,
}


def main() -> None:
    """Print a row for every case."""
    print(f"{'ms':28}{'median':>8}{'mean':>8}{'longest':>9}")
    for name, make in CASES.items():
        move, taken = make(), []
        for number in range(MOVES):
            start = time.process_time()
            move(tau * number / MOVES)
            taken.append(1e3 * (time.process_time() - start))
        print(f"{name:28}{np.median(taken):8.2f}{np.mean(taken):8.2f}{max(taken):9.2f}")


if __name__ == "__main__":
    main()
