# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies for Godot: velocities of the centre of mass in world axes, bodies beside each other."""

from __future__ import annotations

from dataclasses import replace

from ..body import ZERO, Motion, MotionType, Vector3
from ..geometry.frames import is_flat, rigid_frame
from ..geometry.transform import Rotation, apply, cross, linear_part, transpose
from ..mechanism import Mechanism, Node


def written_motion(node: Node) -> Motion | None:
    """Return the motion of a node as Godot takes it: velocities in world axes.

    The linear velocity is that of the centre of mass, not of the origin.
    """
    motion = node.motion
    if motion is None or (motion.linear_velocity, motion.angular_velocity) == (ZERO, ZERO):
        return motion
    turn = _turn(node)
    linear = _sum(motion.linear_velocity, cross(motion.angular_velocity, motion.center_of_mass))
    return replace(
        motion,
        linear_velocity=apply(turn, linear),
        angular_velocity=apply(turn, motion.angular_velocity),
    )


def seen_motion(node: Node) -> Motion | None:
    """Return the motion that a node of a file for Godot stands for."""
    motion = node.motion
    if motion is None or (motion.linear_velocity, motion.angular_velocity) == (ZERO, ZERO):
        return motion
    back = transpose(_turn(node))
    spin = apply(back, motion.angular_velocity)
    arm = cross(motion.center_of_mass, spin)  # minus the spin times the centre
    return replace(
        motion,
        linear_velocity=_sum(apply(back, motion.linear_velocity), arm),
        angular_velocity=spin,
    )


def new_parents(mechanism: Mechanism) -> dict[int, int | None]:
    """Return the new parent of each dynamic body that lies below a body that moves.

    Godot moves a child along with its parent and lets the engine move it once more, so such bodies
    go up to where the topmost of the moving ones is.
    """
    parents: dict[int, int | None] = {}
    for index, node in enumerate(mechanism.nodes):
        if node.motion is None or node.motion.type is not MotionType.DYNAMIC:
            continue
        above = list(mechanism.ancestry(node.parent))
        moving = [one for one in above if _moves(mechanism.nodes[one])]
        if moving:
            parents[index] = mechanism.nodes[moving[-1]].parent
    return parents


def is_held_by_moving(mechanism: Mechanism, joint: int, connected: int) -> bool:
    """Return whether the body of a joint node is dynamic, and that of its connected node is not."""
    bodies = (mechanism.body_of(joint), mechanism.body_of(connected))
    motions = [None if body is None else mechanism.nodes[body].motion for body in bodies]
    holder, other = (one is not None and one.type is MotionType.DYNAMIC for one in motions)
    return holder and not other


def _moves(node: Node) -> bool:
    return node.motion is not None and node.motion.type is not MotionType.STATIC


def _turn(node: Node) -> Rotation:
    if is_flat(linear_part(node.world)):
        return ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return linear_part(rigid_frame(node.world))


def _sum(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])
