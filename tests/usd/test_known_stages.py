# SPDX-License-Identifier: GPL-3.0-or-later
"""Small stages such as texts on UsdPhysics show: read, written again, and the same to pxr's parser.

A box on a mesh, balls with materials, boxes that a group or a pair keeps apart. Joints of such
stages are in ``test_read_stages``.
"""

from __future__ import annotations

from itertools import combinations
from math import pi
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pxr", reason="USD takes pxr: pip install usd-core")

from pxr import Gf, UsdGeom, UsdPhysics, UsdShade
from usd.authored import begun, contents_in, cube
from usd.parsed import complaints, descriptors, kind_of, opened

from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP
from omi_physics_joint.usd.stage import encoded
from omi_physics_joint.usd.writing.write import written

QUAD = [(-1, 1, 0), (1, 1, 0), (1, -1, 0), (-1, -1, 0)]


def ground(stage: Any, approximation: str = "") -> None:
    """Add a square of 15 m, solid as its triangles or as its hull."""
    mesh = UsdGeom.Mesh.Define(stage, "/World/Ground")
    mesh.CreatePointsAttr(QUAD)
    mesh.CreateFaceVertexCountsAttr([4])
    mesh.CreateFaceVertexIndicesAttr([3, 2, 1, 0])
    mesh.CreateSubdivisionSchemeAttr("none")
    mesh.AddScaleOp().Set(Gf.Vec3f(750, 750, 750))
    UsdPhysics.CollisionAPI.Apply(mesh.GetPrim())
    if approximation:
        api = UsdPhysics.MeshCollisionAPI.Apply(mesh.GetPrim())
        api.CreateApproximationAttr(approximation)


def box_on_quad() -> Any:
    """Return a box whose mass and centre of mass are said, above a hull."""
    stage = begun()
    box = cube(stage, "/World/Box", 25.0, (0, 0, 500), moves=True)
    api = UsdPhysics.MassAPI.Apply(box)
    api.CreateMassAttr(10.0)
    api.CreateCenterOfMassAttr(Gf.Vec3f(4, 5, 6))
    ground(stage, "convexHull")
    return stage


def balls() -> Any:
    """Return two balls of scaled spheres, with materials that say how dense and bouncy they are."""
    stage = begun()
    for name, place, restitution in (("Calm", 0, 0.1), ("Bouncy", 300, 0.8)):
        material = UsdShade.Material.Define(stage, f"/World/Looks/{name}")
        api = UsdPhysics.MaterialAPI.Apply(material.GetPrim())
        api.CreateDensityAttr(10.0)
        api.CreateRestitutionAttr(restitution)
        ball = UsdGeom.Sphere.Define(stage, f"/World/{name}Ball")
        ball.AddTranslateOp().Set(Gf.Vec3d(place, 0, 500))
        ball.AddScaleOp().Set(Gf.Vec3f(25, 25, 25))
        UsdPhysics.CollisionAPI.Apply(ball.GetPrim())
        UsdPhysics.RigidBodyAPI.Apply(ball.GetPrim())
        binding = UsdShade.MaterialBindingAPI.Apply(ball.GetPrim())
        binding.Bind(material, UsdShade.Tokens.weakerThanDescendants, "physics")
    ground(stage)
    return stage


def boxes() -> tuple[Any, Any, Any]:
    """Return two boxes above a slab that does not move, which all meet, with the boxes."""
    stage = begun()
    first, second = (
        cube(stage, f"/World/Box{i}", 25.0, (0, 0, 50 * i), moves=True) for i in (1, 2)
    )
    cube(stage, "/World/Slab", 2.0, (0, 0, 0), scale=(750, 750, 10), moves=False)
    return stage, first, second


def grouped() -> Any:
    """Return boxes in a group that does not meet itself."""
    stage, first, second = boxes()
    group = UsdPhysics.CollisionGroup.Define(stage, "/World/Group")
    members = group.GetCollidersCollectionAPI().CreateIncludesRel()
    members.SetTargets([first.GetPath(), second.GetPath()])
    group.CreateFilteredGroupsRel().SetTargets([group.GetPath()])
    return stage


def paired() -> Any:
    """Return boxes that are a filtered pair."""
    stage, first, second = boxes()
    UsdPhysics.FilteredPairsAPI.Apply(second).CreateFilteredPairsRel().SetTargets([first.GetPath()])
    return stage


def name_of(path: Any) -> str:
    """Return the name of the prim below the world that a prim is part of."""
    return str(path).split("/")[2]


