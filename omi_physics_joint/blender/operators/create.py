# SPDX-License-Identifier: GPL-3.0-or-later
"""Join selected bodies: Weld, Pin, Hinge, Slider."""

from __future__ import annotations

from math import inf, pi

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from ..aiming import direction_of, place_of
from ..authoring import (
    AuthoringError,
    Kind,
    Pair,
    bodies_needed,
    body_of,
    join_all,
    make_body,
    pairs_from,
)
from ..properties.body import MOTIONS
from ..properties.scene import DIRECTIONS, PLACES

KINDS = (
    ("WELD", "Weld", "Hold the two bodies together, so that nothing moves"),
    ("PIN", "Pin", "Hold one point of the two bodies together and let them turn"),
    ("HINGE", "Hinge", "Let the active body turn about one axis, like a door"),
    ("SLIDER", "Slider", "Let the active body slide along one axis, like a drawer"),
)


class OMI_OT_create(bpy.types.Operator):
    """Join the selected objects to the active one; objects that are no bodies yet become bodies"""

    bl_idname = "omi_joint.create"
    bl_label = "Add Physics Joint"
    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(name="Joint", description="What the joint allows", items=KINDS)
    direction: EnumProperty(
        name="Axis",
        description="What a hinge turns about and a slider slides along",
        items=DIRECTIONS,
        default="GLOBAL_Z",
    )
    place: EnumProperty(
        name="Place", description="Where the joint is", items=PLACES, default="CURSOR"
    )
    use_range: BoolProperty(
        name="Limit Range", description="Stop the motion at two bounds", default=True
    )
    angle_min: FloatProperty(
        name="From", description="Smallest angle", subtype="ANGLE", precision=3, default=0.0
    )
    angle_max: FloatProperty(
        name="To", description="Largest angle", subtype="ANGLE", precision=3, default=pi / 2
    )
    distance_min: FloatProperty(
        name="From", description="Smallest distance", unit="LENGTH", default=0.0
    )
    distance_max: FloatProperty(
        name="To", description="Largest distance", unit="LENGTH", default=0.5
    )
    other_motion: EnumProperty(
        name="Other Body",
        description="How the other objects move, where they are no bodies yet",
        items=MOTIONS,
        default="static",
    )
    chain: BoolProperty(
        name="Chain",
        description="Join the selected objects one after the other, in the order of their names",
    )

    @classmethod
    def description(
        cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties
    ) -> str:
        """Say what the button of one kind does."""
        text = next(kind[2] for kind in KINDS if kind[0] == properties.kind)
        return f"{text}.\nSelect the other object first, then the one that moves"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Ask for two objects."""
        if context.mode not in {"OBJECT", "EDIT_MESH"}:
            cls.poll_message_set("Go to Object Mode first")
            return False
        if context.active_object is None or len(context.selected_objects) < 2:
            cls.poll_message_set("Select the other object first, then the one that moves")
            return False
        return True

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Take the choices of the sidebar, and ask how a new body moves."""
        options = context.scene.omi_physics_joint
        for name in ("direction", "place"):
            if not self.properties.is_property_set(name):
                setattr(self, name, getattr(options, name))
        if any(body_of(pair.still) is None for pair in self._pairs(context)):
            return context.window_manager.invoke_props_dialog(self, title=self._title())
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make bodies and joints."""
        pairs = self._pairs(context)
        kind = Kind(self.kind, *self._range())
        try:
            directions = [direction_of(self.direction, context, pair.moving) for pair in pairs]
            places = [place_of(self.place, context, pair) for pair in pairs]
            for obj, motion in bodies_needed(pairs, self.other_motion).items():
                make_body(obj, motion)
            joints = join_all(pairs, kind, directions, places)
        except AuthoringError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._select(context, joints)
        made = f"{len(joints)} joints" if len(joints) > 1 else joints[0].name
        self.report({"INFO"}, f"Added {made}")
        return {"FINISHED"}

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw what this kind of joint needs."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "kind")
        if self.kind in {"HINGE", "SLIDER"}:
            layout.prop(self, "direction")
            layout.prop(self, "use_range")
            column = layout.column(align=True)
            column.active = self.use_range
            unit = "angle" if self.kind == "HINGE" else "distance"
            column.prop(self, f"{unit}_min")
            column.prop(self, f"{unit}_max")
        layout.prop(self, "place")
        layout.prop(self, "other_motion")
        layout.prop(self, "chain")

    def _pairs(self, context: bpy.types.Context) -> list[Pair]:
        return pairs_from(context.active_object, context.selected_objects, self.chain)

    def _range(self) -> tuple[float, float]:
        if not self.use_range:
            return -inf, inf
        if self.kind == "HINGE":
            return min(self.angle_min, self.angle_max), max(self.angle_min, self.angle_max)
        low, high = self.distance_min, self.distance_max
        return min(low, high), max(low, high)

    def _title(self) -> str:
        return f"Add {self.kind.title()}"

    @staticmethod
    def _select(context: bpy.types.Context, joints: list[bpy.types.Object]) -> None:
        if context.mode != "OBJECT":
            return
        for obj in context.selected_objects:
            obj.select_set(False)
        for joint in joints:
            joint.select_set(True)
        context.view_layer.objects.active = joints[0]


classes = (OMI_OT_create,)
register, unregister = bpy.utils.register_classes_factory(classes)
