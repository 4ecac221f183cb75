# SPDX-License-Identifier: GPL-3.0-or-later
"""The points by which shapes touch: how many, where, and that they stand for all that is near."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy", reason="SciPy is not installed")

from kernel.colliding import FAR, ROUND, STRAIGHT, Kernel, Solid, pose, random_pairs
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Plane, Sphere

TURN = Rotation.from_rotvec([0.4, -1.1, 0.7])
UP = TURN.apply([0.0, 1.0, 0.0])
GROUND = Solid(Plane(), pose(FAR, TURN))
TABLE = Solid(Box((1.0, 0.5, 0.8)), pose(FAR - 0.25 * UP, TURN))


@pytest.fixture(scope="module")
def kernel(kernel_library: Path) -> Kernel:
    """The kernel of this checkout."""
    return Kernel(kernel_library)


def standing(
    shape: object, height: float, turn: object = None, aside: tuple[float, float] = (0, 0)
) -> Solid:
    """Return a shape above the ground, turned in it."""
    at = TURN.apply([aside[0], height, aside[1]])
    return Solid(shape, pose(FAR + at, TURN * (turn or Rotation.identity())))


def places(manifold: np.ndarray) -> np.ndarray:
    """Return the points on the second shape in the axes of the ground (n, 3), by X, then Z."""
    found = TURN.inv().apply(manifold["at_b"][: manifold["points"]] - FAR)
    return found[np.lexsort(found[:, ::-2].round(9).T)]


LYING = Rotation.from_euler("z", 90, degrees=True)
ON_GROUND = {
    "a ball": (Sphere(0.5), 0.5, None, [(0.0, 0.0)]),
    "a box": (
        Box((1.0, 2.0, 4.0)),
        1.0,
        None,
        [(-0.5, -2.0), (-0.5, 2.0), (0.5, -2.0), (0.5, 2.0)],
    ),
    "a capsule that lies": (Capsule(2.0, 0.5, 0.5), 0.5, LYING, [(-1.0, 0.0), (1.0, 0.0)]),
    "a capsule that stands": (Capsule(2.0, 0.5, 0.5), 1.5, None, [(0.0, 0.0)]),
    "a cylinder that lies": (Cylinder(2.0, 0.5, 0.5), 0.5, LYING, [(-1.0, 0.0), (1.0, 0.0)]),
    "a cylinder that stands": (
        Cylinder(2.0, 0.5, 0.5),
        1.0,
        None,
        [(-0.5, 0), (0, -0.5), (0, 0.5), (0.5, 0)],
    ),
    "a cone": (Cylinder(2.0, 0.5, 0.0), 1.0, None, [(-0.5, 0), (0, -0.5), (0, 0.5), (0.5, 0)]),
    "a cone on its tip": (Cylinder(2.0, 0.0, 0.5), 1.0, None, [(0.0, 0.0)]),
}


@pytest.mark.parametrize("on", ["ground", "table"])
@pytest.mark.parametrize("name", ON_GROUND)
def test_what_stands_on_a_plane(kernel: Kernel, name: str, on: str) -> None:
    """What stands or lies has the corners of what it stands on, and rims four places."""
    shape, height, turn, true = ON_GROUND[name]
    below = GROUND if on == "ground" else Solid(Box((9.0, 1.0, 9.0)), pose(FAR - 0.5 * UP, TURN))
    for gap in (-1e-3, 0.0, 1e-3):
        found = kernel.collide(below, standing(shape, height + gap, turn), 0.01)
        assert found["gap"] == pytest.approx(gap, abs=1e-14 * 50)
        assert np.allclose(found["normal"], UP, rtol=0.0, atol=1e-14)
        assert np.allclose(
            places(found), [(x, gap, z) for x, z in sorted(true)], rtol=0.0, atol=1e-12
        )
        assert np.allclose(found["gaps"][: len(true)], gap, rtol=0.0, atol=1e-12)
        assert len(set(found["id"][: len(true)])) == len(true)


def test_nothing_beyond_the_margin(kernel: Kernel) -> None:
    """What is farther apart than the margin has no points; of what leans, only places within it."""
    assert kernel.collide(GROUND, standing(Sphere(0.5), 0.52), 0.01)["points"] == 0
    leaning = standing(Box((1.0, 1.0, 1.0)), 0.6, Rotation.from_euler("z", 5, degrees=True))
    assert kernel.collide(GROUND, leaning, 0.1)["points"] == 2
    assert kernel.collide(GROUND, leaning, 0.2)["points"] == 4


@pytest.mark.parametrize("lean", [1e-6, 1e-3, 0.1, 0.5, 1.2])
def test_a_wheel_touches_where_it_is_lowest(kernel: Kernel, lean: float) -> None:
    """A disc that leans to any side has a point at the lowest of its rim, exactly."""
    for side in np.linspace(0.1, 6.2, 7):
        lying = Rotation.from_euler("y", side) * Rotation.from_euler("z", lean)
        turn = lying * Rotation.from_euler("y", 0.7)  # about itself
        height = 0.5 * np.sin(lean) + 0.05 * np.cos(lean)
        wheel = standing(Cylinder(0.1, 0.5, 0.5), height, turn)
        lowest = lying.apply([-0.5, -0.05, 0.0]) + np.array([0.0, height, 0.0])
        for margin in (1e-9, 0.01):
            found = kernel.collide(GROUND, wheel, margin)
            at = TURN.inv().apply(found["at_b"][: found["points"]] - FAR)
            deepest = found["gaps"][: found["points"]].argmin()
            assert found["gaps"][deepest] == pytest.approx(0.0, abs=1e-13)
            assert np.allclose(at[deepest], lowest, rtol=0.0, atol=1e-9)


def test_what_hangs_over_an_edge(kernel: Kernel) -> None:
    """A cylinder that lies or stands over the edge of a table touches as far as the table goes."""
    lying = kernel.collide(TABLE, standing(Cylinder(2.0, 0.3, 0.3), 0.3, LYING, (0.6, 0.1)), 0.01)
    assert np.allclose(places(lying), [(-0.4, 0.0, 0.1), (0.5, 0.0, 0.1)], rtol=0.0, atol=1e-12)
    disc = kernel.collide(TABLE, standing(Cylinder(0.2, 0.3, 0.3), 0.1, None, (0.5, 0.0)), 0.01)
    ends = {(0.5, 0.3), (0.5, -0.3), (0.2, 0.0)}
    found = {tuple(at) for at in (places(disc)[:, ::2] + 0.0).round(9).tolist()}
    assert ends <= found
    post = kernel.collide(
        standing(Cylinder(0.5, 0.1, 0.1), -0.25), standing(Box((2.0, 1.0, 2.0)), 0.5), 0.01
    )
    assert np.allclose(np.hypot(*places(post)[:, ::2].T), 0.1)
    small = kernel.collide(
        standing(Cylinder(0.5, 1.0, 1.0), -0.25), standing(Box((0.2, 1.0, 0.4)), 0.5), 0.01
    )
    assert np.allclose(np.abs(places(small)[:, ::2]), (0.1, 0.2))
    two = kernel.collide(
        standing(Cylinder(0.5, 0.5, 0.5), -0.25),
        standing(Cylinder(0.5, 0.5, 0.5), 0.25, None, (0.6, 0)),
        0.01,
    )
    crossing = {(0.3, 0.4), (0.3, -0.4)}
    assert crossing <= {tuple(at) for at in (places(two)[:, ::2] + 0.0).round(9).tolist()}


def test_lines_along_each_other(kernel: Kernel) -> None:
    """Capsules, cylinders and edges along each other touch at both ends of what is common."""
    lying = [Capsule(2.0, 0.5, 0.5), Cylinder(2.0, 0.5, 0.5)]
    for one in lying:
        for other in lying:
            a, b = standing(one, 0.0, LYING), standing(other, 1.0, LYING, (0.7, 0.0))
            found = kernel.collide(a, b, 0.01)
            assert np.allclose(
                places(found), [(-0.3, 0.5, 0.0), (1.0, 0.5, 0.0)], rtol=0.0, atol=1e-12
            )
        edge = standing(
            Box((4.0, 1.0, 1.0)), 0.5 + 0.5**0.5, Rotation.from_euler("x", 45, degrees=True)
        )
        found = kernel.collide(standing(one, 0.0, LYING), edge, 0.01)
        assert np.allclose(places(found), [(-1.0, 0.5, 0.0), (1.0, 0.5, 0.0)], rtol=0.0, atol=1e-12)
    crossed = standing(lying[0], 1.0, Rotation.from_euler("x", 90, degrees=True), (0.3, 0.2))
    found = kernel.collide(standing(lying[0], 0.0, LYING), crossed, 0.01)
    assert np.allclose(places(found), [(0.3, 0.5, 0.0)], rtol=0.0, atol=1e-12)


def overlap_of(corners: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the corners of what two convex polygons (n, 2) both cover, and some between."""
    found = []
    for one, two in ((corners, others), (others, corners)):
        planes = ConvexHull(two).equations
        found += [p for p in one if (planes[:, :2] @ p + planes[:, 2]).max() < 1e-12]
    for p, q in zip(corners, np.roll(corners, -1, 0), strict=True):
        for r, s in zip(others, np.roll(others, -1, 0), strict=True):
            matrix = np.array([q - p, r - s]).T
            t, u = np.linalg.solve(matrix, r - p) if abs(np.linalg.det(matrix)) > 1e-9 else (9, 9)
            found += [p + t * (q - p)] if 0 <= t <= 1 and 0 <= u <= 1 else []
    return np.array(found)


