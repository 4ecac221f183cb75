# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that turn about changing axes, which Godot moves without gyroscopic forces.

A body needs none that turns alike about all axes, or that joints lead from what physics does not
move. One that hangs on a pin needs them unless gravity turns it about one of its principal axes:
measured, from a part of 0.0005 on they turn it by up to half a turn within a second.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import hypot, isfinite

from ...body import ZERO, Motion, Vector3
from ...geometry.frames import is_flat
from ...geometry.transform import Rotation, apply, cross, dot, linear_part, translation_of
from ...godot.settings import drive_on, pulls_to_place, turning_axes
from ...issue import Issue
from ...joint import AXES
from ...mechanics.inertias import centre_of, inertia_of
from ...settings.spans import span_on
from ...wording.on_axes import named
from ..survey import Ends, Survey

EVEN = 1e-3
"""Parts of the largest inertia that do not count."""
ASIDE = 5e-4
"""Part of the inertia about its joint that turns a body aside, from which it is said."""
LEVEL = 1e-3
"""Part of the distance to its joint by which a body hangs beside it, so that gravity turns it."""
DOWN = (0.0, -1.0, 0.0)


def tumbling_issues(survey: Survey) -> Iterator[Issue]:
    """Yield the bodies that tumble otherwise in Godot, said once."""
    guided = _guided(survey)
    joints: dict[int, list[Ends]] = defaultdict(list)
    for ends in survey.joints:
        for body in {ends.body, ends.connected_body} - {None}:
            joints[body].append(ends)  # type: ignore[index]
    parts: dict[int | None, list[int]] = defaultdict(list)
    for index in range(len(survey.mechanism.nodes)):
        parts[survey.bodies[index]].append(index)
    pushed = _reached(survey, joints, _pushed(survey, joints))
    hung = _reached(survey, joints, _hung(survey))
    names = []
    for index, node in enumerate(survey.mechanism.nodes):
        motion = node.motion
        if motion is None or not survey.is_dynamic(index) or index in guided:
            continue
        if is_flat(linear_part(node.world)) or not (motion.mass > 0.0 and isfinite(motion.mass)):
            continue
        inertia = inertia_of(survey.mechanism, index, parts[index])
        if inertia is None or _is_even(inertia):
            continue
        swings = index in hung and any(
            _swings_aside(survey, index, motion, ends, inertia) for ends in joints[index]
        )
        if swings or index in pushed:
            names.append(survey.name(index))
    if names:
        one = len(names) == 1
        who = f"Body {named(names)} turns" if one else f"Bodies {named(names)} turn"
        yield survey.at_scene("godot-tumbling", bodies=who)


def _guided(survey: Survey) -> set[int | None]:
    """Return the bodies that joints lead from what physics does not move, each about one axis."""
    neighbours: dict[int | None, list[int | None]] = {}
    for ends in survey.joints:
        if len(turning_axes(survey.within[ends.joint.settings])) <= 1:
            neighbours.setdefault(ends.body, []).append(ends.connected_body)
            neighbours.setdefault(ends.connected_body, []).append(ends.body)
    found: set[int | None] = set()
    waiting = [body for body in neighbours if not survey.is_dynamic(body)]
    while waiting:
        body = waiting.pop()
        if body not in found:
            found.add(body)
            waiting += neighbours.get(body, [])
    return found


def _pushed(survey: Survey, joints: dict[int, list[Ends]]) -> list[int]:
    """Return the bodies that something else than gravity sets turning."""
    pushed = []
    for index, node in enumerate(survey.mechanism.nodes):
        motion = node.motion
        if motion is None or not survey.is_dynamic(index):
            continue
        thrown = bool(joints[index]) and motion.linear_velocity != ZERO
        if thrown or motion.angular_velocity != ZERO:
            pushed.append(index)
    for ends in survey.joints:
        if _drives(survey, ends):
            pushed += [body for body in (ends.body, ends.connected_body) if body is not None]
    return pushed


def _hung(survey: Survey) -> list[int]:
    """Return the bodies that a joint keeps from falling freely."""
    hung = []
    for ends in survey.joints:
        both = (ends.body, ends.connected_body)
        if not all(map(survey.is_dynamic, both)):
            hung += [body for body in both if body is not None]
    return hung


def _reached(survey: Survey, joints: dict[int, list[Ends]], starts: list[int]) -> set[int]:
    """Return the dynamic bodies among some, and those that joints connect to them."""
    found: set[int] = set()
    waiting = list(starts)
    while waiting:
        body = waiting.pop()
        if body in found or not survey.is_dynamic(body):
            continue
        found.add(body)
        for ends in joints[body]:
            waiting += [one for one in (ends.body, ends.connected_body) if one is not None]
    return found


def _drives(survey: Survey, ends: Ends) -> bool:
    """Return whether a joint moves its bodies by itself."""
    settings, spans = survey.settings_of(ends), survey.within[ends.joint.settings]
    for drive in settings.drives:
        if drive.axis not in AXES:
            continue
        if drive_on(settings, span_on(spans, drive.type, drive.axis)) is not drive:
            continue
        if pulls_to_place(drive) or drive.velocity_target:
            return True
    return False


def _is_even(inertia: Rotation) -> bool:
    """Return whether a body turns alike about all axes."""
    largest = max(inertia[i][i] for i in range(3))
    return all(
        abs(inertia[i][j] - (inertia[0][0] if i == j else 0.0)) <= EVEN * largest
        for i in range(3)
        for j in range(3)
    )


def _swings_aside(
    survey: Survey, index: int, motion: Motion, ends: Ends, inertia: Rotation
) -> bool:
    """Return whether gravity turns a body about an axis that is none of its principal ones."""
    if motion.gravity_factor == 0.0:
        return False
    centre = centre_of(survey.mechanism.nodes[index].world, motion)
    place = translation_of(survey.mechanism.nodes[ends.index].world)
    arm = (centre[0] - place[0], centre[1] - place[1], centre[2] - place[2])
    length = hypot(*arm)
    if all(map(survey.is_dynamic, (ends.body, ends.connected_body))) and length > 0.0:
        # What holds it moves too, and pulls it any way: round about the arm at least.
        along: Vector3 = (arm[0] / length, arm[1] / length, arm[2] / length)
        twist = apply(inertia, along)
        across = hypot(*cross(along, twist))
        if across > ASIDE * (dot(along, twist) + motion.mass * length * length):
            return True
    gravity = survey.mechanism.gravity
    torque = cross(arm, DOWN if gravity is None else gravity)
    length, reach = hypot(*torque), hypot(*arm)
    pull = 1.0 if gravity is None else hypot(*gravity)
    if not length > LEVEL * reach * pull or reach == 0.0:
        return False
    axis: Vector3 = (torque[0] / length, torque[1] / length, torque[2] / length)
    about = apply(inertia, axis)
    swung = dot(axis, about) + motion.mass * reach * reach
    return hypot(*cross(axis, about)) > ASIDE * swung
