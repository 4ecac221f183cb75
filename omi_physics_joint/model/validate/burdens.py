# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints under load: drives too weak, soft locks too soft, and bounds that throw a body back."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import inf, isfinite, pi

from ..body import MotionType, Vector3
from ..geometry.frames import is_flat, is_sound, rigid_frame
from ..geometry.transform import cross, dot, linear_part, minus, times, translation_of, transpose
from ..godot.settings import acting_drives
from ..issue import Issue
from ..joint import AXES, Drive, DriveMode, Freedom
from ..mechanics.inertias import centre_of
from ..mechanics.rebound import Lead, throws_back
from ..mechanics.sagging import SOFTNESS, Sag, hanging_body, sags, weight_of
from ..mechanism import EARTH
from ..settings.coordinates import coordinates
from ..settings.keyed import is_keyed
from ..settings.spans import span_on
from ..wording.describe import drive_kind
from ..wording.words import number
from .survey import Ends, Survey


def parts_of_single_bodies(survey: Survey) -> dict[int | None, Sequence[int]]:
    """Return the nodes of each body that forces move and that one joint holds."""
    joints = Counter(body for ends in survey.joints for body in ends.bodies)
    single = (body for body, count in joints.items() if count == 1 and survey.is_dynamic(body))
    return {body: survey.parts[body] for body in single}


def is_thrown_back(
    survey: Survey, ends: Ends, parts: Mapping[int | None, Sequence[int]], left: float | None = None
) -> bool:
    """Return whether a body may strike a bound so fast that what is given back is noticed.

    That is known of a body that one joint alone leads, one way, from what stands still.

    Args:
        survey: of the mechanism.
        ends: the joint with the bound.
        parts: what ``parts_of_single_bodies`` returns.
        left: part of the speed that a bound gives back; None is what Godot's do.
    """
    nodes, settings = survey.mechanism.nodes, survey.settings_of(ends)
    spans = survey.within[ends.joint.settings]
    body = ends.body if ends.body in parts else ends.connected_body
    other = ends.connected_body if body == ends.body else ends.body
    motion = None if other is None else nodes[other].motion
    if (
        body is None
        or body not in parts
        or (motion is not None and motion.type is not MotionType.STATIC)
        or is_keyed(settings)
        or any(limit.is_soft for limit in settings.limits)
        or any(d.pulls_to_place or d.velocity_target for d in acting_drives(settings, spans))
        or is_flat(linear_part(nodes[body].world))
    ):
        return True
    led = lead_of(survey, ends, body)
    return led is None or throws_back(survey.mechanism, body, parts[body], led[0], left)


def lead_of(survey: Survey, ends: Ends, body: int) -> tuple[Lead, float] | None:
    """Return the one way that a joint lets a body go, and its value at rest; None of others."""
    ways, spans = survey.worlds(ends), survey.within[ends.joint.settings]
    free = [index for index, span in enumerate(spans) if not span.is_locked]
    if len(free) != 1 or any(is_flat(linear_part(world)) for world in ways):
        return None
    frame, connected = (rigid_frame(world, survey.settings_of(ends)) for world in ways)
    span, value = spans[free[0]], coordinates(spans, frame, connected)[free[0]]
    low, high = min(span.low - value, 0.0), max(span.high - value, 0.0)
    # The value is the pose of the connected body.
    x, y, z = transpose(linear_part(frame))[span.axis]
    axis = times((x, y, z), -1.0 if body == ends.body else 1.0)
    return Lead(span.freedom is Freedom.ANGULAR, translation_of(frame), axis, low, high), value


SAG = 0.01
"""m that a soft lock may give way under the weight of a body without a word."""
SPARE = 1.1
"""Times its largest force that a drive bears without a word: centres of meshes are guessed."""
FAR = pi / 6.0
"""rad that a spring may give way without a word."""
NEAR = 1e-3
"""rad or m from its target, or from a bound, at which a joint is there."""