@pytest.mark.long
@pytest.mark.parametrize("gap", [-0.01, 0.0, 0.01])
def test_points_span_what_two_faces_cover(kernel: Kernel, gap: float) -> None:
    """Of faces on each other the points are corners of the overlap: all, or those of most of it."""
    random = np.random.default_rng(1)
    shapes = []
    for _ in range(60):
        sides = random.uniform(0.3, 1.0, 2)
        angles = np.sort(random.uniform(0.0, 2.0 * np.pi, int(random.integers(3, 12))))
        while np.diff(angles, append=angles[0] + 2 * np.pi).max() > 3.0:
            angles = np.sort(random.uniform(0.0, 2.0 * np.pi, 5))
        shapes.append(
            (
                sides,
                0.5 * np.array([np.cos(angles), np.sin(angles)]).T,
                random.uniform(-0.3, 0.3, 2),
                random.uniform(0, 6),
            )
        )
    seen = 0
    for sides, polygon, aside, turn in shapes:
        prism = np.array([(x, y, z) for x, z in polygon for y in (-0.2, 0.2)])
        below = standing(Box((*sides[:1], 0.5, *sides[1:])), -0.25)
        above = standing(Convex(0), 0.2 + gap, Rotation.from_euler("y", turn), tuple(aside))
        above = Solid(above.shape, above.pose, prism)
        found = kernel.collide(below, above, 0.02)
        turned = (
            Rotation.from_euler("y", turn).apply(np.insert(polygon, 1, 0.0, axis=1))[:, ::2] + aside
        )
        box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * sides / 2
        common = overlap_of(box, turned)
        if len(common) < 3 or ConvexHull(common).volume < 1e-3:
            continue
        seen += 1
        assert np.allclose(found["normal"], UP, atol=1e-12)
        spots = places(found)[:, ::2]
        hull = ConvexHull(common)
        assert (hull.equations[:, :2] @ spots.T + hull.equations[:, 2:]).max() < 1e-9
        assert len(set(found["id"][: found["points"]])) == found["points"]
        share = ConvexHull(spots).volume / hull.volume
        assert share > (1.0 - 1e-9 if len(hull.vertices) <= 4 else 0.6)
    assert seen > 40


