# SPDX-License-Identifier: GPL-3.0-or-later
"""Geoms, the meshes that they use, and which of them meet.

Kinds of contact, and pairs of bodies that are excluded, are filters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import inf, sqrt
from pathlib import Path, PurePosixPath

import numpy as np

from ...model.body import CollisionFilter, Vector3
from ...model.geometry.transform import (
    ONE,
    Matrix,
    apply,
    dot,
    minus,
    multiply,
    plus,
    rotation_from_quaternion,
    transpose,
)
from ...model.geometry.transform import times as scaled
from ...model.mechanics.masses import Mass, through, times
from ...model.shape import Box, Capsule, Convex, Cylinder, Plane, Shape, Sphere
from ...model.wording.findings import Findings
from ...weighing.hull import Array
from ...weighing.solids import enclosed, mass_from, measured
from ..element import Element
from ..importing.stacks import stacks
from ..masses import ellipsoidal, filled
from ..mesh_files import MeshError, read_mesh, relative, tried
from ..robot import WORLD, Geom, Link, Surface
from ..surfaces import ellipsoid, resized
from ..turning import along_z, from_wxyz, pose
from .compiler import Compiler

SHOWN_GROUPS = (0, 1, 2)
"""What MuJoCo's viewer shows until somebody asks for more."""
DENSITY = 1000.0
"""kg/m^3."""
HULL = Convex(0)


@dataclass(frozen=True, slots=True)
class ReadGeom:
    """A geom with what only MuJoCo says of it."""

    geom: Geom
    mass: Mass | None
    """In the body."""
    kinds: tuple[int, int]
    """Its contype and conaffinity."""


@dataclass(slots=True)
class Meshes:
    """The meshes of a model, each read when it is first used."""

    folder: Path
    compiler: Compiler
    findings: Findings
    _elements: dict[str, Element] = field(default_factory=dict)
    _read: dict[str, tuple[Surface, Mass | None] | None] = field(default_factory=dict)

    def add(self, element: Element) -> None:
        """Take note of a mesh."""
        stem = Path(element.text("file").replace("\\", "/")).stem
        self._elements[element.text("name") or stem] = element

    def get(self, name: str) -> tuple[Surface, Mass | None] | None:
        """Return the triangles of a mesh, and what they weigh at density one.

        None is a mesh that is not read, which is said once.
        """
        if name not in self._read:
            element = self._elements.get(name, Element("mesh"))
            file = element.text("file") or name
            surface = tried(lambda: self._surface(name, element), file, self.findings)
            rule = element.text("inertia", "legacy")
            self._read[name] = None if surface is None else (surface, mesh_mass(surface, rule))
        return self._read[name]

    def _surface(self, name: str, element: Element) -> Surface:
        if name not in self._elements:
            raise MeshError("there is none of this name")
        if element.text("file"):
            read = read_mesh(self.folder / self._below(element.text("file")))
            return _placed(element, replace(read, name=name))
        points, corners = element.floats("vertex"), element.floats("face")
        triangles = tuple((int(a), int(b), int(c)) for a, b, c in _threes(corners))
        count = len(points) // 3
        if not triangles or not all(0 <= at < count for one in triangles for at in one):
            raise MeshError("it is made by a rule, or a cloud of points")
        return _placed(element, Surface(name, tuple(_threes(points)), triangles))

    def _below(self, file: str) -> PurePosixPath:
        said = self.compiler.said
        folder = said.text("meshdir") or said.text("assetdir")
        if self.compiler.flag("strippath", default=False):
            file = file.replace("\\", "/").rpartition("/")[2]
        return relative(folder) / relative(file)


def _threes(numbers: Sequence[float]) -> list[Vector3]:
    return list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=False))


def _placed(element: Element, surface: Surface) -> Surface:
    """Return a mesh with its own place, turn and scale taken into its points."""
    place, turn = element.vector("refpos"), element.floats("refquat")
    points = tuple(minus(point, place) for point in surface.points)
    if len(turn) == 4:
        back = transpose(rotation_from_quaternion(from_wxyz(turn)))
        points = tuple(apply(back, point) for point in points)
    return resized(replace(surface, points=points), element.vector("scale", ONE))


