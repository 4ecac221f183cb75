# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked of the solver: an accuracy for each scene."""

from __future__ import annotations

from dataclasses import dataclass

from .measures import Figures


@dataclass(frozen=True, slots=True)
class Target:
    """The accuracy that counts on a scene."""

    limit: float
    whole_path: bool = False
    """Whether every frame counts, and not only the last."""
    of_overshoot: bool = False
    """Whether the excess over bounds in rad counts, where there is no truth."""

    def is_met(self, figures: Figures) -> bool:
        """Return whether a path is accurate enough."""
        return self.value(figures) <= self.limit

    def value(self, figures: Figures) -> float:
        """Return the figure that counts."""
        if self.of_overshoot:
            return figures.overshoot
        return figures.path_error if self.whole_path else figures.error

    def __str__(self) -> str:
        """Return it as words for a table."""
        what = "overshoot" if self.of_overshoot else "error"
        return f"{what} {self.limit:g}{' in all frames' if self.whole_path else ''}"


TARGETS = {
    "chain100": Target(1e-2),
    "chain1000": Target(1e-2),
    "tree": Target(5e-2),
    "ragdoll": Target(1e-2),
    "ragdoll_limits": Target(1e-3, of_overshoot=True),
    "slider": Target(1e-3, whole_path=True),
    "heavy": Target(1e-2, whole_path=True),
    "doors1000": Target(1e-2),
}


def target_of(name: str) -> Target:
    """Return the accuracy that counts on a scene; 1e-3 of its length where none is named."""
    return TARGETS.get(name, Target(1e-3))
