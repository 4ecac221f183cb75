# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision shapes (OMI_physics_shape). Capsules and cylinders stand along the up axis.

Sizes are in m of the node, whose scale counts: ``geometry.scale.standing`` has it taken in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isfinite

from .body import Vector3


@dataclass(frozen=True, slots=True)
class Box:
    """A box about the origin of its node."""

    size: Vector3 = (1.0, 1.0, 1.0)
    """Full size in m."""
    name: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Sphere:
    """A sphere about the origin of its node."""

    radius: float = 0.5
    """m."""
    name: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Capsule:
    """Two spheres and all that lies between them."""

    height: float = 1.0
    """m between the centres of the two spheres."""
    radius_bottom: float = 0.5
    radius_top: float = 0.5
    name: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Cylinder:
    """Two discs and all that lies between them."""

    height: float = 2.0
    """m between the two discs."""
    radius_bottom: float = 0.5
    radius_top: float = 0.5
    name: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Plane:
    """A plane through the origin of its node, facing up. OMI has none."""

    size_x: float = inf
    """m along X; infinite is without end."""
    size_z: float = inf
    """m along Z of glTF, Y of Blender."""
    double_sided: bool = False
    name: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class MeshShape:
    """What all shapes that are made of a mesh have."""

    mesh: int
    """Index into the meshes of the mechanism."""
    name: str = ""
    unknown: str = ""


class Convex(MeshShape):
    """The convex hull of a mesh."""

    __slots__ = ()


class Trimesh(MeshShape):
    """The triangles of a mesh."""

    __slots__ = ()


THIN, ENDLESS = 0.01, 1000.0
"""m: a box in place of a plane."""
Shape = Box | Sphere | Capsule | Cylinder | Plane | Convex | Trimesh
SIZES: dict[type[Shape], tuple[str, ...]] = {
    Box: ("size",),
    Sphere: ("radius",),
    Capsule: ("height", "radius_bottom", "radius_top"),
    Cylinder: ("height", "radius_bottom", "radius_top"),
    Plane: ("size_x", "size_z"),
    Convex: (),
    Trimesh: (),
}
"""The lengths that a shape has itself, in m."""
SHAPE_TYPES = {kind.__name__.lower(): kind for kind in SIZES}
"""The ``type`` of a shape in a file, and its class."""


def type_of(shape: Shape) -> str:
    """Return the ``type`` of a shape as the specification spells it."""
    return type(shape).__name__.lower()


def without_ends(shape: Shape) -> Shape:
    """Return a shape; of a capsule whose height was counted with both of its ends, without them."""
    if not isinstance(shape, Capsule):
        return shape
    return replace(shape, height=max(shape.height - shape.radius_bottom - shape.radius_top, 0.0))


def slab(plane: Plane) -> Box:
    """Return a thin box in place of a plane, about its node, for those who have no planes."""
    x, z = (size if isfinite(size) else ENDLESS for size in (plane.size_x, plane.size_z))
    return Box((x, THIN, z), plane.name, plane.unknown)
