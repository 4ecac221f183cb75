# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is joined to whom: what a selection means for new joints, and who of two stands."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from bpy.types import Context, Object

from ...model.wording.words import some
from ..between_bodies.contact import bounds_of, contact_between, room_of
from ..between_bodies.descendants import joints_on
from ..between_bodies.facing import Floats
from ..between_bodies.forms import STEEP, round_shape
from ..bridge.placed import body_of, with_parents
from ..joints.authoring import AuthoringError, Pair, ask_for_home, frames_among

HINT = "Select what stays, then Shift-click what moves"
NONE_ACTIVE = "None of these is active: Shift-click the one that moves"
"""What to do where several objects are selected, but none of those to be joined is active."""
NO_BODIES = {"LIGHT", "CAMERA", "LIGHT_PROBE", "SPEAKER"}
"""Types of objects that are seldom meant to be bodies."""
UPPER = 0.3
"""Share of its height from its top within which something hangs."""
TALL = 0.5
"""Smallest height of what hangs, as a share of its width: less is a truck below a deck."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which joints a selection asks for."""

    motions: tuple[str, str]
    """How the active object moves, and how the others do, where they are no bodies yet."""
    active: Object
    others: tuple[Object, ...]
    pairs: tuple[Pair, ...]
    also: tuple[Object, ...] = ()
    """What moves as the active one: the far end of a bridge."""

    @property
    def links(self) -> tuple[Object, ...]:
        """The active object, and what is joined to it or, in a chain, one to the other."""
        return self.active, *(pair.moving for pair in self.pairs)

    @property
    def is_star(self) -> bool:
        """Whether several are joined to the active one."""
        return len(self.pairs) > 1 and self.pairs[-1].still == self.active


def plan(
    active: Object, selected: Sequence[Object], *, chain: bool = False, swap: bool = False
) -> Plan:
    """Return what a selection asks for.

    Of two objects the active one moves, unless it alone stands already, or the other way round to
    ``swap`` them. Of more, each is a limb that hangs on the active one and
    moves with it; or, as a chain, each hangs on the one before it, from the active one, which
    stays, to the nearest neighbour and so on.

    Raises:
        AuthoringError: one of the objects is the frame of a joint, which cannot be joined.
    """
    others = tuple(obj for obj in selected if obj != active)
    for obj in frames_among((active, *others)):
        message = f"{obj.name} is the frame of a joint: select the bodies to join instead."
        raise AuthoringError(message)
    motions, pairs = ("dynamic", "dynamic"), [Pair(active, other) for other in others]
    if len(others) < 2:
        motions, pairs = ("dynamic", "static"), [Pair(other, active) for other in others]
        if swap != any(stands_already(active) and not stands_already(one) for one in others):
            motions, pairs = ("static", "dynamic"), [Pair(active, other) for other in others]
    elif chain:
        links = pairwise(by_neighbour(active, others))
        motions, pairs = ("static", "dynamic"), [Pair(*link) for link in links]
    return Plan(motions, active, others, tuple(pairs))


def joinable(context: Context) -> tuple[list[Object], str]:
    """Return which selected objects are to be joined, and the names of those that are left out.

    Lights and cameras that happen to be among others are, unless they have been made bodies.
    """
    selected = context.selected_objects
    others = [obj for obj in selected if obj.type in NO_BODIES and body_of(obj) is None]
    bodies = [obj for obj in selected if obj not in others]
    if len(bodies) < 2:
        return selected, ""
    return bodies, some([obj.name for obj in others]) if others else ""


def still_lacking(context: Context) -> str:
    """Return what to select before anything can be joined; nothing where that is done.

    Selecting a box leaves active what was, which is not to be joined. In Edit Mode, where an edge
    can say the axis, nobody selects another object.
    """
    objects, _ = joinable(context)
    if context.mode != "OBJECT" and (context.mode != "EDIT_MESH" or len(objects) < 2):
        return "Go to Object Mode first"
    if len(objects) < 2:
        return HINT
    return "" if context.active_object in objects else NONE_ACTIVE


