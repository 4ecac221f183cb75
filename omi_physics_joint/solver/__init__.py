# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves a mechanism by its joints: NumPy and the model only."""

from .motions import KinematicMotion
from .report import Breaking, Energy, JointReport, Method, SoftLocks, StepReport
from .simulation import Checkpoint, Options, Simulation

__all__ = [
    "Breaking",
    "Checkpoint",
    "Energy",
    "JointReport",
    "KinematicMotion",
    "Method",
    "Options",
    "Simulation",
    "SoftLocks",
    "StepReport",
]
