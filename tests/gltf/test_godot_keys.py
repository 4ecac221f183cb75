# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated settings in files for Godot: their keys are spelled as the numbers that they change."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from omi_documents import document_of

from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.write import spell
from omi_physics_joint.model.body import Motion, MotionType
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose, multiply
from omi_physics_joint.model.godot.settings import spelled
from omi_physics_joint.model.godot.written import written
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.settings.keyed import around, mechanism_at, settings_at
from omi_physics_joint.model.target import Target
from tests.model.building import turn

TIMES = (0.0, 0.25, 0.5, 1.0, 2.0)
BOUNDS = (Keys("max", (0.0, 0.5, 1.0), (0.2, 0.9, 0.4)), Keys("min", (0.0, 1.0), (-0.6, -0.1)))
LEADS = (
    Keys("position_target", (0.0, 1.0), (-0.2, 0.5)),
    Keys("stiffness", (0.0, 1.0), (5.0, 9.0)),
)
SPEEDS = (Keys("velocity_target", (0.0, 1.0), (2.0, -1.0)),)
ASKEW = multiply(multiply(turn(0, 0.4), turn(1, 0.5)), turn(2, 0.7))


def locked(linear: set[int], angular: set[int], *limits: Limit) -> JointSettings:
    """Return settings with some axes locked, and further limits."""
    return JointSettings("Kept", (Limit(tuple(linear), tuple(angular), 0.0, 0.0), *limits))


def door(settings: JointSettings, connected: Matrix = IDENTITY, *, holder: int = 1) -> Mechanism:
    """Return two bodies and a joint that one of them holds."""
    nodes = (
        Node("Wall", motion=Motion(MotionType.STATIC)),
        Node("Leaf", None, compose((0.5, 0.0, 0.0)), motion=Motion(MotionType.DYNAMIC)),
        Node("Joint", holder, ASKEW, joint=JointNode(0, 3)),
        Node("Anchor", 1 - holder, multiply(ASKEW, connected)),
    )
    return Mechanism(nodes, (settings,))


def with_drive(
    settings: JointSettings, kind: Freedom, axis: int, keys: tuple[Keys, ...]
) -> JointSettings:
    """Return settings with a keyed drive."""
    targets = {keys[0].field: keys[0].values[0]}
    drive = Drive(kind, DriveMode.FORCE, axis, stiffness=5.0, damping=2.0, keys=keys, **targets)
    return replace(settings, drives=(drive,))


AXES = {0, 1, 2}
TURNING = {
    axis: locked(AXES, AXES - {axis}, Limit((), (axis,), -0.6, 0.2, keys=BOUNDS)) for axis in AXES
}
SLIDING = {
    axis: locked(AXES - {axis}, AXES, Limit((axis,), (), -0.6, 0.2, keys=BOUNDS)) for axis in AXES
}
OPEN = Limit((), (1,), 0.0, 0.0, keys=(Keys("max", (0.0, 1.0), (0.0, 0.8)),))
CASES = {
    **{f"bounds about {axis}": door(one) for axis, one in TURNING.items()},
    **{f"bounds along {axis}": door(one) for axis, one in SLIDING.items()},
    "bounds, held by the wall": door(TURNING[0], holder=0),
    "bounds, posed": door(TURNING[2], turn(2, 0.15)),
    "slide, posed": door(SLIDING[1], compose((0.0, 0.1, 0.0))),
    "two angles, exchanged": door(locked(AXES, {0}, Limit((), (1,), -0.6, 0.2, keys=BOUNDS))),
    "two angles, one closed at first": door(locked(AXES, {0}, OPEN, Limit((), (2,), -0.5, 0.7))),
    "spring": door(with_drive(locked(AXES, {0, 1}), Freedom.ANGULAR, 2, LEADS)),
    "spring, posed": door(
        with_drive(locked(AXES, {0, 1}), Freedom.ANGULAR, 2, LEADS), turn(2, 0.3)
    ),
    "motor": door(with_drive(locked(AXES, {1, 2}), Freedom.ANGULAR, 0, SPEEDS)),
    "winch": door(with_drive(locked({1, 2}, AXES), Freedom.LINEAR, 0, SPEEDS)),
}


