# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of readers: Check speaks of those that are meant, and says what stands there."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import pytest

from omi_physics_joint.model.body import Collider
from omi_physics_joint.model.geometry.transform import minus, plus, translation_of
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointNode
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.readers import (
    DIFFERENCES,
    OF_STAGES,
    PROFILES,
    STEPPED,
    Reader,
    codes_for,
    target_for,
)
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.shape import Box
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import SEVERITIES, check
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
    pair,
)
from tests.model.validate.cases import MOTOR, driven
from tests.model.validate.test_rules import CASES


def said_to(mechanism: Mechanism, reader: Reader) -> set[str]:
    """Return what Check says where a scene is meant for one reader."""
    return codes(check(mechanism, readers=frozenset((reader,))))


ABOUT = {
    "godot-": {Reader.GODOT, Reader.GODOT_OMI, Reader.GODOT_PLAIN},
    "babylon-": {Reader.BABYLON},
    "unity-": {Reader.UNITY},
    "viewers-": {Reader.VIEWERS},
    "newton-": {Reader.NEWTON},
    "physx-": {Reader.PHYSX},
}


@pytest.mark.long
@pytest.mark.parametrize("reader", Reader)
def test_check_speaks_only_of_whom_a_scene_is_for(reader: Reader) -> None:
    """Of a reader that is not meant nothing is said, of one that is meant only what its row has."""
    row = codes_for(reader, Target.SPECIFIED)
    assert all(code in SEVERITIES for code in row)
    for bad, _ in CASES.values():
        said = said_to(bad, reader)
        for start, readers in ABOUT.items():
            assert reader in readers or not [code for code in said if code.startswith(start)]
        assert {code for code in said if code in DIFFERENCES} <= row


