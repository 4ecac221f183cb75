# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders of a stage: shapes, their size and place, materials, groups and pairs."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from math import nan, sqrt
from typing import Any

import pytest
from usd_records import BODY, COLLISION, SHADED, at, issues_of, mechanism_of, placed, prim

from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import Matrix, translation_of, transpose
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Plane, Sphere, Trimesh
from omi_physics_joint.usd.prim import Prim, Stage
from omi_physics_joint.usd.reading.read import contents_of

MESH = "PhysicsMeshCollisionAPI"
TENT = {
    "points": ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 4.0)),
    "faceVertexCounts": (4, 3, 3, 3, 3),
    "faceVertexIndices": (3, 2, 1, 0, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4),
    "subdivisionScheme": "none",
}


def solid(kind: str, local: Matrix | None = None, **attributes: Any) -> Prim:
    """Return one collider."""
    return prim("/S", kind, (COLLISION,), at() if local is None else local, attributes=attributes)


def only(mechanism: Mechanism) -> tuple[Any, Matrix]:
    """Return the one shape, and the frame that it is in."""
    ((node, collider),) = ((n, n.collider) for n in mechanism.nodes if n.collider is not None)
    assert collider.shape is not None
    return mechanism.shapes[collider.shape], rigid_frame(node.world)


@pytest.mark.parametrize(
    ("one", "shape"),
    [
        (solid("Cube"), Box((2.0, 2.0, 2.0))),
        (solid("Cube", at(scale=(1.0, 2.0, 3.0)), size=0.5), Box((0.5, 1.0, 1.5))),
        (solid("Sphere"), Sphere(1.0)),
        (solid("Sphere", at(scale=(1.0, 3.0, 2.0)), radius=2.0), Sphere(6.0)),
        (solid("Capsule", axis="Y"), Capsule(1.0, 0.5, 0.5)),
        (
            solid("Capsule", at(scale=(2.0, 3.0, 1.0)), axis="Y", height=1.0, radius=1.0),
            Capsule(3.0, 2.0, 2.0),
        ),
        (solid("Cylinder", axis="Y"), Cylinder(2.0, 1.0, 1.0)),
        (solid("Cone", axis="Y", height=3.0), Cylinder(3.0, 1.0, 0.0)),
        (
            solid("Capsule_1", axis="Y", radiusTop=0.2, radiusBottom=0.4, height=2.0),
            Capsule(2.0, 0.4, 0.2),
        ),
        (solid("Cylinder_1", axis="Y", radiusTop=0.5), Cylinder(2.0, 1.0, 0.5)),
        (solid("Plane", axis="Y", width=3.0), Plane()),
    ],
)
def test_each_kind_of_shape(one: Prim, shape: object) -> None:
    """With the defaults of its schema, and the scale of its prim in its size."""
    found, frame = only(mechanism_of(placed(one)))
    assert found == shape
    assert translation_of(frame) == (0.0, 0.0, 0.0)


def test_a_shape_along_another_axis_is_turned() -> None:
    """Its axis is the up axis of its frame; one along up needs no turn."""
    for up, axis, along in (("Y", "X", (1, 0, 0)), ("Y", "Z", (0, 0, 1)), ("Z", "Z", (0, 1, 0))):
        stage = placed(solid("Capsule", axis=axis), up_axis=up)
        _, frame = only(mechanism_of(stage))
        assert transpose(frame)[1][:3] == pytest.approx(along)


def test_the_default_axis_of_a_stage_that_stands_along_z_needs_no_node_of_its_own() -> None:
    """So most capsules stay on their prim."""
    assert len(mechanism_of(placed(solid("Capsule"), up_axis="Z")).nodes) == 1
    assert len(mechanism_of(placed(solid("Capsule"))).nodes) == 2


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("none", Trimesh),
        ("convexHull", Convex),
        ("meshSimplification", Trimesh),
        ("sdf", Trimesh),
        ("boundingCube", Box),
        ("boundingSphere", Sphere),
    ],
)
def test_each_approximation(word: str, kind: type) -> None:
    """A box or a ball about the points, scaled; what is not made here is named."""
    said = {**TENT, "physics:approximation": word}
    scale = at(scale=(1.0, 2.0, 1.0))
    mesh = prim("/S", "Mesh", (COLLISION, MESH), scale, attributes=said)
    shape, frame = only(mechanism_of(placed(mesh)))
    assert isinstance(shape, kind)
    if isinstance(shape, Box):
        assert shape.size == (2.0, 2.0, 4.0)
    if isinstance(shape, Sphere):
        assert shape.radius == pytest.approx(sqrt(1.0 + 1.0 + 4.0))
    if isinstance(shape, Box | Sphere):
        assert translation_of(frame) == (1.0, 1.0, 2.0)
    assert ("usd-approximation" in issues_of(placed(mesh))) is (
        word in ("meshSimplification", "sdf")
    )


