# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulation roots and exclusions that a stage says come back, as the articulations do."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from usd_records import composed, placed, prim

from omi_physics_joint.gltf.fresh import contents_of as contents_of_document
from omi_physics_joint.gltf.fresh import fresh_document
from omi_physics_joint.model.articulation.trees import articulations_of
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.usd.prim import Prim, Stage
from omi_physics_joint.usd.reading.read import contents_of
from omi_physics_joint.usd.writing.write import written

BODY, ROOT = "PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"


def bodies(*names: str, root: str = "") -> list[Prim]:
    """Return bodies, one of which is perhaps called the root."""
    return [prim(f"/{name}", schemas=(BODY, ROOT) if name == root else (BODY,)) for name in names]


def joint(first: str, second: str, kind: str = "Revolute", **more: Any) -> Prim:
    """Return a joint between two bodies; without a name to the world."""
    ends = {"physics:body0": first, "physics:body1": second}
    targets = {end: (f"/{name}",) for end, name in ends.items() if name}
    return prim(f"/{first}_{second}", f"Physics{kind}Joint", targets=targets, **more)


def roots_in(stage: Stage) -> set[str]:
    """Return the names of prims that are called roots."""
    return {one.name for one in stage if ROOT in one.schemas}


def loops_in(stage: Stage) -> set[str]:
    """Return the names of joints that are excluded from articulations."""
    return {one.name for one in stage if one.attributes.get("physics:excludeFromArticulation")}


def firsts(contents: Contents) -> list[str]:
    """Return the names of the bodies that articulations begin with."""
    trees = articulations_of(contents.mechanism)
    return [contents.mechanism.nodes[tree.joints[0].child].name for tree in trees]


FINGERS = ("A", "B", "C", "D")
CHAIN = [joint(*pair) for pair in pairwise(FINGERS)]
RING = joint("D", "A")
OUT = {"physics:excludeFromArticulation": True}


@pytest.mark.parametrize("name", FINGERS)
def test_a_root_is_the_body_that_the_stage_says(name: str, tmp_path: Path) -> None:
    """Also at the end of a chain; through glTF too, and then no joint is counted otherwise."""
    contents, issues = contents_of(placed(*bodies(*FINGERS, root=name), *CHAIN))
    assert issues == ()
    assert firsts(contents) == [name]
    document, lost = fresh_document(contents, tmp_path / "x.gltf")
    through, unread = contents_of_document(document)
    assert (*lost, *unread) == ()
    for one in (contents, through):
        record, said = written(one)
        assert {issue.code for issue in said} <= {"usd-other-way"}
        assert roots_in(record) == {name}
        assert firsts(contents_of(composed(record))[0]) == [name]


@pytest.mark.parametrize("note", ["", '{"note":1}'])
def test_what_an_attribute_says_of_articulations_is_in_no_extras(note: str) -> None:
    """Of a root and of what is excluded; what else stands in their extras goes along."""
    extras = {"omi:extras": note} if note else {}
    last = joint("C", "D", attributes={**OUT, **extras})
    root = prim("/A", attributes=extras, schemas=(BODY, ROOT))
    contents, _ = contents_of(placed(root, *bodies("B", "C", "D"), *CHAIN[:2], last))
    record, _ = written(contents)
    assert (roots_in(record), loops_in(record)) == ({"A"}, {"C_D"})
    told = {one.name: one.attributes.get("omi:extras", "") for one in record}
    assert (told["A"], told["C_D"], told["B"], told["A_B"]) == (note, note, "", "")


@pytest.mark.parametrize("out", range(4))
def test_what_is_excluded_closes_the_loop(out: int) -> None:
    """Whichever joint of a ring it is; what is found so anyway is not said in the mechanism."""
    ring = [*CHAIN, RING]
    ends = [
        (one.targets["physics:body0"][0][1:], one.targets["physics:body1"][0][1:]) for one in ring
    ]
    ring[out] = joint(*ends[out], attributes=OUT)
    contents, issues = contents_of(placed(*bodies(*FINGERS, root="A"), *ring))
    assert issues == ()
    record, _ = written(contents)
    assert len(loops_in(record)) == 1
    assert loops_in(record) == {ring[out].name}
    assert roots_in(record) == {"A"}


def test_a_joint_to_the_world_is_the_base_that_the_stage_says() -> None:
    """Of two that weld it to the world, the second; an excluded one is no base."""
    held = (joint("", "A", "Fixed"), joint("", "B", "Fixed", schemas=(ROOT,)))
    record, _ = written(contents_of(placed(*bodies("A", "B"), *held, joint("A", "B")))[0])
    assert {one.removesuffix("_") for one in roots_in(record)} == {"_B"}
    held = (joint("", "A", "Fixed", attributes=OUT), joint("", "B", "Fixed"))
    contents, _ = contents_of(placed(*bodies("A", "B"), *held, joint("A", "B")))
    assert firsts(contents) == ["B"]


def test_what_no_tree_can_do_is_named() -> None:
    """A joint that alone holds a body to the others stays in the tree, excluded or not."""
    stage = placed(*bodies("A", "B"), joint("A", "B", attributes=OUT))
    contents, issues = contents_of(stage)
    assert [issue.code for issue in issues] == ["usd-excluded-from-articulation"]
    (tree,) = articulations_of(contents.mechanism)
    assert not tree.loops
    assert loops_in(written(contents)[0]) == {"A_B"}
