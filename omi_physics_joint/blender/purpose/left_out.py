# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that Blender's glTF exporter leaves out of files unless it is told otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bpy.types import Object, Scene

from ...model.issue import Issue, Severity
from ..bridge.placed import PlacedObject
from .chosen import saved_options

OPTIONS = {"LIGHT": ("export_lights", "Punctual Lights"), "CAMERA": ("export_cameras", "Cameras")}
"""Which option of the exporter, by its name and its label, writes objects of a type."""


def option_of(obj: Object, scene: Scene) -> str:
    """Return the label of the option without which a file lacks an object; nothing if it is in.

    The exporter's options are known where they were saved with the scene; both are off at first.
    """
    name, label = OPTIONS.get(obj.type, ("", ""))
    return "" if saved_options(scene).get(name) else label


def left_out(objects: Iterable[Object], scene: Scene) -> str:
    """Say in a sentence which of some objects a file will lack; nothing where all are in it."""
    for obj in objects:
        label = option_of(obj, scene)
        if label:
            kind = obj.type.lower()
            return f"{obj.name} is a {kind}: glTF files have it only with {label} on at export."
    return ""


def left_out_bodies(placed: Iterable[PlacedObject], scene: Scene) -> Iterator[Issue]:
    """Yield a warning for each body that a file will lack, and its joints with it."""
    for index, node in enumerate(placed):
        obj = node.object
        if obj is None or not obj.omi_physics_body.is_body:
            continue
        label = option_of(obj, scene)
        if label:
            kind = obj.type.lower()
            what = f"It is a {kind}, which a glTF file has only with {label} on at export."
            fix = f"Switch {label} on, or make an empty the body and parent it to that."
            what += " Else its joints are lost."
            yield Issue(Severity.WARNING, "body-left-out", obj.name, what, fix, index)
