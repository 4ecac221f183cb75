# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents as a glTF document that was not there before, and the contents of one that was.

So whatever reads documents reads every format: the mechanism of a fresh document is the one that
it was made of, as far as both dialects together can say it.
"""

from __future__ import annotations

import struct
from collections.abc import Container, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

from ..model.contents import Contents
from ..model.geometry.frames import placements
from ..model.geometry.transform import IDENTITY
from ..model.issue import Issue, Severity
from ..model.mechanism import Mechanism
from ..model.solid import Triangles
from .animated.animation import led_poses, read_tracks
from .animated.keyed import POINTER, Channel
from .dialects import Spoken
from .document.accessors import FORMATS
from .document.files import ALIGNED, Document
from .document.json_text import JsonObject
from .document.members import quiet
from .document.new_nodes import Numbering, holders_of, with_nodes
from .document.numbers import number
from .read import read_document
from .source import MeshReader
from .write import patched, spell

FLOAT, UNSIGNED_BYTE, UNSIGNED_INT = 5126, 5121, 5125
"""Types of components."""
ANIMATION = "Joint Settings"
UNSAID = {
    "mesh-not-read": (
        "The triangles of its collision mesh cannot be read.",
        "It is written without a shape.",
    ),
    "mesh-too-far": (
        "Its mesh has points farther away than single precision holds, which glTF has of points.",
        "It is written without that mesh.",
    ),
    "breaking-not-said": (
        "No extension of glTF can say at which force or torque a joint breaks.",
        "It never breaks here.",
    ),
    "muted-not-said": (
        "No extension of glTF can say that a joint is muted.",
        "It is left out; its two frames stay as plain nodes.",
    ),
    "pose-not-said": (
        "Its animated pose has shear, or it is scaled to nothing above, which glTF cannot animate.",
        "It stands where it is at the first moment.",
    ),
    "sleep-not-said": (
        "No extension of glTF can say that a body starts asleep.",
        "It moves from the start.",
    ),
}
"""What cannot be said, and what becomes of it."""


def fresh_document(contents: Contents, path: Path) -> tuple[Document, tuple[Issue, ...]]:
    """Return contents as a document in all dialects, and an issue for what no glTF can hold."""
    mechanism, unsaid = _sayable(contents.mechanism)
    buffer = _Buffer()
    meshes: list[Any] = []
    places: dict[int, int] = {}
    too_far: set[int | None] = set()
    for index, (name, triangles) in enumerate(zip(mechanism.meshes, contents.meshes, strict=True)):
        if triangles is not None and triangles.triangles:
            try:
                meshes.append(_mesh(name, triangles, buffer))
            except OverflowError:
                too_far.add(index)
            else:
                places[index] = len(meshes) - 1
    asset: JsonObject = {"version": "2.0", "generator": "omi_physics_joint"}
    bare: JsonObject = {"asset": asset, "scene": 0, "scenes": [{}]}
    document, numbers = with_nodes(bare, mechanism)
    if meshes:
        document["meshes"] = meshes
    nodes: Any = document.get("nodes", [])
    for node, mesh in contents.shown.items():
        if node in numbers and mesh in places:
            nodes[numbers[node]]["mesh"] = places[mesh]
    spelling = spell(
        mechanism, Numbering(numbers, places, holders_of(nodes)), spoken=frozenset(Spoken)
    )
    result = patched(document, spelling)
    if spelling.channels:
        used: Any = result["extensionsUsed"]
        used.append(POINTER)
    animations, still = _animations(contents, spelling.channels, numbers, buffer)
    if animations:
        result["animations"] = animations
    if buffer.data:
        result |= {
            "buffers": [{"byteLength": len(buffer.data)}],
            "bufferViews": buffer.views,
            "accessors": buffer.accessors,
        }
    unmoved = (_warning(mechanism, index, "pose-not-said") for index in still)
    issues = (*_meshless(mechanism, contents, places, too_far), *unmoved, *unsaid)
    return Document(result, path, bytes(buffer.data) if buffer.data else None), issues


def _meshless(
    mechanism: Mechanism,
    contents: Contents,
    places: Container[int],
    too_far: AbstractSet[int | None],
) -> Iterator[Issue]:
    """Yield a warning for each node of which a mesh is not in the document."""
    for index in range(len(mechanism.nodes)):
        lost = {mesh for mesh in mechanism.meshes_of(index) if mesh not in places}
        if not too_far.isdisjoint({*lost, contents.shown.get(index)}):
            yield _warning(mechanism, index, "mesh-too-far")
        elif lost:
            yield _warning(mechanism, index, "mesh-not-read")


def contents_of(document: Document) -> tuple[Contents, tuple[Issue, ...]]:
    """Return what a document holds, and an issue for everything that is not as the file has it."""
    reading = read_document(document)
    reader = MeshReader(document)
    meshes = tuple(reader.read(index) for index in range(len(reading.mechanism.meshes)))
    said = ((index, node.integer("mesh")) for index, node in quiet(document.json).children("nodes"))
    shown = {index: mesh for index, mesh in said if mesh is not None and 0 <= mesh < len(meshes)}
    tracks, unread = read_tracks(document)
    led, left_out = led_poses(reading.mechanism, tracks)
    scenes = {node.scene for node in reading.mechanism.nodes if node.is_physical} - {-1}
    if len(scenes) > 1:
        what = f"It has {len(scenes)} scenes with physics, which stand in one here."
        fix = "Write each of them as a file of its own."
        left_out = [*left_out, Issue(Severity.WARNING, "scenes-in-one", "file", what, fix)]
    return Contents(reading.mechanism, meshes, shown, led), (*reading.issues, *unread, *left_out)


class _Buffer:
    """The one buffer of a document, while it is filled."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[Any] = []
        self.accessors: list[Any] = []

    def add(self, kind: str, component: int, rows: Sequence[Sequence[float]]) -> int:
        """Add numbers, and return the accessor that is them.

        Raises:
            OverflowError: one is too large for the type of component; nothing is added then.
        """
        width = len(rows[0])
        at = len(self.data)
        pack = struct.Struct(f"<{width}{FORMATS[component]}").pack
        packed = [pack(*row) for row in rows]
        self.data += b"".join(packed)
        size = len(self.data) - at
        self.data += b"\0" * (-size % ALIGNED)
        self.views.append({"buffer": 0, "byteOffset": at, "byteLength": size})
        accessor = {
            "bufferView": len(self.views) - 1,
            "componentType": component,
            "count": len(rows),
            "type": kind,
        }
        if component == FLOAT:  # as they are stored, not as they were meant
            unpack = struct.Struct(f"<{width}f").unpack
            columns = list(zip(*map(unpack, packed), strict=True))
            accessor |= {"min": [min(one) for one in columns], "max": [max(one) for one in columns]}
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _mesh(name: str, mesh: Triangles, buffer: _Buffer) -> JsonObject:
    primitive: JsonObject = {
        "attributes": {"POSITION": buffer.add("VEC3", FLOAT, mesh.points)},
        "indices": buffer.add(
            "SCALAR", UNSIGNED_INT, [(corner,) for one in mesh.triangles for corner in one]
        ),
    }
    return {"name": name, "primitives": [primitive]} if name else {"primitives": [primitive]}