def by_neighbour(first: Object, others: Sequence[Object]) -> list[Object]:
    """Return objects in a row: each is followed by the nearest one that is left.

    What is nearest is judged by the gap between bounding boxes; where they overlap, by their
    middles.
    """
    objects, row, left = [first, *others], [0], list(range(1, 1 + len(others)))
    rooms = np.array([room_of(one) for one in objects])
    middles, small = rooms.mean(axis=1), 1e-4 * float(np.max(np.ptp(rooms, axis=1)))
    while left:
        gap = gaps_to(rooms, row[-1])[left]
        away = np.linalg.norm(middles[left] - middles[row[-1]], axis=1)
        row.append(left.pop(int(np.argmin(np.where(gap <= gap.min() + small, away, np.inf)))))
    return [objects[index] for index in row]


def gaps_to(rooms: Floats, at: int) -> Floats:
    """Return how far boxes (n, 2, 3) are from one of them, in m."""
    apart = np.maximum(rooms[:, 0] - rooms[at, 1], rooms[at, 0] - rooms[:, 1])
    gaps: Floats = np.linalg.norm(np.maximum(apart, 0.0), axis=1)
    return gaps


def bodies_needed(pairs: Sequence[Pair], motion_of: Callable[[Object], str]) -> dict[Object, str]:
    """Return the objects that must become bodies for pairs to be joined, and how they will move.

    An object that is no body and below none becomes one, and so does a link of a chain below
    another. Where both of a pair would belong to one body, as a door that is parented to its frame,
    the part becomes a body of its own.

    Raises:
        AuthoringError: an object cannot become a body, or nothing makes two bodies of a pair.
    """
    new: dict[Object, str] = {}
    is_chain = all(one.moving == after.still for one, after in pairwise(pairs))
    links = {obj for pair in pairs for obj in (pair.moving, pair.still) if is_chain}

    def owner(obj: Object) -> Object | None:
        bodies = (one for one in with_parents(obj) if one in new or one.omi_physics_body.is_body)
        return next(bodies, None)

    for pair in pairs:
        both = (pair.moving, pair.still)
        for obj in both:
            above = owner(obj)
            if above is None or above in links - {obj}:
                new[obj] = motion_of(obj)
        if owner(pair.still) == owner(pair.moving):
            part = next((obj for obj in both if owner(obj) != obj), None)
            if part is None:
                both_names = f"{pair.still.name} and {pair.moving.name}"
                raise AuthoringError(f"{both_names} are one body: a joint needs two.")
            new[part] = motion_of(part)
    for obj in new:
        if not obj.is_editable:
            message = f"{obj.name} is linked from another file and cannot become a body here"
            raise AuthoringError(f"{message}: Object > Library Override > Make lets it.")
    for pair in pairs:
        for obj in (pair.still, pair.moving):
            ask_for_home(obj)
    return new


def stands_already(obj: Object) -> bool:
    """Return whether something is a body that no force moves, in our physics or in Blender's."""
    body = body_of(obj)
    if body is not None:
        return body.omi_physics_body.type != "dynamic"
    return obj.rigid_body is not None and obj.rigid_body.type == "PASSIVE"


def hangs(pair: Pair) -> bool:
    """Return whether a body is below where another one holds it, and no wheel."""
    low, high = bounds_of(pair.moving)
    wheel, (wide, deep, tall) = round_shape(pair.moving), high - low
    if wheel is not None and wheel.is_disc and abs(wheel.axis.z) < STEEP:
        return False
    is_upper = contact_between(pair.moving, pair.still).place.z >= high.z - UPPER * tall
    return bool(is_upper and tall >= TALL * max(wide, deep))


def joints_of_loops(pairs: Sequence[Pair]) -> list[Object]:
    """Return the joints with which new ones between bodies close loops.

    Two joints of the same two bodies are a door on two hinges, and no loop.
    """
    ways = map(way_between, pairs)
    return list(dict.fromkeys(joint for way in ways if len(way) > 1 for joint in way))


def way_between(pair: Pair) -> list[Object]:
    """Return the joints on the shortest way from one body of a pair to the other, if any is."""
    start, end = body_of(pair.still), body_of(pair.moving)
    if start is None or end is None:
        return []
    ways: dict[Object, list[Object]] = {start: []}
    here = deque([start])
    while here and end not in ways:
        body = here.popleft()
        for joint, other in joints_on(body):
            if other is not None and other not in ways:
                ways[other] = [*ways[body], joint]
                here.append(other)
    return ways.get(end, [])