def burden_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what gives way by weight."""
    yield from _sagging(survey)
    beside: dict[int, list[Ends]] = defaultdict(list)
    for ends in survey.joints:
        for body in ends.bodies:
            beside[body].append(ends)

    @cache
    def pull_of(body: int) -> tuple[Vector3, Vector3]:
        """Return where gravity pulls a body, m, and how much, N; what is endless does not fall."""
        motion = survey.mechanism.nodes[body].motion
        mass = 0.0 if motion is None else motion.mass * motion.gravity_factor
        force = times(survey.mechanism.gravity or EARTH, mass if isfinite(mass) else 0.0)
        return centre_of(survey.mechanism, body, survey.parts[body]), force

    for ends in survey.joints:
        for drive in survey.settings_of(ends).drives:
            is_force = drive.mode is DriveMode.FORCE and not drive.keys and drive.axis in AXES
            seeks = drive.pulls_to_place or drive.velocity_target
            if is_force and (drive.max_force < inf or seeks):
                yield from _weak(survey, ends, drive, _hanging(survey, ends, beside), pull_of)


def _most(drive: Drive, way: float, gives: float) -> float:
    """Return the most that a drive does to lift, in N or N m; a brake lifts nothing.

    A spring sinks to where it bears what it carries, as far as it may give way.
    """
    most = drive.damping * abs(way)
    if drive.pulls_to_place:
        most = drive.stiffness * (abs(way) + gives)
    return min(drive.max_force, most) if most else inf


def _hanging(survey: Survey, ends: Ends, beside: Mapping[int, list[Ends]]) -> list[int]:
    """Return the bodies that a joint alone bears, first its own; none where nobody knows.

    What falls as a whole has no weight, and of a loop several joints bear what hangs there.
    """
    sides = [[body] for body in ends.bodies]
    for side in sides:
        for one in side:  # grows while it is walked
            joints = beside[one] if survey.is_dynamic(one) else ()
            more = dict.fromkeys(b for joint in joints if joint is not ends for b in joint.bodies)
            side += [b for b in more if b not in side]
    free = [side for side in sides if all(map(survey.is_dynamic, side))]
    return free[0] if len(sides) == 2 and len(free) == 1 else []


def _weak(
    survey: Survey,
    ends: Ends,
    drive: Drive,
    hanging: list[int],
    pull_of: Callable[[int], tuple[Vector3, Vector3]],
) -> Iterator[Issue]:
    """Yield a drive that cannot hold, or begin to lift, all that its joint carries at rest."""
    nodes = survey.mechanism.nodes
    led = lead_of(survey, ends, hanging[0]) if hanging else None
    span = span_on(survey.spans[ends.joint.settings], drive.type, drive.axis)
    if led is None or span.is_locked or not all(is_sound(nodes[body].world) for body in hanging):
        return
    pull, (lead, value) = 0.0, led
    for body in hanging:
        centre, force = pull_of(body)
        arm = minus(centre, lead.origin)
        pull += dot(lead.axis, cross(arm, force) if lead.turns else force)
    way = drive.velocity_target or 0.0
    if drive.pulls_to_place:
        way = (drive.position_target or 0.0) - value
    room = lead.high if pull > 0.0 else -lead.low
    is_stuck, is_wide = room < NEAR, lead.turns and room >= FAR
    helps = abs(way) >= NEAR and way * pull > 0.0
    most = _most(drive, way, 0.0 if is_stuck else FAR if is_wide else inf)
    if not (helps or (is_stuck and abs(way) < NEAR)) and abs(pull) > SPARE * most:
        unit, ends_so = "N m" if lead.turns else "N", "stays there" if is_stuck else "sinks"
        words = {"drive": f"{drive_kind(drive)} {survey.way(drive)}", "so": ends_so}
        words |= {"most": f"{number(most, 3)} {unit}", "pull": f"{number(abs(pull), 3)} {unit}"}
        if drive.pulls_to_place and is_wide and most < drive.max_force:
            words["most"] += f" within {survey.words.say(FAR, Freedom.ANGULAR)}"
        words["body"] = survey.name(hanging[0])
        yield survey.at_node("drive-too-weak", ends.index, **words)


def _sagging(survey: Survey) -> Iterator[Issue]:
    """Yield, for every settings, the joint whose soft locks sag most under a body."""
    sagging: dict[int, list[tuple[Sag, str]]] = defaultdict(list)
    for ends in survey.joints:
        index = ends.joint.settings
        body = hanging_body(survey.mechanism, ends.body, ends.connected_body)
        limits = survey.settings_of(ends).limits
        if body is None or not any(limit.is_soft for limit in limits):
            continue
        weight = weight_of(survey.mechanism, body)
        found = sags(survey.mechanism, ends.index, limits, survey.spans[index], weight)
        locks = [one for one in found if one.is_lock and one.distance > SAG and isfinite(weight)]
        if locks:
            most = max(locks, key=lambda one: one.distance)
            sagging[index].append((most, survey.name(body)))
    for index, several in sagging.items():
        (sag, name), others = max(several, key=lambda one: one[0].distance), len(several) - 1
        more = f", and {others} other{'s' if others > 1 else ''} of these joints sag" * (others > 0)
        godot = " Such small numbers are Godot's softness, not a stiffness."
        yield survey.at_settings(
            "soft-lock-sags",
            index,
            stiffness=number(sag.stiffness),
            body=name,
            distance=survey.words.say(sag.distance, Freedom.LINEAR),
            more=more,
            godot=godot if sag.stiffness <= SOFTNESS else "",
            least=number(sag.load / SAG),
        )
