# SPDX-License-Identifier: GPL-3.0-or-later
"""Geoms and the meshes that they use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, sqrt
from pathlib import Path

from ...model.body import Vector3
from ...model.geometry.transform import Matrix, dot, multiply, rotation_from_quaternion, transpose
from ...model.issue import Severity
from ...model.shape import Box, Capsule, Convex, Cylinder, Plane, Shape, Sphere
from ...model.wording.findings import Findings
from ..element import Element
from ..masses import filled, through, times
from ..meshes.files import MeshError, read_mesh
from ..numbers import floats, number, vector
from ..robot import Geom, Mass, Surface
from ..surfaces import ellipsoid
from ..turning import along_z, minus, plus, pose, turned
from ..turning import times as scaled
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
    _read: dict[str, Surface | None] = field(default_factory=dict)
    _weighed: dict[str, Mass | None] = field(default_factory=dict)

    def add(self, element: Element) -> None:
        """Take note of a mesh."""
        stem = Path(element.text("file").replace("\\", "/")).stem
        self._elements[element.text("name") or stem] = element

    def get(self, name: str) -> Surface | None:
        """Return the triangles of a mesh; None where they are not read, which is said once."""
        if name not in self._read:
            self._read[name] = self._load(name)
        return self._read[name]

    def mass(self, name: str) -> Mass | None:
        """Return what a mesh encloses at density one."""
        if name not in self._weighed:
            surface = self.get(name)
            self._weighed[name] = None if surface is None else filled(HULL, surface)
        return self._weighed[name]

    def _load(self, name: str) -> Surface | None:
        element = self._elements.get(name)
        try:
            surface = self._surface(name, element)
        except MeshError as error:
            file = name if element is None else element.text("file") or name
            self.findings.say(
                Severity.WARNING,
                "mesh",
                file,
                f"This mesh is not read: {error}.",
                "What uses it is left out.",
            )
            return None
        assert element is not None
        return _placed(element, surface)

    def _surface(self, name: str, element: Element | None) -> Surface:
        if element is None:
            message = "there is none of this name"
            raise MeshError(message)
        if element.text("file"):
            surface = read_mesh(self._path(element.text("file")))
            return Surface(name, surface.points, surface.triangles)
        points, corners = floats(element, "vertex"), floats(element, "face")
        triangles = tuple((int(a), int(b), int(c)) for a, b, c in _threes(corners))
        if not triangles or max(map(max, triangles)) >= len(points) // 3:
            message = "it is made by a rule, or a cloud of points"
            raise MeshError(message)
        return Surface(name, tuple(_threes(points)), triangles)

    def _path(self, file: str) -> Path:
        said = self.compiler.said
        folder = said.get("meshdir") or said.get("assetdir") or ""
        name = Path(file.replace("\\", "/"))
        if self.compiler.flag("strippath", default=False):
            name = Path(name.name)
        below = Path(folder.replace("\\", "/")) / name
        if below.is_absolute():
            message = "its path begins at the root of a disk, where nothing is read"
            raise MeshError(message)
        return self.folder / below


def _threes(numbers: tuple[float, ...]) -> list[Vector3]:
    return list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=False))


def _placed(element: Element, surface: Surface) -> Surface:
    """Return a mesh with its own place, turn and scale taken into its points."""
    scale = vector(element, "scale", (1.0, 1.0, 1.0))
    refpos, refquat = vector(element, "refpos"), floats(element, "refquat")
    back = None
    if len(refquat) == 4 and any(refquat):
        w, x, y, z = refquat
        back = pose(transpose(rotation_from_quaternion((x, y, z, w))))
    points = []
    for point in surface.points:
        p = minus(point, refpos)
        p = p if back is None else turned(back, p)
        points.append((p[0] * scale[0], p[1] * scale[1], p[2] * scale[2]))
    triangles = surface.triangles
    if scale[0] * scale[1] * scale[2] < 0.0:
        triangles = tuple((a, c, b) for a, b, c in triangles)
    return Surface(surface.name, tuple(points), triangles)


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
        surface = meshes.get(element.text("mesh"))
        if surface is None:
            return None
        shape, own = HULL, own or element.text("mesh")
    else:
        ends = floats(element, "fromto")
        size = [abs(number) for number in floats(element, "size")]
        if len(ends) == 6 and kind in ("capsule", "cylinder", "box", "ellipsoid"):
            place, half = _between(ends[:3], ends[3:])
            size = [*((size * 2)[:2] if kind in ("box", "ellipsoid") else size[:1]), half]
        made = SHAPES.get(kind)
        if made is None or len(size) < COUNTS[kind]:
            findings.note("geom", own or name)
            return None
        shape, surface = made(size)
    place = multiply(outer, place)
    kinds = (int(number(element, "contype", 1)), int(number(element, "conaffinity", 1)))
    group = int(number(element, "group", 0))
    geom = Geom(
        own or name,
        place,
        shape if any(kinds) else None,
        surface,
        shown=group in SHOWN_GROUPS,
        friction=number(element, "friction", 1.0),
    )
    solid = _weight(element, shape, surface, meshes, geom.name)
    in_range = _counts(compiler, group)
    return ReadGeom(geom, None if solid is None or not in_range else through(solid, place), kinds)


def _counts(compiler: Compiler, group: int) -> bool:
    words = compiler.said.get("inertiagrouprange", "0 5").split()
    return int(float(words[0])) <= group <= int(float(words[-1]))


def _weight(
    element: Element, shape: Shape, surface: Surface | None, meshes: Meshes, name: str
) -> Mass | None:
    if isinstance(shape, Plane):
        return None
    if element.text("shellinertia") == "true":
        meshes.findings.note("shell", name)
    of_mesh = element.text("mesh") and surface is not None
    solid = meshes.mass(element.text("mesh")) if of_mesh else filled(shape, surface)
    if solid is None:
        return None
    if element.text("mass"):
        return times(solid, number(element, "mass", 0.0) / solid.mass)
    return times(solid, number(element, "density", DENSITY))


def _between(start: tuple[float, ...], end: tuple[float, ...]) -> tuple[Matrix, float]:
    """Return the pose of what reaches from a point to another, and half its length in m."""
    a, b = (start[0], start[1], start[2]), (end[0], end[1], end[2])
    way = minus(a, b)  # MuJoCo's Z points back to the start
    return pose(along_z(way), scaled(plus(a, b), 0.5)), 0.5 * sqrt(dot(way, way))


def _plane(size: list[float]) -> tuple[Shape, Surface | None]:
    x, y = (2.0 * half if half > 0.0 else inf for half in size[:2])
    return Plane(x, y), None


def _ellipsoid(size: list[float]) -> tuple[Shape, Surface | None]:
    return HULL, ellipsoid((size[0], size[1], size[2]))


SHAPES: dict[str, Callable[[list[float]], tuple[Shape, Surface | None]]] = {
    "sphere": lambda s: (Sphere(s[0]), None),
    "capsule": lambda s: (Capsule(2.0 * s[1], s[0], s[0]), None),
    "cylinder": lambda s: (Cylinder(2.0 * s[1], s[0], s[0]), None),
    "box": lambda s: (Box((2.0 * s[0], 2.0 * s[1], 2.0 * s[2])), None),
    "ellipsoid": _ellipsoid,
    "plane": _plane,
}
COUNTS = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3, "plane": 2}
"""Numbers of size that a kind needs."""
