# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a mechanism a tree may be made of: bodies that move, and joints that move them."""

from __future__ import annotations

from dataclasses import dataclass

from ..body import MotionType
from ..geometry.frames import is_sound, rigid_frame
from ..geometry.transform import IDENTITY, Matrix
from ..mechanism import Mechanism
from .authored import EXCLUDED, ROOT, says
from .joints import Room, room_of

CONNECTED = "connected"
"""Last word of the names of connected nodes where reading has put each joint node on the body that
the file calls the parent: a mechanism has no other word for that."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A joint between two bodies, as it is stored."""

    node: int
    bodies: tuple[int | None, int | None]
    """Of the joint's node, and of the connected node."""
    frames: tuple[Matrix, Matrix]
    """World from the frames of both nodes, rigid."""
    room: Room
    from_parent: bool
    """Whether its file calls the body of the joint's node the parent."""
    is_root: bool
    """Whether an author has said that an articulation begins by it."""
    is_excluded: bool
    """Whether an author has said that it is in none."""


def is_movable(mechanism: Mechanism, body: int | None) -> bool:
    """Return whether forces move a body."""
    motion = mechanism.motion_of(body)
    return motion is not None and motion.is_movable


def is_static(mechanism: Mechanism, body: int | None) -> bool:
    """Return whether a body is part of the world."""
    motion = mechanism.motion_of(body)
    return motion is None or motion.type is MotionType.STATIC


def is_kinematic(mechanism: Mechanism, body: int | None) -> bool:
    """Return whether a body moves, but no force moves it: one of infinite mass is so too."""
    return not (is_movable(mechanism, body) or is_static(mechanism, body))


def edges_of(mechanism: Mechanism) -> list[Edge]:
    """Return the joints that move something, in node order."""
    edges = []
    rooms = [room_of(settings) for settings in mechanism.settings]
    for index, node, joint in mechanism.joints():
        known = 0 <= joint.settings < len(rooms)
        if not (known and 0 <= joint.connected_node < len(mechanism.nodes)):
            continue
        other = mechanism.nodes[joint.connected_node]
        bodies = (mechanism.body_of(index), mechanism.body_of(joint.connected_node))
        if bodies[0] == bodies[1] or not any(is_movable(mechanism, body) for body in bodies):
            continue
        if is_sound(node.world) and is_sound(other.world):
            settings = mechanism.settings[joint.settings]
            frames = (rigid_frame(node.world, settings), rigid_frame(other.world, settings))
            from_parent = other.name.lower().endswith(CONNECTED)
            words = (says(joint.unknown, ROOT), says(joint.unknown, EXCLUDED))
            edges.append(Edge(index, bodies, frames, rooms[joint.settings], from_parent, *words))
    return edges


def body_world(mechanism: Mechanism, body: int) -> Matrix:
    """Return the rigid frame of a body in its rest pose; at the origin where it is flat."""
    world = mechanism.nodes[body].world
    return rigid_frame(world) if is_sound(world) else IDENTITY
