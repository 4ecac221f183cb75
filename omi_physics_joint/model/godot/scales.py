# SPDX-License-Identifier: GPL-3.0-or-later
"""Scaled and mirrored bodies for Godot, which moves no body that has a scale as it is specified.

It takes every mirror away from a body and from what it holds, scales shapes that are specified in
m, and cannot hold round shapes that are scaled unevenly. The body becomes the right-handed frame
without a scale that it stands for, and a scaled node below it shows what it showed and holds what
was below it, where they were. Its motion is said in that frame anyhow. Frames of joints stay
directly below the body, where the add-on looks for them.
"""

from __future__ import annotations

from dataclasses import replace

from ..body import MotionType
from ..geometry.frames import is_flat, is_rigid, rigid_frame
from ..geometry.transform import determinant, linear_part
from ..mechanism import Mechanism, Node
from ..shape import MeshShape

NEAR = 1e-5
"""Of a scale, which does not count."""


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


def unscale(mechanism: Mechanism, nodes: list[Node]) -> None:
    """Put a scaled node below each scaled body, and shapes that have sizes where nothing scales.

    This is done in the nodes of the mechanism, as far as they are spelled; new ones come last.
    """
    ends = {one for at, _, joint in mechanism.joints() for one in (at, joint.connected_node)}
    for index, body in enumerate(tuple(nodes)):
        if is_unscaled(body):
            _unscale_body(mechanism, nodes, index, ends)
    for index, part in enumerate(mechanism.nodes):
        if part.motion is None and part.collider is not None:
            _place_part(mechanism, nodes, index)


def _unscale_body(mechanism: Mechanism, nodes: list[Node], index: int, ends: set[int]) -> None:
    body, scaled = nodes[index], len(nodes)
    for child, node in enumerate(nodes):
        if node.parent == index and (child not in ends or node.motion is not None):
            nodes[child] = replace(node, parent=scaled)
    collider, trigger = body.collider, body.trigger
    below = collider is not None and _is_of_mesh(mechanism, collider.shape)
    trigger_below = trigger is not None and _is_of_mesh(mechanism, trigger.shape)
    nodes.append(
        Node(
            f"{body.name} {'mirrored' if is_mirrored(body) else 'scaled'}",
            index,
            body.world,
            collider=collider if below else None,
            trigger=trigger if trigger_below else None,
            bounds=body.bounds,
        )
    )
    nodes[index] = replace(
        body,
        world=rigid_frame(body.world),
        collider=None if below else collider,
        trigger=None if trigger_below else trigger,
        bounds=None,
    )


def _place_part(mechanism: Mechanism, nodes: list[Node], index: int) -> None:
    """Put a shape of a compound directly below its body, where Godot looks for it.

    One that is not a mesh has its size in m, and loses the scale.
    """
    part, owner = nodes[index], mechanism.body_of(index)
    if part.collider is None or part.collider.shape is None or owner is None:
        return
    if is_flat(linear_part(part.world)):
        return
    sized = is_scaled(part) and not _is_of_mesh(mechanism, part.collider.shape)
    if sized or part.parent != owner:
        world = rigid_frame(part.world) if sized else part.world
        nodes.append(Node(f"{part.name} shape", owner, world, collider=part.collider))
        nodes[index] = replace(part, collider=None)


def _is_of_mesh(mechanism: Mechanism, shape: int | None) -> bool:
    """Return whether a shape is that of a mesh, which the scale of its node is for."""
    return shape is not None and isinstance(mechanism.shapes[shape], MeshShape)
