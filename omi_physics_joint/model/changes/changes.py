# SPDX-License-Identifier: GPL-3.0-or-later
"""What is another in one mechanism than in another: of meaning, not of spelling.

Which resources are shared, their order and their names, members that nobody knows and the rest of
a scene are no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf, isfinite, sqrt

from ..geometry.frames import is_flat, rigid_frame
from ..geometry.transform import (
    IDENTITY,
    Matrix,
    apply,
    determinant,
    dot,
    inverse,
    linear_part,
    multiply,
    rotation_angle,
    translation_of,
    transpose,
)
from ..joint import Breaking, Freedom, JointNode
from ..mechanism import EARTH, PARTS, Mechanism, Node
from ..unknown import ROBOT, extras_in
from ..wording.describe import title
from ..wording.words import metric, number
from .fact import SAME, Change, Fact, all_near, compared
from .pairing import Pairing, paired
from .parts import collider_facts, gravity_facts, motion_facts, numbers_said, trigger_facts
from .settings import fine, settings_facts

LEAST_TURN = 2e-6
"""rad: single precision holds no rotation better."""


def place_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield how a node has been moved, turned, scaled or put below another one."""
    before, after = pairing.before, pairing.after
    above = _common(pairing, ours, theirs)
    base = IDENTITY if above is None else before.nodes[above[0]].world
    base_then = IDENTITY if above is None else after.nodes[above[1]].world
    yield from moved((base, before.nodes[ours].world), (base_then, after.nodes[theirs].world))


def moved(before: tuple[Matrix, Matrix], after: tuple[Matrix, Matrix]) -> Iterator[Fact]:
    """Yield how something has been moved: not where only what it hangs on is scaled, beside it."""
    if _stays(before, after):
        return
    one, other = _relative(*before), _relative(*after)
    if one is None or other is None:
        before, after = (IDENTITY, before[1]), (IDENTITY, after[1])
        one, other = before[1], after[1]
    starts, ends = translation_of(one), translation_of(other)
    size = max(1.0, *map(abs, starts), *map(abs, ends))
    if not all_near(starts, ends, SAME * size):
        way = apply(linear_part(after[0]), [b - a for a, b in zip(starts, ends, strict=True)])
        yield Fact("", "", f"moved by {metric(sqrt(dot(way, way)), Freedom.LINEAR)}")
    linear, linear_then = linear_part(one), linear_part(other)
    lengths, lengths_then = _lengths(linear), _lengths(linear_then)
    scales = all_near(lengths, lengths_then, SAME)
    if not scales:
        yield from compared("scale", (lengths, lengths_then), _scales_said)
    if is_flat(linear) or is_flat(linear_then):
        same = all(all_near(*rows) for rows in zip(linear, linear_then, strict=True))
        if scales and not same:
            yield Fact("", "", "turned")
        return
    if (determinant(linear) < 0.0) is not (determinant(linear_then) < 0.0):
        yield Fact("", "", "mirrored")
        return
    turn, turn_then = (linear_part(rigid_frame(matrix)) for matrix in (one, other))
    angle = rotation_angle(multiply(transpose(turn), turn_then))
    if angle > LEAST_TURN:
        yield Fact("", "", f"turned by {metric(angle, Freedom.ANGULAR)}")
    elif scales and not all(
        all_near(*rows, LEAST_TURN * max(lengths)) for rows in zip(linear, linear_then, strict=True)
    ):
        yield Fact("", "", "sheared")


def _stays(before: tuple[Matrix, Matrix], after: tuple[Matrix, Matrix]) -> bool:
    """Return whether something is where it was beside what it hangs on, whatever scale that has."""
    if any(is_flat(linear_part(base)) for base, _ in (before, after)):
        return False
    one, other = (_relative(rigid_frame(base), world) for base, world in (before, after))
    if one is None or other is None:
        return False
    starts, ends = translation_of(one), translation_of(other)
    rows = zip(linear_part(one), linear_part(other), strict=True)
    is_there = all_near(starts, ends, SAME * max(1.0, *map(abs, starts)))
    return is_there and all(all_near(*pair, LEAST_TURN) for pair in rows)


def placed(mechanism: Mechanism) -> set[int]:
    """Return the nodes whose place means something: with physics on or below them, or joined."""
    found: set[int] = set()
    for index, node in enumerate(mechanism.nodes):
        if node.is_physical:
            found.update(mechanism.ancestry(index))
        if node.joint is not None:
            found.update(mechanism.ancestry(node.joint.connected_node))
    return found


