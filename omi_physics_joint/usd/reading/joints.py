# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints: which bodies a joint prim joins, and where its two frames are.

A relation may name a prim below a body: the body above is meant, and the frame is where the prim
has it. A relation that names nothing means the world.

On a stage the value of a joint is the pose of the frame on body 1 in the frame on body 0, so body 0
is the side of the joint node; but where only body 1 moves and its motion can be said from there, it
is body 1, since a joint node belongs below the body that moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, remainder, tau

from ...model.body import IDENTITY_QUATERNION, ZERO, Motion, MotionType
from ...model.geometry.frames import rigid_frame
from ...model.geometry.transform import Matrix, difference, multiply, translation_of
from ...model.joint import Breaking, Freedom, JointNode, JointSettings
from ...model.keys import Keys, Track
from ...model.settings.coordinates import coordinates
from ...model.settings.reversal import is_reversible, reversed_settings
from ...model.settings.spans import spans_of
from .. import table
from ..prim import Prim
from ..table import Attribute
from ..units import ANGLE, LENGTH, WORLD, has_space, space_of
from .builder import StageReading
from .limits import freedoms, settings_of

OLD_TYPES = {"DistancePhysicsJoint": table.DISTANCE}
"""Names that types had before they were released, which files still have."""
NEAR = 1e-5
"""m: of frames that count as one, for each m that they are away, in single precision."""
STATE = tuple(Attribute(f"state:*:physics:{one}", "float", 0.0) for one in ("position", "velocity"))
"""Where a joint stands and how fast it goes at the start, as PhysX and Newton take it."""
OFF = 1e-3
"""m or rad: by how much a state is another than that of the bodies."""
_SIDES = ((table.BODY0, table.POS0, table.ROT0), (table.BODY1, table.POS1, table.ROT1))


@dataclass(frozen=True, slots=True)
class JointEnd:
    """One end of a joint."""

    holder: int | None
    """Node that the frame is rigid with; None is the world."""
    body: int | None
    """Nearest body there; None where it is none."""
    frame: Matrix
    """In the world."""


Ends = tuple[JointEnd, JointEnd]


def read_joints(reading: StageReading) -> None:
    """Add the joints of a stage: two nodes for each."""
    for prim in reading.stage:
        kind = _kind(reading, prim)
        if not kind:
            continue
        first, second = (_end(reading, prim, *side) for side in _SIDES)
        if first is None or second is None:
            continue
        if first.body == second.body:
            reading.note("usd-no-bodies-joined", prim)
        else:
            _add(reading, prim, kind, first, second)


def _kind(reading: StageReading, prim: Prim) -> str:
    """Return the type of a joint prim; nothing of other prims."""
    kind = OLD_TYPES.get(prim.type, prim.type)
    if kind in table.JOINTS:
        return kind
    if table.JOINT not in prim.kinds:
        return ""
    reading.note("usd-joint-type", prim, prim.type)
    return table.JOINT


def _end(
    reading: StageReading, prim: Prim, relation: str, position: Attribute, rotation: Attribute
) -> JointEnd | None:
    """Return one end of a joint; None where it hangs on what is not there or flat."""
    place = reading.vector(prim, position) or ZERO
    turn = reading.quaternion(prim, rotation) or IDENTITY_QUATERNION
    paths = prim.targets.get(relation, ())
    if not paths:
        return JointEnd(None, None, multiply(reading.stage.origin, WORLD.place_meant(place, turn)))
    if len(paths) > 1:
        reading.note("usd-several-targets", prim)
    target = reading.prims.get(paths[0])
    if target is None:
        reading.note("usd-target-missing", prim, paths[0])
        return None
    world = reading.units.pose_meant(target.world)
    holder = reading.node_at_or_above(target.path)
    body = reading.body_of(holder)
    if not has_space(world) or (body is not None and reading.is_flat(body)):
        reading.note("usd-flat-joint", prim)
        return None
    return JointEnd(holder, body, space_of(world).place_meant(place, turn))


