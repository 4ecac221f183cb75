# SPDX-License-Identifier: GPL-3.0-or-later
"""How far two motions of one mechanism are apart, joint by joint."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import degrees, isfinite

import numpy as np

from ..model.joint import Freedom, JointSettings
from ..model.settings.spans import spans_of
from ..model.wording.words import Say
from .kinematics.rotation import Array
from .simulation import Simulation

CENTIMETRE = 0.01
"""m: as much as a degree, where joints are compared with each other."""
NOTHING = 0.05
"""Degrees or cm: what is less is not told."""


@dataclass(frozen=True, slots=True)
class JointDifference:
    """How far one joint is from where it is in the other motion.

    Attributes:
        joint: its node.
        angle: rad; of a joint that turns about one axis over whole turns, else at most pi.
        distance: m, between both places of the connected frame in the joint frame.
        turns: whether the joint lets anything turn.
        slides: whether it lets anything slide.
    """

    joint: int
    angle: float
    distance: float
    turns: bool
    slides: bool

    @property
    def told(self) -> tuple[float, float]:
        """Angle and distance, zero what is next to nothing.

        What the joint holds is told from a degree or a centimetre on, where it does not.
        """
        least = [NOTHING if lets else 1.0 for lets in (self.turns, self.slides)]
        return (
            self.angle if degrees(self.angle) >= least[0] else 0.0,
            self.distance if self.distance >= least[1] * CENTIMETRE else 0.0,
        )

    @property
    def size(self) -> float:
        """Degrees or cm of what is told, whichever are more."""
        angle, distance = self.told
        return max(degrees(angle), distance / CENTIMETRE)

    def words(self, say: Say) -> str:
        """Return what is told in words, such as "11.2° and 3 cm"."""
        parts = zip(self.told, (Freedom.ANGULAR, Freedom.LINEAR), strict=True)
        return " and ".join(say(value, freedom) for value, freedom in parts if value)


class Comparison:
    """Compares two simulations of one mechanism, such as one of each kind of steps."""

    def __init__(self, one: Simulation, other: Simulation) -> None:
        """Compare the joints that both simulate; the first one says what they let go."""
        self._both = one, other
        nodes, settings = one.mechanism.nodes, one.mechanism.settings
        self._settings: dict[int, JointSettings] = {}
        for node in sorted(set(one.joint_nodes) & set(other.joint_nodes)):
            joint = nodes[node].joint
            if joint is not None:
                self._settings[node] = settings[joint.settings]
        rooms = [spans_of(one.limits) for one in self._settings.values()]
        free = [not span.is_rigidly_locked for spans in rooms for span in spans]
        self._free = np.array(free, np.bool_).reshape(-1, 6)
        self._axle = np.where(self._free[:, 3:].sum(1) == 1, self._free[:, 3:].argmax(1), -1)

    def differences(self) -> list[JointDifference]:
        """Return how far joints are apart now, by their nodes, without those that broke."""
        places, turns, twists = zip(*(self._of(one) for one in self._both), strict=True)
        distance = np.sqrt(np.square(places[0] - places[1]).sum(-1))
        chords = [np.sqrt(np.square(turns[0] - sign * turns[1]).sum(-1)) for sign in (1.0, -1.0)]
        angle = 4.0 * np.arcsin(np.minimum(0.5 * np.minimum(*chords), 1.0))
        rows = np.arange(len(self._axle))
        along = np.abs(twists[0] - twists[1])[rows, self._axle]
        angle = np.where(self._axle >= 0, along, angle)
        free = self._free.tolist()
        every = zip(self._settings, angle.tolist(), distance.tolist(), free, strict=True)
        return [
            JointDifference(node, turn, way, turns=any(lets[3:]), slides=any(lets[:3]))
            for node, turn, way, lets in every
            if isfinite(turn + way)
        ]

    def _of(self, simulation: Simulation) -> tuple[Array, Array, Array]:
        """Return places (n, 3), quaternions (n, 4) and twists (n, 3); of broken joints NaN."""
        number = {node: i for i, node in enumerate(simulation.joint_nodes)}
        rows = np.array([number[node] for node in self._settings], np.intp)
        place, turn = simulation.joint_poses()
        return place[rows], turn[rows], simulation.all_coordinates()[rows, 3:]


def largest(differences: Iterable[JointDifference]) -> list[JointDifference]:
    """Return those of which there is anything to tell, the largest first."""
    return sorted((one for one in differences if one.size), key=lambda one: -one.size)
