# SPDX-License-Identifier: GPL-3.0-or-later
"""The gravity of a document. Source: OMI_physics_gravity, "glTF document"."""

from __future__ import annotations

from math import hypot

from ...model.body import Vector3
from ...model.mechanism import EARTH, GRAVITY
from ..document.json_text import JsonObject, merged
from ..document.members import Members
from ..document.node_graph import vector3
from ..document.numbers import number, numbers

DOWN: Vector3 = (0.0, -1.0, 0.0)
SAME = 1e-6
"""Parts of the Earth's gravity that do not count: single precision holds no more."""


def read_gravity(gravity: Members) -> Vector3:
    """Return the gravity of a whole document in m/s^2, in its axes."""
    strength = gravity.number("gravity", GRAVITY)
    direction = vector3(gravity.vector("direction", DOWN))
    length = hypot(*direction)
    if length == 0.0:
        gravity.error("gravity-direction", "The direction of gravity is zero.", "Down is taken.")
        direction, length = DOWN, 1.0
    x, y, z = (strength * part / length + 0.0 for part in direction)
    return (x, y, z)


def spell_gravity(gravity: Vector3 | None, unknown: str) -> JsonObject:
    """Return the extension object of a document; an empty one where there is nothing to say."""
    members: JsonObject = {}
    if gravity is None and unknown:
        members["gravity"] = number(GRAVITY)
    if gravity is not None:
        strength = hypot(*gravity)
        members["gravity"] = number(strength)
        if strength > 0.0:
            direction = tuple(part / strength for part in gravity)
            if max(abs(a - b) for a, b in zip(direction, DOWN, strict=True)) > SAME:
                members["direction"] = numbers(direction)
    return merged(members, unknown) if members else {}


def is_earths(gravity: Vector3) -> bool:
    """Return whether gravity is what a file means that does not say it."""
    return max(abs(a - b) for a, b in zip(gravity, EARTH, strict=True)) <= SAME * GRAVITY
