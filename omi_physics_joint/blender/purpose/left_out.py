# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender's exporters leave out of files: bodies, and what belongs to bodies that are in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from bpy.types import Object, Scene

from ...model.issue import Issue, Severity
from ...model.wording.words import counted, listed, some
from ..bridge.animation import followed_by, is_led
from ..bridge.keyed import Samples
from ..bridge.placed import (
    PlacedObject,
    all_objects,
    bodies_of,
    body_of,
    is_dynamic,
    is_muted,
    is_physical,
    objects_in,
)
from .chosen import saved_options

OPTIONS = {"LIGHT": ("export_lights", "Punctual Lights"), "CAMERA": ("export_cameras", "Cameras")}
"""Which option of the exporter, by its name and its label, writes objects of a type."""
NOUNS = ("body", "joint", "collider", "trigger", "gravity volume")
"""What physical objects are called, in the order in which they are counted."""


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
    for index, obj in objects_in(placed):
        label = option_of(obj, scene) if obj.omi_physics_body.is_body else ""
        if label:
            kind = obj.type.lower()
            what = f"It is a {kind}, which a glTF file has only with {label} on at export."
            fix = f"Switch {label} on, or make an empty the body and parent it to that."
            what += " Else its joints are lost."
            yield Issue(Severity.WARNING, "body-left-out", obj.name, what, fix, index)


def left_behind(scene: Scene, placed: Sequence[PlacedObject]) -> Iterator[Issue]:
    """Yield an error for what an export of a scene lacks though it belongs to bodies that it has.

    A joint belongs to both of its bodies; where one is not exported, neither can the joint be.
    """
    found = belonging_without(scene, {node.object for node in placed})
    label = scene.omi_physics_joint.bl_rna.properties["use_belonging"].name
    fix = f"Switch {label} on at export, or export what is named here too."
    if () in found:
        yield _left_out(found.pop(()), "though the bodies that they belong to are in it", fix)
    if found:
        names = [repr(body.name) for lost in found for body in lost]
        joints = [joint for several in found.values() for joint in several]
        why = f"for want of {some(list(dict.fromkeys(names)))}"
        yield _left_out(joints, why, "Export both bodies of a joint, or mute it.")


def stood_still(placed: Sequence[PlacedObject], led: Collection[int] = ()) -> Iterator[Issue]:
    """Yield a warning of bodies that are animated here, and in a file only where it is ``led``."""
    found = [
        obj.name
        for index, obj in objects_in(placed)
        if index not in led and obj.omi_physics_body.is_body and not is_dynamic(obj) and is_led(obj)
    ]
    if found:
        what = f"{counted(len(found), 'animated body')} ({some(found)}) without animation in it."
        fix = (
            "Switch Animation on at export, in glTF with its mode Scene where that is not enough, "
            "or they stand still there."
        )
        yield Issue(Severity.WARNING, "body-not-led", found[0], f"The file has {what}", fix)


def keys_left_out(samples: Samples) -> Iterator[Issue]:
    """Yield a warning of keyed settings of joints, where a file has no animation."""
    keyed = [one.name for one in (*samples.blocks, *samples.joints)]
    if keyed:
        what = f"The keys of {some(keyed)} are left out: numbers are those of the exported frame."
        fix = "Switch Animation on at export; robots' files have none."
        yield Issue(Severity.WARNING, "keyed-physics", keyed[0], what, fix)


def left_standing(placed: Sequence[PlacedObject], moved: Collection[str]) -> Iterator[Issue]:
    """Yield a warning of what follows bodies that forces move, and in a file is not moved as they.

    It has constraints, drivers or hooks on them, which no file has; some are ``moved`` by keys.
    """
    objects = [obj for _, obj in objects_in(placed)]
    bodies = {body for obj in objects if is_dynamic(body := body_of(obj))}
    found = {
        obj.name: None
        for obj in objects
        if obj.name not in moved and obj not in bodies
        if any(body_of(one) in bodies for one in followed_by(obj))
    }
    if found:
        who = f"{counted(len(found), 'follower')} of bodies ({some(list(found))})"
        what = f"The file has {who} without animation in it: there they stand still."
        fix = (
            "Hold them by joints instead, or bake the motion, and choose the mode Scene at export "
            "and Split Animation by Object off in it."
        )
        yield Issue(Severity.WARNING, "body-not-led", next(iter(found)), what, fix)


def belonging_without(
    scene: Scene, in_file: Collection[Object | None]
) -> dict[tuple[Object, ...], list[Object]]:
    """Return what a file lacks of what belongs to its bodies, by the bodies that it lacks too."""
    found: dict[tuple[Object, ...], list[Object]] = {}
    for obj in sorted(all_objects(scene).difference(in_file), key=lambda one: one.name):
        if obj.omi_physics_body.is_body or not is_physical(obj) or is_muted(obj):
            continue
        ends = bodies_of(obj) if obj.omi_physics_joint.is_joint else (body_of(obj),)
        bodies = [body for body in dict.fromkeys(ends) if body is not None]
        lost = tuple(body for body in bodies if body not in in_file)
        if len(lost) < len(bodies):
            found.setdefault(lost, []).append(obj)
    return found


def counts_of(objects: Iterable[Object]) -> str:
    """Return "2 bodies, 1 joint and 3 colliders"; nothing where there are none."""
    counts = Counter(noun for obj in objects for noun in _nouns_of(obj))
    found = [counted(counts[noun], noun) for noun in NOUNS if counts[noun]]
    return listed(found) if found else ""


def _left_out(objects: Sequence[Object], why: str, fix: str) -> Issue:
    names = some([repr(obj.name) for obj in objects])
    message = f"Left out of the file {why}: {counts_of(objects)} ({names})."
    return Issue(Severity.ERROR, "left-out-of-export", objects[0].name, message, fix)


def _nouns_of(obj: Object) -> Iterator[str]:
    body = obj.omi_physics_body
    is_joint = obj.omi_physics_joint.is_joint
    is_one = (body.is_body, is_joint, body.use_collider, body.use_trigger, body.use_gravity_shape)
    return (noun for noun, is_it in zip(NOUNS, is_one, strict=True) if is_it)
