# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulations: trees of joints, and the coordinates that say how their bodies stand.

Everything is as in Newton's documentation ("Articulations", "Definition of joint_q", "Forward /
Inverse Kinematics"; measured against Newton 1.8.0): a child stands at
``x_wc = x_wp x_pj x_j x_cj^-1``, where the coordinates of the joint give x_j; quaternions are
x, y, z, w; distances come before angles; parents before children. What is derived here is never
written into glTF.
"""

from __future__ import annotations

from .joint_types import JointType
from .joints import Articulation, ArticulationJoint, ArticulationView, Base, JointAxis, views_of
from .kinematics import (
    BodyMotion,
    coordinates_of,
    first_motions,
    is_at_odds,
    joint_coordinates,
    poses_of,
    rest_poses,
    velocities_of,
)
from .trees import articulations_of

__all__ = [
    "Articulation",
    "ArticulationJoint",
    "ArticulationView",
    "Base",
    "BodyMotion",
    "JointAxis",
    "JointType",
    "articulations_of",
    "coordinates_of",
    "first_motions",
    "is_at_odds",
    "joint_coordinates",
    "poses_of",
    "rest_poses",
    "velocities_of",
    "views_of",
]
