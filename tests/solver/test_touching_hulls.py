# SPDX-License-Identifier: GPL-3.0-or-later
"""What the hull is by which a mesh touches, and what is said where it is another."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.shape import Convex
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.contacts.cores import MOST_CORNERS, hulled
from omi_physics_joint.solver.kinematics.rotation import matrix_of

from .on_meshes import even, grip, ground, node, on_mesh, triangles


@pytest.mark.long
def test_a_round_hull_says_what_it_lacks() -> None:
    """Of thousands of corners the farthest out are taken; none lies farther out than said."""
    points = np.random.default_rng(1).normal(size=(1500, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    core = hulled(points)
    assert core is not None
    assert core.corners == MOST_CORNERS
    starts = core.corner[core.face_corner[core.face_start[:-1]]]
    beyond = (points @ core.normal.T - (starts * core.normal).sum(1)).max()
    assert beyond == pytest.approx(core.lacks, abs=1e-5)
    assert 0.05 < core.lacks < 0.1


@pytest.mark.parametrize(("corners", "told"), [(400, True), (40, False)])
def test_a_hull_that_is_another_is_told(corners: int, told: bool) -> None:
    """By how much is said, where a mesh has more corners than its hull touches with."""
    points = np.random.default_rng(2).normal(size=(corners, 3))
    points *= 0.25 / np.linalg.norm(points, axis=1)[:, None]
    ball = triangles(points, [(0, 1, 2)])
    body = node(1, (0.0, 0.5, 0.0))
    issues = on_mesh(ground(1, 4.0, even), Convex(1), body, 0.5, (ball,)).issues
    assert [(one.code, one.where) for one in issues] == [("hull-simplified", "body")] * told
    assert all("64 corners, up to" in one.message for one in issues)


def test_a_bevelled_cube_is_near_enough() -> None:
    """Of 104 corners it touches with 64, which leave out a hundredth: nothing is told."""
    turns = np.linspace(0.0, np.pi / 2, 4)
    ball = [(np.cos(a) * np.cos(b), np.sin(b), np.sin(a) * np.cos(b)) for a in turns for b in turns]
    signs = np.array(list(product((-1.0, 1.0), repeat=3)))
    points = (signs[:, None] * (0.2 + 0.02 * np.array(ball))).reshape(-1, 3).round(6)
    bevelled = triangles(np.unique(points, axis=0), [(0, 1, 2)])
    assert 0.005 < getattr(hulled(points), "lacks", 0.0) / 0.35 < 0.01
    body = node(1, (0.0, 0.5, 0.0))
    assert not on_mesh(ground(1, 4.0, even), Convex(1), body, 0.5, (bevelled,)).issues


@pytest.mark.parametrize("off", [0.0, 20.0])
def test_a_hull_has_the_faces_that_single_precision_leaves_it(off: float) -> None:
    """A cube has six wherever it is in its mesh; with a tip a millionth outside of one, nine."""
    corners = np.array(list(product((-0.5, 0.5), repeat=3)))
    for turn in np.random.default_rng(4).normal(size=(20, 4)):
        cube = corners @ matrix_of(turn[None] / np.linalg.norm(turn))[0].T + off
        assert getattr(hulled(cube.astype(np.float32).astype(np.float64)), "faces", 0) == 6
    tip = np.vstack([corners, [[0.0, 0.5 + 1e-6, 0.0]]])
    assert getattr(hulled(tip), "faces", 0) == 9


def test_several_hulls_that_are_others_are_told_once() -> None:
    """Five balls of 400 corners are one hint, which counts those that it does not name."""
    points = np.random.default_rng(2).normal(size=(400, 3))
    ball = triangles(points / np.linalg.norm(points, axis=1)[:, None], [(0, 1, 2)])
    bodies = [replace(node(0, (4.0 * i, 2.0, 0.0)), name=f"b{i}") for i in range(5)]
    mechanism = Mechanism(
        tuple(bodies),
        shapes=(Convex(0),),
        physics_materials=(grip(0.5),),
        meshes=("",),
        surfaces=(ball,),
    )
    (one,) = Simulation(mechanism, Options(contacts=True)).issues
    assert one.message.startswith("Hulls touch (b0, b1, b2 and 2 others) with 64 corners, up to")
