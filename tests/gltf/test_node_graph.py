# SPDX-License-Identifier: GPL-3.0-or-later
"""The node hierarchy: poses in the world, and hierarchies that are none."""

from __future__ import annotations

from typing import Any

import pytest
from omi_documents import codes

from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.geometry.transform import IDENTITY, translation_of


def nodes(*items: Any) -> dict[str, Any]:
    """Return a document with these nodes."""
    return {"asset": {"version": "2.0"}, "nodes": list(items)}


def test_poses_are_composed_from_the_root_down() -> None:
    """A quarter turn about Y and a scale of the parent act on the child's translation."""
    half = 0.5**0.5
    reading = read(
        nodes(
            {"translation": [0, 0, 1], "scale": [2, 2, 2]},
            {"children": [0], "translation": [1, 0, 0], "rotation": [0, half, 0, half]},
        )
    )
    assert reading.issues == ()
    child = reading.mechanism.nodes[0]
    assert child.parent == 1
    assert translation_of(child.world) == pytest.approx((2.0, 0.0, 0.0))
    assert child.world[2][0] == pytest.approx(-2.0)


def test_a_matrix_is_column_major() -> None:
    """The last four numbers of a matrix begin with the translation."""
    matrix = [2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1]
    world = read(nodes({"matrix": matrix})).mechanism.nodes[0].world
    assert translation_of(world) == (5.0, 6.0, 7.0)
    assert [world[i][i] for i in range(4)] == [2.0, 3.0, 4.0, 1.0]


@pytest.mark.long
def test_a_very_deep_hierarchy_is_read() -> None:
    """Thousands of nested nodes are composed without recursion."""
    count = 5000
    items: list[dict[str, Any]] = [{"translation": [0, 0, 1]} for _ in range(count)]
    for index in range(1, count):
        items[index]["children"] = [index - 1]
    mechanism = read(nodes(*items)).mechanism
    assert translation_of(mechanism.nodes[0].world) == (0.0, 0.0, count)


def test_a_second_parent_does_not_count() -> None:
    """The first of two parents counts, and the second is an error at the child."""
    reading = read(nodes({"children": [2]}, {"children": [2]}, {"name": "Child"}))
    assert reading.mechanism.nodes[2].parent == 0
    assert codes(reading) == ["two-parents"]
    assert reading.issues[0].where == '/nodes/2 "Child"'


@pytest.mark.parametrize(
    ("children", "parents"),
    [
        ({0: [0]}, [None]),
        ({0: [1], 1: [0]}, [None, 0]),
        ({0: [1], 1: [2], 2: [0], 3: [3]}, [None, 0, 1, None]),
        ({1: [2], 2: [3], 3: [1], 4: [0]}, [4, None, 1, 2, None]),
    ],
)
def test_loops_are_cut_once(children: dict[int, list[int]], parents: list[int | None]) -> None:
    """Every loop loses one link, above its lowest node, and all nodes have a pose."""
    items = [{"children": children[i]} if i in children else {} for i in range(len(parents))]
    reading = read(nodes(*items))
    assert [node.parent for node in reading.mechanism.nodes] == parents
    assert set(codes(reading)) == {"parent-cycle"}
    assert all(node.world == IDENTITY for node in reading.mechanism.nodes)


def test_nodes_that_are_none_keep_their_place() -> None:
    """Indices of the mechanism stay those of the file whatever stands between."""
    reading = read(nodes(None, {"name": 5}, {"name": "C", "children": [0, 9, "1", True, 0]}))
    assert [node.name for node in reading.mechanism.nodes] == ["", "", "C"]
    assert reading.mechanism.nodes[0].parent == 2
    assert codes(reading) == [
        "wrong-type",
        "wrong-type",
        "index-out-of-range",
        "wrong-type",
        "wrong-type",
        "duplicate-item",
    ]


@pytest.mark.parametrize(
    ("node", "code"),
    [
        ({"translation": [0, 0]}, "wrong-type"),
        ({"translation": [0, float("inf"), 0]}, "not-finite"),
        ({"rotation": [0, 0, 0, 0]}, "zero-quaternion"),
        ({"matrix": [1, 2]}, "wrong-type"),
        (
            {"matrix": [float(i % 5 == 0) for i in range(16)], "scale": [2, 2, 2]},
            "matrix-and-parts",
        ),
    ],
)
def test_wrong_transforms_are_listed(node: dict[str, Any], code: str) -> None:
    """A transform that is none is one error, and the node is where its parent is."""
    reading = read(nodes(node))
    assert codes(reading) == [code]
    assert reading.mechanism.nodes[0].world == IDENTITY


def test_a_pose_beyond_all_numbers_is_taken_as_the_origin() -> None:
    """Scales that multiply to infinity are an error and leave no infinity behind."""
    reading = read(
        nodes(
            {"scale": [1e200, 1, 1], "children": [1]},
            {"scale": [1e200, 1, 1], "translation": [1e200, 0, 0]},
        )
    )
    assert codes(reading) == ["transform-not-finite"]
    assert reading.mechanism.nodes[1].world == IDENTITY


def test_names_are_one_line_in_every_message() -> None:
    """A name with line breaks or half a surrogate pair makes no second line and can be written."""
    reading = read(nodes({"name": "a\nb\u2028c\ud800", "children": [7]}))
    line = str(reading.issues[0])
    assert len(line.splitlines()) == 1
    assert line.encode("utf-8")
    assert reading.mechanism.nodes[0].name == "a\nb\u2028c?"


def test_each_node_knows_its_scene_where_there_are_scenes() -> None:
    """By the root above it; one in two scenes is of the first, and one in none of neither."""
    document = nodes({"children": [1]}, {}, {}, {}, {})
    one = [{"nodes": [0]}]
    two = [{"nodes": [2, 3]}, {"nodes": [0, 3, 99, None]}]
    found = {}
    for name, scenes in (("none", []), ("one", one), ("two", two)):
        read_in = read({**document, "scenes": scenes}).mechanism
        found[name] = [node.scene for node in read_in.nodes]
    assert found == {"none": [0] * 5, "one": [0, 0, -1, -1, -1], "two": [1, 1, 0, 0, -1]}
