# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a joint was as it was joined: three points of each body, as they lay in its frame.

They stay where transforms are applied, origins moved and all is turned together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isclose

import bpy
import numpy as np
from bpy.types import Object, Scene
from mathutils import Matrix, Vector

from ...model.issue import Issue, Severity
from ...model.joint import AXES, Freedom
from ...model.settings.spans import locked_axes
from ...model.wording.describe import sole_axis
from ..bridge.placed import body_of
from ..bridge.poses.second_frames import below, square
from ..bridge.read_groups import rows_in
from ..bridge.read_settings import settings_of
from ..data.units import said
from .contact import bounds_of

ALIKE = 1e-3
"""By which part triangles may differ, and angles in rad, that are the same."""
SPREAD = 1e-3
"""How far the third point is off the line of the others at least, as a part of their distance."""
OFF = 0.25
"""How far off both bodies a joint is off, as a part of the length of the smaller one."""
RESULTS = {"location": "it is not where its bodies meet", "rotation": "its axes point elsewhere"}
"""What comes of a part of a transform that is reset."""
OWN_AXES = (-1.0, 0.0, 0.0, 0.0)
"""Which points are those of an empty: its origin and the ends of two of its axes."""


def remember_bodies(joint: Object, world: Matrix) -> None:
    """Note how both bodies of a joint lie in its frame, a world matrix, as they are joined."""
    both = (joint.parent, joint.omi_physics_joint.connected_body)
    seen, kept = square(world).inverted_safe(), []
    for body in both:
        which = _spread_out(body)
        points = _points(body, which) or [Vector()] * 3
        kept += [*which, *(x for point in points for x in seen @ point)]
    joint.omi_physics_joint.joined = kept


def turn_along(joint: Object, change: Matrix) -> None:
    """Have what is remembered follow a frame that is moved on purpose, by a change of its own."""
    data = joint.omi_physics_joint
    if data.is_property_set("joined"):
        back, kept = change.inverted(), [*data.joined]
        for at in (4, 7, 10, 17, 20, 23):
            kept[at : at + 3] = back @ Vector(kept[at : at + 3])
        data.joined = kept


def remember_place(joint: Object, world: Matrix) -> None:
    """Have what is remembered follow a frame that is put at a world matrix on purpose."""
    before, _ = places_of(joint)
    if before is not None:
        turn_along(joint, before.inverted() @ world)


def places_of(joint: Object) -> tuple[Matrix | None, Matrix | None]:
    """Return where a joint would be had it kept its place beside each body; None where unknown.

    Of what was mirrored as a whole nothing is known, for a triangle looks as its image does.
    """
    kept = [*joint.omi_physics_joint.joined]  # zeros where nothing is remembered
    if not (kept[0] or kept[13]):
        return None, None
    ends = (joint.parent, kept[:13]), (joint.omi_physics_joint.connected_body, kept[13:])
    found = [_points(body, there[:4]) for body, there in ends]
    first, second = (_place(now, there) for now, (_, there) in zip(found, ends, strict=True))
    both = zip((first, second), found, strict=True)
    if all(_is_image(joint.matrix_world, place, now) for place, now in both):
        return None, None
    return first, second


def _is_image(world: Matrix, place: Matrix | None, points: list[Vector] | None) -> bool:
    """Return whether a joint is mirrored, with points of a body, from its place beside that."""
    if place is None or points is None:
        return False
    one, other, third = points
    mirror = Matrix.Scale(-1.0, 4, (other - one).cross(third - one).normalized())
    image = Matrix.Translation(one) @ mirror @ Matrix.Translation(-one) @ place
    near = ALIKE * (other - one).length
    is_there, was_there = (
        (at.translation - world.translation).length <= near for at in (image, place)
    )
    ways = zip(image.col[:3], world.col[:3], strict=True)
    along = all(abs(a.dot(b.normalized())) >= 1.0 - ALIKE for a, b in ways)
    return is_there and along and not was_there


