# SPDX-License-Identifier: GPL-3.0-or-later
"""Hints: soft locks that sag, and what lies around them."""

from __future__ import annotations

from dataclasses import replace
from math import inf, pi
from typing import Any

import pytest

from omi_physics_joint.model.body import Collider, Trigger, Vector3
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose, times
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.joint import JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Convex
from omi_physics_joint.model.solid import Bounds
from omi_physics_joint.model.validate import check
from tests.model.building import (
    ANCHOR,
    DOOR,
    DYNAMIC,
    JOINT,
    UPRIGHT,
    WALL,
    added,
    changed,
    codes,
    knobbed,
    pair,
    product,
    shift,
    turn,
)
from tests.model.validate.cases import LID, SOUND
from tests.model.validate.standing_cases import asset


def held_on(axis: int, stiffness: float) -> Mechanism:
    """Return a pair held softly along one axis."""
    limit = Limit((axis,), (), 0.0, 0.0, stiffness=stiffness)
    return pair(JointSettings("Rope", (limit,)))


def sags(mechanism: Mechanism) -> list[Issue]:
    """Return what is said of sagging."""
    return [issue for issue in check(mechanism) if issue.code == "soft-lock-sags"]


def test_sag_is_weight_over_stiffness() -> None:
    """One kilogram on 100 N/m hangs 98.1 mm low; 981 N/m would hold it within a centimetre."""
    (issue,) = sags(held_on(1, 100.0))
    assert "98.1 mm" in issue.message or "0.0981 m" in issue.message
    assert "Door" in issue.message
    assert "981 N/m" in issue.fix
    assert issue.where == "Rope"
    assert "Godot" not in issue.message


def test_godot_numbers_are_called_by_name() -> None:
    """A stiffness like those of the official examples is no stiffness, and the hint says so."""
    (issue,) = sags(held_on(1, 0.3))
    assert "32.7 m" in issue.message
    assert "Godot" in issue.message


@pytest.mark.parametrize(("stiffness", "named"), [(1.0, True), (2.0, True), (2.1, False)])
def test_stiffness_that_no_softness_reaches_is_a_stiffness(stiffness: float, named: bool) -> None:
    """Softness in Godot is up to about 2; what is more is meant in N/m."""
    (issue,) = sags(held_on(1, stiffness))
    assert ("Such small numbers are Godot's softness, not a stiffness." in issue.message) == named


@pytest.mark.parametrize(
    ("axis", "world", "sagging"),
    [
        (1, UPRIGHT, True),
        (0, UPRIGHT, False),
        (2, UPRIGHT, False),
        (0, turn(2, pi / 2.0), True),
        (1, turn(0, pi / 2.0), False),
        (1, compose(scale=(7.0, 7.0, 7.0)), True),
    ],
)
def test_only_what_points_up_sags(axis: int, world: object, sagging: bool) -> None:
    """Weight pulls along the axis as far as it is vertical, however the frame is turned."""
    assert bool(sags(changed(held_on(axis, 100.0), JOINT, world=world))) is sagging


@pytest.mark.parametrize(
    "change",
    [
        {"stiffness": inf},
        {"stiffness": 982.0},
        {"max": 1.0},
    ],
)
def test_what_holds_does_not_sag(change: dict[str, Any]) -> None:
    """Rigid or stiff enough is silent, and so is a range, which need not bear anything."""
    mechanism = held_on(1, 0.5)
    limit = replace(mechanism.settings[0].limits[0], **change)
    assert not sags(replace(mechanism, settings=(JointSettings("Rope", (limit,)),)))


def test_a_rigid_limit_beside_a_soft_one_bears_the_weight() -> None:
    """An axis on which anything is rigid does not sag."""
    soft = Limit((1,), (), 0.0, 0.0, stiffness=1.0)
    assert not sags(pair(JointSettings("Rope", (soft, Limit((1,), (), -0.1, 0.1)))))


def test_lighter_body_and_gravity_factor_count() -> None:
    """Between two dynamic bodies the lighter one is weighed, with its share of gravity."""
    heavy = replace(DYNAMIC, mass=50.0)
    both = changed(held_on(1, 500.0), WALL, motion=heavy)
    (issue,) = sags(both)
    assert "Door" in issue.message
    floating = changed(both, DOOR, motion=replace(DYNAMIC, gravity_factor=0.0))
    assert not sags(floating)


