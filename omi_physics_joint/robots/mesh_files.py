# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files by their endings: small ones of our own, and ``trimesh`` for others where it is there.

STL and OBJ are what nearly all robots have; three short readers need nothing installed and run
inside Blender. What else there is (Collada, PLY) is not worth a reader beside a library.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain, count, pairwise
from pathlib import Path, PurePosixPath, PureWindowsPath

from ..files.inputs import spend, why_closed
from ..model.body import Vector3
from ..model.contents import ContentsError
from ..model.geometry.transform import cross, normalized
from ..model.issue import Severity
from ..model.wording.findings import Findings
from .robot import Surface

HEADER, FACET = 84, 50
"""Bytes before the first triangle, and of each."""
FACET_FORM = struct.Struct("<12fH")


def read_stl(content: bytes, name: str) -> Surface:
    """Return the triangles of a file; equal corners are one point.

    Raises:
        ValueError: it is damaged; with a sentence that says how.
    """
    count = struct.unpack_from("<I", content, 80)[0] if len(content) >= HEADER else -1
    if count >= 0 and len(content) >= HEADER + FACET * count and not _is_text(content, count):
        spend("triangles", count)
        facets = FACET_FORM.iter_unpack(content[HEADER : HEADER + FACET * count])
        corners = [c for f in facets for c in ((f[3:6]), (f[6:9]), (f[9:12]))]
    elif content.lstrip()[:5].lower() == b"solid":
        corners = _text_corners(content)
    else:
        raise ValueError("it is shorter than it says")
    return _surface(name, corners)


def write_stl(surface: Surface) -> bytes:
    """Return triangles as a binary file."""
    parts = [b"omi_physics_joint".ljust(80, b" "), struct.pack("<I", len(surface.triangles))]
    for a, b, c in surface.triangles:
        p, q, r = surface.points[a], surface.points[b], surface.points[c]
        u = [y - x for x, y in zip(p, q, strict=True)]
        v = [y - x for x, y in zip(p, r, strict=True)]
        parts.append(FACET_FORM.pack(*normalized(cross(u, v)), *p, *q, *r, 0))
    return b"".join(parts)


def _is_text(content: bytes, count: int) -> bool:
    """Return whether a file is text although its length would fit: binary ones may say solid."""
    return (
        content[:5].lower() == b"solid"
        and len(content) != HEADER + FACET * count
        and b"facet" in content[:1000]
    )


def _text_corners(content: bytes) -> list[tuple[float, ...]]:
    words = content.split()
    corners: list[tuple[float, ...]] = []
    for i, word in enumerate(words):
        if word.lower() == b"facet":
            spend("triangles")
        if word.lower() == b"vertex" and i + 3 < len(words):
            corners.append(tuple(float(number) for number in words[i + 1 : i + 4]))
    return corners


def _surface(name: str, corners: list[tuple[float, ...]]) -> Surface:
    numbers: dict[tuple[float, ...], int] = {}
    indices = [numbers.setdefault(corner, len(numbers)) for corner in corners]
    triangles = zip(indices[::3], indices[1::3], indices[2::3], strict=False)
    points: list[Vector3] = [(x, y, z) for x, y, z in numbers]
    return Surface(name, tuple(points), tuple(t for t in triangles if len(set(t)) == 3))


FARTHEST = 3e38
"""What single precision holds: no mesh of ours has points farther away."""
NO_POINT = "a face names a point that is not there"
BY_LIBRARY = (".dae", ".ply", ".off", ".3mf")
"""Endings that ``trimesh`` reads; Collada needs ``pycollada`` beside it."""


class MeshError(Exception):
    """A mesh is not read; its text says why, to stand after the name of the file and a colon."""


def tried(read: Callable[[], Surface], name: str, findings: Findings) -> Surface | None:
    """Return the mesh that a reader returns; None where it fails, which is said of its name."""
    try:
        return read()
    except MeshError as error:
        findings.say(
            Severity.WARNING,
            "mesh",
            name,
            f"This mesh is not read: {error}.",
            "What uses it is left out.",
        )
        return None


def relative(name: str) -> PurePosixPath:
    """Return the path of a file as a model names it.

    Raises:
        MeshError: it is not below a folder.
    """
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or PureWindowsPath(name).drive:
        raise MeshError("its path begins at the root of a disk, where nothing is read")
    return path


