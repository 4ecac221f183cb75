# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of property groups that library overrides may change: name, tool tip, then the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpy import props

from ..registration import OVERRIDABLE

Field = Callable[..., Any]


def _field(kind: Field) -> Field:
    def field(name: str, description: str = "", **options: Any) -> Any:  # noqa: ANN401
        return kind(name=name, description=description, override=OVERRIDABLE, **options)

    return field


flag, flags = _field(props.BoolProperty), _field(props.BoolVectorProperty)
number, numbers = _field(props.FloatProperty), _field(props.FloatVectorProperty)
integer, string, choice = map(_field, (props.IntProperty, props.StringProperty, props.EnumProperty))
