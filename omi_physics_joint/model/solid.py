# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles and boxes of meshes, and what engines make of them; never written."""

from __future__ import annotations

from dataclasses import dataclass

from .body import Vector3
from .mechanics.masses import Mass

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
    """What engines make of a mesh, in the space of the mesh, at density one."""

    hull: Mass | None = None
    """What its convex hull holds; None where it is flat or has no points."""
    inside: Mass | None = None
    """What it encloses; None where it is open."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A box along the axes of its node."""

    low: Vector3
    """Smallest X, Y and Z in the space of the node, before its scale."""
    high: Vector3
