# SPDX-License-Identifier: GPL-3.0-or-later
"""A stage, as records, read into a mechanism with its meshes, and issues for the rest.

It never raises, whatever the stage. What the model cannot say is named once a kind, with a count.
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot, inf

from ...model.articulation.joints import Articulation
from ...model.articulation.trees import articulations_of
from ...model.body import ZERO, Vector3
from ...model.contents import Contents
from ...model.geometry.transform import apply, cross, dot, linear_part
from ...model.issue import Issue
from ...model.mechanism import GRAVITY, Mechanism, Node
from ...model.unknown import EXCLUDED, ROOT, saying
from .. import table
from ..prim import Prim, Stage, Value
from ..table import attribute_of
from .bodies.filters import read_filters
from .bodies.masses import is_centred, is_weighed, read_bodies
from .bodies.shapes import read_materials, read_shapes
from .builder import StageReading
from .joints import read_joints
from .nodes import read_led, read_shown, started


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


SAME = 1e-5
"""Part of a gravity that does not count: single precision and rounded units leave as much."""


def read_scenes(reading: StageReading) -> None:
    """Give the mechanism its one gravity, that of the scene of its first body.

    Where that of another one points the same way, its bodies take a factor of it.
    """
    scenes = [prim for prim in reading.stage if prim.type == table.SCENE]
    if not scenes:
        return
    pulls = {prim.path: gravity_of(reading, prim) for prim in scenes}
    owners = [prim.first(table.OWNER) for prim in reading.stage if table.BODY_API in prim.schemas]
    used = [path for path in dict.fromkeys(owners) if path in pulls]
    first = pulls[used[0] if used else scenes[0].path]
    reading.gravity = None if _is_same(first, _earths(reading)) else first
    is_one = len(set(owners)) == 1 and (used or len(set(pulls.values())) == 1)
    if len(scenes) == 1 or is_one:
        return
    for scene in scenes:
        reading.note("usd-several-scenes", scene)
    for index, prim in reading.prim_of.items():
        motion, owner = reading.nodes[index].motion, prim.first(table.OWNER)
        if motion is None or owner not in pulls:
            continue
        factor = _factor(pulls[owner], first)
        if factor is None:
            reading.note("usd-scene-gravity", prim)
        elif factor != 1.0:
            own = motion.gravity_factor * factor
            reading.change(index, motion=replace(motion, gravity_factor=own))


def gravity_of(reading: StageReading, scene: Prim) -> Vector3:
    """Return the gravity of a scene in m/s^2, in the axes of the stage."""
    said = reading.vector(scene, table.GRAVITY_DIRECTION) or ZERO
    strength = reading.number(scene, table.GRAVITY_MAGNITUDE)
    if not 0.0 <= strength < inf:
        strength = GRAVITY
    direction, length = apply(linear_part(reading.stage.origin), said), hypot(*said)
    if length == 0.0:
        direction, length = _earths(reading), GRAVITY
    x, y, z = (strength * part / length + 0.0 for part in direction)
    return (x, y, z)


def _earths(reading: StageReading) -> Vector3:
    down = [0.0, 0.0, 0.0]
    down[reading.up] = -GRAVITY
    return (down[0], down[1], down[2])


def _is_same(a: Vector3, b: Vector3) -> bool:
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) <= SAME * hypot(*b)


def _factor(pull: Vector3, first: Vector3) -> float | None:
    """Return how many times the first gravity another one is; None where it points elsewhere."""
    if pull == first or hypot(*pull) == 0.0:
        return 1.0 if pull == first else 0.0
    square = dot(first, first)
    if square == 0.0:
        return None
    factor = dot(pull, first) / square
    x, y, z = (factor * part for part in first)
    return factor if _is_same((x, y, z), pull) else None


def with_articulations(reading: StageReading, contents: Contents) -> Contents:
    """Return contents whose bodies and joints say what the stage says of articulations.

    Nothing is said where it follows. What a root above all bodies means, engines find themselves.
    """
    roots, excluded = _roots(reading), _excluded(reading)
    if not roots and not excluded:
        return contents
    mechanism = contents.mechanism
    if _missed(articulations_of(mechanism), roots, excluded) == (set(), set()):
        return contents
    mechanism = _marked(_marked(mechanism, roots, ROOT), excluded, EXCLUDED)
    missed = _missed(articulations_of(mechanism), roots, excluded)
    prim_of = {index: reading.prims[path] for path, index in reading.joint_of.items()}
    for index in sorted(missed[0]):
        reading.note("usd-articulation-root", prim_of.get(index) or reading.prim_of[index])
    for index in sorted(missed[1]):
        reading.note("usd-excluded-from-articulation", prim_of[index])
    return replace(contents, mechanism=mechanism)


def _roots(reading: StageReading) -> set[int]:
    """Return the nodes of bodies and joints that are said to begin an articulation."""
    prims = [prim.path for prim in reading.stage if table.ROOT_API in prim.schemas]
    nodes = {reading.joint_of.get(path, reading.node_of.get(path)) for path in prims}
    return {
        index
        for index in nodes
        if index is not None and (reading.nodes[index].moves or reading.nodes[index].joint)
    }


def _excluded(reading: StageReading) -> set[int]:
    return {
        index
        for path, index in reading.joint_of.items()
        if reading.flag(reading.prims[path], table.EXCLUDED)
    }


def _missed(
    trees: tuple[Articulation, ...], roots: set[int], excluded: set[int]
) -> tuple[set[int], set[int]]:
    """Return the roots that begin no tree, and the excluded joints that are in one.

    A single joint to the world is no tree, as ``spell_roots`` has it.
    """
    begun = [one.joints for one in trees if len(one.joints) > 1 or one.joints[0].node is None]
    first = {index for joints in begun for index in (joints[0].node, joints[0].child)}
    inside = {joint.node for tree in trees for joint in tree.joints}
    return roots - first, excluded & inside


def _marked(mechanism: Mechanism, marked: set[int], word: str) -> Mechanism:
    """Return a mechanism in which these nodes say a word: of their joint, or of themselves."""
    nodes = list(mechanism.nodes)
    for index in marked:
        node = nodes[index]
        if node.joint is not None and node.motion is None:
            joint = replace(node.joint, unknown=saying(node.joint.unknown, word))
            nodes[index] = replace(node, joint=joint)
        else:
            nodes[index] = replace(node, unknown=saying(node.unknown, word))
    return replace(mechanism, nodes=tuple(nodes))
