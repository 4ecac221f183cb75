# SPDX-License-Identifier: GPL-3.0-or-later
"""What Godot's own reader of bodies leaves out, or its engine Jolt does not know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations, islice, permutations, product
from math import hypot, inf, isfinite, pi

from ...body import ZERO, Motion, MotionType
from ...geometry.extent import (
    Corners,
    OwnBox,
    distance,
    longest_side,
    own_box,
    share_room,
)
from ...geometry.transform import IDENTITY_ROTATION, difference, rotation_from_quaternion
from ...godot.bodies import is_mirrored
from ...issue import Issue
from ...joint import Freedom
from ...mechanics.masses import turned
from ...shape import Trimesh
from ...wording.words import listed
from ..survey import Survey

SMALLEST = 0.05
"""m: a shorter body gets more inertia in Jolt than it has."""
EVEN = 1e-3
"""Parts of the largest inertia that do not count."""
DEEP = 0.05
"""Part of the shorter side of two boxes by which they may overlap without a word."""
RIGHT = 0.5 * pi + 1e-3
"""rad: what turns no farther folds nothing together."""
Meet = Callable[[int, int], bool]
SHOWN, MOST = 3, 100
"""How many pairs are named, and how many are counted."""


def godot_body_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what Godot does otherwise with bodies."""
    nodes = survey.mechanism.nodes
    solid, motions = survey.solid, survey.mechanism.motions()
    endless = {i for i, motion in motions if survey.is_dynamic(i) and motion.mass == inf}
    for ends in survey.joints:
        if endless.issuperset((ends.body, ends.connected_body)):
            yield survey.at_node("godot-endless", ends.index)
    rooms = survey.rooms
    for index, node in enumerate(nodes):
        is_led = node.motion is not None and node.motion.type is MotionType.KINEMATIC
        if is_led and is_mirrored(node):
            yield survey.at_node("godot-mirrored", index)
        if node.motion is not None and survey.is_dynamic(index):
            if _is_turned(node.motion):
                yield survey.at_node("godot-inertia-turned", index)
            if index not in solid and node.motion.inertia_diagonal == ZERO:
                yield survey.at_node("godot-inertia-unknown", index)
            length = longest_side(rooms[index]) if index in rooms and index in solid else inf
            if 0.0 < length < SMALLEST:
                said = survey.words.say(length, Freedom.LINEAR)
                yield survey.at_node("godot-tiny", index, length=said)
    if survey.mechanism.gravity is not None:
        yield survey.at_scene("godot-gravity", gravity=hypot(*survey.mechanism.gravity))
    found = {body: room for body, room in rooms.items() if body in solid}
    meet = _overlap(survey, found)
    yield from _of_pairs(survey, "godot-overlap", _overlapping(survey, found, meet))
    yield from _of_pairs(survey, "godot-contacts", _meeting(survey, found, meet))


def _is_turned(motion: Motion) -> bool:
    """Return whether the orientation of the inertia changes the inertia."""
    diagonal, turn = motion.inertia_diagonal, motion.inertia_orientation
    if diagonal == ZERO or not any(turn) or not all(map(isfinite, (*diagonal, *turn))):
        return False
    own = turned(rotation_from_quaternion(turn), diagonal)
    return difference(own, turned(IDENTITY_ROTATION, diagonal)) > EVEN * max(map(abs, diagonal))


def _of_pairs(survey: Survey, code: str, every: Iterator[tuple[int, int]]) -> Iterator[Issue]:
    """Yield one issue about pairs of bodies, if there are any."""
    pairs = list(islice(every, MOST))
    names = [f"{survey.name(a)!r} and {survey.name(b)!r}" for a, b in pairs[:SHOWN]]
    if len(pairs) > SHOWN:
        least = "at least " if len(pairs) == MOST else ""
        names = [", ".join(names), f"{least}{len(pairs) - SHOWN} more"]
    if names:
        yield survey.at_scene(code, pairs=listed(names))


