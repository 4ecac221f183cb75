# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings from Blender's data, in Blender's axes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import bpy

from ...gltf.document.json_text import Json, text_of
from ...model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from ...model.settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Field
from ..data.joint import OmiJointSettings
from ..data.limits import Item, OMI_JOINT_PG_drive, OMI_JOINT_PG_limit
from .read_groups import typed


def settings_of(joint: bpy.types.Object) -> JointSettings:
    """Return the settings of a joint in Blender's axes; empty where it has none."""
    block = joint.omi_physics_joint.settings
    return settings_from_block(block) if block is not None else JointSettings()


def settings_from_block(block: OmiJointSettings) -> JointSettings:
    """Return the model of a settings block; one whose library is missing says nothing."""
    if getattr(block, "is_missing", False):  # Blender stands a plain node tree in its place
        return JointSettings(name=block.name)
    return JointSettings(
        name=block.name,
        limits=tuple(limit_from_item(item) for item in block.limits),
        drives=tuple(drive_from_item(item) for item in block.drives),
        foreign_drives=_texts(block.foreign_drives),
        unknown=block.unknown,
    )


def limit_from_item(item: OMI_JOINT_PG_limit) -> Limit:
    """Return the model of one limit in a list."""
    axes = tuple(axis for axis, used in enumerate(item.axes) if used)
    linear = item.freedom == Freedom.LINEAR
    return Limit(
        linear_axes=axes if linear else (),
        angular_axes=() if linear else axes,
        **_numbers(item, LIMIT_FIELDS),
        together=item.together,
        unknown=item.unknown,
    )


def drive_from_item(item: OMI_JOINT_PG_drive) -> Drive:
    """Return the model of one drive in a list."""
    return Drive(
        type=Freedom(item.freedom),
        mode=DriveMode(item.mode),
        axis=int(item.axis),
        **_numbers(item, DRIVE_FIELDS),
        unknown=item.unknown,
    )


def _numbers(item: Item, fields: Sequence[Field]) -> dict[str, Any]:
    return {
        field.name: typed(getattr(item, field.property_on(item.freedom)))
        if getattr(item, f"use_{field.name}", True)
        else field.default
        for field in fields
    }


def is_damaged(block: OmiJointSettings) -> bool:
    """Return whether a settings block holds drives of unknown kinds that cannot be read."""
    return bool(block.foreign_drives) and not _texts(block.foreign_drives)


def _texts(array: str) -> tuple[str, ...]:
    """Return the elements of a JSON array as canonical JSON texts; none where it was damaged."""
    try:
        elements: Json = json.loads(array) if array else []
        return tuple(text_of(element) for element in elements) if isinstance(elements, list) else ()
    except (ValueError, RecursionError):
        return ()
