# SPDX-License-Identifier: GPL-3.0-or-later
"""Triggers in which bodies are, in outline and with the names of the bodies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

import numpy as np
from bpy.types import Object

from ...drawing.played.ghost import joined_outlines, outline_of_mesh
from ...drawing.strokes import Role, Sketch
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.frames import is_sound, rigid_frame
from ...model.geometry.scale import standing
from ...model.geometry.surfaces import surface_of
from ...model.mechanism import Mechanism
from ...model.shape import MeshShape
from ...model.wording.words import some
from ...weighing.hull import hull
from ..bridge.placed import plain
from ..bridge.poses.moving import BLENDER_FROM_GLTF
from ..overlay.extras import Outlined
from ..simulated.reading import SimulatedScene
from ..simulated.running import Run

NAMED = 3
"""Bodies that are named in one trigger."""
NO_EDGES = np.zeros((0, 2), np.intp)


class Triggers:
    """The outlines of all triggers of a scene, of each part in the axes of its object."""

    def __init__(self, simulated: SimulatedScene) -> None:
        self._simulated = simulated
        self._parts: dict[int, list[tuple[Object, Sketch]]] = {}
        mechanism = simulated.mechanism
        for index, node in enumerate(mechanism.nodes):
            if node.trigger is not None and simulated.placed[index].instance is None:
                parts = (index, *node.trigger.nodes)
                self._parts[index] = [one for part in parts for one in self._part(mechanism, part)]

    def _part(self, mechanism: Mechanism, index: int) -> Iterator[tuple[Object, Sketch]]:
        """Yield the object and the outline of a part that has a shape of its own."""
        node, obj = mechanism.nodes[index], self._simulated.placed[index].owner
        shape = None if node.trigger is None else mechanism.shape_at(node.trigger.shape)
        if shape is None or not is_sound(node.world):
            return
        if isinstance(shape, MeshShape):
            mesh, axes = mechanism.surface_of(shape.mesh), BLENDER_FROM_GLTF
            points, sides = hull(np.array(mesh.points if mesh else ()).reshape(-1, 3))
        else:
            made = surface_of(Z_UP_FROM_Y_UP.shape(standing(shape, node.world)))
            assert made is not None  # all but meshes have one
            points, sides = np.array(made.points), np.array(made.triangles)
            stands = plain(obj.matrix_world)
            axes = np.linalg.inv(stands) @ rigid_frame(stands)
        yield obj, joined_outlines([(outline_of_mesh(points, sides, NO_EDGES), axes)], Role.CONTACT)

    def said(self, run: Run) -> dict[int, str]:
        """Return the triggers that bodies are in now, by node, with the names of the bodies."""
        name, pairs = self._simulated.name, groupby(run.simulation.inside(), itemgetter(0))
        return {
            trigger: f"In {name(trigger)}: {some([name(body) for _, body in bodies], NAMED)}"
            for trigger, bodies in pairs
        }

    def outlined(self, run: Run) -> Outlined | None:
        """Return those that bodies are in now, where their objects stand, and what is said."""
        said = self.said(run) if self._parts else {}
        lit = [trigger for trigger in said if trigger in self._parts]
        found = [part for trigger in lit for part in self._parts[trigger]]
        if not found:
            return None
        notes = []
        for trigger in lit:
            place = self._simulated.placed[trigger].owner.matrix_world.translation
            notes.append(((place.x, place.y, place.z), said[trigger]))
        worlds = np.array([obj.matrix_world for obj, _ in found])
        return Outlined(tuple(sketch for _, sketch in found), worlds, tuple(notes), Role.CONTACT)
