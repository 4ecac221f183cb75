# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that the add-on has built, beside what `model.godot` has Godot told of the same file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

from omi_physics_joint.model.geometry.frames import is_flat, rigid_frame
from omi_physics_joint.model.geometry.transform import Matrix, difference, linear_part, multiply
from omi_physics_joint.model.godot.bodies import is_held_by_moving
from omi_physics_joint.model.godot.layout import Layout, Rest, layout_of, rest_of
from omi_physics_joint.model.godot.settings import NONE, spelled
from omi_physics_joint.model.godot.written import relabelled_frame, shifted
from omi_physics_joint.model.joint import AXES, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.keyed import around, settings_at

from .rooms import GENERIC, SLIDER, Room, built_rooms, fits_as_named, kind_of, told_rooms

NEAR = 2e-4
"""m and parts of one by which frames may differ: what single precision and Godot leave of them."""
EXACTLY = 2e-5
"""Part of a number that single precision may change."""


class MeantJoint:
    """One joint as Godot is to be told of it."""

    def __init__(
        self, mechanism: Mechanism, index: int, held: frozenset[Limit], *, as_told: bool
    ) -> None:
        """Lay the joint of a node out as files for Godot are, unless its file is one.

        Soft limits that are ``held`` are rigid.
        """
        joint = mechanism.nodes[index].joint
        assert joint is not None
        self.joint, self.held, self.as_told = joint, held, as_told
        self.settings = mechanism.settings_of(joint)
        always = around(self.settings)
        worlds = (mechanism.nodes[at].world for at in (index, joint.connected_node))
        self.frame, self.other = (rigid_frame(world, always) for world in worlds)
        told = spelled(always, self.held)
        self.rest = rest_of(told, self.frame, self.other)
        stands = (difference(self.rest.frame, one) < NEAR for one in (self.frame, self.other))
        if not any(stands):  # halfway between the two: a script says both frames instead
            self.rest = Rest(self.frame, (0.0,) * 6, is_exact=False)
        if as_told:
            self.rest, self.layout, self.shifts = Rest(self.frame, (0.0,) * 6), Layout(), {0}
            return
        moving = is_held_by_moving(mechanism, index, joint.connected_node)
        laid = shifted(told, self.rest.zero)
        self.layout = layout_of(laid, is_held_by_moving=moving)
        self.shifts = {self.layout.shift}
        for time in self.times:  # a motor that starts from rest is none then
            now = shifted(spelled(self.at(time), self.held), self.rest.zero)
            self.shifts.add(layout_of(now, is_held_by_moving=moving).shift)

    @property
    def times(self) -> list[float]:
        """The moments that have a key, and those halfway between, in s."""
        every = [one.keys for one in (*self.settings.limits, *self.settings.drives)]
        keyed = sorted(
            {t for track in [*every, self.joint.keys] for keys in track for t in keys.times}
        )
        return sorted([*(keyed or [0.0]), *(0.5 * (a + b) for a, b in pairwise(keyed))])

    def at(self, time: float) -> JointSettings:
        """Return its settings at a moment."""
        return settings_at(self.settings, time)

    def collides(self, time: float) -> bool:
        """Return whether its bodies collide at a moment."""
        for keys in self.joint.keys:
            return keys.at(time) > 0.5
        return self.joint.enable_collision


def joint_differences(
    mechanism: Mechanism,
    built: Mapping[str, Any],
    held: Mapping[int, frozenset[Limit]],
    *,
    as_told: bool,
) -> Iterator[str]:
    """Yield how the joints that the add-on has built differ from those that are meant.

    Args:
        mechanism: as the file says it.
        built: what Godot says of it.
        held: soft limits that are played as rigid, by the node of their joint.
        as_told: whether the file is spelled for Godot.
    """
    left = dict(built["joints"])
    for index, node, joint in mechanism.joints():
        worlds = (mechanism.nodes[at].world for at in (index, joint.connected_node))
        if any(is_flat(linear_part(world)) for world in worlds) or index == joint.connected_node:
            continue
        meant = MeantJoint(mechanism, index, held.get(index, NONE), as_told=as_told)
        ends = [_body_name(mechanism, end, built) for end in (index, joint.connected_node)]
        names = (node.name, meant.settings.name or "Joint")
        found = [name for name in left if left[name]["below"] == ends[0] and name.startswith(names)]
        if not found:
            yield f"{node.name}: no joint of this name below {ends[0]}"
            continue
        made = left.pop(found[0])
        yield from (f"{node.name}: {one}" for one in _of_joint(meant, made, ends, built))
    yield from (f"{name}: of no joint" for name in left)


def owner_of(mechanism: Mechanism, index: int) -> int | None:
    """Return the body of a node; of what no body is above, the topmost collider."""
    if mechanism.body_of(index) is not None:
        return mechanism.body_of(index)
    solid = [at for at in mechanism.ancestry(index) if mechanism.nodes[at].collider is not None]
    return solid[-1] if solid else None


def _body_name(mechanism: Mechanism, end: int, built: Mapping[str, Any]) -> str:
    """Return the name of the body that a node belongs to in Godot.

    What stands still and is of no body of the file gets one there.
    """
    body = owner_of(mechanism, end)
    own = "" if body is None else mechanism.nodes[body].name
    return own if own in built["bodies"] else mechanism.nodes[end].name + "World"


