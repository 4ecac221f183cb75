# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism spelled for Godot, so that Godot with Jolt moves it as specified; and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..geometry.frames import is_flat, rigid_frame
from ..geometry.transform import Matrix, linear_part
from ..joint import Drive, Freedom, JointNode, JointSettings, Limit, on_axes
from ..keys import BOUNDS, mapped
from ..mechanics.sagging import carried_rigidly
from ..mechanism import Mechanism, Node
from ..settings.keyed import around
from ..settings.reversal import reversed_settings
from .bodies import is_held_by_moving, new_parents, seen_motion, unscale, written_motion
from .layout import Layout, Rest, layout_of, rest_of
from .settings import NONE, spelled


@dataclass(frozen=True, slots=True)
class WrittenJoint:
    """One joint as it goes into a file for Godot."""

    settings: JointSettings
    frame: Matrix
    """Rigid, world from frame: where the joint node stands."""
    connected: Matrix
    """The same of the connected node: apart only where Godot cannot count from the rest pose; it
    takes no notice, and all others still see what was meant."""
    layout: Layout
    rest: Rest


def written_joint(
    settings: JointSettings,
    joint: Matrix,
    connected: Matrix,
    held: frozenset[Limit] = NONE,
    *,
    is_held_by_moving: bool = False,
) -> WrittenJoint:
    """Return one joint as Godot must be told; both worlds, from their nodes, are not flat.

    Soft limits that are ``held`` are played as rigid; see ``is_held_by_moving`` of ``bodies``.
    """
    told, always = spelled(settings, held), around(settings)
    other = rigid_frame(connected, always)
    rest = rest_of(around(told), rigid_frame(joint, always), other)
    told = shifted(told, rest.zero)
    layout = layout_of(around(told), is_held_by_moving=is_held_by_moving)
    told = reversed_settings(told, (layout.negated,))
    frame = relabelled_frame(rest.frame, layout.shift)
    stands = frame if rest.is_exact else relabelled_frame(other, layout.shift)
    return WrittenJoint(relabelled(told, layout.shift), frame, stands, layout, rest)


