# SPDX-License-Identifier: GPL-3.0-or-later
"""A stage, as records, read into a mechanism with its meshes, and issues for the rest.

It never raises, whatever the stage. What the model cannot say is named once a kind, with a count.
"""

from __future__ import annotations

from dataclasses import replace

from ...model.contents import Contents
from ...model.geometry.transform import cross
from ...model.issue import Issue
from ...model.mechanism import Node
from .. import table
from ..prim import Prim, Stage, Value
from ..table import attribute_of
from .articulations import with_articulations
from .bodies.filters import read_filters
from .bodies.masses import is_centred, is_weighed, read_bodies
from .bodies.shapes import read_materials, read_shapes
from .builder import StageReading
from .joints import read_joints
from .nodes import read_led, read_shown, started
from .scenes import read_scenes


def contents_of(stage: Stage) -> tuple[Contents, tuple[Issue, ...]]:
    """Return what a stage holds, and an issue for each kind of thing that is not as it has it."""
    return contents_and_prims(stage)[:2]


def contents_and_prims(stage: Stage) -> tuple[Contents, tuple[Issue, ...], dict[int, str]]:
    """Return the same, and the paths of the prims that nodes are or come from."""
    reading = started(stage)
    read_bodies(reading)
    colliders = read_shapes(reading)
    read_materials(reading, colliders)
    read_filters(reading, colliders)
    read_scenes(reading)
    read_shown(reading)
    read_led(reading)
    read_joints(reading)
    note_rest(reading)
    contents = _weighed(reading, reading.contents(), colliders)
    contents = with_articulations(reading, contents)
    nodes = tuple(map(_at_origin, contents.mechanism.nodes))
    contents = replace(contents, mechanism=replace(contents.mechanism, nodes=nodes))
    prims = {**reading.prim_of, **reading.joint_prims}
    issues = (*stage.troubles, *reading.found.issues())
    return contents, issues, {index: prim.path for index, prim in prims.items()}


def _weighed(reading: StageReading, contents: Contents, colliders: dict[int, Prim]) -> Contents:
    """Return contents with masses that are left to be calculated, which takes NumPy."""
    try:
        from .bodies.masses import weighed
    except ImportError:
        for index, prim in reading.prim_of.items():
            says_all = is_weighed(reading, prim) and is_centred(reading, prim)
            if reading.nodes[index].motion is not None and not says_all:
                reading.note("usd-mass-not-computed", prim)
        return contents
    return weighed(reading, contents, colliders)


def _at_origin(node: Node) -> Node:
    """Return a node with the velocity of its origin: on a stage it is that of the centre of mass.

    So readers take it.
    """
    motion = node.motion
    if motion is None or not any(motion.angular_velocity) or not any(motion.center):
        return node
    more = cross(motion.angular_velocity, motion.center)
    x, y, z = (own - part for own, part in zip(motion.linear_velocity, more, strict=True))
    return replace(node, motion=replace(motion, linear_velocity=(x, y, z)))


ENGINES = ("physx", "newton:", "mjc:", "mujoco:", "isaac", "havok", "omniphysics:")
"""Beginnings of names of attributes that engines have of their own."""
OURS = ("physics:", "drive:", "limit:")
"""Beginnings of names of attributes of UsdPhysics."""
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
        strange = sorted(one for one in prim.attributes if _is_strange(prim, one))
        strange += sorted(one for one in prim.attributes if _is_idle(prim, one))
        if prim.type.startswith("Physics") and table.JOINT not in prim.kinds:
            strange += [prim.type] * (prim.type not in (table.SCENE, table.GROUP, *table.JOINTS))
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


def _is_idle(prim: Prim, name: str) -> bool:
    """Return whether an attribute says something by a schema that its prim lacks."""
    known = attribute_of(name) if name.startswith(OURS) else None
    if known is None or prim.attributes[name] == known.default:
        return False
    own = {schema for schema, some in table.SCHEMAS.items() if known in some}
    if "*" in known.name:
        first, instance, *_ = name.split(":")
        own.add(f"{table.DRIVE_API if first == 'drive' else table.LIMIT_API}:{instance}")
    return bool(own) and own.isdisjoint(prim.schemas)


def _is_drag(prim: Prim, name: str) -> bool:
    """Return whether an attribute takes spin from a body; we write that nothing does."""
    return name == table.ANGULAR_DAMPING.name and bool(prim.attributes[name])


def _is_slow(value: Value) -> bool:
    return isinstance(value, int | float) and 0.0 < value < MOST


def _is_keyed(prim: Prim, name: str) -> bool:
    """Return whether keys of an attribute are read, or are none of physics."""
    is_read = table.JOINT in prim.kinds and name in _OF_JOINTS
    return is_read or name.startswith(_NUMBERS) or attribute_of(name) is None
