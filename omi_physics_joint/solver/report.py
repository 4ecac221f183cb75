# SPDX-License-Identifier: GPL-3.0-or-later
"""What the solver says of a step, of its joints, and of its energy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from .rotation import Array


class SoftLocks(StrEnum):
    """How limits are read that have a stiffness."""

    AUTOMATIC = "automatic"
    """As rigid where they cannot hold the weight that they carry (``model.sagging``), so that what
    carries Godot's numbers of softness hangs together; else as springs."""
    LITERAL = "literal"
    """As the springs that they are."""
    RIGID = "rigid"
    """As rigid, whatever their stiffness: what Jolt makes of them."""


class Method(StrEnum):
    """How the solver steps."""

    AUTO = "auto"
    """Whatever fits; the report says which it was."""
    GENERIC = "generic"
    """Any mechanism, second order (rattle.py)."""
    TREES = "trees"
    """Trees of ball joints alone, sixth order (gauss.py); what is none is stepped as GENERIC."""
    STIFF = "stiff"
    """Any mechanism, first order, L-stable (stiff.py)."""


@dataclass(frozen=True, slots=True)
class StepReport:
    """How one output step went."""

    substeps: int
    method: Method
    converged: bool
    retries: int


@dataclass(frozen=True, slots=True)
class Energy:
    """J. Potential energy counts from the origin of the world, and includes springs."""

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.kinetic + self.potential


@dataclass(frozen=True, slots=True)
class JointReport:
    """Arrays with one entry for each of ``joint_nodes``.

    Attributes:
        separation: (n,) how far rigidly locked distances are off, m.
        misalignment: (n,) how far rigidly locked angles are off, rad.
        overshoot: (n,) largest excess over any rigid bound, locks included, m or rad.
        force: (n, 3) of the joint without its drives on the connected body, world axes, N, mean
            over the last step.
        torque: (n, 3) likewise, about the joint frame's origin, N m.
        broken: (n,) whether the joint has given way.
    """

    separation: Array
    misalignment: Array
    overshoot: Array
    force: Array
    torque: Array
    broken: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Breaking:
    """What a joint bears in the preview; the files know no such thing."""

    force: float = float("inf")
    """N."""
    torque: float = float("inf")
    """N m."""
