# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulations: where trees of joints begin."""

from __future__ import annotations

from ....model.articulation.joints import Articulation, JointType
from ....model.body import ZERO
from ... import table
from ...prim import OVER, above
from ..draft import Draft, Writing


def spell_roots(writing: Writing) -> None:
    """Mark where trees begin: their first body, or what fixes it to the world.

    PhysX fixes the body of any joint to the world that is marked. A single joint to the world is no
    tree: pxr's parser (25.8 to 26.11) finds no body in it then.
    No root may stand in another; where one would, what everything stands in is marked instead, and
    readers look for roots in it. By coordinates PhysX begins joints at zero, bodies at rest, and
    locks what slides beside turning: a tree that has more than that is none to PhysX.
    """
    found: list[tuple[Draft, bool]] = []
    for tree in writing.trees:
        first = tree.joints[0]
        if not any(joint.node in writing.joints for joint in tree.stored_joints()):
            continue
        if first.node is not None and (first.node not in writing.joints or len(tree.joints) == 1):
            continue
        if first.node is not None and first.type is JointType.FIXED:
            found.append((writing.joints[first.node], _is_simple(writing, tree)))
        else:
            found.append((writing.nodes[first.child], _is_simple(writing, tree)))
    paths = {draft.path for draft, _ in found}
    if any(paths.intersection(above(draft.path)) != {draft.path} for draft, _ in found):
        found = [(writing.drafts[0], all(is_simple for _, is_simple in found))]
    for draft, is_simple in found:
        draft.apply(table.ROOT_API)
        if not is_simple and draft.specifier != OVER:
            draft.apply(table.PHYSX_ARTICULATION_API)
            draft.say(table.ARTICULATED, False)


def _is_simple(writing: Writing, tree: Articulation) -> bool:
    """Return whether PhysX moves a tree by its coordinates as each joint by itself."""
    motions = [writing.mechanism.nodes[body].motion for body in tree.bodies]
    return all(
        joint.node is None or joint.node in writing.simple_joints for joint in tree.joints
    ) and all(
        motion is None or motion.linear_velocity == ZERO == motion.angular_velocity
        for motion in motions
    )
