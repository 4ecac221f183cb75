# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact motion of what plays as Godot: simulated beside it, never written to an object.

It is drawn as outlines of the bodies, from the meshes of their objects; of heavy meshes boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import bpy
import numpy as np
from bpy.types import Mesh, Object
from numpy.typing import NDArray

from ...drawing.played.ghost import joined_outlines, outline_of_box, outline_of_mesh
from ...drawing.strokes import Sketch
from ...model.wording.words import some
from ...solver import Comparison, JointDifference, KinematicMotion, Steps, largest
from ..bridge.placed import PlacedObject, body_of
from ..bridge.poses.moving import MovedBodies
from ..bridge.read_groups import rows_in
from ..bridge.read_nodes import WITH_MESHES
from ..bridge.solids import triangles_in
from ..simulated.reading import PlayError, SimulatedScene
from ..simulated.running import Run

NAMED = 3
"""Objects that are named where they are drawn as boxes."""
MOST, MOST_OF_ALL = 5_000, 100_000
"""Vertices of one object, and of all, that are drawn as they are."""


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
        for one in placed:
            obj = one.object
            if obj is None or one.instance is not None or obj.type not in WITH_MESHES:
                continue
            body = body_of(obj) if obj.visible_get() else None
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
            return _outline_of(mesh) if len(mesh.vertices) else None
        finally:
            shown.to_mesh_clear()


def _outline_of(mesh: Mesh) -> Sketch:
    points = rows_in(mesh.vertices, "co", 3).astype(np.float64)
    edges = rows_in(mesh.edges, "vertices", 2, np.int32).astype(np.intp)
    return outline_of_mesh(points, triangles_in(mesh), edges)


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
