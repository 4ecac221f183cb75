# SPDX-License-Identifier: GPL-3.0-or-later
"""Visual and collision geometry of links, and which files their meshes are.

Meshes are named by plain paths, ``package://`` and ``model://``. A package is a folder of that name
beside or above the robot's file; nothing else is looked up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os.path import isfile
from pathlib import Path, PurePosixPath

from ...model.body import Vector3
from ...model.geometry.transform import ONE, Matrix, rotation_from_quaternion
from ...model.geometry.transform import times as scaled
from ...model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere
from ...model.wording.findings import Findings
from ..element import Element
from ..mesh_files import MeshError, read_mesh, relative, tried
from ..robot import Geom, Surface
from ..surfaces import resized, surface_of
from ..turning import by_euler, pose

SCHEMES = ("package://", "model://")
HIGHEST = 6
"""So many folders above the file are looked through for a package."""


@dataclass(slots=True)
class Geometry:
    """Reads the geometry of one robot, each mesh once."""

    folder: Path
    findings: Findings
    packages: Mapping[str, Path]
    """Folders of packages by name, that the user has named."""
    _read: dict[str, Surface | None] = field(default_factory=dict)
    _scaled: dict[tuple[str, Vector3], Surface] = field(default_factory=dict)

    def geoms(self, link: Element) -> tuple[Geom, ...]:
        """Return all that a link shows and collides with."""
        found: list[Geom] = []
        for kind in ("visual", "collision"):
            for count, element in enumerate(link.all(kind), start=1):
                suffix = f" {count}" if count > 1 else ""
                name = element.text("name") or f"{link.text('name')} {kind}{suffix}"
                solid = self._solid(element.inner("geometry"), name)
                if solid is None:
                    continue
                shape, surface = solid
                place = origin(element)
                if kind == "visual":
                    found.append(Geom(name, place, None, surface or surface_of(shape)))
                else:
                    found.append(Geom(name, place, shape, surface, shown=False))
        return tuple(found)

    def _solid(self, geometry: Element, name: str) -> tuple[Shape, Surface | None] | None:
        """Return a shape, and the triangles of a mesh; None where it is left out."""
        if not geometry.children:
            return None
        one = geometry.children[0]
        if one.tag == "mesh":
            surface = self._mesh(one)
            return None if surface is None else (Convex(0), surface)
        shape = _shape(one)
        if shape is None:
            self.findings.note("geometry", name)
            return None
        return shape, None

    def _mesh(self, element: Element) -> Surface | None:
        name = element.text("filename")
        if name not in self._read:
            self._read[name] = tried(
                lambda: read_mesh(_mesh_path(name, self.folder, self.packages)), name, self.findings
            )
        surface, scale = self._read[name], _scale(element)
        if surface is None:
            return None
        if (name, scale) not in self._scaled:
            self._scaled[name, scale] = resized(surface, scale)
        return self._scaled[name, scale]


def origin(element: Element) -> Matrix:
    """Return the pose that an element has: its origin, or none."""
    found = element.inner("origin")
    turn = by_euler(found.vector("rpy"), "XYZ")
    if any(q := found.floats("quat_xyzw", 4)):  # since 1.2
        turn = rotation_from_quaternion((q[0], q[1], q[2], q[3]))
    return pose(turn, found.vector("xyz"))


def _shape(element: Element) -> Shape | None:
    if element.tag == "box":
        return Box(element.vector("size"))
    if element.tag == "sphere":
        return Sphere(element.number("radius"))
    radius, length = element.number("radius"), element.number("length")
    if element.tag == "cylinder":
        return Cylinder(length, radius, radius)
    return Capsule(length, radius, radius) if element.tag == "capsule" else None


def _scale(element: Element) -> Vector3:
    """Return the scale of a mesh; one number alone is that of all axes."""
    if len(element.floats("scale")) == 1:
        return scaled(ONE, element.number("scale"))
    return element.vector("scale", ONE)


def _mesh_path(name: str, folder: Path, packages: Mapping[str, Path]) -> Path:
    """Return the file that a robot names.

    Raises:
        MeshError: it is nowhere, or named in a way that is not followed.
    """
    text = name.replace("\\", "/")
    scheme = next((one for one in SCHEMES if text.startswith(one)), "")
    if text.startswith("file://"):
        text = text.removeprefix("file://")
    elif "://" in text and not scheme:
        raise MeshError(f"addresses {text.split('://')[0]}:// are not followed")
    below = relative(text.removeprefix(scheme))
    if not scheme:
        return folder / below
    if ".." in below.parts:
        raise MeshError("its path leads out of its package")
    package = below.parts[0] if below.parts else ""
    inside = PurePosixPath(*below.parts[1:])
    said = packages.get(package)
    for place in _places(below, folder.resolve()) if said is None else [said / inside]:
        if isfile(place):  # also of no name that a file can have
            return place
    where = f"a folder {package!a} beside or above this one" if said is None else f"{said}"
    message = f"there is no such file in {where}: put it there"
    raise MeshError(f"{message}, or call the command line with --package {package}=FOLDER")


def _places(below: PurePosixPath, folder: Path) -> Iterator[Path]:
    """Yield where a file of a package may be: the nearest first."""
    inside = PurePosixPath(*below.parts[1:])
    for above in [folder, *folder.parents][: HIGHEST + 1]:
        yield above / below
        if below.parts and above.name == below.parts[0]:
            yield above / inside
    # Packages are copied without the folder that names them.
    for above in [folder, *folder.parents][:2]:
        yield above / inside