ANGLES = 2.0 * np.pi * (np.arange(12) + 0.5) / 12
PRISM = np.array([(np.cos(t), y, np.sin(t)) for t in ANGLES for y in (-0.2, 0.2)])


@pytest.mark.parametrize("leans", [0.01, 2e-5])
def test_both_ends_of_an_edge(kernel: Kernel, leans: float) -> None:
    """A prism of many sides that leans on one of them touches with both ends of it, and beyond."""
    lean, prism = Rotation.from_euler("z", leans), PRISM
    height = -lean.apply(prism)[:, 1].min()
    found = kernel.collide(GROUND, Solid(Convex(0), standing(None, height, lean).pose, prism), 0.1)
    ends = lean.apply([(-np.cos(np.pi / 12), -0.2, z * np.sin(np.pi / 12)) for z in (-1, 1)])
    at = places(found)
    assert found["points"] == 4
    for end in ends:
        assert np.abs(at - end - [0.0, height, 0.0]).max(axis=1).min() < 1e-9


@pytest.mark.parametrize("on", [GROUND, Solid(Box((9.0, 0.5, 9.0)), pose(FAR - 0.25 * UP, TURN))])
@pytest.mark.parametrize("size", [(0.02, 0.5, 0.02), (0.3, 0.01, 0.3), (0.3, 0.3, 0.3)])
def test_a_hull_that_lies_on_its_edge_touches_with_both_ends(
    kernel: Kernel, size: tuple[float, float, float], on: Solid
) -> None:
    """Needles, plates and stones on each edge of theirs, also where another face lies flatter."""
    random = np.random.default_rng(3)
    for _ in range(8):
        points = random.normal(size=(8, 3)) * size
        of = ConvexHull(points)
        for one, beside in ((i, j) for i, near in enumerate(of.neighbors) for j in near if i < j):
            ends = np.intersect1d(of.simplices[one], of.simplices[beside])
            out = of.equations[[one, beside], :3]
            down = out[0] + random.uniform(0.3, 3.0) * out[1]
            down /= np.linalg.norm(down)
            turn = TURN * Rotation.align_vectors([[0.0, -1.0, 0.0]], [down])[0]
            here = pose(FAR + UP * (points @ down).max(), turn)
            found = kernel.collide(on, Solid(Convex(0), here, points), 0.01)
            touched = found["at_b"][: found["points"]]
            for end in FAR + UP * (points @ down).max() + turn.apply(points[ends]):
                assert np.abs(touched - end).max(axis=1).min() < 1e-7


