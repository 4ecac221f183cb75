# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that turn about changing axes: Godot has no gyroscopic forces, PhysX first-order ones.

A body needs none that turns alike about all axes, that spins about a principal axis and has no
joint, or that joints lead from what physics does not
move and whose axes are all parallel: two hinges at right angles let it tumble, and so does one on
what turns by itself about another axis. One that hangs on a
pin needs them unless gravity turns it about one of its principal axes:
measured, from a part of 0.0005 on they turn it by up to half a turn within a second.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import hypot, isfinite

from ...body import ZERO, MotionType, Vector3
from ...geometry.frames import is_flat
from ...geometry.transform import (
    IDENTITY_ROTATION,
    Rotation,
    apply,
    cross,
    difference,
    dot,
    linear_part,
    minus,
    normalized,
    translation_of,
)
from ...godot.settings import acting_drives, turning_axes
from ...issue import Issue
from ...mechanics.inertias import centre_of, inertia_of, spin_of
from ...mechanics.masses import turned
from ...mechanism import Node
from ...shape import MeshShape
from ..survey import Ends, Survey
from .godot_bodies import EVEN

ASIDE = 5e-4
"""Part of the inertia about its joint that turns a body aside, from which it is said."""
LEVEL = 1e-3
"""Part of the distance to its joint by which a body hangs beside it, so that gravity turns it."""
PARALLEL = 1e-3
"""Sine of the angle between axes up to which they are one."""
DOWN = (0.0, -1.0, 0.0)
TUMBLING = ("godot-tumbling", "physx-tumbling")


Links = dict[int | None, list[int | None]]
"""What joints lead to from each body; None is the world."""


def tumbling_issues(survey: Survey) -> Iterator[Issue]:
    """Yield the bodies that tumble otherwise there, said once."""
    guided, twisted = _guided(survey)
    joints: dict[int, list[Ends]] = defaultdict(list)
    links: Links = {}
    for ends in survey.joints:
        dynamic = [body for body in ends.bodies if survey.is_dynamic(body)]
        for body in ends.bodies:
            joints[body].append(ends)
            links.setdefault(body, []).extend(dynamic)
    pushed = _reached(_pushed(survey, links), links)
    hung = _reached(_hung(survey), links)
    tumbling, at_risk = [], hung | pushed
    for index, node in enumerate(survey.mechanism.nodes):
        motion = node.motion
        if motion is None or index not in at_risk or index in guided:
            continue
        if not survey.is_dynamic(index) or is_flat(linear_part(node.world)):
            continue
        if not (motion.mass > 0.0 and isfinite(motion.mass)):
            continue
        parts = survey.parts[index]
        inertia = inertia_of(survey.mechanism, index, parts)
        is_unknown = motion.inertia_diagonal == ZERO and _is_of_mesh(survey, parts)
        if not is_unknown if inertia is None else _is_even(inertia):
            continue
        centre = centre_of(survey.mechanism, index, parts)
        swings = index in hung and (
            inertia is None
            or index in twisted
            or any(_swings_aside(survey, index, centre, ends, inertia) for ends in joints[index])
        )
        if swings or (index in pushed and (index in joints or _spins_aside(node, inertia))):
            tumbling.append(index)
    for code in TUMBLING:
        yield from survey.of_nodes(code, tumbling)


def _reached(starts: Iterable[int | None], links: Links) -> set[int | None]:
    """Return bodies, and what links lead to from them."""
    found: set[int | None] = set()
    waiting = list(starts)
    while waiting:
        body = waiting.pop()
        if body not in found:
            found.add(body)
            waiting += links.get(body, [])
    return found


def _guided(survey: Survey) -> tuple[set[int | None], set[int | None]]:
    """Return bodies that joints of one axis lead from what physics does not move.

    First those of which all axes on a way there are parallel, then the others.
    """
    ways: dict[int | None, list[tuple[int | None, Vector3 | None]]] = {}
    for ends in survey.joints:
        turns = turning_axes(survey.within[ends.joint.settings])
        world = linear_part(survey.mechanism.nodes[ends.index].world)
        if len(turns) <= 1 and not is_flat(world):
            axis = normalized(tuple(row[turns[0]] for row in world)) if turns else None
            ways.setdefault(ends.body, []).append((ends.connected_body, axis))
            ways.setdefault(ends.connected_body, []).append((ends.body, axis))
    about = {body: _spin(survey, body) for body in ways if not survey.is_dynamic(body)}
    waiting = list(about)
    for body in waiting:
        for other, axis in ways[body]:
            turned = about[body]
            if other in about or (turned and axis and hypot(*cross(turned, axis)) > PARALLEL):
                continue
            about[other] = turned or axis
            waiting.append(other)
    links: Links = {body: [other for other, _ in there] for body, there in ways.items()}
    return set(about), _reached(about, links) - set(about)


