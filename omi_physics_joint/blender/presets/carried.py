# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints carry: mass on springs, inertia about hinges, in a loop all that it moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from math import inf, prod

import bpy
import numpy as np
from bpy.types import Object

from ...model.joint import Freedom
from ...model.mechanics.masses import Mass, about, diagonal, summed, times
from ...model.settings.spans import locked_axes
from ...weighing.leverage import Held, Moved, moved_by
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
    loop, gravity = driven_loop(joint), bpy.context.scene.gravity
    if loop is not None:
        return loop.inertia, float(np.linalg.norm(loop.pull)) * gravity.length
    axis, inertias, pulls = aimed_axis(settings_of(joint)), [], [0.0]
    if axis is None or None in bodies_of(joint):
        return 0.0, 0.0
    along = joint.matrix_world.col[axis].to_3d().normalized()
    ends, beside = _mechanism_of(joint)
    sides = [_reached(beside, {end}) for end in ends[joint]]
    if sides[0] == sides[1]:  # a loop that is too large, or does not move
        sides = [{end} for end in ends[joint]]
    for side in sides:
        if None not in side:
            whole, line = _together(side), np.array(along)
            x, y, z = joint.matrix_world.translation
            inertias.append(float(line @ np.array(about(whole, (x, y, z))) @ line))
            arm = float(np.linalg.norm(np.cross(line, np.array(whole.centre) - (x, y, z))))
            pulls.append(whole.mass * arm * along.cross(gravity).length)
    both = len(inertias) == 2
    inertia = prod(inertias) / sum(inertias) if both else sum(inertias)
    return inertia, 0.0 if _slides(joint) else max(pulls)


@seen_once
def driven_loop(joint: Object) -> Moved | None:
    """Return what the one axis of a joint moves where the joint closes a loop, else None.

    What hangs on one body of the loop moves with that body. Where nothing stands still, the
    heaviest does.
    """
    settings, (ends, beside) = settings_of(joint), _mechanism_of(joint)
    axis, own = aimed_axis(settings), {*ends[joint]}
    if axis is None or len(own) < 2 or len(beside) > MOST_BODIES:
        return None
    if not own <= _reached(beside, {ends[joint][0]}):
        return None
    beyond = {body: beside.keys() - _reached(beside, own - {body}, {body}) for body in beside}
    loop = {body for body in beside if sum(body in hung for hung in beyond.values()) == 1}
    joints = [one for one, (a, b) in ends.items() if a != b and {a, b} <= loop]
    if len(loop) > MOST_LINKS:
        return None
    weights = {body: _together(beyond[body]) for body in loop if None not in beyond[body]}
    if len(weights) == len(loop):
        del weights[max(weights, key=lambda body: weights[body].mass)]
    number = {body: i for i, body in enumerate(weights)}
    held = [_held(one, (number.get(ends[one][0]), number.get(ends[one][1]))) for one in joints]
    return moved_by([*weights.values()], held, axis + 3 * turns_about(settings, axis))


@seen_once
def _mechanism_of(joint: Object) -> tuple[dict[Object, tuple[_End, _End]], dict[_End, set[_End]]]:
    """Return the ends of all joints that a joint is connected to, and what others join to a body.

    The joint is the first of them.
    """

    def ends_of(one: Object) -> tuple[_End, _End]:
        first, second = (body if body and _mass(body) < inf else None for body in bodies_of(one))
        return first, second

    found = {joint: ends_of(joint)}
    beside: dict[_End, set[_End]] = {end: set() for end in found[joint]}
    bodies = list(filter(None, beside))
    for body in bodies:  # grows while it is walked
        for one, _ in joints_on(body):
            if one not in found and not is_muted(one):
                first, second = found[one] = ends_of(one)
                bodies += [end for end in found[one] if end and end not in beside]
                beside.setdefault(first, set()).add(second)
                beside.setdefault(second, set()).add(first)
    return found, beside


def _reached(
    beside: Mapping[_End, Set[_End]], start: Set[_End], but: Set[_End] = frozenset()
) -> set[_End]:
    """Return what bodies are joined to by others than some, and they themselves."""
    found, ahead = {*start}, list(start)
    for body in ahead:  # grows while it is walked
        new = beside[body] - found - but
        found |= new
        ahead += new
    return found


def _together(bodies: Iterable[_End]) -> Mass:
    """Return several bodies as one, by their convex hulls."""
    parts = []
    for body in filter(None, bodies):
        hull, mass = _hull(body), max(_mass(body), LEAST)
        if hull is None:
            x, y, z = body.matrix_world.translation
            parts.append(Mass(mass, (x, y, z), diagonal(*[LEAST * mass] * 3)))
        else:
            parts.append(times(hull, mass / hull.mass))
    whole = summed(parts)
    assert whole is not None  # each of them weighs something
    return whole


def _held(joint: Object, ends: tuple[int | None, int | None]) -> Held:
    settings, matrix = settings_of(joint), joint.matrix_world
    place, axes = np.array(matrix.translation), np.array(matrix.to_3x3())
    straight, turned = (locked_axes(settings, freedom) for freedom in Freedom)
    locked = [*straight, *(axis + 3 for axis in turned)]
    return Held(ends, place, axes / np.linalg.norm(axes, axis=0), locked)


def _mass(body: Object) -> float:
    """Return the mass of a body in kg, infinite where no force moves it."""
    data = body.omi_physics_body
    return data.mass if data.type == "dynamic" and not data.infinite_mass else inf
