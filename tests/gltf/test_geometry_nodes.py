# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry that is named by a node with a mesh."""

from __future__ import annotations

import pytest

from omi_physics_joint.gltf.read import read

BODY = "KHR_physics_rigid_bodies"


@pytest.mark.parametrize(("mesh", "is_there"), [(0, True), (1, True), (2, False), (-1, False)])
def test_a_mesh_that_is_not_there_is_no_geometry(mesh: int, is_there: bool) -> None:
    """One past the last as little as any other."""
    part = {"collider": {"geometry": {"node": 1, "convexHull": True}}}
    gltf = {
        "asset": {"version": "2.0"},
        "extensionsUsed": [BODY],
        "nodes": [{"name": "Thing", "extensions": {BODY: part}}, {"mesh": mesh}],
        "meshes": [{}, {}],
    }
    reading = read(gltf)
    assert bool(reading.mechanism.shapes) is is_there
    assert ("geometry-without-mesh" in {one.code for one in reading.issues}) is not is_there
