# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints whose bodies were moved apart or scaled after they were joined, and what grows along."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress
from math import hypot, inf, isfinite, pi, tau

import bpy
import numpy as np
from bpy.types import Object, Scene
from mathutils import Matrix, Vector

from ...model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from ...model.geometry.extent import diagonal, distance, extents
from ...model.geometry.frames import rigid_frame
from ...model.issue import Issue, Severity
from ...model.joint import Freedom
from ...model.settings.spans import axis_range, spans_of
from ...model.wording.describe import sole_axis, sole_freedom
from ...model.wording.words import number, some
from ..between_bodies.contact import room_of
from ..between_bodies.remembered import as_far, places_of, strayed
from ..bodies.mass import outdated_masses
from ..bridge.animation import is_led
from ..bridge.placed import PlacedObject, bodies_of, body_of, joints_in, objects_in, plain
from ..bridge.poses.frame_users import joint_of
from ..bridge.poses.second_frames import below, between, second_world, set_value, square, value_of
from ..bridge.poses.transforms import axis_and_angle, tidy
from ..bridge.read_nodes import SceneReading
from ..bridge.read_settings import settings_of
from ..data.units import said
from ..joints.authoring import AuthoringError, place_frame
from ..joints.settings_editing import block_without_keys, own_settings, users_of

EVEN = 1e-3
"""By which a scale may differ from one."""
OFF = 0.1
"""How far bodies may be taken apart at a joint, as a part of the length of the first, or in rad."""
NEARBY = 0.05
"""How far a joint may lie off the box of its body-to-be, as a part of its diagonal."""
FIELDS = (
    ("limits", "axes", ("linear_min", "linear_max")),
    ("drives", "axis", ("linear_position_target",)),
)
"""Lists of settings, what says on which axes an item is, and its fields in m."""
STRENGTHS = ("stiffness", "damping", "max_force")


def with_edits(
    found: Iterable[Issue],
    moved: Iterable[Issue],
    reading: SceneReading,
    placed: Sequence[PlacedObject],
    scene: Scene,
    *,
    is_moving: Callable[[Object], bool] = is_led,
) -> list[Issue]:
    """Return what was found and ``moved_since`` says, and what else was edited since.

    Of joints whose bodies are ``is_moving``, animation may have moved these apart.
    """
    joints = dict(joints_in(placed))
    both = {at: [*filter(None, bodies_of(joint))] for at, joint in joints.items()}
    away = [*strayed(joints.items(), scene)]
    astray = {body for one in away for body in both[one.node or 0]}
    lost = {at for at, one in enumerate(placed) if one.object in astray}
    # Of these it says only that their joint is not where it was.
    issues = [one for one in found if one.code != "center-on-hinge" or one.node not in lost]
    off = {one.node for one in issues if one.code in {"center-on-hinge", "center-outside"}}
    outdated = outdated_masses(reading, placed, scene)
    return [
        *away,
        *issues,
        *(one for one in moved if not any(map(is_moving, both[one.node or 0]))),
        *scaled_since(placed),
        *bodies_scaled_since(placed),
        *(one for one in outdated if one.code != "center-outdated" or one.node not in off),
    ]


