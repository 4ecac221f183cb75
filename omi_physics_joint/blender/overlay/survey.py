# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joints a scene has: their objects, settings and bodies, but not yet where they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import bpy
from mathutils import Vector

from ...drawing.layout import display_size
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.geometry.transform import Matrix
from ...model.joint import JointSettings
from ..bridge.placed import (
    Lookup,
    PlacedObject,
    bodies_of,
    is_seen_from_second,
    objects_in_scene,
    plain,
)
from ..bridge.poses.away import carried_frame
from ..bridge.poses.second_frames import below, value_of
from ..bridge.read_settings import settings_from_block
from ..data.joint import OmiJointSettings

Chain = tuple[tuple[int, tuple[float, float, float]], ...]
"""From outside in: session uids of instancers, each with the offset of its collection."""

Blocks = dict[int, tuple[OmiJointSettings, JointSettings]]
"""Settings blocks and what they say, by session uid."""


@dataclass(frozen=True, slots=True)
class Row:
    """One joint that is drawn."""

    joint: int
    """Session uid of its object."""
    partner: int
    """Session uid of the object that the second frame goes with: itself, the joint or a body."""
    block: int
    """Session uid of its settings block."""
    settings: JointSettings
    """In glTF's axes."""
    size: float
    """Display radius in m."""
    bodies: tuple[int, ...]
    """Session uids of the bodies of both frames."""
    from_partner: bool = False
    """Whether only the body of the joint frame moves, so that the joint is seen from the other."""
    chain: Chain = ()
    """The instances that the joint stands in."""
    partner_chain: Chain = ()
    muted: bool = False
    """Whether the joint is switched off."""
    value: Matrix | None = None
    """Pose of the second frame in the frame of the joint, where it goes with that."""
    carried: Matrix | None = None
    """Second frame as seen from the body that it goes with."""
    is_keyed: bool = False
    """Whether animation may change the value from frame to frame."""

    @property
    def frame(self) -> int:
        """Session uid of the object that is the second frame; the joint's where none is."""
        return self.joint if self.carried is not None else self.partner


@dataclass(slots=True)
class JointSurvey:
    """The joints of a scene. References are good until data-blocks are replaced."""

    rows: tuple[Row, ...]
    objects: tuple[bpy.types.Object, ...]
    """The object of each row's joint."""
    shown_by: tuple[bpy.types.Object, ...]
    """The object of the scene whose visibility counts: the joint, or the outermost instancer."""
    blocks: Blocks


def survey(scene: bpy.types.Scene, size_factor: float, known: Blocks) -> JointSurvey:
    """Find all joints of a scene that have settings and a partner, those in instances too.

    Args:
        scene: where to look.
        size_factor: of the overlay.
        known: settings blocks that need not be read again.
    """
    joints, instanced = [], False
    members = set()
    for obj in scene.objects:
        members.add(obj.session_uid)
        if obj.omi_physics_joint.is_joint:
            joints.append(obj)
        instanced = instanced or obj.instance_type == "COLLECTION"
    blocks = dict(known)
    rows, objects, shown_by = [], [], []
    found = _in_instances(scene) if instanced else _in_scene(joints, members)
    for obj, second, chain, partner_chain, shower in found:
        data = obj.omi_physics_joint
        uid = data.settings.session_uid
        if uid not in blocks:
            blocks[uid] = (data.settings, read_block(data.settings))
        sides = bodies_of(obj)
        rows.append(
            Row(
                obj.session_uid,
                second.object.session_uid,
                uid,
                blocks[uid][1],
                display_size(obj.empty_display_size, size_factor),
                tuple(body.session_uid for body in sides if body),
                is_seen_from_second(obj),
                chain,
                partner_chain,
                data.mute,
                second.value,
                second.carried,
                second.is_keyed,
            )
        )
        objects.append(obj)
        shown_by.append(shower)
    return JointSurvey(tuple(rows), tuple(objects), tuple(shown_by), blocks)


def with_edited(found: JointSurvey, edited: set[int]) -> JointSurvey:
    """Return a survey in which some settings blocks are read again, and nothing else."""
    blocks = dict(found.blocks)
    for uid in edited:
        blocks[uid] = (blocks[uid][0], read_block(blocks[uid][0]))
    rows = tuple(
        replace(row, settings=blocks[row.block][1]) if row.block in edited else row
        for row in found.rows
    )
    return JointSurvey(rows, found.objects, found.shown_by, blocks)


def read_block(block: OmiJointSettings) -> JointSettings:
    """Return a settings block as the model has it, in glTF's axes."""
    return Y_UP_FROM_Z_UP.settings(settings_from_block(block))


@dataclass(frozen=True, slots=True)
class _Second:
    """What the second frame of a joint goes with, and where it is there; see ``Row``."""

    object: bpy.types.Object
    value: Matrix | None = None
    carried: Matrix | None = None
    is_keyed: bool = False


Found = tuple[bpy.types.Object, _Second, Chain, Chain, bpy.types.Object]


def _second_of(joint: bpy.types.Object, *, in_scene: bool) -> _Second:
    """Return what the second frame of a joint goes with.

    Args:
        joint: connected to something.
        in_scene: whether it is there itself: what plays moves no instances.
    """
    data = joint.omi_physics_joint
    if data.connected_node is not None:
        return _Second(data.connected_node)
    carried = carried_frame(joint) if in_scene else None
    if carried is not None:
        return _Second(data.connected_body, carried=plain(carried))
    value = value_of(joint)
    is_keyed = joint.animation_data is not None
    return _Second(joint, None if value is None else plain(value), is_keyed=is_keyed)


def _in_scene(joints: list[bpy.types.Object], members: set[int]) -> Iterator[Found]:
    for obj in joints:
        other = below(obj)
        settings = obj.omi_physics_joint.settings
        if settings and other is not None and other.session_uid in members:
            yield obj, _second_of(obj, in_scene=True), (), (), obj


def _in_instances(scene: bpy.types.Scene) -> Iterator[Found]:
    placed = objects_in_scene(scene)
    lookup = Lookup(placed)
    for index, node in enumerate(placed):
        obj = node.object
        if obj is None or not obj.omi_physics_joint.is_joint or not obj.omi_physics_joint.settings:
            continue
        other = lookup.find(below(obj), index)
        if other is None:
            continue
        outermost = _instancers(placed, index)
        shower = placed[outermost[0]].owner if outermost else obj
        second = _second_of(obj, in_scene=not outermost)
        there = index if second.object == obj else other
        yield obj, second, _chain(placed, index), _chain(placed, there), shower


def _instancers(placed: list[PlacedObject], index: int) -> list[int]:
    """Return the instancers that a node stands in, from outside in."""
    found: list[int] = []
    instance = placed[index].instance
    while instance is not None:
        found.insert(0, instance)
        instance = placed[instance].instance
    return found


def _chain(placed: list[PlacedObject], index: int) -> Chain:
    objects = [placed[instance].owner for instance in _instancers(placed, index)]
    return tuple(
        (obj.session_uid, Vector(obj.instance_collection.instance_offset).to_tuple())
        for obj in objects
    )
