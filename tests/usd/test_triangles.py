# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of a stage that become triangles fill the room that their schema says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pxr")
from pxr import Usd, UsdGeom

from omi_physics_joint.usd import stage as stages
from omi_physics_joint.usd.reading.builder import StageReading
from omi_physics_joint.usd.reading.nodes import triangles_of

SIZES = {
    "Cube": {"Size": 3.0},
    "Sphere": {"Radius": 2.0},
    "Plane": {"Width": 2.0, "Length": 5.0},
    "Cylinder": {"Radius": 0.5, "Height": 3.0},
    "Capsule": {"Radius": 0.5, "Height": 3.0},
    "Cone": {"Radius": 0.5, "Height": 3.0},
}
WITHOUT_AXIS = ("Cube", "Sphere")


@pytest.mark.parametrize(
    ("kind", "axis"),
    [(kind, axis) for kind in SIZES for axis in ("" if kind in WITHOUT_AXIS else "XYZ")]
    + [(kind, "") for kind in WITHOUT_AXIS],
)
def test_triangles_have_the_extent_of_their_shape(kind: str, axis: str, tmp_path: Path) -> None:
    """Along every axis, as pxr itself computes it; faces of what is round lie a little inside."""
    stage: Any = Usd.Stage.CreateNew(str(tmp_path / "shape.usda"))
    shape = getattr(UsdGeom, kind).Define(stage, "/Shape")
    for name, size in SIZES[kind].items():
        getattr(shape, f"Create{name}Attr")(size)
    if axis:
        shape.CreateAxisAttr(axis)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.Save()
    values = StageReading(stages.read(tmp_path / "shape.usda"))
    found = triangles_of(values, values.prims["/Shape"])
    assert found is not None
    points = np.array(found.points)
    extent = np.array(UsdGeom.Boundable.ComputeExtentFromPlugins(shape, Usd.TimeCode.Default()))
    np.testing.assert_allclose([points.min(0), points.max(0)], extent, rtol=0.05, atol=0.05)
