# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes bodies, shapes and joints onto the stage that Blender's exporter has just written.

The exporter calls hooks in a thread of its own where there is a window, while Blender stands still:
nothing is changed there, and what was found is shown afterwards.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import bpy
from bpy.types import Object

from ...model.contents import Contents
from ...model.issue import Issue, Severity, against_strict, summary, worst_first
from ...model.readers import OF_STAGES
from ...model.validate import check
from ...model.wording.describe import BLENDER_AXES
from ...solver import lock_issues
from ...usd import stage as usd_stage
from ...usd.authoring import author
from ...usd.prim import above as holders_of
from ...usd.writing.write import written_over
from ..bridge.gravity import pulled
from ..bridge.keyed import Samples
from ..bridge.placed import PlacedObject, going_along, is_physical, objects_in, placed_in_scene
from ..bridge.read_nodes import SceneReading, mechanism_from_placed
from ..bridge.solids import triangles_of
from ..check.report import REFUSED, publish
from ..check.since_joined import moved_since, with_edits
from ..data.units import sayer
from ..purpose.chosen import readers_of
from ..purpose.left_out import left_behind, stood_still
from ..purpose.missing import missing
from ..simulated.following import fps_of
from ..simulated.reading import of_objects
from ..timeline.recording import sample_frames

NAMED = "blender:object_name"
"""How the attribute ends in which Blender's exporter says of which object a prim is."""
_UNSAFE = re.compile(r"\W", re.ASCII)


class ExportRefusedError(RuntimeError):
    """Physics is not written; Blender's exporter says that a hook failed, and this is why."""


def export_physics(context: Any) -> None:  # noqa: ANN401 - Blender's class, which has no stubs
    """Write the physics of a scene onto a stage.

    Raises:
        ExportRefusedError: there are errors, and the user wants no physics then.
    """
    scene = context.get_depsgraph().scene.original
    options = scene.omi_physics_joint
    if not options.use_export:
        return
    stage = context.get_stage()
    base = usd_stage.record(stage)
    posed = {prim.path for prim in base if "Xformable" in prim.kinds}
    own = posed - {path for prim in base if prim.is_shared for path in (prim.path, prim.parent)}
    prims = names_of_prims(context, posed, usd_stage.texts(stage, NAMED))
    every = placed_in_scene(scene)
    found = paths_of(every, prims)
    issues = [*base.troubles, *_shared(every, found, own)]
    kept = {at: path for at, path in found.items() if path in own}
    placed, paths = exported(every, kept, going_along(every, kept) if options.use_belonging else ())
    issues += left_behind(scene, placed)
    moved = {prim.path for prim in base if prim.is_animated}
    led = [at for at, path in paths.items() if not moved.isdisjoint(holders_of(path))]
    issues += stood_still(placed, led)
    samples = Samples(placed)
    issues += _look_up(samples, scene, fps_of(scene))
    reading = mechanism_from_placed(placed, samples=samples, keeps_muted=True, exports=True)
    reading = replace(reading, mechanism=pulled(reading.mechanism, scene))
    if not (issues or reading.issues or any(one.is_physical for one in reading.mechanism.nodes)):
        return
    words = BLENDER_AXES.saying(sayer(scene))
    checked = check(reading.mechanism, axis_names=words, readers=readers_of(scene) & OF_STAGES)
    locks = lock_issues(reading.mechanism, words.say)
    issues += [
        *missing([scene]),
        *reading.issues,
        *with_edits(
            worst_first([*of_objects(checked, placed, exports=True), *locks]),
            moved_since(reading, placed, scene),
            reading,
            placed,
            scene,
        ),
    ]
    layer, lost = written_over(contents_of(reading, placed), base, made_of=paths)
    issues += (one for one in lost if one.code != "usd-not-on-base")  # what went along
    obstacles = against_strict(issues) if options.strict else []
    if obstacles:
        _show(issues, REFUSED, placed)
        raise ExportRefusedError(f"No physics was written: {summary(issues)}. {obstacles[0]}")
    author(layer, stage.GetRootLayer())
    _show(issues, "Export", placed)


