# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes that show other lengths than they are played with, or pull and blow otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from bpy.types import Scene

from ...model.issue import Issue, Severity
from ...model.joint import Freedom
from ...model.mechanism import Mechanism
from ...model.validate.survey import SCENE
from ..data.units import said

ROUGHLY = 1e-3
"""A unit scale that is 1 but for so much is one."""
NO_WIND = ("NONE", "GUIDE", "BOID", "TEXTURE", "FLUID_FLOW")
"""Fields of forces that are for particles alone."""


def odd_settings(mechanism: Mechanism, scene: Scene) -> Iterator[Issue]:
    """Yield what is odd of the units and the gravity of a scene with bodies.

    Blender's exporters take its own unit for a metre, whatever its scenes show: what shows other
    lengths is played and exported otherwise. A gravity may lack its minus, and wind moves none.
    """
    if not any(one.motion for one in mechanism.nodes):
        return
    if scene.use_gravity and scene.gravity.z > 0.0:
        what, fix = "Gravity points upwards.", "Give it a minus in Scene > Gravity > Z."
        yield Issue(Severity.HINT, "gravity-up", SCENE, what, fix)
    for obj in scene.objects:
        if obj.field is not None and obj.field.type not in NO_WIND and obj.field.strength:
            what = "Blender's force fields, as wind, move no body here and are in no file."
            fix = "Give bodies a velocity or joints a drive, unless it is for cloth and hair."
            yield Issue(Severity.HINT, "force-field", obj.name, what, fix)
            break
    old, new = scene.render.frame_map_old, scene.render.frame_map_new
    if old != new:
        what = (
            f"Time Stretching: keys go {old / new:.3g} times as fast, what is simulated does not."
        )
        fix = "Set both numbers to 100 to simulate and bake; what is baked can be stretched then."
        yield Issue(Severity.HINT, "time-stretched", SCENE, what, fix)
    scale, is_shown = scene.unit_settings.scale_length, scene.unit_settings.system != "NONE"
    if is_shown and abs(scale - 1.0) > ROUGHLY:
        shown = said(1.0, Freedom.LINEAR, scene)
        what = f"What this scene shows as {shown} is 1 m in Play, in files and for masses."
        fix = f"Set Scene > Units > Unit Scale to 1; to keep what it shows, scale all by {scale:g}."
        yield Issue(Severity.WARNING, "unit-scale", SCENE, what, fix)