def read_geom(element: Element, outer: Matrix, name: str, meshes: Meshes) -> ReadGeom | None:
    """Return a geom; None where it is of a kind that is left out, which is noted."""
    compiler, findings = meshes.compiler, meshes.findings
    own = element.text("name")
    kind = element.text("type", "sphere")
    shape: Shape | None
    surface: Surface | None = None
    place = compiler.pose(element)
    if kind in ("mesh", "sdf") or element.text("mesh"):
        if kind != "mesh":
            findings.note("fitted", own or name)
        mesh = meshes.get(element.text("mesh"))
        if mesh is None:
            return None
        (surface, solid), shape, own = mesh, HULL, own or element.text("mesh")
    else:
        ends = element.floats("fromto")
        size = [abs(number) for number in element.floats("size")]
        if len(ends) == 6 and kind in ("capsule", "cylinder", "box", "ellipsoid"):
            place, half = _between(ends)
            size = [*((size * 2)[:2] if kind in ("box", "ellipsoid") else size[:1]), half]
        made = SHAPES.get(kind)
        if made is None or len(size) < COUNTS[kind]:
            findings.note("geom", own or name)
            return None
        shape, surface = made(size)
        solid = None if isinstance(shape, Plane) else filled(shape, surface)
        if kind == "ellipsoid" and solid is not None:
            solid = ellipsoidal(size)
    place = multiply(outer, place)
    kinds = (int(element.number("contype", 1)), int(element.number("conaffinity", 1)))
    group = int(element.number("group", 0))
    geom = Geom(
        own or name,
        place,
        shape if any(kinds) else None,
        surface,
        shown=group in SHOWN_GROUPS,
        friction=element.number("friction", 1.0),
    )
    if element.text("shellinertia") == "true" and not isinstance(shape, Plane):
        findings.note("shell", geom.name)
    groups = compiler.said.floats("inertiagrouprange") or (0.0, 5.0)
    if solid is None or not int(groups[0]) <= group <= int(groups[-1]):
        return ReadGeom(geom, None, kinds)
    density = element.number("density", DENSITY)
    if element.text("mass"):
        density = element.number("mass") / solid.mass
    return ReadGeom(geom, through(times(solid, density), place), kinds)


def _between(ends: Sequence[float]) -> tuple[Matrix, float]:
    """Return the pose of what reaches from a point to another, and half its length in m."""
    a, b = _threes(ends)
    way = minus(a, b)  # MuJoCo's Z points back to the start
    return pose(along_z(way), scaled(plus(a, b), 0.5)), 0.5 * sqrt(dot(way, way))


SHAPES: dict[str, Callable[[list[float]], tuple[Shape, Surface | None]]] = {
    "sphere": lambda s: (Sphere(s[0]), None),
    "capsule": lambda s: (Capsule(2.0 * s[1], s[0], s[0]), None),
    "cylinder": lambda s: (Cylinder(2.0 * s[1], s[0], s[0]), None),
    "box": lambda s: (Box((2.0 * s[0], 2.0 * s[1], 2.0 * s[2])), None),
    "ellipsoid": lambda s: (HULL, ellipsoid((s[0], s[1], s[2]))),
    "plane": lambda s: (Plane(2.0 * s[0] or inf, 2.0 * s[1] or inf), None),
}
COUNTS = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3, "plane": 2}
"""Numbers of size that a kind needs."""


THINNEST = 1e-30
"""m^2 or m^3: less is nothing."""


def mesh_mass(surface: Surface, rule: str) -> Mass | None:
    """Return a mesh at density one by a rule of MuJoCo's; None where it has nothing to weigh.

    ``legacy``, the default, adds up the tetrahedra between the surface and its centre, each as if
    it faced outwards: it counts what is folded twice, and is exact where the mesh is convex.
    Source: MuJoCo's XML reference, "mesh".
    """
    points, triangles = np.array(surface.points), np.array(surface.triangles, dtype=np.intp)
    if rule == "exact":
        return enclosed(points, triangles)
    if rule == "convex":
        return measured(points, triangles).hull
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas, middles = 0.5 * np.linalg.norm(normals, axis=1), corners.mean(1)
    if not areas.sum() > THINNEST:
        return None
    centre = areas @ middles / areas.sum()
    if rule == "shell":
        return _gathered(corners, areas / 12.0, centre, float(areas.sum()))
    volumes = _volumes(normals, middles - centre)
    if not volumes.sum() > THINNEST:
        return None
    centre = centre + 0.75 * (volumes @ (middles - centre)) / volumes.sum()
    volumes = _volumes(normals, middles - centre)  # once more, from the centre of mass
    return _gathered(corners, volumes / 20.0, centre, float(volumes.sum()))


def _volumes(normals: Array, middles: Array) -> Array:
    """Return the volumes of tetrahedra below triangles, whichever way these face."""
    return np.asarray(np.abs(np.einsum("ij,ij->i", normals, middles)) / 6.0)


