# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Play in the sidebar, and what a joint bears when it is played."""

from __future__ import annotations

from bpy.types import Context, Panel, UILayout
from numpy.linalg import norm

from ...model.mechanics.sagging import HELD
from ...model.wording.words import counted
from ...solver import FLOOR, WORLD
from ...solver.engines.kernel import kernel
from ..bridge.poses.frame_users import joint_of
from ..data.units import ROUGH, sayer
from ..interface import playing
from ..interface.mixins import active_of, fields_in
from ..interface.sidebar import SidebarPanel
from ..interface.text import draw_text, is_narrow
from ..interface.words import components, magnitude
from ..joints.panels import PhysicsPanel
from ..joints.parts import draw_switched
from ..simulated.properties import settings_in_use
from .outlook import outlook, worded
from .session import PlaySession, current
from .viewport.screen import NOT_IN_FILES, headline

GODOT_STEPS = "Jolt's steps in NumPy"
UNITS = {"force": "N", "torque": "N\u00b7m"}
ELSE = {FLOOR: "the floor", WORLD: "the scene"}
"""What is touched that is no body."""
MOST = 3
"""Lines of each kind that the panel lists."""


class OMI_JOINT_PT_sidebar_play(SidebarPanel, Panel):
    """Play the joints, and pull at them"""

    bl_label = "Play"
    topic = "play"
    bl_order = 10

    def draw(self, context: Context) -> None:
        """Draw the buttons, how it goes, and the settings."""
        layout = self.layout
        session = current()
        row = layout.row(align=True)
        row.scale_y = 1.5
        text, icon = ("Play", "PLAY") if session is None else ("Stop", "SNAP_FACE")
        row.operator("omi_joint.play", text=text, icon=icon, depress=session is not None)
        paused = session is not None and session.is_paused
        others = row.row(align=True)
        others.enabled = session is not None
        others.operator(
            "omi_joint.play_pause", text="", icon="PLAY" if paused else "PAUSE", depress=paused
        )
        others.operator("omi_joint.play_reset", text="", icon="FILE_REFRESH")
        draw_settings(layout, context)
        if session is not None:
            draw_state(layout, context, session)
            return
        if settings_in_use(context).steps == "exact" and kernel().library is None:
            draw_text(layout, context, f"Solver: {kernel().name}", "INFO")
        if playing.last_reason():
            draw_text(layout, context, playing.last_reason(), "ERROR")
        for remark in outlook(context.scene):
            draw_text(layout, context, remark, "INFO")


class OMI_JOINT_PT_sidebar_play_options(SidebarPanel, Panel):
    """How exactly joints are played"""

    bl_label = "Options"
    bl_parent_id = "OMI_JOINT_PT_sidebar_play"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """Draw what is seldom changed."""
        layout = fields_in(self.layout.column())
        settings = settings_in_use(context)
        for name in ("which", "steps"):
            row = layout.row()
            row.use_property_split = not is_narrow(context)
            row.prop(settings, name, expand=True)
        if settings.steps != "exact":
            layout.prop(settings, "show_ghost")
        layout.prop(settings, "speed")
        draw_switched(layout, settings, "Loop", "use_loop", "loop_seconds")
        exact = layout.column()
        exact.active = settings.steps == "exact"
        exact.prop(settings, "soft_locks")
        draw_switched(exact, settings, "Substeps", "use_substeps", "substeps")
        layout.prop(settings, "use_breaking")
        shortcut = shortcut_of(context, "3D View", "omi_joint.play")
        if shortcut:
            layout.label(text=f"Shortcut: {shortcut}", translate=False)
        name = kernel().name if settings.steps == "exact" else GODOT_STEPS
        draw_text(layout, context, f"Solver: {name}", "INFO")


