# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulations: where trees of joints begin, which joints close loops, which body comes first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ....model.articulation import Articulation, articulations_of
from ....model.mechanism import Mechanism
from ... import table
from ...prim import above
from ..draft import Draft


@dataclass(frozen=True, slots=True)
class Trees:
    """What trees say of joints, by node."""

    articulations: tuple[Articulation, ...]
    reversed_joints: frozenset[int]
    """Those whose connected body is nearer to the root, which readers want first."""
    loop_joints: frozenset[int]


def trees_of(mechanism: Mechanism) -> Trees:
    """Return the trees of a mechanism."""
    found = articulations_of(mechanism)
    stored = [joint for one in found for joint in one.stored_joints()]
    return Trees(
        found,
        frozenset(one.node for one in stored if one.node is not None and one.is_reversed),
        frozenset(one.node for tree in found for one in tree.loops if one.node is not None),
    )


def spell_roots(
    trees: Trees, bodies: Mapping[int, Draft], joints: Mapping[int, Draft], root: Draft
) -> None:
    """Mark where trees begin: their joint to the world, or the body that floats.

    A single joint to the world is no tree: pxr's parser (25.8 to 26.11) finds no body in it then.
    No root may stand in another; where one would, what everything stands in is marked instead, and
    readers look for roots in it.

    Args:
        trees: of the mechanism.
        bodies: prims of bodies, by node.
        joints: prims of joints, by node; one that is missing is not on the stage.
        root: the prim that everything stands in.
    """
    found: list[Draft] = []
    for tree in trees.articulations:
        if not any(joint.node in joints for joint in tree.stored_joints()):
            continue
        first = tree.joints[0]
        if first.node is not None and len(tree.joints) == 1:
            continue
        if first.node is None:
            found.append(bodies[tree.root])
        elif first.node in joints:
            found.append(joints[first.node])
    for draft in [root] if _are_nested(draft.path for draft in found) else found:
        draft.apply(table.ROOT_API)


def _are_nested(paths: Iterable[str]) -> bool:
    """Return whether one of some paths is below another."""
    given = set(paths)
    return any(over in given for path in given for over in above(path) if over != path)
