# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints bear and how well they hold, at the joint's frame.

Forces and torques are those of the joint without its drives, on the connected body, and the mean
over an output step; of redundant joints they are the smallest that do it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from .island_group import IslandGroup
from .report import JointReport
from .rotation import Array, cross
from .state import State
from .system import System


def report_joints(
    groups: Sequence[IslandGroup],
    span: float,
    joint_nodes: Sequence[int],
    broken: Collection[int],
) -> JointReport:
    """Return the report of all joints.

    Args:
        groups: with the gradients of where their states are, and impulses since the step began.
        span: length of that step in s.
        joint_nodes: joints to report on, in order; those that are gone report zero.
        broken: those that gave way.
    """
    place = {node: i for i, node in enumerate(joint_nodes)}
    count = len(place)
    worst, wrench = np.zeros((3, count)), np.zeros((2, count, 3))
    for group in groups:
        at = [place[node] for _, joints in group.members for node in joints]
        if at:
            worst[:, at] = _misses(group)
            wrench[:, at] = _wrenches(group.system, group.state, span)
    gone = np.array([node in broken for node in joint_nodes], dtype=bool)
    separation, misalignment, overshoot = worst
    force, torque = wrench
    return JointReport(separation, misalignment, overshoot, force, torque, gone)


def _misses(group: IslandGroup) -> Array:
    """Return separation, misalignment and overshoot of the joints of a group: (3, joints)."""
    system, rows, state = group.system, group.system.rows, group.state
    low, high, _, _ = group.stepper.mechanics.bounds(state, state.time)
    off = np.maximum(state.values - high, low - state.values)
    off = np.where(np.isfinite(off), np.maximum(off, 0.0), 0.0)
    linear = rows.coordinate < 3
    worst = np.zeros((3, system.coordinates.count))
    for number, mask in enumerate((rows.locked & linear, rows.locked & ~linear)):
        np.add.at(worst[number], rows.joint[mask], off[mask] ** 2)
    worst[:2] = np.sqrt(worst[:2])
    np.maximum.at(worst[2], rows.joint, off)
    return worst


def _wrenches(system: System, state: State, span: float) -> tuple[Array, Array]:
    """Return mean forces (joints, 3) and torques about the joint frame's origin, world axes.

    A row pushes the connected body with its multiplier times its gradient: distances along a_k at
    the connected origin, d = p_b - p_a away from the joint's; angles about n.
    """
    rows, n = system.rows, system.coordinates.count
    force, torque = np.zeros((n, 3)), np.zeros((n, 3))
    if span <= 0.0 or n == 0:
        return force, torque
    coordinates = system.coordinates
    mean = state.impulse / span
    ends = rows.joint + coordinates.count
    entry = state.gradients[:, 1]
    along = entry[:, :3] / coordinates.scale_linear[ends][:, None]
    local = (entry[:, 3:] / coordinates.scale_angular[ends])[:, :, None]
    about = (state.rotation[rows.bodies[:, 1]] @ local)[:, :, 0]
    linear = rows.coordinate < 3
    np.add.at(force, rows.joint[linear], mean[linear, None] * along[linear])
    np.add.at(torque, rows.joint[~linear], mean[~linear, None] * about[~linear])
    _, pose = coordinates.values(state.position, state.rotation)
    # Locks that went into the frame: from its own origin to where they hold the connected one.
    locked = (pose.turns[:n] @ system.frames.locked[:, :, None])[:, :, 0]
    return force, torque + cross(pose.gap + locked, force)
