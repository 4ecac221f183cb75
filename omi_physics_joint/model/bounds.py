# SPDX-License-Identifier: GPL-3.0-or-later
"""How much room a mesh takes: what is known of it where its vertices are not at hand."""

from __future__ import annotations

from dataclasses import dataclass

from .body import Vector3


@dataclass(frozen=True, slots=True)
class Bounds:
    """A box along the axes of its node."""

    low: Vector3
    """Smallest X, Y and Z in the space of the node, before its scale."""
    high: Vector3