def _animation(channels: Sequence[Channel], buffer: _Buffer) -> JsonObject:
    samplers: list[Any] = []
    leading: list[Any] = []
    for channel in channels:
        keys, component = channel.keys, UNSIGNED_BYTE if channel.is_flag else FLOAT
        values = [(int(value) if channel.is_flag else _single(value),) for value in keys.values]
        target = {"path": "pointer", "extensions": {POINTER: {"pointer": channel.pointer}}}
        leading.append({"sampler": len(samplers), "target": target})
        samplers.append(
            {
                "input": buffer.add("SCALAR", FLOAT, [(_single(time),) for time in keys.times]),
                "interpolation": "STEP" if keys.is_stepped else "LINEAR",
                "output": buffer.add("SCALAR", component, values),
            }
        )
    return {"name": ANIMATION, "channels": leading, "samplers": samplers}


def _animations(
    contents: Contents, channels: Sequence[Channel], numbers: Mapping[int, int], buffer: _Buffer
) -> tuple[list[Any], list[int]]:
    """Return the animations of settings and of nodes, and the nodes that none can lead."""
    found = [_animation(channels, buffer)] if channels else []
    samplers: list[Any] = []
    leading: list[Any] = []
    still: list[int] = []
    for node, keys in contents.led.items():
        sound = [(t, pose) for t, pose in zip(keys.times, keys.poses, strict=True) if t >= 0.0]
        try:
            steps = [placements(IDENTITY, pose) for _, pose in sound]
        except (ZeroDivisionError, OverflowError):
            steps = []
        if node not in numbers or not steps or any(len(one) != 1 for one in steps):
            still.append(node)
            continue
        times = buffer.add("SCALAR", FLOAT, [(time,) for time, _ in sound])
        for path, width in (("translation", 3), ("rotation", 4), ("scale", 3)):
            rows = [getattr(one[0], path) for one in steps]
            target = {"node": numbers[node], "path": path}
            leading.append({"sampler": len(samplers), "target": target})
            output = buffer.add(f"VEC{width}", FLOAT, rows)
            samplers.append({"input": times, "interpolation": "LINEAR", "output": output})
    if leading:
        found.append({"name": "Poses", "channels": leading, "samplers": samplers})
    return found, still


def _single(value: float) -> float:
    """Return a finite number in the range of single precision, and any other as it is."""
    return number(value) if isfinite(value) else value


def _sayable(mechanism: Mechanism) -> tuple[Mechanism, list[Issue]]:
    """Return a mechanism without joints that are muted, and a warning for all that is lost."""
    nodes = list(mechanism.nodes)
    muted = [(index, node) for index, node, joint in mechanism.all_joints() if not joint.enabled]
    for index, node in muted:
        nodes[index] = replace(node, joint=None)
    issues = [_warning(mechanism, index, "muted-not-said") for index, _ in muted]
    return replace(mechanism, nodes=tuple(nodes)), [*issues, *unsaid(mechanism)]


def unsaid(mechanism: Mechanism) -> Iterator[Issue]:
    """Yield a warning for each joint that breaks and each body that sleeps: no dialect says so."""
    for index, _, joint in mechanism.joints():
        if joint.breaking is not None:
            yield _warning(mechanism, index, "breaking-not-said")
    for index, node in enumerate(mechanism.nodes):
        if node.motion is not None and node.motion.starts_asleep:
            yield _warning(mechanism, index, "sleep-not-said")


def _warning(mechanism: Mechanism, index: int, code: str) -> Issue:
    return Issue(Severity.WARNING, code, mechanism.name_of(index), *UNSAID[code], index)