def as_far(joint: Object, off: float) -> Iterator[bool]:
    """Yield for each body whether a joint is as far from it as it was, within ``off``, in m."""
    kept, now = [*joint.omi_physics_joint.joined], joint.matrix_world.translation
    ends = (joint.parent, kept[:4]), (joint.omi_physics_joint.connected_body, kept[13:17])
    for place, end in zip(places_of(joint), ends, strict=True):
        at = now if place is None else place.translation
        ways = [((at - one).length, (now - one).length) for one in _points(*end) or ()]
        yield place is not None and all(abs(was - way) <= off for was, way in ways)


def _place(now: list[Vector] | None, kept: list[float]) -> Matrix | None:
    """Return where what is remembered of a body has its joint, by its points as they are now."""
    then = [Vector(kept[at : at + 3]) for at in (4, 7, 10)]
    return None if now is None else _motion(then, now)


def cleared_from(joint: Object) -> Object | None:
    """Return the body that a joint below nothing, or an empty, is named after.

    Of one that was copied along it is what it stands beside as it did when it was joined.
    """
    above, kept = joint.parent, [*joint.omi_physics_joint.joined]
    if above is not None and (above.type != "EMPTY" or body_of(above) is not None):
        return None
    named, first = (bpy.data.objects.get((joint.name.rpartition(x)[0], None)) for x in " .")
    is_copy = any(kept) and first and [*first.omi_physics_joint.joined] == kept
    for one in joint.users_scene[0].objects if is_copy else [named]:
        if one and one.omi_physics_body.is_body and one.users_scene and one != below(joint):
            place = _place(_points(one, kept[:4]), kept[:13]) if is_copy else joint.matrix_world
            off = place and (place.translation - joint.matrix_world.translation).length
            if off is not None and off <= ALIKE * max(one.dimensions):
                return one
    return None


def _spread_out(body: Object | None) -> tuple[float, ...]:
    """Return how many vertices a body has, and three of them that lie far apart."""
    if body is not None and body.type == "EMPTY":
        return OWN_AXES
    if body is None or body.type != "MESH":
        return (0.0,) * 4
    corners = rows_in(body.data.vertices, "co", 3)
    count = len(corners)
    if count < 3:
        return (0.0,) * 4
    away = np.linalg.norm(corners - corners.mean(axis=0), axis=1)
    first = int(away.argmax())
    ways = corners - corners[first]
    second = int(np.linalg.norm(ways, axis=1).argmax())
    third = int(np.linalg.norm(np.cross(ways, ways[second]), axis=1).argmax())
    return float(count), float(first), float(second), float(third)


def _points(body: Object | None, which: Iterable[float]) -> list[Vector] | None:
    """Return points of a body in the world; None where its mesh is another by now."""
    count, *corners = map(int, which)
    if body is None or not count:
        return None
    if count < 0:
        ends = (Vector(), Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)))
        return [square(body.matrix_world) @ end for end in ends]
    if body.type != "MESH" or len(body.data.vertices) != count:
        return None
    return [body.matrix_world @ body.data.vertices[corner].co for corner in corners]


def _motion(then: list[Vector], now: list[Vector]) -> Matrix | None:
    """Return the motion, which may scale, that takes one triangle onto another alike."""
    (one, first), (other, second) = _seat(then), _seat(now)
    if one is None or other is None:
        return None
    grown = second / first
    alike = all(
        isclose((a - b).length * grown, (c - d).length, abs_tol=ALIKE * second)
        for a, b, c, d in zip(then, then[1:] + then[:1], now, now[1:] + now[:1], strict=True)
    )
    return square(other @ Matrix.Scale(grown, 4) @ one.inverted()) if alike else None


def _seat(points: list[Vector]) -> tuple[Matrix | None, float]:
    """Return the frame of a triangle and its first side; None where it is a line."""
    along, aside = points[1] - points[0], points[2] - points[0]
    normal = along.cross(aside)
    if normal.length <= SPREAD * along.length_squared:
        return None, 0.0
    across = normal.cross(along)
    axes = [one.normalized() for one in (along, across, normal)]
    seat = Matrix(axes).transposed().to_4x4()
    return Matrix.Translation(points[0]) @ seat, along.length