def test_convex_parts_take_coacd() -> None:
    """Where it is not installed, one hull stands for them, and that is said."""
    said = {**TENT, "physics:approximation": "convexDecomposition"}
    stage = placed(prim("/S", "Mesh", (COLLISION, MESH), attributes=said))
    mechanism = mechanism_of(stage)
    assert all(isinstance(shape, Convex) for shape in mechanism.shapes)
    assert mechanism.shapes
    assert ("usd-decomposition" in issues_of(stage)) is (find_spec("coacd") is None)


@pytest.mark.parametrize(
    "damage",
    [
        {"faceVertexIndices": (0, 1, 99, *TENT["faceVertexIndices"][3:])},
        {"faceVertexIndices": (-1, *TENT["faceVertexIndices"][1:])},
        {"faceVertexCounts": (4, 3)},
        {"faceVertexCounts": ()},
        {"points": ()},
        {"points": ((nan, 0.0, 0.0),) * 5},
        {"points": "none"},
    ],
)
def test_damaged_meshes_are_named(damage: dict[str, Any]) -> None:
    """And nothing is raised."""
    stage = placed(prim("/S", "Mesh", (COLLISION,), attributes={**TENT, **damage}))
    assert "usd-mesh" in issues_of(stage)
    assert not mechanism_of(stage).shapes


def test_faces_of_a_left_handed_mesh_are_turned_and_holes_are_left_out() -> None:
    """Triangles run counter-clockwise from outside."""
    right = contents_of(placed(prim("/S", "Mesh", attributes=TENT)))[0].meshes[0]
    said = {**TENT, "orientation": "leftHanded", "holeIndices": (0,)}
    left = contents_of(placed(prim("/S", "Mesh", attributes=said)))[0].meshes[0]
    assert right is not None
    assert left is not None
    assert len(right.triangles) == 6
    assert len(left.triangles) == 4
    assert {frozenset(one) for one in left.triangles} <= {frozenset(o) for o in right.triangles}
    assert not set(left.triangles) & set(right.triangles)


@pytest.mark.parametrize(
    ("one", "code"),
    [
        (solid("Sphere", at(scale=(1.0, 2.0, 1.0))), "usd-uneven-scale"),
        (solid("Sphere", radius=0.0), "usd-shape-size"),
        (solid("Sphere", at(scale=(0.0, 0.0, 0.0))), "usd-shape-size"),
        (solid("Cube", size=nan), "usd-number"),
        (solid("Xform"), "usd-shape"),
        (solid("Cube", **{"physics:collisionEnabled": False}), "usd-collision-disabled"),
    ],
)
def test_what_has_no_shape_is_named(one: Prim, code: str) -> None:
    """With what becomes of it."""
    assert code in issues_of(placed(one))


def test_points_are_balls() -> None:
    """As wide as they say, of one body."""
    said = {"points": ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), "widths": (0.5, 1.0)}
    mechanism = mechanism_of(placed(prim("/S", "Points", (COLLISION,), attributes=said)))
    assert mechanism.shapes == (Sphere(0.25), Sphere(0.5))


def test_a_material_is_bound_to_a_collider() -> None:
    """What it does not say is what the schema says: no friction, no bounce."""
    said = {"physics:staticFriction": 0.5, "physxMaterial:frictionCombineMode": "max"}
    ice = prim("/Ice", "Material", (SHADED,), attributes=said, label="Glatteis")
    look = prim("/Look", "Material")
    parts = [replace(solid("Cube"), path=f"/{name}") for name in "AB"]
    stage = placed(
        ice,
        look,
        replace(parts[0], physics_material="/Ice"),
        replace(parts[1], physics_material="/Look"),
    )
    mechanism = mechanism_of(stage)
    (surface,) = mechanism.physics_materials
    assert (surface.name, surface.static_friction, surface.dynamic_friction) == ("Glatteis", 0.5, 0)
    assert surface.friction_combine.value == "maximum"
    colliders = [node.collider for node in mechanism.nodes if node.collider is not None]
    assert [one.physics_material for one in colliders] == [0, None]


def colliding(*prims: Prim) -> Stage:
    """Return a stage with three colliders and more."""
    return placed(*(replace(solid("Cube"), path=f"/{name}") for name in "ABC"), *prims)


def group(path: str, members: tuple[str, ...], filtered: tuple[str, ...], **said: Any) -> Prim:
    """Return a collision group."""
    attributes = {f"physics:{name}": value for name, value in said.items()}
    targets = {"physics:filteredGroups": filtered}
    return Prim(
        path, "PhysicsCollisionGroup", attributes=attributes, targets=targets, members=members
    )


