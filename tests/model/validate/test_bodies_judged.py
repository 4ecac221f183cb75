# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of bodies are judged by their size, whatever other numbers they resemble."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omi_physics_joint.model.body import Collider, PhysicsMaterial, Vector3
from omi_physics_joint.model.geometry.scale import stretched
from omi_physics_joint.model.geometry.transform import compose, times
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.shape import Box, Capsule, Cylinder, Shape, Sphere
from omi_physics_joint.model.solid import Bounds
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import check
from tests.model.building import (
    DOOR,
    DYNAMIC,
    changed,
    codes,
    pair,
    product,
    shift,
    turned,
)

SOUND = pair(hinge(2, -1.0, 1.0))
TURNED = (0.0, 0.0, 0.6, 0.8)


@pytest.mark.parametrize(("inertia", "lacks"), [((2.0, 2.0, 0.0), True), ((2.0, 2.0, 1.0), False)])
def test_an_inertia_lacks_a_part_that_is_zero(inertia: Vector3, lacks: bool) -> None:
    """One of 1 kg m^2 is a part like any other."""
    body = changed(SOUND, DOOR, motion=replace(DYNAMIC, inertia_diagonal=inertia))
    assert ("inertia-part-missing" in codes(check(body))) is lacks


@pytest.mark.parametrize("size", [0.02, 1.0, 50.0])
@pytest.mark.parametrize(("uneven", "turns"), [(0.0005, False), (0.1, True)])
def test_a_turn_of_an_even_inertia_is_none_at_any_size(
    size: float, uneven: float, turns: bool
) -> None:
    """How uneven an inertia is counts against the inertia itself."""
    inertia = (size, size * (1.0 + uneven), size)
    motion = replace(DYNAMIC, inertia_diagonal=inertia, inertia_orientation=TURNED)
    found = check(changed(SOUND, DOOR, motion=motion), target=Target.GODOT)
    assert ("godot-inertia-turned" in codes(found)) is turns


WHEEL = (-0.2, -1.0, -1.0), (0.2, 1.0, 1.0)
FLAT_WHEEL = (-1.0, -0.2, -1.0), (1.0, 0.2, 1.0)
FIGURE = (-1.6, -1.5, -0.3), (1.6, 1.5, 0.3)
"""With its arms out, in a capsule around its trunk."""


@pytest.mark.parametrize("size", [0.01, 1.0, 40.0])
@pytest.mark.parametrize("scale", [1.0, 0.01])
@pytest.mark.parametrize(
    ("shape", "low", "high", "is_told"),
    [
        (Sphere(radius=1.0), (-1.0, -1.0, -1.0), (1.0, 1.0, 1.0), False),
        (Sphere(radius=1.0), (-1.0, 0.0, -1.0), (1.0, 2.0, 1.0), True),  # its origin is at its foot
        (Sphere(radius=1.0), (-1.0, -1.0, 60.0), (1.0, 1.0, 62.0), True),  # or at the world's
        (Box(size=(2.0, 0.2, 2.0)), (-1.0, 0.0, -1.0), (1.0, 0.0, 1.0), False),  # a sheet's
        (Box(size=(2.0, 2.0, 2.0)), (-1.0, -0.45, -1.0), (1.0, 0.45, 1.0), False),
        (Cylinder(height=0.4, radius_bottom=1.0, radius_top=1.0), *FLAT_WHEEL, False),
        (Cylinder(height=2.0, radius_bottom=1.0, radius_top=1.0), *WHEEL, True),
        (Capsule(height=2.0, radius_bottom=0.5, radius_top=0.5), *FIGURE, False),
    ],
)
def test_a_shape_that_lies_off_its_mesh_is_told(
    shape: Shape, low: Vector3, high: Vector3, size: float, scale: float, *, is_told: bool
) -> None:
    """A ball below its mesh, a cylinder across a wheel; at any size, scaled and turned."""
    world = product(shift(0, 20.0), turned(0.7, 0.2, 2.0), compose(scale=(scale, scale, scale)))
    factor = size / scale
    made = replace(SOUND, shapes=(stretched(shape, (factor, factor, factor)),))
    bounds = Bounds(times(low, factor), times(high, factor))
    body = changed(made, DOOR, world=world, bounds=bounds)
    assert ("shape-off-mesh" in codes(check(body))) is is_told


def test_a_wrong_material_is_shown_at_the_body_that_has_it() -> None:
    """So that a click on the issue leads somewhere."""
    made = replace(SOUND, physics_materials=(PhysicsMaterial(restitution=-0.1),))
    used = changed(made, DOOR, collider=Collider(0, physics_material=0))
    (issue,) = [one for one in check(used) if one.code == "material-negative"]
    assert issue.node == DOOR
