# SPDX-License-Identifier: GPL-3.0-or-later
"""What Godot makes of a joint, as it was measured."""

from __future__ import annotations

from dataclasses import replace
from math import cos, inf, pi, sin
from typing import Any

import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose
from omi_physics_joint.model.godot.layout import GodotJoint, godot_joint
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.settings.spans import spans_of
from omi_physics_joint.model.shape import Box, Convex
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import BLENDER_AXES, GLTF_AXES, check
from tests.model.building import (
    ANCHOR,
    DOOR,
    DYNAMIC,
    JOINT,
    STATIC,
    WALL,
    added,
    changed,
    codes,
    pair,
    product,
    shift,
    turn,
)
from tests.model.validate.reader_cases import links

LINEAR, ANGULAR = Freedom
OMI_GODOT = frozenset((Reader.GODOT_OMI,))
BAR = Box((1.0, 0.1, 0.2))
MOTOR = Drive(ANGULAR, DriveMode.FORCE, 2, velocity_target=1.0, damping=1.0)


def softened(settings: JointSettings, **numbers: Any) -> JointSettings:
    """Return settings whose limits give way, as those of the official examples do."""
    numbers = numbers or {"stiffness": 0.5, "damping": 1.0}
    return replace(settings, limits=tuple(replace(x, **numbers) for x in settings.limits))


UNEVEN = replace(hinge(2), limits=(hinge(2).limits[0], Limit((), (0,), 0.0, 0.0, 9.0)))


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        (pin(), GodotJoint.PIN),
        (weld(), GodotJoint.GENERIC),
        (hinge(0), GodotJoint.SLIDER),
        (hinge(1), GodotJoint.GENERIC),
        (hinge(2), GodotJoint.HINGE),
        (hinge(2, -1.0, 1.0), GodotJoint.HINGE),
        (slider(0, -1.0, 1.0), GodotJoint.SLIDER),
        (slider(0), GodotJoint.SLIDER),
        (slider(1, -1.0, 1.0), GodotJoint.GENERIC),
        (slider(2, -1.0, 1.0), GodotJoint.GENERIC),
        (softened(slider(0, -1.0, 1.0)), GodotJoint.SLIDER),
        (replace(hinge(2), drives=(MOTOR,)), GodotJoint.HINGE),
        (replace(pin(), drives=(MOTOR,)), GodotJoint.GENERIC),
        (replace(hinge(2), drives=(replace(MOTOR, type=LINEAR),)), GodotJoint.GENERIC),
        (replace(slider(0), drives=(MOTOR,)), GodotJoint.GENERIC),
        (UNEVEN, GodotJoint.GENERIC),
        (JointSettings(), GodotJoint.GENERIC),
    ],
)
def test_godot_makes_the_node_that_was_measured(settings: JointSettings, kind: GodotJoint) -> None:
    """Pins, hinges about Z and sliders along X get nodes of their own, all else the generic one."""
    assert godot_joint(settings, spans_of(settings.limits)) is kind


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        (hinge(2, low=-1.0), {"godot-one-bound"}),
        (hinge(1, low=-1.0), set()),
        (hinge(2, -pi, 1.0), set()),
        (slider(0, high=1.0), {"godot-one-bound"}),
        (slider(2, high=1.0), set()),
        (hinge(0, -1.0, 1.0), {"godot-turn-about-x"}),
        (softened(hinge(0, -1.0, 1.0)), {"godot-turn-about-x"}),
        (replace(hinge(0), drives=(replace(MOTOR, axis=0),)), set()),
        (replace(hinge(2), drives=(MOTOR,)), set()),
        (replace(hinge(2), drives=(replace(MOTOR, velocity_target=None),)), {"godot-hinge-drive"}),
        (replace(hinge(1), drives=(replace(MOTOR, velocity_target=None),)), set()),
    ],
)
def test_warnings_are_those_of_the_measurements(settings: JointSettings, found: set[str]) -> None:
    """A joint that Godot with Jolt locks or loses is warned of; its working neighbour is not."""
    noted = codes(check(pair(settings), readers=OMI_GODOT))
    assert noted & {"godot-one-bound", "godot-turn-about-x", "godot-hinge-drive"} == found


@pytest.mark.parametrize(
    ("settings", "explodes"),
    [
        (pin(), True),
        (softened(pin()), False),
        (softened(pin(), stiffness=0.3), False),
        (hinge(2), False),
        (hinge(2, -1.0, 1.0), True),
        (softened(hinge(2, -1.0, 1.0), damping=1.0), False),
        (hinge(1, -1.0, 1.0), False),
        (slider(0, -1.0, 1.0), True),
        (slider(1, -1.0, 1.0), False),
        (slider(1), False),
        (weld(), False),
    ],
)
def test_hard_limits_are_noted_where_they_explode(settings: JointSettings, explodes: bool) -> None:
    """The older engine fails on bare pins, limited hinges about Z and sliders along X."""
    assert ("godot-hard-limits" in codes(check(pair(settings), readers=OMI_GODOT))) is explodes


