# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports, checks and describes .blend files without a window, for the command line.

What "Remember Export Settings" has saved comes with the file; the exporter called from a script
does not load it. It is taken as it is where this Blender knows it, and never leads out of a folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import bpy
from bpy.types import LayerCollection, Object, Scene

from ...cli.batch.tasks import PART
from ...cli.blender_door import last_line
from ...cli.outcome import REFUSED
from ...cli.reports.report import info_of
from ...files.outputs import ASIDE, IN_USE, OwnFolder, obstacle, put_all, real, why_not_made
from ...model.contents import ContentsError
from ...model.issue import Issue, Severity, but_for
from ...model.readers import Reader
from ...model.wording.words import counted, some
from ..bridge.placed import PlacedObject, is_physical, objects_in_scene, with_second_frames
from ..bridge.read_nodes import mechanism_from_placed
from ..check.diagnosis import diagnose_scene
from ..check.report import REFUSED as REFUSED_TITLE
from ..check.report import told_otherwise
from ..gltf_hooks import leftovers
from ..gltf_hooks.exported.exporting import ignoring
from ..gltf_hooks.exported.staging import confined
from ..purpose.chosen import saved_options
from ..robots.files import export_robot

SYSTEM_ERROR = re.compile(r"^\w*Error: \[Errno \d+\] ([^:]*).*$")
"""How Python spells what the system refuses."""
Reply = dict[str, Any]
"""A JSON object: ok, issues, info, inputs, outputs, refused, error."""
PICTURES = "export_texture_dir"
OTHERS = frozenset(
    (
        *("use_selection", "use_visible", "use_renderable", "use_active_collection"),
        *("use_active_collection_with_nested", "use_mesh_edges", "use_mesh_vertices"),
        *("use_active_scene", "collection", "at_collection_center"),
    )
)
"""Settings that are saved, of those whose names do not begin with "export_"."""
UNNAMEABLE = re.compile(r'[<>:"/\\|?*\x00-\x1f]|[. ]+$')
"""What names of files cannot have, on one system or another."""


def run(request: Mapping[str, Any]) -> Reply:
    """Open a .blend file and do one thing with it: see ``cli.blender_door.ask_blender``."""
    reply: Reply = {"ok": False, "issues": [], "info": {}, "outputs": [], "error": ""}
    path = Path(request["path"])
    try:
        # Scripts run as they do in this Blender: with -y, or where its preferences say so.
        said = request.get("scripts")
        scripts = {} if said is None else {"use_scripts": said == "allow"}
        bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False, **scripts)
    except RuntimeError as error:
        reply["error"] = f"Blender cannot open it: {last_line(error)}"
        return reply
    reply["inputs"] = bpy.utils.blend_paths(absolute=True)
    if request.get("readers"):
        for scene in bpy.data.scenes:
            names = {Reader(one).name for one in request["readers"]}
            scene.omi_physics_joint.readers = names - {Reader.SPEC.name}  # who is nobody
    if request["command"] == "export":
        _export(request, reply)
        return reply
    tries = bool(request.get("tries"))
    found: list[Issue] = []
    for scene in bpy.data.scenes:
        enter(scene)
        found += diagnose_scene(scene, tries=tries)[0]
    # What two scenes have in common is said once.
    reply["issues"] = [issue.as_json() for issue in dict.fromkeys(found)]
    if request["command"] in ("check", "info"):
        mechanism = mechanism_from_placed(_placed_in_file()).mechanism
        reply["info"] = info_of(mechanism, request.get("articulations"))
    reply["ok"] = True
    return reply


def _placed_in_file() -> list[PlacedObject]:
    """Return the objects of all scenes, as one export of the file has them."""
    placed: list[PlacedObject] = []
    for scene in bpy.data.scenes:
        first = len(placed)
        placed += [
            replace(
                node,
                parent=None if node.parent is None else first + node.parent,
                instance=None if node.instance is None else first + node.instance,
                scene=first,
            )
            for node in objects_in_scene(scene)
        ]
    return with_second_frames(placed)


def _export(request: Mapping[str, Any], reply: Reply) -> None:
    """Export the open file as Blender does by itself, in one of the formats."""
    for scene in bpy.data.scenes:
        if request.get("strict") is not None:
            scene.omi_physics_joint.strict = bool(request["strict"])
        for name in ("target", "dialect"):
            if request.get(name) is not None:
                setattr(scene.omi_physics_joint, name, str(request[name]).upper())
    try:
        parts, left = parts_of(Path(request["output"]), request.get("split"))
    except ContentsError as error:
        reply |= {"error": str(error), "refused": isinstance(error, PartsMeetError)}
        return
    reply["issues"] += [one.as_json() for one in left]
    for part in parts:
        wrong = _export_part(part, request, reply)
        reply["error"] = reply["error"] or (f"{part.name}: " * bool(wrong and part.name)) + wrong
    reply["ok"] = not reply["error"]


