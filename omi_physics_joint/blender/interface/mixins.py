# SPDX-License-Identifier: GPL-3.0-or-later
"""What mixins of operators and panels may count on.

They are bases of nothing when the add-on runs, since Blender registers each subclass of its own
classes. For the type checker they are what every class is that takes the mixin in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpy.types import Operator, Panel

    OperatorMixin = Operator
    PanelMixin = Panel
else:
    OperatorMixin = PanelMixin = object