def read_mesh(path: Path) -> Surface:
    """Return the triangles of a file, in its own unit.

    Raises:
        MeshError: it is not there, too large, damaged or in a form that is not read.
    """
    suffix = path.suffix.lower()
    if suffix not in (*READERS, *BY_LIBRARY):
        raise MeshError(f"meshes {suffix or 'without an ending'} are not read")
    if why := why_closed(path):
        raise MeshError(why)
    try:
        spend("bytes", path.stat().st_size)
        surface = (
            READERS[suffix](path.read_bytes(), path.stem)
            if suffix in READERS
            else _by_library(path)
        )
    except OSError as error:
        raise MeshError(str(error.strerror or "it cannot be read").lower()) from None
    except ValueError as error:
        raise MeshError(f"it is damaged ({error})") from None
    if not surface.triangles:
        raise MeshError("it has no triangles")
    if not all(abs(x) <= FARTHEST for point in surface.points for x in point):
        raise MeshError("it has points that are no numbers")
    return surface


def _by_library(path: Path) -> Surface:
    try:
        import trimesh

        found = trimesh.load(path, force="mesh")
        if found.units:  # Collada says its unit, and whoever reads robots takes it
            found.convert_units("meters")
    except ImportError as error:
        kind = path.suffix.lower()
        message = f"save it as .obj or .stl, since meshes {kind} take the package {error.name}"
        raise MeshError(message) from None
    except Exception as error:  # noqa: BLE001 - whatever its readers raise on damaged files
        raise MeshError(f"trimesh cannot read it ({type(error).__name__})") from None
    points = tuple((float(x), float(y), float(z)) for x, y, z in found.vertices)
    return Surface(path.stem, points, tuple((int(a), int(b), int(c)) for a, b, c in found.faces))


def _read_msh(content: bytes, name: str) -> Surface:
    """Return the triangles of MuJoCo's own binary form.

    Four counts, then points, normals, texture places and faces.
    """
    if len(content) < 16:
        raise ValueError("it is too short")
    points, normals, places, faces = struct.unpack_from("<4i", content)
    floats = 3 * points + 3 * normals + 2 * places
    if min(points, normals, places, faces) < 0 or len(content) != 16 + 4 * (floats + 3 * faces):
        raise ValueError("its counts do not fit its length")
    spend("triangles", faces)
    spend("numbers", 3 * points)
    corners = struct.iter_unpack("<3f", content[16 : 16 + 12 * points])
    triangles = struct.iter_unpack("<3i", content[16 + 4 * floats :])
    found = tuple((a, b, c) for a, b, c in triangles)
    if any(not 0 <= corner < points for triangle in found for corner in triangle):
        raise ValueError(NO_POINT)
    return Surface(name, tuple((x, y, z) for x, y, z in corners), found)


def _read_obj(content: bytes, name: str) -> Surface:
    """Return the points and faces of Wavefront's OBJ; a face of more corners is a fan."""
    points: list[Vector3] = []
    triangles: list[tuple[int, int, int]] = []
    for line in BytesIO(content):
        words = line.split()
        if not words:
            continue
        if words[0] == b"v" and len(words) >= 4:
            spend("numbers", 3)
            points.append((float(words[1]), float(words[2]), float(words[3])))
        elif words[0] == b"f" and len(words) >= 4:
            spend("triangles", len(words) - 3)
            corners = [_corner(word, len(points)) for word in words[1:]]
            triangles += [(corners[0], b, c) for b, c in pairwise(corners[1:])]
    return Surface(name, tuple(points), tuple(triangles))


def _corner(word: bytes, count: int) -> int:
    number = int(word.split(b"/")[0])
    index = number - 1 if number > 0 else count + number
    if not 0 <= index < count:
        raise ValueError(NO_POINT)
    return index


READERS = {".stl": read_stl, ".obj": _read_obj, ".msh": _read_msh}
"""By ending. They raise ValueError with what is damaged."""


LONGEST = 60
"""Letters of a file's name."""


@dataclass(slots=True)
class MeshFiles:
    """The files of one robot in a folder beside its own, each mesh once."""

    folder: str
    files: dict[str, bytes | Path] = field(default_factory=dict)
    """What each holds, by its path relative to the robot's file."""
    names: list[str] = field(default_factory=list)
    """Of meshes in the robot's file; that of a mesh's file has an ending besides."""
    _known: dict[int, tuple[str, Surface]] = field(default_factory=dict)

    def name(self, surface: Surface) -> str:
        """Return the name of a mesh, and note its file.

        Raises:
            ContentsError: it has points that no file of this form can say.
        """
        if id(surface) not in self._known:
            plain, taken = _plain(surface.name), {name.lower() for name in self.names}
            names = chain([plain], (f"{plain}_{number}" for number in count(2)))
            name = next(name for name in names if name.lower() not in taken)
            self.names.append(name)
            try:
                self.files[f"{self.folder}/{name}.stl"] = write_stl(surface)
            except OverflowError:
                message = f"The mesh {surface.name!a} has points farther away than STL can say."
                raise ContentsError(message) from None
            self._known[id(surface)] = (name, surface)
        return self._known[id(surface)][0]


def _plain(name: str) -> str:
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in name)
    return kept[:LONGEST].strip("_") or "mesh"
