# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bodies meet: of faces that lie against each other, the middle of what both cover."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
from mathutils import Euler, Vector

from omi_physics_joint.blender.between_bodies.contact import contact_between, far_apart
from omi_physics_joint.blender.between_bodies.facing import facing_area
from omi_physics_joint.model.wording.words import metric
from tests.scenes import slab


def met(one: bpy.types.Object, two: bpy.types.Object) -> list[list[float]]:
    """Return where two bodies meet, asked for in both orders."""
    return [list(contact_between(*pair).place) for pair in ((one, two), (two, one))]


@pytest.mark.parametrize("gap", [0.02, 0.0])
@pytest.mark.parametrize("place", [(0.5, 0.2), (-1.2, 0.4), (1.7, 0.0)])
@pytest.mark.parametrize("turn", [90.0, 37.0])
def test_bars_that_lie_on_each_other_meet_where_they_cross(
    gap: float, place: tuple[float, float], turn: float
) -> None:
    """Two flat bars, one across the other, with and without a gap: the middle of the crossing."""
    below = slab("Below", (0.0, 0.0, 0.0), (4.0, 0.1, 0.05))
    above = slab("Above", (*place, 0.05 + gap), (2.2, 0.08, 0.05))
    above.rotation_euler.z = radians(turn)
    bpy.context.view_layer.update()
    way = above.matrix_world.to_3x3().col[0]
    middle = Vector((*place, 0.0)) - way * (place[1] / way.y)
    expected = (middle.x, 0.0, 0.5 * (0.05 + gap))
    for found in met(below, above):
        assert found == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("gap", [0.03, 0.0])
@pytest.mark.parametrize(
    ("place", "middle"),
    [((0.3, 0.2), (0.3, 0.2)), ((0.9, 0.0), (0.7, 0.0)), ((0.9, -0.9), (0.7, -0.7))],
)
def test_plates_meet_in_the_middle_of_what_both_cover(
    gap: float, place: tuple[float, float], middle: tuple[float, float]
) -> None:
    """A plate wholly on another one, over its edge and over its corner."""
    large = slab("Large", (0.0, 0.0, 0.0), (2.0, 2.0, 0.2))
    small = slab("Small", (*place, 0.2 + gap), (1.0, 1.0, 0.2))
    low = [max(-1.0, at - 0.5) for at in place]
    high = [min(1.0, at + 0.5) for at in place]
    expected = (*(0.5 * (a + b) for a, b in zip(low, high, strict=True)), 0.1 + 0.5 * gap)
    assert expected[:2] == pytest.approx(middle)
    for found in met(large, small):
        assert found == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("gap", [0.02, 0.0])
@pytest.mark.parametrize("mirrored", [(1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)])
def test_mirrored_body_has_its_faces_outside(mirrored: tuple[float, float], gap: float) -> None:
    """A bar with a negative scale is met as one without: there, and over the same area."""
    below = slab("Below", (0.0, 0.0, 0.0), (4.0, 0.1, 0.05))
    above = slab("Above", (0.5, 0.4, 0.05 + gap), (0.08, 2.2, 0.05))
    for bar, way in zip((below, above), mirrored, strict=True):
        bar.scale.x *= way
    bpy.context.view_layer.update()
    for found in met(below, above):
        assert found == pytest.approx((0.5, 0.0, 0.025 + 0.5 * gap), abs=2e-4)
    area = contact_between(below, above).area
    assert area is not None
    assert area.area == pytest.approx(0.08 * 0.1, rel=1e-3)


def test_box_in_a_corner_meets_floor_and_wall() -> None:
    """What lies against faces that are not in one plane is met between them, not on one of them."""
    corner = slab("Corner", (0.0, 0.0, -0.1), (2.0, 2.0, 0.2))
    wall = slab("Wall", (-0.9, 0.0, 0.5), (0.2, 2.0, 1.0))
    wall.parent = corner
    wall.matrix_parent_inverse = corner.matrix_world.inverted()
    bpy.context.view_layer.update()
    lying = slab("Lying", (-0.5, 0.0, 0.3), (0.6, 0.6, 0.6))
    for found in met(corner, lying):
        assert found == pytest.approx((-0.5, 0.0, 0.3), abs=2e-4)


