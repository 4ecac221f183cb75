# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves a mechanism by its joints: NumPy and the model only."""

from .diagnose import Freedoms, Settled, freedoms, settle
from .motions import KinematicMotion
from .report import Breaking, Energy, JointReport, Method, SoftLocks, StepReport
from .simulation import Checkpoint, Options, Simulation

__all__ = [
    "Breaking",
    "Checkpoint",
    "Energy",
    "Freedoms",
    "JointReport",
    "KinematicMotion",
    "Method",
    "Options",
    "Settled",
    "Simulation",
    "SoftLocks",
    "StepReport",
    "freedoms",
    "settle",
]