def moved_since(
    reading: SceneReading, placed: Sequence[PlacedObject], scene: Scene
) -> Iterator[Issue]:
    """Yield a hint for each joint whose bodies were moved by hand.

    As it does not let them move; or as it does, a lid about its hinge and a drawer along its
    slider, where a range or target goes along, which stays where they are posed. A wheel
    that is copied with its joint, to another corner of the car, was joined there; turned round on
    its way, its motor runs against the other one.
    """
    lengths = extents(reading.mechanism)
    far: dict[Object, tuple[int, float, float]] = {}
    stays = defaultdict(list)
    for joint, index in {one: index for index, one in joints_in(placed)}.items():
        moved, body = _moved_on(joint), reading.mechanism.body_of(index)
        length = lengths.get(-1 if body is None else body, inf)
        stands = moved.translation.length <= OFF * length and moved.to_quaternion().angle <= OFF
        off, turned = (0.0, 0.0) if stands else _taken_apart(joint, moved)
        is_away = off > OFF * length
        if is_away or turned > OFF:
            far[joint] = index, off, 0.0 if is_away else turned
            continue
        stays[tuple(joint.omi_physics_joint.joined)].append(joint)  # as its copies have it
        if by := "" if stands else _gone_along(joint, moved, length, scene):
            what = f"It was moved by hand by {by} since it was joined, and its range went along."
            fix = "Press Fix if it is only open: the range then stays, as with Pose. Else leave it."
            yield Issue(Severity.HINT, "opened-since-joined", joint.name, what, fix, index)
    for joint, (index, off, turned) in far.items():
        alike = stays[tuple(joint.omi_physics_joint.joined)]
        copied = [one for one in alike if _is_copy(joint, one, OFF * off)]
        against = next((one.name for one in copied if _runs_against(joint, one)), "")
        if not copied:
            names = some([one.name for one in bodies_of(joint) if one is not None])
            by = said(turned or off, Freedom.ANGULAR if turned else Freedom.LINEAR, scene)
            how = f"moved apart since they were joined: by {by} at this joint"
            if turned:
                how = f"turned since they were joined, by {by} as it lets neither turn"
            what = f"{names} were {how}."
            fix = "Move them together again, or connect the joint anew if it is meant so."
            yield Issue(Severity.HINT, "moved-since-joined", joint.name, what, fix, index)
        elif against:
            what = f"It is a copy of {against}, turned round: their motors run against each other."
            fix = "Select it and press Flip, unless it is meant so."
            yield Issue(Severity.HINT, "turned-round", joint.name, what, fix, index)


def carried_apart(moved: Iterable[Issue], placed: Sequence[PlacedObject]) -> Iterator[Issue]:
    """Yield a warning for each joint one body of which an animation has carried off from the other.

    Of what ``moved_since`` says. A file of such a frame has the joint where they are now.
    """
    fix = "Export the rest pose, without Use Current Frame, or have both be where they were joined."
    joints = dict(joints_in(placed))
    for one in moved:
        bodies = filter(None, bodies_of(joints[one.node or 0]))
        if one.code == "moved-since-joined" and any(map(is_led, bodies)):
            yield replace(one, severity=Severity.WARNING, fix=fix)


def _runs_against(joint: Object, other: Object) -> bool:
    """Return whether motors of the same settings drive two joints about opposite axes."""
    settings, axis = settings_of(joint), sole_axis(settings_of(joint))
    if axis is None or joint.omi_physics_joint.settings != other.omi_physics_joint.settings:
        return False
    one, two = (obj.matrix_world.col[axis].to_3d().normalized() for obj in (joint, other))
    return one.dot(two) < EVEN - 1.0 and any(drive.velocity_target for drive in settings.drives)


def _is_copy(joint: Object, other: Object, off: float) -> bool:
    """Return whether one body of two joints is the same, and a joint lies at its other one.

    That may be mirrored.
    """
    ends = (joint.parent, below(joint)), (other.parent, below(other))
    near = [near for near, *two in zip(as_far(joint, off), *ends, strict=True) if len({*two}) > 1]
    return near == [True]


def _moved_on(joint: Object) -> Matrix:
    """Return how the second body of a joint has moved in its frame since both were joined."""
    first, second = places_of(joint)
    if first is None or second is None or joint.omi_physics_joint.connected_node is not None:
        return Matrix()
    now = square(joint.matrix_world)
    if growth_of(joint) is not None or not now.determinant():
        return Matrix()  # scaled as a whole, or flat, which other findings say
    return now.inverted() @ second @ first.inverted() @ now


def _taken_apart(joint: Object, moved: Matrix) -> tuple[float, float]:
    """Return how far bodies were moved and turned at their joint on axes that it holds, m, rad."""
    axis, angle = axis_and_angle(moved.to_quaternion())
    locked = [span.is_locked for span in spans_of(settings_of(joint).limits)]
    way = hypot(*compress(moved.translation, locked[:3]))
    return way, hypot(*compress(axis * (angle if angle < pi else tau - angle), locked[3:]))


