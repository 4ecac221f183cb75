# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents there and back through each format, as its own reader finds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from omi_physics_joint.gltf.animated.keyed import read_channels
from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document.files import Document
from omi_physics_joint.gltf.document.new_nodes import Numbering, with_nodes
from omi_physics_joint.gltf.for_whom import Audience
from omi_physics_joint.gltf.fresh import contents_of as contents_of_document
from omi_physics_joint.gltf.fresh import fresh_document
from omi_physics_joint.gltf.respelling import respelled
from omi_physics_joint.gltf.write import patched
from omi_physics_joint.library.converted import put
from omi_physics_joint.model.contents import Contents, Package
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.readers import Reader, codes_for
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import check
from omi_physics_joint.robots.mjcf.read import read_mjcf
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.urdf.read import read_urdf
from omi_physics_joint.robots.urdf.write import write_urdf
from omi_physics_joint.usd.reading.read import contents_of as contents_of_stage
from omi_physics_joint.usd.writing.write import written
from tests.usd_records import composed

Found = tuple[Contents, Sequence[Issue]]
"""What came back, and what was said on the way."""


def both(contents: Contents) -> Found:
    """Through glTF in both dialects."""
    document, lost = fresh_document(contents, Path("both.glb"))
    again, unread = contents_of_document(document)
    return again, (*lost, *unread)


def respelled_in(spoken: Spoken) -> Callable[[Contents], Found]:
    """Through glTF in both dialects, converted to one of them."""

    def through(contents: Contents) -> Found:
        document, lost = fresh_document(contents, Path("both.glb"))
        channels, unheard = read_channels(document)
        result = respelled(document.json, (spoken,), channels)
        again, unread = contents_of_document(Document(result.json, document.path, document.binary))
        return again, (*lost, *unheard, *result.issues, *unread)

    return through


def godot(contents: Contents) -> Found:
    """Through glTF that is written for Godot, with what is known of who reads it."""
    audience = Audience(Target.GODOT)
    told = audience.told(contents.mechanism)
    asset = {"version": "2.0"}
    document, numbers = with_nodes({"asset": asset, "scene": 0, "scenes": [{}]}, told)
    meshes = [{"name": name} for name in told.meshes]
    spelling = audience.spell(told, Numbering(numbers, {at: at for at in range(len(meshes))}))
    again, unread = contents_of_document(
        Document(patched({**document, "meshes": meshes}, spelling), Path("godot.glb"))
    )
    readers = frozenset((Reader.GODOT_OMI,))
    row = codes_for(Reader.GODOT_OMI, Target.GODOT)
    found = check(contents.mechanism, target=Target.GODOT, readers=readers)
    found = tuple(one for one in found if one.code in row)
    return replace(again, meshes=contents.meshes), (*found, *unread)


def usd(contents: Contents) -> Found:
    """Through the prims of a stage."""
    stage, lost = written(contents)
    again, unread = contents_of_stage(composed(stage))
    return again, (*lost, *unread)


def mjcf(contents: Contents) -> Found:
    """Through the model of MuJoCo."""
    return _on_disk(contents, "robot.xml", write_mjcf, read_mjcf)


def urdf(contents: Contents) -> Found:
    """Through the robot of ROS."""
    return _on_disk(contents, "robot.urdf", write_urdf, read_urdf)


def _on_disk(
    contents: Contents,
    name: str,
    write: Callable[[Contents, Path], tuple[Package, Sequence[Issue]]],
    read: Callable[[Path], Found],
) -> Found:
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        package, lost = write(contents, path)
        put(package, path)
        again, unread = read(path)
    return again, (*lost, *unread)


THROUGH: dict[str, Callable[[Contents], Found]] = {
    "both": both,
    "omi": respelled_in(Spoken.OMI),
    "khr": respelled_in(Spoken.KHR),
    "godot": godot,
    "usd": usd,
    "mjcf": mjcf,
    "urdf": urdf,
}
"""By format: contents there and back."""
