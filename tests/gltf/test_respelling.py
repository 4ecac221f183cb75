# SPDX-License-Identifier: GPL-3.0-or-later
"""A document in other dialects: what both can say comes back, and all else is named.

``OMI_CONVERSIONS=2000`` takes so many random mechanisms each way.
"""

from __future__ import annotations

import json
import os
from copy import deepcopy
from dataclasses import replace
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from omi_documents import door
from omi_mechanisms import Sample, limits_together, over, resolved, samples

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document.files import DocumentError
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.respelling import Respelled, respelled
from omi_physics_joint.gltf.write import patched, spell
from omi_physics_joint.model.body import Collider, Motion, MotionType, Trigger
from omi_physics_joint.model.joint import JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.canonical import acting
from omi_physics_joint.model.shape import Plane

OMI, KHR, BOTH = (Spoken.OMI,), (Spoken.KHR,), tuple(Spoken)
JOINT, BODY = "OMI_physics_joint", "OMI_physics_body"
KHR_BODY = "KHR_physics_rigid_bodies"
MANY = over(int(os.environ.get("OMI_CONVERSIONS", "30")))
SAID = {
    *("foreign-drive", "mass-left-open", "gravity-of-nodes", "static-not-said"),
    "angle-in-degrees",
}
"""What is said of such files whatever is made of them."""


@st.composite
def khr_samples(draw: st.DrawFn) -> Sample:
    """Return a mechanism with what only KHR can say: planes, bounds together."""
    sample = draw(samples())
    mechanism = sample.mechanism
    together = st.lists(limits_together(), min_size=1, max_size=2).map(tuple)
    planes = st.builds(Plane, st.just(inf) | st.just(2.0), st.just(3.0), st.booleans())
    changed = replace(
        mechanism,
        settings=tuple(
            replace(one, limits=draw(st.just(one.limits) | together)) for one in mechanism.settings
        ),
        shapes=tuple(draw(st.just(one) | planes) for one in mechanism.shapes),
        nodes=tuple(_weighed(draw, node) for node in mechanism.nodes),
    )
    return replace(sample, mechanism=changed)


def _weighed(draw: st.DrawFn, node: Node) -> Node:
    """Return a node whose body may be beyond all weight, or leaves open where its mass is."""
    motion = node.motion
    if motion is None or motion.type is MotionType.STATIC:
        return node
    mass = draw(st.just(motion.mass) | st.just(inf))
    inertia = draw(st.just(motion.inertia_diagonal) | st.just((inf, 2.0, inf)))
    motion = replace(motion, mass=mass, inertia_diagonal=inertia)
    if draw(st.booleans()):
        motion = replace(motion, center_of_mass=None, found_center=motion.center_of_mass)
    return replace(node, motion=motion)


def written(sample: Sample, spoken: tuple[Spoken, ...]) -> dict[str, Any]:
    """Return the file of a mechanism."""
    spelling = spell(sample.mechanism, sample.same_numbers(), spoken=spoken)
    return copied(patched(sample.gltf, spelling))


def copied(gltf: Any) -> dict[str, Any]:
    """Return a document as it is when it has been in a file."""
    result: dict[str, Any] = json.loads(json.dumps(gltf, allow_nan=False))
    return result


def meaning(gltf: dict[str, Any]) -> list[Any]:
    """Return what a file says of each node, without what says nothing and what nobody knows."""
    mechanism = read(gltf).mechanism
    plain = tuple(_plain(mechanism, index) for index in range(len(mechanism.nodes)))
    shared = replace(mechanism, nodes=plain, settings=tuple(map(_targeted, mechanism.settings)))
    return [_known(node) for node in resolved(shared)]


def _plain(mechanism: Mechanism, index: int) -> Node:
    node = mechanism.nodes[index]
    motion, collider = node.motion, node.collider
    if motion is not None and motion.type is MotionType.STATIC:
        above = (mechanism.nodes[one].motion for one in mechanism.ancestry(node.parent))
        holding = next((one for one in above if one is not None), None)
        is_held = holding is not None and holding.type is not MotionType.STATIC
        motion = Motion(MotionType.STATIC) if is_held else None
    if collider == replace(Collider(), unknown=collider.unknown if collider else ""):
        collider = None
    return replace(node, motion=motion, collider=collider)


def _targeted(settings_: JointSettings) -> JointSettings:
    """Return settings without unknown members, which keep limits that say the same apart."""
    drives = tuple(map(acting, settings_.drives))
    limits = tuple(replace(limit, unknown="") for limit in settings_.limits)
    return replace(settings_, drives=drives, limits=limits)


def _known(value: Any) -> Any:
    """Return a value without members that nobody knows."""
    if isinstance(value, tuple | list):
        return tuple(_known(item) for item in value)
    if not hasattr(value, "__dataclass_fields__"):
        return "" if isinstance(value, str) and value[:1] == "{" else value
    return type(value)(
        **{
            name: "" if name == "unknown" else _known(getattr(value, name))
            for name in value.__dataclass_fields__
        }
    )