def test_a_rope_is_one_hint() -> None:
    """Joints that share settings share the hint: the worst is named, the others counted."""
    rope = held_on(1, 0.3)
    for i in range(3):
        body = len(rope.nodes)
        motion = replace(DYNAMIC, mass=2.0 + i)
        rope = added(
            rope,
            Node(f"Link {i}", motion=motion, collider=rope.nodes[DOOR].collider),
            Node(f"Joint {i}", body, UPRIGHT, joint=JointNode(0, body + 2)),
            Node(f"Anchor {i}", WALL, UPRIGHT),
        )
    (issue,) = sags(rope)
    assert "Link 2" in issue.message
    assert "3 others" in issue.message


def test_static_bodies_have_no_weight_to_bear() -> None:
    """A heavy wall beside a light door is no odd ratio of masses."""
    wall = replace(pair(JointSettings()).nodes[WALL].motion or DYNAMIC, mass=1e9)
    assert "mass-ratio" not in codes(check(changed(held_on(1, 0.5), WALL, motion=wall)))


def test_the_second_body_of_a_joint_may_hang_wrongly_too() -> None:
    """Whichever of the two the joint is below."""
    nodes = list(LID.nodes)
    nodes[JOINT] = replace(nodes[JOINT], parent=WALL)
    nodes[ANCHOR] = replace(nodes[ANCHOR], parent=DOOR)
    found = [
        one for one in check(replace(LID, nodes=tuple(nodes))) if one.code == "center-on-hinge"
    ]
    assert [one.node for one in found] == [DOOR]


def test_what_weighs_nothing_may_have_its_mass_on_its_hinge() -> None:
    """The hint is of how a body hangs, and without gravity it does not."""
    assert "center-on-hinge" in codes(check(LID))
    floating = changed(LID, DOOR, motion=replace(DYNAMIC, gravity_factor=0.0))
    assert "center-on-hinge" not in codes(check(floating))


def test_what_weighs_nothing_takes_no_mass_off_a_hinge() -> None:
    """Blades that are drawn on a hub alone: its own collider is about its axle."""
    bounds = LID.nodes[DOOR].bounds
    hub = changed(LID, DOOR, bounds=Bounds((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)))
    bladed = added(hub, Node("Blade", DOOR, LID.nodes[DOOR].world, bounds=bounds))
    assert "center-on-hinge" not in codes(check(bladed))
    solid = changed(bladed, len(bladed.nodes) - 1, collider=LID.nodes[DOOR].collider)
    assert "center-on-hinge" in codes(check(solid))


AWAY = product(compose((20.0, -13.0, 4.0)), turn(0, 0.4), turn(2, 1.1))
BARE = "part-without-collider"


@pytest.mark.parametrize(
    ("inertia", "half", "said"),
    [
        (1e-9, 0.5, True),
        (1e-4, 0.5, False),
        (1e5, 0.5, True),
        (1e5, 500.0, False),
        (1e5, 0.0, False),
    ],
)
def test_an_inertia_is_measured_by_the_size_of_its_body(
    inertia: float, half: float, *, said: bool
) -> None:
    """Too large or too small as in other units; of a body without a size nothing is said."""
    sized = replace(SOUND, shapes=(Box((2.0 * half,) * 3),))
    made = changed(sized, DOOR, motion=replace(DYNAMIC, mass=1.0, inertia_diagonal=(inertia,) * 3))
    assert ("inertia-size" in {one.code for one in check(made)}) is said


@pytest.mark.parametrize(("place", "said"), [(0.64, False), (0.66, True), (-0.66, True)])
@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_a_part_reaches_out_by_a_quarter_of_its_body(
    place: float, said: bool, scale: float
) -> None:
    """Measured along the axes of the body, however it stands, and as large as it is."""
    world = product(AWAY, compose(scale=(scale, scale, scale)))
    found = check(knobbed(changed(SOUND, DOOR, world=world), place))
    assert [one.where for one in found if one.code == BARE] == ["Knob"] * said


@pytest.mark.parametrize(
    "change",
    [
        {"collider": Collider(0)},
        {"trigger": Trigger(shape=0)},
        {"motion": DYNAMIC},
        {"parent": WALL},
        {"parent": None},
        {"bounds": None},
    ],
)
def test_what_is_solid_or_no_part_of_a_moving_body_is_not_bare(change: dict[str, Any]) -> None:
    """Nor is a part of a body without a collider of known size, or whose inertia is entered."""
    mechanism = knobbed(SOUND, 4.0)
    assert BARE in codes(check(mechanism))
    assert BARE not in codes(check(knobbed(SOUND, 4.0, **change)))
    weighed = replace(DYNAMIC, inertia_diagonal=(1.0, 1.0, 1.0))
    for door in ({"collider": None}, {"motion": weighed}):
        assert BARE not in codes(check(changed(mechanism, DOOR, **door)))
    meshes = replace(mechanism, shapes=(Convex(0),), meshes=("Hull",))
    assert BARE not in codes(check(meshes))


