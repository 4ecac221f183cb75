# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties > Physics: the body, what makes it solid, what it notices, and its joints."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, Panel, UILayout

from ...model.shape import SHAPE_TYPES, SIZES
from ..between_bodies.descendants import joints_on
from ..bridge.placed import body_of
from ..bridge.poses.frame_users import joint_of
from ..bridge.read_settings import settings_of
from ..data.body import OMI_JOINT_PG_body, OMI_JOINT_PG_shape
from ..interface.mixins import active_of, fields_in
from ..interface.text import draw_text, fits
from ..joints.lists import NAMES
from ..joints.panels import PhysicsPanel
from ..joints.parts import draw_choice, title_of

SHAPE_FIELDS: dict[str, tuple[str, ...]] = {
    **{name: SIZES[kind] for name, kind in SHAPE_TYPES.items()},
    **{"none": (), "plane": ("use_size", "size", "double_sided")},
    **dict.fromkeys(("convex", "trimesh"), ("mesh",)),
}
"""What each type of shape needs to be told."""
MOST_ROWS = 12
"""Of more joints the rest is counted."""


class BodyPanel(PhysicsPanel):
    """A panel about the active object as a body, shown where one of its fields is on."""

    shown_by = ""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Show where the object is or has what the panel is about."""
        return context.object is not None and getattr(context.object.omi_physics_body, cls.shown_by)

    def prepared(self, context: Context) -> tuple[UILayout, OMI_JOINT_PG_body]:
        """Return the layout and the data of the active object."""
        return fields_in(self.layout), active_of(context).omi_physics_body


class OMI_JOINT_PT_body(BodyPanel, Panel):
    """What physics makes of the active object"""

    bl_label = "Physics Body"
    topic = "bodies"
    shown_by = "is_physical"

    def draw(self, context: Context) -> None:
        """Draw how the body moves, or whose part it is and the ways to make one."""
        layout, body = self.prepared(context)
        if not body.is_body:
            row = layout.row(align=True)
            for motion in ("static", "kinematic", "dynamic"):
                row.operator("omi_joint.body_add", text=motion.title()).type = motion
            return
        draw_choice(layout, body, "type")
        column = layout.column()
        column.active = body.type == "dynamic"
        row = column.row(align=True)
        mass = row.row(align=True)
        mass.active = not body.infinite_mass
        mass.prop(body, "mass")
        row.operator("omi_joint.mass_from_volume", text="", icon="CON_TRANSLIKE")
        column = layout.column(align=True)
        column.operator("omi_joint.body_copy", icon="COPYDOWN")
        column.operator("omi_joint.body_remove", icon="TRASH")


class MotionPanel(BodyPanel):
    """A sub-panel that only a body has."""

    bl_parent_id = "OMI_JOINT_PT_body"
    bl_options = {"DEFAULT_CLOSED"}
    shown_by = "is_body"


class OMI_JOINT_PT_body_inertia(MotionPanel, Panel):
    """Where the mass of the body is, and how it resists turning"""

    bl_label = "Center of Mass & Inertia"

    def draw(self, context: Context) -> None:
        """Draw the mass properties."""
        layout, body = self.prepared(context)
        layout.active = body.type == "dynamic"
        layout.prop(body, "computed_center")
        column = layout.column()
        column.active = not body.computed_center
        column.prop(body, "center_of_mass", text="Center")
        column.operator("omi_joint.center_from_volume", icon="PIVOT_BOUNDBOX")
        layout.prop(body, "infinite_mass")
        layout.column().prop(body, "inertia_diagonal")
        layout.row(align=True).prop(body, "infinite_inertia", toggle=True)
        layout.column().prop(body, "inertia_orientation", text="Rotation")


class OMI_JOINT_PT_body_velocity(MotionPanel, Panel):
    """How the body moves at the start, along and about its own axes"""

    bl_label = "Velocity"

    def draw(self, context: Context) -> None:
        """Draw the velocities."""
        layout, body = self.prepared(context)
        layout.active = body.type != "static"
        layout.column().prop(body, "linear_velocity", text="Local Linear")
        layout.column().prop(body, "angular_velocity", text="Local Angular /s")
        layout.prop(body, "starts_asleep")


class OMI_JOINT_PT_body_gravity(MotionPanel, Panel):
    """How gravity acts on the body"""

    bl_label = "Gravity"

    def draw(self, context: Context) -> None:
        """Draw the factor."""
        layout, body = self.prepared(context)
        layout.active = body.type == "dynamic"
        layout.prop(body, "gravity_factor", text="Factor")


class OMI_JOINT_PT_body_joints(MotionPanel, Panel):
    """The joints of the active body"""

    bl_label = "Joints"
    bl_options = set()
    bl_order = -1

    def draw(self, context: Context) -> None:
        """Draw a row for each: its name, the other body, what it does, and a way to it."""
        layout, _ = self.prepared(context)
        found = joints_on(active_of(context))
        if not found:
            layout.label(text="No joints", icon="INFO")
        column = layout.column(align=True)
        for joint, other in found[:MOST_ROWS]:
            row = column.split(factor=NAMES, align=True)
            select = row.operator("omi_joint.select_joint", text=joint.name, icon="CONSTRAINT")
            select.object_name = joint.name
            where = "No settings"
            if joint.omi_physics_joint.settings is not None:
                where = title_of(settings_of(joint), context.scene)
            if other is not None:
                both = f"{other.name}: {where}"
                where = both if fits(context, both, 1.0 - NAMES) else other.name
            row.label(text=where, translate=False)
        if len(found) > MOST_ROWS:
            column.label(text=f"and {len(found) - MOST_ROWS} more", translate=False)


class ShapedPanel(BodyPanel):
    """The collider or the trigger: a switch in the header, a shape below."""

    bl_parent_id = "OMI_JOINT_PT_body"
    bl_options = {"DEFAULT_CLOSED"}
    shown_by = "is_physical"
    part = ""

    def draw_header(self, context: Context) -> None:
        """Draw the switch."""
        self.layout.prop(active_of(context).omi_physics_body, f"use_{self.part}", text="")


class OMI_JOINT_PT_collider(ShapedPanel, Panel):
    """What others collide with"""

    bl_label = "Collider"
    part = "collider"

    def draw(self, context: Context) -> None:
        """Draw the shape."""
        layout, body = self.prepared(context)
        layout.active = body.use_collider
        draw_shape(layout, context, body.collider.shape)


class OMI_JOINT_PT_trigger(ShapedPanel, Panel):
    """What notices others that enter it"""

    bl_label = "Trigger"
    part = "trigger"

    def draw(self, context: Context) -> None:
        """Draw the shape, or the parts of a compound."""
        layout, body = self.prepared(context)
        layout.active = body.use_trigger
        trigger = body.trigger
        if not trigger.nodes:
            draw_shape(layout, context, trigger.shape)
        column = layout.column(align=True)
        for number, part in enumerate(trigger.nodes):
            column.prop(part, "object", text="" if number else "Parts")
        layout.operator("omi_joint.trigger_parts", icon="GROUP")


class DetailPanel(BodyPanel):
    """A sub-panel of the collider or trigger with a switch of its own."""

    bl_label = "Collision Filter"
    bl_options = {"DEFAULT_CLOSED"}
    shown_by, part = "use_collider", "collider"
    detail = "collision_filter"

    def draw_header(self, context: Context) -> None:
        """Draw the switch."""
        owner = getattr(active_of(context).omi_physics_body, self.part)
        self.layout.prop(owner, f"use_{self.detail}", text="")

    def draw(self, context: Context) -> None:
        """Draw the fields."""
        layout, body = self.prepared(context)
        owner = getattr(body, self.part)
        layout.active = getattr(owner, f"use_{self.detail}")
        self.draw_detail(layout, getattr(owner, self.detail))

    def draw_detail(self, layout: UILayout, collision_filter: Any) -> None:
        """Draw a collision filter."""
        layout.prop(collision_filter, "label")
        layout.prop(collision_filter, "collision_systems")
        layout.prop(collision_filter, "mode")
        if collision_filter.mode != "all":
            layout.prop(collision_filter, "others")


class OMI_JOINT_PT_collider_material(DetailPanel, Panel):
    """How the surface grips and bounces"""

    bl_label = "Physics Material"
    bl_parent_id = "OMI_JOINT_PT_collider"
    detail = "physics_material"

    def draw_detail(self, layout: UILayout, material: Any) -> None:
        """Draw a physics material."""
        layout.prop(material, "label")
        column = layout.column(align=True)
        column.prop(material, "static_friction", text="Static Friction")
        column.prop(material, "dynamic_friction", text="Dynamic")
        column.prop(material, "friction_combine", text="Combine")
        column = layout.column(align=True)
        column.prop(material, "restitution")
        column.prop(material, "restitution_combine", text="Combine")


class OMI_JOINT_PT_collider_filter(DetailPanel, Panel):
    """What the collider meets"""

    bl_parent_id = "OMI_JOINT_PT_collider"


class OMI_JOINT_PT_trigger_filter(DetailPanel, Panel):
    """What the trigger notices"""

    bl_parent_id = "OMI_JOINT_PT_trigger"
    shown_by, part = "use_trigger", "trigger"


class OMI_JOINT_PT_gravity_volume(BodyPanel, Panel):
    """The volume that an imported gravity of the object is shaped by"""

    bl_label = "Gravity Volume"
    bl_options = {"DEFAULT_CLOSED"}
    topic = "bodies"
    shown_by = "use_gravity_shape"

    def draw(self, context: Context) -> None:
        """Draw the shape."""
        layout, body = self.prepared(context)
        draw_text(layout, context, "Exported again, not played", "INFO")
        draw_shape(layout, context, body.gravity_shape)


def draw_add(self: Panel, context: Context) -> None:
    """Draw below Blender's own buttons what makes an object physical, or takes that away again."""
    obj = context.object
    if obj is None or joint_of(obj) is not None:
        return
    owner = body_of(obj.parent)
    if owner is not None:
        draw_text(self.layout, context, f"Part of the body {owner.name}", "LINKED")
    grid = self.layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    body = obj.omi_physics_body
    if body.is_body:
        grid.operator("omi_joint.body_remove", text="Physics Body", icon="X")
    else:
        grid.operator_menu_enum("omi_joint.body_add", "type", text="Physics Body", icon="PHYSICS")
    grid.prop(body, "use_collider", text="Collider", icon="MESH_CUBE", toggle=True)
    if obj.rigid_body is not None or obj.rigid_body_constraint is not None:
        self.layout.operator("omi_joint.from_rigid_body", icon="RIGID_BODY")


def draw_shape(layout: UILayout, context: Context, shape: OMI_JOINT_PG_shape) -> None:
    """Draw the type of a shape and what that type needs."""
    layout.prop(shape, "type")
    column = layout.column()
    for field in SHAPE_FIELDS[shape.type]:
        if field == "mesh" and shape.mesh is None and active_of(context).type != "MESH":
            column.alert = True
        column.prop(shape, field)


ENTRIES = (("PHYSICS_PT_add", draw_add),)
