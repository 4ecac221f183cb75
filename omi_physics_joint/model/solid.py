# SPDX-License-Identifier: GPL-3.0-or-later
"""What fills a shape: how much of it there is, where its centre is, and how it is spread.

Derived from shapes and meshes for the inertia of bodies; never written.
"""

from __future__ import annotations

from dataclasses import dataclass

from .body import Vector3

Spread = tuple[tuple[float, ...], ...]
"""The integral of r r^T over a solid, r from its centre: 3 x 3, m^5."""


@dataclass(frozen=True, slots=True)
class Solid:
    """A solid of density one."""

    volume: float
    """m^3."""
    centre: Vector3
    """m."""
    spread: Spread


Triangle = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Triangles:
    """All triangles of a mesh, in the space of the node that has it."""

    points: tuple[Vector3, ...]
    """m."""
    triangles: tuple[Triangle, ...]
    """Indices of points, counter-clockwise from outside."""


@dataclass(frozen=True, slots=True)
class MeshSolids:
    """What engines make of a mesh, in the space of the mesh."""

    hull: Solid | None = None
    """What its convex hull holds; None where it is flat or has no points."""
    inside: Solid | None = None
    """What it encloses; None where it is open."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A box along the axes of its node."""

    low: Vector3
    """Smallest X, Y and Z in the space of the node, before its scale."""
    high: Vector3
