# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of groups, which library overrides may change, and of operators: name, tool tip, more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpy import props

from ...model.wording.words import DIGITS
from ..registration import OVERRIDABLE

Field = Callable[..., Any]


def _field(kind: Field, **usual: object) -> Field:
    """Return a kind of property as most fields of ours have it; what a field says itself counts."""

    def field(*words: str, **own: object) -> object:
        said = zip(("name", "description"), words, strict=False)
        return kind(**{"override": OVERRIDABLE, **usual, **dict(said), **own})

    return field


flag, flags = _field(props.BoolProperty), _field(props.BoolVectorProperty)
number, numbers = _field(props.FloatProperty), _field(props.FloatVectorProperty)
integer, string, choice = map(_field, (props.IntProperty, props.StringProperty, props.EnumProperty))
pointer = _field(props.PointerProperty)
collection = _field(props.CollectionProperty, override={*OVERRIDABLE, "USE_INSERTION"})
# Fields show the digits that are said beside them: left to itself, Blender shows 1.6' where that is
# 1.64', and 42 degrees where it is 42.5.
distance = _field(props.FloatProperty, unit="LENGTH", precision=DIGITS)
angle = _field(props.FloatProperty, subtype="ANGLE", precision=DIGITS)
length = _field(props.FloatProperty, unit="LENGTH", min=0.0)
place = _field(props.FloatVectorProperty, unit="LENGTH", subtype="XYZ_LENGTH")
load = _field(props.FloatProperty, min=0.0, soft_max=1e6, default=1000.0)
strength = _field(props.FloatProperty, precision=3, min=0.0)


def unknown_members() -> object:
    """Return a hidden text for members of a file that the specification does not name."""
    text = "Members of an imported file that are not in the specification, as JSON"
    return string("Unknown Members", text, options={"HIDDEN"})
