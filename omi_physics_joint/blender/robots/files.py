# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF and URDF in Blender: through a .glb that nobody sees, and Blender's importer and exporter.

So bodies, joints and meshes come in and go out as they do with glTF, and ``library.formats`` is the
one place that knows the formats.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

from ...cli.blender_door import last_line
from ...cli.outcome import REFUSED
from ...gltf.document.files import load
from ...gltf.document.packing import packed
from ...gltf.fresh import contents_of
from ...gltf.respelling import none_written
from ...library.converted import put
from ...library.formats import ADVICE, Choices, format_of
from ...library.offered import load as read_file
from ...model.contents import ContentsError
from ...model.issue import Issue, against_strict
from ..check.report import IMPORT, publish_more
from ..gltf_hooks import leftovers

SUFFIXES = (".urdf", ".xml", ".mjcf")
FOLDER = "omi_physics_joint_"
"""How the names of folders begin that files lie in on their way."""
EVERYTHING = {"dialect": "BOTH", "target": "SPECIFIED"}
"""Of a scene, on the way: what either dialect can say, as it is meant."""


def import_robot(path: Path, base: str = "file") -> tuple[Issue, ...]:
    """Import a robot's file into the scene, and return what of it did not come along.

    What holds its roots, ``Choices.base`` says.

    Raises:
        ContentsError: it cannot be read; nothing has changed.
    """
    _check_suffix(path)
    document = read_file(path, Choices(base=base))
    with tempfile.TemporaryDirectory(prefix=FOLDER) as folder:
        file = Path(folder) / f"{path.stem}.glb"
        file.write_bytes(packed(document, document.json, file).main)
        try:
            bpy.ops.import_scene.gltf(filepath=str(file))
        except RuntimeError as error:
            raise ContentsError(last_line(error)) from None
    publish_more(document.unread, IMPORT)
    return document.unread


def export_robot(path: Path, *, only_selected: bool, **part: str | bool) -> tuple[Issue, ...]:
    """Export the scene as a robot's file, and return what it cannot say.

    Words of Blender's glTF exporter say which part of it, if not all.

    Raises:
        ContentsError: it cannot be written; older files are as they were.
    """
    _check_suffix(path)
    form = format_of(path)
    assert form is not None
    with tempfile.TemporaryDirectory(prefix=FOLDER) as folder:
        file = Path(folder) / "scene.glb"
        with _said_in_full(bpy.context.scene):
            _export(file, use_selection=only_selected, **part)
        contents, found = contents_of(load(file))
    package, lost = form.write(contents, path, Choices())
    issues = (*found, *none_written(contents.mechanism), *lost)
    publish_more(issues, "Export")
    if bpy.context.scene.omi_physics_joint.strict and against_strict(issues):
        raise ContentsError(REFUSED)
    put(package, path)
    return issues


def _check_suffix(path: Path) -> None:
    if path.suffix.lower() not in SUFFIXES:
        wanted = f"must be named {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}."
        raise ContentsError(f"{path.name} {ADVICE.get(path.suffix.lower(), wanted)}")


def _export(file: Path, **part: str | bool) -> None:
    """Write the scene as it rests, meshes as they are shown."""
    try:
        with leftovers.none_left(bpy.context.scene):
            bpy.ops.export_scene.gltf(
                filepath=str(file),
                export_format="GLB",
                export_apply=True,
                export_animations=False,
                export_materials="NONE",
                **part,
            )
    except RuntimeError as error:
        raise ContentsError(last_line(error)) from None
    if not file.is_file():
        raise ContentsError("Blender's exporter has written nothing.")


@contextmanager
def _said_in_full(scene: bpy.types.Scene) -> Iterator[None]:
    """Have files say all that a mechanism is, whatever the scene's own files are for."""
    options = scene.omi_physics_joint
    kept = {name: getattr(options, name) for name in EVERYTHING}
    changed = [name for name, value in kept.items() if value != EVERYTHING[name]]
    try:
        for name in changed:
            setattr(options, name, EVERYTHING[name])
        yield
    finally:
        for name in changed:
            setattr(options, name, kept[name])
