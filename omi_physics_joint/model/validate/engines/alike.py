# SPDX-License-Identifier: GPL-3.0-or-later
"""What several readers do otherwise that are seen in the same thing, each by a code of its own.

Among it is what they make of two materials that touch, that joints say nothing to some, and that a
file says nothing to others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import hypot, inf, pi

from ...body import GRIP, CollisionFilter, Combine, MotionType, PhysicsMaterial, mixed
from ...godot.settings import acting_drives
from ...issue import Issue
from ...joint import DriveMode, Freedom, JointSettings
from ...readers import OF_STAGES, PROFILES
from ...settings.keyed import is_keyed
from ...settings.together import KINDS, together_in
from ...shape import Capsule, Cylinder
from ...wording.words import listed, some
from ..survey import Survey

ACCELERATION = tuple(
    f"{one}-acceleration" for one in ("godot", "babylon", "unity", "newton", "physx")
)
ONE_BOUND = ("viewers-one-bound", "physx-one-bound")
TOGETHER = ("viewers-together", "godot-together")
TAPERED = ("godot-tapered", "newton-tapered", "physx-tapered")
FILTERED = ("godot-filter", "unity-filter")
NO_FORCE = ("babylon-no-force", "newton-no-force")
FULL_TURN = ("godot-full-turn", "physx-full-turn")
GRAVITY = ("godot-gravity-factor", "unity-gravity-factor")
LED = tuple(f"{one}-kinematic-velocity" for one in ("godot", "newton", "physx"))
KEYED = ("newton-keyed", "physx-keyed")
FASTEST = 47.1
"""rad/s: Jolt lets nothing turn faster."""
FAST = {"godot-fast": FASTEST, "physx-fast": 100.0}
TURNED = 1e-6
"""rad of a bound beyond half a turn that do not count."""


def alike_issues(survey: Survey) -> Iterator[Issue]:
    """Yield it of all of them; what is not of the readers of a scene is not said."""
    for index, settings in enumerate(survey.mechanism.settings):
        for codes, word, said in _of_settings(survey, index, settings):
            for code in codes:
                yield survey.at_settings(code, index, says="", mend="", **{word: said})
        for drive in acting_drives(settings, survey.within[index]):
            turns = drive.type is Freedom.ANGULAR and abs(drive.velocity_target or 0.0)
            for code, most in FAST.items():
                if turns > most:
                    what = f"The drive {survey.way(drive)} turns"
                    yield survey.at_settings(code, index, what=what, most=most)
        ways = [survey.way(drive) for drive in settings.drives]
        if ways:
            are = "is" if len(ways) == 1 else "are"
            yield survey.at_settings("viewers-drive", index, ways=some(ways), are=are)
    yield from _of_bodies(survey)
    yield from _of_colliders(survey)
    bounded = [any(span.is_bounded for span in spans) for spans in survey.spans]
    found = {
        ("babylon-stops",): [ends.index for ends in survey.joints if bounded[ends.joint.settings]],
        ("physx-stops",): [
            ends.index
            for ends in survey.joints
            if bounded[ends.joint.settings] or together_in(survey.settings_of(ends).limits)
        ],
        KEYED: [
            ends.index
            for ends in survey.joints
            if ends.joint.keys or is_keyed(survey.settings_of(ends))
        ],
    }
    for codes, nodes in found.items():
        for code in codes:
            yield from survey.of_nodes(code, nodes)


def _of_bodies(survey: Survey) -> Iterator[Issue]:
    for index, motion in survey.mechanism.motions():
        spin = hypot(*motion.angular_velocity) if survey.is_dynamic(index) else 0.0
        for code, most in FAST.items():
            if spin > most:
                yield survey.at_node(code, index, what="This body starts", most=most)
        if motion.type is MotionType.KINEMATIC and not motion.is_still:
            yield from (survey.at_node(code, index) for code in LED)
        if motion.gravity_factor != 1.0 and survey.is_dynamic(index):
            yield from (survey.at_node(code, index) for code in GRAVITY)


def _of_colliders(survey: Survey) -> Iterator[Issue]:
    """Yield what is lost of colliders, each kind once."""
    mechanism, found = survey.mechanism, defaultdict[str, list[int]](list)
    for index, node, collider in mechanism.colliders():
        codes: tuple[str, ...] = ()
        shape, at = mechanism.shape_of(node), collider.physics_material
        if isinstance(shape, Capsule | Cylinder):
            is_tapered = shape.radius_bottom != shape.radius_top
            codes = ("godot-round", *(TAPERED if is_tapered else ()))
            if is_tapered or isinstance(shape, Cylinder):
                codes += ("unity-round",)
        if at is not None and not _is_plain(mechanism.physics_materials[at]):
            codes += ("godot-material",)
        meets = collider.collision_filter
        if meets is not None and not _is_plain(mechanism.collision_filters[meets]):
            codes += FILTERED
        for code in codes:
            found[code].append(index)
    for code, nodes in found.items():
        yield from survey.of_nodes(code, nodes)


def _is_plain(one: PhysicsMaterial | CollisionFilter) -> bool:
    """Return whether a material or a filter says nothing but what goes without saying."""
    return replace(one, name="", unknown="") == type(one)()


def _of_settings(
    survey: Survey, index: int, settings: JointSettings
) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield codes about joint settings, with the word that they take and what stands for it."""
    for drive in settings.drives:
        if drive.mode is DriveMode.ACCELERATION:
            yield ACCELERATION, "way", survey.way(drive)
        if drive.max_force == 0.0:
            yield NO_FORCE, "way", survey.way(drive)
    for span in survey.spans[index]:
        if span.is_one_sided:
            yield ONE_BOUND, "way", survey.way(span)
    for span in survey.within[index][3:]:
        if any(pi + TURNED < abs(bound) < inf for bound in (span.low, span.high)):
            yield FULL_TURN, "way", survey.way(span)
    for limit in settings.limits:
        for freedom in filter(limit.is_together, Freedom):
            yield TOGETHER, "kind", KINDS[freedom, len(limit.axes(freedom))]


