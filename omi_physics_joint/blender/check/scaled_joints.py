# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints whose body was scaled after it was joined: what has not grown along, and how it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isclose
from typing import NamedTuple

import bpy
from bpy.types import Object, Scene
from mathutils import Matrix, Vector

from ...model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from ...model.geometry.frames import rigid_frame
from ...model.issue import Issue, Severity
from ...model.wording.words import listed, number, rounded
from ..bodies.mass import Filling, fillings
from ..bridge.placed import PlacedObject, body_of, is_dynamic, joints_in, plain
from ..bridge.poses.frame_users import joint_of
from ..bridge.poses.second_frames import between, second_world, set_value, value_of
from ..bridge.read_settings import settings_of
from ..data.body import DENSITY
from ..joints.authoring import AuthoringError, place_frame
from ..joints.settings_editing import block_of, own_settings, users_of

EVEN = 1e-3
"""By which a scale may differ from one."""
NEAR = 1e-2
"""Part by which a mass may differ from what was found for it, which was rounded."""
FIELDS = (
    ("limits", "axes", ("linear_min", "linear_max")),
    ("drives", "axis", ("linear_position_target",)),
)
"""Lists of settings, what says on which axes an item is, and its fields in m."""


class Growth(NamedTuple):
    """By what a body has grown since a joint was put below it."""

    lengths: Vector
    """Along the axes of the joint."""
    sizes: Vector
    """Along the axes of what it is parented to, as its scale is typed."""
    volume: float


def growth_of(joint: Object) -> Growth | None:
    """Return what the parents of a joint have grown by; None where its frame shows no scale.

    A new joint takes out of its frame what scale its body has by then; so do frames in files.
    """
    whole, own = joint.matrix_world.to_3x3(), joint.matrix_basis.to_3x3()
    if joint.parent is None or not own.determinant() or not whole.determinant():
        return None
    above = whole @ own.inverted()
    lengths = _lengths(above @ own.normalized())
    if any(max(abs(x - 1.0) for x in one) < EVEN for one in (lengths, _lengths(whole))):
        return None
    then = joint.matrix_parent_inverse.to_3x3().inverted_safe().normalized()
    return Growth(lengths, _lengths(above @ then), abs(above.determinant()))


def _lengths(matrix: Matrix) -> Vector:
    return Vector(column.length for column in matrix.col)


def scaled_since(placed: Sequence[PlacedObject], scene: Scene) -> Iterator[Issue]:
    """Yield a hint for each joint whose body was scaled, if numbers of either are as before."""
    first: dict[Object, int] = {}
    for index, joint in joints_in(placed):
        first.setdefault(joint, index)  # an instanced one is in several places
    grown = {index: growth for joint, index in first.items() if (growth := growth_of(joint))}
    heavier = _stale_masses({placed[index].owner: one for index, one in grown.items()}, scene)
    for index, growth in grown.items():
        joint = placed[index].owner
        body = body_of(joint)
        left = [f"the mass of {body.name}"] if body is not None and body in heavier else []
        left += ["its distances"] * any(True for _ in _distances(joint, growth))
        if left:
            sizes = " \N{MULTIPLICATION SIGN} ".join(number(size, 3) for size in growth.sizes)
            verb = "is" if len(left) == 1 and body in heavier else "are"
            what = f"Its body was scaled by {sizes} since it was joined; {listed(left)} {verb} not."
            fix = "Scale that too, unless it is meant so."
            yield Issue(Severity.HINT, "scaled-since-joined", joint.name, what, fix, index)


def _stale_masses(grown: dict[Object, Growth], scene: Scene) -> dict[Object, Filling]:
    """Return bodies that weigh what water of their size did before they grew, and what they hold.

    That is what a new body is given; what anybody has typed since is another number.
    """
    bodies = {body: growth for joint, growth in grown.items() if is_dynamic(body := body_of(joint))}
    found = fillings(scene, list(bodies)) if bodies else {}
    return {
        body: filling
        for body, filling in found.items()
        if abs(bodies[body].volume - 1.0) > NEAR
        and isclose(
            body.omi_physics_body.mass * bodies[body].volume, filling.volume * DENSITY, rel_tol=NEAR
        )
    }


def _distances(joint: Object, growth: Growth) -> Iterator[tuple[str, int, str, float]]:
    """Yield the distances of a joint that have not grown: list, number, field, and by what."""
    block = joint.omi_physics_joint.settings
    for name, on, fields in FIELDS if block is not None else ():
        for index, item in enumerate(getattr(block, name)):
            axes = range(3) if item.freedom == "linear" else ()
            used = [a for a in axes if (item.axes[a] if on == "axes" else int(item.axis) == a)]
            sizes = [growth.lengths[axis] for axis in used]
            if not sizes or max(sizes) - min(sizes) > EVEN or abs(sizes[0] - 1.0) < EVEN:
                continue
            for field in fields:
                if getattr(item, field):
                    yield name, index, field, sizes[0]


def grow_along(joint: Object) -> str:
    """Have the mass of a scaled body, and the distances of its joint, grow along."""
    growth = growth_of(joint)
    if growth is None:
        raise AuthoringError(f"{joint.name} is not scaled.")
    for body, filling in _stale_masses({joint: growth}, bpy.context.scene).items():
        body.omi_physics_body.mass = rounded(filling.volume * DENSITY)
    found = list(_distances(joint, growth))
    if found:
        block = block_of(joint)
        if block.animation_data is not None:
            raise AuthoringError(f"{block.name} is animated: scale its distances by hand.")
        own = own_settings(block, [joint], alone=len(users_of(block)) > 1)
        for name, index, field, size in found:
            item = getattr(own, name)[index]
            setattr(item, field, getattr(item, field) * size)
    straighten(joint)
    return f"{joint.name} and its body have grown along."


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