def _gone_along(joint: Object, moved: Matrix, length: float, scene: Scene) -> str:
    """Return how far bodies were moved by hand on a joint's one axis, if its range went along."""
    settings = settings_of(joint)
    sole = sole_freedom(settings)
    bodies = filter(None, bodies_of(joint))
    if sole is None or value_of(joint) is not None or any(map(is_led, bodies)):
        return ""
    freedom, axis = sole
    turns, low_high = freedom is Freedom.ANGULAR, axis_range(settings, freedom, axis)
    is_placed = any(drive.position_target is not None for drive in settings.drives)
    if not (is_placed or any(map(isfinite, low_high))):
        return ""
    turned, angle = axis_and_angle(moved.to_quaternion())
    by = abs(turned[axis] * min(angle, tau - angle) if turns else moved.translation[axis])
    return said(by, freedom, scene) if by > OFF * (1.0 if turns else length) else ""


def count_from_joined(joint: Object) -> str:
    """Have the range and targets of a joint count from where it was joined: it is posed since."""
    set_value(joint, _moved_on(joint))
    return f"The range of {joint.name} is where it was joined again."


def put_back(joint: Object) -> str:
    """Put a joint back to where it was beside its bodies as it was joined.

    Raises:
        AuthoringError: no mesh says where that is.
    """
    bodies = (joint.parent, joint.omi_physics_joint.connected_body)
    both = zip(places_of(joint), bodies, strict=True)
    place = next((place for place, body in both if place and body.type == "MESH"), None)
    if place is None:
        message = f"No mesh says where {joint.name} was: place it by hand and connect it anew."
        raise AuthoringError(message)
    place_frame(joint, place)
    tidy(joint)
    return f"{joint.name} is at its bodies again as it was when they were joined."


def growth_of(joint: Object) -> Vector | None:
    """Return by what a joint has grown along its axes; None where its frame shows no scale.

    A new joint takes out of its frame what scale its body has by then; one that was read knows its
    scale in the file. What of a body's scale is applied later, Blender leaves to the frame.
    """
    whole, read = joint.matrix_world.to_3x3(), joint.omi_physics_joint.read_scale
    lengths = [column.length for column in whole.col]
    growth = [length / (before or 1.0) for length, before in zip(lengths, read, strict=True)]
    is_one = any(max(abs(part - 1.0) for part in one) < EVEN for one in (lengths, growth))
    return None if is_one or joint.parent is None or not whole.determinant() else Vector(growth)


def scaled_since(placed: Sequence[PlacedObject]) -> Iterator[Issue]:
    """Yield a hint for each joint that was scaled with its body, or alone, but for its numbers."""
    for joint, index in {one: index for index, one in joints_in(placed)}.items():
        lengths = growth_of(joint)
        if lengths is not None and any(True for _ in _ungrown(joint, lengths)):
            sizes = " \N{MULTIPLICATION SIGN} ".join(number(length, 3) for length in lengths)
            what = f"It was scaled by {sizes}, with its body or alone; its settings are as before."
            fix = "Scale these too, or apply the scale of the joint if it is meant so."
            yield Issue(Severity.HINT, "scaled-since-joined", joint.name, what, fix, index)


def bodies_scaled_since(placed: Sequence[PlacedObject]) -> Iterator[Issue]:
    """Yield a hint for each body of a file whose mass was not scaled along, but for its amount."""
    for obj, index in {one: index for index, one in objects_in(placed)}.items():
        growth, body = _growth_of_body(obj), obj.omi_physics_body
        if growth is not None and any((*body.center_of_mass, *body.inertia_diagonal)):
            sizes = " \N{MULTIPLICATION SIGN} ".join(number(size, 3) for size in growth)
            what = f"It was scaled by {sizes} since it was imported; its center of mass and "
            what += "moments of inertia are as before."
            fix = "Scale these too, or apply its scale if they are meant so; its mass stays."
            yield Issue(Severity.HINT, "scaled-since-read", obj.name, what, fix, index)


def grow_body(obj: Object) -> str:
    """Have center of mass and moments of inertia of an imported body grow along with its scale.

    What has grown unevenly has other axes of inertia: these follow from its colliders then.
    """
    growth, body = _growth_of_body(obj), obj.omi_physics_body
    if growth is None:
        raise AuthoringError(f"{obj.name} is not scaled.")
    is_even = max(growth) - min(growth) <= EVEN * max(growth)
    body.center_of_mass = [a * size for a, size in zip(body.center_of_mass, growth, strict=True)]
    body.inertia_diagonal = [part * is_even * growth[0] ** 2 for part in body.inertia_diagonal]
    body.read_scale = [*map(abs, obj.matrix_world.to_scale())]
    return f"Center of mass and moments of inertia of {obj.name} have grown along."


