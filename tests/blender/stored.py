# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a scene operators change, in words: our data, where objects are, selection and keys."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees
from typing import Any

import bpy
import numpy as np

from omi_physics_joint.blender.bridge.poses.transforms import FIELDS
from tests.layouts import said, value

Stored = dict[str, dict[str, str]]
"""Name of a thing -> field -> what it says; fields that are as they are anyhow are left out."""
NOT_SAID = {
    "rna_type",
    "name",
    "schema_version",
    "stamp",
    "changes",
    "made_of",
    *FIELDS,
    "rotation_mode",
}
"""Fields that say nothing of the data, and transforms that caches keep of their bodies."""
HANGING = ("omi_physics_joint", "omi_physics_body", "omi_physics_breaking", "omi_physics_pose")


def stored() -> Stored:
    """Return the open file as it is now."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    layer.update()
    active = layer.objects.active
    found: Stored = {
        "selection": {
            "active": f"'{active.name}'" if active else "nothing",
            "selected": " ".join(f"'{one.name}'" for one in bpy.context.selected_objects)
            or "nothing",
        },
        "scene": {"frame": str(scene.frame_current), **dict(_scene(scene))},
        "report": _report(bpy.context.window_manager.omi_physics_joint),
    }
    found |= {f"'{obj.name}'": dict(_object(obj)) for obj in scene.objects}
    for block in bpy.data.node_groups:
        shown = {"users": str(block.users), **dict(_fields(block))}
        found[f"{type(block).__name__} '{block.name}'"] = shown
    for action in bpy.data.actions:
        found[f"keys '{action.name}'"] = dict(_keys(action))
    return found


def changes(before: Stored, after: Stored) -> list[str]:
    """Return what is new, gone and another, a line a thing."""
    lines = []
    for name in (*before, *(one for one in after if one not in before)):
        old, new = before.get(name, {}), after.get(name, {})
        if name not in after:
            lines.append(f"- {name}")
        elif name not in before:
            lines.append(f"+ {name}: {', '.join(f'{one} {new[one]}' for one in new)}")
        elif old != new:
            fields = [one for one in {**old, **new} if old.get(one) != new.get(one)]
            told = [f"{one} {old.get(one, '-')} > {new.get(one, '-')}" for one in fields]
            lines.append(f"{name}: {', '.join(told)}")
    return lines


def _report(report: Any) -> dict[str, str]:
    issues = [f"{one.severity} {one.code} of {one.where}" for one in report.issues]
    return {report.title or "none": "; ".join(issues) or "no issues"}


def _scene(scene: bpy.types.Scene) -> Iterator[tuple[str, str]]:
    for group in ("joint", "overlay", "preview", "handles", "timeline"):
        for name, text in _fields(getattr(scene, f"omi_physics_{group}")):
            yield f"{group}.{name}", text


def _object(obj: bpy.types.Object) -> Iterator[tuple[str, str]]:
    place, turn, scale = obj.matrix_world.decompose()
    yield "at", _numbers(place)
    yield from [("turned", _numbers(map(degrees, turn.to_euler())))] * (turn.angle > 1e-4)
    yield from [("scale", _numbers(scale))] * any(abs(one - 1.0) > 1e-4 for one in scale)
    if obj.parent:
        yield "below", f"'{obj.parent.name}'"
    if obj.type == "EMPTY":
        yield "drawn", f"{obj.empty_display_type} {obj.empty_display_size:.3g}"
    if obj.rigid_body or obj.rigid_body_constraint:
        yield "rigid body", "on"
    if obj.hide_get():
        yield "hidden", "on"
    for group in HANGING:
        for name, text in _fields(getattr(obj, group)):
            yield f"{group.removeprefix('omi_physics_')}.{name}", text


def _numbers(several: Any) -> str:
    return "(" + " ".join(said(round(float(one), 3) + 0.0) for one in several) + ")"


def _fields(group: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield fields of ours that are not as they are anyhow, also those of groups within."""
    known = type(group).bl_rna.base.properties if depth == 0 else {}
    for prop in group.bl_rna.properties:
        name = prop.identifier
        if name in NOT_SAID or name.startswith("bl_") or name in known:
            continue
        found, here = getattr(group, name), path + name
        if prop.type == "COLLECTION":
            yield from [(here, str(len(found)))] * bool(found)
            for number, item in enumerate(found):
                yield from _fields(item, f"{here}[{number}].", depth + 1)
        elif isinstance(found, bpy.types.PropertyGroup):
            yield from _fields(found, f"{here}.", depth + 1)
        elif prop.type == "POINTER":
            yield from [(here, f"'{found.name}'")] if found else []
        elif _is_usual(prop, found):
            continue
        elif prop.type == "FLOAT":
            numbers = _rounded(prop, found)
            if numbers != _rounded(prop, prop.default_array if prop.is_array else prop.default):
                yield here, numbers
        else:
            yield here, value(group, name)


def _is_usual(prop: Any, found: Any) -> bool:
    if getattr(prop, "is_array", False):
        return tuple(found) == tuple(prop.default_array)
    if prop.type == "ENUM":
        return bool(found == (prop.default_flag if prop.is_enum_flag else prop.default))
    return bool(found == prop.default)


def _rounded(prop: Any, found: Any) -> str:
    """Return a number or several, without what single precision leaves of zero."""
    numbers = [0.0 if abs(one) < 1e-5 else float(one) for one in np.ravel(found)]
    return said(numbers, turned=prop.unit == "ROTATION")


def _keys(action: bpy.types.Action) -> Iterator[tuple[str, str]]:
    """Yield how many keys each path has, and the first and the last values of all its parts."""
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    paths: dict[str, list[list[Any]]] = {}
    for curve in (curve for bag in bags for curve in bag.fcurves):
        paths.setdefault(curve.data_path, []).append([key.co for key in curve.keyframe_points])
    for path, curves in paths.items():
        ends = [
            f"at {said(curves[0][end][0])} {_numbers(keys[end][1] for keys in curves)}"
            for end in (0, -1)
        ]
        yield path, f"{sum(map(len, curves))} keys, {' '.join(dict.fromkeys(ends))}"
