# SPDX-License-Identifier: GPL-3.0-or-later
"""Filtered pairs: of prims, of articulations, and filters that are written as such."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from model.building import JOINT, changed, pair
from usd_meaning import Meaning
from usd_records import BODY, COLLISION, composed, issues_of, mechanism_of, placed, prim

from omi_physics_joint.model.body import Collider, CollisionFilter, Motion, MotionType
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.joint import JointNode
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.shape import Box
from omi_physics_joint.usd.prim import Prim, Stage
from omi_physics_joint.usd.reading.read import contents_of
from omi_physics_joint.usd.writing.write import written

PAIRS, GROUP = "PhysicsFilteredPairsAPI", "PhysicsCollisionGroup"


def met(contents: Contents) -> dict[tuple[str, str], bool]:
    """Return whether the nodes called N... meet each other."""
    names = {node.name for node in contents.mechanism.nodes if node.name.startswith("N")}
    return Meaning(contents, names, set()).meets()


def link(name: str, *schemas: str, **targets: tuple[str, ...]) -> Prim:
    """Return a solid body."""
    named = {f"physics:{key}": value for key, value in targets.items()}
    return prim(f"/{name}", "Cube", (BODY, COLLISION, *schemas), targets=named)


def joint(name: str, *schemas: str, **targets: tuple[str, ...]) -> Prim:
    """Return a weld."""
    named = {f"physics:{key}": value for key, value in targets.items()}
    return prim(f"/{name}", "PhysicsFixedJoint", schemas, targets=named)


ROOT = "PhysicsArticulationRootAPI"
ARM = (
    joint("J", ROOT, PAIRS, body0=("/NA",), filteredPairs=("/NC",)),
    joint("K", body0=("/NA",), body1=("/NB",)),
)
CHAIN = (
    link("NA", ROOT, PAIRS, filteredPairs=("/NC",)),
    joint("K", body0=("/NA",), body1=("/NB",)),
)


@pytest.mark.parametrize(
    "stage",
    [
        placed(link("NA"), link("NB"), link("NC"), link("ND"), *ARM),
        placed(link("NB"), link("NC"), link("ND"), *CHAIN),
    ],
)
def test_pairs_of_articulations_are_those_of_their_bodies(stage: Stage) -> None:
    """The root is a joint to the world, or a body; what hangs on nothing of it is another's."""
    found = contents_of(stage)[0]
    apart = {pair for pair, meets in met(found).items() if not meets}
    assert apart == {("NA", "NC"), ("NC", "NA"), ("NB", "NC"), ("NC", "NB")}
    assert "usd-articulation-pairs" not in issues_of(stage)


def test_a_root_without_bodies_is_named() -> None:
    """It stands for nothing."""
    stage = placed(link("NA"), joint("J", ROOT, PAIRS, filteredPairs=("/NA",)))
    assert "usd-articulation-pairs" in issues_of(stage)
    assert not mechanism_of(stage).collision_filters


@pytest.mark.parametrize("collides", [False, True])
def test_a_pair_of_bodies_that_a_joint_lets_meet_keeps_them_apart(collides: bool) -> None:
    """Only where the joint says the same is the pair not needed."""
    weld = joint("K", body0=("/NA",), body1=("/NB",))
    weld = replace(weld, attributes={"physics:collisionEnabled": collides})
    links = link("NA", PAIRS, filteredPairs=("/NB",)), link("NB"), link("NC")
    found = contents_of(placed(*links, weld))[0]
    apart = {pair for pair, meets in met(found).items() if not meets}
    assert apart == ({("NA", "NB"), ("NB", "NA")} if collides else set())


def drawn(seed: int) -> Contents:
    """Return bodies in filters that name them one by one, some of them in systems of others."""
    random = Random(seed)
    names = [f"N{i}" for i in range(random.randrange(2, 6))]
    filters = []
    for name in names:
        others = tuple(one for one in (*names, "Some") if random.random() < 0.4)
        systems = (name,) if random.random() < 0.8 else (name, "Some")
        meets = random.random() < 0.05
        filters.append(
            CollisionFilter(name, systems, others, None)
            if meets
            else CollisionFilter(name, systems, None, others or None)
        )
    nodes = [
        Node(name, motion=Motion(MotionType.DYNAMIC), collider=Collider(0, None, number))
        for number, name in enumerate(names)
    ]
    for number in range(len(names)):
        if random.random() < 0.2:
            group = number if random.random() < 0.5 else None
            nodes.append(Node(f"Part{number}", number, collider=Collider(0, None, group)))
    mechanism = Mechanism(tuple(nodes), shapes=(Box(),), collision_filters=tuple(filters))
    return Contents(mechanism)


