# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass and centre of mass of bodies from what their colliders hold."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from math import isclose

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
from ...model.issue import Issue, Severity
from ...model.joint import Freedom
from ...model.mechanics.inertias import filling_of
from ...model.wording.words import number, rounded
from ...weighing.inertia import parts_of_bodies
from ..bridge.animation import is_bent
from ..bridge.placed import PlacedObject, objects_in, placed_in_scene
from ..bridge.poses.away import rest_pose
from ..bridge.read_nodes import SceneReading, mechanism_from_placed
from ..bridge.solids import mark_of_body, measured_mechanism
from ..data.units import said
from ..joints.authoring import is_beside

SAME = 1e-4
"""Part by which single precision may change a mark."""
OUTDATED = 0.05
"""Part by which a volume may differ from the one that a mass was calculated from."""


@dataclass(frozen=True, slots=True)
class Filling:
    """What the colliders of a body hold; without colliders the bounds of its meshes."""

    volume: float
    """m^3."""
    centre: Vector
    """In the axes of the body and without its scale, in m, as its centre of mass is."""
    index: int
    """Of the placed object that was measured."""
    mark: float
    """See ``mark_of_body``."""
    is_beside: bool
    """Whether the centre is off the origin, by a part of the body."""


def fillings(scene: Scene, bodies: Sequence[Object]) -> dict[Object, Filling]:
    """Return what bodies of a scene hold at rest; those that hold nothing are left out."""
    with rest_pose():
        placed = placed_in_scene(scene)
        return fillings_of(mechanism_from_placed(placed), placed, bodies)


def fillings_of(
    reading: SceneReading, placed: Sequence[PlacedObject], bodies: Container[Object]
) -> dict[Object, Filling]:
    """Return what bodies of a reading hold; those that hold nothing are left out."""
    first: dict[Object, int] = {}
    for index, obj in objects_in(placed):
        if obj in bodies and reading.mechanism.nodes[index].motion is not None:
            first.setdefault(obj, index)
    mechanism = measured_mechanism(reading, placed, set(first.values()))
    parts = parts_of_bodies(mechanism)
    found: dict[Object, Filling] = {}
    for obj, index in first.items():
        whole = filling_of(mechanism, parts.get(index, ()))
        world = mechanism.nodes[index].world
        if whole is not None and not is_flat(linear_part(world)):
            point = matrix_from(IDENTITY_ROTATION, whole.centre)
            local = translation_of(multiply(inverse(rigid_frame(world)), point))
            found[obj] = Filling(
                whole.mass,
                Vector(Z_UP_FROM_Y_UP.vector(local)),
                index,
                mark_of_body(reading, placed, parts.get(index, ())),
                is_beside(whole, Vector(translation_of(world))),
            )
    return found


def centre(bodies: dict[Object, Filling]) -> None:
    """Put the centre of mass of bodies where the middle of their volume is."""
    for obj, filling in bodies.items():
        obj.omi_physics_body.computed_center = False
        obj.omi_physics_body.center_of_mass = filling.centre


def weigh_anew(obj: Object, filling: Filling) -> str:
    """Bring mass and centre of a body up to date, as dense as it was, and say what was done.

    What was entered stays.
    """
    body, done = obj.omi_physics_body, []
    times = _times(obj, filling)
    if abs(times - 1.0) > OUTDATED:
        body.weigh(filling.volume, rounded(body.mass * times), filling.mark)
        done.append(f"The mass of {obj.name} is calculated anew, and as dense as before.")
    if body.stays_at_origin and filling.is_beside:
        body.computed_center = True
        done.append(f"The center of mass of {obj.name} is where its colliders have it.")
    return " ".join(done)


def _times(obj: Object, filling: Filling) -> float:
    """Return how many times as much a body holds as its mass was calculated from, 1 if entered."""
    return filling.volume / (obj.omi_physics_body.weighed_from or filling.volume)


def outdated_masses(
    reading: SceneReading, placed: Sequence[PlacedObject], scene: Scene
) -> Iterator[Issue]:
    """Yield hints of bodies that hold more or less than they were weighed from, or elsewhere."""
    weighed = [
        (index, obj)
        for index, obj in objects_in(placed)
        if (body := obj.omi_physics_body).weighed_from or body.stays_at_origin
        if not is_bent(obj)  # at each frame it holds something else
    ]
    parts = parts_of_bodies(reading.mechanism) if weighed else {}
    changed = {  # to find what a body holds takes long
        obj
        for index, obj in weighed
        if not isclose(
            mark_of_body(reading, placed, parts.get(index, ())),
            obj.omi_physics_body.weighed[2],
            rel_tol=SAME,
        )
    }
    for obj, filling in fillings_of(reading, placed, changed).items() if changed else ():
        times = _times(obj, filling)
        if abs(times - 1.0) > OUTDATED:
            what = f"Its volume is {number(times, 3)} times what its mass was calculated from."
            fix = "Calculate its mass anew, or enter the mass that is meant."
            yield Issue(Severity.HINT, "mass-outdated", obj.name, what, fix, filling.index)
        if obj.omi_physics_body.stays_at_origin and filling.is_beside:
            off = said(filling.centre.length, Freedom.LINEAR, scene)
            what = f"Its shape or origin changed, and its center of mass is {off} off its middle."
            fix = "Set its center of mass from its collider, or enter the one that is meant."
            yield Issue(Severity.HINT, "center-outdated", obj.name, what, fix, filling.index)
