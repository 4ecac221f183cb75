# SPDX-License-Identifier: GPL-3.0-or-later
"""Which nodes of two mechanisms are the same, and by how much one has moved."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from omi_physics_joint.model.body import Motion, MotionType
from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.changes.pairing import paired
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import (
    Drive,
    DriveMode,
    Freedom,
    JointNode,
    JointSettings,
    Limit,
)
from omi_physics_joint.model.mechanism import Mechanism, Node
from tests.model.changes.test_changes import BODY, lines

FREE = JointSettings()


def test_names_that_repeat_keep_their_place() -> None:
    """A new one before the old one is new, and the old one is what it was."""

    def leaf(mass: float) -> dict[str, Any]:
        return {"name": "Leaf", "extensions": {BODY: {"motion": {"type": "dynamic", "mass": mass}}}}

    def first(gltf: dict[str, Any]) -> None:
        gltf["nodes"] += [{"name": "Lamp"}, leaf(1.0)]

    def second(gltf: dict[str, Any]) -> None:
        gltf["nodes"][4] = leaf(7.0)

    (line,) = lines(second, first)
    assert line.startswith("Leaf (node 4): new")


@pytest.mark.parametrize("lamps", range(5))
def test_several_of_one_name_keep_their_order(lamps: int) -> None:
    """However many others come before them now, each is the one that it was."""
    leaves = [Node("Leaf", motion=Motion(MotionType.DYNAMIC, mass=float(at))) for at in (1, 2, 3)]
    new = [Node(f"Lamp {at}", motion=Motion(MotionType.STATIC)) for at in range(lamps)]
    found = changes(Mechanism(tuple(leaves)), Mechanism((*new, *leaves)))
    if lamps not in (1, 2):  # what has kept its number is taken for what it was
        assert not [one for one in map(str, found) if one.startswith("Leaf")]


@pytest.mark.parametrize("seed", range(12))
def test_no_node_becomes_two_and_none_is_left_beside_its_name(seed: int) -> None:
    """However names repeat, lack or change their order: pairs are one to one, names go first."""
    draw = random.Random(seed)
    kinds = [None, Motion(MotionType.DYNAMIC), Motion(MotionType.STATIC)]

    def drawn() -> Mechanism:
        names = [draw.choice(("", "Leaf", "Lamp", "Post", "Rail", "Arm")) for _ in range(7)]
        below = [draw.choice((None, *range(at))) for at in range(7)]
        pairs = zip(names, below, strict=True)
        return Mechanism(tuple(Node(*pair, motion=draw.choice(kinds)) for pair in pairs))

    before, after = drawn(), drawn()
    forth = paired(before, after).forth
    assert len(set(forth.values())) == len(forth)
    left = {node.name for at, node in enumerate(before.nodes) if at not in forth} - {""}
    new = {node.name for at, node in enumerate(after.nodes) if at not in forth.values()}
    assert left.isdisjoint(new)


def test_rounding_far_from_the_origin_is_no_move() -> None:
    """Single precision holds no place 20 m away better, whichever axis it is on."""
    home = Node("Crate", None, compose((20.0, 0.0, 3.0)), Motion(MotionType.DYNAMIC))
    for off, said in ((6e-6, []), (6e-4, ["Crate: moved by 0.6 mm"])):
        there = replace(home, world=compose((20.0, off, 3.0)))
        found = changes(Mechanism((home,)), Mechanism((there,)))
        assert [str(change) for change in found] == said


@pytest.mark.parametrize("what", ["limits", "drives", "foreign_drives"])
def test_in_which_order_a_joint_says_things_is_no_change(what: str) -> None:
    """Of bounds and motors on several axes, and of what others say."""
    settings = JointSettings(
        limits=(Limit((0,), (), -1.0, 1.0), Limit((1,), (), 0.0, 2.0), Limit((), (2,), 0.0, 0.0)),
        drives=tuple(
            Drive(Freedom.LINEAR, DriveMode.FORCE, axis, velocity_target=1.0 + axis, damping=2.0)
            for axis in (0, 1)
        ),
        foreign_drives=('{"type":"X_muscle"}', '{"type":"X_coil"}'),
    )
    other = replace(settings, **{what: getattr(settings, what)[::-1]})
    nodes = (
        Node("Body", motion=Motion(MotionType.DYNAMIC)),
        Node("Joint", 0, joint=JointNode(0, 2)),
    )
    before, after = (Mechanism((*nodes, Node("End")), (one,)) for one in (settings, other))
    assert changes(before, after) == ()
    assert changes(before, replace(after, settings=(replace(other, **{what: ()}),))) != ()


def test_names_as_usd_spells_them_are_the_same_nodes() -> None:
    """A stage has letters, digits and underscores: no collider of another link is taken for it."""
    names = ("upper collision", "Tür.001", "lower collision")
    here = [Node(name, motion=Motion(MotionType.STATIC)) for name in names]
    there = [
        Node(name, motion=Motion(MotionType.STATIC))
        for name in ("T_r_001", "lower_collision", "upper_collision")
    ]
    assert paired(Mechanism(tuple(here)), Mechanism(tuple(there))).forth == {0: 2, 1: 0, 2: 1}


def test_what_rounding_leaves_of_a_zero_is_no_change() -> None:
    """A centre of mass that went through turns and back is where it was."""
    mechanisms = [
        Mechanism((Node("Arm", motion=Motion(MotionType.DYNAMIC, center_of_mass=center)),))
        for center in ((-4.6e-18, 0.23333333, 3e-9), (1.4e-17, 0.23333331, 0.0))
    ]
    assert not changes(*mechanisms)


def test_bodies_of_one_name_are_told_apart_where_a_joint_has_another() -> None:
    """Else it would say "second body Leaf -> Leaf"."""
    nodes = [Node(name, motion=Motion(MotionType.DYNAMIC)) for name in ("Post", "Leaf", "Leaf")]
    ends = [Node("End", parent=at) for at in (1, 2)]
    before, after = (
        Mechanism((*nodes, *ends, Node("Pin", parent=0, joint=JointNode(0, at))), settings=(FREE,))
        for at in (3, 4)
    )
    facts = [str(one) for one in changes(before, after)]
    assert facts == ["Pin: second body Leaf (node 1) -> Leaf (node 2)"]
