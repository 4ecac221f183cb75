# SPDX-License-Identifier: GPL-3.0-or-later
"""Mirrored bodies for Godot, which takes every mirror away from a body and from what it holds.

The body becomes the right-handed frame that it stands for, and a mirrored node below it shows what
it showed and holds what was below it, where they were. Its motion is said in that frame anyhow.
Frames of joints stay directly below the body, where the add-on looks for them.
"""

from __future__ import annotations

from dataclasses import replace

from ..body import MotionType
from ..frames import is_flat
from ..mechanism import Mechanism, Node
from ..shape import Convex, Trimesh
from ..transform import compose, determinant, linear_part, multiply

FLIP = compose(scale=(1.0, 1.0, -1.0))
"""``frames.rigid_frame`` flips the same axis of what has no joint settings."""


def is_mirrored(node: Node) -> bool:
    """Return whether a node is a body with a negative scale, its own or from above."""
    linear = linear_part(node.world)
    return node.motion is not None and not is_flat(linear) and determinant(linear) < 0.0


def is_unmirrored(node: Node) -> bool:
    """Return whether a file for Godot has a body without its mirror.

    What is animated turns as its own node says, so kinematic bodies stay as they are.
    """
    kinematic = node.motion is not None and node.motion.type is MotionType.KINEMATIC
    return is_mirrored(node) and not kinematic


def unmirror(mechanism: Mechanism, nodes: list[Node]) -> None:
    """Put a mirrored node below each mirrored body, and make the body right-handed.

    Args:
        mechanism: with the shapes.
        nodes: of the mechanism, as far as they are spelled; the mirrored ones come last.
    """
    ends = {one for at, _, joint in mechanism.joints() for one in (at, joint.connected_node)}
    for index, body in enumerate(tuple(nodes)):
        if not is_unmirrored(body):
            continue
        mirror = len(nodes)
        for child, node in enumerate(nodes):
            if node.parent == index and (child not in ends or node.motion is not None):
                nodes[child] = replace(node, parent=mirror)
        collider = body.collider
        lopsided = collider is not None and _is_lopsided(mechanism, collider.shape)
        trigger = body.trigger
        shown = trigger is not None and _is_lopsided(mechanism, trigger.shape)
        nodes.append(
            Node(
                f"{body.name} mirrored",
                index,
                body.world,
                collider=collider if lopsided else None,
                trigger=trigger if shown else None,
                bounds=body.bounds,
            )
        )
        nodes[index] = replace(
            body,
            world=multiply(body.world, FLIP),
            collider=None if lopsided else collider,
            trigger=None if shown else trigger,
            bounds=None,
        )


def _is_lopsided(mechanism: Mechanism, shape: int | None) -> bool:
    """Return whether a shape may be another one in a mirror."""
    return shape is not None and isinstance(mechanism.shapes[shape], Convex | Trimesh)
