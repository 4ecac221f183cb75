# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of a file follow a mechanism that was spelled anew: names, places, parents, new nodes."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from omi_physics_joint.blender.gltf_hooks.exported.file_nodes import (
    FileTree,
    FrameNode,
    follow,
    made,
    write_placement,
)
from omi_physics_joint.model.geometry.frames import Placement
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose, multiply
from omi_physics_joint.model.mechanism import Mechanism, Node

PARENTS = (None, 0, 1, 1, 0, None)


def placement(chosen: random.Random) -> Placement:
    """Return a place up to 20 m away, turned anyhow and scaled unevenly."""
    turn = np.array([chosen.gauss(0.0, 1.0) for _ in range(4)])
    place = tuple(chosen.uniform(-20.0, 20.0) for _ in range(3))
    scale = tuple(chosen.uniform(0.5, 2.0) for _ in range(3))
    return Placement(place, tuple((turn / np.linalg.norm(turn)).tolist()), scale)


def file_of(chosen: random.Random) -> tuple[SimpleNamespace, list[Node]]:
    """Return a file of a few nodes below one another, and the same as nodes of a mechanism."""
    nodes: list[Node] = []
    written = []
    for index, parent in enumerate(PARENTS):
        local = placement(chosen)
        above = IDENTITY if parent is None else nodes[parent].world
        world = multiply(above, compose(local.translation, local.rotation, local.scale))
        nodes.append(Node(f"Node {index}", parent, world))
        below = [child for child, one in enumerate(PARENTS) if one == index]
        written.append(made(FrameNode, name=f"Node {index}", children=below))
        write_placement(written[-1], local)
    roots = [index for index, parent in enumerate(PARENTS) if parent is None]
    return SimpleNamespace(nodes=written, scenes=[SimpleNamespace(nodes=roots)]), nodes


def somewhere(chosen: random.Random) -> Matrix:
    """Return a place anywhere, without a scale."""
    found = placement(chosen)
    return compose(found.translation, found.rotation)


def assert_same(gltf: SimpleNamespace, after: Mechanism, indices: dict[int, int]) -> None:
    """Compare names, places and parents of a file with those of a mechanism; holders aside."""
    tree = FileTree(gltf, ())
    for node, one in enumerate(after.nodes):
        index = indices[node]
        assert gltf.nodes[index].name == one.name
        chain = [index]
        while chain[-1] in tree.parents:
            chain.append(tree.parents[chain[-1]])
        world = np.eye(4)
        for step in chain:
            world = np.array(tree.local(step)) @ world
        np.testing.assert_allclose(world, np.array(one.world), atol=1e-9)
        known = {place: which for which, place in indices.items()}
        above = [known[step] for step in chain[1:] if step in known]
        assert (above[0] if above else None) == one.parent


@pytest.mark.parametrize("seed", range(8))
def test_the_file_says_what_the_mechanism_says(seed: int) -> None:
    """Renamed, put elsewhere or below others, and with new ones below those and each other."""
    chosen = random.Random(seed)
    gltf, nodes = file_of(chosen)
    before = Mechanism(tuple(nodes))
    nodes[2] = replace(nodes[2], name="Renamed", world=somewhere(chosen))
    nodes[3] = replace(nodes[3], parent=None)
    nodes[4] = replace(nodes[4], parent=5)
    for parent in (2, len(nodes), len(nodes) + 1, 4):
        nodes.append(Node(f"New {len(nodes)}", parent, somewhere(chosen)))
    after = Mechanism(tuple(nodes))
    assert_same(gltf, after, follow(gltf, before, after, {one: one for one in range(6)}))


@pytest.mark.parametrize("seed", range(8))
def test_what_a_scaled_body_shows_moves_into_a_node_of_its_own(seed: int) -> None:
    """That node may have new ones below it, and what is joined to the body stays directly below."""
    chosen = random.Random(seed)
    gltf, nodes = file_of(chosen)
    before = Mechanism(tuple(nodes))
    what = {"mesh": 7, "skin": 8, "weights": [0.25], "camera": 9}
    vars(gltf.nodes[1]).update(what)
    shown = nodes[1].world
    nodes[1] = replace(nodes[1], world=somewhere(chosen))
    nodes += [Node("Shown", 1, shown), Node("Below", len(nodes), somewhere(chosen))]
    after = Mechanism(tuple(nodes))
    indices = follow(gltf, before, after, {one: one for one in range(6)})
    assert_same(gltf, after, indices)
    assert what.items() <= vars(gltf.nodes[indices[6]]).items()
    assert not what.keys() & gltf.nodes[indices[1]].to_dict().keys()


@pytest.mark.parametrize("seed", range(4))
def test_what_a_scaled_body_shows_moves_once(seed: int) -> None:
    """Of two new nodes where it stood, one takes what it shows, and each child hangs on one."""
    chosen = random.Random(seed)
    gltf, nodes = file_of(chosen)
    before = Mechanism(tuple(nodes))
    gltf.nodes[1].mesh = 7
    shown = nodes[1].world
    nodes[1] = replace(nodes[1], world=somewhere(chosen))
    nodes += [Node("Shown", 1, shown), Node("Again", 1, shown)]
    after = Mechanism(tuple(nodes))
    indices = follow(gltf, before, after, {one: one for one in range(6)})
    assert_same(gltf, after, indices)
    assert [index for index, one in enumerate(gltf.nodes) if one.mesh == 7] == [indices[6]]
    below = [child for one in gltf.nodes for child in one.children or ()]
    assert len(below) == len({*below})


def test_what_hangs_below_its_new_parent_already_stays_where_it_hangs() -> None:
    """What is between them, as an empty that an artist keeps things below, is not taken apart."""
    gltf, nodes = file_of(random.Random(1))
    before = Mechanism(tuple(nodes))
    nodes[2] = replace(nodes[2], parent=0)
    follow(gltf, before, Mechanism(tuple(nodes)), {one: one for one in range(6) if one != 1})
    assert gltf.nodes[1].children == [2, 3]
    assert gltf.nodes[0].children == [1, 4]


@pytest.mark.parametrize("above", [None, 0, 4])
def test_what_goes_below_something_that_is_in_no_file_stays_where_it_is(above: int | None) -> None:
    """A body that is not exported has no node to hang on; what has no parent any more has none."""
    gltf, nodes = file_of(random.Random(2))
    before = Mechanism(tuple(nodes))
    nodes[3] = replace(nodes[3], parent=above)
    follow(gltf, before, Mechanism(tuple(nodes)), {one: one for one in range(6) if one != 4})
    assert gltf.nodes[1].children == ([2] if above is None else [2, 3])