def twice(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism with the same nodes again, of the same settings and shapes."""
    count = len(mechanism.nodes)
    again = []
    for node in mechanism.nodes:
        joint = node.joint and replace(node.joint, connected_node=node.joint.connected_node + count)
        parent = None if node.parent is None else node.parent + count
        again.append(replace(node, name=f"{node.name} again", parent=parent, joint=joint))
    return replace(mechanism, nodes=(*mechanism.nodes, *again))


@pytest.mark.parametrize("code", sorted(STEPPED))
def test_what_trying_refutes_of_one_is_still_said_of_the_other(code: str) -> None:
    """Of two that are alike, settings and all; of both it is said no more."""
    bad = CASES[code][0]
    both, count = twice(bad), len(bad.nodes)
    for reader in (one for one in Reader if code in codes_for(one, Target.SPECIFIED)):
        for right in (range(0), range(count), range(count, 2 * count), range(2 * count)):
            found = check(both, readers=frozenset((reader,)), right=frozenset(right))
            named = {one.node for one in found if one.code == code}
            assert bool(named) is (len(right) < 2 * count), (reader, right)
            assert named.isdisjoint(right), (reader, right)


@pytest.mark.parametrize("code", sorted(STEPPED))
def test_what_trying_refutes_of_one_is_said_of_no_joint_with_other_settings(code: str) -> None:
    """Where one stands between two that are alike, the first of which moves right."""
    bad = CASES[code][0]
    count, other = len(bad.nodes), len(bad.settings)
    four = twice(twice(bad))
    nodes = [
        replace(node, joint=replace(node.joint, settings=other))
        if node.joint is not None and count <= index < 2 * count
        else node
        for index, node in enumerate(four.nodes)
    ]
    between = replace(four, nodes=(*nodes,), settings=(*four.settings, weld()))
    found = check(between, readers=frozenset(Reader), right=frozenset(range(count)))
    named = {one.node for one in found if one.code == code and one.node is not None}
    assert named.isdisjoint(index for index, node in enumerate(nodes) if is_of(node, other))


def is_of(node: Node, settings: int) -> bool:
    """Return whether a node is a joint with some settings."""
    return node.joint is not None and node.joint.settings == settings


def test_our_own_add_on_needs_no_file_for_godot() -> None:
    """A door that opens one way is turned right by our add-on, and by omi-godot is not."""
    door = pair(hinge(2, 0.0, 1.5))
    said = {one: codes(check(door, readers=frozenset((one,)))) for one in Reader}
    assert "godot-angular-sign" in said[Reader.GODOT_OMI]
    assert not [
        one for one in Reader if one is not Reader.GODOT_OMI if "godot-angular-sign" in said[one]
    ]
    assert "Written for" not in " ".join(issue.fix for issue in check(door))


def test_godot_without_an_add_on_is_told_once() -> None:
    """Of Godot by itself one thing is said, in one sentence, with the cure."""
    door = pair(hinge(2, 0.0, 1.5))
    (only,) = check(door, readers=frozenset((Reader.GODOT_PLAIN,)))
    assert only.code == "godot-no-joints"
    assert "reads no joints" in only.message
    assert "add-on" in only.fix


@pytest.mark.long
def test_several_readers_are_spoken_of_at_once() -> None:
    """What is said of two readers is what is said of each."""
    for bad, _ in CASES.values():
        both = codes(check(bad, readers=frozenset((Reader.BABYLON, Reader.UNITY))))
        each = (
            codes(check(bad, readers=frozenset((one,)))) for one in (Reader.BABYLON, Reader.UNITY)
        )
        assert both == set().union(*each)


def test_a_file_is_for_those_who_can_read_it() -> None:
    """Whoever is misled by a file for Godot, or cannot read its extensions, is named."""
    door = pair(hinge(2))

    def said(reader: Reader, target: Target, spoken: str) -> set[str]:
        found = check(
            door, target=target, readers=frozenset((reader,)), spoken=frozenset((spoken,))
        )
        return codes(found) & {"reader-misled", "reader-deaf"}

    for reader in Reader:
        for target in Target:
            for spoken in ("omi", "khr"):
                profile = PROFILES[reader]
                reads_gltf = reader not in OF_STAGES
                misled = reads_gltf and target not in profile.targets
                deaf = reads_gltf and spoken not in profile.dialects and not misled
                if target is Target.GODOT and spoken == "khr":
                    continue  # no such file is written
                expected = {"reader-misled"} if misled else {"reader-deaf"} if deaf else set()
                assert said(reader, target, spoken) == expected


@pytest.mark.parametrize(
    ("readers", "target"),
    [
        ({Reader.GODOT_OMI}, Target.GODOT),
        ({Reader.GODOT_OMI, Reader.BABYLON}, Target.SPECIFIED),
        ({Reader.GODOT_OMI, Reader.NEWTON}, Target.GODOT),
        ({Reader.NEWTON, Reader.PHYSX}, Target.SPECIFIED),
        ({Reader.GODOT, Reader.GODOT_OMI}, Target.SPECIFIED),
        ({Reader.GODOT}, Target.SPECIFIED),
        (set(), Target.SPECIFIED),
        (set(Reader), Target.SPECIFIED),
    ],
)
def test_a_file_is_spelled_for_what_all_its_readers_want(
    readers: set[Reader], target: Target
) -> None:
    """Only where omi-godot reads it and nobody else a file is spelled as Godot counts."""
    assert target_for(readers) is target


def test_a_keyed_motor_that_is_weak_at_rest_is_judged() -> None:
    """A motor whose keyed damping begins at nothing has no load that it falls behind."""
    keyed = Drive(
        Freedom.ANGULAR,
        DriveMode.FORCE,
        2,
        velocity_target=1.0,
        keys=(Keys("damping", (0.0, 1.0), (0.0, 5.0)),),
    )
    weak = pair(replace(hinge(2), drives=(keyed,)))
    assert "godot-motor-damping" not in codes(check(weak))


@pytest.mark.parametrize(
    ("axis", "damping", "most", "is_late"),
    [(1, 500.0, inf, False), (2, 500.0, inf, True), (1, 100.0, inf, True), (1, 100.0, 5.0, False)],
)
def test_a_motor_is_late_by_its_weight_and_by_what_it_lacks_at_its_most(
    axis: int, damping: float, most: float, is_late: bool
) -> None:
    """An upright axis bears no weight, and by its largest force it runs up in Godot as here."""
    made = driven(hinge(axis), axis=axis, velocity_target=0.5, damping=damping, max_force=most)
    assert ("godot-motor-damping" in codes(check(made))) is is_late
    swinging = changed(made, WALL, motion=DYNAMIC)
    assert "godot-motor-damping" in codes(check(swinging))


@pytest.mark.parametrize("axis", AXES)
def test_a_wheel_is_no_load_wherever_on_its_axis_its_joint_is(axis: int) -> None:
    """What is balanced bears down on no motor; a lever that is long across the axis does."""
    made = driven(hinge(axis), axis=axis, velocity_target=0.5, damping=500.0)
    place, body = (translation_of(made.nodes[node].world) for node in (JOINT, DOOR))
    for along in range(3):
        off = tuple(2.0 * (at == along) for at in range(3))
        centre = plus(minus(place, body), off)
        wheel = changed(made, DOOR, motion=replace(DYNAMIC, center_of_mass=centre))
        late = axis not in (along, 1)  # about what is upright nothing has a weight
        assert ("godot-motor-damping" in codes(check(wheel))) is late


@pytest.mark.parametrize("speed", [0.5, -0.5, 10.0, -10.0])
@pytest.mark.parametrize("axis", AXES)
def test_a_slide_is_late_by_its_weight_however_fast_it_is(axis: int, speed: float) -> None:
    """What turns bears its weight the other way half a turn later; a lift bears it all the way."""
    damping = 25.0 * 9.81 * DYNAMIC.mass
    most = 0.06 * abs(speed) * damping  # nothing to speak of is lacking of the speed itself
    numbers = {"velocity_target": speed, "damping": damping, "max_force": most}
    found = codes(check(driven(slider(axis), Freedom.LINEAR, axis, **numbers)))
    assert ("godot-motor-damping" in found) is (axis == 1)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("mode", DriveMode)
def test_what_turns_too_fast_is_told_of_whichever_way(
    axis: int, mode: DriveMode, sign: float
) -> None:
    """Jolt lets nothing turn faster than 47.1 rad/s, and slides as fast as they like."""
    for speed, is_fast in ((47.0, False), (47.2, True)):
        numbers = {"velocity_target": sign * speed, "damping": 1.0, "mode": mode}
        assert ("godot-fast" in codes(check(driven(hinge(axis), axis=axis, **numbers)))) is is_fast
        slides = driven(slider(axis), Freedom.LINEAR, axis, **numbers)
        assert "godot-fast" not in codes(check(slides))


@pytest.mark.parametrize(("most", "is_late"), [(10.0, False), (15.0, True)])
def test_a_motor_that_keeps_its_speed_is_not_late(most: float, *, is_late: bool) -> None:
    """At its largest force it lacks 4 % of its speed at most, or 6 %."""
    made = driven(hinge(2), velocity_target=0.5, damping=500.0, max_force=most)
    swinging = changed(made, WALL, motion=DYNAMIC)
    assert ("godot-motor-damping" in codes(check(swinging))) is is_late


@pytest.mark.parametrize(
    ("axis", "target", "change", "is_said"),
    [
        (1, 0.0, {}, False),
        (1, 0.5, {}, True),
        (2, 0.0, {}, True),
        (1, 0.0, {"linear_velocity": (0.0, 0.0, 1.0)}, True),
    ],
)
def test_a_servo_that_never_does_its_most_is_no_other_in_godot(
    axis: int, target: float, change: dict[str, Any], is_said: bool
) -> None:
    """At its place, with a known load: not far off, moving, under a weight, or among others."""
    made = driven(hinge(axis), axis=axis, position_target=target, stiffness=100.0, max_force=20.0)
    made = changed(made, DOOR, motion=replace(DYNAMIC, **change))
    assert ("godot-spring-force" in codes(check(made))) is is_said
    other = Node("Again", DOOR, UPRIGHT, joint=JointNode(0, ANCHOR))
    assert "godot-spring-force" in codes(check(added(made, other)))


@pytest.mark.parametrize(("count", "more"), [(3, ""), (4, "3 more"), (30, "at least 97 more")])
def test_bodies_in_a_heap_are_not_counted_for_ever(count: int, more: str) -> None:
    """Three pairs that overlap are named, the others counted up to a hundred."""
    heap = [Node(f"Box {i}", motion=DYNAMIC, collider=Collider(0)) for i in range(count)]
    found = check(Mechanism(tuple(heap), shapes=(Box(),)))
    (issue,) = (one for one in found if one.code == "godot-overlap")
    assert more in issue.message
    assert issue.message.count("'Box") == 6


@pytest.mark.parametrize("scenes", [(0, 0), (0, 1), (5, 2)])
def test_bodies_of_several_scenes_do_not_overlap(scenes: tuple[int, int]) -> None:
    """A copy of a scene has all bodies where they were, and none of them meets its copy."""
    both = [Node("Box", motion=DYNAMIC, collider=Collider(0), scene=scene) for scene in scenes]
    found = check(Mechanism(tuple(both), shapes=(Box(),)))
    assert ("godot-overlap" in codes(found)) is (scenes == (0, 0))


@pytest.mark.parametrize(("count", "shared"), [(1, True), (4, True), (6, True), (4, False)])
def test_settings_of_several_joints_are_told_of_once(count: int, shared: bool) -> None:
    """The motors of four wheels are one warning, which names them; each its own where it is."""
    motor = replace(hinge(2), name="Wheel Motor", drives=driven(**MOTOR).settings[0].drives)
    made = pair(motor)
    wheels = [
        part
        for at in range(1, count)
        for part in (
            Node(f"Wheel {at}", motion=DYNAMIC),
            Node(
                f"Axle {at}",
                4 + 2 * (at - 1),
                UPRIGHT,
                joint=JointNode(0 if shared else at, ANCHOR),
            ),
        )
    ]
    made = replace(added(made, *wheels), settings=(motor,) * (1 if shared else count))
    found = [one for one in check(made) if one.code == "godot-motor-damping"]
    one = "The damped motor about Z falls behind its load; in Godot it keeps its speed"
    assert all(issue.message.startswith(one) for issue in found)
    ends = {
        4: "So it is with 'Joint', 'Axle 1', 'Axle 2' and 'Axle 3', which share these settings.",
        6: "So it is with 'Joint', 'Axle 1', 'Axle 2' and 3 others, which share these settings.",
    }
    if shared and count > 1:
        (issue,) = found
        assert (issue.where, issue.node) == ("Wheel Motor", JOINT)
        assert issue.message.endswith(f"largest force. {ends[count]}")
    else:
        names = ["Joint", *(f"Axle {at}" for at in range(1, count))]
        assert [issue.where for issue in found] == names


@pytest.mark.parametrize("forces", [(20.0,), (20.0, inf), (inf, 20.0), (inf, inf), (20.0, 30.0)])
def test_each_servo_with_a_largest_force_is_told_of_whatever_else_drives_the_joint(
    forces: tuple[float, ...],
) -> None:
    """Far off its place it may do its most; one without a largest force beside it never does."""
    drives = tuple(
        Drive(Freedom.ANGULAR, DriveMode.FORCE, axis, force, 0.5, None, 100.0)
        for axis, force in enumerate(forces)
    )
    found = check(pair(replace(pin(), drives=drives)))
    told = [one.code for one in found]
    assert told.count("godot-spring-force") == sum(force < inf for force in forces)
