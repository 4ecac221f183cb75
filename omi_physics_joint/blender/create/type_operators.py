# SPDX-License-Identifier: GPL-3.0-or-later
"""Change the kind of joints, and which way is positive."""

from __future__ import annotations

from bpy.types import Context, Operator

from ..data.fields import choice, flag, integer
from ..interface.mixins import fields_in
from ..joints.authoring import JointKind
from ..joints.operators import JointOperator
from ..joints.settings_editing import travel_along
from .operators import KINDS
from .ranges import FORGOTTEN, RangeOptions
from .retyping import change_kind, flip, has_range


class OMI_JOINT_OT_change_type(RangeOptions, JointOperator, Operator):
    """Make the selected joints another type. Place, axis and bodies stay"""

    bl_idname = "omi_joint.change_type"
    bl_label = "Change Joint Type"

    kind = choice("Type", "What the joint allows", items=KINDS, options=FORGOTTEN)
    keep_range = flag(
        "Keep Range",
        "Keep ranges and motors that mean something for the new type as well",
        default=True,
        options=FORGOTTEN,
    )
    noted_kept = noted_new = integer(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context: Context) -> set[str]:
        """Change them."""
        context.view_layer.update()  # adjusting undoes first, after which matrices are old
        joints = self.chosen(context)
        if not joints:
            return {"CANCELLED"}
        if self.kind == "SLIDER":
            self.suit_travel(travel_along(joints[0]))
        kind = JointKind(self.kind, *self.range_of(self.kind))
        self.noted_kept = sum(has_range(joint, self.kind) for joint in joints)
        self.noted_new = len(joints) - self.noted_kept
        change_kind(joints, kind, keep_range=self.keep_range)
        text = f"{len(joints)} joints are" if len(joints) > 1 else f"{joints[0].name} is"
        return self.finished(f"{text} of type {self.kind.title()} now")

    def draw(self, _context: Context) -> None:
        """Draw the type and the range of what has none yet."""
        layout = fields_in(self.layout)
        layout.prop(self, "kind")
        if self.noted_kept:
            layout.prop(self, "keep_range")
        if self.noted_new or not self.keep_range:
            self.draw_range(layout, self.kind)


class OMI_JOINT_OT_flip(JointOperator, Operator):
    """Reverse the direction of the selected hinges and sliders: a door that opened inward opens outward"""  # noqa: E501

    bl_idname = "omi_joint.flip"
    bl_label = "Flip Direction"
    done = "Flipped"

    def execute(self, context: Context) -> set[str]:
        """Flip each joint."""
        return self.for_each(context, flip)
