# SPDX-License-Identifier: GPL-3.0-or-later
"""Masses, centres and inertias of random stages, as ``pxr`` itself computes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pxr")
from pxr import Gf, Usd, UsdGeom, UsdPhysics

from omi_physics_joint.solver.reading.bodies import read_bodies
from omi_physics_joint.usd import stage
from omi_physics_joint.usd.reading.read import contents_of

if not hasattr(UsdPhysics.RigidBodyAPI, "MassInformation"):
    pytest.skip("this pxr cannot be told what shapes weigh", allow_module_level=True)

Array = Any


def turned(random: np.random.Generator) -> Any:
    """Return a rotation."""
    x, y, z, w = (random.normal(size=4)).tolist()
    return Gf.Quatd(w, x, y, z).GetNormalized()


def matrix(rotation: Any) -> Array:
    """Return a rotation as a matrix that turns columns."""
    return np.array(Gf.Matrix3d(Gf.Quatd(rotation))).T


def place(prim: Any, random: np.random.Generator, scale: Array) -> None:
    """Put a prim anywhere up to 20 m away, turned anyhow."""
    prim.AddTranslateOp().Set(Gf.Vec3d(*random.uniform(-20.0, 20.0, 3).tolist()))
    prim.AddOrientOp(UsdGeom.XformOp.PrecisionDouble).Set(turned(random))
    prim.AddScaleOp().Set(Gf.Vec3f(*scale.tolist()))


def weigh(prim: Any, random: np.random.Generator, likely: float) -> None:
    """Have a prim say some of its mass."""
    said = UsdPhysics.MassAPI.Apply(prim)
    if random.random() < likely:
        said.CreateMassAttr(float(random.uniform(0.5, 5.0)))
    elif random.random() < 0.5:
        said.CreateDensityAttr(float(random.uniform(100.0, 2000.0)))
    if random.random() < likely:
        said.CreateCenterOfMassAttr(Gf.Vec3f(*random.uniform(-0.5, 0.5, 3).tolist()))
    if random.random() < likely:
        said.CreateDiagonalInertiaAttr(Gf.Vec3f(*random.uniform(2.0, 3.0, 3).tolist()))
        said.CreatePrincipalAxesAttr(Gf.Quatf(turned(random)))


def made(random: np.random.Generator) -> tuple[Any, Any]:
    """Return a stage with a body of one to three colliders, and the body."""
    made_here = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageMetersPerUnit(made_here, 1.0)
    UsdGeom.SetStageUpAxis(made_here, "Y")
    body = UsdGeom.Xform.Define(made_here, "/Body")
    place(body, random, np.ones(3))
    UsdPhysics.RigidBodyAPI.Apply(body.GetPrim())
    if random.random() < 0.6:
        weigh(body.GetPrim(), random, 0.4)
    for number in range(int(random.integers(1, 4))):
        is_ball = random.random() < 0.5
        kind = UsdGeom.Sphere if is_ball else UsdGeom.Cube
        solid = kind.Define(made_here, f"/Body/Solid{number}")
        scale = random.uniform(0.5, 2.0, 1 if is_ball else 3)
        place(solid, random, np.broadcast_to(scale, 3))
        UsdPhysics.CollisionAPI.Apply(solid.GetPrim())
        if random.random() < 0.7:
            weigh(solid.GetPrim(), random, 0.5)
    return made_here, body.GetPrim()


def information(prim: Any) -> Any:
    """Return what a ball of radius one or a cube of two weighs, with its scale."""
    scale = np.array(prim.GetAttribute("xformOp:scale").Get())
    told = UsdPhysics.RigidBodyAPI.MassInformation()
    if prim.GetTypeName() == "Sphere":
        told.volume = float(4.0 / 3.0 * np.pi * scale[0] ** 3)
        moments = 0.4 * told.volume * scale**2
    else:
        sides = 2.0 * scale
        told.volume = float(sides.prod())
        moments = told.volume / 12.0 * ((sides**2).sum() - sides**2)
    told.inertia = Gf.Matrix3f(*np.diag(moments).ravel().tolist())
    told.centerOfMass = Gf.Vec3f(0.0)
    told.localPos = Gf.Vec3f(prim.GetAttribute("xformOp:translate").Get())
    told.localRot = Gf.Quatf(prim.GetAttribute("xformOp:orient").Get())
    return told


@pytest.mark.parametrize("seed", range(40))
def test_bodies_weigh_what_pxr_computes(seed: int, tmp_path: Path) -> None:
    """Whatever bodies and colliders say or leave open, and however they stand."""
    there, body = made(np.random.default_rng(seed))
    mass, moments, centre, axes = UsdPhysics.RigidBodyAPI(body).ComputeMassProperties(information)
    path = tmp_path / "stage.usda"
    there.Export(str(path))
    contents, _ = contents_of(stage.read(path))
    bodies, _ = read_bodies(contents.mechanism)
    assert bodies.mass[0] == pytest.approx(mass, rel=1e-5)
    assert bodies.centre[0] == pytest.approx(np.array(centre), abs=2e-5)
    theirs = matrix(axes) @ np.diag(moments) @ matrix(axes).T
    ours = bodies.principal[0] @ np.diag(bodies.inertia[0]) @ bodies.principal[0].T
    assert ours == pytest.approx(theirs, abs=2e-4 * np.abs(theirs).max())