def _spin(survey: Survey, body: int | None) -> Vector3 | None:
    """Return the axis about which a body turns by itself; None if it does not."""
    motion = survey.mechanism.motion_of(body)
    if body is None or motion is None or motion.type is not MotionType.KINEMATIC:
        return None
    spin = spin_of(survey.mechanism.nodes[body])
    return normalized(spin) if any(spin) else None


def _pushed(survey: Survey, links: Links) -> Iterator[int]:
    """Yield the dynamic bodies that something else than gravity sets turning."""
    for index, motion in survey.mechanism.motions():
        thrown = index in links and motion.linear_velocity != ZERO
        if survey.is_dynamic(index) and (thrown or motion.angular_velocity != ZERO):
            yield index
    for ends in survey.joints:
        if _drives(survey, ends):
            yield from filter(survey.is_dynamic, ends.bodies)


def _hung(survey: Survey) -> Iterator[int]:
    """Yield the dynamic bodies that a joint keeps from falling as they would alone."""
    for ends in survey.joints:
        if _fall(survey, ends.body) != _fall(survey, ends.connected_body):
            yield from filter(survey.is_dynamic, ends.bodies)


def _fall(survey: Survey, body: int | None) -> float | None:
    """Return how gravity moves a body, 1 as it does most; None where nothing does."""
    motion = None if body is None else survey.mechanism.nodes[body].motion
    if motion is None or not survey.is_dynamic(body):
        return None
    return motion.gravity_factor if isfinite(motion.mass) else 0.0


def _drives(survey: Survey, ends: Ends) -> bool:
    """Return whether a joint moves its bodies by itself."""
    settings, spans = survey.settings_of(ends), survey.within[ends.joint.settings]
    acting = acting_drives(settings, spans)
    return any(drive.pulls_to_place or drive.velocity_target for drive in acting)


def _is_of_mesh(survey: Survey, parts: Iterable[int]) -> bool:
    """Return whether a body's inertia is only not known as nobody has measured a mesh."""
    shapes = (survey.mechanism.shape_of(survey.mechanism.nodes[part]) for part in parts)
    return any(isinstance(shape, MeshShape) for shape in shapes)


def _is_even(inertia: Rotation) -> bool:
    """Return whether a body turns alike about all axes."""
    even = turned(IDENTITY_ROTATION, (inertia[0][0],) * 3)
    return difference(inertia, even) <= EVEN * max(inertia[i][i] for i in range(3))


def _spins_aside(node: Node, inertia: Rotation | None) -> bool:
    """Return whether a body on its own starts to turn about none of its principal axes."""
    axis = normalized(spin_of(node))
    about = inertia and apply(inertia, axis)
    return not about or hypot(*cross(axis, about)) > ASIDE * dot(axis, about)


def _swings_aside(
    survey: Survey, index: int, centre: Vector3, ends: Ends, inertia: Rotation
) -> bool:
    """Return whether gravity turns a body about an axis that is none of its principal ones."""
    motion = survey.mechanism.nodes[index].motion
    arm = minus(centre, translation_of(survey.mechanism.nodes[ends.index].world))
    reach, gravity = hypot(*arm), survey.mechanism.gravity or DOWN
    is_loose = all(map(survey.is_dynamic, ends.bodies)) and len(ends.bodies) > 1
    if motion is None or reach == 0.0 or not (is_loose or motion.gravity_factor):
        return False
    ways = []
    if is_loose:
        ways.append(arm)  # What holds it moves too, and pulls it any way: round about this at least
    torque = cross(arm, gravity)
    if hypot(*torque) > LEVEL * reach * hypot(*gravity):
        ways.append(torque)
    for axis in map(normalized, ways):
        about = apply(inertia, axis)
        swung = dot(axis, about) + motion.mass * reach * reach
        if hypot(*cross(axis, about)) > ASIDE * swung:
            return True
    return False
