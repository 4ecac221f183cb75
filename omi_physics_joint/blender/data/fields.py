# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of groups, which overrides may change, and of operators, said to be what they hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from bpy import props
from bpy.types import ID, PropertyGroup

from ...model.wording.words import DIGITS
from ..registration import OVERRIDABLE

if TYPE_CHECKING:
    from bpy.types import bpy_prop_collection, bpy_prop_vector

Group = TypeVar("Group", bound=PropertyGroup)
Block = TypeVar("Block", bound=ID)
Held = TypeVar("Held")
Field = Callable[..., Held]


def _field(kind: Field[Held], **usual: object) -> Field[Held]:
    """Return a kind of property as most fields of ours have it; what a field says itself counts."""

    def field(*words: str, **own: object) -> Held:
        said = zip(("name", "description"), words, strict=False)
        return kind(**{"override": OVERRIDABLE, **usual, **dict(said), **own})

    return field


flag: Field[bool] = _field(props.BoolProperty)
integer: Field[int] = _field(props.IntProperty)
number: Field[float] = _field(props.FloatProperty)
string: Field[str] = _field(props.StringProperty)
choice: Field[str] = _field(props.EnumProperty)
choices: Field[set[str]] = _field(props.EnumProperty, options={"ENUM_FLAG"})
flags: Field[bpy_prop_vector[bool]] = _field(props.BoolVectorProperty)
numbers: Field[bpy_prop_vector[float]] = _field(props.FloatVectorProperty)
# Fields show the digits that are said beside them: left to itself, Blender shows 1.6' where that is
# 1.64', and 42 degrees where it is 42.5.
distance: Field[float] = _field(props.FloatProperty, unit="LENGTH", precision=DIGITS)
angle: Field[float] = _field(props.FloatProperty, subtype="ANGLE", precision=DIGITS)
length: Field[float] = _field(props.FloatProperty, unit="LENGTH", min=0.0)
place: Field[bpy_prop_vector[float]] = _field(
    props.FloatVectorProperty, unit="LENGTH", subtype="XYZ_LENGTH"
)
load: Field[float] = _field(props.FloatProperty, min=0.0, soft_max=1e6, default=1000.0)
strength: Field[float] = _field(props.FloatProperty, precision=3, min=0.0)


def unknown_members() -> str:
    """Return a hidden text for members of a file that the specification does not name."""
    text = "Members of an imported file that are not in the specification, as JSON"
    return string("Unknown Members", text, options={"HIDDEN"})


def part(type: type[Group]) -> Group:
    """Return a field that is a group itself."""
    group: Group = props.PointerProperty(type=type, override=OVERRIDABLE)
    return group


def pointer(*words: str, type: type[Block], **own: object) -> Block | None:
    """Return a field that points at a data-block or at nothing."""
    field: Field[Block | None] = _field(props.PointerProperty)
    return field(*words, type=type, **own)


def collection(*words: str, type: type[Group], **own: object) -> bpy_prop_collection[Group]:
    """Return a field with any number of groups, to which overrides may add some."""
    field: Field[bpy_prop_collection[Group]] = _field(props.CollectionProperty)
    return field(*words, **{"type": type, "override": {*OVERRIDABLE, "USE_INSERTION"}, **own})
