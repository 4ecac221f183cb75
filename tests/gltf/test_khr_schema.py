# SPDX-License-Identifier: GPL-3.0-or-later
"""Our own schemas of Khronos' extensions reject what the texts forbid, nothing that we write."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from omi_mechanisms import Sample, over, samples
from omi_schema import schema_errors

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.write import patched, spell
from omi_physics_joint.model.body import Collider
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Capsule

BODY, SHAPE = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
FEW = over(15)
FIXED = {"linearAxes": [0, 1, 2], "min": 0, "max": 0}
SPRING = {"type": "linear", "mode": "force", "axis": 0, "positionTarget": 1, "stiffness": 2}


def limit(**members: Any) -> dict[str, Any]:
    """Return a document with this limit."""
    return {"extensions": {BODY: {"physicsJoints": [{"limits": [members]}]}}}


def drive(**members: Any) -> dict[str, Any]:
    """Return a document with a spring that has these members; None leaves one out."""
    joined = {key: value for key, value in {**SPRING, **members}.items() if value is not None}
    return {"extensions": {BODY: {"physicsJoints": [{"drives": [joined]}]}}}


def node(**members: Any) -> dict[str, Any]:
    """Return a document with one node that says this."""
    return {"nodes": [{"extensions": {BODY: members}}]}


def shape(**members: Any) -> dict[str, Any]:
    """Return a document with this shape."""
    return {"extensions": {SHAPE: {"shapes": [members]}}}


def shared(**members: Any) -> dict[str, Any]:
    """Return a document with these shared resources."""
    return {"extensions": {BODY: members}}


GOOD = {
    "bounds on a distance": limit(linearAxes=[0, 1, 2], max=2.0),
    "a soft limit": limit(angularAxes=[1], min=-1.0, max=1.0, stiffness=3.0, damping=0.5),
    "a spring": drive(),
    "a drive of another extension": drive(type="pneumatic"),
    "infinite mass": node(motion={"mass": 0, "inertiaDiagonal": [0, 2, 0]}),
    "geometry by shape": node(collider={"geometry": {"shape": 0, "convexHull": True}}),
    "geometry by node": node(collider={"geometry": {"node": 0}}),
    "geometry by mesh": node(collider={"geometry": {"mesh": 0}}),
    "geometry by both": node(collider={"geometry": {"node": 0, "mesh": 0, "convexHull": True}}),
    "a compound trigger": node(trigger={"nodes": [1, 2]}),
    "a floor without end": shape(type="plane", plane={}),
    "a cone": shape(type="cylinder", cylinder={"height": 1, "radiusTop": 0}),
    "a shape of another extension": shape(type="torus", extensions={"X": {}}),
}
BAD = {
    "limit without axes": limit(min=0, max=0),
    "limit with no axis": limit(linearAxes=[], min=0, max=0),
    "limit of both kinds": limit(linearAxes=[0], angularAxes=[0], min=0, max=0),
    "axis out of range": limit(linearAxes=[3], min=0),
    "axis twice": limit(linearAxes=[0, 0], min=0),
    "negative stiffness": limit(**FIXED, stiffness=-1),
    "target without stiffness": drive(stiffness=None),
    "stiffness without target": drive(positionTarget=None),
    "damping without target": drive(damping=1.0),
    "drive without axis": drive(axis=None),
    "negative force": drive(maxForce=-1),
    "negative mass": node(motion={"mass": -1}),
    "short vector": node(motion={"inertiaDiagonal": [1, 1]}),
    "kinematic as text": node(motion={"isKinematic": "yes"}),
    "collider without geometry": node(collider={}),
    "shape beside the geometry": node(collider={"shape": 0}),
    "geometry of nothing": node(collider={"geometry": {}}),
    "geometry of shape and mesh": node(collider={"geometry": {"shape": 0, "mesh": 0}}),
    "index -1": node(collider={"geometry": {"shape": -1}}),
    "trigger of nothing": node(trigger={}),
    "trigger of both": node(trigger={"geometry": {"shape": 0}, "nodes": [1]}),
    "compound trigger with a filter": node(trigger={"nodes": [1], "collisionFilter": 0}),
    "joint without settings": node(joint={"connectedNode": 1}),
    "joint without node": node(joint={"joint": 0}),
    "combine": shared(physicsMaterials=[{"frictionCombine": "sum"}]),
    "filter of both": shared(
        collisionFilters=[{"collideWithSystems": ["a"], "notCollideWithSystems": ["b"]}]
    ),
    "shape without type": shape(box={}),
    "block of another type": shape(type="box", sphere={}),
    "flat box": shape(type="box", box={"size": [1, 0, 1]}),
    "capsule without height": shape(type="capsule", capsule={"height": 0}),
    "no radius at all": shape(type="cylinder", cylinder={"radiusTop": 0, "radiusBottom": 0}),
}


@pytest.mark.parametrize("case", GOOD)
def test_what_the_texts_allow_is_accepted(case: str) -> None:
    """Among it what drafts of different years say."""
    assert schema_errors(GOOD[case]) == []


@pytest.mark.parametrize("case", BAD)
def test_what_the_texts_forbid_is_rejected(case: str) -> None:
    """Each document breaks one rule."""
    assert schema_errors(BAD[case]) != []


def test_a_capsule_without_length_is_written_as_the_ball_that_it_is() -> None:
    """Khronos' capsules have a height, OMI's may have none."""
    mechanism = Mechanism((Node("A", collider=Collider(0)),), (), (Capsule(0.0, 0.3, 0.3),))
    alone = spell(mechanism, Numbering({0: 0}, {}), spoken=(Spoken.KHR,))
    assert schema_errors(patched({"nodes": [{}]}, alone)) == []
    gltf = patched({"nodes": [{}]}, spell(mechanism, Numbering({0: 0}, {}), spoken=tuple(Spoken)))
    assert gltf["extensions"][SHAPE]["shapes"] == [{"type": "sphere", "sphere": {"radius": 0.3}}]
    reading = read(gltf)
    assert reading.issues == ()
    assert reading.mechanism.shapes == (Capsule(0.0, 0.3, 0.3),)


@pytest.mark.long
@FEW
@given(samples())
def test_both_dialects_keep_to_their_schemas(sample: Sample) -> None:
    """Whatever there is to say, each dialect says it as its text wants."""
    spelling = spell(sample.mechanism, sample.same_numbers(), spoken=tuple(Spoken))
    assert schema_errors(patched(sample.gltf, spelling)) == []