def meets(stage: Stage) -> set[str]:
    """Return the pairs that meet by the filters."""
    mechanism = mechanism_of(stage)

    def lets(one: str, other: str) -> bool:
        first, second = (
            next(node.collider for node in mechanism.nodes if node.name == name)
            for name in (one, other)
        )
        filters = [
            None
            if part is None or part.collision_filter is None
            else mechanism.collision_filters[part.collision_filter]
            for part in (first, second)
        ]
        if filters[0] is None:
            return True
        systems = set(filters[1].collision_systems) if filters[1] is not None else set()
        if filters[0].collide_with_systems is not None:
            return bool(systems & set(filters[0].collide_with_systems))
        return not systems & set(filters[0].not_collide_with_systems or ())

    pairs = ("AA", "AB", "AC", "BB", "BC", "CC")
    return {pair for pair in pairs if lets(*pair) and lets(pair[1], pair[0])}


ALL = {"AA", "AB", "AC", "BB", "BC", "CC"}


@pytest.mark.parametrize(
    ("stage", "apart"),
    [
        (colliding(group("/G", ("/A", "/B"), ("/G",))), {"AA", "AB", "BB"}),
        (colliding(group("/G", ("/A",), ("/H",)), group("/H", ("/B",), ())), {"AB"}),
        (
            colliding(
                group("/G", ("/A",), ("/H",), invertFilteredGroups=True), group("/H", ("/B",), ())
            ),
            {"AA", "AC"},
        ),
        (colliding(group("/G", ("/A",), (), invertFilteredGroups=True)), {"AA", "AB", "AC"}),
        (
            colliding(
                group("/G", ("/A",), ("/H", "/K"), invertFilteredGroups=True),
                group("/I", ("/A",), ("/K",), invertFilteredGroups=True),
                group("/H", ("/B",), ()),
                group("/K", ("/C",), ()),
            ),
            {"AA", "AB"},
        ),
        (
            colliding(
                group("/I", ("/A",), ("/K",), invertFilteredGroups=True),
                group("/G", ("/A",), ("/H", "/K"), invertFilteredGroups=True),
                group("/H", ("/B",), ()),
                group("/K", ("/C",), ()),
            ),
            {"AA", "AB"},
        ),
        (
            colliding(
                group("/G", ("/A",), ("/H",), mergeGroup="Characters"),
                group("/K", ("/C",), (), mergeGroup="Characters"),
                group("/H", ("/B",), ()),
            ),
            {"AB", "BC"},
        ),
        (
            colliding(
                group("/G", ("/A",), ("/H",), mergeGroup="Same"),
                group("/K", (), ("/H",), mergeGroup="Same", invertFilteredGroups=True),
                group("/H", ("/B",), ()),
            ),
            {"AA", "AB", "AC"},
        ),
    ],
)
def test_groups_meet_what_they_do_not_filter(stage: Stage, apart: set[str]) -> None:
    """Also inverted and merged ones."""
    assert meets(stage) == ALL - apart
    assert "usd-filter" not in issues_of(stage)


def test_a_filtered_pair_keeps_two_apart_and_needs_one_relation() -> None:
    """A body stands for all that is below it."""
    body = prim("/Car", schemas=(BODY,))
    wheel = replace(solid("Cube"), path="/Car/A")
    other = replace(
        solid("Cube"),
        path="/B",
        schemas=(COLLISION, "PhysicsFilteredPairsAPI"),
        targets={"physics:filteredPairs": ("/Car", "/Gone")},
    )
    stage = placed(body, wheel, other, replace(solid("Cube"), path="/C"))
    found = mechanism_of(stage)
    names = {node.name: node.collider for node in found.nodes}
    names["A"] = names.pop("Car")
    numbers = {name: part and part.collision_filter for name, part in names.items()}
    assert numbers.pop("C") is None
    filters = {name: found.collision_filters[number or 0] for name, number in numbers.items()}
    assert filters["A"].not_collide_with_systems == filters["B"].collision_systems
    assert filters["B"].not_collide_with_systems == filters["A"].collision_systems


def test_a_shape_in_the_place_of_its_prim_is_part_of_its_node() -> None:
    """So objects and their data are one; two shapes are two nodes."""
    mesh = prim("/Door/Geometry", "Mesh", (COLLISION,), attributes=TENT)
    one = placed(prim("/Door", schemas=(BODY,)), mesh)
    mechanism = mechanism_of(one)
    assert [node.name for node in mechanism.nodes] == ["Door"]
    assert mechanism.nodes[0].collider is not None
    assert dict(contents_of(one)[0].shown) == {0: 0}
    two = placed(prim("/Door", schemas=(BODY,)), mesh, replace(mesh, path="/Door/Other"))
    assert [node.name for node in mechanism_of(two).nodes] == ["Door", "Geometry", "Other"]


def test_what_is_hidden_or_for_guides_is_not_shown() -> None:
    """A collider still is solid."""
    guide = replace(solid("Cube"), attributes={"purpose": "guide"})
    hidden = prim("/H", attributes={"visibility": "invisible"})
    below = prim("/H/M", "Mesh", attributes=TENT)
    contents, _ = contents_of(placed(guide, hidden, below))
    assert not contents.shown
    assert contents.mechanism.nodes[0].collider is not None
