# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulation roots and exclusions of a stage, kept where trees would be found otherwise."""

from __future__ import annotations

from dataclasses import replace

from ...model.articulation.joints import Articulation
from ...model.articulation.trees import articulations_of
from ...model.contents import Contents
from ...model.mechanism import Mechanism
from ...model.unknown import EXCLUDED, ROOT, saying
from .. import table
from .builder import StageReading


def with_articulations(reading: StageReading, contents: Contents) -> Contents:
    """Return contents whose bodies and joints say what the stage says of articulations.

    Nothing is said where it follows. What a root above all bodies means, engines find themselves.
    """
    roots, excluded = _roots(reading), _excluded(reading)
    if not roots and not excluded:
        return contents
    mechanism = contents.mechanism
    if _missed(articulations_of(mechanism), roots, excluded) == (set(), set()):
        return contents
    mechanism = _marked(_marked(mechanism, roots, ROOT), excluded, EXCLUDED)
    missed = _missed(articulations_of(mechanism), roots, excluded)
    prim_of = {index: reading.prims[path] for path, index in reading.joint_of.items()}
    for index in sorted(missed[0]):
        reading.note("usd-articulation-root", prim_of.get(index) or reading.prim_of[index])
    for index in sorted(missed[1]):
        reading.note("usd-excluded-from-articulation", prim_of[index])
    return replace(contents, mechanism=mechanism)


def _roots(reading: StageReading) -> set[int]:
    """Return the nodes of bodies and joints that are said to begin an articulation."""
    prims = [prim.path for prim in reading.stage if table.ROOT_API in prim.schemas]
    nodes = {reading.joint_of.get(path, reading.node_of.get(path)) for path in prims}
    return {
        index
        for index in nodes
        if index is not None and (reading.nodes[index].moves or reading.nodes[index].joint)
    }


def _excluded(reading: StageReading) -> set[int]:
    return {
        index
        for path, index in reading.joint_of.items()
        if reading.flag(reading.prims[path], table.EXCLUDED)
    }


def _missed(
    trees: tuple[Articulation, ...], roots: set[int], excluded: set[int]
) -> tuple[set[int], set[int]]:
    """Return the roots that begin no tree, and the excluded joints that are in one.

    A single joint to the world is no tree, as ``spell_roots`` has it.
    """
    begun = [one.joints for one in trees if len(one.joints) > 1 or one.joints[0].node is None]
    first = {index for joints in begun for index in (joints[0].node, joints[0].child)}
    inside = {joint.node for tree in trees for joint in tree.joints}
    return roots - first, excluded & inside


def _marked(mechanism: Mechanism, marked: set[int], word: str) -> Mechanism:
    """Return a mechanism in which these nodes say a word: of their joint, or of themselves."""
    nodes = list(mechanism.nodes)
    for index in marked:
        node = nodes[index]
        if node.joint is not None and node.motion is None:
            joint = replace(node.joint, unknown=saying(node.joint.unknown, word))
            nodes[index] = replace(node, joint=joint)
        else:
            nodes[index] = replace(node, unknown=saying(node.unknown, word))
    return replace(mechanism, nodes=tuple(nodes))