def _gathered(corners: Array, weights: Array, centre: Array, total: float) -> Mass | None:
    """Return the mass of triangles, or of tetrahedra below them, by their corners (n, 3, 3).

    The integral of r r^T over each is a weight times the sum of its corners' squares and that of
    their sum, all seen from the centre.
    """
    seen = corners - centre
    rows = np.concatenate([seen, seen.sum(1, keepdims=True)], axis=1)
    spread = np.einsum("i,ijk,ijl->kl", weights, rows, rows)
    return mass_from(total, centre, spread / total)


Pair = frozenset[int]
Kind = tuple[int, int, int | None]
"""Contype, conaffinity, and the link where its pairs matter."""


def excluded_pairs(root: Element, names: Mapping[str, int], findings: Findings) -> set[Pair]:
    """Return the pairs of links that never meet."""
    found: set[Pair] = set()
    for pair in root.inside("contact", "pair"):
        findings.note("pair", pair.text("name") or pair.text("geom1"))
    for one in root.inside("contact", "exclude"):
        first, second = one.text("body1"), one.text("body2")
        if first in names and second in names:
            found.add(frozenset((names[first], names[second])))
    return found


def parents_met(root: Element, links: Sequence[Link], excluded: set[Pair]) -> list[bool]:
    """Return of each link whether it meets its parent; MuJoCo has one met that stands still."""
    filtered = all(flag.text("filterparent") != "disable" for flag in root.inside("option", "flag"))
    tops = _tops(links)
    return [
        (not filtered or tops[link.parent] == WORLD)
        and frozenset((index, link.parent)) not in excluded
        for index, link in enumerate(links)
    ]


def _tops(links: Sequence[Link]) -> dict[int, int]:
    """Return of each link and the world the outermost one that is rigid with it."""
    tops = {WORLD: WORLD}
    for index, link in enumerate(links):
        tops[index] = index if link.moves else tops[link.parent]
    return tops


def filtered_geoms(
    geoms: Mapping[int, Sequence[ReadGeom]], links: Sequence[Link], excluded: set[Pair]
) -> tuple[dict[int, tuple[Geom, ...]], tuple[CollisionFilter, ...]]:
    """Return the geoms of each link with their filters, and the filters; none where all meet.

    A joint keeps the two links apart that it joins; what it cannot keep apart filters do.
    """
    apart = {pair for pair in excluded if not _is_joined(pair, links)}
    rigid = _rigid_with(links)
    for index, one in enumerate(links):
        if len(stacks(one.axes)) > 1 and not one.meets_parent:
            apart |= {frozenset(pair) for pair in product(rigid[index], rigid[one.parent])}
    special = {link for pair in apart for link in pair}
    kinds: dict[Kind, int] = {}

    def kind_of(part: ReadGeom, link: int) -> Kind:
        return (*part.kinds, link if link in special else None)

    for link, own in geoms.items():
        for part in own:
            if part.geom.shape is not None:
                kinds.setdefault(kind_of(part, link), len(kinds))

    def meet(a: Kind, b: Kind) -> bool:
        together = bool((a[0] & b[1]) | (b[0] & a[1]))
        return together and (a[2] is None or b[2] is None or frozenset((a[2], b[2])) not in apart)

    if all(meet(a, b) for a in kinds for b in kinds):
        kinds.clear()
    names = {kind: _name(kind, links) for kind in kinds}
    filters = tuple(
        CollisionFilter(name, (name,), tuple(names[one] for one in kinds if meet(kind, one)))
        for kind, name in names.items()
    )
    found: dict[int, tuple[Geom, ...]] = {}
    for link, own in geoms.items():  # what is shown only has no kind
        found[link] = tuple(replace(one.geom, filter=kinds.get(kind_of(one, link))) for one in own)
    return found, filters


def _rigid_with(links: Sequence[Link]) -> dict[int, list[int]]:
    """Return of each link all that are rigid with it; parts of the world are the world."""
    tops = _tops(links)
    groups: dict[int, list[int]] = {}
    for index, top in tops.items():
        groups.setdefault(top, []).append(index)
    return {index: groups[top] for index, top in tops.items()}


def _is_joined(pair: Pair, links: Sequence[Link]) -> bool:
    """Return whether one joint of ours joins two links."""
    return any(
        links[one].parent == other and len(stacks(links[one].axes)) == 1
        for one in pair
        for other in pair
        if WORLD != one != other
    )


def _name(kind: Kind, links: Sequence[Link]) -> str:
    contype, conaffinity, link = kind
    if link is None:
        return f"{contype}/{conaffinity}"
    body = "world" if link == WORLD else links[link].name
    return body if (contype, conaffinity) == (1, 1) else f"{body} {contype}/{conaffinity}"