@pytest.mark.parametrize("ways", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
@pytest.mark.parametrize("gap", [0.02, 0.0])
def test_sheets_face_each_other_across_a_gap_whichever_way_they_look(
    ways: tuple[int, int], gap: float
) -> None:
    """A sheet has no inside: only where two touch they must look in opposite directions."""
    start, end = np.zeros(3), np.array((0.0, 0.0, gap))
    corners = np.array(((-1.0, -0.5, 0.0), (1.0, -0.5, 0.0), (1.0, 0.5, 0.0), (-1.0, 0.5, 0.0)))
    found = facing_area(
        *(
            (place + scale * corners)[np.array(((0, 1, 2), (0, 2, 3)))][:, ::way]
            for place, scale, way in zip((start, end), (1.0, 0.5), ways, strict=True)
        ),
        (start, end),
        1e-4,
    )
    meets = gap > 0.0 or ways[0] != ways[1]
    assert (found is not None) is meets
    if found is not None:
        assert found.area == pytest.approx(0.5)
        assert found.lengths == pytest.approx((1.0, 0.5))
        assert found.middle == pytest.approx(0.5 * end)


@pytest.mark.parametrize("gap", [0.1, 0.49, 0.52, 30.0])
@pytest.mark.parametrize("scale", [0.01, 1.0])
def test_bodies_are_far_apart_that_are_farther_than_the_shorter_one_is_long(
    gap: float, scale: float
) -> None:
    """Told with both names and how far; whichever is shorter, and below what is small."""
    one = slab("One", (0.0, 0.0, 0.0), (scale * 2.0, scale * 0.01, scale * 0.01))
    place = scale * (1.0 + gap + 0.25)
    other = slab("Other", (place, 0.0, 0.0), (scale * 0.5, scale * 0.01, scale * 0.01))
    for pair in ((one, other), (other, one)):
        said = far_apart(*pair, metric)
        assert bool(said) is (gap > 0.5)
        assert not said or said.startswith(f"{pair[0].name} and {pair[1].name} are ")


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.4, -0.6, 0.6), (0.0, 0.0, 0.8)])
def test_how_far_bodies_are_apart_does_not_hang_on_how_they_stand(turn: tuple[float, ...]) -> None:
    """A hook below its trolley is 2 m from it, turned anyhow, and neither is longer for that."""
    pair = (
        slab("Hook", (0.0, 0.0, 0.0), (0.2, 0.2, 0.4)),
        slab("Trolley", (0.0, 0.0, 2.3), (1, 1, 0.2)),
    )
    for obj in pair:
        obj.matrix_world = Euler(turn).to_matrix().to_4x4() @ obj.matrix_world
    bpy.context.view_layer.update()
    assert far_apart(*pair, metric) == "Hook and Trolley are 2 m apart"


@pytest.mark.parametrize("wall", [0.5, 3.0])
@pytest.mark.parametrize("turned", [True, False])
def test_of_several_areas_the_largest_is_taken(wall: float, turned: bool) -> None:
    """Where two faces meet others at once, as at an edge, in whichever order they come."""
    ground = np.array(((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.0), (0.0, 1.0, 0.0)))
    side = np.array(((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, wall), (0.0, 0.0, wall)))
    faces = [face[np.array(((0, 1, 2), (0, 2, 3)))] for face in (ground, side)]
    corner = np.concatenate(faces[::-1] if turned else faces)
    edge = np.zeros(3)
    found = facing_area(corner, corner[:, ::-1], (edge, edge), 1e-4)
    assert found is not None
    assert found.area == pytest.approx(max(2.0, wall))
    assert sorted(found.lengths) == pytest.approx(sorted((1.0, max(2.0, wall))))


@pytest.mark.parametrize("far", [0.0, 0.5, 1.0, 1.5])
def test_faces_that_meet_along_a_line_have_no_area_in_common(far: float) -> None:
    """Beside each other in one plane they face nothing; overlapping they face as much."""
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    one, other = corners[[[0, 1, 2], [0, 2, 3]]], corners[[[0, 2, 1], [0, 3, 2]]] + [far, 0.0, 0.0]
    place = np.array([min(far, 1.0), 0.5, 0.0])
    found = facing_area(one, other, (place, place), 1e-6)
    assert (found is None) is (far >= 1.0)
    assert found is None or found.area == pytest.approx(1.0 - far)
