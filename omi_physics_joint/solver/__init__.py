# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves a mechanism by its joints: NumPy and the model only."""

from .comparison import Comparison, JointDifference, largest
from .contacts.contacts import FLOOR, WORLD, Touching
from .contacts.surfaces import Floor
from .diagnosis import drive_inertias, lock_issues, stopped_limits
from .reading.bodies import KinematicMotion
from .report import Energy, IslandReport, JointReport, SoftLocks, StepReport, Steps
from .simulation import Checkpoint, Options, Simulation

__all__ = [
    "FLOOR",
    "WORLD",
    "Checkpoint",
    "Comparison",
    "Energy",
    "Floor",
    "IslandReport",
    "JointDifference",
    "JointReport",
    "KinematicMotion",
    "Options",
    "Simulation",
    "SoftLocks",
    "StepReport",
    "Steps",
    "Touching",
    "drive_inertias",
    "largest",
    "lock_issues",
    "stopped_limits",
]
