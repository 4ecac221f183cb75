# SPDX-License-Identifier: GPL-3.0-or-later
"""What is seen on a stage and not kept: friction, attributes of engines."""

from __future__ import annotations

from .. import table
from ..prim import Prim, Value
from ..table import attribute_of
from .builder import StageReading

ENGINES = ("physx", "newton:", "mjc:", "mujoco:", "isaac", "havok", "omniphysics:")
"""Beginnings of names of attributes that engines have of their own."""
OURS = "physics:"
"""Beginning of names of attributes of UsdPhysics."""
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
_OF_JOINTS = {table.JOINT_COLLIDES.name, table.LOWER.name, table.UPPER.name}
MOST = 1e6
"""Speeds from here on are none that anybody means: PhysX's default."""
_NUMBERS = ("drive:", "limit:", "physxLimit:")
"""Beginnings of names of what may change with time."""


def note_rest(reading: StageReading) -> None:
    """Note what of a stage is not kept."""
    for prim in reading.stage:
        own = RESISTING if table.JOINT in prim.kinds else {}
        slowed = sorted({word for name, word in own.items() if _is_slow(prim.attributes.get(name))})
        if slowed:
            reading.note("usd-joint-resistance", prim, ", ".join(slowed))
        theirs = {one for one in prim.attributes.keys() - own.keys() if one.startswith(ENGINES)}
        unknown = {one for one in theirs if attribute_of(one) is None or _is_drag(prim, one)}
        foreign = sorted({one.partition(":")[0] for one in unknown})
        if foreign:
            reading.note("usd-foreign", prim, ", ".join(foreign))
        strange = sorted(name for name in prim.attributes if _is_strange(prim, name))
        if strange:
            reading.note("usd-not-physics", prim, ", ".join(strange))
        unkeyed = sorted(name for name in prim.samples if not _is_keyed(prim, name))
        if unkeyed:
            reading.note("usd-keys-ignored", prim, ", ".join(unkeyed))


def _is_strange(prim: Prim, name: str) -> bool:
    """Return whether an attribute is called as if it were of physics, which has none of that name.

    Older stages say the gravity of a scene so.
    """
    is_older = prim.type == table.SCENE and ":" not in name
    return is_older or (name.startswith(OURS) and attribute_of(name) is None)


def _is_drag(prim: Prim, name: str) -> bool:
    """Return whether an attribute takes spin from a body; we write that nothing does."""
    return name == table.ANGULAR_DAMPING.name and bool(prim.attributes[name])


def _is_slow(value: Value) -> bool:
    return isinstance(value, int | float) and 0.0 < value < MOST


def _is_keyed(prim: Prim, name: str) -> bool:
    """Return whether keys of an attribute are read, or are none of physics."""
    is_read = table.JOINT in prim.kinds and name in _OF_JOINTS
    return is_read or name.startswith(_NUMBERS) or attribute_of(name) is None
