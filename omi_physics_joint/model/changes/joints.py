# SPDX-License-Identifier: GPL-3.0-or-later
"""What is another in a joint: its bodies, its frames, its settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from ..geometry.transform import IDENTITY
from ..joint import Breaking, JointNode, JointSettings
from ..mechanism import Mechanism
from ..wording.describe import title
from ..wording.words import number
from .fact import Fact
from .pairing import Pairing
from .places import moved
from .settings import settings_facts

WORLD = "the world"


def joint_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield what is another in the joint of a node."""
    before, after = pairing.before, pairing.after
    one, other = before.nodes[ours].joint, after.nodes[theirs].joint
    if one is None or other is None:
        if one is not other:
            yield Fact("joint", _said(before, one), _said(after, other))
        return
    ends = (one.connected_node, other.connected_node)
    yield from _end_facts(pairing, "first body", (ours, theirs))
    yield from _end_facts(pairing, "second body", ends)
    if pairing.forth.get(ends[0]) != ends[1]:
        yield from _frame_facts(pairing, ends)
    if one.enable_collision is not other.enable_collision:
        on = ["on" if each.enable_collision else "off" for each in (one, other)]
        yield Fact("collision of its bodies", *on)
    if one.enabled is not other.enabled:
        holds = ["yes" if each.enabled else "muted" for each in (one, other)]
        yield Fact("whether it holds", *holds)
    if one.breaking != other.breaking:
        yield Fact("what breaks it", _bears(one), _bears(other))
    yield from settings_facts(_settings(before, one), _settings(after, other))


def _end_facts(pairing: Pairing, what: str, ends: tuple[int, int]) -> Iterator[Fact]:
    one, other = held(pairing.before, ends[0]), held(pairing.after, ends[1])
    if not _is_same(pairing, one, other):
        yield Fact(what, _name(pairing.before, one), _name(pairing.after, other))


def _is_same(pairing: Pairing, one: int | None, other: int | None) -> bool:
    """Return whether two ends are fixed to the same body, or to the world both."""
    return other is None if one is None else pairing.forth.get(one) == other


def _frame_facts(pairing: Pairing, ends: tuple[int, int]) -> Iterator[Fact]:
    """Yield how a frame is elsewhere that is another node now, on the same body."""
    before, after = pairing.before.nodes, pairing.after.nodes
    one, other = held(pairing.before, ends[0]), held(pairing.after, ends[1])
    if not _is_same(pairing, one, other) or (one is None) is not (other is None):
        return  # on another body, which has been said
    base = IDENTITY if one is None else before[one].world
    base_then = IDENTITY if other is None else after[other].world
    for fact in moved((base, before[ends[0]].world), (base_then, after[ends[1]].world)):
        yield replace(fact, what=f"second frame {fact.what}".rstrip())


def held(mechanism: Mechanism, index: int) -> int | None:
    """Return what a frame is fixed to: the body that moves, else what is solid; None: the world."""
    above = [one for one in mechanism.ancestry(index) if 0 <= one < len(mechanism.nodes)]
    for one in above:
        if mechanism.nodes[one].moves:
            return one
        if mechanism.nodes[one].motion is not None:
            break
    for one in above:
        collider = mechanism.nodes[one].collider
        if collider is not None and collider.shape is not None:  # a compound is what is below it
            return one
    return None


def _name(mechanism: Mechanism, index: int | None) -> str:
    return WORLD if index is None else mechanism.name_of(index)


def _said(mechanism: Mechanism, joint: JointNode | None) -> str:
    return "none" if joint is None else title(_settings(mechanism, joint))


def _bears(joint: JointNode) -> str:
    bears = joint.breaking or Breaking()
    limits = ((bears.force, "N"), (bears.torque, "N m"))
    return " or ".join(f"{number(at)} {unit}" for at, unit in limits if at != inf) or "nothing"


def _settings(mechanism: Mechanism, joint: JointNode) -> JointSettings:
    known = 0 <= joint.settings < len(mechanism.settings)
    return mechanism.settings[joint.settings] if known else JointSettings()
