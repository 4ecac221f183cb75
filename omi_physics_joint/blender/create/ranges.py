# SPDX-License-Identifier: GPL-3.0-or-later
"""The range of a new hinge or slider, as fields of an operator."""

from __future__ import annotations

from math import inf, pi

from bpy.props import BoolProperty, FloatProperty
from bpy.types import UILayout

from ...model.wording.words import DIGITS
from ..interface.mixins import OperatorMixin

FORGOTTEN = {"SKIP_SAVE"}
"""Blender remembers options of an operator for its next use; these would reverse the next joint."""


class RangeOptions(OperatorMixin):
    """Asks for the range of a hinge or a slider."""

    use_range: BoolProperty(
        name="Limit Range",
        description="Stop the motion at a minimum and a maximum",
        default=True,
        options=FORGOTTEN,
    )
    angle_min: FloatProperty(
        name="Minimum",
        description="Smallest angle",
        subtype="ANGLE",
        precision=DIGITS,
        default=0.0,
        options=FORGOTTEN,
    )
    angle_max: FloatProperty(
        name="Maximum",
        description="Largest angle",
        subtype="ANGLE",
        precision=DIGITS,
        default=pi / 2,
        options=FORGOTTEN,
    )
    distance_min: FloatProperty(
        name="Minimum",
        description="Smallest distance",
        unit="LENGTH",
        precision=DIGITS,
        default=0.0,
        options=FORGOTTEN,
    )
    distance_max: FloatProperty(
        name="Maximum",
        description="Largest distance",
        unit="LENGTH",
        precision=DIGITS,
        default=0.5,
        options=FORGOTTEN,
    )

    noted_travel: FloatProperty(options={"HIDDEN", "SKIP_SAVE"})

    def suit_travel(self, travel: float) -> None:
        """Let a slider go as far as suits its body, in m, unless somebody has said how far."""
        is_said = self.properties.is_property_set("distance_max")
        if not is_said or self.distance_max == self.noted_travel:
            self.distance_max = travel
            self.noted_travel = self.distance_max

    def range_of(self, kind: str) -> tuple[float, float]:
        """Return the smaller and the larger bound of a kind, in rad or m; infinite if unlimited."""
        if not self.use_range or kind not in {"HINGE", "SLIDER"}:
            return -inf, inf
        if kind == "HINGE":
            return min(self.angle_min, self.angle_max), max(self.angle_min, self.angle_max)
        low, high = self.distance_min, self.distance_max
        return min(low, high), max(low, high)

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
