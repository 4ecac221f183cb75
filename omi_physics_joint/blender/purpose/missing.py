# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scene wants and does not get: linked files, images, drivers. Blender does not say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import bpy
from bpy.types import ID, Collection, FCurve, Image, Library, Material, NodeTree, Object, Scene

from ...model.issue import Issue, Severity
from ...model.wording.words import counted, some
from ..bridge.animation import animated
from ..bridge.keyed import can_be_written
from ..bridge.placed import body_of, is_dynamic
from ..bridge.poses.second_frames import below

MOST_NAMES = 5
"""Names that one sentence lists."""


def missing(scenes: Iterable[Scene], *, images: bool = True) -> Iterator[Issue]:
    """Yield what files of some scenes will lack, of images only where they are written."""
    scenes = tuple(scenes)
    yield from missing_libraries(scenes)
    if images:
        yield from _missing_images(scenes)
    yield from _drivers_at_rest()
    yield from _drivers_of_forces()


def missing_libraries(scenes: Iterable[Scene]) -> Iterator[Issue]:
    """Yield an error for each library that something in some scenes is missing from."""
    if not bpy.data.libraries:
        return
    lost: dict[Library, dict[str, None]] = {}
    for scene in scenes:
        for data, user in _linked(scene):
            if data is None or not data.is_missing or data.library is None:
                continue
            name = data.name if user in ("", data.name) else f"{data.name} (of {user})"
            lost.setdefault(data.library, {})[name] = None
    for library, names in lost.items():
        if library.is_missing:
            message = f"The linked file {library.filepath} is not there. Missing from it: "
            fix = "Bring the file back, or relocate the library in the Outliner (Blender File)."
        else:
            message = f"The linked file {library.filepath} no longer holds "
            fix = "Give it back its old name there, or link it anew."
        message += f"{some([*names], MOST_NAMES)}."
        yield Issue(Severity.ERROR, "library-missing", library.name, message, fix)


def _linked(scene: Scene) -> Iterator[tuple[ID | None, str]]:
    """Yield what a scene shows that may be linked, and the name of the object that uses it."""
    for collection in scene.collection.children_recursive:
        yield collection, ""
    instanced: set[Collection] = set()
    for obj in scene.objects:
        yield from _of_object(obj, instanced)


def _of_object(obj: Object, instanced: set[Collection]) -> Iterator[tuple[ID | None, str]]:
    """Yield an object, what it is made of and what it instances."""
    joint, body = obj.omi_physics_joint, obj.omi_physics_body
    yield obj, ""
    if obj.override_library is not None:
        yield obj.override_library.reference, obj.name
    for data in (obj.parent, obj.data, joint.settings, below(obj)):
        yield data, obj.name
    for slot in obj.material_slots:
        yield slot.material, obj.name
    for shape in (body.collider.shape, body.trigger.shape, body.gravity_shape):
        yield shape.mesh, obj.name
    collection = obj.instance_collection if obj.instance_type == "COLLECTION" else None
    if collection is None or collection in instanced:
        return
    instanced.add(collection)
    for one in (collection, *collection.children_recursive):
        yield one, obj.name
    for inner in collection.all_objects:
        yield from _of_object(inner, instanced)


def _missing_images(scenes: Iterable[Scene]) -> Iterator[Issue]:
    """Yield a warning for each image of a material that is neither in the file nor beside it."""
    gone = {image for image in bpy.data.images if _is_gone(image)}
    users: dict[Image, list[Material]] = {}
    for material in bpy.data.materials if gone else ():
        for image in gone.intersection(_images_of(material.node_tree, set())):
            users.setdefault(image, []).append(material)
    used = {data for scene in scenes if users for data, _ in _linked(scene)}
    for image, materials in users.items():
        who = [material.name for material in materials if material in used]
        if who:
            message = f"The image {image.filepath} is not there, so files lack it (in "
            fix = "Bring it back, pack it into the .blend, or take it out of the material."
            message += f"{some(who, MOST_NAMES)})."
            yield Issue(Severity.WARNING, "image-missing", image.name, message, fix)


def _is_gone(image: Image) -> bool:
    if image.source != "FILE" or image.packed_file or image.has_data:
        return False
    return not Path(bpy.path.abspath(image.filepath, library=image.library)).is_file()


def _images_of(tree: NodeTree | None, seen: set[NodeTree]) -> Iterator[Image]:
    """Yield the images of nodes that something is connected to, also of those within groups."""
    if tree is None or tree in seen:
        return
    seen.add(tree)
    for node in tree.nodes:
        image = getattr(node, "image", None)
        if image is not None and any(socket.is_linked for socket in node.outputs):
            yield image
        yield from _images_of(getattr(node, "node_tree", None), seen)


def _drivers_at_rest() -> Iterator[Issue]:
    """Yield a warning where drivers of the open file did not run."""
    names = {
        f"{data.name} ({curve.data_path})": None
        for data, owner in animated()
        for curve in owner.animation_data.drivers
        if not curve.mute and _is_at_rest(curve)
    }
    if names:
        one = len(names) == 1
        message = f"{counted(len(names), 'driver')} {'does' if one else 'do'} not run, so what "
        message += f"{'it leads stays' if one else 'they lead stays'} as it was saved: "
        fix = "Mend the expression."
        if bpy.app.autoexec_fail:
            fix = "If you trust the file, run its Python: blender -y, or Auto Run Python Scripts."
        message += f"{some([*names], MOST_NAMES)}."
        yield Issue(Severity.WARNING, "driver-not-run", next(iter(names)), message, fix)


def _drivers_of_forces() -> Iterator[Issue]:
    """Yield a hint for each driver of a joint's numbers that reads what forces move."""
    for data, owner in animated():
        for curve in owner.animation_data.drivers if isinstance(data, NodeTree) else ():
            variables = (one for one in curve.driver.variables if one.type != "SINGLE_PROP")
            for one in dict.fromkeys(target.id for each in variables for target in each.targets):
                if can_be_written(curve.data_path) and is_dynamic(body_of(one)):
                    what = f"Its driver reads {one.name}, which forces move: it stays as at rest."
                    fix = "Lead it by keys or by a property, or hold the bodies by joints."
                    yield Issue(Severity.HINT, "driver-not-run", data.name, what, fix)


def _is_at_rest(curve: FCurve) -> bool:
    """Return whether a driver failed, or would if Blender evaluated it, as with other scenes."""
    driver = curve.driver
    needs_python = driver.type == "SCRIPTED" and not driver.is_simple_expression
    return not driver.is_valid or (needs_python and bpy.app.autoexec_fail)
