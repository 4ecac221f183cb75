# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn mechanisms in which everything is edited a little, and what ``diff`` says of that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import compose, multiply
from omi_physics_joint.model.joint import Breaking, JointNode, JointSettings
from omi_physics_joint.model.keys import Track
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Plane, Shape
from tests.digests import Lines

ASIDE = compose((0.125, 0.0, -0.25), (0.0, 0.6, 0.0, 0.8))


def of_keys(track: Track) -> Track:
    """Return keys that go in steps where they did not, or whose last one is later."""
    return tuple(
        replace(one, is_stepped=not one.is_stepped)
        if len(one.times) % 2
        else replace(one, times=(*one.times[:-1], one.times[-1] + 0.25))
        for one in track
    )


def of_settings(settings: JointSettings) -> JointSettings:
    """Return settings whose keys are others, and of several limits the last is gone."""
    limits = tuple(replace(one, keys=of_keys(one.keys)) for one in settings.limits)
    drives = tuple(replace(one, keys=of_keys(one.keys)) for one in settings.drives)
    return replace(settings, limits=limits[:-1] if len(limits) > 2 else limits, drives=drives)


def of_shape(shape: Shape) -> Shape:
    """Return a plane that is solid on its other side too, or no more; others as they are."""
    return replace(shape, double_sided=not shape.double_sided) if type(shape) is Plane else shape


def of_joint(index: int, joint: JointNode) -> JointNode:
    """Return one of these, by the number of its node: whom it lets meet, what it bears, keys."""
    ways = (
        {"enable_collision": not joint.enable_collision},
        {"breaking": None if joint.breaking else Breaking(40.0, 2.0)},
        {"enabled": not joint.enabled, "keys": of_keys(joint.keys)},
    )
    return replace(joint, **ways[index % 3])


def of_node(index: int, node: Node) -> Node:
    """Return a node with what it has edited, and every third put elsewhere."""
    if node.joint is not None:
        node = replace(node, joint=of_joint(index, node.joint))
    if node.trigger is not None:
        node = replace(node, trigger=replace(node.trigger, nodes=node.trigger.nodes[1:]))
    if node.motion is not None and index % 2:
        node = replace(node, motion=replace(node.motion, starts_asleep=True, gravity_factor=0.5))
    return replace(node, world=multiply(node.world, ASIDE)) if index % 3 == 0 else node


def edited(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism in which all is edited."""
    nodes = [of_node(index, node) for index, node in enumerate(mechanism.nodes)]
    return replace(
        mechanism,
        nodes=tuple(nodes),
        settings=tuple(map(of_settings, mechanism.settings)),
        shapes=tuple(map(of_shape, mechanism.shapes)),
    )


def behind_others(mechanism: Mechanism, count: int) -> Mechanism:
    """Return a mechanism behind so many new nodes, all indices set anew."""

    def on(index: int | None) -> int | None:
        return None if index is None else index + count

    def moved(node: Node) -> Node:
        joint, trigger = node.joint, node.trigger
        if joint is not None:
            joint = replace(joint, connected_node=joint.connected_node + count)
        if trigger is not None:
            trigger = replace(trigger, nodes=tuple(one + count for one in trigger.nodes))
        return replace(node, parent=on(node.parent), joint=joint, trigger=trigger)

    new = (Node(f"New {number}") for number in range(count))
    return replace(mechanism, nodes=(*new, *map(moved, mechanism.nodes)))


def edits(contents: Contents) -> Iterator[str]:
    """Yield what is said of all edits, and of the way back where all stands behind others."""
    before, after = contents.mechanism, edited(contents.mechanism)
    yield from map(str, changes(before, after))
    yield from map(str, changes(behind_others(after, 3), before))


EDITED: dict[str, Lines] = {"edits": edits}
