# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of the list of what Check, an export or an import has found."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.types import UIList

from ...model.wording.words import capitalized
from ..interface.text import parted
from ..interface.words import SEVERITY_ICONS, issue_title
from ..joints.lists import NAMES, ROWS, Layout
from .report import is_gone


class OMI_JOINT_UL_issues(UIList):
    """What Check, export or import has found"""

    def draw_item(
        self, context: Any, layout: Layout, data: Any, item: Any, _icon: int, _owner: Any
    ) -> None:
        """Draw one issue: how bad it is, where and what; see ``draw_issue``.

        It is grey where its object is gone.
        """
        what = issue_title(item.code)
        where = item.object_name or capitalized(item.where)
        bar = len(data.issues) > ROWS
        split = layout.split(factor=parted(context, where, what, NAMES, bar=bar))
        split.active = not is_gone(item, context.scene)
        icon = SEVERITY_ICONS.get(item.severity, "NONE")
        split.label(text=where, icon=icon, translate=False)
        split.label(text=what, translate=False)


classes = (OMI_JOINT_UL_issues,)
register, unregister = bpy.utils.register_classes_factory(classes)
