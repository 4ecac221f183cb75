# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged files through Blender: what can be read arrives and leaves again, the rest is named."""

from __future__ import annotations

from pathlib import Path
from random import Random

from omi_physics_joint.gltf.document.files import DocumentError, load
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.mechanism import Mechanism

from .cases import FoundError, Tally, ask_for_calm
from .documents import damage, document, write
from .in_blender import bpy, empty_file, errors, press


def case(chance: Random, folder: Path, tally: Tally) -> None:
    """Import one file, damaged or odd, and export what has arrived."""
    gltf = document(chance)
    hurt = chance.random() < 0.8
    if hurt:
        damage(gltf, chance)
    path = folder / chance.choice(("damaged.gltf", "damaged.glb"))
    write(gltf, path, chance, hurt=hurt)
    empty_file()
    said, refused = press(bpy.ops.import_scene.gltf, filepath=str(path))
    ask_for_calm(said + refused)
    if refused:
        tally.count("refused by the importer")
        return
    tally.count("imported")
    try:
        wanted = _numbers(read(load(path).json).mechanism)
    except DocumentError:
        return
    here = _numbers_here()
    if here != wanted and not errors():
        message = f"silent loss on import: {wanted} became {here} (bodies, joints)"
        raise FoundError(message)
    target = folder / "again.glb"
    said, refused = press(bpy.ops.export_scene.gltf, filepath=str(target), export_format="GLB")
    ask_for_calm(said + refused)
    if refused:
        tally.count("not exported")
        return
    again = _numbers(read(load(target).json).mechanism)
    if again != here and not errors():
        message = f"silent loss on export: {here} became {again} (bodies, joints)"
        raise FoundError(message)


def _numbers(mechanism: Mechanism) -> tuple[int, int]:
    return (sum(node.motion is not None for node in mechanism.nodes), len(list(mechanism.joints())))


def _numbers_here() -> tuple[int, int]:
    objects = bpy.data.objects
    return (
        sum(obj.omi_physics_body.is_body for obj in objects),
        sum(obj.omi_physics_joint.is_joint for obj in objects),
    )