@pytest.mark.parametrize(
    ("settings", "flies"),
    [
        (slider(0), True),
        (slider(2), True),
        (slider(0, -1.0, 1.0), False),
        (replace(slider(0), drives=(replace(MOTOR, type=LINEAR, axis=0),)), False),
        (pin(), False),
        (hinge(2, -1.0, 1.0), False),
    ],
)
def test_our_own_add_on_is_unstable_where_it_was_measured(
    settings: JointSettings, flies: bool
) -> None:
    """In Godot Physics a free slider flies off; pins and what is bounded hold."""
    assert ("godot-hard-limits" in codes(check(pair(settings)))) is flies


def test_blender_is_told_of_its_own_axis() -> None:
    """The advice to turn a hinge names glTF's Z as Y to who works in Blender."""
    plain, blender = (
        next(
            issue
            for issue in check(pair(hinge(0)), axis_names=names, readers=OMI_GODOT)
            if issue.code == "godot-turn-about-x"
        )
        for names in (GLTF_AXES, BLENDER_AXES)
    )
    assert "about Z" in plain.fix
    assert "about Y" in blender.fix


@pytest.mark.parametrize(
    ("settings", "lopsided"),
    [
        (hinge(2, -1.0, 1.0), False),
        (hinge(1, 0.0, 1.0), True),
        (slider(0, 0.0, 1.0), False),
        (replace(hinge(2), drives=(MOTOR,)), True),
        (replace(slider(1), drives=(replace(MOTOR, type=LINEAR, axis=1),)), False),
        (replace(pin(), drives=(replace(MOTOR, velocity_target=0.0),)), False),
    ],
)
def test_only_lopsided_angles_turn_the_other_way(settings: JointSettings, lopsided: bool) -> None:
    """Godot reverses angles, which shows only where the two directions differ."""
    assert ("godot-angular-sign" in codes(check(pair(settings), readers=OMI_GODOT))) is lopsided


def test_a_body_behind_two_hinges_tumbles_unless_they_are_parallel() -> None:
    """A wall, a cross, a bar: with hinges at right angles it needs gyroscopic forces."""
    for across, said in ((turn(0, 0.5 * pi), True), (turn(2, 0.5 * pi), False)):
        nodes = [
            Node("Wall", motion=STATIC),
            Node("Cross", None, shift(0, 0.1), DYNAMIC, Collider(1)),
            Node("Bar", None, shift(0, 0.5), DYNAMIC, Collider(0)),
        ]
        for i, world in enumerate((IDENTITY, product(shift(0, 0.2), across)), start=1):
            nodes.append(Node(f"J{i}", i, world, joint=JointNode(0, len(nodes) + 1)))
            nodes.append(Node(f"E{i}", i - 1, world))
        shapes = (Box((0.5, 0.1, 0.2)), Box((0.1, 0.1, 0.1)))
        found = codes(check(Mechanism(tuple(nodes), (hinge(2),), shapes)))
        assert ("godot-tumbling" in found) == said


def test_a_body_on_a_hinge_of_what_turns_tumbles_unless_both_turn_alike() -> None:
    """The axis of the hinge goes round with a kinematic body."""
    held = replace(pair(hinge(2)), shapes=(BAR,))
    for spin, said in (((1.0, 0.0, 0.0), True), ((0.0, 0.0, 1.0), False)):
        turning = Motion(MotionType.KINEMATIC, angular_velocity=spin)
        found = codes(check(changed(held, WALL, motion=turning)))
        assert ("godot-tumbling" in found) == said


def test_links_that_fold_meet_if_they_turn_far_enough() -> None:
    """The two outer ones of three, where the hinges let them by more than a right angle."""
    for bound, said in ((inf, True), (2.0, True), (1.5, False)):
        assert ("godot-contacts" in codes(check(links(1.9, bound)))) == said


def test_a_speed_without_a_spring_is_a_motor() -> None:
    """Godot drops nothing where a target position has no stiffness."""
    still = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, position_target=0.3, velocity_target=1.0)
    for stiffness, said in ((9.0, True), (0.0, False)):
        drive = replace(still, stiffness=stiffness, damping=1.0)
        found = codes(check(pair(replace(hinge(2), drives=(drive,)))))
        assert ("godot-position-and-velocity" in found) == said