def test_all_colliders_of_a_body_count() -> None:
    """A knob beside another part that is solid; the same farther out."""
    hull = Node("Hull", DOOR, compose((2.0, 0.0, 0.0)), collider=Collider(0))
    wide = Bounds((-0.1, -0.9, -0.9), (0.1, 0.9, 0.9))
    for place, said in ((2.4, False), (0.7, False), (3.4, True)):
        found = check(knobbed(added(SOUND, hull), place, bounds=wide))
        assert (BARE in codes(found)) is said


@pytest.mark.parametrize(("side", "said"), [(0.2, True), (0.05, False)])
def test_a_string_that_is_drawn_on_a_ball_is_meant_so(side: float, said: bool) -> None:
    """A metre long it weighs little, also where it is tipped on its body; a beam does not."""
    string = Bounds((-0.5, -side, -side), (0.5, side, side))
    place = product(shift(0, 0.6), turn(2, 0.7))
    assert (BARE in codes(check(knobbed(SOUND, 0.0, bounds=string, world=place)))) is said


PLANK, LID_SHEET, LARGE = (3.0, 0.1, 0.3), (0.3, 0.001, 0.3), (0.4, 0.4, 0.3)


@pytest.mark.parametrize(
    ("solid", "x", "y", "size", "said"),
    [
        (PLANK, 1.3, 0.25, LARGE, True),
        (PLANK, 0.0, -0.25, LARGE, True),
        (PLANK, 1.3, 0.04, LARGE, False),
        (PLANK, 0.0, 0.1, (0.2, 0.1, 0.2), False),
        (PLANK, 0.0, 0.0, (3.2, 0.3, 0.6), False),
        (LID_SHEET, 0.0, 0.025, (0.045, 0.045, 0.045), False),
    ],
)
@pytest.mark.parametrize("world", [AWAY, IDENTITY])
def test_a_large_part_beside_the_colliders_is_bare(
    solid: Vector3, x: float, y: float, size: Vector3, said: bool, world: Matrix
) -> None:
    """As a weight on a plank, though it reaches out by little; handles and looks are meant so."""
    high = times(size, 0.5)
    body = changed(replace(SOUND, shapes=(Box(solid),)), DOOR, world=world)
    place = product(world, compose((x, y, 0.0)))
    part = knobbed(body, 0.0, bounds=Bounds(times(size, -0.5), high), world=place)
    assert (BARE in codes(check(part))) is said


def test_what_touches_another_body_or_is_solid_itself_is_meant_to_stay() -> None:
    """A jamb beside its door, and a wall that is no body."""
    made, code = asset(0.0), "part-of-no-body"
    handle = len(made.nodes) - 1
    assert code in codes(check(made))
    post = Node("Post", motion=made.nodes[WALL].motion, collider=Collider(shape=0))
    assert code not in codes(check(added(made, post)))
    for part in ({"collider": Collider(shape=0)}, {"trigger": Trigger(shape=0)}):
        assert code not in codes(check(changed(made, handle, **part)))
    assert code not in codes(check(changed(made, handle, parent=None)))
    assert code in codes(check(changed(changed(made, handle, parent=None), DOOR, parent=None)))
    post = replace(post, parent=4, world=shift(1, 5.0))
    assert code not in codes(check(added(asset(5.0), post)))


@pytest.mark.parametrize("body", [DOOR, WALL])
@pytest.mark.parametrize("trigger", [None, Trigger(0)])
@pytest.mark.parametrize("bounds", [None, Bounds((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))])
def test_bodies_without_collider_are_told(
    body: int, trigger: Trigger | None, bounds: Bounds | None
) -> None:
    """Whatever moves; of what stands that which is seen and is no trigger."""
    mechanism = changed(SOUND, body, collider=None, trigger=trigger, bounds=bounds)
    is_told = body == DOOR or (trigger is None and bounds is not None)
    assert ("body-without-collider" in codes(check(mechanism))) is is_told
