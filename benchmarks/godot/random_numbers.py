# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers, places and turns drawn at random."""

from __future__ import annotations

from math import pi
from random import Random
from typing import TypeVar

from omi_physics_joint.model.body import Vector3
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix
from omi_physics_joint.model.joint import AXES

from .building import at, chained, turn

_T = TypeVar("_T")


class Draw:
    """Draws from one source, and keeps words for what was drawn."""

    def __init__(self, random: Random) -> None:
        """Draw from a source of random numbers."""
        self.random = random
        self.words: list[str] = []

    def say(self, word: str) -> None:
        """Note a word once."""
        if word not in self.words:
            self.words.append(word)

    def chance(self, part: float) -> bool:
        """Return true so often."""
        return self.random.random() < part

    def pick(self, weights: dict[_T, int]) -> _T:
        """Return one of some, each as often as it weighs."""
        return self.random.choices(list(weights), list(weights.values()))[0]

    def vector(self, far: float) -> Vector3:
        """Return a vector whose parts are no larger than that."""
        uniform = self.random.uniform
        return uniform(-far, far), uniform(-far, far), uniform(-far, far)

    def turned(self) -> Matrix:
        """Return a turn: none, a quarter or any."""
        kind = self.pick({"": 1, "quarter": 1, "askew": 2})
        if kind == "quarter":
            return turn(self.random.choice(AXES), self.random.choice((-0.5, 0.5, 1.0)) * pi)
        if kind == "askew":
            return chained(*(turn(i, self.random.uniform(-pi, pi)) for i in AXES))
        return IDENTITY

    def place(self, far: float = 0.3) -> Matrix:
        """Return a place with a turn."""
        return chained(at(*self.vector(far)), self.turned())
