# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts joint frames into the file exactly where Blender shows them.

The exporter splits local matrices into translation, rotation and scale and drops what is left:
under a turned and unevenly scaled body a frame comes out skewed. Frames are therefore placed anew,
in double precision, against the nodes as they stand in the file.
"""

from __future__ import annotations

from typing import Any

from io_scene_gltf2.io.com import gltf2_io

from ...model.axes import Z_UP_FROM_Y_UP
from ...model.frames import Placement, is_flat, placements, rigid_frame
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism
from ...model.transform import IDENTITY, Matrix, compose, difference, linear_part, multiply

TOLERANCE = 1e-9
"""A frame that is this near to its place already (in m, and in sines) stays as it was written."""


def put_frames(
    gltf: Any,  # noqa: ANN401 - the exporter's class
    mechanism: Mechanism,
    node_index: dict[int, int],
    *,
    z_up: bool,
) -> dict[int, int]:
    """Place the joint and connected frames of a mechanism (in glTF axes) in the file.

    Args:
        gltf: the exporter's document with final nodes.
        mechanism: what is exported.
        node_index: index in the file of each node of the mechanism.
        z_up: whether the file keeps Blender's axes.

    Returns:
        New indices in the file, for frames that needed a node of their own.
    """
    tree = _FileTree(gltf)
    moved: dict[int, int] = {}
    for node, settings in _frames(mechanism).items():
        world = mechanism.nodes[node].world
        if node not in node_index or is_flat(linear_part(world)):
            continue
        frame = rigid_frame(world, settings)
        index = tree.put(node_index[node], Z_UP_FROM_Y_UP.matrix(frame) if z_up else frame)
        if index != node_index[node]:
            moved[node] = index
    return moved


def _frames(mechanism: Mechanism) -> dict[int, JointSettings]:
    """Return the nodes that are frames of joints, each with the settings of its first joint."""
    frames: dict[int, JointSettings] = {}
    for index, _, joint in mechanism.joints():
        settings = mechanism.settings_of(joint)
        frames.setdefault(index, settings)
        frames.setdefault(joint.connected_node, settings)
    return frames


class _FileTree:
    """The nodes of the file with their world matrices."""

    def __init__(self, gltf: Any) -> None:  # noqa: ANN401
        self.nodes = gltf.nodes
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

    def put(self, index: int, frame: Matrix) -> int:
        """Put a node at a frame and return its index; another one where it has children."""
        if difference(self.world(index), frame) <= TOLERANCE:
            return index
        if self.nodes[index].children:
            # Its children must stay where they are, so the frame becomes a new child.
            return self._add_below(index, f"{self.nodes[index].name} frame", frame)
        parent = self.parents.get(index)
        chain = placements(self.world(parent), frame)
        if len(chain) == 2:
            holder = self._new_node(f"{self.nodes[index].name} holder", chain[0])
            siblings = self._siblings(index)
            siblings[siblings.index(index)] = holder
            self.nodes[holder].children = [index]
            self.parents[index] = holder
            if parent is not None:
                self.parents[holder] = parent
        _place(self.nodes[index], chain[-1])
        self.worlds[index] = frame
        return index

    def _add_below(self, parent: int, name: str, frame: Matrix) -> int:
        for placement in placements(self.world(parent), frame):
            child = self._new_node(name, placement)
            self.nodes[parent].children.append(child)
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


def _place(node: Any, placement: Placement) -> None:  # noqa: ANN401
    """Write a placement into a node, leaving out what is the default."""
    defaults = Placement()
    for part in ("translation", "rotation", "scale"):
        value = getattr(placement, part)
        setattr(node, part, None if value == getattr(defaults, part) else list(value))
