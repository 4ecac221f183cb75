# SPDX-License-Identifier: GPL-3.0-or-later
"""What mixins of operators and panels may count on, and what both share.

They are bases of nothing when the add-on runs, since Blender registers each subclass of its own
classes. For the type checker they are what every class is that takes the mixin in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpy.types import Context, Object, Operator, Panel, UILayout

    OperatorMixin = Operator
    PanelMixin = Panel
else:
    OperatorMixin = PanelMixin = object


class BaseOperator(OperatorMixin):
    """Says what it lacks, why it did nothing and what it did; can be undone and adjusted."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Ask for what is lacking."""
        lacking = cls.lacking(context)
        if lacking:
            cls.poll_message_set(lacking)
        return not lacking

    @classmethod
    def lacking(cls, _context: Context) -> str:
        """Return what the user must do first; nothing where it can work: each operator its own."""
        return ""

    def refused(self, reason: object, level: str = "WARNING") -> set[str]:
        """Report why nothing was done."""
        self.report({level}, str(reason))
        return {"CANCELLED"}

    def finished(self, what: str) -> set[str]:
        """Report what was done."""
        self.report({"INFO"}, what)
        return {"FINISHED"}


def was_last(context: Context, kind: type[Operator]) -> bool:
    """Return whether an operator is the one in the redo box.

    Blender polls it before it undoes what it has made, and without its poll there is no redo box.
    """
    last = context.active_operator
    return last is not None and last.bl_idname == kind.__name__


def active_of(context: Context) -> Object:
    """Return the active object, where a panel or a button is there for one."""
    found = context.object
    assert found is not None
    return found


def fields_in(layout: UILayout) -> UILayout:
    """Have a layout draw names beside fields, without dots for keys, and return it."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout
