# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints carry: mass on springs, inertia about hinges, in a loop all that it moves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from math import inf, prod

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Vector

from ...model.joint import Freedom
from ...model.settings.spans import locked_axes
from ...weighing.leverage import Held, Moved, Weight, moved_by, together
from ..between_bodies.contact import middle_of
from ..between_bodies.descendants import joints_on, seen_once
from ..bridge.placed import bodies_of, is_muted
from ..bridge.read_settings import settings_of
from ..bridge.solids import hull_in_world
from ..joints.editing import aimed_axis, turns_about

_End = Object | None
"""A body at the end of a joint; None is all that stands still."""
LEAST = 1e-9
"""kg that a body in a loop has at least, and m^2 of a flat one's inertia for each kg."""
MOST_BODIES, MOST_LINKS = 100, 40
"""Of a mechanism whose loops are looked at, and of a loop: a twentieth of a second each."""


def mass_on(joint: Object, chosen: Set[Object]) -> float:
    """Return the mass that a spring bears, in kg: a share of what ``borne_by`` says.

    What else slides on that body bears the rest of it, as the four springs of a car do. In a loop
    it is what the loop is to it, if that is more.
    """
    heavy = borne_by(joint)
    if heavy is None:
        return 0.0
    loop = driven_loop(joint) if _slides(joint) else None
    mass = max(_mass(heavy), 0.0 if loop is None else loop.inertia)
    return mass / sum(one in chosen or _slides(one) for one, _ in joints_on(heavy))


def borne_by(joint: Object) -> Object | None:
    """Return the body that a spring bears: the heavier one that forces move, or the higher one."""
    bodies = [body for body in bodies_of(joint) if body is not None and _mass(body) < inf]
    return max(bodies, key=lambda body: (_mass(body), middle_of(body).z), default=None)


def _slides(joint: Object) -> bool:
    settings = settings_of(joint)
    axis = aimed_axis(settings)
    return axis is not None and not turns_about(settings, axis)


_hull = seen_once(hull_in_world)


@seen_once
def turned_by(joint: Object) -> tuple[float, float]:
    """Return the inertia of what turns about a joint's axis, and what gravity turns it with.

    In kg m^2, of two sides that move that of both against each other, and in N m, of the side that
    it turns more; by convex hulls. Of what slides it is mass, in kg, and N, and only in a loop.
    """
    loop, strong = driven_loop(joint), bpy.context.scene.gravity.length
    if loop is not None:
        return loop.inertia, float(np.linalg.norm(loop.pull)) * strong
    bodies, axis = bodies_of(joint), aimed_axis(settings_of(joint))
    inertias, pulls = [], [0.0]
    if axis is None or None in bodies:
        return 0.0, 0.0
    place, line = joint.matrix_world.translation, joint.matrix_world.col[axis].to_3d().normalized()
    along = np.array(line)
    for end in bodies:
        inertia, pull = 0.0, Vector()
        for body in [] if end is None or _mass(end) == inf else _borne(joint, end):
            hull = _hull(body)
            if hull is not None:
                spread, arm = np.array(hull.spread), Vector(hull.centre) - place
                own = (np.trace(spread) - along @ spread @ along) / hull.volume
                arm -= arm.project(line)
                inertia += float(_mass(body) * (own + arm.length_squared))
                pull += _mass(body) * arm
        inertias += [inertia] * (inertia > 0.0)
        pulls.append(pull.length * line.cross(bpy.context.scene.gravity).length)
    both = len(inertias) == 2
    inertia = prod(inertias) / sum(inertias) if both else sum(inertias)
    return inertia, 0.0 if _slides(joint) else max(pulls)


