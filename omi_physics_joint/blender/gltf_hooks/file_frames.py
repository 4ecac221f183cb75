# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts joint frames into the file exactly where Blender shows them.

The exporter splits local matrices into translation, rotation and scale and drops what is left:
under a turned and unevenly scaled body a frame comes out skewed. Frames are therefore placed anew,
in double precision, against the nodes as they stand in the file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from io_scene_gltf2.io.com import gltf2_io

from ...model.axes import Z_UP_FROM_Y_UP
from ...model.frames import Placement, is_flat, placements, rigid_frame
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism, Node
from ...model.transform import (
    IDENTITY,
    Matrix,
    compose,
    difference,
    linear_part,
    multiply,
    translation_of,
)

TOLERANCE = 1e-9
"""A frame that is this near to its place already (in m, and in sines) stays as it was written."""
NEAR_PLACE, NEAR_TURN = 5e-7, 5e-6
"""The same for nodes that must not move: m (times the largest coordinate), and sines."""


def put_frames(
    gltf: Any,  # noqa: ANN401 - the exporter's class
    mechanism: Mechanism,
    node_index: dict[int, int],
    *,
    z_up: bool,
) -> tuple[Mechanism, dict[int, int]]:
    """Place the joint and connected frames of a mechanism (in glTF axes) in the file.

    Args:
        gltf: the exporter's document with final nodes.
        mechanism: what is exported.
        node_index: index in the file of each node of the mechanism.
        z_up: whether the file keeps Blender's axes.

    Returns:
        The mechanism and its indices in the file, with a further node for each frame that could
        not be put right without moving something else.
    """
    frames = _frames(mechanism)
    physical = {index for index, node in enumerate(mechanism.nodes) if node.is_physical}
    pinned = {node_index[node] for node in physical | set(frames) if node in node_index}
    tree = _FileTree(gltf, pinned)
    moved: dict[int, int] = {}
    for node, settings in frames.items():
        world = mechanism.nodes[node].world
        if node not in node_index or is_flat(linear_part(world)):
            continue
        frame = rigid_frame(world, settings)
        body = mechanism.nodes[node]
        solid = body.motion is not None or body.collider is not None or body.trigger is not None
        index = tree.put(
            node_index[node], Z_UP_FROM_Y_UP.matrix(frame) if z_up else frame, must_stay=solid
        )
        if index != node_index[node]:
            moved[node] = index
    return _with_moved(mechanism, node_index, moved) if moved else (mechanism, node_index)


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
    for node, index in moved.items():
        frame_of[node] = len(nodes)
        indices[len(nodes)] = index
        old = nodes[node]
        nodes.append(Node(old.name, node, old.world, joint=old.joint))
        nodes[node] = replace(old, joint=None)
    for index, node in enumerate(nodes):
        if node.joint is not None and node.joint.connected_node in frame_of:
            joint = replace(node.joint, connected_node=frame_of[node.joint.connected_node])
            nodes[index] = replace(node, joint=joint)
    return replace(mechanism, nodes=tuple(nodes)), indices


