# SPDX-License-Identifier: GPL-3.0-or-later
"""Which prim each node is: its path, what it stands in, and its pose there."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...model.body import MotionType
from ...model.contents import Contents
from ...model.geometry.transform import Matrix, inverse, multiply
from ...model.mechanism import Mechanism, Node
from ..names import Paths
from ..space import has_space
from .over import Matches, is_beside

WORLD = "World"
JOINT_NAME = "Joint"


@dataclass(slots=True)
class StageLayout:
    """Where nodes are on a stage.

    Attributes:
        root: path of the prim that everything stands in.
        paths: of all prims in use.
        prims: path by node; nodes that are ends of joints only have none.
        above: node that a node stands in; None is the root.
        holders: nodes that others stand in.
        order: nodes that have prims, each after the one that it stands in.
    """

    root: str
    paths: Paths = field(default_factory=Paths)
    prims: dict[int, str] = field(default_factory=dict)
    above: dict[int, int | None] = field(default_factory=dict)
    holders: set[int | None] = field(default_factory=set)
    order: list[int] = field(default_factory=list)


def laid_out(contents: Contents, *, flat: bool = False) -> StageLayout:
    """Return where the nodes of a new stage are."""
    mechanism = contents.mechanism
    layout = StageLayout("")
    layout.root = layout.paths.take("/", WORLD, WORLD)
    ends = _mere_ends(contents)
    children: dict[int | None, list[int]] = {}
    for index, node in enumerate(mechanism.nodes):
        if index not in ends:
            above = None if _stands_apart(mechanism, index, flat=flat) else node.parent
            children.setdefault(above, []).append(index)
    waiting = list(reversed(children.get(None, [])))
    while waiting:
        index = waiting.pop()
        node = mechanism.nodes[index]
        above = None if _stands_apart(mechanism, index, flat=flat) else node.parent
        parent = layout.root if above is None else layout.prims[above]
        layout.above[index] = above
        layout.holders.add(above)
        layout.prims[index] = layout.paths.take(parent, node.name, "Node")
        layout.order.append(index)
        waiting.extend(reversed(children.get(index, [])))
    return layout


def laid_over(contents: Contents, matches: Matches, *, flat: bool = False) -> StageLayout:
    """Return where the nodes are above a stage: those it has not stand in those that it has."""
    stage = matches.stage
    layout = laid_out(contents, flat=flat)
    order, stood = layout.order, layout.above
    top = next((prim.path for prim in stage if prim.parent == "/"), f"/{WORLD}")
    root = f"/{stage.default_prim}" if stage.default_prim else top
    ours = (prim.path for prim in stage if is_beside(prim))
    layout = StageLayout(root, Paths((prim.path for prim in stage), ours), above=stood)
    mechanism = contents.mechanism
    physical = (index for index, node in enumerate(mechanism.nodes) if node.is_physical)
    needed = {over for index in physical for over in mechanism.ancestry(index)}
    for index in order:
        if index in matches.prims:
            layout.prims[index] = matches.prims[index].path
        elif index in needed:
            parent = stood[index]
            while parent is not None and parent not in layout.prims:
                parent = stood[parent]
            stood[index] = parent
            over = root if parent is None else layout.prims[parent]
            name = mechanism.nodes[index].name
            layout.prims[index] = layout.paths.take(over, name, "Node")
        else:
            continue
        layout.order.append(index)
        layout.holders.add(stood[index])
    return layout


def _stands_apart(mechanism: Mechanism, index: int, *, flat: bool) -> bool:
    """Return whether a body is to stand in no other.

    A static one below one that moves has to: on a stage it would be a part of that.
    """
    motion = mechanism.nodes[index].motion
    if motion is None or flat:
        return motion is not None
    above = mechanism.nodes[index].parent
    body = None if above is None else mechanism.body_of(above)
    held = None if body is None else mechanism.nodes[body].motion
    moves = held is not None and held.type is not MotionType.STATIC
    return motion.type is MotionType.STATIC and moves


def local_pose(mechanism: Mechanism, layout: StageLayout, index: int) -> tuple[Matrix, bool]:
    """Return the pose of a node below what it stands in, or in the stage where that is flat.

    Returns:
        The pose in m, and whether it is one in the stage.
    """
    world, above = mechanism.nodes[index].world, layout.above[index]
    if above is None:
        return world, False
    over = mechanism.nodes[above].world
    if not has_space(over):
        return world, True
    return multiply(inverse(over), world), False


def is_joint_alone(contents: Contents, layout: StageLayout, index: int) -> bool:
    """Return whether a node is nothing but a joint, so that its prim is the joint."""
    node = contents.mechanism.nodes[index]
    holds = index in layout.holders or index in contents.shown
    return node.joint is not None and not holds and _is_bare(node)


def _is_bare(node: Node) -> bool:
    return node.motion is None and node.collider is None and node.trigger is None


def _mere_ends(contents: Contents) -> set[int]:
    """Return nodes that are only there to be an end of a joint, or to hold such nodes."""
    mechanism = contents.mechanism
    below: dict[int, list[int]] = {}
    for index, node in enumerate(mechanism.nodes):
        if node.parent is not None:
            below.setdefault(node.parent, []).append(index)
    found: set[int] = set()
    waiting = [joint.connected_node for _, _, joint in mechanism.all_joints()]
    while waiting:
        index = waiting.pop()
        if not 0 <= index < len(mechanism.nodes) or index in found:
            continue
        node = mechanism.nodes[index]
        if node.joint is not None or not _is_bare(node) or index in contents.shown:
            continue
        if all(child in found for child in below.get(index, ())):
            found.add(index)
            if node.parent is not None and _is_nameless_holder(node, mechanism.nodes[node.parent]):
                waiting.append(node.parent)
    return found


def _is_nameless_holder(node: Node, above: Node) -> bool:
    """Return whether a node above an end of a joint is the outer half of the same frame."""
    return _is_bare(above) and above.joint is None and node.name.startswith(above.name)