def _of_joint(
    meant: MeantJoint, made: Mapping[str, Any], ends: list[str], built: Mapping[str, Any]
) -> Iterator[str]:
    exchanged = meant.layout.exchanged
    if made["ends"] != (ends[::-1] if exchanged else ends):
        yield f"bodies {made['ends']}"
        return
    rooms = [told_rooms(meant.at(time), meant.held, meant.rest.zero) for time in meant.times]
    yield from _stands(meant, made, rooms[0])
    kinds = {kind_of(one, is_exact=meant.rest.is_exact) for one in rooms}
    kind = kinds.pop() if len(kinds) == 1 and not meant.joint.keys else GENERIC
    if meant.as_told and not fits_as_named(kind, rooms[0]):
        kind = GENERIC
    if made["class"] != kind:
        yield f"a {made['class']}, not a {kind}"
    if made["apart"] == meant.joint.enable_collision:
        yield "its bodies collide, or do not"
    engine = made.get("engine", {"others": [], "collides": []})
    if engine["others"]:
        yield f"the engine has another {engine['others']}"
    first = bool(made["bodies_collide"])
    if engine["collides"] not in ([], [first, not first, first]):
        yield f"its bodies collide {engine['collides']}"
    turned = None if meant.as_told else meant.layout.negated
    for track in _tracks(made, built):
        if not isinstance(made["properties"].get(track["property"], 0.0), (bool, float)):
            yield f"{track['property']} begins without an end, which no track leads away from"
    for time, expected in zip(meant.times, rooms, strict=True):
        look = partial(_value, made, built, time)
        found = built_rooms(made, look, _shift(meant, made) or 0, turned)
        for at, pair in enumerate(zip(found, expected, strict=True)):
            if not is_same(*pair):
                yield f"at {time:g} s, coordinate {at}: {pair[0]}, not {pair[1]}"
        if meant.joint.keys and look("bodies_collide") != meant.collides(time):
            yield f"at {time:g} s its bodies collide, or do not"


def _stood(meant: MeantJoint) -> tuple[Matrix, Matrix]:
    """Return where the node of a joint is to stand, and its second frame, axes not renamed."""
    if meant.rest.is_exact:
        return meant.rest.frame, meant.rest.frame
    frames = meant.frame, meant.other
    return frames[::-1] if meant.layout.exchanged else frames


def _shift(meant: MeantJoint, made: Mapping[str, Any]) -> int | None:
    """Return how axes were renamed; None where the node does not stand where it is to."""
    stands, world = _stood(meant)[0], matrix(made["world"])
    shifts = (axis for axis in AXES if difference(relabelled_frame(stands, axis), world) < NEAR)
    return next(shifts, None)


def _stands(meant: MeantJoint, made: Mapping[str, Any], rooms: list[Room]) -> Iterator[str]:
    """Yield how the frames of a joint differ, or what their axes are called."""
    shift = _shift(meant, made)
    stands, other = _stood(meant)
    if shift is None:
        yield f"stands at {made['world']}, not at {stands}"
        return
    shifts = meant.shifts
    if made["class"] == SLIDER:  # omi-godot makes none along the other axes
        shifts = {-axis % 3 for axis in AXES if rooms[axis][0] != rooms[axis][1]}
    if shift not in shifts:
        yield f"axes renamed by {shift}"
    second = made["second_frame"] or matrix_of_one()
    there = multiply(matrix(made["world"]), matrix(second))
    if difference(there, relabelled_frame(other, shift)) > NEAR:
        yield f"its second frame is {second}"
    if meant.rest.is_exact and second != matrix_of_one():
        yield "it has a second frame"


def _value(made: Mapping[str, Any], built: Mapping[str, Any], time: float, name: str) -> Any:
    """Return a property of a joint at a moment of the only animation."""
    own = made["properties"].get(name, made.get(name))
    for track in _tracks(made, built):
        if track["property"] == name:
            own = _at(track, time)
    return float(own) if isinstance(own, str) else own


def _tracks(made: Mapping[str, Any], built: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what animations do with a joint."""
    tracks = (one for animation in built["animations"].values() for one in animation["tracks"])
    return [track for track in tracks if built["joints"].get(track["node"]) is made]


def _at(track: Mapping[str, Any], time: float) -> Any:
    """Return what a track says at a moment: held where it is told so, else a straight line."""
    keys = [(at, value) for at, value in track["keys"]]
    before = [one for one in keys if one[0] <= time + 1e-6] or keys[:1]
    after = [one for one in keys if one[0] > time + 1e-6] or keys[-1:]
    (t0, a), (t1, b) = before[-1], after[0]
    if track["how"][1] == 0 or t1 <= t0:
        return a
    return a + (b - a) * (time - t0) / (t1 - t0)


def matrix(columns: Any) -> Matrix:
    """Return a pose as Godot says it: the three axes, then the place."""
    x, y, z, place = columns
    rows = (tuple(float(column[i]) for column in (x, y, z, place)) for i in range(3))
    return (*rows, (0.0, 0.0, 0.0, 1.0))


def matrix_of_one() -> list[list[float]]:
    """Return the pose of what stands where it is."""
    return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values say the same, as far as single precision lets them."""
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other or abs(one - other) <= EXACTLY * max(1.0, abs(other))
    return bool(one == other)
