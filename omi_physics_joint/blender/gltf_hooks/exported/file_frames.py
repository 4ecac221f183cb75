# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts joint frames into the file exactly where Blender shows them.

The exporter splits local matrices into translation, rotation and scale and drops what is left:
under a turned and unevenly scaled body a frame comes out skewed. Frames are therefore placed anew,
in double precision, against the nodes as they stand in the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....model.geometry.axes import Z_UP_FROM_Y_UP
from ....model.geometry.frames import Placement, is_flat, is_rigid, placements, rigid_frame
from ....model.geometry.transform import IDENTITY, Matrix, linear_part, multiply
from ....model.joint import JointSettings
from ....model.mechanism import Mechanism, Node
from .. import Untyped
from .file_nodes import NodeTree, write_placement

EXACT = 2e-7
"""A frame stays as it was written where it is off by so little: m for each metre of its largest
coordinate, and sines. Single precision holds no more."""
NEAR_PLACE, NEAR_TURN = 5e-7, 5e-6
"""The same for nodes that must not move: half of what a frame may be off at all."""


def put_frames(
    gltf: Untyped,
    mechanism: Mechanism,
    node_index: dict[int, int],
    second: Sequence[int],
    *,
    z_up: bool,
    unplaced: list[int],
) -> tuple[Mechanism, dict[int, int]]:
    """Place the joint and connected frames of a mechanism (in glTF axes) in the file.

    Args:
        gltf: the exporter's document with final nodes.
        mechanism: what is exported.
        node_index: index in the file of each node of it.
        second: nodes of it that are no objects, so that they get their nodes here.
        z_up: whether the file keeps Blender's axes.
        unplaced: takes the frames that cannot be put anywhere, as what is above them is scaled to
            almost nothing.

    Returns:
        The mechanism and its indices in the file, with a further node for each frame that could
        not be put right without moving something else.
    """
    node_index = dict(node_index)
    frames = _frames(mechanism)
    physical = {index for index, node in enumerate(mechanism.nodes) if node.is_physical}
    pinned = {node_index[node] for node in physical | set(frames) if node in node_index}
    tree = _FileTree(gltf, pinned)
    in_file = Z_UP_FROM_Y_UP.matrix if z_up else lambda matrix: matrix
    for node in second:
        made, settings = mechanism.nodes[node], frames.pop(node, None)
        if made.parent not in node_index or settings is None:
            continue
        try:
            is_exact = is_rigid(made.world, EXACT)
            frame = in_file(made.world if is_exact else rigid_frame(made.world, settings))
            names = (f"{made.name} holder", made.name)
            node_index[node] = tree.add_below(node_index[made.parent], frame, names)
        except ZeroDivisionError:
            unplaced.append(node)
    mechanism = _without_joints_to(mechanism, set(second) - set(node_index))
    moved: dict[int, int] = {}
    for node, settings in frames.items():
        old = mechanism.nodes[node]
        if node not in node_index or tree.has(node_index[node], in_file(old.world)):
            continue
        if is_flat(linear_part(old.world)):
            continue
        frame = in_file(rigid_frame(old.world, settings))
        solid = old.motion is not None or old.collider is not None or old.trigger is not None
        try:
            index = tree.put(node_index[node], frame, must_stay=solid)
        except ZeroDivisionError:
            unplaced.append(node)
            continue
        if index != node_index[node]:
            moved[node] = index
    return _with_moved(mechanism, node_index, moved) if moved else (mechanism, node_index)


def _without_joints_to(mechanism: Mechanism, lost: set[int]) -> Mechanism:
    """Return a mechanism without the joints whose second frames the file has no node for."""
    if not lost:
        return mechanism
    nodes = tuple(
        replace(node, joint=None) if node.joint and node.joint.connected_node in lost else node
        for node in mechanism.nodes
    )
    return replace(mechanism, nodes=nodes)


def _frames(mechanism: Mechanism) -> dict[int, JointSettings]:
    """Return the nodes that are frames of joints, each with the settings of its first joint."""
    frames: dict[int, JointSettings] = {}
    for index, _, joint in mechanism.joints():
        settings = mechanism.settings_of(joint)
        frames.setdefault(index, settings)
        frames.setdefault(joint.connected_node, settings)
    return frames


