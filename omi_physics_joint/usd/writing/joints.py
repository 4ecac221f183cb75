# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints while a stage is written: which bodies they join, and whether they can be said."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.body import MotionType
from ...model.geometry.frames import rigid_frame
from ...model.joint import JointNode
from .. import table
from ..space import WORLD, has_space, space_of
from .draft import Draft
from .layout import JOINT_NAME
from .spelling.joints import Side, said, spell_joint
from .writing import Writing


def write_joint(writing: Writing, index: int, joint: JointNode) -> None:
    """Spell the joint of a node; one without a body that moves, or within one body, is left out."""
    mechanism, layout = writing.contents.mechanism, writing.layout
    sides = tuple(_sides(writing, index, joint))
    moving = [_moves(writing, mechanism.body_of(node)) for node in (index, joint.connected_node)]
    draft = writing.nodes.get(index)
    if draft is None or len(sides) != 2 or not any(moving) or sides[0].prim == sides[1].prim:
        writing.losses.note("usd-joint-left-out", index)
        if draft is not None and draft.type == table.JOINT:
            writing.drafts.remove(draft)
        return
    if draft.type != table.JOINT:
        path = layout.paths.take(draft.path, JOINT_NAME, JOINT_NAME)
        draft = Draft(path, writing.numbers, label=mechanism.nodes[index].name)
        writing.drafts.append(draft)
    writing.joints[index] = draft
    draft.say(table.EXCLUDED, index in writing.trees.loop_joints)
    swap = index in writing.trees.reversed_joints
    settings = mechanism.settings_of(joint)
    what = said(settings, (sides[0], sides[1]), swap, writing.losses, index)
    spell_joint(draft, joint, what, writing.losses, index)


def _sides(writing: Writing, index: int, joint: JointNode) -> Iterator[Side]:
    """Yield the two sides of a joint whose poses are sound: of its node, and of the other."""
    mechanism = writing.contents.mechanism
    settings = mechanism.settings_of(joint)
    for node in (index, joint.connected_node):
        if not 0 <= node < len(mechanism.nodes) or not has_space(mechanism.nodes[node].world):
            continue
        frame = rigid_frame(mechanism.nodes[node].world, settings)
        body = mechanism.body_of(node)
        if body is None:
            yield Side("", WORLD, frame)
        elif body in writing.layout.prims and has_space(mechanism.nodes[body].world):
            space = space_of(mechanism.nodes[body].world)
            yield Side(writing.layout.prims[body], space, frame)


def _moves(writing: Writing, body: int | None) -> bool:
    """Return whether a body is one that moves, by itself or by forces."""
    motion = None if body is None else writing.contents.mechanism.nodes[body].motion
    return motion is not None and motion.type is MotionType.DYNAMIC
