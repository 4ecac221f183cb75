# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of the older form: constraints, nodeA and nodeB."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from omi_documents import body, codes

from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.issue import has_errors
from omi_physics_joint.model.joint import Limit

JOINT = "OMI_physics_joint"
PIN = Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0, damping=1.0)


def document(joint: dict[str, Any], *constraints: Any) -> dict[str, Any]:
    """Return two bodies and a joint node beside them, as the older examples had them."""
    return {
        "extensionsUsed": ["OMI_physics_body", JOINT],
        "extensions": {JOINT: {"constraints": list(constraints)}},
        "nodes": [
            {"name": "Pin", "translation": [1, 2, 3], "extensions": {JOINT: joint}},
            {
                "name": "A",
                "translation": [5, 0, 0],
                "extensions": body({"motion": {"type": "dynamic"}}),
            },
            {"name": "B", "extensions": body({"motion": {"type": "dynamic"}})},
        ],
    }


def test_a_joint_beside_its_bodies_gets_two_nodes() -> None:
    """New nodes below both bodies stand where the joint stood; the first carries it."""
    gltf = document({"constraints": [0], "nodeA": 1, "nodeB": 2}, {"linearAxes": [0, 1, 2]})
    reading = read(gltf)
    nodes = reading.mechanism.nodes
    assert codes(reading) == ["legacy-joint"]
    assert not has_errors(reading.issues)
    assert [node.joint is not None for node in nodes] == [False, False, False, False, True]
    joint = nodes[4].joint
    assert joint is not None
    assert (nodes[4].parent, nodes[joint.connected_node].parent) == (1, 2)
    assert nodes[4].world == nodes[joint.connected_node].world == nodes[0].world
    assert reading.mechanism.settings_of(joint).limits == (PIN,)


def test_a_joint_below_its_first_body_stays() -> None:
    """Where the joint node is below nodeA it carries the joint itself."""
    gltf = document({"constraints": [0], "nodeA": 1, "nodeB": 2}, {"linearAxes": [0, 1, 2]})
    gltf["nodes"][1]["children"] = [0]
    mechanism = read(gltf).mechanism
    assert len(mechanism.nodes) == 4
    joint = mechanism.nodes[0].joint
    assert joint is not None
    assert mechanism.nodes[joint.connected_node].parent == 2
    assert mechanism.nodes[joint.connected_node].world == mechanism.nodes[0].world


def test_constraints_have_the_older_members_and_defaults() -> None:
    """Limits at zero, rigid, damping 1 unless said; by index or inside the joint."""
    inline = {"angularAxes": [2], "lowerLimit": -1, "upperLimit": 2, "stiffness": 5, "damping": 0}
    gltf = document(
        {"constraints": [1, inline, 0.0], "nodeA": 1, "nodeB": 2, "enableCollision": True},
        {"linearAxes": [0, 1, 2]},
        {"angularAxes": [0], "upperLimit": 0.5, "stiffness": -1},
    )
    mechanism = read(gltf).mechanism
    (_, _, joint) = next(mechanism.joints())
    assert joint.enable_collision
    assert mechanism.settings_of(joint).limits == (
        Limit(angular_axes=(0,), min=0.0, max=0.5, stiffness=inf, damping=1.0),
        Limit(angular_axes=(2,), min=-1.0, max=2.0, stiffness=5.0, damping=0.0),
        PIN,
    )


def test_joints_with_the_same_constraints_share_their_settings() -> None:
    """A rope of older joints becomes a rope on one settings object."""
    gltf = document({"constraints": [0], "nodeA": 1, "nodeB": 2}, {"linearAxes": [0, 1, 2]})
    same = {"constraints": [{"linearAxes": [0, 1, 2]}], "nodeA": 2, "nodeB": 1}
    gltf["nodes"].append({"extensions": {JOINT: same}})
    mechanism = read(gltf).mechanism
    assert len(mechanism.settings) == 1
    assert [joint.settings for _, _, joint in mechanism.joints()] == [0, 0]


@pytest.mark.parametrize("ends", [{"nodeA": 1}, {"nodeA": -1, "nodeB": 2}])
def test_a_joint_to_the_world_gets_a_static_body(ends: dict[str, int]) -> None:
    """Where one body is missing, a static one stands in for the world."""
    reading = read(document({"constraints": [0], **ends}, {"linearAxes": [0, 1, 2]}))
    assert codes(reading) == ["legacy-joint", "joint-to-world"]
    mechanism = reading.mechanism
    (index, _, joint) = next(mechanism.joints())
    ends_found = {mechanism.body_of(index), mechanism.body_of(joint.connected_node)}
    (made,) = ends_found - set(ends.values())
    assert made is not None
    motion = mechanism.nodes[made].motion
    assert motion is not None
    assert motion.type is MotionType.STATIC


@pytest.mark.parametrize(
    ("joint", "code"),
    [
        ({"constraints": [], "nodeA": 1, "nodeB": 2}, "missing-member"),
        ({"constraints": 0, "nodeA": 1, "nodeB": 2}, "wrong-type"),
        ({"constraints": [3], "nodeA": 1, "nodeB": 2}, "index-out-of-range"),
        ({"constraints": [True], "nodeA": 1, "nodeB": 2}, "wrong-type"),
        ({"constraints": [float("inf")], "nodeA": 1, "nodeB": 2}, "index-out-of-range"),
        ({"constraints": [1], "nodeA": 1, "nodeB": 2}, "index-out-of-range"),
        ({"constraints": [0], "nodeA": 1, "nodeB": 9}, "index-out-of-range"),
        ({"constraints": [0], "nodeA": "x", "nodeB": 2}, "wrong-type"),
        ({"constraints": [0], "nodeA": 1, "nodeB": 1}, "connected-to-itself"),
        ({"constraints": [0]}, "connected-to-itself"),
    ],
)
def test_older_joints_that_join_nothing_are_left_out(joint: dict[str, Any], code: str) -> None:
    """A fault of an older joint is listed and nothing is made for it."""
    gltf = document(joint, {"linearAxes": [0]}, {"linearAxes": [1], "lowerLimit": 1})
    reading = read(gltf)
    assert code in codes(reading)
    assert "limit-reversed" in codes(reading)
    assert list(reading.mechanism.joints()) == []
    assert len(reading.mechanism.nodes) == 3


@pytest.mark.parametrize("name", ["Pin", None])
def test_new_nodes_are_named_after_the_node_of_the_joint(name: str | None) -> None:
    """One without a name leaves no space before the word that says what they are."""
    gltf = document({"constraints": [0], "nodeA": 1, "nodeB": 2}, {"linearAxes": [0, 1, 2]})
    gltf["nodes"][0] |= {"name": name} if name else {}
    if name is None:
        del gltf["nodes"][0]["name"]
    new = [node.name for node in read(gltf).mechanism.nodes[3:]]
    assert new == (["Pin attachment", "Pin joint"] if name else ["attachment", "joint"])