def read_again(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism as it is read from a file for Godot."""
    document = document_of(written(mechanism), Target.GODOT)
    same = Numbering({index: index for index in range(len(mechanism.nodes))}, {})
    channels = spell(written(mechanism), same).channels
    return read(document, {one.pointer: replace(one.keys, field="") for one in channels}).mechanism


@pytest.mark.parametrize("name", [name for name in CASES if "two angles" not in name])
def test_keys_are_told_as_a_file_that_has_their_numbers(name: str) -> None:
    """At each moment a file for Godot says what it would with the settings of that moment."""
    mechanism = CASES[name]
    for time in TIMES:
        keyed = mechanism_at(written(mechanism), time)
        plain = written(mechanism_at(mechanism, time))
        ours, theirs = (next(one.joints())[2] for one in (keyed, plain))
        assert ours == theirs
        if not mechanism.settings[0].drives:
            assert canonical(keyed.settings[0]) == canonical(plain.settings[0]), time
        for one, other in zip(keyed.settings[0].drives, plain.settings[0].drives, strict=True):
            if one.position_target is not None:
                assert one.position_target == pytest.approx(other.position_target), time
            elif other.velocity_target is not None:
                assert one.velocity_target == pytest.approx(other.velocity_target), time


@pytest.mark.parametrize("name", CASES)
def test_a_file_for_godot_means_what_was_keyed(name: str) -> None:
    """Read back, joints do at each moment what they did, from the same side and the same zero."""
    before, after = CASES[name], read_again(CASES[name])
    assert after.settings[-1] != settings_at(after.settings[-1], 0.0)
    for time in TIMES:
        (_, _, joint), (_, _, other) = (next(one.joints()) for one in (before, after))
        ours = settings_at(before.settings_of(joint), time)
        theirs = settings_at(after.settings_of(other), time)
        assert _counted(theirs) == pytest.approx(_counted(ours, RESTS.get(name, 0.0))), time


RESTS = {"bounds, posed": 0.15, "slide, posed": 0.1, "spring, posed": 0.3}
"""Values at rest, from which files for Godot count."""


def _counted(settings: JointSettings, rest: float = 0.0) -> list[float]:
    """Return bounds and targets as they are counted from a rest pose."""
    limits = [one for one in settings.limits if one.min or one.max or len(one.angular_axes) == 1]
    found = [value - rest for one in limits for value in (one.min, one.max)]
    for drive in settings.drives:
        target, speed = drive.position_target or 0.0, drive.velocity_target or 0.0
        found += [
            target - rest if drive.position_target is not None else 0.0,
            speed,
            drive.stiffness,
        ]
    return found


def test_a_closed_bound_that_opens_is_an_axis_to_turn_about() -> None:
    """What is laid out follows from all moments, not from the first."""
    always = around(CASES["two angles, one closed at first"].settings[0])
    assert always.limits[1] == Limit((), (1,), 0.0, 0.8)
    ((_, _, joint),) = written(CASES["two angles, one closed at first"]).joints()
    assert joint.connected_node == 2  # the sides are exchanged, as for two angles


def test_what_has_keys_is_not_made_another_kind_of_drive_or_limit() -> None:
    """A motor that starts at rest stays a motor, a soft lock that opens a limit."""
    resting = with_drive(
        locked(AXES, {0, 1}), Freedom.ANGULAR, 2, (Keys("velocity_target", (0.0, 1.0), (0.0, 2.0)),)
    )
    assert spelled(resting).drives == resting.drives
    soft = Limit((), (2,), 0.0, 0.0, 50.0, 1.0, keys=(Keys("max", (0.0, 1.0), (0.0, 0.5)),))
    assert soft in spelled(locked(AXES, {0, 1}, soft)).limits
    two = locked(
        AXES, {0, 1}, Limit((), (2,), -1.0, 0.6), Limit((), (2,), -inf, 0.2, keys=BOUNDS[:1])
    )
    assert spelled(two).limits[-2:] == two.limits[-2:]
