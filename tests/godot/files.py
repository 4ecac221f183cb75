# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of cases, of further mechanisms and of drawn ones, as the add-on and as Python see them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.godot.cases import chosen, file_name
from benchmarks.godot.documents import write
from benchmarks.godot.random_cases import random_cases
from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document.files import Document, load
from omi_physics_joint.gltf.read import Reading, read_document
from omi_physics_joint.gltf.source import MeshReader
from omi_physics_joint.library.motion.from_file import measured_mechanism
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.target import Target
from omi_physics_joint.weighing.inertia import with_centres

from .mechanisms import mechanisms

DRAWN, SEED = 45, 26
SPELLINGS: dict[str, tuple[Target, tuple[Spoken, ...]]] = {
    "both": (Target.SPECIFIED, tuple(Spoken)),
    "omi": (Target.SPECIFIED, (Spoken.OMI,)),
    "khr": (Target.SPECIFIED, (Spoken.KHR,)),
    "godot": (Target.GODOT, (Spoken.OMI,)),
}


@dataclass(frozen=True)
class Built:
    """A file, and what the add-on makes of it.

    Attributes:
        path: Of the file.
        made: What `structure.gd` says of it.
    """

    path: Path
    made: dict[str, Any]

    @cached_property
    def document(self) -> Document:
        """The file as Python loads it."""
        return load(self.path)

    @cached_property
    def reading(self) -> Reading:
        """What Python reads in it."""
        return read_document(self.document)

    @cached_property
    def mechanism(self) -> Mechanism:
        """What the file means; its meshes are measured, and centres are where shapes have them."""
        measured, _ = measured_mechanism(self.document, self.reading.mechanism)
        return with_centres(measured)

    @cached_property
    def told(self) -> Mechanism:
        """What the file says where it is taken as it stands; bodies that only follow are left out.

        Khronos' family has no bodies that stand still: what has none is held by the world.
        """
        mechanism = self.mechanism
        if self.is_for_godot:
            plain = {key: value for key, value in self.document.json.items() if key != "extras"}
            mechanism = read_document(replace(self.document, json=plain)).mechanism
        if Spoken.OMI in self.reading.audience.spoken:
            return mechanism
        return replace(mechanism, nodes=tuple(map(_without_still, mechanism.nodes)))

    @property
    def is_for_godot(self) -> bool:
        """Whether the file is spelled for Godot."""
        return self.reading.audience.target.is_godots

    @cached_property
    def points(self) -> dict[int, list[tuple[float, ...]]]:
        """The points of each mesh."""
        reader = MeshReader(self.document)
        meshes = {index: reader.read(index) for index in range(len(self.mechanism.meshes))}
        return {
            index: [tuple(one) for one in mesh.points] for index, mesh in meshes.items() if mesh
        }


def _without_still(node: Node) -> Node:
    is_still = node.motion is not None and node.motion.type is MotionType.STATIC
    return replace(node, motion=None) if is_still else node


def write_cases(folder: Path) -> list[Path]:
    """Write all cases, and some that are drawn, and return their paths.

    Each is there in both families, and every third in one of the other spellings too.
    """
    written = []
    others = cycle(("omi", None, None, "khr", None, None, "godot", None, None))
    cases = chosen([]) | mechanisms() | random_cases(DRAWN, SEED)
    for (name, case), other in zip(cases.items(), others, strict=False):
        for kind in filter(None, ("both", other)):
            target, spoken = SPELLINGS[kind]
            written.append(folder / f"{file_name(name)}.{kind}.gltf")
            write(case, written[-1], target, spoken)
    return written