def strayed(joints: Iterable[tuple[int, Object]], scene: Scene) -> Iterator[Issue]:
    """Yield a warning for each joint whose own transform was reset, and a hint for one far off.

    Whoever turns or moves a joint by hand leaves it with numbers of its own, beside its bodies.
    """
    for joint, index in {one: index for index, one in joints}.items():
        before, other = places_of(joint)
        if _is_turned_by_scale(joint, before):
            what = "A scale was applied above it since it was joined, which turned its axes."
            again = "Undo that and press Fix for its frame first, or aim the joint anew and clear "
            again += "its scale."
            yield Issue(Severity.HINT, "turned-since-joined", joint.name, what, again, index)
            continue
        if before is None:
            continue
        lost = _reset(joint, before) if other is None else _reset(joint, before, other)
        fix = "Put it back as Fix of Check does, or connect the joint anew if it is meant so."
        if lost:
            names, results = " and ".join(lost), " and ".join(RESULTS[one] for one in lost)
            names += " was" if len(lost) == 1 else " were"
            what = f"Its {names} reset since it was joined, as Apply and Clear do: {results}."
            yield Issue(Severity.WARNING, "reset-since-joined", joint.name, what, fix, index)
            continue
        off = _off_bodies(joint, before)
        if off:
            by = said(off, Freedom.LINEAR, scene)
            what = f"It was moved away from both of its bodies since it was joined: it is {by} off."
            yield Issue(Severity.HINT, "off-since-joined", joint.name, what, fix, index)


def _is_turned_by_scale(joint: Object, before: Matrix | None) -> bool:
    """Return whether a joint has an uneven scale of its own, and stands no more as it did.

    Where one is applied above what it shears, Blender leaves it so.
    """
    if joint.parent is None or _is_even(joint.scale):
        return False
    if not _is_even(joint.parent.matrix_world.to_scale()):  # which that of a frame takes back
        return False
    if before is None:  # one of a file may have been so in there
        return _is_even(joint.omi_physics_joint.read_scale)
    change = before.inverted() @ square(joint.matrix_world)
    return bool(change.to_quaternion().angle > ALIKE)


def _is_even(scale: Iterable[float]) -> bool:
    low, _, high = sorted(map(abs, scale))
    return high <= (1.0 + ALIKE) * low


def _reset(joint: Object, *places: Matrix) -> list[str]:
    """Return which of its own transforms a joint has not that was elsewhere, and needs."""
    own, settings = joint.matrix_basis, settings_of(joint)
    turns = len(locked_axes(settings, Freedom.ANGULAR)) < len(AXES)
    slides = len(locked_axes(settings, Freedom.LINEAR)) < len(AXES)
    changes = [place.inverted() @ square(joint.matrix_world) for place in places]
    least = ALIKE * max(*joint.parent.dimensions, joint.empty_display_size)
    found = []
    if turns and not any(own.translation):
        found += ["location"] * all(one.translation.length > least for one in changes)
    if (turns or slides) and own.to_3x3().normalized() == Matrix.Identity(3):
        found += ["rotation"] * all(one.to_quaternion().angle > ALIKE for one in changes)
    return found


def _off_bodies(joint: Object, before: Matrix) -> float:
    """Return how far a joint that can turn is off both bodies, in m, if it was not; else zero."""
    now, settings = joint.matrix_world.translation, settings_of(joint)
    body = joint.omi_physics_joint.connected_body
    if body is None or len(locked_axes(settings, Freedom.ANGULAR)) == len(AXES):
        return 0.0  # where a weld or a slider stands changes nothing
    if (now - before.translation).length <= ALIKE * max(joint.parent.dimensions):
        return 0.0
    rooms = [bounds_of(one) for one in (joint.parent, body)]
    size = OFF * min(max(high - low) for low, high in rooms)
    axis = sole_axis(settings)
    along = Vector() if axis is None else joint.matrix_world.col[axis].to_3d()

    def away(place: Vector) -> float:
        ways = [place - Vector(np.clip(place, low, high)) for low, high in rooms]
        return float(min((way - way.project(along) if any(along) else way).length for way in ways))

    off = away(now)
    return off if off > size >= away(before.translation) else 0.0
