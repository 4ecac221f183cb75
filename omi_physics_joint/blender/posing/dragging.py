# SPDX-License-Identifier: GPL-3.0-or-later
"""A body in the hand: where the mouse took hold of it, where it is wanted, and how it got there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import radians

import bpy
from bpy.types import Context, Object
from mathutils import Vector

from ...drawing.mouse.drag import snapped, step_of
from ...model.joint import Freedom
from ...posing import Posed
from ..bridge.placed import body_of
from ..data.units import said, sayer, unit_length
from ..handles.places import in_model, view_of
from ..play.outlook import locked
from ..play.viewport.picking import Aim
from .session import PosingSession, key_automatically, note_rest, session_for
from .stands import freedom_of, stand_of

ANGLE_STEP = radians(5.0)
"""rad: whole steps that angles snap to."""
CHANGED = 1e-5
"""m or rad by which a value must differ to be named."""


class Drag:
    """One body that is dragged by one of its points."""

    def __init__(
        self, session: PosingSession, body: Object, place: Vector, length_step: float
    ) -> None:
        """Take hold of a body at a place of the world.

        Distances snap to whole ``length_step``, in Blender's own unit.
        """
        self.session = session
        self._steps = (length_step,) * 3 + (ANGLE_STEP,) * 3
        self.body = body
        self.place = place.copy()
        self._point = session.local(body, place)
        self._start = session.values()
        stands = {joint: stand_of(joint) for joint in self._start}
        self._names = {
            joint: [stand.name(number).lower() if stand else "" for number in range(6)]
            for joint, stand in stands.items()
        }
        self.story = ""
        """What the joints do, as it is shown, in a few words; "" where nothing moves."""

    def move(self, target: Vector, *, snap: bool = False, upright: bool = False) -> Posed:
        """Bring the point to a place of the world and show it; ``upright`` keeps the rotation.

        Raises:
            ReferenceError: an object was deleted meanwhile.
        """
        session = self.session
        posed = session.drag(self.body, self._point, target, upright=upright)
        pose = session.posing.pose()
        if snap:
            session.take_values(self._whole_steps())
        session.write()
        self.story = self._story()
        if snap:
            session.posing.take(pose)  # snapping must not add up from move to move
        return posed

    def _whole_steps(self) -> dict[Object, tuple[float, ...]]:
        """Return the values of the joints that move, each at the nearest whole step."""
        values = self.session.values()
        return {
            joint: tuple(
                snapped(value, step) for value, step in zip(values[joint], self._steps, strict=True)
            )
            for joint, _, _ in self._changed()
        }

    def _changed(self) -> Iterator[tuple[Object, int, float]]:
        """Yield joint, number and value of what is another than at the beginning."""
        for joint, values in self.session.values().items():
            for number, (now, then) in enumerate(zip(values, self._start[joint], strict=True)):
                if abs(now - then) > CHANGED:
                    yield joint, number, now

    def _story(self) -> str:
        """Return what the joints do, in a few words, for the header."""
        parts = []
        for joint, number, value in self._changed():
            amount = said(value, freedom_of(number), bpy.context.scene)
            parts.append(f"{joint.name}: {self._names[joint][number]} {amount}")
        if len(parts) > 2:
            return f"{len(parts)} joint values"
        return ", ".join(parts)

    @cached_property
    def obstacle(self) -> str:
        """Why nothing in the mechanism can move from where it was taken hold of, if that is so."""
        return "".join(locked(self.session.mechanism, sayer(bpy.context.scene))[:1])

    def confirm(self, context: Context) -> None:
        """Keep the pose, select the body, and key what moved where the scene records."""
        note_rest(self._start)
        for other in context.selected_objects:
            other.select_set(False)
        self.body.select_set(True)
        context.view_layer.objects.active = self.body
        key_automatically(context.scene, self.session.moved)

    def cancel(self) -> None:
        """Put everything back bit by bit."""
        self.session.restore()


def take_hold(context: Context, mouse: tuple[float, float]) -> Drag | None:
    """Take hold of the body under the mouse (pixels); None where there is none that joints move."""
    region, view = context.region, context.region_data
    graph = context.evaluated_depsgraph_get()
    hit, place, _, _, obj, matrix = context.scene.ray_cast(graph, *Aim(region, mouse).ray())
    if not hit or matrix != obj.original.matrix_world:
        return None  # nothing, or an instance: the object itself stands elsewhere
    session, body = session_for(obj.original, context), body_of(obj.original)
    if session is None or body not in session.bodies:
        return None
    pixel = view_of(region, view).pixel_size(in_model(place))
    unit = unit_length(context.scene)
    step = step_of(Freedom.LINEAR, pixel, snap=True, fine=False, unit=unit)
    return Drag(session, body, place, step)
