# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes: their gravity, and which bodies are in which.

A mechanism has one gravity, that of the scene of its first body. Where that of another one points
the same way, its bodies take a factor of it.
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot, isfinite

from ...model.body import Vector3
from ...model.geometry.transform import dot, linear_part
from ..prim import Prim
from ..table import BODY_API, GRAVITY_DIRECTION, GRAVITY_MAGNITUDE, OWNER, SCENE
from .reading import StageReading

EARTH = 9.81
"""m/s^2."""
SAME = 1e-5
"""Part of a gravity that does not count: single precision and rounded units leave as much."""


def read_scenes(reading: StageReading) -> None:
    """Give the mechanism its gravity, and bodies of other scenes a factor of it."""
    scenes = [prim for prim in reading.stage if prim.type == SCENE]
    if not scenes:
        return
    pulls = {prim.path: gravity_of(reading, prim) for prim in scenes}
    owners = [prim.first(OWNER) for prim in reading.stage if BODY_API in prim.schemas]
    used = [path for path in dict.fromkeys(owners) if path in pulls]
    first = pulls[used[0] if used else scenes[0].path]
    reading.gravity = None if _is_same(first, _earths(reading)) else first
    if len(scenes) == 1 or len(set(owners)) == 1:
        return
    for scene in scenes:
        reading.findings.note("usd-several-scenes", scene.path)
    for index, node in enumerate(reading.nodes):
        prim = reading.prim_of.get(index)
        owner = prim.first(OWNER) if prim is not None else ""
        if node.motion is None or prim is None or owner not in pulls:
            continue
        factor = _factor(pulls[owner], first)
        if factor is None:
            reading.findings.note("usd-scene-gravity", prim.path)
        elif factor != 1.0:
            own = node.motion.gravity_factor * factor
            reading.change(index, motion=replace(node.motion, gravity_factor=own))


def gravity_of(reading: StageReading, scene: Prim) -> Vector3:
    """Return the gravity of a scene in m/s^2, in the axes of the stage."""
    earths = _earths(reading)
    direction = reading.values.vector(scene, GRAVITY_DIRECTION) or (0.0, 0.0, 0.0)
    strength = reading.values.number(scene, GRAVITY_MAGNITUDE)
    length = hypot(*direction)
    if length == 0.0:
        direction, length = earths, EARTH
    if not (isfinite(strength) and strength >= 0.0):
        strength = EARTH
    if direction is not earths:
        x, y, z = (dot(row, direction) for row in linear_part(reading.stage.origin))
        direction = (x, y, z)
    x, y, z = (strength * part / length + 0.0 for part in direction)
    return (x, y, z)


def _earths(reading: StageReading) -> Vector3:
    down = [0.0, 0.0, 0.0]
    down[reading.up] = -EARTH
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