def _export_part(part: FilePart, request: Mapping[str, Any], reply: Reply) -> str:
    """Export what becomes one file; return why that was not done, "" where it was."""
    output = part.output
    wrong = why_not_made(output.parent)
    if not wrong and (trouble := obstacle([output])):
        wrong = f"Nothing was written: {trouble}."
    if wrong:
        return wrong
    if part.scene is not None:
        enter(part.scene)
    off = [*_switched_off(bpy.context.scene), *_elsewhere(part, request["format"])]
    reply["issues"] += [one.as_json() for one in off]
    if bpy.context.scene.omi_physics_joint.strict and but_for(request.get("ignored") or (), off):
        reply["refused"] = True
        return REFUSED
    report = bpy.context.window_manager.omi_physics_joint
    report.issues.clear()
    report.title = ""
    write = WRITERS.get(request["format"], _write_stage)
    try:
        with (
            leftovers.none_left(bpy.context.scene),
            told_otherwise(),
            ignoring(request.get("ignored") or ()),
        ):
            unused = write(part, request)
        reply["outputs"].append(str(output))
        reply["issues"] += [one.as_json() for one in unused]
    except (RuntimeError, ContentsError) as error:
        # Its files are aside until all of them are written.
        wrong = SYSTEM_ERROR.sub(r"Nothing was written: \1.", last_line(error))
        if report.title == REFUSED_TITLE or str(error) == REFUSED:
            reply["refused"], wrong = True, REFUSED
    names = ("severity", "code", "where", "message", "fix", "loss")
    where = f"{output.name}: " * bool(part.name)
    for line in report.issues:
        told = {name: getattr(line, name) for name in names}
        reply["issues"].append({**told, "where": where + line.where})
    return wrong


def _switched_off(scene: Scene) -> Iterator[Issue]:
    """Yield a warning where a scene has physics, and its exports are to have none."""
    count = sum(map(is_physical, scene.objects))
    if count and not scene.omi_physics_joint.use_export:
        what = f"Physics Joints is off for its exports: the physics of {counted(count, 'object')} "
        what += "is left out."
        fix = "Switch it on in File > Export > glTF 2.0, and save the .blend."
        yield Issue(Severity.WARNING, "left-out-of-export", scene.name, what, fix)


def _elsewhere(part: FilePart, form: str) -> Iterator[Issue]:
    """Yield a warning where the physics of a file is in scenes that nobody sees in it."""
    scene = bpy.context.scene
    own = _physical_in(scene)
    others = [one.name for one in bpy.data.scenes if _physical_in(one) - own]
    is_stage, is_robot = form not in WRITERS, WRITERS.get(form) == _write_robot
    if part.scene is None and others and (is_stage or not (own or is_robot)):
        what = f"It is the active scene, and physics is in {some(others)}: "
        what += "a stage has the active one alone." if is_stage else "many readers read no other."
        fix = "Save the .blend with the scene active that is meant, or export with --split scene."
        code = "left-out-of-export" if is_stage else "node-in-no-scene"
        yield Issue(Severity.WARNING, code, scene.name, what, fix)


def _physical_in(scene: Scene) -> set[Object]:
    found = (one.object for one in objects_in_scene(scene))
    return {one for one in found if one is not None and is_physical(one)}


def _write_gltf(part: FilePart, request: Mapping[str, Any]) -> Sequence[Issue]:
    """Write glTF as Blender's exporter does, with the settings that the file has saved."""
    output = part.output
    options, unused = saved_export_settings(bpy.context.scene, output.parent)
    for name in part.options:
        options.pop(name, None)
    options["export_format"] = "GLB" if request["format"] == "glb" else "GLTF_SEPARATE"
    if request.get("current_frame") is not None:
        options["export_current_frame"] = bool(request["current_frame"])
    with confined(output.parent):
        bpy.ops.export_scene.gltf(filepath=str(output), **options, **part.options)
    return unused


def _write_robot(part: FilePart, request: Mapping[str, Any]) -> Sequence[Issue]:
    """Write MJCF or URDF; what was found is published."""
    pose = {"export_current_frame": bool(request.get("current_frame"))}
    export_robot(part.output, only_selected=False, **pose, **part.options)
    return ()


def _write_stage(part: FilePart, request: Mapping[str, Any]) -> Sequence[Issue]:
    """Write USD as Blender's exporter does: aside, since that writes also what strict refuses."""
    output = part.output
    if request.get("current_frame") is False:  # it takes the frame that a file was saved in
        bpy.context.scene.frame_set(0)
    options = {name: value for name, value in part.options.items() if name == "collection"}
    with OwnFolder(ASIDE, output.parent) as folder:
        main = folder.path / output.name
        bpy.ops.wm.usd_export(filepath=str(main), **options)
        report = bpy.context.window_manager.omi_physics_joint
        if report.title == REFUSED_TITLE:
            raise ContentsError(REFUSED)
        written = [one for one in folder.path.rglob("*") if one.is_file() and one.name != IN_USE]
        if main not in written:
            raise ContentsError("Blender's exporter has written nothing.")
        written.sort(key=main.__eq__)  # the main one last
        put_all({output.parent / one.relative_to(folder.path): one for one in written})
    return ()


