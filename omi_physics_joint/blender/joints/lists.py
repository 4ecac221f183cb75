# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of our lists: limits, drives, and the joints of a scene."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import bpy
from bpy.props import IntProperty
from bpy.types import UI_UL_list, UILayout, UIList

from ...model.wording.describe import kind, rows, sole_axis
from ...model.wording.words import capitalized
from ..bridge.read_settings import drive_from_item, limit_from_item, settings_from_block
from ..data.limits import OMI_JOINT_PG_limit
from ..data.units import sayer
from ..interface.text import filled, parted
from ..interface.words import FREEDOM_ICONS, KIND_ICONS, drive_row, limit_row
from .parts import fault_of

ROWS = 5
"""Rows of a list: beyond them it scrolls, so that nothing below it moves."""
FEW = 1
"""Rows of the list of joints where there are no more."""
NAMES = 0.5
"""Part of a row that the name of its object has."""


class OMI_JOINT_UL_settings(UIList):
    """Limits or drives of joint settings"""

    def draw_item(
        self, context: Any, layout: UILayout, data: Any, item: Any, _icon: int, _owner: Any
    ) -> None:
        """Draw one limit or drive."""
        axis, say = sole_axis(settings_from_block(data)), sayer(context.scene)
        if isinstance(item, OMI_JOINT_PG_limit):
            text = limit_row(limit_from_item(item), say, axis)
        else:
            text = drive_row(drive_from_item(item), say, axis)
        layout.label(text=text, icon=FREEDOM_ICONS[item.freedom], translate=False)


class OMI_JOINT_UL_joints(UIList):
    """Joints of the scene"""

    has_bar: ClassVar[bool] = False
    """Whether there are more than fit in: rows are filtered just before they are drawn."""

    def draw_item(
        self, context: Any, layout: UILayout, _data: Any, item: Any, _icon: int, _owner: Any
    ) -> None:
        """Draw one joint: its name and what it is."""
        fault = fault_of(item, context.scene)
        sign, choices = "ERROR", [fault]
        if not fault:
            settings = settings_from_block(item.omi_physics_joint.settings)
            sign = KIND_ICONS.get(kind(settings), "CONSTRAINT")
            choices = [capitalized(words) for words in rows(settings, sayer(context.scene))]
        bar = OMI_JOINT_UL_joints.has_bar
        share, what = parted(context, item.name, choices, NAMES, bar=bar)
        split = layout.split(factor=share)
        split.alert = bool(fault)
        split.active = not item.omi_physics_joint.mute
        looks = {"emboss": False, "translate": False}
        for text, icon, part in ((item.name, sign, share), (what, "NONE", 1.0 - share)):
            shown = filled(context, text, part, icon=icon != "NONE", bar=bar)
            button = split.row().operator("omi_joint.select_joint", text=shown, icon=icon, **looks)
            button.object_name = item.name

    def filter_items(self, _context: Any, data: Any, propname: str) -> tuple[list[int], list[int]]:
        """Show joints only, sorted by name; of what is not shown Blender asks for no place."""
        objects, shown = getattr(data, propname), self.bitflag_filter_item
        every = [one for one in enumerate(objects) if one[1].omi_physics_joint.is_joint]
        joints = [obj for _, obj in every]
        found = UI_UL_list.filter_items_by_name(self.filter_name, shown, joints)
        places = UI_UL_list.sort_items_by_name(joints, "name")
        flags, order = ([0] * len(objects) for _ in range(2))
        for (row, _), flag, place in zip(
            every, found or [shown] * len(joints), places, strict=True
        ):
            flags[row], order[row] = flag, place
        OMI_JOINT_UL_joints.has_bar = sum(map(bool, flags)) > ROWS
        return flags, order


def _row_of_active(_manager: Any) -> int:
    """Return the row of the active object, so that the list follows the selection."""
    active = bpy.context.view_layer.objects.active
    return -1 if active is None else bpy.context.scene.objects.find(active.name)


def _select_row(_manager: Any, row: int) -> None:
    """Select the joint whose row was clicked."""
    objects = bpy.context.scene.objects
    if 0 <= row < len(objects) and objects[row].omi_physics_joint.is_joint:
        bpy.ops.omi_joint.select_joint("EXEC_DEFAULT", True, object_name=objects[row].name)


def while_on() -> Iterator[None]:
    """Give the list of joints its active row."""
    bpy.types.WindowManager.omi_physics_joint_row = IntProperty(
        name="Joint",
        description="The active joint in the list of the scene's joints",
        get=_row_of_active,
        set=_select_row,
    )
    yield
    del bpy.types.WindowManager.omi_physics_joint_row
