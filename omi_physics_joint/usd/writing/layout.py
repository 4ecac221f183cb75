# SPDX-License-Identifier: GPL-3.0-or-later
"""Which prim each node is: its path, what it stands in, and its pose there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...model.body import MotionType
from ...model.contents import Contents
from ...model.geometry.transform import Matrix, inverse, multiply
from ...model.mechanism import Mechanism, Node
from ..prim import identifier
from ..units import has_space
from .over import Matches, is_beside

WORLD = "World"
_STILL, _LED, _FREE = MotionType.STATIC, MotionType.KINEMATIC, MotionType.DYNAMIC
APART = ((_STILL, _LED), (_STILL, _FREE), (_LED, _FREE))


class Paths:
    """Paths of prims in use: of a stage below all but ours, which are written anew, each once."""

    def __init__(self, taken: Iterable[str] = (), ours: Iterable[str] = ()) -> None:
        self._taken = {*taken} - {*ours}

    def take(self, parent: str, name: str, otherwise: str) -> str:
        """Return a path below a prim that is not in use, perhaps with a number; then it is."""
        plain = f"{parent.rstrip('/')}/{identifier(name, otherwise)}"
        path, number = plain, 0
        while path in self._taken:
            number += 1
            path = f"{plain}_{number}"
        self._taken.add(path)
        return path


@dataclass(slots=True)
class StageLayout:
    """Where nodes are on a stage."""

    root: str
    """Path of the prim that everything stands in."""
    paths: Paths
    """Of all prims in use."""
    above: dict[int, int | None] = field(default_factory=dict)
    """Node that a node stands in; None is the root."""
    prims: dict[int, str] = field(default_factory=dict)
    """Path by node, each after the one that it stands in; mere ends of joints have none."""

    def put(self, index: int, name: str) -> None:
        """Give a node a path below what it stands in."""
        above = self.above[index]
        parent = self.root if above is None else self.prims[above]
        self.prims[index] = self.paths.take(parent, name, "Node")


def laid_out(contents: Contents, *, flat: bool = False) -> StageLayout:
    """Return where the nodes of a new stage are."""
    nodes = contents.mechanism.nodes
    paths = Paths()
    layout = StageLayout(paths.take("/", WORLD, WORLD), paths)
    ends = _mere_ends(contents)
    children: dict[int | None, list[int]] = {}
    for index, node in enumerate(nodes):
        if index not in ends:
            apart = _stands_apart(contents, index, flat=flat)
            layout.above[index] = None if apart else node.parent
            children.setdefault(layout.above[index], []).append(index)
    waiting = children.get(None, [])[::-1]
    while waiting:
        index = waiting.pop()
        layout.put(index, nodes[index].name)
        waiting += reversed(children.get(index, ()))
    return layout


def laid_over(contents: Contents, matches: Matches, *, flat: bool = False) -> StageLayout:
    """Return where the nodes are above a stage: those it has not stand in those that it has."""
    stage = matches.stage
    fresh = laid_out(contents, flat=flat)
    top = next((prim.path for prim in stage if prim.parent == "/"), f"/{WORLD}")
    root = f"/{stage.default_prim}" if stage.default_prim else top
    ours = (prim.path for prim in stage if is_beside(prim))
    layout = StageLayout(root, Paths((prim.path for prim in stage), ours), fresh.above)
    physical = (index for index, node in enumerate(contents.mechanism.nodes) if node.is_physical)
    needed = {over for index in physical for over in contents.mechanism.ancestry(index)}
    for index in fresh.prims:
        if index in matches.prims:
            layout.prims[index] = matches.prims[index].path
        elif index in needed:
            parent = fresh.above[index]
            while parent is not None and parent not in layout.prims:
                parent = fresh.above[parent]
            layout.above[index] = parent
            layout.put(index, contents.mechanism.nodes[index].name)
    return layout


def _stands_apart(contents: Contents, index: int, *, flat: bool) -> bool:
    """Return whether a body is to stand in no other.

    One that stands still has to, below one that moves: it would be a part of that, or of its tree.
    """
    nodes, motion = contents.mechanism.nodes, contents.mechanism.nodes[index].motion
    above = None if (parent := nodes[index].parent) is None else contents.mechanism.body_of(parent)
    other = None if above is None else nodes[above].motion
    if motion is None or other is None or flat:
        return motion is not None and flat
    stays = motion.type is _LED and index in contents.led
    return (motion.type, other.type) in APART and not stays


def local_pose(mechanism: Mechanism, layout: StageLayout, index: int) -> tuple[Matrix, bool]:
    """Return the pose of a node in m below what it stands in, and whether it leaves that out."""
    world, above = mechanism.nodes[index].world, layout.above[index]
    if above is None or not has_space(mechanism.nodes[above].world):
        return world, above is not None
    return multiply(inverse(mechanism.nodes[above].world), world), False


def lone_joints(contents: Contents, layout: StageLayout) -> set[int]:
    """Return nodes that are nothing but a joint, so that their prims are the joints."""
    holders = {layout.above[index] for index in layout.prims}
    return {
        index
        for index, node, _ in contents.mechanism.all_joints()
        if index not in holders and index not in contents.shown and _is_bare(node)
    }


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
            above = node if node.parent is None else mechanism.nodes[node.parent]
            if node.parent is not None and node.name.startswith(above.name):
                waiting.append(node.parent)  # perhaps the outer half of the same frame
    return found