@pytest.mark.parametrize("seed", range(60))
def test_who_meets_whom_stays_the_same(seed: int) -> None:
    """Whatever of it is written as pairs, and whatever as groups."""
    contents = drawn(seed)
    records, _ = written(contents)
    again, _ = contents_of(composed(records))
    assert met(again) == met(contents)


def test_some_are_pairs_and_some_are_groups() -> None:
    """Or the test above would hold nothing."""
    kinds = set()
    for seed in range(60):
        records, _ = written(drawn(seed))
        is_paired = any(PAIRS in one.schemas for one in records)
        kinds.add((is_paired, any(one.type == GROUP for one in records)))
    assert kinds >= {(False, True), (True, True)}


def of_two(*more: Node, meets: tuple[str, ...] | None = None) -> list[str]:
    """Return the types of what says that two bodies do not meet, with further nodes."""
    filters = (
        CollisionFilter("", ("NA",), None, ("NB",)),
        CollisionFilter("", ("NB",)),
        CollisionFilter("", ("Other",), meets),
    )
    nodes = (
        Node("NA", motion=Motion(MotionType.DYNAMIC), collider=Collider(0, None, 0)),
        Node("NB", motion=Motion(MotionType.DYNAMIC), collider=Collider(0, None, 1)),
        *more,
    )
    mechanism = Mechanism(nodes, shapes=(Box(),), collision_filters=filters)
    records, _ = written(Contents(mechanism))
    return [PAIRS for one in records if PAIRS in one.schemas] + [
        one.label for one in records if one.type == GROUP and one.label in ("NA", "NB")
    ]


def test_a_pair_is_of_all_that_is_in_a_prim_and_of_nothing_else() -> None:
    """Where a part meets others, or a group meets only some, groups say it."""
    assert of_two() == [PAIRS]
    assert of_two(Node("Part", 0, collider=Collider(0, None, 0))) == [PAIRS]
    assert of_two(Node("Part", 0, collider=Collider(0))) == ["NA", "NB"]
    assert of_two(Node("Else", collider=Collider(0, None, 0))) == ["NA", "NB"]
    assert of_two(meets=("NA",)) == ["NA", "NB"]


def test_groups_of_one_name_on_two_paths_are_two() -> None:
    """What is in a group that does not meet itself meets what is in another called alike."""
    groups = (
        prim(f"/{path}/Group", GROUP, targets=targets, members=(member,))
        for path, targets, member in (
            ("One", {"physics:filteredGroups": ("/One/Group",)}, "/NA"),
            ("Two", {}, "/NB"),
        )
    )
    scopes = (prim("/One", "Scope"), prim("/Two", "Scope"))
    found = contents_of(placed(link("NA"), link("NB"), *scopes, *groups))[0]
    systems = {one.collision_systems for one in found.mechanism.collision_filters}
    assert len(systems) == 2
    assert met(found)["NA", "NB"]


KEYS = (Keys("enable_collision", (0.0, 1.0), (0.0, 1.0), is_stepped=True),)


@pytest.mark.parametrize(
    "said", [{}, {"enabled": False}, {"enable_collision": True}, {"keys": KEYS}], ids=str
)
def test_bodies_are_kept_apart_for_good_only_where_their_joint_does_so(
    said: dict[str, Any],
) -> None:
    """Not where it is switched off, lets them collide, or will: a pair has no keys."""
    mechanism = pair(hinge(1))
    joint = mechanism.nodes[JOINT].joint
    assert joint is not None
    record, _ = written(Contents(changed(mechanism, JOINT, joint=replace(joint, **said))))
    assert any(PAIRS in one.schemas for one in record) is (not said)


@pytest.mark.parametrize("collides", [*product((False, True), repeat=3)])
def test_a_body_is_kept_apart_from_each_still_one_that_it_is_joined_to(
    collides: tuple[bool, ...],
) -> None:
    """Not from the last one alone, nor from one whose joint lets them collide."""
    solid = Collider(0)
    nodes = [Node("Door", motion=Motion(MotionType.DYNAMIC), collider=solid)]
    for number, collide in enumerate(collides):
        wall = len(nodes)
        nodes += [
            Node(f"Wall{number}", motion=Motion(MotionType.STATIC), collider=solid),
            Node(f"Frame{number}", wall),
            Node(f"Hinge{number}", 0, joint=JointNode(0, wall + 1, collide)),
        ]
    stage, _ = written(Contents(Mechanism(tuple(nodes), (hinge(1),), (Box(),))))
    apart = [path for one in stage for path in one.targets.get("physics:filteredPairs", ())]
    assert [path.split("/")[-2] for path in apart] == [
        f"Wall{number}" for number, collide in enumerate(collides) if not collide
    ]
