# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joints a scene has: their objects, settings and bodies, but not yet where they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import bpy
from mathutils import Vector

from ...drawing.layout import display_size
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.geometry.transform import Matrix
from ...model.joint import JointSettings
from ..bridge.placed import (
    Lookup,
    bodies_of,
    body_of,
    instancers_of,
    is_seen_from_second,
    joints_in,
    objects_in_scene,
    plain,
)
from ..bridge.poses.away import carried_frame
from ..bridge.poses.second_frames import below, value_of
from ..bridge.read_settings import settings_from_block
from ..data.joint import OmiJointSettings

Chain = tuple[tuple[int, tuple[float, float, float]], ...]
"""From outside in: session uids of instancers, each with the offset of its collection."""

Blocks = Mapping[int, tuple[OmiJointSettings, JointSettings]]
"""Settings blocks and what they say, by session uid."""


class Row(NamedTuple):
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
    is_joined: bool = True
    """Whether it has two bodies."""
    value: Matrix | None = None
    """Pose of the second frame in the frame of the joint, where it goes with that."""
    carried: Matrix | None = None
    """Second frame as seen from the body that it goes with."""
    is_keyed: bool = False
    """Whether animation may change the value from frame to frame."""

    @property
    def holds(self) -> bool:
        """Whether it does anything: it has two bodies, and bounds that make sense."""
        return self.is_joined and not any(limit.is_reversed for limit in self.settings.limits)

    @property
    def frame(self) -> int:
        """Session uid of the object that is the second frame; the joint's where none is."""
        return self.joint if self.carried is not None else self.partner


class JointSurvey(NamedTuple):
    """The joints of a scene. References are good until data-blocks are replaced."""

    rows: tuple[Row, ...] = ()
    objects: tuple[bpy.types.Object, ...] = ()
    """The object of each row's joint."""
    shown_by: tuple[bpy.types.Object, ...] = ()
    """The object of the scene whose visibility counts: the joint, or the outermost instancer."""
    blocks: Blocks = MappingProxyType({})


def survey(scene: bpy.types.Scene, size_factor: float, known: Blocks) -> JointSurvey:
    """Find all joints of a scene that have settings, those in instances too.

    Settings that are as they were ``known`` are the same object as before, which costs nothing to
    compare.
    """
    joints, instanced = [], False
    members = set()
    for obj in scene.objects:
        members.add(obj.session_uid)
        if obj.omi_physics_joint.is_joint:
            joints.append(obj)
        instanced = instanced or obj.instance_type == "COLLECTION"
    blocks: dict[int, tuple[OmiJointSettings, JointSettings]] = {}
    rows, objects, shown_by = [], [], []
    found = _in_instances(scene) if instanced else _in_scene(joints, members)
    for obj, block, chain, chain_below, shower, is_there in found:
        uid = block.session_uid
        if uid not in blocks:
            now, before = read_block(block), known.get(uid, (None, None))[1]
            blocks[uid] = (block, before if before == now else now)
        partner, value, carried = _partner_of(obj, in_scene=not chain)
        bodies = bodies_of(obj)
        rows.append(
            Row(
                joint=obj.session_uid,
                partner=partner.session_uid,
                block=uid,
                settings=blocks[uid][1],
                size=display_size(obj.empty_display_size, size_factor),
                bodies=tuple(body.session_uid for body in bodies if body),
                from_partner=is_seen_from_second(obj),
                chain=chain,
                partner_chain=chain if partner == obj else chain_below,
                muted=obj.omi_physics_joint.mute,
                is_joined=is_there and None not in bodies and bodies[0] != bodies[1],
                value=value,
                carried=carried,
                is_keyed=partner == obj and obj.animation_data is not None,
            )
        )
        objects.append(obj)
        shown_by.append(shower)
    return JointSurvey(tuple(rows), tuple(objects), tuple(shown_by), blocks)


def with_edited(found: JointSurvey, edited: set[int]) -> JointSurvey:
    """Return a survey in which some settings blocks are read again, and nothing else."""
    again = {uid: read_block(found.blocks[uid][0]) for uid in edited}
    rows = tuple(
        row._replace(settings=again[row.block]) if row.block in again else row for row in found.rows
    )
    changed = {uid: (found.blocks[uid][0], settings) for uid, settings in again.items()}
    return found._replace(rows=rows, blocks={**found.blocks, **changed})


def read_block(block: OmiJointSettings) -> JointSettings:
    """Return a settings block as the model has it, in glTF's axes."""
    return Y_UP_FROM_Z_UP.settings(settings_from_block(block))


def plain_value(joint: bpy.types.Object) -> Matrix | None:
    """Return the pose of a joint's second frame in its own; None at rest."""
    value = value_of(joint)
    return None if value is None else plain(value)


def _partner_of(
    joint: bpy.types.Object, *, in_scene: bool
) -> tuple[bpy.types.Object, Matrix | None, Matrix | None]:
    """Return what the second frame of a joint goes with, its value and how it is carried.

    What plays moves no instances, so only those in the scene itself are carried.
    """
    data = joint.omi_physics_joint
    if data.connected_node is not None:
        return data.connected_node, None, None
    carried = carried_frame(joint) if in_scene else None
    if carried is not None and data.connected_body is not None:
        return data.connected_body, None, plain(carried)
    return joint, plain_value(joint), None


Found = tuple[bpy.types.Object, OmiJointSettings, Chain, Chain, bpy.types.Object, bool]
"""A joint, the instances that it and its second body stand in, what shows it, and whether it has
both bodies."""


def _in_scene(joints: list[bpy.types.Object], members: set[int]) -> Iterator[Found]:
    for obj in joints:
        settings, ends = obj.omi_physics_joint.settings, (body_of(obj), below(obj))
        if settings:
            is_there = all(end is not None and end.session_uid in members for end in ends)
            yield obj, settings, (), (), obj, is_there


def _in_instances(scene: bpy.types.Scene) -> Iterator[Found]:
    placed = objects_in_scene(scene)
    lookup = Lookup(placed)
    for index, obj in joints_in(placed):
        other, settings = lookup.find(below(obj), index), obj.omi_physics_joint.settings
        if settings is None:
            continue
        instancers = instancers_of(placed, index)
        shower = instancers[0] if instancers else obj
        below_other = instancers if other is None else instancers_of(placed, other)
        chains = _chain(instancers), _chain(below_other)
        is_there = other is not None and lookup.find(body_of(obj), index) is not None
        yield obj, settings, *chains, shower, is_there


def _chain(instancers: list[bpy.types.Object]) -> Chain:
    return tuple(
        (obj.session_uid, Vector(obj.instance_collection.instance_offset).to_tuple())
        for obj in instancers
    )
