# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies for Godot: velocities of the centre of mass in world axes, bodies beside each other.

Godot moves no body that has a scale as it is specified: it takes every mirror away from a body and
from what it holds, and cannot hold round shapes that are scaled unevenly. The body becomes the
right-handed frame without a scale that it stands for, its shapes as large as they stand, and a
scaled node below it shows what it showed and holds what was below it, where they were. Its motion
is said in that frame anyhow. Frames of joints stay directly below the body, where the add-on looks
for them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ..body import Collider, Motion, MotionType, Trigger
from ..geometry.frames import is_flat, is_rigid, rigid_frame
from ..geometry.scale import NEAR, standing
from ..geometry.transform import (
    IDENTITY_ROTATION,
    Matrix,
    Rotation,
    apply,
    cross,
    determinant,
    linear_part,
    plus,
    transpose,
)
from ..mechanism import Mechanism, Node
from ..shape import MeshShape, Shape


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


Part = TypeVar("Part", Collider, Trigger)


def is_scaled(node: Node) -> bool:
    """Return whether a node has a scale, its own or from above, if it only mirrors."""
    return not is_flat(linear_part(node.world)) and not is_rigid(node.world, NEAR)


def is_mirrored(node: Node) -> bool:
    """Return whether a node is a body with a negative scale, its own or from above."""
    linear = linear_part(node.world)
    return node.motion is not None and not is_flat(linear) and determinant(linear) < 0.0


def is_unscaled(node: Node) -> bool:
    """Return whether a file for Godot has a body without its scale.

    What is animated turns and grows as its own node says, so kinematic bodies stay as they are.
    """
    motion = node.motion
    return motion is not None and motion.type is not MotionType.KINEMATIC and is_scaled(node)


def is_far_part(mechanism: Mechanism, index: int) -> bool:
    """Return whether a node has a shape of a body, and lies farther down than directly below it."""
    part, owner = mechanism.nodes[index], mechanism.body_of(index)
    solid = part.motion is None and part.collider is not None and part.collider.shape is not None
    return solid and owner is not None and part.parent != owner


def unscale(mechanism: Mechanism, nodes: list[Node]) -> tuple[Shape, ...]:
    """Put a scaled node below each scaled body, and shapes that have sizes where nothing scales.

    This is done in the nodes of the mechanism, as far as they are spelled; new ones come last, as
    do those among the shapes, which are returned.
    """
    shapes = _Shapes(mechanism.shapes)
    ends = {one for at, _, joint in mechanism.joints() for one in (at, joint.connected_node)}
    for index, body in enumerate(tuple(nodes)):
        if is_unscaled(body):
            _unscale_body(shapes, nodes, index, ends)
    for index, part in enumerate(mechanism.nodes):
        if part.motion is None and part.collider is not None:
            _place_part(mechanism, shapes, nodes, index)
    return (*mechanism.shapes, *shapes.made)


class _Shapes:
    """Shapes of a mechanism, and those that they become where a scale goes into them."""

    def __init__(self, shapes: tuple[Shape, ...]) -> None:
        self._shapes = shapes
        self.made: dict[Shape, int] = {}
        """By their numbers, which follow those of the others."""

    def is_of_mesh(self, at: int | None) -> bool:
        """Return whether a shape is that of a mesh, whose points are what is scaled."""
        return at is not None and isinstance(self._shapes[at], MeshShape)

    def number(self, at: int | None, world: Matrix) -> int | None:
        """Return the number of a shape as large as it stands by the pose of a node."""
        shape = None if at is None else standing(self._shapes[at], world)
        if shape is None or at is None or shape == self._shapes[at]:
            return at
        return self.made.setdefault(shape, len(self._shapes) + len(self.made))

    def apart(self, part: Part | None, world: Matrix) -> tuple[Part | None, Part | None]:
        """Return what of a part is in the rigid frame of a node, and what in its scale."""
        if part is None or self.is_of_mesh(part.shape):
            return None, part
        return replace(part, shape=self.number(part.shape, world)), None


def _unscale_body(shapes: _Shapes, nodes: list[Node], index: int, ends: set[int]) -> None:
    body, scaled = nodes[index], len(nodes)
    for child, node in enumerate(nodes):
        if node.parent == index and (child not in ends or node.motion is not None):
            nodes[child] = replace(node, parent=scaled)
    collider, collider_below = shapes.apart(body.collider, body.world)
    trigger, trigger_below = shapes.apart(body.trigger, body.world)
    nodes.append(
        Node(
            f"{body.name} {'mirrored' if is_mirrored(body) else 'scaled'}",
            index,
            body.world,
            collider=collider_below,
            trigger=trigger_below,
            bounds=body.bounds,
        )
    )
    nodes[index] = replace(
        body,
        world=rigid_frame(body.world),
        collider=collider,
        trigger=trigger,
        gravity_shape=shapes.number(body.gravity_shape, body.world),
        bounds=None,
    )


def _place_part(mechanism: Mechanism, shapes: _Shapes, nodes: list[Node], index: int) -> None:
    """Put a shape of a compound directly below its body, where Godot looks for it.

    The scale goes into one that is not a mesh.
    """
    part, owner = nodes[index], mechanism.body_of(index)
    if part.collider is None or part.collider.shape is None or owner is None:
        return
    if is_flat(linear_part(part.world)):
        return
    sized = is_scaled(part) and not shapes.is_of_mesh(part.collider.shape)
    if sized or part.parent != owner:
        collider = shapes.apart(part.collider, part.world)[0] if sized else part.collider
        world = rigid_frame(part.world) if sized else part.world
        nodes.append(Node(f"{part.name} shape", owner, world, collider=collider))
        nodes[index] = replace(part, collider=None)