class _FileTree:
    """The nodes of the file with their world matrices."""

    def __init__(self, gltf: Any, pinned: set[int]) -> None:  # noqa: ANN401
        self.nodes = gltf.nodes
        self.pinned = pinned
        self.parents = {
            child: index for index, node in enumerate(self.nodes) for child in node.children or ()
        }
        self.scenes = gltf.scenes
        self.worlds: dict[int, Matrix] = {}

    def world(self, index: int | None) -> Matrix:
        """Return world from node, as the file says it."""
        if index is None:
            return IDENTITY
        if index not in self.worlds:
            node = self.nodes[index]
            local = compose(
                tuple(node.translation or (0.0, 0.0, 0.0)),
                tuple(node.rotation or (0.0, 0.0, 0.0, 1.0)),
                tuple(node.scale or (1.0, 1.0, 1.0)),
            )
            self.worlds[index] = multiply(self.world(self.parents.get(index)), local)
        return self.worlds[index]

    def put(self, index: int, frame: Matrix, *, must_stay: bool) -> int:
        """Put a node at a frame and return its index; another one where it must not move."""
        node, world = self.nodes[index], self.world(index)
        if difference(world, frame) <= TOLERANCE:
            return index
        if must_stay or node.children or _shows_something(node):
            return index if _near(world, frame) else self._add_below(index, frame)
        parent = self.parents.get(index)
        chain = placements(self.world(parent), frame)
        if len(chain) == 2:
            chain = self._hold(index, parent, chain, frame)
        _place(node, chain[-1])
        self.worlds[index] = frame
        return index

    def _hold(
        self, index: int, parent: int | None, chain: tuple[Placement, ...], frame: Matrix
    ) -> tuple[Placement, ...]:
        """Put a frame below a holder: the one that it has, as in files of our own, or a new one."""
        name = self.nodes[index].name
        if parent is not None and self._only_holds(parent, index):
            chain = placements(self.world(self.parents.get(parent)), frame)
            if len(chain) == 1:
                chain = (Placement(), *chain)
            _place(self.nodes[parent], chain[0])
            del self.worlds[parent]
            return chain
        holder = self._new_node(f"{name} holder", chain[0])
        siblings = self._siblings(index)
        siblings[siblings.index(index)] = holder
        self.nodes[holder].children = [index]
        self.parents[index] = holder
        if parent is not None:
            self.parents[holder] = parent
        return chain

    def _only_holds(self, index: int, child: int) -> bool:
        """Return whether a node is there for nothing but the place of one child."""
        node = self.nodes[index]
        alone = list(node.children) == [child] and index not in self.pinned
        return alone and not _shows_something(node)

    def _add_below(self, index: int, frame: Matrix) -> int:
        """Put a frame into a new node below one that must stay where it is."""
        chain = placements(self.world(index), frame)
        name, parent = self.nodes[index].name, index
        for placement, kind in zip(chain, ("holder", "frame")[-len(chain) :], strict=True):
            child = self._new_node(f"{name} {kind}", placement)
            self.nodes[parent].children = [*(self.nodes[parent].children or ()), child]
            self.parents[child] = parent
            parent = child
        self.worlds[parent] = frame
        return parent

    def _siblings(self, index: int) -> list[int]:
        """Return the list of children, or of roots of a scene, that holds a node."""
        parent = self.parents.get(index)
        if parent is not None:
            return self.nodes[parent].children
        return next(scene.nodes for scene in self.scenes if index in scene.nodes)

    def _new_node(self, name: str, placement: Placement) -> int:
        node = gltf2_io.Node(
            camera=None,
            children=[],
            extensions=None,
            extras=None,
            matrix=None,
            mesh=None,
            name=name,
            rotation=None,
            scale=None,
            skin=None,
            translation=None,
            weights=None,
        )
        _place(node, placement)
        self.nodes.append(node)
        return len(self.nodes) - 1


def _shows_something(node: Any) -> bool:  # noqa: ANN401
    """Return whether a node is seen, so that its scale matters."""
    return any(part is not None for part in (node.mesh, node.camera, node.skin)) or bool(
        node.extensions
    )


def _near(world: Matrix, frame: Matrix) -> bool:
    """Return whether a node stands at a frame as well as single precision can say."""
    a, b = translation_of(world), translation_of(frame)
    largest = max(1.0, *(abs(x) for x in b))
    near = all(abs(x - y) <= NEAR_PLACE * largest for x, y in zip(a, b, strict=True))
    return near and difference(linear_part(world), linear_part(frame)) <= NEAR_TURN


def _place(node: Any, placement: Placement) -> None:  # noqa: ANN401
    """Write a placement into a node, leaving out what is the default."""
    defaults = Placement()
    for part in ("translation", "rotation", "scale"):
        value = getattr(placement, part)
        setattr(node, part, None if value == getattr(defaults, part) else list(value))
