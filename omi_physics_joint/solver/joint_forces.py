# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints bear and how well they hold, at the joint's frame.

Forces and torques are those of the joint without its drives, on the connected body, and the mean
over an output step; of redundant joints they are the smallest that do it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .build import Build
from .mechanics import Mechanics
from .report import JointReport
from .rotation import Array, cross
from .state import State


def report_joints(
    build: Build,
    mechanics: Mechanics,
    state: State,
    span: float,
    joint_nodes: tuple[int, ...],
    broken: frozenset[int],
) -> JointReport:
    """Return the report of all joints.

    Args:
        build: with the gradients of where the state is.
        mechanics: of the same system.
        state: holds the impulses since the step began.
        span: length of that step in s.
        joint_nodes: joints to report on, in order; those that are gone report zero.
        broken: those that gave way.
    """
    system, rows = build.system, build.system.rows
    n = len(system.joints)
    low, high, _, _ = mechanics.bounds(state, state.time)
    off = np.maximum(state.values - high, low - state.values)
    off = np.where(np.isfinite(off), np.maximum(off, 0.0), 0.0)
    linear = rows.coordinate < 3
    worst = np.zeros((3, n))
    for number, mask in enumerate((rows.locked & linear, rows.locked & ~linear)):
        np.add.at(worst[number], rows.joint[mask], off[mask] ** 2)
    worst[:2] = np.sqrt(worst[:2])
    np.maximum.at(worst[2], rows.joint, off)
    force, torque = _wrenches(build, state, span)
    wanted = [build.joint_number.get(node, -1) for node in joint_nodes]

    def pick(values: Array) -> NDArray[np.float64]:
        padded = np.concatenate([values, np.zeros((1, *values.shape[1:]))])
        return np.asarray(padded[wanted])

    return JointReport(
        separation=pick(worst[0]),
        misalignment=pick(worst[1]),
        overshoot=pick(worst[2]),
        force=pick(force),
        torque=pick(torque),
        broken=np.array([node in broken for node in joint_nodes], dtype=bool),
    )


def _wrenches(build: Build, state: State, span: float) -> tuple[Array, Array]:
    """Return mean forces (joints, 3) and torques about the joint frame's origin, world axes.

    A row pushes the connected body with its multiplier times its gradient: distances along a_k at
    the connected origin, d = p_b - p_a away from the joint's; angles about n.
    """
    system, rows = build.system, build.system.rows
    n = len(system.joints)
    force, torque = np.zeros((n, 3)), np.zeros((n, 3))
    if span <= 0.0 or n == 0:
        return force, torque
    coordinates = system.coordinates
    mean = state.impulse / span
    ends = rows.joint + coordinates.count
    entry = system.entries[:, 1]
    along = entry[:, :3] / coordinates.scale_linear[ends][:, None]
    local = (entry[:, 3:] / coordinates.scale_angular[ends])[:, :, None]
    about = (state.rotation[rows.bodies[:, 1]] @ local)[:, :, 0]
    linear = rows.coordinate < 3
    np.add.at(force, rows.joint[linear], mean[linear, None] * along[linear])
    np.add.at(torque, rows.joint[~linear], mean[~linear, None] * about[~linear])
    _, pose = coordinates.values(state.position, state.rotation)
    gap = pose.gap.copy()
    for number in coordinates.points:
        joint = system.joints[number]
        turn = pose.turns[number] @ coordinates.linear[number]
        gap[number] += turn @ joint.low[:3]
    return force, torque + cross(gap, force)
