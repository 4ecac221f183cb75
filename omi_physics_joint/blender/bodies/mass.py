# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass and centre of mass of bodies from what their colliders hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bpy.types import Object, Scene
from mathutils import Vector

from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.frames import is_flat, rigid_frame
from ...model.geometry.transform import (
    IDENTITY_ROTATION,
    inverse,
    linear_part,
    matrix_from,
    multiply,
    translation_of,
)
from ...weighing.inertia import body_solid, parts_of_bodies
from ..bridge.placed import placed_in_scene
from ..bridge.poses.away import rest_pose
from ..bridge.read_nodes import mechanism_from_placed
from ..bridge.solids import measured_mechanism


@dataclass(frozen=True, slots=True)
class Filling:
    """What the colliders of a body hold; without colliders the bounds of its meshes."""

    volume: float
    """m^3."""
    centre: Vector
    """In the axes of the body and without its scale, in m, as its centre of mass is."""


def fillings(scene: Scene, bodies: Sequence[Object]) -> dict[Object, Filling]:
    """Return what bodies of a scene hold at rest; those that hold nothing are left out."""
    with rest_pose():
        placed = placed_in_scene(scene)
        reading = mechanism_from_placed(placed)
    first: dict[Object, int] = {}
    for index, one in enumerate(placed):
        if one.object in bodies and reading.mechanism.nodes[index].motion is not None:
            first.setdefault(one.owner, index)
    mechanism = measured_mechanism(reading, placed, set(first.values()))
    parts = parts_of_bodies(mechanism)
    found: dict[Object, Filling] = {}
    for obj, index in first.items():
        solid = body_solid(mechanism, parts.get(index, ()))
        world = mechanism.nodes[index].world
        if solid is not None and not is_flat(linear_part(world)):
            point = matrix_from(IDENTITY_ROTATION, solid.centre)
            local = translation_of(multiply(inverse(rigid_frame(world)), point))
            found[obj] = Filling(solid.volume, Vector(Z_UP_FROM_Y_UP.vector(local)))
    return found


def centre(bodies: dict[Object, Filling]) -> None:
    """Put the centre of mass of bodies where the middle of their volume is."""
    for obj, filling in bodies.items():
        obj.omi_physics_body.computed_center = False
        obj.omi_physics_body.center_of_mass = filling.centre