def _common(pairing: Pairing, ours: int, theirs: int) -> tuple[int, int] | None:
    """Return the nearest node above that is the same in both."""
    above = set(pairing.after.ancestry(theirs)) - {theirs}
    for one in pairing.before.ancestry(ours):
        if one != ours and pairing.forth.get(one) in above:
            return one, pairing.forth[one]
    return None


def _relative(base: Matrix, world: Matrix) -> Matrix | None:
    """Return a pose below another; None where that other is flat, or too small to divide by."""
    if is_flat(linear_part(base)):
        return None
    try:
        pose = multiply(inverse(base), world)
    except (ZeroDivisionError, OverflowError):
        return None
    return pose if all(isfinite(x) for row in pose for x in row) else None


def _lengths(linear: Matrix) -> list[float]:
    return [sqrt(dot(column, column)) for column in transpose(linear)]


def _scales_said(lengths: Sequence[float], digits: int) -> str:
    return " × ".join(fine(length, digits) for length in lengths)


WORLD = "the world"
OF_ROBOTS = ("effort", "velocity", "armature", "mimic", "safety", "actuators", "transmissions")
"""What joints of robots say, by its names in their extras."""
NO_BOUND = (None, 1e9)
"""Where it is not said; URDF has no word for that, and we write a large number."""


def joint_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield what is another in the joint of a node."""
    before, after = pairing.before, pairing.after
    one, other = before.nodes[ours].joint, after.nodes[theirs].joint
    if one is None or other is None:
        if one is not other:
            yield Fact("joint", _said(before, one), _said(after, other))
        return
    ends = (one.connected_node, other.connected_node)
    yield from _end_facts(pairing, "first body", (ours, theirs))
    yield from _end_facts(pairing, "second body", ends)
    if pairing.forth.get(ends[0]) != ends[1]:
        yield from _frame_facts(pairing, ends)
    if one.enable_collision is not other.enable_collision:
        on = ["on" if each.enable_collision else "off" for each in (one, other)]
        yield Fact("collision of its bodies", *on)
    if one.enabled is not other.enabled:
        holds = ["yes" if each.enabled else "muted" for each in (one, other)]
        yield Fact("whether it holds", *holds)
    if one.breaking != other.breaking:
        yield Fact("what breaks it", _bears(one), _bears(other))
    yield from settings_facts(before.settings_of(one), after.settings_of(other))
    robots = [extras_in(each.unknown).get(ROBOT) for each in (one, other)]
    if all(robots):  # else a format has lost it, which who wrote that has said
        yield from _robot_facts(*robots)


def _robot_facts(ours: object, theirs: object) -> Iterator[Fact]:
    """Yield what is another in what goes along from robot to robot and is not played."""
    for word in OF_ROBOTS:
        sides = [
            [one[word] for one in _objects(each) if one.get(word) not in NO_BOUND]
            for each in (ours, theirs)
        ]
        if sides[0] != sides[1]:
            texts = [" and ".join(map(_words, side)) or "none" for side in sides]
            texts[1] += " that are others" if texts[0] == texts[1] else ""
            yield Fact(word, *texts)


def _objects(said: object) -> list[dict[str, object]]:
    found = said if isinstance(said, list) else []
    return [one for one in found if isinstance(one, dict)]


def _words(value: object) -> str:
    """Say a value of JSON: "joint a, multiplier 2"; of a list how many."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(one)}" for key, one in value.items())
    if isinstance(value, float | int) and not isinstance(value, bool):
        return number(value)
    if isinstance(value, list):
        return str(len(value))
    return "none" if value is None else str(value)


def _end_facts(pairing: Pairing, what: str, ends: tuple[int, int]) -> Iterator[Fact]:
    one, other = _holders(pairing, ends)
    if not _is_same(pairing, one, other):
        bodies = (pairing.before.body_of(ends[0]), pairing.after.body_of(ends[1]))
        sides = zip(pairing.names, (one, other), bodies, strict=True)
        yield Fact(what, *(_called(names, body, still) for names, body, still in sides))


def _holders(pairing: Pairing, ends: tuple[int, int]) -> tuple[int | None, int | None]:
    """Return what the frames are fixed to: the same static body, where both are in one."""
    sides = list(zip((pairing.before, pairing.after), ends, strict=True))
    one, other = (side.body_of(end) for side, end in sides)
    if one is not None and pairing.forth.get(one) == other:
        return one, other
    one, other = (held(side, end) for side, end in sides)
    return one, other


