# SPDX-License-Identifier: GPL-3.0-or-later
"""The range of a new hinge or slider, as fields of an operator."""

from __future__ import annotations

from math import inf, pi

from bpy.types import UILayout

from ..data.fields import angle, distance, flag, number, string
from ..interface.mixins import BaseOperator

FORGOTTEN = {"SKIP_SAVE"}
"""Blender remembers options of an operator for its next use; these would reverse the next joint."""

BOUNDS = ("angle_min", "angle_max", "distance_min", "distance_max")


class RangeOptions(BaseOperator):
    """Asks for the range of a hinge or a slider."""

    use_range = flag(
        "Limit Range", "Stop the motion at a minimum and a maximum", default=True, options=FORGOTTEN
    )
    angle_min = angle("Minimum", "Smallest angle", options=FORGOTTEN)
    angle_max = angle("Maximum", "Largest angle", default=pi / 2, options=FORGOTTEN)
    distance_min = distance("Minimum", "Smallest distance", options=FORGOTTEN)
    distance_max = distance("Maximum", "Largest distance", default=0.5, options=FORGOTTEN)
    noted_travel = number(options={"HIDDEN", "SKIP_SAVE"})
    noted_range = string(options={"HIDDEN", "SKIP_SAVE"})

    def suit_range(self, *, has_one: bool) -> None:
        """Limit a joint or leave it free as suits it, unless somebody has said it."""
        bounds = {name for name in BOUNDS if self.properties.is_property_set(name)}
        if self.distance_max == self.noted_travel:
            bounds.discard("distance_max")
        is_said = self.properties.is_property_set("use_range")
        if not is_said or str(self.use_range) == self.noted_range:
            self.use_range = has_one or bool(bounds)
            self.noted_range = str(self.use_range)

    def suit_travel(self, travel: float) -> None:
        """Let a slider go as far as suits its body, in m, unless somebody has said how far."""
        is_said = self.properties.is_property_set("distance_max")
        if not is_said or self.distance_max == self.noted_travel:
            self.distance_max = travel
            self.noted_travel = self.distance_max

    def range_of(self, kind: str) -> tuple[float, float]:
        """Return the smaller and the larger bound of a kind, in rad or m; infinite if unlimited."""
        bounds = (-inf, inf)
        if self.use_range and kind == "HINGE":
            bounds = (self.angle_min, self.angle_max)
        elif self.use_range and kind == "SLIDER":
            bounds = (self.distance_min, self.distance_max)
        return min(bounds), max(bounds)

    def draw_range(self, layout: UILayout, kind: str) -> None:
        """Draw the bounds of a hinge or a slider."""
        if kind not in {"HINGE", "SLIDER"}:
            return
        layout.prop(self, "use_range")
        column = layout.column(align=True)
        column.active = self.use_range
        unit = "angle" if kind == "HINGE" else "distance"
        column.prop(self, f"{unit}_min")
        column.prop(self, f"{unit}_max")