def test_two_bodies_that_only_hold_each_other_tumble() -> None:
    """A hinge keeps a body from tumbling where it leads to what physics does not move."""
    spinning = Motion(MotionType.DYNAMIC, angular_velocity=(1.0, 0.0, 0.0))
    held = changed(replace(pair(hinge(2)), shapes=(BAR,)), DOOR, motion=spinning)
    loose = changed(held, WALL, motion=DYNAMIC)
    for mechanism, said in ((held, False), (loose, True)):
        found = codes(check(changed(mechanism, DOOR, motion=spinning), target=Target.GODOT))
        assert ("godot-tumbling" in found) is said


@pytest.mark.parametrize(
    ("place", "motion", "said"),
    [
        (compose((0.5, 0.0, 0.0)), DYNAMIC, False),
        (compose((0.0, -0.5, 0.0)), DYNAMIC, False),
        (compose((0.5, 0.0, 0.3)), DYNAMIC, True),
        (compose((0.5, 0.0, 0.3)), replace(DYNAMIC, gravity_factor=0.0), False),
        (compose((0.5, 0.0, 0.3)), replace(DYNAMIC, inertia_diagonal=(0.1, 0.1, 0.1)), False),
        (compose((0.5, 0.0, 0.0)), replace(DYNAMIC, linear_velocity=(0.0, 0.0, 1.0)), True),
        (compose((0.5, 0.0, 0.0)), replace(DYNAMIC, center_of_mass=(0.0, 0.0, 0.2)), True),
    ],
)
def test_a_body_on_a_pin_tumbles_where_it_swings_aside(
    place: Matrix, motion: Motion, said: bool
) -> None:
    """Measured: a bar that swings about one of its own axes is right, others are far off."""
    hung = replace(pair(pin(), IDENTITY), shapes=(BAR,))
    hung = changed(hung, DOOR, world=place, motion=motion, collider=Collider(0))
    assert ("godot-tumbling" in codes(check(hung, target=Target.GODOT))) is said
    falling = changed(hung, WALL, motion=DYNAMIC, collider=Collider(0))
    is_pulled = motion.linear_velocity != (0.0, 0.0, 0.0) or motion.gravity_factor != 1.0
    assert ("godot-tumbling" in codes(check(falling, target=Target.GODOT))) is is_pulled


LEVEL_BAR = replace(pair(hinge(2, -0.6, 0.6), IDENTITY), shapes=(BAR,))
"""Falls from level onto its stop."""
CREEPING = replace(DYNAMIC, gravity_factor=0.0)
"""Nothing pulls it back."""


@pytest.mark.parametrize(
    ("bound", "place", "motion", "said"),
    [
        (0.6, (0.5, 0.0, 0.0), DYNAMIC, False),
        (2.8, (0.5, 0.0, 0.0), DYNAMIC, True),
        (0.6, (3.0, 0.0, 0.0), DYNAMIC, True),
        (0.6, (0.0, -3.0, 0.0), DYNAMIC, False),
        (0.6, (0.0, -3.0, 0.0), replace(DYNAMIC, linear_velocity=(6.0, 0.0, 0.0)), True),
        (0.6, (3.0, 0.0, 0.0), replace(DYNAMIC, gravity_factor=0.0), False),
        (0.0, (3.0, 0.0, 0.0), DYNAMIC, False),
        (0.6, (3.0, 0.0, 0.0), replace(CREEPING, linear_velocity=(0.0, 9e-3, 0.0)), True),
        (0.6, (3.0, 0.0, 0.0), replace(CREEPING, linear_velocity=(0.0, 9e-4, 0.0)), False),
    ],
    ids=[
        *("falls", "swings round", "long arm", "hangs", "pushed", "weightless", "on its stop"),
        *("creeps back by 5 mm in 2 s", "creeps back by less"),
    ],
)
def test_stops_are_said_where_what_comes_back_is_noticed(
    bound: float, place: tuple[float, float, float], motion: Motion, said: bool
) -> None:
    """Measured: a bar at its end comes to rest at once, one on a long arm leaves its stop again."""
    settings = hinge(2, -0.9, bound)
    fallen = replace(LEVEL_BAR, settings=(settings,))
    fallen = changed(fallen, DOOR, world=compose(place), motion=motion, collider=Collider(0))
    assert ("godot-stops" in codes(check(fallen))) is said
    fallen = changed(changed(fallen, JOINT, parent=WALL), ANCHOR, parent=DOOR)
    other = replace(fallen, settings=(hinge(2, -bound, 0.9),))
    assert ("godot-stops" in codes(check(other))) is said