def _is_same(pairing: Pairing, one: int | None, other: int | None) -> bool:
    """Return whether two ends are fixed to the same body, or to the world both."""
    return other is None if one is None else pairing.forth.get(one) == other


def _frame_facts(pairing: Pairing, ends: tuple[int, int]) -> Iterator[Fact]:
    """Yield how a frame is elsewhere that is another node now, on the same body."""
    before, after = pairing.before.nodes, pairing.after.nodes
    one, other = _holders(pairing, ends)
    if not _is_same(pairing, one, other) or (one is None) is not (other is None):
        return  # on another body, which has been said
    base = IDENTITY if one is None else before[one].world
    base_then = IDENTITY if other is None else after[other].world
    for fact in moved((base, before[ends[0]].world), (base_then, after[ends[1]].world)):
        yield replace(fact, what=f"second frame {fact.what}".rstrip())


def held(mechanism: Mechanism, index: int) -> int | None:
    """Return what a frame is fixed to: the body that moves, else what is solid; None: the world."""
    above = list(mechanism.ancestry(index))
    for one in above:
        if mechanism.nodes[one].moves:
            return one
        if mechanism.nodes[one].motion is not None:
            break
    for one in above:
        collider = mechanism.nodes[one].collider
        if collider is not None and collider.shape is not None:  # a compound is what is below it
            return one
    return None


def _called(names: Sequence[str], body: int | None, still: int | None) -> str:
    """Return what an end is fixed to; of the world the body that stands still there, if any."""
    body = still if body is None else body
    return WORLD if body is None else names[body]


def _said(mechanism: Mechanism, joint: JointNode | None) -> str:
    return "none" if joint is None else title(mechanism.settings_of(joint))


def _bears(joint: JointNode) -> str:
    bears = joint.breaking or Breaking()
    limits = ((bears.force, "N"), (bears.torque, "N m"))
    return " or ".join(f"{number(at)} {unit}" for at, unit in limits if at != inf) or "nothing"


RULES = {
    "place": place_facts,
    "motion": motion_facts,
    "collider": collider_facts,
    "trigger": trigger_facts,
    "gravity": gravity_facts,
    "joint": joint_facts,
}
"""What is asked of each node that is in both, by the part that it is about."""


def changes(before: Mechanism, after: Mechanism) -> tuple[Change, ...]:
    """Return what is another in the second mechanism; both in the same axes, indices in range."""
    return tuple(_changes(before, after))


def _changes(before: Mechanism, after: Mechanism) -> Iterator[Change]:
    pairing = paired(before, after)
    gravities = (before.gravity or EARTH, after.gravity or EARTH)
    for fact in compared("", gravities, numbers_said("m/s\u00b2"), SAME):
        yield Change("Gravity", fact)
    names, names_then = pairing.names
    matters, matters_then = placed(before), placed(after)
    for index, node in enumerate(before.nodes):
        other = pairing.forth.get(index)
        if other is None:
            if _matters(node):
                fact = Fact("", "", f"removed ({_parts(before, node)})", "node")
                yield Change(names[index], fact, (index, None))
            continue
        facts: list[Fact] = []
        if node.name != after.nodes[other].name and _matters(node):
            facts.append(Fact("", "", f"now called {names_then[other]}", "name"))
        for part, rule in RULES.items():
            if part != "place" or index in matters or other in matters_then:
                facts += (replace(fact, part=part) for fact in rule(pairing, index, other))
        for fact in facts:
            yield Change(names[index], fact, (index, other))
    known = set(pairing.forth.values())
    for index, node in enumerate(after.nodes):
        if index not in known and _matters(node):
            fact = Fact("", "", f"new ({_parts(after, node)})", "node")
            yield Change(names_then[index], fact, (None, index))


def _matters(node: Node) -> bool:
    """Return whether a node says anything that is compared."""
    return node.is_physical or node.gravity_shape is not None


def _parts(mechanism: Mechanism, node: Node) -> str:
    """Say what physics a node has: "dynamic body, collider"."""
    said = [f"{node.motion.type.value} body"] if node.motion is not None else []
    said += [part for part in PARTS[1:3] if getattr(node, part) is not None]
    said += ["gravity volume"] if node.gravity_shape is not None else []
    said += [f"joint: {_said(mechanism, node.joint)}"] if node.joint is not None else []
    return ", ".join(said)