def _add(reading: StageReading, prim: Prim, kind: str, first: JointEnd, second: JointEnd) -> None:
    settings = settings_of(reading, prim, kind)
    _note_state(reading, prim, kind, settings, (first, second))
    if _moves(reading, second) and not _moves(reading, first) and is_reversible(settings):
        settings, first, second = reversed_settings(settings), second, first
    here = _node(reading, prim, prim.title, first)
    there = _node(reading, prim, f"{prim.title} Connected", second)
    force, torque = (reading.number(prim, one) for one in (table.BREAK_FORCE, table.BREAK_TORQUE))
    bears = Breaking(force if force >= 0.0 else inf, torque if torque >= 0.0 else inf)
    joint = JointNode(
        reading.settings_of(prim.title, settings),
        there,
        reading.flag(prim, table.JOINT_COLLIDES),
        reading.extras(prim),
        keys=_collision_keys(reading, prim),
        breaking=None if bears == Breaking() else bears,
        enabled=reading.flag(prim, table.JOINT_ENABLED),
    )
    reading.change(here, joint=joint)
    reading.joint_of[prim.path] = here
    if here not in reading.prim_of:
        reading.joint_prims[here] = prim


def _note_state(
    reading: StageReading, prim: Prim, kind: str, settings: JointSettings, ends: Ends
) -> None:
    """Note where a joint stands by its state, or goes, while its bodies are elsewhere or rest."""
    values = coordinates(spans_of(settings.limits), *(end.frame for end in ends))
    motions = [reading.nodes[end.body].motion for end in ends if end.body is not None]
    goes = any(one and any((*one.linear_velocity, *one.angular_velocity)) for one in motions)
    for instance, (freedom, axis) in freedoms(kind, reading.axis(prim, table.JOINT_AXIS)).items():
        about = freedom is Freedom.ANGULAR
        unit, turn = (ANGLE, tau) if about else (LENGTH, inf)
        place, speed = (reading.number(prim, one, instance, unit=unit) for one in STATE)
        off = place - values[axis + 3 * about] if STATE[0].of(instance) in prim.attributes else 0.0
        is_off = isfinite(off) and abs(remainder(off, turn)) > OFF
        if is_off or (speed and not goes):
            reading.note("usd-joint-state", prim)


def _moves(reading: StageReading, end: JointEnd) -> bool:
    motion = None if end.body is None else reading.nodes[end.body].motion
    return motion is not None and motion.type is MotionType.DYNAMIC


def _node(reading: StageReading, prim: Prim, name: str, end: JointEnd) -> int:
    """Return the node of a frame: that which the joint is below, or a new one below its body.

    A joint may stand below an empty that is where its frame is: it is a node already.
    """
    holder = end.body
    if holder is None:
        holder = reading.world() if end.holder is None else end.holder
        if reading.nodes[holder].motion is None:
            reading.change(holder, motion=Motion(MotionType.STATIC))
    own = reading.node_of.get(prim.parent)
    if own is not None and _is_frame(reading, own, holder, end.frame):
        return own
    return reading.add(name, holder, end.frame)


def _is_frame(reading: StageReading, index: int, holder: int, frame: Matrix) -> bool:
    """Return whether a node is bare, part of a body and where a frame of that is."""
    node = reading.nodes[index]
    if node.is_physical or index in reading.shown or reading.body_of(index) != holder:
        return False
    near = NEAR * max(1.0, *map(abs, translation_of(frame)))
    return has_space(node.world) and difference(rigid_frame(node.world), frame) <= near


def _collision_keys(reading: StageReading, prim: Prim) -> Track:
    samples = prim.samples.get(table.JOINT_COLLIDES.name, ())
    if len(samples) < 2:
        return ()
    times = tuple(reading.stage.seconds(time) for time, _ in samples)
    return (Keys("enable_collision", times, tuple(float(bool(v)) for _, v in samples), True),)
