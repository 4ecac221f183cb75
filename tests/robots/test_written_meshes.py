# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that are shown and solid, as models of MuJoCo have them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.shape import Convex
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.robot import Surface
from omi_physics_joint.robots.surfaces import thickened
from tests.robots.test_write import door


@pytest.mark.parametrize(("aside", "count"), [(0.0, 1), (1e-9, 1), (0.01, 2)])
def test_what_is_shown_and_solid_alike_is_one_geom(
    aside: float, count: int, tmp_path: Path
) -> None:
    """A mesh that differs is drawn beside the solid one."""
    corners = ((0.5, 0.5, 0.5), (1.5, 0.5, 0.5), (0.5, 1.5, 0.5), (0.5, 0.5, 1.5))
    faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    seen = tuple((x + aside, y, z) for x, y, z in corners)
    base = door(hinge(1)).mechanism
    mechanism = replace(base, shapes=(Convex(0),), meshes=("solid", "seen"))
    meshes = (Triangles(corners, faces), Triangles(seen, faces))
    contents = Contents(mechanism, meshes, shown={4: 1})
    package, _ = write_mjcf(contents, tmp_path / "x.xml")
    found = [one.get("name", "") for one in ElementTree.fromstring(package.main).iter("geom")]
    assert len([one for one in found if one.startswith("leaf")]) == count


def test_both_sides_of_a_plate_face_outwards() -> None:
    """Away from the sheet that it was made of, wherever that stands."""
    corners = ((20.0, 3.0, -7.0), (21.0, 3.0, -7.0), (20.0, 4.0, -6.5), (21.0, 4.0, -6.5))
    plate = thickened(Surface("sheet", corners, ((0, 1, 2), (1, 3, 2))))
    middle = np.mean(corners, axis=0)
    points = np.array(plate.points)
    assert len(plate.triangles) == 4
    for triangle in plate.triangles:
        a, b, c = points[list(triangle)]
        assert np.cross(b - a, c - a) @ (a - middle) > 0.0
