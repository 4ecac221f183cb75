# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies for Godot: velocities of the centre of mass in world axes, bodies beside each other."""

from __future__ import annotations

from dataclasses import replace

from ..body import Motion
from ..geometry.frames import is_flat, rigid_frame
from ..geometry.transform import (
    IDENTITY_ROTATION,
    Rotation,
    apply,
    cross,
    linear_part,
    plus,
    transpose,
)
from ..mechanism import Mechanism, Node


def written_motion(node: Node) -> Motion | None:
    """Return the motion of a node as Godot takes it: velocities in world axes.

    The linear velocity is that of the centre of mass, not of the origin.
    """
    motion = node.motion
    if motion is None or motion.is_still:
        return motion
    turn = _turn(node)
    linear = plus(motion.linear_velocity, cross(motion.angular_velocity, motion.center))
    return replace(
        motion,
        linear_velocity=apply(turn, linear),
        angular_velocity=apply(turn, motion.angular_velocity),
    )


def seen_motion(node: Node) -> Motion | None:
    """Return the motion that a node of a file for Godot stands for."""
    motion = node.motion
    if motion is None or motion.is_still:
        return motion
    back = transpose(_turn(node))
    spin = apply(back, motion.angular_velocity)
    arm = cross(motion.center, spin)  # minus the spin times the centre
    return replace(
        motion,
        linear_velocity=plus(apply(back, motion.linear_velocity), arm),
        angular_velocity=spin,
    )


def new_parents(mechanism: Mechanism) -> dict[int, int | None]:
    """Return the new parent of each dynamic body that lies below a body that moves.

    Godot moves a child along with its parent and lets the engine move it once more, so such bodies
    go up to where the topmost of the moving ones is.
    """
    parents: dict[int, int | None] = {}
    for index, node in enumerate(mechanism.nodes):
        if mechanism.is_dynamic(index):
            above = (mechanism.nodes[one] for one in mechanism.ancestry(node.parent))
            moving = [one for one in above if one.moves]
            if moving:
                parents[index] = moving[-1].parent
    return parents


def is_held_by_moving(mechanism: Mechanism, joint: int, connected: int) -> bool:
    """Return whether the body of a joint node is dynamic, and that of its connected node is not."""
    holder, other = mechanism.body_of(joint), mechanism.body_of(connected)
    return mechanism.is_dynamic(holder) and not mechanism.is_dynamic(other)


def _turn(node: Node) -> Rotation:
    flat = is_flat(linear_part(node.world))
    return IDENTITY_ROTATION if flat else linear_part(rigid_frame(node.world))
