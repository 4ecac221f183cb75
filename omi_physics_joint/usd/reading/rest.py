# SPDX-License-Identifier: GPL-3.0-or-later
"""What is seen on a stage and not kept: articulation roots, friction, attributes of engines."""

from __future__ import annotations

from ..prim import Prim
from ..table import JOINT, JOINT_COLLIDES, LOWER, ROOT_API, UPPER, attribute_of
from .reading import StageReading

ENGINES = ("physx", "newton:", "mjc:", "mujoco:", "isaac", "havok", "omniphysics:")
"""Beginnings of names of attributes that engines have of their own."""
RESISTING = {
    "physxJoint:jointFriction": "friction",
    "newton:friction": "friction",
    "mjc:frictionloss": "friction",
    "physxJoint:armature": "armature",
    "newton:armature": "armature",
    "mjc:armature": "armature",
    "physxJoint:maxJointVelocity": "largest speed",
}
"""What joints have of their own that slows them, by the attributes of engines."""
_OF_JOINTS = {JOINT_COLLIDES.name, LOWER.name, UPPER.name}
MOST = 1e6
"""Speeds from here on are none that anybody means: PhysX's default."""
_NUMBERS = ("drive:", "limit:", "physxLimit:")
"""Beginnings of names of what may change with time."""


def note_rest(reading: StageReading) -> None:
    """Note what of a stage is not kept."""
    for prim in reading.stage:
        if ROOT_API in prim.schemas:
            reading.findings.note("usd-articulation-root", prim.path)
        own = RESISTING if JOINT in prim.kinds else {}
        slowed = sorted({word for name, word in own.items() if _is_slowed(prim, name)})
        if slowed:
            reading.findings.note("usd-joint-resistance", prim.path, ", ".join(slowed))
        foreign = sorted(
            {_engine(one) for one in prim.attributes.keys() - own.keys() if _is_foreign(one)}
        )
        if foreign:
            reading.findings.note("usd-foreign", prim.path, ", ".join(foreign))
        unkeyed = [name for name in prim.samples if not _is_keyed(prim, name)]
        if unkeyed:
            reading.findings.note("usd-keys-ignored", prim.path, ", ".join(sorted(unkeyed)))


def _engine(name: str) -> str:
    return name.partition(":")[0]


def _is_foreign(name: str) -> bool:
    return name.startswith(ENGINES) and attribute_of(name) is None


def _is_slowed(prim: Prim, name: str) -> bool:
    value = prim.attributes.get(name)
    return isinstance(value, int | float) and 0.0 < value < MOST


def _is_keyed(prim: Prim, name: str) -> bool:
    """Return whether keys of an attribute are read, or are none of physics."""
    if attribute_of(name) is None:
        return True
    is_joint = JOINT in prim.kinds
    return (is_joint and name in _OF_JOINTS) or name.startswith(_NUMBERS)
