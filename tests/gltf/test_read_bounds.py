# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds of meshes as the accessors of a file say them."""

from __future__ import annotations

from math import isclose
from typing import Any

import pytest
from omi_documents import door

from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.geometry.extent import collider_box
from omi_physics_joint.model.solid import Bounds
from omi_physics_joint.model.validate import check


def meshed(*accessors: dict[str, Any]) -> dict[str, Any]:
    """Return the door with one mesh that has a primitive for each of these accessors."""
    gltf = door()
    gltf["accessors"] = [{"componentType": 5126, "type": "VEC3", **a} for a in accessors]
    primitives = [{"attributes": {"POSITION": i}} for i in range(len(accessors))]
    gltf["meshes"] = [{"primitives": primitives}]
    gltf["nodes"][2]["mesh"] = 0
    return gltf


def test_bounds_are_around_all_primitives() -> None:
    """A mesh of two primitives reaches from the lowest to the highest corner of both."""
    gltf = meshed(
        {"min": [0.0, -1.0, 2.0], "max": [1.0, 0.0, 3.0]},
        {"min": [-2.0, 0.0, 2.5], "max": [0.5, 4.0, 2.5]},
    )
    reading = read(gltf)
    assert reading.issues == ()
    assert reading.mechanism.nodes[2].bounds == Bounds((-2.0, -1.0, 2.0), (1.0, 4.0, 3.0))
    assert [node.bounds for node in reading.mechanism.nodes].count(None) == 3


def test_normalized_bounds_are_divided_like_the_numbers_themselves() -> None:
    """Positions in 16 bits that stand for -1 to 1 have bounds between -1 and 1."""
    short = {"componentType": 5122, "normalized": True}
    gltf = meshed({**short, "min": [-32767, 0, 0], "max": [32767, 32767, 0]})
    assert read(gltf).mechanism.nodes[2].bounds == Bounds((-1.0, 0.0, 0.0), (1.0, 1.0, 0.0))


@pytest.mark.parametrize("component", [5120, 5121, 5122, 5123, 5126])
def test_bounds_of_whole_numbers_are_those_numbers(component: int) -> None:
    """Quantized places count in units of their node; floats are no parts of a largest one."""
    for said in ({}, {"normalized": False}, {"normalized": component == 5126}):
        gltf = meshed({"componentType": component, **said, "min": [0, 1, 2], "max": [100, 50, 3]})
        wanted = Bounds((0.0, 1.0, 2.0), (100.0, 50.0, 3.0))
        assert read(gltf).mechanism.nodes[2].bounds == wanted


@pytest.mark.parametrize(
    "accessor",
    [
        {},
        {"min": [0.0, 0.0, 0.0]},
        {"min": [0.0, 0.0], "max": [1.0, 1.0]},
        {"min": [0.0, 0.0, "a"], "max": [1.0, 1.0, 1.0]},
        {"min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 1e999]},
    ],
)
def test_what_says_no_sound_bounds_has_none(accessor: dict[str, Any]) -> None:
    """Meshes are not judged here: no bounds and no issue."""
    reading = read(meshed(accessor))
    assert reading.mechanism.nodes[2].bounds is None
    assert reading.issues == ()


@pytest.mark.parametrize("mesh", [7, -1, "a", None, [0]])
def test_a_node_may_point_at_any_nonsense(mesh: object) -> None:
    """A mesh that is not there has no bounds."""
    gltf = door()
    gltf["nodes"][2]["mesh"] = mesh
    for meshes in ([], "a", [3], [{"primitives": [{"attributes": {"POSITION": 9}}]}]):
        gltf["meshes"] = meshes
        assert read(gltf).mechanism.nodes[2].bounds is None


@pytest.mark.parametrize("drawn", [None, 0, 1])
def test_a_collider_takes_the_room_of_its_own_mesh(drawn: int | None) -> None:
    """A hull that is drawn, or not, or below another mesh; what is drawn is known beside it."""
    sheet, block = ((-2.0, 0.0, 2.5), (0.5, 4.0, 2.5)), ((-2.0, 0.0, 2.5), (9.0, 9.0, 9.0))
    both = [{"min": [*low], "max": [*high]} for low, high in (sheet, block)]
    gltf = meshed(*both)
    gltf["meshes"] = [{"primitives": [{"attributes": {"POSITION": at}}]} for at in range(2)]
    del gltf["nodes"][2]["mesh"]
    gltf["nodes"][2] |= {} if drawn is None else {"mesh": drawn}
    for mesh, room in enumerate((sheet, block)):
        shape = {"type": "convex", "convex": {"mesh": mesh}}
        gltf["extensions"]["OMI_physics_shape"]["shapes"] = [shape]
        mechanism = read(gltf).mechanism
        node = mechanism.nodes[2]
        assert node.bounds == (None if drawn is None else Bounds(*(sheet, block)[drawn]))
        assert mechanism.room_of(node) == Bounds(*room)
        assert ("mesh-flat" in {one.code for one in check(mechanism)}) is (mesh == 0)
        low, high = collider_box(mechanism, node)
        assert isclose(high[1] - low[1], room[1][1] - room[0][1])