def named(result: Respelled, gltf: dict[str, Any]) -> set[int]:
    """Return the nodes of which it is said that they could not be written."""
    every = (one for one in result.issues if one.code != "static-not-said")  # stands as it did
    found = {one.node for one in every if one.code.endswith(("-not-said", "-node"))}
    mechanism = read(gltf).mechanism
    codes = {one.code for one in result.issues}
    for index, node in enumerate(mechanism.nodes):
        together = node.joint and any(
            limit.together for limit in mechanism.settings_of(node.joint).limits
        )
        if together and "limit-together" in codes:
            found.add(index)
        for part in (node.collider, node.trigger):
            if part is None or part.shape is None or "plane-as-box" not in codes:
                continue
            if isinstance(mechanism.shapes[part.shape], Plane):
                found.add(index)
    return {one for one in found if one is not None}


def there_and_back(gltf: dict[str, Any], there: tuple[Spoken, ...]) -> None:
    """Hold that a file means the same after a conversion, but for nodes that are named."""
    result = respelled(gltf, there)
    other = copied(result.json)
    back = copied(respelled(other, tuple(read(gltf).dialects[i].spoken for i in range(1))).json)
    before, between, after = meaning(gltf), meaning(other), meaning(back)
    lost = named(result, gltf)
    elsewhere = {one.node for one in result.issues if one.code == "joint-not-said"}
    for index, node in enumerate(before):
        if index not in lost:
            assert node == between[index]
            assert node == after[index]
        elif index not in elsewhere:  # a joint may be as it was, but on another body
            assert node != between[index], "an issue names what is as it was"
    assert {issue.code for issue in result.issues} - SAID <= {
        "body-not-said",
        "collider-not-said",
        "trigger-not-said",
        "motion-not-said",
        "joint-not-said",
        "joint-given-node",
        "limit-together",
        "plane-as-box",
        "members-left-out",
    }


@pytest.mark.long
@MANY
@given(samples())
def test_omi_to_khr_to_omi(sample: Sample) -> None:
    """Identity where both can say it, and an issue of the node where not."""
    gltf = written(sample, OMI)
    if read(gltf).dialects:
        there_and_back(gltf, KHR)


@pytest.mark.long
@MANY
@given(khr_samples())
def test_khr_to_omi_to_khr(sample: Sample) -> None:
    """Identity where both can say it, and an issue of the node where not."""
    gltf = written(sample, KHR)
    if read(gltf).dialects:
        there_and_back(gltf, OMI)


@pytest.mark.long
@MANY
@given(khr_samples(), st.sampled_from((OMI, KHR)))
def test_both_lose_nothing(sample: Sample, spoken: tuple[Spoken, ...]) -> None:
    """A file in one dialect means the same with the other beside it."""
    gltf = written(sample, spoken)
    if not read(gltf).dialects:
        return
    result = respelled(gltf, BOTH)
    codes = {issue.code for issue in result.issues} - SAID
    assert codes <= {"limit-together", "plane-as-box"}
    assert meaning(copied(result.json)) == meaning(gltf)


def test_the_rest_of_the_document_is_as_it_is() -> None:
    """Members, their order, unknown extensions and gravity stay to the letter."""
    gltf = door()
    gltf["extensions"]["X_own"] = {"z": 1.50, "a": [1e-7, 10**20]}
    gltf["extensions"]["OMI_physics_gravity"] = {"gravity": 9.81, "direction": [0, -1, 0]}
    gltf["extensionsUsed"] += ["X_own", "OMI_physics_gravity"]
    gltf["nodes"][0]["extras"] = {"note": "\u00e9", "deep": [{}]}
    gltf["nodes"][0]["extensions"]["OMI_physics_gravity"] = {"type": "point"}
    first = deepcopy(gltf)
    result = respelled(gltf, KHR).json
    assert gltf == first
    assert result["extensions"]["X_own"] == gltf["extensions"]["X_own"]
    back = respelled(result, OMI).json
    assert json.dumps(back["nodes"]) == json.dumps(respelled(gltf, OMI).json["nodes"])
    for part in ("X_own", "OMI_physics_gravity"):
        assert back["extensions"][part] == gltf["extensions"][part]
    assert set(back["extensionsUsed"]) == set(gltf["extensionsUsed"])


def test_a_file_without_physics_stays_as_it_is() -> None:
    """And it is said that there was nothing to do."""
    gltf = {"asset": {"version": "2.0"}, "nodes": [{"name": "Lamp"}], "extensionsUsed": ["X"]}
    result = respelled(gltf, BOTH)
    assert json.dumps(result.json) == json.dumps(gltf)
    assert [issue.code for issue in result.issues] == ["no-physics"]