@seen_once
def driven_loop(joint: Object) -> Moved | None:
    """Return what the one axis of a joint moves where the joint closes a loop, else None.

    What hangs on one body of the loop moves with that body. Where nothing stands still, the
    heaviest does.
    """
    settings, ends = settings_of(joint), _mechanism_of(joint)
    axis, beside = aimed_axis(settings), defaultdict[_End, list[_End]](list)
    for one, other in ends.values():
        beside[one].append(other)
        beside[other].append(one)
    if axis is None or len(beside) > MOST_BODIES:
        return None
    beyond = {body: beside.keys() - _reached(beside, ends[joint], body) for body in beside}
    loop = {body for body in beside if sum(body in hung for hung in beyond.values()) == 1}
    joints = [one for one, (a, b) in ends.items() if a is not b and {a, b} <= loop]
    if len(joints) < 2 or len(loop) > MOST_LINKS:
        return None
    weights = {body: _together(beyond[body]) for body in loop if None not in beyond[body]}
    if len(weights) == len(loop):
        del weights[max(weights, key=lambda body: weights[body].mass)]
    number = {body: i for i, body in enumerate(weights)}
    held = [_held(one, (number.get(ends[one][0]), number.get(ends[one][1]))) for one in joints]
    return moved_by([*weights.values()], held, axis + 3 * turns_about(settings, axis))


def _mechanism_of(joint: Object) -> dict[Object, tuple[_End, _End]]:
    """Return the bodies of all joints that a joint is connected to, itself first."""

    def ends_of(one: Object) -> tuple[_End, _End]:
        first, second = (body if body and _mass(body) < inf else None for body in bodies_of(one))
        return first, second

    found = {joint: ends_of(joint)}
    bodies, known = list(filter(None, found[joint])), {*found[joint]}
    for body in bodies:  # grows while it is walked
        for one, _ in joints_on(body):
            if one not in found and not is_muted(one):
                found[one] = ends_of(one)
                bodies += [end for end in found[one] if end and end not in known]
                known.update(found[one])
        if len(bodies) > MOST_BODIES:
            break
    return found


def _reached(beside: Mapping[_End, list[_End]], start: tuple[_End, _End], but: _End) -> set[_End]:
    """Return what the ends of a joint are connected to by others than a body."""
    found = {body for body in start if body != but}
    ahead = list(found)
    for body in ahead:  # grows while it is walked
        new = {*beside[body]} - found - {but}
        found |= new
        ahead += new
    return found


def _together(bodies: Iterable[_End]) -> Weight:
    """Return several bodies as one, by their convex hulls."""
    parts = []
    for body in filter(None, bodies):
        hull, mass = _hull(body), max(_mass(body), LEAST)
        if hull is None:
            middle = np.array(body.matrix_world.translation)
            parts.append(Weight(mass, middle, LEAST * mass * np.eye(3)))
        else:
            spread = np.array(hull.spread) * mass / hull.volume
            inertia = np.trace(spread) * np.eye(3) - spread
            parts.append(Weight(mass, np.array(hull.centre), inertia))
    return together(parts)


def _held(joint: Object, ends: tuple[int | None, int | None]) -> Held:
    settings, matrix = settings_of(joint), joint.matrix_world
    place, axes = np.array(matrix.translation), np.array(matrix.to_3x3())
    straight, turned = (locked_axes(settings, freedom) for freedom in Freedom)
    locked = [*straight, *(axis + 3 for axis in turned)]
    return Held(ends, place, axes / np.linalg.norm(axes, axis=0), locked)


def _borne(joint: Object, body: Object) -> list[Object]:
    """Return a body of a joint with all that hangs on it; it alone where others bear it too."""
    side = [body]
    for one in side:  # grows while it is walked
        found = dict.fromkeys(other for at, other in joints_on(one) if other and at != joint)
        beyond = [other for other in found if other not in side]
        if any(_mass(other) == inf or other in bodies_of(joint) for other in beyond):
            return [body]
        side += beyond
    return side


def _mass(body: Object) -> float:
    """Return the mass of a body in kg, infinite where no force moves it."""
    data = body.omi_physics_body
    return data.mass if data.type == "dynamic" and not data.infinite_mass else inf
