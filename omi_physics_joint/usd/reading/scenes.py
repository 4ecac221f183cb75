# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes: their gravity, and which bodies are in which.

A mechanism has one gravity, that of the scene of its first body. Where that of another one points
the same way, its bodies take a factor of it.
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot, inf

from ...model.body import ZERO, Vector3
from ...model.geometry.transform import apply, dot, linear_part
from ...model.mechanism import GRAVITY
from .. import table
from ..prim import Prim
from .builder import StageReading

SAME = 1e-5
"""Part of a gravity that does not count: single precision and rounded units leave as much."""


def read_scenes(reading: StageReading) -> None:
    """Give the mechanism its gravity, and bodies of other scenes a factor of it."""
    scenes = [prim for prim in reading.stage if prim.type == table.SCENE]
    if not scenes:
        return
    pulls = {prim.path: gravity_of(reading, prim) for prim in scenes}
    owners = [prim.first(table.OWNER) for prim in reading.stage if table.BODY_API in prim.schemas]
    used = [path for path in dict.fromkeys(owners) if path in pulls]
    first = pulls[used[0] if used else scenes[0].path]
    reading.gravity = None if _is_same(first, _earths(reading)) else first
    is_one = len(set(owners)) == 1 and (used or len(set(pulls.values())) == 1)
    if len(scenes) == 1 or is_one:
        return
    for scene in scenes:
        reading.note("usd-several-scenes", scene)
    for index, prim in reading.prim_of.items():
        motion, owner = reading.nodes[index].motion, prim.first(table.OWNER)
        if motion is None or owner not in pulls:
            continue
        factor = _factor(pulls[owner], first)
        if factor is None:
            reading.note("usd-scene-gravity", prim)
        elif factor != 1.0:
            own = motion.gravity_factor * factor
            reading.change(index, motion=replace(motion, gravity_factor=own))


def gravity_of(reading: StageReading, scene: Prim) -> Vector3:
    """Return the gravity of a scene in m/s^2, in the axes of the stage."""
    said = reading.vector(scene, table.GRAVITY_DIRECTION) or ZERO
    strength = reading.number(scene, table.GRAVITY_MAGNITUDE)
    if not 0.0 <= strength < inf:
        strength = GRAVITY
    direction, length = apply(linear_part(reading.stage.origin), said), hypot(*said)
    if length == 0.0:
        direction, length = _earths(reading), GRAVITY
    x, y, z = (strength * part / length + 0.0 for part in direction)
    return (x, y, z)


def _earths(reading: StageReading) -> Vector3:
    down = [0.0, 0.0, 0.0]
    down[reading.up] = -GRAVITY
    return (down[0], down[1], down[2])


def _is_same(a: Vector3, b: Vector3) -> bool:
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) <= SAME * hypot(*b)


def _factor(pull: Vector3, first: Vector3) -> float | None:
    """Return how many times the first gravity another one is; None where it points elsewhere."""
    if pull == first or hypot(*pull) == 0.0:
        return 1.0 if pull == first else 0.0
    square = dot(first, first)
    if square == 0.0:
        return None
    factor = dot(pull, first) / square
    x, y, z = (factor * part for part in first)
    return factor if _is_same((x, y, z), pull) else None
