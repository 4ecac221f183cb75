# SPDX-License-Identifier: GPL-3.0-or-later
"""The gravity of a document. Source: OMI_physics_gravity, "glTF document"."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from ..model.body import Vector3
from ..model.issue import Issue
from .json_text import Json
from .members import Members, Place
from .names import GRAVITY
from .node_graph import vector3

EARTH = 9.81
"""m/s^2, where a file does not say."""
DOWN: Vector3 = (0.0, -1.0, 0.0)


def read_gravity(gltf: Mapping[str, Json]) -> tuple[Vector3, list[Issue]]:
    """Return the gravity of a whole document in m/s^2, and what is wrong with how it is said.

    Args:
        gltf: the JSON of the document, as it is.

    Returns:
        Gravity in glTF axes; 9.81 m/s^2 downwards where the file does not say.
    """
    issues: list[Issue] = []
    quiet = Members(gltf, Place(), [])  # what is wrong elsewhere is not for this reader to say
    extensions = quiet.child("extensions")
    said = extensions.child(GRAVITY) if extensions else None
    if said is None:
        return (0.0, -EARTH, 0.0), issues
    members = Members(said.json, said.place, issues)
    strength = members.number("gravity", EARTH)
    direction = vector3(members.vector("direction", DOWN))
    length = sqrt(sum(x * x for x in direction))
    if length == 0.0:
        members.error("gravity-direction", "The direction of gravity is zero.", "Down is taken.")
        direction, length = DOWN, 1.0
    x, y, z = (strength * part / length + 0.0 for part in direction)
    return (x, y, z), issues
