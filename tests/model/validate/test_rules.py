# SPDX-License-Identifier: GPL-3.0-or-later
"""Every rule speaks up on what it is for, keeps quiet on its nearest sound neighbour."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import cos, sin
from typing import Any

import pytest
from hypothesis import given, settings

from omi_physics_joint.model.body import Collider, Trigger
from omi_physics_joint.model.geometry import extent
from omi_physics_joint.model.geometry.transform import compose, multiply
from omi_physics_joint.model.issue import Issue, Severity, has_errors
from omi_physics_joint.model.joint import JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.readers import PROFILES, Reader, codes_for
from omi_physics_joint.model.settings.coordinates import coordinates
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.settings.spans import spans_of
from omi_physics_joint.model.shape import Box, Sphere
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import BLENDER_AXES, SCENE, SEVERITIES, check
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
from tests.model.strategies import wild_mechanisms
from tests.model.validate.babylon_cases import BABYLON_CASES
from tests.model.validate.cases import CASES as OTHER_CASES
from tests.model.validate.cases import driven
from tests.model.validate.newton_cases import NEWTON_CASES
from tests.model.validate.physx_cases import PHYSX_CASES
from tests.model.validate.reader_cases import READER_CASES
from tests.model.validate.standing_cases import STANDING_CASES
from tests.model.validate.together_cases import TOGETHER_CASES

CASES = OTHER_CASES | STANDING_CASES | TOGETHER_CASES | BABYLON_CASES | NEWTON_CASES
CASES |= PHYSX_CASES | READER_CASES
AT_ODDS = {
    "reader-misled": (Reader.BABYLON, Target.GODOT, "omi"),
    "reader-deaf": (Reader.BABYLON, Target.SPECIFIED, "omi"),
}
"""Who reads what, where that alone is the finding."""


def judged(code: str, mechanism: Mechanism) -> list[tuple[Issue, ...]]:
    """Check a mechanism for each reader that a code is about, in each of its files."""
    if code in AT_ODDS:
        reader, target, spoken = AT_ODDS[code]
        kinds = {"target": target, "spoken": frozenset((spoken,))}
        return [check(mechanism, readers=frozenset((reader,)), **kinds)]
    readers = [one for one in Reader if any(code in codes_for(one, file) for file in Target)]
    if not readers:
        return [check(mechanism, readers=frozenset((Reader.SPEC,)))]
    return [
        check(mechanism, target=target, readers=frozenset((reader,)))
        for reader in readers
        for target in PROFILES[reader].targets
        if code in codes_for(reader, target)
    ]


def test_joints_are_twice_by_what_their_settings_mean() -> None:
    """Settings that were copied with a joint are other ones, and the same."""
    made = pair(hinge(2))
    made = replace(made, settings=(*made.settings, *made.settings, slider(2)))
    for number, is_twice in ((1, True), (2, False)):
        again = Node("Again", DOOR, UPRIGHT, joint=JointNode(number, ANCHOR))
        assert ("joint-twice" in {one.code for one in check(added(made, again))}) is is_twice


def test_every_code_has_its_case() -> None:
    """No rule is without a test, and no test without a rule."""
    assert set(CASES) == set(SEVERITIES)


@pytest.mark.parametrize("code", SEVERITIES)
def test_rule_fires_on_the_bad_one(code: str) -> None:
    """What a rule is for is found, and found as bad as the rule says."""
    bad, _ = CASES[code]
    for said in judged(code, bad):
        found = [issue for issue in said if issue.code == code]
        assert found
        assert {issue.severity for issue in found} == {SEVERITIES[code]}


@pytest.mark.parametrize("code", SEVERITIES)
def test_rule_is_silent_on_the_good_one(code: str) -> None:
    """The nearest thing that is all right is left alone."""
    _, good = CASES[code]
    for said in judged(code, good):
        assert code not in codes(said)


@pytest.mark.parametrize("angle", [2.0, -2.0])
def test_a_spring_is_as_far_as_it_has_to_go_from_where_it_stands(angle: float) -> None:
    """Posed at its target it is not; at the opposite of that it has farther to go than ever."""
    (settings,) = driven(stiffness=900.0).settings
    turned = multiply(UPRIGHT, compose(rotation=(0.0, 0.0, sin(angle / 2.0), cos(angle / 2.0))))
    mechanism = pair(settings, UPRIGHT, turned)
    value = coordinates(spans_of(settings.limits), UPRIGHT, turned)[5]
    assert abs(value) == pytest.approx(2.0)
    for target, is_far in ((value, False), (-value, True)):
        (drive,) = settings.drives
        aimed = replace(settings, drives=(replace(drive, position_target=target),))
        found = check(replace(mechanism, settings=(aimed,)), readers=frozenset((Reader.GODOT,)))
        assert ("godot-far-spring" in codes(found)) is is_far


def test_a_turned_body_at_rest_may_start_anywhere() -> None:
    """Readers that turn velocities of a file turn none of nothing."""
    turn = compose(rotation=(0.0, 0.6, 0.0, 0.8))
    mechanism = changed(PHYSX_CASES["physx-velocity"][1], DOOR, world=turn, motion=DYNAMIC)
    assert "physx-velocity" not in codes(check(mechanism, readers=frozenset((Reader.PHYSX,))))


@pytest.mark.parametrize("code", SEVERITIES)
def test_issues_are_sentences_for_people(code: str) -> None:
    """Each issue says in one sentence what is wrong and in one what to do, somewhere findable."""
    bad, _ = CASES[code]
    for issue in (one for said in judged(code, bad) for one in said):
        assert issue.message[0].isupper()
        assert issue.message.endswith(".")
        assert issue.fix.endswith(".")
        assert "\n" not in issue.message + issue.fix
        assert issue.where


PLAIN: dict[str, JointSettings] = {
    "weld": weld(),
    "pin": pin(),
    "hinge about Z": hinge(2, -1.0, 1.0),
    "free hinge about Z": hinge(2),
    "sprung hinge about Y": hinge(1, -1.0, 1.0),
    "slider along X": slider(0, -0.25, 1.75),
    "slider along Y": slider(1, -0.25, 1.75),
}


@pytest.mark.parametrize("name", PLAIN)
def test_plain_joints_are_left_in_peace(name: str) -> None:
    """A sound weld, pin, hinge or slider earns at most one hint, that Godot rebounds at stops."""
    found = check(pair(PLAIN[name]))
    assert codes(found) <= {"godot-stops"}
    assert len(found) <= 1


def test_a_door_earns_one_hint_for_the_whole_scene() -> None:
    """Any number of doors that open one way is one hint of each kind, three names and a count."""
    door = pair(hinge(2, 0.0, 1.5))
    more = [
        Node(f"Joint {i}", DOOR, compose((float(i), 0.0, 0.0)), joint=JointNode(0, 4 + 2 * i + 1))
        for i in range(9)
    ]
    anchors = [Node(f"Anchor {i}", 0, joint.world) for i, joint in enumerate(more)]
    nodes = [node for two in zip(more, anchors, strict=True) for node in two]
    found = check(added(door, *nodes), readers=frozenset((Reader.GODOT_OMI,)))
    assert all(one.severity is Severity.HINT for one in found)
    (warning,) = (one for one in found if one.code == "godot-angular-sign")
    assert warning.code == "godot-angular-sign"
    assert (warning.where, warning.node) == (SCENE, None)
    assert "'Joint', 'Joint 0', 'Joint 1' and 7 others" in warning.message
    assert "Written for" in warning.fix


def test_errors_come_first() -> None:
    """The list starts with what has to be mended."""
    bad = replace(CASES["connected-without-body"][0], settings=(hinge(2, 0.0, 1.0),))
    order = [list(Severity).index(issue.severity) for issue in check(bad)]
    assert order == sorted(order)
    assert len(set(order)) > 1


def test_issues_lead_to_their_node() -> None:
    """An issue with a node names and numbers it; one with settings leads to a joint that has them.

    Settings that nobody uses lead nowhere.
    """
    by_code = {issue.code: issue for issue in check(CASES["connected-without-body"][0])}
    assert by_code["connected-without-body"].node == 2
    assert by_code["connected-without-body"].where == "Joint"
    mechanism = pair(pin())
    unused = replace(mechanism, settings=(pin(), JointSettings("Spare"), JointSettings()))
    spare, nameless = (x for x in check(unused) if x.code == "settings-idle")
    assert (spare.where, spare.node) == ("Spare", None)
    assert nameless.where == "joint settings 2"
    (used,) = (x for x in check(CASES["settings-idle"][0]) if x.code == "settings-idle")
    assert (used.where, used.node) == ("Settings", 2)


def test_a_shape_that_only_gravity_has_leads_to_its_node() -> None:
    """Whoever looks for a shape without a size finds the object that has it."""
    base = replace(pair(pin()), shapes=(Box(), Sphere(0.0)))
    (issue,) = (
        one for one in check(added(base, Node("Well", gravity_shape=1))) if one.code == "shape-size"
    )
    assert issue.node == len(base.nodes)


def test_a_trigger_is_no_part_of_itself() -> None:
    """One that lists itself is told so, as of any other that is not below it."""
    found = check(
        added(pair(pin()), Node("Zone", trigger=Trigger(nodes=(len(pair(pin()).nodes),))))
    )
    assert "trigger-node-elsewhere" in codes(found)


@pytest.mark.long
@given(wild_mechanisms())
@settings(max_examples=120, deadline=None)
def test_check_never_raises(mechanism: Mechanism) -> None:
    """Whatever numbers, axes and parents a mechanism has, it is judged and not stumbled over."""
    for words in ({}, {"axis_names": BLENDER_AXES}, {"target": Target.GODOT}):
        for issue in check(mechanism, **words):
            assert SEVERITIES[issue.code] is issue.severity
            assert issue.node is None or 0 <= issue.node < len(mechanism.nodes)
            assert str(issue)


def test_the_empty_mechanism_has_no_issues() -> None:
    """Nothing is wrong with nothing."""
    assert check(Mechanism()) == ()


class Counting(tuple[Node, ...]):
    """Nodes that count how often they are looked at."""

    looks = 0

    def __getitem__(self, index: Any) -> Any:
        """Return a node and count."""
        Counting.looks += 1
        return super().__getitem__(index)


def chain(joints: int) -> Mechanism:
    """Return a rope whose bodies are parents of each other, the worst for who climbs."""
    base = pair(pin())
    nodes: list[Node] = [base.nodes[0]]
    for i in range(joints):
        body = 1 + 3 * i
        nodes += [
            replace(base.nodes[DOOR], name=f"Link {i}", parent=max(0, body - 3)),
            Node(f"Joint {i}", body, UPRIGHT, joint=JointNode(0, body + 2)),
            replace(base.nodes[ANCHOR], name=f"Anchor {i}", parent=max(0, body - 3)),
        ]
    return replace(base, nodes=tuple(nodes))


def looks_at(mechanism: Mechanism) -> int:
    """Return how often a check looks at a node."""
    Counting.looks = 0
    check(replace(mechanism, nodes=Counting(mechanism.nodes)))
    return Counting.looks


def test_work_grows_with_the_number_of_joints_and_no_faster() -> None:
    """Four times the joints in one chain of parents take four times the looks at nodes."""
    assert looks_at(chain(400)) <= 4.2 * looks_at(chain(100))


def test_all_rules_share_the_boxes_around_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """The box of each collider is computed once, for whoever asks."""
    measured: list[Node] = []
    own_box = extent.own_box

    def counted(mechanism: Mechanism, node: Node) -> extent.OwnBox | None:
        measured.append(node)
        return own_box(mechanism, node)

    monkeypatch.setattr(extent, "own_box", counted)
    mechanism = chain(10)
    check(mechanism)
    assert len(measured) == sum(node.collider is not None for node in mechanism.nodes) > 10


def test_a_chain_of_sound_joints_is_sound() -> None:
    """A rope as it is built here has no errors, so that its count means something."""
    found: tuple[Issue, ...] = check(chain(20))
    assert not has_errors(found)
    assert codes(found) <= {"godot-overlap"}


@pytest.mark.parametrize(
    ("free", "told"),
    [(((), (1,)), True), (((0,), ()), True), (((0, 2), (1,)), False), (((0,), (1,)), False)],
)
def test_a_joint_stays_below_what_stands_where_the_other_side_cannot_say_it(
    free: tuple[tuple[int, ...], tuple[int, ...]], told: bool
) -> None:
    """Swapped, what slides and turns would slide along other axes."""
    along, about = (tuple(axis for axis in range(3) if axis not in own) for own in free)
    limits = (Limit(along, (), 0.0, 0.0), Limit((), about, 0.0, 0.0))
    mechanism = pair(JointSettings("Plane", limits))
    below = changed(changed(mechanism, JOINT, parent=WALL), ANCHOR, parent=DOOR)
    assert ("joint-under-static" in codes(check(below))) is told
    assert "joint-under-static" not in codes(check(mechanism))


PARTS = {"body": DYNAMIC, "collider": Collider(shape=0), "trigger": Trigger(shape=0)}
_FIELDS = {"body": "motion", "collider": "collider", "trigger": "trigger"}
"""Of a node, by what they are called."""


@pytest.mark.parametrize("found", [one for size in (1, 2, 3) for one in combinations(PARTS, size)])
def test_a_joint_shares_its_node_with_no_part_of_a_body(found: tuple[str, ...]) -> None:
    """Whatever else stands there is named, each of it."""
    shared = changed(pair(hinge(2)), JOINT, **{_FIELDS[one]: PARTS[one] for one in found})
    said = [one.message for one in check(shared) if one.code == "joint-not-alone"]
    assert said == [f"This joint is on the same node as a {' and a '.join(found)}."]