def parsed(stage: Any) -> dict[str, Any]:
    """Return what the parser says, in m along the axes of glTF, by names below the world."""
    meters = UsdGeom.GetStageMetersPerUnit(stage)
    is_z_up = UsdGeom.GetStageUpAxis(stage) == "Z"
    found: dict[str, Any] = {"apart": set()}
    groups, pairs = {}, set()
    table = UsdPhysics.CollisionGroup.ComputeCollisionGroupTable(stage)
    shapes = _shapes(stage)
    for path, one in descriptors(stage).items():
        if kind_of(one) == "RigidBody":
            place = tuple(one.position)
            place = Y_UP_FROM_Z_UP.vector(place) if is_z_up else place
            found[f"{name_of(path)} at"] = [round(meters * x, 4) + 0.0 for x in place]
        pairs |= {frozenset((name_of(path), name_of(p))) for p in _filtered(one)}
    for path, one in shapes.items():
        name = name_of(path)
        found[name] = (kind_of(one), *_sizes(one, meters), *_surface(stage, one))
        groups[name] = list(one.collisionGroups)
        pairs |= {frozenset((name, name_of(other))) for other in one.filteredCollisions}
    for first, second in combinations(sorted(groups), 2):
        met = all(table.IsCollisionEnabled(a, b) for a in groups[first] for b in groups[second])
        if not met or frozenset((first, second)) in pairs:
            found["apart"].add((first, second))
    return found


def _shapes(stage: Any) -> dict[str, Any]:
    """Return what the parser says of colliders; of a shape that is a body too, of the shape."""
    load = getattr(UsdPhysics, "UsdPhysicsLoadStageFromPrimRange", None)
    every = (load or UsdPhysics.LoadUsdPhysicsFromRange)(stage, ["/"])
    return {
        str(path): one
        for paths, described in every.values()
        for path, one in zip(paths, described, strict=True)
        if hasattr(one, "collisionGroups")
    }


def _filtered(one: Any) -> Any:
    return one.filteredCollisions if kind_of(one) == "RigidBody" else ()


def _sizes(one: Any, meters: float) -> list[Any]:
    """Return the sizes of a shape; of a mesh how it is taken. Boxes here are as wide as deep."""
    if hasattr(one, "halfExtents"):
        return sorted(round(meters * x, 4) for x in one.halfExtents)
    return [round(meters * one.radius, 4)] if hasattr(one, "radius") else [str(one.approximation)]


def _surface(stage: Any, one: Any) -> list[float]:
    """Return how a collider bounces, where it has a material."""
    found = [UsdPhysics.MaterialAPI(stage.GetPrimAtPath(path)) for path in one.materials if path]
    return [round(api.GetRestitutionAttr().Get(), 6) for api in found if api]


@pytest.mark.parametrize(
    ("make", "apart"),
    [
        (box_on_quad, set()),
        (balls, set()),
        (grouped, {("Box1", "Box2")}),
        (paired, {("Box1", "Box2")}),
    ],
)
def test_known_stages_are_the_same_again(make: Any, apart: set[Any], tmp_path: Path) -> None:
    """Bodies, shapes, materials and who meets whom are, to the parser, what they were."""
    stage = make()
    record, issues = written(contents_in(stage))
    assert issues == ()
    again = opened(encoded(record, ".usda"), tmp_path)
    assert complaints(again) == []
    before = parsed(stage)
    assert before["apart"] == apart
    assert parsed(again) == before


def test_masses_of_known_stages_are_kept(tmp_path: Path) -> None:
    """What is said, and what a material of 10 kg/cm3 makes of a ball of 25 cm."""
    for make, expected in ((box_on_quad, 10.0), (balls, 10.0 * 4.0 / 3.0 * pi * 25.0**3)):
        again = opened(encoded(written(contents_in(make()))[0], ".usda"), tmp_path)
        masses = [
            UsdPhysics.MassAPI(prim)
            for prim in again.Traverse()
            if prim.HasAPI(UsdPhysics.RigidBodyAPI)
        ]
        assert masses
        for mass in masses:
            assert mass.GetMassAttr().Get() == pytest.approx(expected, rel=1e-5)
    centre = opened(encoded(written(contents_in(box_on_quad()))[0], ".usda"), tmp_path)
    said = UsdPhysics.MassAPI(centre.GetPrimAtPath("/World/Box")).GetCenterOfMassAttr().Get()
    assert tuple(said) == pytest.approx((0.04, 0.06, -0.05))


def test_a_pair_stays_a_pair() -> None:
    """What is read of one is written as one, with no group beside it."""
    record = written(contents_in(paired()))[0]
    assert not [prim for prim in record if prim.type == "PhysicsCollisionGroup"]
    (said,) = (prim for prim in record if "PhysicsFilteredPairsAPI" in prim.schemas)
    assert {said.path, *said.targets["physics:filteredPairs"]} == {"/World/Box1", "/World/Box2"}
