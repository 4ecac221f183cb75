# SPDX-License-Identifier: GPL-3.0-or-later
"""What play draws in outline: the exact motion of what plays as Godot, and triggers with bodies in.

The exact motion is simulated beside it, never written to an object. It is drawn from the meshes of
objects; of heavy meshes boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

import bpy
import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ...drawing.played import joined_outlines, outline_of_box, outline_of_mesh
from ...drawing.strokes import Role, Sketch
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.frames import is_sound, rigid_frame
from ...model.geometry.scale import standing
from ...model.geometry.surfaces import surface_of
from ...model.mechanism import Mechanism
from ...model.shape import MeshShape
from ...model.wording.words import some
from ...solver import Comparison, JointDifference, KinematicMotion, Steps, largest
from ...weighing.hull import hull
from ..bridge.placed import PlacedObject, body_of, objects_in, plain
from ..bridge.poses.moving import BLENDER_FROM_GLTF, MovedBodies
from ..bridge.read_groups import rows_in
from ..bridge.read_nodes import WITH_MESHES
from ..bridge.solids import triangles_in
from ..overlay.extras import Outlined
from ..simulated.reading import PlayError, SimulatedScene
from ..simulated.running import Run

NAMED = 3
"""Objects that are named where they are drawn as boxes, and bodies in one trigger."""
MOST, MOST_OF_ALL = 5_000, 100_000
"""Vertices of one object, and of all, that are drawn as they are."""
NO_EDGES = np.zeros((0, 2), np.intp)


class Outlines:
    """Outlines of bodies, as they are shown when this is made.

    Attributes:
        sketches: one for each body, in the axes of its object, m.
        boxed: names of the objects that are drawn as boxes.
    """

    def __init__(self, moving: MovedBodies, placed: Sequence[PlacedObject]) -> None:
        self.boxed: list[str] = []
        self._left = MOST_OF_ALL
        self._graph = bpy.context.evaluated_depsgraph_get()
        parts: dict[int, list[Object]] = {}
        for index, obj in objects_in(placed):
            is_own = placed[index].instance is None and obj.type in WITH_MESHES
            body = body_of(obj) if is_own and obj.visible_get() else None
            if body is not None:
                parts.setdefault(body.session_uid, []).append(obj)
        self.sketches: tuple[Sketch, ...] = tuple(
            joined_outlines(self._parts(body.object, parts.get(body.object.session_uid, ())))
            for body in moving.bodies
        )

    def _parts(
        self, body: Object, objects: Sequence[Object]
    ) -> Iterator[tuple[Sketch, np.ndarray]]:
        """Yield the outline of each object, and its axes in those of the body."""
        back = body.matrix_world.inverted_safe()
        for obj in objects:
            outline = self._outline(obj)
            if outline is not None:
                yield outline, np.array(back @ obj.matrix_world)

    def _outline(self, obj: Object) -> Sketch | None:
        """Return the outline of an object in its own axes; None where it shows nothing."""
        shown = obj.evaluated_get(self._graph)
        is_heavy = obj.type == "MESH" and len(shown.data.vertices) > min(MOST, self._left)
        mesh = None if is_heavy else shown.to_mesh()
        try:
            if mesh is None or len(mesh.vertices) > min(MOST, self._left):
                self.boxed.append(obj.name)
                corners = np.array(shown.bound_box)
                return outline_of_box(corners.min(0), corners.max(0))
            self._left -= len(mesh.vertices)
            points = rows_in(mesh.vertices, "co", 3).astype(np.float64)
            edges = rows_in(mesh.edges, "vertices", 2, np.int32).astype(np.intp)
            return outline_of_mesh(points, triangles_in(mesh), edges) if len(points) else None
        finally:
            shown.to_mesh_clear()


class GhostRun:
    """A run of the same scene in exact steps, and what is drawn of it."""

    def __init__(self, simulated: SimulatedScene, shown: Run, outlines: Outlines) -> None:
        """Begin where the run begins that moves the objects: from the rest pose."""
        self.outlines = outlines
        self.run = Run(simulated, replace(shown.options, steps=Steps.EXACT))
        self._moving, self._shown = simulated.moving, shown
        self._comparison = Comparison(shown.simulation, self.run.simulation)
        self._differences: list[JointDifference] | None = None
        """Of this moment, once somebody has asked."""

    def lead(self, motions: dict[int, KinematicMotion], end: float) -> None:
        """Hold what the shown run holds, and let kinematic bodies go likewise until a time in s."""
        self.run.hold_as(self._shown)
        self.run.retune(self._shown.settings)
        self.run.lead(motions, end)

    def step(self, dt: float) -> None:
        """Go on by dt seconds."""
        self.run.step(dt)
        self._differences = None

    def worlds(self) -> NDArray[np.float64] | None:
        """Return where the bodies are, as world matrices of their objects: (n, 4, 4).

        None where the exact motion has become unstable, which is no reason to stop the shown one.
        """
        try:
            return self._moving.worlds(*self.run.poses())
        except PlayError:
            return None

    def differences(self) -> list[JointDifference]:
        """Return how far joints of the scene are from it, the largest first."""
        if self._differences is None:
            self._differences = largest(self._comparison.differences())
        return self._differences

    @property
    def remark(self) -> str:
        """What is to be said of how it is drawn."""
        if self.worlds() is None:
            return "No ghost: the exact motion became unstable. Check the joints"
        boxed = self.outlines.boxed
        if not boxed:
            return ""
        what = "its mesh is" if len(boxed) == 1 else "their meshes are"
        return f"Ghost drawn as a box: {some(boxed, NAMED)}, as {what} large"


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
