# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that are shown and solid, as models of MuJoCo have them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from omi_physics_joint.model.body import Collider, Combine, PhysicsMaterial
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import compose, multiply
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.shape import Convex
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.robots.mesh_files import read_mesh
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.robot import Surface
from omi_physics_joint.robots.surfaces import thickened
from tests.model.building import changed
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


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (-2.0, 1.0, 1.0), (-1.0, -3.0, 1.0)])
def test_a_mesh_of_a_mirrored_body_faces_outwards(
    scale: tuple[float, float, float], tmp_path: Path
) -> None:
    """As large as its scale makes it, and never inside out."""
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    base = door(hinge(1)).mechanism
    moved = base.nodes[4]
    world = multiply(moved.world, compose(scale=scale))
    mechanism = replace(changed(base, 4, world=world), shapes=(Convex(0),), meshes=("solid",))
    contents = Contents(mechanism, (Triangles(corners, faces),))
    ((_, data),) = write_mjcf(contents, tmp_path / "x.xml")[0].sides.items()
    (tmp_path / "x.stl").write_bytes(bytes(data))
    read = read_mesh(tmp_path / "x.stl")
    points = np.array(read.points)[np.array(read.triangles)]
    volume = np.einsum("ij,ij->", points[:, 0], np.cross(points[:, 1], points[:, 2])) / 6.0
    assert volume == pytest.approx(abs(scale[0] * scale[1] * scale[2]) / 6.0)


@pytest.mark.parametrize("combine", list(Combine))
@pytest.mark.parametrize("bounce", [0.0, 0.5])
@pytest.mark.parametrize("other", [0.5, 0.75])
def test_materials_that_combine_otherwise_are_named(
    combine: Combine, bounce: float, other: float, tmp_path: Path
) -> None:
    """MuJoCo takes the larger friction; where all is of one, however it combines is the same."""
    base = door(hinge(1)).mechanism
    materials = (
        PhysicsMaterial("", 0.5, 0.5, bounce, combine),
        PhysicsMaterial("", other, other, 0.0, Combine.MAXIMUM),
    )
    solid = next(index for index, node in enumerate(base.nodes) if node.collider is not None)
    collider = replace(base.nodes[solid].collider or Collider(0), physics_material=0)
    base = changed(base, solid, collider=collider)
    beside = next(index for index, _ in base.motions() if index != solid)
    base = changed(base, beside, collider=replace(collider, physics_material=1))
    contents = Contents(replace(base, physics_materials=materials))
    codes = {one.code for one in write_mjcf(contents, tmp_path / "x.xml")[1]}
    is_alike = combine is Combine.MAXIMUM or other == 0.5
    assert ("mjcf-combine" in codes) is (bounce > 0.0 or not is_alike)
