# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of bodies: sharp edges, surfaces, and boxes in the place of what is heavy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from omi_physics_joint.drawing.played import joined_outlines, outline_of_box, outline_of_mesh
from omi_physics_joint.drawing.strokes import Role

NO_EDGES = np.zeros((0, 2), np.intp)


def lengths(lines: np.ndarray) -> np.ndarray:
    """Return how long segments are."""
    return np.sqrt(np.square(lines[:, 1] - lines[:, 0]).sum(-1))


def cube() -> tuple[np.ndarray, np.ndarray]:
    """Return a cube of two triangles a side, each triangle with corners of its own."""
    sketch = outline_of_box(np.zeros(3), np.ones(3))
    return sketch.triangles.reshape(-1, 3), np.arange(36).reshape(-1, 3)


def test_a_box_has_twelve_edges_and_its_surface() -> None:
    """Between its corners, and nothing else."""
    low, high = np.array([-1.0, 0.0, 2.0]), np.array([1.0, 3.0, 2.5])
    box = outline_of_box(low, high)
    assert sorted(lengths(box.lines)) == [0.5] * 4 + [2.0] * 4 + [3.0] * 4
    corners = {tuple(point) for point in box.lines.reshape(-1, 3)}
    assert corners == set(product(*zip(low, high, strict=True)))
    a, b, c = box.triangles.transpose(1, 0, 2)
    area = 0.5 * np.sqrt(np.square(np.cross(b - a, c - a)).sum(-1)).sum()
    assert area == 2.0 * (2.0 * 3.0 + 2.0 * 0.5 + 3.0 * 0.5)
    assert set(box.roles) == set(box.fills) == {Role.GHOST}


def test_diagonals_of_a_flat_side_are_no_edges_though_vertices_are_split() -> None:
    """Imported meshes have vertices of their own for each side."""
    points, triangles = cube()
    outline = outline_of_mesh(points, triangles, NO_EDGES)
    assert np.allclose(lengths(outline.lines), 1.0)
    assert len(outline.lines) == 12
    assert len(outline.triangles) == 12


@pytest.mark.parametrize(("apart", "are_one"), [(4e-6, True), (4e-5, False)])
def test_vertices_that_single_precision_has_moved_are_one(apart: float, are_one: bool) -> None:
    """Of a part of the size; what is farther apart are sides that do not meet."""
    points, triangles = cube()
    moved = 20.0 + 2.0 * (points + apart * (np.arange(36)[:, None] // 6 % 2))
    assert (len(outline_of_mesh(moved, triangles, NO_EDGES).lines) == 12) == are_one


def test_the_rim_of_a_sheet_and_loose_edges_are_drawn() -> None:
    """A square of two triangles has four edges, and a wire beside it is one more."""
    points = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (5, 0, 0), (5, 2, 0)], float)
    triangles = np.array([(0, 1, 2), (0, 2, 3)])
    edges = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (4, 5)])
    outline = outline_of_mesh(points, triangles, edges)
    assert sorted(lengths(outline.lines)) == [1.0] * 4 + [2.0]


def test_what_has_no_sharp_edge_shows_them_all() -> None:
    """A finely divided ring would be seen by nothing but its faint surface."""
    u, v = np.meshgrid(*(2 * np.pi * np.arange(count) / count for count in (60, 30)), indexing="ij")
    far = 1.0 + 0.3 * np.cos(v)
    points = np.stack([far * np.cos(u), far * np.sin(u), 0.3 * np.sin(v)], -1).reshape(-1, 3)
    row, column = np.meshgrid(np.arange(60), np.arange(30), indexing="ij")
    a, b, c, d = (
        30 * ((row + i) % 60) + (column + j) % 30 for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))
    )
    triangles = np.concatenate([np.stack(one, -1).reshape(-1, 3) for one in ((a, b, c), (a, c, d))])
    edges = np.stack([a, b], -1).reshape(-1, 2)
    assert len(outline_of_mesh(points, triangles, edges).lines) == len(edges)
    triangles[::2] = triangles[::2, ::-1]  # faces that look inwards beside some that look outwards
    assert len(outline_of_mesh(points, triangles, edges).lines) == len(edges)


def test_parts_of_a_body_are_moved_to_it() -> None:
    """A handle that hangs below a door is part of its outline, where it is seen from the door."""
    box = outline_of_box(np.zeros(3), np.ones(3))
    moved = np.eye(4)
    moved[:3, 3] = (2.0, 0.0, 0.0)
    both = joined_outlines([(box, np.eye(4)), (box, moved)])
    assert len(both.lines) == 24
    assert np.ptp(both.lines.reshape(-1, 3), axis=0).tolist() == [3.0, 1.0, 1.0]
    assert len(joined_outlines([]).lines) == 0


def test_damaged_meshes_are_drawn_as_far_as_they_are_sound() -> None:
    """Faces without area, points without faces, nothing at all."""
    points = np.zeros((3, 3))
    assert len(outline_of_mesh(points, np.array([(0, 1, 2)]), NO_EDGES).lines) == 0
    assert len(outline_of_mesh(np.zeros((0, 3)), np.zeros((0, 3), int), NO_EDGES).lines) == 0


def test_an_edge_from_which_a_fin_stands_is_drawn_though_the_floor_is_flat() -> None:
    """Three faces meet there, two of them in one plane, in whatever order they come."""
    points = np.array([(0, 0, 0), (0, 1, 0), (1, 0, 0), (-1, 0, 0), (0, 0, 1)], float)
    for turn in range(3):
        triangles = np.roll([(0, 2, 1), (0, 1, 3), (0, 1, 4)], turn, axis=0)
        outline = outline_of_mesh(points, triangles, NO_EDGES)
        lines = {frozenset(map(tuple, line)) for line in outline.lines.tolist()}
        assert frozenset({(0.0, 0.0, 0.0), (0.0, 1.0, 0.0)}) in lines
