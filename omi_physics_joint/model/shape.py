# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision shapes (OMI_physics_shape). Capsules and cylinders stand along the up axis."""

from __future__ import annotations

from dataclasses import dataclass

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
class Convex:
    """The convex hull of a mesh."""

    mesh: int
    """Index into the meshes of the mechanism."""
    name: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Trimesh:
    """The triangles of a mesh."""

    mesh: int
    """Index into the meshes of the mechanism."""
    name: str = ""
    unknown: str = ""


Shape = Box | Sphere | Capsule | Cylinder | Convex | Trimesh
SHAPE_TYPES: dict[str, type[Shape]] = {
    "box": Box,
    "sphere": Sphere,
    "capsule": Capsule,
    "cylinder": Cylinder,
    "convex": Convex,
    "trimesh": Trimesh,
}
"""The ``type`` of a shape in a file, and its class."""


def type_of(shape: Shape) -> str:
    """Return the ``type`` of a shape as the specification spells it."""
    return type(shape).__name__.lower()