def _with_moved(
    mechanism: Mechanism, node_index: dict[int, int], moved: dict[int, int]
) -> tuple[Mechanism, dict[int, int]]:
    """Return the mechanism with frames that left their nodes as nodes of their own."""
    nodes = list(mechanism.nodes)
    indices = dict(node_index)
    frame_of: dict[int, int] = {}
    for number, index in moved.items():
        frame_of[number] = len(nodes)
        indices[len(nodes)] = index
        old = nodes[number]
        nodes.append(Node(old.name, number, old.world, joint=old.joint))
        nodes[number] = replace(old, joint=None)
    for index, node in enumerate(nodes):
        if node.joint is not None and node.joint.connected_node in frame_of:
            joint = replace(node.joint, connected_node=frame_of[node.joint.connected_node])
            nodes[index] = replace(node, joint=joint)
    return replace(mechanism, nodes=tuple(nodes)), indices


class _FileTree(NodeTree):
    """The nodes of the file with their world matrices."""

    def __init__(self, gltf: Untyped, pinned: set[int]) -> None:
        super().__init__(gltf)
        self.pinned = pinned
        self.worlds: dict[int, Matrix] = {}

    def world(self, index: int | None) -> Matrix:
        """Return world from node, as the file says it."""
        if index is None:
            return IDENTITY
        if index not in self.worlds:
            local = self.local(index)
            parent = self.parents.get(index)
            self.worlds[index] = local if parent is None else multiply(self.world(parent), local)
        return self.worlds[index]

    def has(self, index: int, world: Matrix) -> bool:
        """Return whether a node is where a frame should be that is rigid already."""
        return _near(self.world(index), world, EXACT, EXACT) and is_rigid(world, EXACT)

    def put(self, index: int, frame: Matrix, *, must_stay: bool) -> int:
        """Put a node at a frame and return its index; another one where it must not move."""
        node, world = self.nodes[index], self.world(index)
        if _near(world, frame, EXACT, EXACT):
            return index
        if must_stay or node.children or _shows_something(node):
            near = _near(world, frame, NEAR_PLACE, NEAR_TURN)
            names = tuple(f"{node.name} {kind}" for kind in ("holder", "frame"))
            return index if near else self.add_below(index, frame, names)
        parent = self.parents.get(index)
        chain = placements(self.world(parent), frame)
        if len(chain) == 2:
            chain = self._held(index, parent, chain, frame)
        write_placement(node, chain[-1])
        self.worlds[index] = frame
        return index

    def _held(
        self, index: int, parent: int | None, chain: tuple[Placement, ...], frame: Matrix
    ) -> tuple[Placement, ...]:
        """Put a frame below a holder: the one that it has, as in files of our own, or a new one."""
        if parent is not None and self._only_holds(parent, index):
            chain = placements(self.world(self.parents.get(parent)), frame)
            if len(chain) == 1:
                chain = (Placement(), *chain)
            write_placement(self.nodes[parent], chain[0])
            del self.worlds[parent]
            return chain
        self.hold(index, chain[0])
        return chain

    def _only_holds(self, index: int, child: int) -> bool:
        """Return whether a node is there for nothing but the place of one child."""
        node = self.nodes[index]
        alone = list(node.children) == [child] and index not in self.pinned
        return alone and not _shows_something(node)

    def add_below(self, index: int, frame: Matrix, names: tuple[str, ...]) -> int:
        """Put a frame into a new node below one that must stay where it is; return the new one.

        The names are of a node that holds the frame, where it takes one, and of the frame's own.
        """
        chain = placements(self.world(index), frame)
        parent = index
        for placement, name in zip(chain, names[-len(chain) :], strict=True):
            parent = self.append(parent, name, placement)
        self.worlds[parent] = frame
        return parent


def _shows_something(node: Untyped) -> bool:
    """Return whether a node is seen, so that its scale matters."""
    return any(part is not None for part in (node.mesh, node.camera, node.skin)) or bool(
        node.extensions
    )


def _near(world: Matrix, frame: Matrix, place: float, turn: float) -> bool:
    """Return whether a node stands at a frame."""
    (a, b, c, x), (d, e, f, y), (g, h, i, z), _ = world
    (k, l, m, u), (n, o, p, v), (q, r, s, w), _ = frame  # noqa: E741 - twelve numbers
    if max(abs(x - u), abs(y - v), abs(z - w)) > place * max(1.0, abs(u), abs(v), abs(w)):
        return False
    first = max(abs(a - k), abs(b - l), abs(c - m), abs(d - n), abs(e - o))
    return max(first, abs(f - p), abs(g - q), abs(h - r), abs(i - s)) <= turn
