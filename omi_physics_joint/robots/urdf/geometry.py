# SPDX-License-Identifier: GPL-3.0-or-later
"""Visual and collision geometry of links."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ...model.body import Vector3
from ...model.geometry.transform import Matrix
from ...model.issue import Severity
from ...model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere
from ...model.wording.findings import Findings
from ..element import Element
from ..meshes.files import MeshError, read_mesh
from ..numbers import floats, number, vector
from ..robot import Geom, Surface
from ..surfaces import surface_of
from ..turning import by_euler, pose
from .packages import mesh_path


@dataclass(slots=True)
class Geometry:
    """Reads the geometry of one robot, each mesh once."""

    folder: Path
    findings: Findings
    _read: dict[str, Surface | None] = field(default_factory=dict)
    _looks: dict[Shape, Surface | None] = field(default_factory=dict)
    _scaled: dict[tuple[str, Vector3], Surface] = field(default_factory=dict)

    def geoms(self, link: Element) -> tuple[Geom, ...]:
        """Return all that a link shows and collides with."""
        found: list[Geom] = []
        for kind in ("visual", "collision"):
            for count, element in enumerate(link.all(kind), start=1):
                number_ = f" {count}" if count > 1 else ""
                name = element.text("name") or f"{link.text('name')} {kind}{number_}"
                geom = self._geom(element, name, is_shown=kind == "visual")
                if geom is not None:
                    found.append(geom)
        return tuple(found)

    def _geom(self, element: Element, name: str, *, is_shown: bool) -> Geom | None:
        geometry = element.one("geometry")
        one = None if geometry is None or not geometry.children else geometry.children[0]
        if one is None:
            return None
        if one.tag == "mesh":
            surface = self._mesh(one)
            if surface is None:
                return None
            shape: Shape = Convex(0)
        else:
            made, surface = _shape(one), None
            if made is None:
                self.findings.note("geometry", name)
                return None
            shape = made
        if not is_shown:
            return Geom(name, origin(element), shape, surface, shown=False)
        return Geom(name, origin(element), None, surface or self._look(shape))

    def _look(self, shape: Shape) -> Surface | None:
        """Return a shape as triangles; equal ones are the same."""
        if shape not in self._looks:
            self._looks[shape] = surface_of(shape)
        return self._looks[shape]

    def _mesh(self, element: Element) -> Surface | None:
        name = element.text("filename")
        if name not in self._read:
            self._read[name] = self._load(name)
        surface = self._read[name]
        scale = _scale(element)
        if surface is None or scale == (1.0, 1.0, 1.0):
            return surface
        if (name, scale) not in self._scaled:
            self._scaled[name, scale] = _resized(surface, scale)
        return self._scaled[name, scale]

    def _load(self, name: str) -> Surface | None:
        try:
            return read_mesh(mesh_path(name, self.folder))
        except MeshError as error:
            self.findings.say(
                Severity.WARNING,
                "mesh",
                name,
                f"This mesh is not read: {error}.",
                "What uses it is left out.",
            )
            return None


def origin(element: Element) -> Matrix:
    """Return the pose that an element has: its origin, or none."""
    found = element.one("origin")
    if found is None:
        return pose(by_euler((0.0, 0.0, 0.0), "XYZ"))
    return pose(by_euler(vector(found, "rpy"), "XYZ"), vector(found, "xyz"))


def _shape(element: Element) -> Shape | None:
    if element.tag == "box":
        return Box(vector(element, "size"))
    if element.tag == "sphere":
        return Sphere(number(element, "radius", 0.0))
    radius, length = number(element, "radius", 0.0), number(element, "length", 0.0)
    if element.tag == "cylinder":
        return Cylinder(length, radius, radius)
    return Capsule(length, radius, radius) if element.tag == "capsule" else None


def _scale(element: Element) -> Vector3:
    """Return the scale of a mesh; one number alone is that of all axes."""
    numbers = floats(element, "scale")
    if len(numbers) == 1:
        return (numbers[0], numbers[0], numbers[0])
    return vector(element, "scale", (1.0, 1.0, 1.0))


def _resized(surface: Surface, scale: Vector3) -> Surface:
    x, y, z = scale
    triangles = surface.triangles
    if x * y * z < 0.0:
        triangles = tuple((a, c, b) for a, b, c in triangles)
    points = tuple((a * x, b * y, c * z) for a, b, c in surface.points)
    return Surface(surface.name, points, triangles)