class OMI_JOINT_PT_joint_breaking(PhysicsPanel, Panel):
    """What the joint bears before it breaks: played, and exported to USD"""

    bl_label = "Breaking"
    bl_parent_id = "OMI_JOINT_PT_joint"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Show for joints."""
        return context.object is not None and context.object.omi_physics_joint.is_joint

    def draw_header(self, context: Context) -> None:
        """Draw the switch."""
        self.layout.prop(active_of(context).omi_physics_breaking, "use_breaking", text="")

    def draw(self, context: Context) -> None:
        """Draw the two limits."""
        breaking = active_of(context).omi_physics_breaking
        layout = fields_in(self.layout.column())
        layout.active = breaking.use_breaking
        for field, unit in UNITS.items():
            heading = f"Max {field.title()}"
            draw_switched(layout, breaking, heading, f"use_{field}", field, unit)


def shortcut_of(context: Context, keymap: str, operator: str) -> str:
    """Return the keys that the user has for an operator; nothing where there are none."""
    found = context.window_manager.keyconfigs.user.keymaps.get(keymap)
    items = [] if found is None else [one for one in found.keymap_items if one.active]
    return next((one.to_string() for one in items if one.idname == operator), "")


def draw_settings(layout: UILayout, context: Context) -> None:
    """Draw what is often changed."""
    scene = context.scene
    settings = settings_in_use(context)
    both = layout.column(align=True) if is_narrow(context) else layout.row()
    row = both.row()
    row.active = scene.use_gravity
    text = "Gravity" if scene.use_gravity else "Gravity: Off"
    row.prop(settings, "use_gravity", text=text)
    both.prop(settings, "show_forces")
    both = layout.column(align=True) if is_narrow(context) else layout.row()
    row = both.row()
    row.enabled = not playing.is_playing()  # what moves is read when it begins
    row.prop(settings, "use_contacts")
    row = both.row()
    row.active = settings.use_contacts
    row.prop(settings, "use_floor")
    if settings.use_contacts and settings.use_floor:
        row = layout.row(align=True)
        row.prop(settings, "floor_friction")
        row.prop(settings, "floor_restitution")


def draw_state(layout: UILayout, context: Context, session: PlaySession) -> None:
    """Draw how the play goes, what the active joint bears, and what broke."""
    box = layout.box().column(align=True)
    box.label(text=headline(session), icon="TIME", translate=False)
    if session.apart:
        draw_text(box, context, session.apart, "INFO", boxes=1)
    elif session.has_floor:
        draw_text(box, context, NOT_IN_FILES, "INFO", boxes=1)
    if session.simulated.hidden:
        draw_text(box, context, session.simulated.hidden, "HIDE_ON", boxes=1)
    for trouble in session.troubles:
        draw_text(box, context, trouble, "ERROR", boxes=1)
    for remark in session.approximations:
        draw_text(box, context, remark, "INFO", boxes=1)
    joint = joint_of(context.object)
    for load in session.loads_of([joint]):
        name = session.simulated.name(load.joint)
        box.label(text=name, icon="CONSTRAINT", translate=False)
        for name, unit in UNITS.items():
            row, vector = box.row(), getattr(load, name)
            row.label(text=name.title())
            row.label(text=magnitude(vector, unit), translate=False)
            box.label(text=components(vector), translate=False)
    if joint is None:
        draw_touched(box, session, session.simulated.node_of(context.object))
    for text in session.triggers.said(session.run).values():
        draw_text(box, context, text, "MOD_EXPLODE", boxes=1)
    draw_differences(box, context, session)
    for name, time in session.broken[-MOST:]:
        box.label(text=f"Broke: {name} at {time:.1f} s", icon="UNLINKED", translate=False)
    for remark in session.remarks:
        draw_text(box, context, remark, "INFO", boxes=1)
    for text in worded([one for one in session.issues if one.code != HELD])[:MOST]:
        draw_text(box, context, text, "INFO", boxes=1)


def draw_touched(layout: UILayout, session: PlaySession, node: int | None) -> None:
    """Draw what the active body touches, and how hard, hardest first."""
    pressed = session.run.touching().pressed()
    own = {sum(pair) - node: force for pair, force in pressed.items() if node in pair}
    for other in sorted(own, key=lambda one: -norm(own[one]))[:MOST]:
        row = layout.row()
        row.label(text=f"On {ELSE.get(other) or session.simulated.name(other)}", translate=False)
        row.label(text=magnitude(own[other], "N"), translate=False)


def draw_differences(layout: UILayout, context: Context, session: PlaySession) -> None:
    """Draw how far joints are from the exact motion, the largest difference first."""
    if session.ghost is None:
        return
    differences, say = session.ghost.differences(), sayer(context.scene, ROUGH)
    heading = "From Exact Motion" if differences else "As Exact Motion"
    layout.label(text=heading, icon="GHOST_ENABLED")
    for one in differences[:MOST]:
        row = layout.row()
        row.label(text=session.simulated.name(one.joint), translate=False)
        row.label(text=one.words(say), translate=False)
    if len(differences) > MOST:
        more = counted(len(differences) - MOST, "joint")
        layout.label(text=f"{more} more", translate=False)
    if session.ghost.remark:
        draw_text(layout, context, session.ghost.remark, "INFO", boxes=1)
