# SPDX-License-Identifier: GPL-3.0-or-later
"""What the hull is by which a mesh touches, and what is said where it is another."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from omi_physics_joint.model.body import Collider, Vector3
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Convex, Trimesh
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.contacts.cores import MOST_CORNERS, hulled
from omi_physics_joint.solver.kinematics.rotation import matrix_of

from .on_meshes import FPS, OFF, TURNED, even, grip, ground, node, on_mesh, triangles


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
    assert one.message.startswith(
        "What touches these hulls (b0, b1, b2 and 2 others) meets 64 corners"
    )


LEGS = [((x, -0.25, z), (0.03, 0.25, 0.03)) for x in (-0.4, 0.4) for z in (-0.4, 0.4)]
TABLE = [((0.0, 0.02, 0.0), (0.45, 0.02, 0.45)), *LEGS]
FRAME = [((x, 0.0, 0.0), (0.04, 0.03, 0.5)) for x in (-0.46, 0.46)]
FRAME += [((0.0, 0.0, z), (0.5, 0.03, 0.04)) for z in (-0.46, 0.46)]
PLANK = [((0.0, 0.0, 0.0), (0.5, 0.03, 0.2))]
CUBE = np.array(list(product((-1.0, 1.0), repeat=3)))
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def of_boxes(parts: list[tuple[Vector3, Vector3]]) -> Triangles:
    """Return one mesh of boxes: where they are, and half their sides."""
    points = np.vstack([np.array(middle) + CUBE * half for middle, half in parts])
    faces = [face for a, b, c, d in SIDES for face in ((a, b, c), (a, c, d))]
    every = [tuple(8 * i + k for k in face) for i in range(len(parts)) for face in faces]
    return triangles(points, every)


@pytest.mark.parametrize(
    ("parts", "above", "crate", "said"),
    [
        (TABLE, 0.52, None, []),  # on its legs
        (TABLE, 0.72, (0.15, 0.1, 0.15), ["body touched crate"]),  # let down over a crate
        (TABLE, 0.72, (0.45, 0.1, 0.45), []),  # on top of one that is as large
        (FRAME, 0.05, None, []),
        (FRAME, 0.5, (0.05, 0.2, 0.05), ["body touched crate"]),  # thrown over a peg
        (PLANK, 0.5, (0.05, 0.2, 0.05), []),
    ],
)
def test_a_hull_that_is_met_where_its_mesh_is_hollow_is_told(
    parts: list[tuple[Vector3, Vector3]], above: float, crate: Vector3 | None, said: list[str]
) -> None:
    """Who met whom; nothing of what lies on its own mesh, or of what has no hole there."""
    beside = None if crate is None else node(2, (0.0, crate[1], 0.0))
    told = told_of_holes(parts, above, crate or (1.0, 1.0, 1.0), beside)
    assert [one.code for one in told] == ["hull-fills-hole"] * len(said)
    assert all(f"no holes, so {', '.join(said)} where" in one.message for one in told)


def test_what_slides_from_the_rim_over_a_hole_is_told() -> None:
    """A block that began on the mesh, as two that go on touching are looked at again."""
    block = (0.02, 0.02, 0.02)
    for speed, said in ((0.0, []), (2.0, ["hull-fills-hole"])):
        beside = node(2, (-0.46, 0.081, 0.0), velocity=(speed, 0.0, 0.0))
        assert [one.code for one in told_of_holes(FRAME, 0.03, block, beside)] == said


def told_of_holes(
    parts: list[tuple[Vector3, Vector3]], above: float, half: Vector3, beside: Node | None
) -> tuple[Issue, ...]:
    """Return what is said of a hull over a ground, and of a crate beside it, after a second."""
    x, y, z = half
    still = Node("ground", world=compose(tuple(OFF.tolist())), collider=Collider(0, 0))
    crate = () if beside is None else (replace(beside, name="crate"),)
    mechanism = Mechanism(
        (still, *crate, node(1, (0.0, above, 0.0))),
        shapes=(Trimesh(0), Convex(1), Box((2.0 * x, 2.0 * y, 2.0 * z))),
        physics_materials=(grip(0.5),),
        meshes=("", ""),
        surfaces=(ground(1, 4.0, even), of_boxes(parts)),
    )
    x, y, z = (TURNED @ [0.0, -9.81, 0.0]).tolist()
    simulation = Simulation(mechanism, Options((x, y, z), contacts=True))
    told: tuple[Issue, ...] = ()
    for _ in range(60):
        simulation.step(1.0 / FPS)
        told = simulation.hole_issues()
    assert simulation.touching().nodes.size
    return told
