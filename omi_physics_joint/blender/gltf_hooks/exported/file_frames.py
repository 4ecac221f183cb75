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
from ....model.geometry.frames import is_flat, is_rigid, rigid_frame
from ....model.geometry.transform import linear_part
from ....model.joint import JointSettings
from ....model.mechanism import Mechanism, Node
from .. import Untyped
from .file_nodes import FileTree

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
    tree = FileTree(gltf, pinned)
    in_file = Z_UP_FROM_Y_UP.matrix if z_up else lambda matrix: matrix
    for node in second:
        made, settings = mechanism.nodes[node], frames.pop(node, None)
        if made.parent not in node_index or settings is None:
            continue
        try:
            is_exact = is_rigid(made.world, EXACT)
            frame = in_file(made.world if is_exact else rigid_frame(made.world, settings))
            node_index[node] = tree.add(node_index[made.parent], made.name, frame)
        except ZeroDivisionError:
            unplaced.append(node)
    mechanism = _without_joints_to(mechanism, set(second) - set(node_index))
    moved: dict[int, int] = {}
    for node, settings in frames.items():
        old = mechanism.nodes[node]
        index = node_index.get(node)
        if index is None or is_flat(linear_part(old.world)):
            continue
        world = in_file(old.world)
        if tree.is_at(index, world, EXACT, EXACT) and is_rigid(world, EXACT):
            continue
        frame = in_file(rigid_frame(old.world, settings))
        if tree.is_at(index, frame, EXACT, EXACT):
            continue
        solid = old.motion is not None or old.collider is not None or old.trigger is not None
        name = gltf.nodes[index].name
        try:
            if not (solid or gltf.nodes[index].children or tree.shows_something(index)):
                tree.place(index, frame)
            elif not tree.is_at(index, frame, NEAR_PLACE, NEAR_TURN):
                moved[node] = tree.add(index, f"{name} frame", frame, f"{name} holder")
        except ZeroDivisionError:
            unplaced.append(node)
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