@pytest.mark.parametrize(("aside", "said"), [(0.0, False), (3.0, True)])
def test_a_slider_comes_back_whose_mass_is_beside_its_line(aside: float, said: bool) -> None:
    """Its stop takes hold beside the mass, which turns against what else holds it."""
    upright = compose(rotation=(0.0, 0.0, sin(pi / 4.0), cos(pi / 4.0)))
    falls = replace(pair(slider(0, -1.0, 1.0), upright), shapes=(BAR,))
    falls = changed(falls, DOOR, world=compose((aside, 0.0, 0.0)), collider=Collider(0))
    assert ("godot-stops" in codes(check(falls))) is said


def test_stops_of_what_nobody_can_foresee_are_said() -> None:
    """Of two bodies in a row, of what a drive leads, and of several ways."""
    led = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, velocity_target=1.0, damping=1e6)
    for settings in (
        replace(hinge(2, -0.6, 0.6), drives=(led,)),
        JointSettings("Two", (pin().limits[0], Limit((), (1, 2), -0.6, 0.6))),
    ):
        assert "godot-stops" in codes(check(replace(LEVEL_BAR, settings=(settings,))))
    moving = changed(LEVEL_BAR, WALL, motion=DYNAMIC)
    assert "godot-stops" in codes(check(moving))


def test_a_mesh_that_nobody_has_measured_may_tumble() -> None:
    """On a pin it is said of a hull of unknown inertia, unless the body says an even one."""
    hull = replace(pair(pin(), IDENTITY), shapes=(Convex(0),), meshes=("Mesh",))
    for inertia, said in ((0.0, True), (1.0, False)):
        even = replace(DYNAMIC, inertia_diagonal=(inertia,) * 3)
        assert ("godot-tumbling" in codes(check(changed(hull, DOOR, motion=even)))) is said


@pytest.mark.parametrize(
    ("place", "said"), [((1.0, -0.5, 0.0), False), ((1.0, -0.5, 0.3), True)], ids=["along", "aside"]
)
def test_a_body_on_a_pin_on_what_moves_tumbles_beside_its_arm(
    place: tuple[float, float, float], said: bool
) -> None:
    """What holds it gives way, so gravity alone does not say which way it is pulled."""
    sliding = replace(pair(slider(0), IDENTITY), shapes=(BAR,))
    hung = added(
        changed(sliding, DOOR, collider=Collider(0)),
        Node("Link", None, compose(place), motion=DYNAMIC, collider=Collider(1)),
        Node("Pin", 4, compose((1.0, 0.0, 0.0)), joint=JointNode(1, 6)),
        Node("Pivot", DOOR, compose((1.0, 0.0, 0.0))),
    )
    hung = replace(
        hung, settings=(*hung.settings, pin()), shapes=(*hung.shapes, Box((0.1, 1.0, 0.2)))
    )
    assert ("godot-tumbling" in codes(check(hung, target=Target.GODOT))) is said


@pytest.mark.parametrize(("bound", "said"), [(inf, True), (pi, False)])
def test_what_slides_and_turns_without_an_end_comes_loose(bound: float, said: bool) -> None:
    """Measured: 25 degrees off after a second on a tilted axis; a plain hinge holds."""
    settings = JointSettings("Cylindrical", (Limit((0, 1), (0, 1), 0.0, 0.0),))
    if bound != inf:
        bounded = Limit((), (2,), -bound, bound)
        settings = replace(settings, limits=(*settings.limits, bounded))
    found = codes(check(pair(settings), target=Target.GODOT))
    assert ("godot-full-turn" in found) is said
    assert "godot-full-turn" not in codes(check(pair(hinge(2)), target=Target.GODOT))


def test_a_cone_is_a_limit_to_physx() -> None:
    """What strikes it comes back a little, as at other limits."""
    cone = Limit((), (0, 1), max=0.5, together=True)
    for limits, said in ((cone,), True), ((), False):
        held = pair(replace(pin(), limits=(*pin().limits, *limits)))
        found = codes(check(held, readers=frozenset((Reader.PHYSX,))))
        assert ("physx-stops" in found) is said


@pytest.mark.parametrize(
    "other",
    [{}, {"stiffness": 8.0}, {"damping": 2.0}, {"stiffness": inf, "damping": 0.0}],
    ids=str,
)
def test_newton_has_one_softness_for_all_bounds(other: dict[str, float]) -> None:
    """Each number of it counts: two bounds that differ in one alone are not alike."""
    soft = Limit((), (0,), -0.5, 0.5, stiffness=9.0, damping=1.0)
    limits = (pin().limits[0], soft, replace(soft, angular_axes=(1,), **other))
    found = check(pair(JointSettings("Settings", limits)), readers={Reader.NEWTON})
    assert ("newton-stops" in {one.code for one in found}) is bool(other)