@pytest.mark.parametrize("half", [1.0, 0.5, 0.3, 0.1, 0.02])
def test_a_knife_touches_with_all_of_its_edge(kernel: Kernel, half: float) -> None:
    """However sharp it is, and however little one end is higher than the other."""
    knife = np.array([(x, y, z) for z in (-0.5, 0.5) for x, y in ((0, 0), (-half, 1), (half, 1))])
    table = Solid(Box((9.0, 1.0, 9.0)), pose(FAR - 0.5 * UP, TURN))
    for lean in (0.0, 1e-6, 1e-3):
        turn = Rotation.from_euler("x", lean)
        one = Solid(Convex(0), standing(None, 0.5 * np.sin(lean), turn).pose, knife)
        for below in (GROUND, table):
            at = places(kernel.collide(below, one, 0.01))
            ends = turn.apply([(0.0, 0.0, -0.5), (0.0, 0.0, 0.5)])
            ends[:, 1] += 0.5 * np.sin(lean)
            assert np.allclose(at, ends, rtol=0.0, atol=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("kinds", [STRAIGHT, ROUND, STRAIGHT + ROUND])
def test_points_are_on_both_shapes(kernel: Kernel, kinds: tuple[str, ...]) -> None:
    """The first point is the deepest; all are on both surfaces, as far apart as the gaps say."""
    for a, b in random_pairs(kinds, 100, 2, (0.3, 1.2)):
        size = a.size + b.size
        found = kernel.collide(a, b, 0.05 * size)
        count, gaps = found["points"], found["gaps"][: found["points"]]
        assert (count > 0) == (found["gap"] <= 0.05 * size)
        if not count:
            continue
        assert gaps[0] == pytest.approx(found["gap"], abs=1e-6 * size)
        assert (gaps >= found["gap"] - 1e-6 * size).all()
        assert (gaps <= 0.05 * size * (1.0 + 1e-9)).all()
        for at_a, at_b, gap in zip(found["at_a"], found["at_b"], gaps, strict=False):
            assert (at_b - at_a) @ found["normal"] == pytest.approx(gap, abs=1e-9 * size)
            assert max(a.depth(at_a), b.depth(at_b)) < 1e-6 * size


def test_names_stay(kernel: Kernel) -> None:
    """The points of a box that turns a little on another keep their names, each its own."""
    names = set()
    for turn in np.linspace(0.3, 0.31, 5):
        above = standing(Box((0.9, 0.5, 0.9)), 0.249, Rotation.from_euler("y", turn), (0.1, 0.05))
        found = kernel.collide(TABLE, above, 0.01)
        names.add(tuple(sorted(found["id"][: found["points"]])))
    assert len(names) == 1
    assert len(set(names.pop())) == 4


@pytest.mark.parametrize("seed", range(4))
def test_names_stay_where_single_precision_leans(kernel: Kernel, seed: int) -> None:
    """A prism of twelve sides that turns a little on a floor stands on the same four corners."""
    turn, names = Rotation.random(random_state=seed), set()

    def placed(height: float, by: float) -> np.ndarray:
        about = (turn * Rotation.from_euler("y", by)).as_quat()
        at = FAR + turn.apply([0.0, height, 0.0])
        at, about = (one.astype(np.float32).astype(np.float64) for one in (at, about))
        return pose(at, Rotation.from_quat(about))

    floor = Solid(Plane(), placed(0.0, 0.0))
    prism = PRISM.astype(np.float32).astype(np.float64)
    for by in np.linspace(0.3, 0.31, 12):
        found = kernel.collide(floor, Solid(Convex(0), placed(0.2, by), prism), 0.01)
        names.add(tuple(sorted(found["id"][: found["points"]])))
    assert len(names) == 1


@pytest.mark.parametrize(("size", "table"), [(0.5, 1.0), (1e-3, 100.0)])
def test_what_has_but_a_twentieth_of_a_millimetre_on_a_table_stands_on_it(
    kernel: Kernel, size: float, table: float
) -> None:
    """Half a metre or a millimetre large; the side of a table that it comes to does not hold it."""
    below = Solid(Box((table, table, table)), pose(FAR - 0.5 * table * UP, TURN))
    box, beside = Box((size, size, size)), -0.5 * (size + table)
    on = kernel.collide(below, standing(box, 0.5 * size, None, (beside + 5e-5, 0.0)), 1e-4)
    assert on["points"] == 4
    assert on["normal"] == pytest.approx(UP, abs=1e-9)
    comes = standing(box, 0.5 * size - 5e-6, None, (beside, 0.0))
    assert kernel.collide(below, comes, 1e-4)["points"] == 0


@pytest.mark.parametrize("shape", [Box((0.5, 0.5, 0.5)), Cylinder(0.5, 0.25, 0.25)])
@pytest.mark.parametrize("beside", [-1e-9, 0.0, 1e-4, 1e-2])
def test_what_slides_does_not_see_the_side_of_the_next_tile(
    kernel: Kernel, shape: Box | Cylinder, beside: float
) -> None:
    """As deep as rounding leaves it, or as high, it does not touch the tile that it comes to."""
    for sunk in (-1e-6 * (beside > 0.0), 0.0, 1e-12, 1e-9, 1e-6):
        comes = standing(shape, 0.25 - sunk, None, (-0.75 - beside, 0.07))
        found = kernel.collide(TABLE, comes, 0.02)
        assert found["points"] == 0 or found["normal"] @ UP > 0.99
        deeper = kernel.collide(TABLE, standing(shape, 0.24, None, (-0.75 - beside, 0.07)), 0.02)
        assert deeper["points"] > 0
        assert abs(deeper["normal"] @ UP) < 0.01