def _growth_of_body(obj: Object) -> Vector | None:
    """Return by what a body has grown along its axes since it was read; None where none shows."""
    body = obj.omi_physics_body
    if not body.is_body or not min(body.read_scale):
        return None
    scale = [*map(abs, obj.matrix_world.to_scale())]
    growth = [now / then for now, then in zip(scale, body.read_scale, strict=True)]
    is_one = any(max(abs(part - 1.0) for part in one) < EVEN for one in (scale, growth))
    return None if is_one or not min(scale) else Vector(growth)


def _ungrown(joint: Object, lengths: Vector) -> Iterator[tuple[str, int, str, float]]:
    """Yield the numbers of a joint that have not grown: list, number, field, and by what.

    Strengths grow as the inertia of what has grown evenly; masses that somebody entered stay.
    """
    block, is_even = joint.omi_physics_joint.settings, max(lengths) - min(lengths) <= EVEN
    weighed = any(one.omi_physics_body.weighed_from for one in bodies_of(joint) if one is not None)
    for name, on, fields in FIELDS if block is not None else ():
        for index, item in enumerate(getattr(block, name)):
            turns = item.freedom == "angular"
            used = [a for a in range(3) if (item.axes[a] if on == "axes" else int(item.axis) == a)]
            sizes = [] if turns else [lengths[axis] for axis in used]
            found = dict.fromkeys(fields, sizes[0] if sizes and np.ptp(sizes) <= EVEN else 1.0)
            if is_even and getattr(item, "mode", "force") == "force":
                found |= dict.fromkeys(STRENGTHS, lengths[0] ** (3 * weighed + 2 * turns))
            for field, times in found.items():
                is_used = getattr(item, f"use_{field}", True) and getattr(item, field, 0.0)
                if is_used and abs(times - 1.0) >= EVEN:
                    yield name, index, field, times


def grow_along(joint: Object) -> str:
    """Have the distances and strengths of a scaled joint grow along."""
    growth = growth_of(joint)
    if growth is None:
        raise AuthoringError(f"{joint.name} is not scaled.")
    found = list(_ungrown(joint, growth))
    if found:
        block = block_without_keys(joint, "scale its settings by hand")
        own = own_settings(block, [joint], alone=len(users_of(block)) > 1)
        for name, index, field, size in found:
            item = getattr(own, name)[index]
            setattr(item, field, getattr(item, field) * size)
    straighten(joint)
    return f"The distances and strengths of {joint.name} have grown along."


def straighten(frame: Object) -> str:
    """Take scale, shear and mirror out of a frame; its joint moves as it did."""
    joint = joint_of(frame)
    settings = Y_UP_FROM_Z_UP.settings(settings_of(frame if joint is None else joint))

    def rigid(world: Matrix) -> Matrix:
        found = rigid_frame(Y_UP_FROM_Z_UP.matrix(plain(world)), settings)
        return Matrix(Z_UP_FROM_Y_UP.matrix(found))

    straight, second = rigid(frame.matrix_world), second_world(frame)
    if second is not None and value_of(frame) is not None:
        set_value(frame, between(straight, rigid(second)))
    place_frame(frame, straight)
    return f"{frame.name} has no scale of its own any more, and moves as before."


def heir_of(joint: Object) -> Object | None:
    """Return the selected mesh that a body was joined into, and which is active since.

    It is below no body, or is one that the joint is not connected to and that reaches to it.
    """
    obj = bpy.context.view_layer.objects.active
    if obj is None or obj.type != "MESH" or not obj.select_get():
        return None
    body, box, place = body_of(obj), room_of(obj), tuple(joint.matrix_world.translation)
    off = distance((place, place), box)
    is_one = body == obj != body_of(below(joint)) and off <= NEARBY * diagonal(box)
    return obj if body is None or is_one else None