def test_what_only_omi_says_is_named() -> None:
    """A static body on a moving one, a trigger of all below it, and members that nobody knows."""
    gltf = door()
    gltf["nodes"][2]["children"].append(4)
    static = {"motion": {"type": "static"}, "trigger": {}, "X_own": 1}
    gltf["nodes"].append({"name": "Lock", "extensions": {BODY: static}})
    issues = [one for one in respelled(gltf, KHR).issues if one.node == 4]
    assert [one.code for one in issues] == [
        "motion-not-said",
        "trigger-not-said",
        "members-left-out",
    ]
    assert issues[0].where == '/nodes/4 "Lock"'
    assert "static -> part of the body above" in issues[0].message
    assert "X_own" in issues[2].message
    assert not [one for one in respelled(gltf, BOTH).issues if one.node == 4]


def test_static_bodies_that_become_plain_nodes_are_named() -> None:
    """Khronos' extensions have no word for them; one that a joint holds comes back."""
    gltf = door()
    static = {"motion": {"type": "static"}}
    for name in ("Post", "Wall"):
        gltf["scenes"][0]["nodes"].append(len(gltf["nodes"]))
        gltf["nodes"].append({"name": name, "extensions": {BODY: static}})
    (issue,) = [one for one in respelled(gltf, KHR).issues if one.code == "static-not-said"]
    assert "2 static bodies without a joint (Post and Wall)" in issue.message
    assert not issue.loss
    for spoken in (OMI, BOTH):
        assert "static-not-said" not in {one.code for one in respelled(gltf, spoken).issues}


def test_a_joint_beside_a_mesh_is_given_a_node() -> None:
    """KHR allows it and OMI does not; the joint is where it was."""
    gltf = copied(respelled(door(), KHR).json)
    gltf["meshes"] = [{"primitives": []}]
    gltf["nodes"][3]["mesh"] = 0
    result = respelled(gltf, OMI)
    assert [one.code for one in result.issues] == ["joint-given-node"]
    (at,) = (
        i for i, node in enumerate(result.json["nodes"]) if JOINT in node.get("extensions", {})
    )
    assert result.json["nodes"][3]["children"] == [at]
    assert result.json["nodes"][at] == {
        "name": "Door Hinge joint",
        "extensions": {JOINT: {"joint": 0, "connectedNode": 1}},
    }
    assert not read(result.json).issues
    assert [one.code for one in respelled(gltf, KHR).issues] == []


def test_the_older_form_is_brought_up_to_date() -> None:
    """Its joints come with the nodes that they need, where they were."""
    gltf = door()
    gltf["extensions"][JOINT] = {"constraints": [{"linearAxes": [0, 1, 2], "angularAxes": [0, 1]}]}
    gltf["nodes"][3]["extensions"][JOINT] = {"nodeA": 2, "nodeB": 0, "constraints": [0]}
    for spoken in (OMI, KHR, BOTH):
        result = respelled(gltf, spoken)
        assert {one.code for one in result.issues} == {"legacy-joint"}
        again = read(result.json)
        assert not again.issues
        ((_, node, joint),) = again.mechanism.joints()
        assert again.mechanism.nodes[joint.connected_node].parent == 0
        assert node.world == read(gltf).mechanism.nodes[3].world


def test_a_file_for_godot_is_only_written_as_such() -> None:
    """Its joints are other ones to everybody else."""
    gltf = door()
    gltf["extras"] = {"physics_target": "godot"}
    with pytest.raises(DocumentError, match="written for Godot"):
        respelled(gltf, BOTH)
    assert respelled(gltf, OMI).json == gltf


def test_animated_settings_that_move_are_named() -> None:
    """A pointer that leads to nothing, or to another thing, is said; one that holds is not."""
    gltf = door()
    pointer = f"/extensions/{JOINT}/physicsJoints/0/limits/2/max"
    extension = {"KHR_animation_pointer": {"pointer": pointer}}
    channel = {"sampler": 0, "target": {"path": "pointer", "extensions": extension}}
    gltf["animations"] = [{"channels": [channel], "samplers": []}]
    assert not respelled(gltf, BOTH).issues
    (issue,) = respelled(gltf, KHR).issues
    assert (issue.code, issue.where) == ("animated-setting-moved", "/animations/0/channels/0")
    assert pointer in issue.message


def test_trigger_of_nodes_needs_no_issue() -> None:
    """Both dialects say it."""
    mechanism = Mechanism(
        (Node("Zone", trigger=Trigger(nodes=(1,))), Node("Part", 0, trigger=Trigger(0))),
        shapes=(Plane(2.0, 2.0),),
    )
    gltf = {
        "asset": {"version": "2.0"},
        "nodes": [{"name": "Zone", "children": [1]}, {"name": "Part"}],
    }
    sample = Sample(mechanism, gltf)
    assert [one.code for one in respelled(written(sample, KHR), OMI).issues] == ["plane-as-box"]