def exported(
    placed: Sequence[PlacedObject], paths: Mapping[int, str], along: Collection[int] = ()
) -> tuple[list[PlacedObject], dict[int, str]]:
    """Return the placed objects that are on a stage or go along, and second frames, with paths."""
    here = {*paths, *along}
    kept = [
        index
        for index, node in enumerate(placed)
        if index in here or (node.second_of in here and node.parent in here)
    ]
    number = {index: new for new, index in enumerate(kept)}

    def above(index: int | None) -> int | None:
        while index is not None and index not in number:
            index = placed[index].parent
        return None if index is None else number[index]

    found = [
        replace(
            placed[index],
            parent=above(placed[index].parent),
            instance=number.get(placed[index].instance),  # type: ignore[arg-type]
            second_of=number.get(placed[index].second_of),  # type: ignore[arg-type]
        )
        for index in kept
    ]
    return found, {number[index]: path for index, path in paths.items()}


def contents_of(reading: SceneReading, placed: Sequence[PlacedObject]) -> Contents:
    """Return a mechanism with the triangles of its collision meshes."""
    meshes = tuple(triangles_of(source, placed) for source in reading.meshes)
    sources = enumerate(reading.meshes)
    shown = {source.owner: number for number, source in sources if source.owner is not None}
    return Contents(reading.mechanism, meshes, shown)


def _shared(
    placed: Sequence[PlacedObject], paths: Mapping[int, str], own: Container[str]
) -> Iterator[Issue]:
    """Yield an issue for each object whose physics has no prim of its own to be written onto."""
    names = {
        placed[index].owner.name
        for index, path in paths.items()
        if path not in own and is_physical(placed[index].owner)
    }
    what = "It stands on the stage as an instance that others share, so it has no physics there."
    fix = "Turn Instancing off in the export dialog."
    for name in sorted(names):
        yield Issue(Severity.ERROR, "usd-instanced", name, what, fix)


def _look_up(samples: Samples, scene: bpy.types.Scene, rate: float) -> Iterator[Issue]:
    """Note what animated settings are over time, which takes going through the frames."""
    if not samples:
        return
    if threading.current_thread() is threading.main_thread():
        sample_frames(samples, scene, range(scene.frame_start, scene.frame_end + 1), 0, rate)
        return
    what = (
        "Settings of joints are animated, and Blender's own window cannot go through the frames "
        "while it exports."
    )
    fix = "Export with `blender -b`, or export glTF and convert it."
    yield Issue(Severity.WARNING, "usd-keys-not-read", scene.name, what, fix)


def _show(issues: Sequence[Issue], title: str, placed: Sequence[PlacedObject]) -> None:
    """Show what was found, when Blender is at rest again."""
    show = partial(publish, issues, title, placed)
    if threading.current_thread() is threading.main_thread():
        show()
    else:
        bpy.app.timers.register(show, first_interval=0.0)


def names_of_prims(
    context: Any,  # noqa: ANN401 - Blender's class, which 4.5 and 5.0 have with less in it
    posed: Iterable[str],
    said: Mapping[str, str],
) -> dict[str, list[str]]:
    """Return the paths of the prims of each object, by its name.

    Blender 5.2 knows the objects of prims itself. Others have the prims say which they are, by
    path, unless the user has turned that off; then names are compared of all that has a pose.
    """
    objects = said
    if hasattr(context, "get_prim_map"):
        every = [(path, one) for path, blocks in context.get_prim_map().items() for one in blocks]
        objects = {str(path): one.name for path, one in every if isinstance(one, Object)}
    named = objects or {path: path.rpartition("/")[2] for path in posed}
    found: dict[str, list[str]] = {}
    for path, name in named.items():
        found.setdefault(name, []).append(path)
    if objects:
        return found
    return {obj.name: found.get(safe_name(obj.name), []) for obj in bpy.data.objects}


def paths_of(placed: Sequence[PlacedObject], prims: Mapping[str, Sequence[str]]) -> dict[int, str]:
    """Return the path of the prim of each placed object that was exported; prims are by name.

    An object has several where its collection is instanced: the one is meant that is below the
    prim of its parent or instancer, as near as can be.
    """
    paths: dict[int, str] = {}
    for index, obj in objects_in(placed):
        parent, known = placed[index].parent, prims.get(obj.name, ())
        above = "" if parent is None else paths.get(parent, "")
        below = [path for path in known if path.startswith(f"{above}/")]
        nearest = min(below or known, key=lambda path: path.count("/"), default="")
        if nearest:
            paths[index] = nearest
    return paths


def safe_name(name: str) -> str:
    """Return a name as Blender's exporter makes one of a prim of it."""
    plain = _UNSAFE.sub("_", name)
    return f"_{plain}" if plain[:1].isdigit() else plain
