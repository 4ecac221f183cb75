# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stage can say comes back from one, and all else is named.

``OMI_CONVERSIONS=1000`` takes so many random mechanisms.
"""

from __future__ import annotations

import os
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from model.building import pair
from omi_mechanisms import Sample, over, samples
from usd_meaning import what_differs
from usd_records import composed
from usd_samples import random_contents

from omi_physics_joint.gltf.fresh import contents_of as contents_of_document
from omi_physics_joint.gltf.fresh import fresh_document
from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.issue import Issue, Severity
from omi_physics_joint.model.joint import AXES, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.shape import Box
from omi_physics_joint.model.solid import Bounds, Triangles
from omi_physics_joint.usd import stage
from omi_physics_joint.usd.reading.read import contents_of
from omi_physics_joint.usd.writing.inertias import with_inertias
from omi_physics_joint.usd.writing.write import written

MANY = int(os.environ.get("OMI_CONVERSIONS", "40"))
EXACT, SINGLE, ROUGH = 1e-9, 2e-5, 1e-3
"""Parts by which numbers may differ: of records, where a file holds single precision, and where
numbers of a million cancel each other."""
SAID = {
    "usd-acceleration",
    "usd-soft-limit",
    "usd-plane",
    "usd-trigger",
    "usd-combine",
    "usd-other-way",
} | {
    "usd-articulation-root",
    "usd-excluded-from-articulation",
}
"""What is said of such files although it comes back: others read it otherwise."""


def there_and_back(contents: Contents) -> tuple[Contents, list[Issue]]:
    """Return what is read of the records that are written, and what is said on the way."""
    records, lost = written(contents)
    again, unread = contents_of(composed(records))
    return again, [*lost, *unread]


def without_unknown(value: Any) -> Any:
    """Return a value without members that nobody knows, which are named wherever they are."""
    if isinstance(value, tuple):
        return tuple(map(without_unknown, value))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {one.name: without_unknown(getattr(value, one.name)) for one in fields(value)}
    if "unknown" in parts:
        parts["unknown"] = {} if isinstance(value, Mechanism) else ""
    return type(value)(**parts)


@pytest.mark.parametrize("seed", range(MANY))
def test_what_a_stage_can_say_comes_back(seed: int) -> None:
    """The identity, and nothing but what others make of it is said."""
    contents = random_contents(seed)
    again, issues = there_and_back(contents)
    assert what_differs(contents, again, EXACT) == []
    assert {issue.code for issue in issues} <= SAID
    assert not [issue for issue in issues if issue.severity is Severity.ERROR]


def test_a_joint_to_a_node_that_is_not_there_is_left_out() -> None:
    """It is named, and the rest is written; also where nothing moves."""
    door = pair(hinge(2))
    nodes = [
        replace(
            node,
            motion=node.motion and replace(node.motion, type=MotionType.STATIC),
            joint=node.joint and replace(node.joint, connected_node=99),
        )
        for node in door.nodes
    ]
    record, issues = written(Contents(replace(door, nodes=tuple(nodes))))
    assert [issue.code for issue in issues] == ["usd-joint-left-out"]
    assert not [prim for prim in record if prim.type.endswith("Joint")]


def test_a_soft_rope_beside_a_bounded_angle_comes_back() -> None:
    """What is no distance joint is a generic one, and how soft it is is said as of any bound."""
    rope = Limit(AXES, max=2.0, stiffness=50.0, damping=1.0, together=True)
    contents = Contents(pair(JointSettings(limits=(rope, Limit((), (0,), -0.5, 0.5)))))
    again, issues = there_and_back(contents)
    assert what_differs(contents, again, EXACT) == []
    assert {issue.code for issue in issues} == {"usd-soft-limit"}


@pytest.mark.parametrize("seed", range(max(MANY // 4, 10)))
def test_a_gltf_file_comes_back(seed: int) -> None:
    """glTF, USD, glTF: what the first file says, but for what glTF cannot say at all."""
    first, _ = contents_of_document(fresh_document(random_contents(seed), Path("a.glb"))[0])
    again, _ = there_and_back(first)
    second, _ = contents_of_document(fresh_document(again, Path("b.glb"))[0])
    assert what_differs(first, second, SINGLE) == []


@pytest.mark.long
@over(MANY)
@given(samples())
def test_whatever_a_mechanism_is_it_comes_back_or_is_named(sample: Sample) -> None:
    """Flat bodies, joints without bodies, bounds that contradict each other and the like."""
    mesh = Triangles(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, 2, 1), (0, 1, 3)))
    given_nodes = sample.mechanism.nodes
    nodes = tuple(replace(node, name=f"N{i}") for i, node in enumerate(given_nodes))
    mechanism = without_unknown(replace(sample.mechanism, nodes=nodes))
    contents = Contents(mechanism, tuple(mesh for _ in mechanism.meshes))
    again, issues = there_and_back(contents)
    if {issue.code for issue in issues} <= SAID:
        assert what_differs(contents, again, ROUGH) == []


@pytest.mark.parametrize("seed", range(max(MANY // 4, 10)))
@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
def test_what_a_file_can_say_comes_back(seed: int, suffix: str, tmp_path: Path) -> None:
    """Through ``pxr``, as far as single precision goes."""
    pytest.importorskip("pxr", reason="USD takes pxr: pip install usd-core")
    contents = random_contents(seed)
    records, _ = written(contents)
    path = tmp_path / f"stage{suffix}"
    path.write_bytes(stage.encoded(records, suffix))
    again, _ = contents_of(stage.read(path))
    assert what_differs(contents, again, SINGLE) == []


@pytest.mark.parametrize("centre", [(0.3, 0.0, 0.0), (0.0, 0.0, 0.0)])
def test_inertia_about_another_centre_is_written_and_none_when_read(
    centre: tuple[float, float, float],
) -> None:
    """Newton would count it about the colliders'; where both are one nothing is said."""
    motion = Motion(MotionType.DYNAMIC, mass=2.0, center_of_mass=centre)
    body = Node("Body", None, compose((1.0, 2.0, 3.0), (0.0, 0.6, 0.0, 0.8)), motion, Collider(0))
    mechanism = Mechanism((body,), shapes=(Box((1.0, 1.0, 1.0)),))
    record, _ = written(Contents(mechanism))
    (prim,) = (one for one in record if one.name == "Body")
    own, more = 2.0 / 6.0, 2.0 * centre[0] ** 2
    moments = sorted(prim.attributes.get("physics:diagonalInertia", ()))
    assert moments == (pytest.approx([own, own + more, own + more]) if more else [])
    read, _ = contents_of(record)
    (node,) = (one for one in read.mechanism.nodes if one.name == "Body")
    assert node.motion is not None
    assert node.motion.inertia_diagonal == (0.0, 0.0, 0.0)
    edited = {**prim.attributes, "physics:diagonalInertia": (1.0, 2.0, 2.5)}
    stage = replace(
        record,
        prims=tuple(
            replace(one, attributes=edited) if one is prim else one for one in record.prims
        ),
    )
    (node,) = (one for one in contents_of(stage)[0].mechanism.nodes if one.name == "Body")
    assert node.motion is not None
    assert node.motion.inertia_diagonal == (1.0, 2.0, 2.5), "what others have entered counts"


@pytest.mark.parametrize("collider", [None, Collider(0)])
def test_only_colliders_give_a_stage_an_inertia(collider: Collider | None) -> None:
    """What a body merely shows weighs nothing in USD: no inertia is said that none would count."""
    motion = Motion(MotionType.DYNAMIC, center_of_mass=(0.0, 0.3, 0.0))
    shown = Bounds((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))
    body = Node("Body", motion=motion, collider=collider, bounds=shown)
    mechanism, said = with_inertias(Mechanism((body,), shapes=(Box((1.0, 1.0, 1.0)),)), [0])
    assert said == ({0} if collider else set())
    assert (mechanism.nodes[0] == body) == (collider is None)
