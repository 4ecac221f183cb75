# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulations: where trees of joints begin."""

from __future__ import annotations

from ....model.articulation import JointType
from ... import table
from ...prim import above
from ..draft import Draft, Writing


def spell_roots(writing: Writing) -> None:
    """Mark where trees begin: their first body, or what fixes it to the world.

    PhysX fixes the body of any joint to the world that is marked. A single joint to the world is no
    tree: pxr's parser (25.8 to 26.11) finds no body in it then.
    No root may stand in another; where one would, what everything stands in is marked instead, and
    readers look for roots in it.
    """
    found: list[Draft] = []
    for tree in writing.trees:
        first = tree.joints[0]
        if not any(joint.node in writing.joints for joint in tree.stored_joints()):
            continue
        if first.node is not None and (first.node not in writing.joints or len(tree.joints) == 1):
            continue
        if first.node is not None and first.type is JointType.FIXED:
            found.append(writing.joints[first.node])
        else:
            found.append(writing.nodes[first.child])
    paths = {draft.path for draft in found}
    is_nested = any(paths.intersection(above(draft.path)) != {draft.path} for draft in found)
    for draft in writing.drafts[:1] if is_nested else found:
        draft.apply(table.ROOT_API)
