# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that close loops: pins, hinges and welds; others no format has."""

from __future__ import annotations

from collections.abc import Callable

from ...model.articulation import ArticulationJoint
from ...model.articulation.joint_types import JointType
from ...model.geometry.frames import rigid_frame
from ...model.geometry.transform import Matrix, inverse, multiply
from ...model.mechanism import Mechanism
from ...model.settings.spans import spans_of
from ..robot import WORLD, Loop
from ..turning import turned, unit


def loop_of(
    joint: ArticulationJoint, mechanism: Mechanism, link_of: Callable[[int | None], int]
) -> Loop | None:
    """Return a joint as what holds two links together; None where nothing else does the same."""
    if joint.node is None or joint.linear:
        return None
    node = mechanism.nodes[joint.node]
    assert node.joint is not None
    settings = mechanism.settings_of(node.joint)
    bounded = any(span.is_bounded for span in spans_of(settings.limits)) or settings.drives
    kinds = (JointType.FIXED, JointType.REVOLUTE, JointType.BALL)
    if joint.type not in kinds or bounded or any(limit.together for limit in settings.limits):
        return None
    above = joint.parent if joint.parent is not None else joint.static_parent
    parent, child = link_of(above), link_of(joint.child)
    pose = joint.parent_frame if joint.parent is not None else _in(mechanism, above, parent, joint)
    axis = joint.angular[0].direction if joint.type is JointType.REVOLUTE else None
    return Loop(
        node.name or "loop",
        parent,
        child,
        pose,
        joint.child_frame,
        turns=joint.type is not JointType.FIXED,
        about=None if axis is None else unit(turned(pose, axis)),
        apart=not node.joint.enable_collision,
    )


def _in(mechanism: Mechanism, body: int | None, link: int, joint: ArticulationJoint) -> Matrix:
    """Return the frame of a parent that stands still in its link, given in the world."""
    if body is None or link == WORLD:
        return joint.parent_frame
    return multiply(inverse(rigid_frame(mechanism.nodes[body].world)), joint.parent_frame)
