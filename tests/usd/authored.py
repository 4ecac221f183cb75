# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages in centimetres that stand along Z, as game tools write them, made with ``pxr``."""

from __future__ import annotations

from typing import Any

from pxr import Gf, Usd, UsdGeom, UsdPhysics

from omi_physics_joint.model.contents import Contents
from omi_physics_joint.usd import stage as door
from omi_physics_joint.usd.reading.read import contents_of

CM = 0.01


def begun() -> Any:
    """Return a stage in centimetres that stands along Z, as game tools write them."""
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageMetersPerUnit(stage, CM)
    UsdPhysics.SetStageKilogramsPerUnit(stage, 1.0)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, "/World").GetPrim())
    UsdPhysics.Scene.Define(stage, "/World/Scene")
    return stage


def cube(stage: Any, path: str, side: float, place: Any, *, scale: Any = None, moves: bool) -> Any:
    """Define a solid cube and return its prim."""
    shape = UsdGeom.Cube.Define(stage, path)
    shape.CreateSizeAttr(side)
    shape.AddTranslateOp().Set(Gf.Vec3d(*place))
    if scale is not None:
        shape.AddScaleOp().Set(Gf.Vec3f(*scale))
    UsdPhysics.CollisionAPI.Apply(shape.GetPrim())
    if moves:
        UsdPhysics.RigidBodyAPI.Apply(shape.GetPrim())
    return shape.GetPrim()


def joined(stage: Any, joint: Any) -> Any:
    """Join a post and a plank that stands beside it, both 10 x 100 x 10 cm of scaled cubes."""
    thin = (0.1, 1.0, 0.1)
    cube(stage, "/World/Post", 100.0, (0, 0, 1000), scale=thin, moves=False)
    cube(stage, "/World/Plank", 100.0, (0, 120, 1000), scale=thin, moves=True)
    joint.CreateBody0Rel().SetTargets(["/World/Post"])
    joint.CreateBody1Rel().SetTargets(["/World/Plank"])
    joint.CreateLocalPos0Attr(Gf.Vec3f(0, 60, 0))
    joint.CreateLocalPos1Attr(Gf.Vec3f(0, -60, 0))
    return stage


def motor() -> Any:
    """Return a generic joint with five locks and a motor about the vertical axis."""
    stage = begun()
    joint = UsdPhysics.Joint.Define(stage, "/World/Joint")
    for word in ("transX", "transY", "transZ", "rotX", "rotY"):
        limit = UsdPhysics.LimitAPI.Apply(joint.GetPrim(), word)
        limit.CreateLowAttr(1.0)
        limit.CreateHighAttr(-1.0)
    drive = UsdPhysics.DriveAPI.Apply(joint.GetPrim(), "rotZ")
    drive.CreateTargetVelocityAttr(10.0)
    drive.CreateDampingAttr(9999.0)
    return joined(stage, joint)


def rope() -> Any:
    """Return a joint that keeps a distance."""
    stage = begun()
    joint = UsdPhysics.DistanceJoint.Define(stage, "/World/Joint")
    joint.CreateMinDistanceAttr(10.0)
    joint.CreateMaxDistanceAttr(50.0)
    return joined(stage, joint)


def lift() -> Any:
    """Return a slider with a spring, stiff in N/cm."""
    stage = begun()
    joint = UsdPhysics.PrismaticJoint.Define(stage, "/World/Joint")
    joint.CreateAxisAttr("Y")
    joint.CreateLowerLimitAttr(-5.0)
    joint.CreateUpperLimitAttr(20.0)
    drive = UsdPhysics.DriveAPI.Apply(joint.GetPrim(), "linear")
    drive.CreateStiffnessAttr(300.0)
    drive.CreateTargetPositionAttr(10.0)
    drive.CreateMaxForceAttr(4000.0)
    return joined(stage, joint)


def elbow() -> Any:
    """Return a hinge with bounds and a servo, stiff per degree."""
    stage = begun()
    joint = UsdPhysics.RevoluteJoint.Define(stage, "/World/Joint")
    joint.CreateAxisAttr("Y")
    joint.CreateLowerLimitAttr(-20.0)
    joint.CreateUpperLimitAttr(75.0)
    drive = UsdPhysics.DriveAPI.Apply(joint.GetPrim(), "angular")
    drive.CreateStiffnessAttr(1e5)
    drive.CreateDampingAttr(1e4)
    drive.CreateTargetPositionAttr(30.0)
    return joined(stage, joint)


def contents_in(stage: Any) -> Contents:
    """Return what is read of a stage."""
    return contents_of(door.record(stage))[0]