def written(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism as a file for Godot says it.

    Nodes keep their indices; scaled nodes, shapes and frames that need a node of their own come
    after them. Poses are those of the world, so a node may get another parent and another place
    below it.
    """
    nodes = [replace(node, motion=written_motion(node)) for node in mechanism.nodes]
    for index, parent in new_parents(mechanism).items():
        nodes[index] = replace(nodes[index], parent=parent)
    shapes = unscale(mechanism, nodes)
    writer = _GodotWriter(mechanism, nodes)
    for index, node, joint in mechanism.joints():
        writer.add(index, node, joint)
    settings = tuple(writer.settings)
    return replace(mechanism, nodes=tuple(nodes), settings=settings, shapes=shapes)


class _GodotWriter:
    """Puts joints into the nodes of a file for Godot."""

    def __init__(self, mechanism: Mechanism, nodes: list[Node]) -> None:
        self.nodes = nodes
        self.settings: list[JointSettings] = []
        self._mechanism = mechanism
        self._held = carried_rigidly(mechanism)
        self._uses = Counter(joint.connected_node for _, _, joint in mechanism.joints())
        self._children = Counter(node.parent for node in mechanism.nodes)

    def add(self, index: int, node: Node, joint: JointNode) -> None:
        """Write one joint; one whose frames are flat stays as it is, with its settings."""
        settings = self._mechanism.settings_of(joint)
        connected = self._mechanism.nodes[joint.connected_node]
        flat = any(is_flat(linear_part(one.world)) for one in (node, connected))
        if flat or index == joint.connected_node:
            self.settings.append(settings)
            self._put(index, joint, joint.connected_node)
            return
        held = self._held.get(index, NONE)
        moving = is_held_by_moving(self._mechanism, index, joint.connected_node)
        made = written_joint(settings, node.world, connected.world, held, is_held_by_moving=moving)
        self.settings.append(made.settings)
        solid = any((node.motion, node.collider, node.trigger))
        free = not (self._uses[index] or self._children[index] or solid)
        first = self._stand(index, made.frame, is_free=free)
        other = joint.connected_node
        alone = self._uses[other] == 1 and not self._children[other] and not connected.is_physical
        second = self._stand(other, made.connected, is_free=alone)
        self.nodes[index] = replace(self.nodes[index], joint=None)
        if made.layout.exchanged:
            names = self.nodes[first].name, self.nodes[second].name
            for end, name in zip((second, first), names, strict=True):
                self.nodes[end] = replace(self.nodes[end], name=name)
            first, second = second, first
        self._put(first, joint, second)

    def _stand(self, end: int, frame: Matrix, *, is_free: bool) -> int:
        """Return the node that stands at a frame, directly below its body: this or a new one."""
        body = self._mechanism.body_of(end)
        if is_free:
            parent = self.nodes[end].parent if body is None else body
            self.nodes[end] = replace(self.nodes[end], world=frame, parent=parent)
            return end
        parent = end if body is None else body
        self.nodes.append(Node(f"{self.nodes[end].name} frame", parent, frame))
        return len(self.nodes) - 1

    def _put(self, end: int, joint: JointNode, connected: int) -> None:
        """Have a node hold a joint with the last settings."""
        spoken = replace(joint, settings=len(self.settings) - 1, connected_node=connected)
        self.nodes[end] = replace(self.nodes[end], joint=spoken)


def seen(mechanism: Mechanism) -> Mechanism:
    """Return what Godot makes of a mechanism that was written for it; nodes keep their indices."""
    nodes = [replace(node, motion=seen_motion(node)) for node in mechanism.nodes]
    uses = Counter(joint.connected_node for _, _, joint in mechanism.joints())
    all_settings: list[JointSettings] = list(mechanism.settings)
    at: dict[tuple[int, bool], int] = {}
    for index, _, joint in mechanism.joints():
        settings = mechanism.settings_of(joint)
        other = joint.connected_node
        alone = uses[other] == 1 and not mechanism.nodes[other].is_physical and not uses[index]
        moving = alone and other != index and is_held_by_moving(mechanism, other, index)
        exchanged = layout_of(around(settings), is_held_by_moving=moving).exchanged
        key = (joint.settings, exchanged)
        if key not in at:
            at[key] = len(all_settings)
            all_settings.append(reversed_settings(settings, (Layout(exchanged=exchanged).negated,)))
        spoken = replace(joint, settings=at[key])
        if exchanged:
            name, other_name = nodes[index].name, nodes[other].name
            nodes[index] = replace(nodes[index], joint=None, name=other_name)
            spoken = replace(spoken, connected_node=index)
            nodes[other] = replace(nodes[other], joint=spoken, name=name)
            continue
        nodes[index] = replace(nodes[index], joint=spoken)
    return replace(mechanism, nodes=tuple(nodes), settings=tuple(all_settings))


def relabelled(settings: JointSettings, shift: int) -> JointSettings:
    """Return settings whose axis i is called i + shift; goes with ``relabelled_frame``."""

    def renamed(axes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted((axis + shift) % 3 for axis in axes))

    limits = tuple(
        replace(one, linear_axes=renamed(one.linear_axes), angular_axes=renamed(one.angular_axes))
        for one in settings.limits
    )
    drives = tuple(replace(drive, axis=(drive.axis + shift) % 3) for drive in settings.drives)
    return replace(settings, limits=limits, drives=drives)


def relabelled_frame(world: Matrix, shift: int) -> Matrix:
    """Return a frame whose axis i + shift points where axis i did: a turn, since cyclic."""
    rows = tuple(tuple(row[(axis - shift) % 3] for axis in range(3)) + row[3:] for row in world[:3])
    return (*rows, world[3])


def shifted(settings: JointSettings, zero: Sequence[float]) -> JointSettings:
    """Return settings counted from other zeros of the six coordinates, linear ones first."""
    if not any(zero):
        return settings
    offsets = {Freedom.LINEAR: zero[:3], Freedom.ANGULAR: zero[3:]}
    limits: list[Limit] = []
    for limit in settings.limits:
        for kind in Freedom:
            for axis in limit.axes(kind):
                part, offset = on_axes(limit, kind, (axis,)), offsets[kind][axis]
                keys = mapped(part.keys, BOUNDS, partial(_counted, offset))
                low, high = part.min - offset, part.max - offset
                limits.append(replace(part, min=low, max=high, keys=keys))
    drives: list[Drive] = []
    for drive in settings.drives:
        target, offset = drive.position_target, offsets[drive.type][drive.axis]
        if target is None:
            drives.append(drive)
            continue
        keys = mapped(drive.keys, ("position_target",), partial(_counted, offset))
        drives.append(replace(drive, position_target=target - offset, keys=keys))
    return replace(settings, limits=tuple(limits), drives=tuple(drives))


def _counted(zero: float, value: float) -> float:
    return value - zero
