# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator behind the handles, as far as it goes without a window."""

from __future__ import annotations

import bpy
from blender.mouse import handle, ranged
from scenes import door, select

from omi_physics_joint.blender.handles.operators import KEY_HINTS, MORE_HINTS, OMI_JOINT_OT_drag
from omi_physics_joint.drawing.mouse.handles import Part


def properties() -> bpy.types.OperatorProperties:
    """Return properties of the operator as a gizmo fills them in."""
    return bpy.context.window_manager.operator_properties_last("omi_joint.drag")


def test_it_asks_for_a_view_and_a_joint() -> None:
    """Without a 3D view nothing can be dragged, and the operator says so instead of failing."""
    door()
    assert not bpy.ops.omi_joint.drag.poll()


def test_every_handle_can_be_named() -> None:
    """What a gizmo says of its handle fits into the properties of the operator."""
    _, _, hinge = door()
    for part in Part:
        if part is not Part.TARGET:
            place = handle(hinge, part, ranged(hinge) if part in (Part.MIN, Part.MAX) else 0)
            chosen = properties()
            chosen.part, chosen.index = place.handle.part, place.handle.index
            chosen.axis = str(place.handle.listed_axis)
            assert chosen.part == part


def test_the_tool_tip_says_which_keys_count() -> None:
    """It belongs to the handle; where there is none any more it is the general one."""
    _, leaf, hinge = door()
    place = handle(hinge, "max", ranged(hinge))
    chosen = properties()
    chosen.part, chosen.index, chosen.axis = "max", place.handle.index, "1"
    tip = OMI_JOINT_OT_drag.description
    assert "Alt moves both limits" in tip(bpy.context, chosen)
    chosen.part = "move"
    chosen.index, chosen.axis = 0, "0"
    assert "snaps to corners" in tip(bpy.context, chosen)
    select(leaf)
    assert tip(bpy.context, chosen).startswith("Drag a limit")


def test_icons_of_the_hints_exist() -> None:
    """Blender has every icon that the status bar shows."""
    parameters = bpy.types.UILayout.bl_rna.functions["label"].parameters
    known = {item.identifier for item in parameters["icon"].enum_items}
    hints = [*KEY_HINTS, *(hint for more in MORE_HINTS.values() for hint in more)]
    assert {icon for _, icons in hints for icon in icons} <= known


def test_handles_can_be_switched_off_where_gizmos_are() -> None:
    """The popover of the gizmos draws our switches, and they are saved with the scene."""
    functions = bpy.types.VIEW3D_PT_gizmo_display.draw._draw_funcs
    assert any("handles.properties" in function.__module__ for function in functions)
    switches = bpy.context.scene.omi_physics_handles
    assert (switches.show_values, switches.show_frame) == (True, True)