WRITERS = {"glb": _write_gltf, "gltf": _write_gltf, "urdf": _write_robot, "xml": _write_robot}
"""Of formats; others are stages of USD."""


def saved_export_settings(scene: Scene, folder: Path) -> tuple[dict[str, Any], list[Issue]]:
    """Return the options that a scene wants to be exported with, and a warning for each unused.

    What is exported must stay inside of the folder.
    """
    # Blender itself judges values here without exporting anything.
    judge = bpy.context.window_manager.operator_properties_last("EXPORT_SCENE_OT_gltf")
    known = bpy.ops.export_scene.gltf.get_rna_type().properties
    options: dict[str, Any] = {}
    issues: list[Issue] = []
    for name, value in saved_options(scene).items():
        if name not in known or not (name.startswith("export_") or name in OTHERS):
            continue
        before = getattr(judge, name)
        try:
            setattr(judge, name, value)
        except (TypeError, ValueError, AttributeError):
            issues.append(_unused(scene, name, value, "which this Blender does not know"))
            continue
        setattr(judge, name, before)
        if name == PICTURES and not _is_inside(folder, str(value)):
            issues.append(_unused(scene, name, value, "which leads out of the folder of the file"))
            continue
        options[name] = value
    return options, issues


def _is_inside(folder: Path, name: str) -> bool:
    """Return whether a folder for pictures lies inside of another one."""
    try:
        return real(Path(os.path.join(folder, name))).is_relative_to(real(folder))
    except (OSError, ValueError):
        return False


def _unused(scene: Scene, name: str, value: object, why: str) -> Issue:
    label = bpy.ops.export_scene.gltf.get_rna_type().properties[name].name
    shown = repr(value)
    what = f"The saved export setting {label} is {shown if len(shown) < 60 else 'a value'}, {why}."
    fix = "It is left at its default; save the export settings again."
    return Issue(Severity.WARNING, "export-setting-not-used", scene.name, what, fix)


class PartsMeetError(ContentsError):
    """Two parts would be one file."""


@dataclass(frozen=True, slots=True)
class FilePart:
    """What becomes a file.

    Attributes:
        output: That file.
        name: As it is called in the .blend file; "" of all of it.
        scene: Where it is; None is wherever Blender is.
        options: Of Blender's exporters, for this part alone.
    """

    output: Path
    name: str = ""
    scene: Scene | None = None
    options: Mapping[str, str | bool] = field(default_factory=dict)


def enter(scene: Scene) -> None:
    """Have Blender be in a scene, and know where its objects are."""
    if scene != bpy.context.scene:
        bpy.context.window_manager.windows[0].scene = scene
        for obj in bpy.data.objects:  # Blender 4.5 computes no others
            obj.update_tag()
        bpy.context.view_layer.update()


def parts_of(output: Path, split: str | None) -> tuple[list[FilePart], tuple[Issue, ...]]:
    """Return the parts of the open file, and what is in none of them.

    Args:
        output: Where to, with ``{part}`` where the name of a part stands.
        split: ``scene``, ``collection``, or None: all in one.

    Raises:
        ContentsError: there is none.
        PartsMeetError: two of them would be one file.
    """
    if split is None:
        return [FilePart(output)], ()
    left: tuple[Issue, ...] = ()
    named: list[tuple[str, Scene, dict[str, str | bool]]]
    if split == "scene":
        scenes = [one for one in bpy.data.scenes if one.collection.all_objects and not one.library]
        named = [(one.name, one, {"use_active_scene": True}) for one in scenes]
    else:
        scene, below = bpy.context.scene, bpy.context.view_layer.layer_collection.children
        shown = [one for one in below if not one.exclude and one.collection.all_objects]
        named = [(one.name, scene, {"collection": one.name}) for one in shown]
        left = tuple(_left_out(scene, shown))
    if not named:
        raise ContentsError(f"It has no {split} with objects in it, so there is nothing to write.")
    parts: dict[str, FilePart] = {}
    for name, scene, options in named:
        place = UNNAMEABLE.sub("_", name)
        part = FilePart(Path(str(output).replace(PART, place)), name, scene, options)
        other = parts.setdefault(place.casefold(), part)
        if other is not part:
            both = f"{other.name!r} and {name!r}"
            raise PartsMeetError(f"Nothing was written: {both} would be one file.")
    return list(parts.values()), left


def _left_out(scene: Scene, shown: Sequence[LayerCollection]) -> Iterator[Issue]:
    """Yield an issue where objects of a scene are in none of some collections."""
    inside = {obj for one in shown for obj in one.collection.all_objects}
    left = [obj.name for obj in scene.collection.objects if obj not in inside]
    if left:
        are, they, them = ("is", "it", "it") if len(left) == 1 else ("are", "they", "them")
        message = f"{counted(len(left), 'object')} of the scene {scene.name!r} {are} in no file: "
        message += f"{they} {are} in no collection below it."
        fix = f"Move {them} into a collection."
        yield Issue(Severity.WARNING, "left-out-of-export", left[0], message, fix)