JOINTLESS = ("godot-no-joints", "unity-no-joints", "viewers-no-joints")


def jointless_issues(survey: Survey) -> Iterator[Issue]:
    """Yield of each reader that holds no joints that it does not, once for all of them."""
    for code in JOINTLESS:
        if code in survey.differences:
            yield from survey.of_nodes(code, [ends.index for ends in survey.joints])


def unserved_issues(survey: Survey) -> Iterator[Issue]:
    """Yield the readers that a scene is meant for and that its file is not for, said once."""
    if not any(node.is_physical for node in survey.mechanism.nodes):
        return
    profiles = [PROFILES[one] for one in PROFILES if one in survey.readers - OF_STAGES]
    misled = [one.name for one in profiles if survey.target not in one.targets]
    if misled:
        yield survey.at_scene("reader-misled", readers=listed(misled))
    deaf = [
        one.name for one in profiles if not one.dialects & survey.spoken and one.name not in misled
    ]
    if deaf:
        yield survey.at_scene("reader-deaf", readers=listed(deaf))


SAME = 1e-3
"""Friction or restitution that does not count."""
PHYSX_ORDER = (Combine.MAXIMUM, Combine.MULTIPLY, Combine.MINIMUM, Combine.AVERAGE)
Mixed = tuple[float, float, float]


def _in_godot(a: PhysicsMaterial, b: PhysicsMaterial) -> Mixed:
    """Return what Jolt makes of what our add-on says: half of each bounce, which it adds."""
    rubs = abs(min(map(_signed, (a, b))))
    return rubs, rubs, 0.5 * (min(a.restitution, 1.0) + min(b.restitution, 1.0))


def _signed(one: PhysicsMaterial) -> float:
    """Return friction, below zero if it counts whatever the other one is."""
    is_rough = one.friction_combine is Combine.MAXIMUM
    return -one.dynamic_friction if is_rough else one.dynamic_friction


MIXES: dict[str, Callable[[PhysicsMaterial, PhysicsMaterial], Mixed]] = {
    "godot-combine": _in_godot,
    "physx-combine": partial(mixed, order=PHYSX_ORDER),
}


def material_issues(survey: Survey) -> Iterator[Issue]:
    """Yield the colliders whose materials an engine makes something else of where they touch."""
    mechanism = survey.mechanism
    found = {at: mechanism.material_of(one) for at, _, one in mechanism.colliders()}
    moving = {one for at, one in found.items() if mechanism.is_dynamic(mechanism.body_of(at))}
    for code, made in MIXES.items():
        pairs = [(a, b) for a in moving for b in {*found.values()}]
        both = [(pair, zip(made(*pair), mixed(*pair), strict=True)) for pair in pairs]
        off = {one for pair, of in both if any(abs(a - b) > SAME for a, b in of) for one in pair}
        said = [at for at, one in found.items() if one in off and one is not GRIP]
        yield from survey.of_nodes(code, said)
