# SPDX-License-Identifier: GPL-3.0-or-later
"""What is seen on a stage and not kept: articulation roots, and attributes of engines."""

from __future__ import annotations

from ..prim import Prim
from ..table import JOINT_COLLIDES, LOWER, ROOT_API, UPPER, attribute_of
from .reading import Reading

ENGINES = ("physx", "newton:", "mjc:", "mujoco:", "isaac", "havok", "omniphysics:")
"""Beginnings of names of attributes that engines have of their own."""
_OF_JOINTS = {JOINT_COLLIDES.name, LOWER.name, UPPER.name}
_NUMBERS = ("drive:", "limit:", "physxLimit:")
"""Beginnings of names of what may change with time."""


def note_rest(reading: Reading) -> None:
    """Note what of a stage is not kept."""
    for prim in reading.stage:
        if ROOT_API in prim.schemas:
            reading.findings.note("usd-articulation-root", prim.path)
        foreign = sorted({_engine(name) for name in prim.attributes if _is_foreign(name)})
        if foreign:
            reading.findings.note("usd-foreign", prim.path, ", ".join(foreign))
        unkeyed = [name for name in prim.samples if not _is_keyed(prim, name)]
        if unkeyed:
            reading.findings.note("usd-keys-ignored", prim.path, ", ".join(sorted(unkeyed)))


def _engine(name: str) -> str:
    return name.partition(":")[0]


def _is_foreign(name: str) -> bool:
    return name.startswith(ENGINES) and attribute_of(name) is None


def _is_keyed(prim: Prim, name: str) -> bool:
    """Return whether keys of an attribute are read, or are none of physics."""
    if attribute_of(name) is None:
        return True
    is_joint = "PhysicsJoint" in prim.kinds
    return (is_joint and name in _OF_JOINTS) or name.startswith(_NUMBERS)