def _meeting(survey: Survey, found: Mapping[int, Corners], meet: Meet) -> Iterator[tuple[int, int]]:
    """Yield the bodies of one mechanism that may meet though they do not at rest.

    They are those whose joint lets them collide, and those that fold at a body between them, which
    turns by more than a right angle and is longer than they are apart.
    """
    folding: dict[int, set[int]] = defaultdict(set)
    joined: dict[frozenset[int], bool] = {}
    for ends in survey.joints:
        if len(ends.bodies) == 2:
            pair = frozenset(ends.bodies)
            joined[pair] = joined.get(pair, False) or ends.joint.enable_collision
            if any(span.reach > RIGHT for span in survey.within[ends.joint.settings][3:]):
                for one, other in permutations(ends.bodies):
                    folding[one].add(other)
    pairs = {pair for pair, meets in joined.items() if meets and pair <= found.keys()}
    for middle in sorted(folding.keys() & found.keys()):
        if survey.is_dynamic(middle):
            reach = longest_side(found[middle])
            for pair in map(frozenset, combinations(sorted(folding[middle] & found.keys()), 2)):
                if pair not in joined and distance(*(found[body] for body in pair)) < reach:
                    pairs.add(pair)
    moving = (sorted(pair) for pair in pairs if any(map(survey.is_dynamic, pair)))
    yield from ((a, b) for a, b in sorted(moving) if not meet(a, b))


def _overlapping(
    survey: Survey, found: Mapping[int, Corners], meet: Meet
) -> Iterator[tuple[int, int]]:
    """Yield bodies whose boxes overlap at rest though no joint lets them, one of which moves.

    Both are in one scene. They come in their order along the longest way.
    """
    if not found:
        return
    starts = [*zip(*(low for low, _ in found.values()), strict=True)]
    way = max(range(3), key=lambda axis: max(starts[axis]) - min(starts[axis]))
    moving = {body for body in found if survey.is_dynamic(body)}
    joined = {
        frozenset((ends.body, ends.connected_body))
        for ends in survey.joints
        if not ends.joint.enable_collision
    }
    nodes = survey.mechanism.nodes
    open_: list[int] = []
    for body in sorted(found, key=lambda one: found[one][0][way]):
        box = found[body]
        open_ = [other for other in open_ if found[other][1][way] > box[0][way]]
        for other in open_:
            moves = body in moving or other in moving
            meets = moves and nodes[body].scene == nodes[other].scene
            if meets and frozenset((body, other)) not in joined and meet(body, other):
                yield other, body
        open_.append(body)


def _overlap(survey: Survey, found: Mapping[int, Corners]) -> Meet:
    """Return what tells whether two bodies overlap by more than they may, any way seen.

    By the boxes in the world around them first, then by those of their colliders as these stand.
    What is within triangles that stand, as a crate in a room or on a level, is in none of them.
    """
    nodes = survey.mechanism.nodes

    def is_within(body: int, room: int) -> bool:
        shapes = {type(survey.mechanism.shape_of(nodes[part])) for part in survey.parts[room]}
        if survey.is_dynamic(room) or shapes - {type(None)} != {Trimesh}:
            return False
        sides = zip(*found[body], *found[room], strict=True)
        return all(least <= low and high <= most for low, high, least, most in sides)

    @cache
    def own(body: int) -> list[OwnBox | None]:
        parts = (nodes[part] for part in survey.parts[body])
        return [own_box(survey.mechanism, node) for node in parts if node.collider]

    def meet(a: int, b: int) -> bool:
        for low, high, least, most in zip(*found[a], *found[b], strict=True):
            if not min(high, most) - max(low, least) > DEEP * min(high - low, most - least):
                return False
        if is_within(a, b) or is_within(b, a):
            return False
        pairs = product(own(a), own(b))
        return any(not (one and other) or share_room(one, other, DEEP) for one, other in pairs)

    return meet
