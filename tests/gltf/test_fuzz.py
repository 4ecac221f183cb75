# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever the JSON, reading never raises, and what was read can be checked and written."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from omi_documents import FIXED, body, door

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.write import patched, spell

SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 8))]
ROUNDS = 120
NASTY: list[Any] = [
    None,
    True,
    False,
    -1,
    0,
    1,
    3,
    10**400,
    0.5,
    -0.0,
    1e300,
    float("inf"),
    float("-inf"),
    float("nan"),
    "",
    "linear",
    "\ud800\n",
    [],
    {},
    [[]],
    [0, 0, 0, 0],
    {"extras": {}},
    [None, {}],
]


def rich() -> dict[str, Any]:
    """Return a document that uses everything, the older form of joints too."""
    gltf = door()
    extensions = gltf["extensions"]
    extensions["OMI_physics_body"] = {
        "physicsMaterials": [{"name": "Ice", "staticFriction": 0.1, "frictionCombine": "minimum"}],
        "collisionFilters": [{"collisionSystems": ["a"], "collideWithSystems": ["b"]}],
    }
    joint = extensions["OMI_physics_joint"]
    joint["constraints"] = [{"linearAxes": [0], "lowerLimit": -1, "upperLimit": 1}]
    joint["physicsJoints"][0]["drives"] = [
        {"type": "linear", "mode": "force", "axis": 2, "velocityTarget": 1, "maxForce": 2},
        {"type": "X", "mode": "force", "axis": 0},
    ]
    joint["physicsJoints"].append({"limits": [copy.deepcopy(FIXED)]})
    extensions["OMI_physics_shape"]["shapes"] += [
        {"type": "capsule", "capsule": {"height": 1, "radius": 0.5}},
        {"type": "convex", "convex": {"mesh": 0}},
    ]
    gltf["meshes"] = [{"name": "Hull"}]
    gltf["asset"]["generator"] = "Godot Engine"
    older = {"constraints": [0, {"angularAxes": [1]}], "nodeA": 0, "nodeB": 2}
    trigger = {"trigger": {"nodes": [1, 2]}}
    motion = {"type": "kinematic", "mass": 2, "inertiaOrientation": [0, 0, 0, 1]}
    gltf["nodes"] += [
        {"name": "Old", "extensions": {"OMI_physics_joint": older}},
        {"name": "Zone", "children": [6], "extensions": body(trigger)},
        {"matrix": [float(i % 5 == 0) for i in range(16)], "extensions": body({"motion": motion})},
    ]
    return gltf


def in_both() -> dict[str, Any]:
    """Return the same document with Khronos' extensions too, the way they were in older drafts."""
    gltf = rich()
    gltf["nodes"].append({"mesh": 0})
    mechanism = read(gltf).mechanism
    count = {i: i for i in range(len(mechanism.nodes))}
    spelling = spell(mechanism, Numbering(count, {0: 0}, {0: [7]}), spoken=tuple(Spoken))
    both: dict[str, Any] = json.loads(json.dumps(patched(gltf, spelling)))
    convex = {"geometry": {"node": 7, "convexHull": True}}
    both["nodes"][4]["extensions"] = {"KHR_physics_rigid_bodies": {"collider": convex}}
    shapes = both["extensions"]["KHR_implicit_shapes"]["shapes"]
    shapes.append({"type": "plane", "plane": {"sizeX": 1.0}})
    return both


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return every container of a JSON value with each of its keys."""
    found: list[tuple[Any, Any]] = []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        found.append((value, key))
        if isinstance(item, dict | list):
            found += places(item)
    return found


def check_all(gltf: dict[str, Any]) -> None:
    """Read a document, look at every issue, and write what was read."""
    before = repr(gltf)
    reading = read(gltf)
    assert repr(gltf) == before
    mechanism = reading.mechanism
    items = gltf.get("nodes")
    assert len(mechanism.nodes) >= (len(items) if isinstance(items, list) else 0)
    for issue in reading.issues:
        assert len(str(issue).splitlines()) == 1
        assert str(issue).encode("utf-8")
        assert issue.node is None or 0 <= issue.node < len(mechanism.nodes)
    for index, node, joint in mechanism.joints():
        assert 0 <= joint.settings < len(mechanism.settings)
        assert 0 <= joint.connected_node < len(mechanism.nodes)
        assert joint.connected_node != index
        assert len(list(mechanism.ancestry(index))) <= len(mechanism.nodes)
        assert node.name.encode("utf-8") is not None
    same = {i: i for i in range(len(mechanism.nodes))}
    spelling = spell(mechanism, Numbering(same, {i: i for i in range(9)}), spoken=tuple(Spoken))
    json.dumps([spelling.document, spelling.nodes], allow_nan=False)
    patched(gltf, spelling)


@pytest.mark.parametrize("document", [rich, pytest.param(in_both, marks=pytest.mark.long)])
@pytest.mark.parametrize("seed", SEEDS)
def test_mutated_documents_never_raise(seed: int, document: Callable[[], dict[str, Any]]) -> None:
    """Values replaced, removed, doubled and swapped at random end in issues at worst."""
    chance = random.Random(seed)
    whole = document()
    for _ in range(ROUNDS):
        gltf = copy.deepcopy(whole)
        for _ in range(chance.randint(1, 4)):
            container, key = chance.choice(places(gltf))
            action = chance.randrange(4)
            if action == 0:
                del container[key]
            elif action == 1 and isinstance(container, list):
                container.append(copy.deepcopy(container[key]))
            elif action == 2:
                other, other_key = chance.choice(places(gltf))
                container[key] = copy.deepcopy(other[other_key])
            else:
                container[key] = copy.deepcopy(chance.choice(NASTY))
        check_all(gltf)


@pytest.mark.long
def test_each_value_replaced_by_each_nasty_one_never_raises() -> None:
    """Every single value of a full document, replaced by every nasty one, is survived."""
    gltf = rich()
    for container, key in places(gltf):
        sound = container[key]
        for nasty in NASTY:
            container[key] = copy.deepcopy(nasty)
            read(gltf)
        container[key] = sound


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["nodes", "extensions", "OMI_physics_joint", "OMI_physics_body", "a"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@pytest.mark.long
@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from(["nodes", "extensions", "asset", "meshes"]), JSON))
def test_any_json_object_never_raises(gltf: dict[str, Any]) -> None:
    """Documents that have nothing of glTF but some names are survived."""
    check_all(gltf)
