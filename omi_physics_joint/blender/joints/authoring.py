# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes bodies and joints in Blender: what the operators call."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from math import inf, sqrt
from typing import TypeGuard

import bpy
from bpy.types import Object
from mathutils import Matrix, Vector

from ...model.geometry.frames import frame_along
from ...model.joint import JointSettings
from ...model.mechanics.masses import Mass
from ...model.settings import recipes
from ...model.wording.words import rounded
from ..between_bodies.contact import bounds_of
from ..between_bodies.descendants import descendants, homes_beside, one_look
from ..between_bodies.remembered import remember_bodies
from ..between_bodies.zero_angle import meant, settled
from ..bridge.placed import bodies_of, body_of, is_dynamic
from ..bridge.poses.frame_users import joints_from, joints_using
from ..bridge.poses.transforms import tidy
from ..bridge.solids import hull_in_world, mark_of_object
from ..bridge.write import new_settings
from ..data.body import DENSITY
from ..data.joint import OmiJointSettings

HINGE_AXIS = 1
"""Blender's Y of a frame is minus glTF's Z, about which Godot makes its HingeJoint3D.

A pin that is limited to a cone twists about it too, and a weld that becomes a hinge turns about it.
"""
SLIDER_AXIS = 0
"""X of a frame is glTF's X, along which Godot makes its SliderJoint3D."""

OF_MOVING, OF_STILL = 0.35, 0.5
"""Largest part of its bodies' lengths that the empty of a joint reaches to each side."""
BESIDE = 0.15
"""How far an origin is off the middle of a hull before a new body has its mass in the middle.

As a part of the root mean square distance from there of what fills the hull: 4 % of a box's
diagonal, a little less than what Check names of a hinge."""
COLLISION_MESH = re.compile(
    r"^U(BX|CP|CX|SP)_|(-(conv)?col|[-_](conv)?colonly|[-_]colli(sion|der))(\.\d+)?$", re.IGNORECASE
)
COARSER = re.compile(r"_LOD[1-9]", re.IGNORECASE)
"""What objects are named that others collide with, and that are shown from afar."""


class AuthoringError(Exception):
    """What the user asked for cannot be made; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two objects to be joined: how the second moves, seen from the first, is the joint's value."""

    still: Object
    moving: Object


@dataclass(frozen=True, slots=True)
class JointKind:
    """What joint is wanted: one of the special cases."""

    name: str
    """WELD, PIN, HINGE or SLIDER."""
    low: float = -inf
    """Lower bound in rad or m."""
    high: float = inf
    """Upper bound in rad or m."""

    def settings(self) -> JointSettings:
        """Return the settings in Blender's axes."""
        if self.name == "HINGE":
            return recipes.hinge(HINGE_AXIS, self.low, self.high)
        if self.name == "SLIDER":
            return recipes.slider(SLIDER_AXIS, self.low, self.high)
        return recipes.weld() if self.name == "WELD" else recipes.pin()

    @property
    def axis(self) -> int:
        """The axis of the frame that is aimed."""
        return SLIDER_AXIS if self.name == "SLIDER" else HINGE_AXIS


def only_first_moves(first: Object, second: Object) -> bool:
    """Return whether of two bodies only the first is dynamic, so that it must hold the joint."""
    return is_dynamic(first) and not is_dynamic(second)


def moving_of(holder: Object, other: Object) -> Object:
    """Return the body of a joint that is seen to move: the other one, unless it stands still."""
    return holder if only_first_moves(holder, other) else other


def moving_body(joint: Object) -> Object | None:
    """Return the body that a joint is seen to move; None where it does not join two."""
    pair = pair_of(joint)
    return None if pair is None else pair.moving


def pair_of(joint: Object) -> Pair | None:
    """Return the bodies of a joint, by which of them is seen to move; None where it has not two."""
    holder, other = bodies_of(joint)
    if holder is None or other is None:
        return None
    moving = moving_of(holder, other)
    return Pair(holder if moving == other else other, moving)


def faces_back(holder: Object | None, other: Object | None, *, is_cone: bool) -> bool:
    """Return whether the frame of a joint points against the direction that it is aimed along.

    Where only the body that holds it moves, it is the other one that is measured. A cone is drawn
    about glTF's Z, which is minus Y.
    """
    if is_cone or holder is None or other is None:
        return is_cone
    return only_first_moves(holder, other)


def make_bodies(motions: Mapping[Object, str]) -> None:
    """Make objects bodies; meshes without a collider become solid as well.

    A static body keeps its true shape, holes included; what moves gets its convex hull, since
    engines do not collide moving triangle meshes, and the mass of that: in its middle, where the
    origin is off it. So does what stood until now, in its true shape and never weighed.
    """
    for obj, motion in motions.items():
        obj.omi_physics_body.is_body = True
        obj.omi_physics_body.type = motion
    with one_look():
        for obj in motions:
            body, solid = obj.omi_physics_body, solid_parts(obj)
            light = body.type == "dynamic" and not body.is_property_set("mass")
            stood = [one for one in solid if one.omi_physics_body.collider.shape.type == "trimesh"]
            parts = (stood if light else []) if solid else _to_be_solid(obj)
            for part in parts:
                part.omi_physics_body.use_collider = True
                shape = part.omi_physics_body.collider.shape
                shape.type = "trimesh" if body.type == "static" else "convex"
            hulls = [hull for part in parts if light and (hull := hull_in_world(part)) is not None]
            if hulls:
                volume, is_whole = sum(hull.mass for hull in hulls), parts == [obj]
                mark = mark_of_object(obj) if is_whole else 0.0
                body.weigh(volume, rounded(volume * DENSITY), mark)
                is_off = not is_whole or is_beside(hulls[0], obj.matrix_world.translation)
                if is_off and not body.is_property_set("center_of_mass"):
                    body.computed_center = True


def _to_be_solid(body: Object) -> list[Object]:
    """Return what of a new body is to be solid: what is named so, itself, or all below an empty."""
    below = [one for one in descendants(body) if one.type == "MESH" and body_of(one) == body]
    named = [one for one in below if COLLISION_MESH.search(one.name)]
    if not named and body.type == "EMPTY":
        return [one for one in below if not COARSER.search(one.name)]
    return named or [body] * (body.type == "MESH")


def is_beside(filling: Mass, origin: Vector) -> bool:
    """Return whether the origin of a body is off the middle of what it holds, by a part of it."""
    size = sqrt(0.5 * sum(filling.inertia[axis][axis] for axis in range(3)) / filling.mass)
    return bool((Vector(filling.centre) - origin).length > BESIDE * size)


def solid_parts(body: Object) -> list[Object]:
    """Return the colliders of a body, at itself or below."""
    parts = (part for part in (body, *descendants(body)) if part.omi_physics_body.use_collider)
    return [part for part in parts if body_of(part) == body]


def join(
    pair: Pair, kind: JointKind, block: OmiJointSettings, direction: Vector, place: Vector
) -> Object:
    """Join two bodies and return the joint: one object.

    The joint frame goes under a dynamic body, as the specification demands: under the moving one
    where the other stands still. The value of a joint is the second frame's pose seen from the
    joint frame, so there the frame looks the other way, and a positive value still moves the moving
    body along, or counter-clockwise about, the direction.

    Raises:
        AuthoringError: both objects belong to one body.
    """
    still, moving = body_of(pair.still), body_of(pair.moving)
    if still is None or moving is None or still == moving:
        message = f"{pair.still.name} and {pair.moving.name} belong to one body"
        raise AuthoringError(f"{message}: a joint needs two.")
    swapped = only_first_moves(moving, still)
    holder, other = (moving, still) if swapped else (still, moving)
    if kind.name == "WELD":  # any way is as good, and no scale shears an own one
        direction = meant(direction, [holder], inf)
    is_cone, turns = kind.name == "PIN", kind.name == "HINGE"
    frame = aimed(kind.axis, direction, place, (holder, other), is_cone=is_cone, turns=turns)
    name = f"{pair.moving.name} {kind.name.title()}"
    joint = add_frame(name, holder, frame, _display_size(pair))
    tidy(joint)
    data = joint.omi_physics_joint
    data.is_joint, data.settings, data.connected_body = True, block, other
    remember_bodies(joint, frame)
    return joint


def join_all(
    pairs: Sequence[Pair], kind: JointKind, directions: Sequence[Vector], places: Sequence[Vector]
) -> list[Object]:
    """Join pairs of bodies with one shared settings block and return the joint frames."""
    block = new_settings(kind.settings())
    return [
        join(pair, kind, block, direction, place)
        for pair, direction, place in zip(pairs, directions, places, strict=True)
    ]


def aimed(
    axis: int,
    direction: Vector,
    place: Vector,
    bodies: tuple[Object | None, Object | None],
    *,
    is_cone: bool,
    turns: bool,
) -> Matrix:
    """Return the rigid frame of a joint at a place, with one axis along a direction or back.

    It is square to the body that holds it, the first one; what ``turns`` about that axis alone
    counts from the body that moves.
    """
    holder, other = bodies
    way = meant(direction, filter(None, bodies))
    way = -way if faces_back(holder, other, is_cone=is_cone) else way
    frame = Matrix(frame_along(axis, tuple(way), tuple(place)))
    if not turns or holder is None or other is None:
        return frame @ settled(frame, axis, None, holder)
    return frame @ settled(frame, axis, moving_of(holder, other), holder)


def ask_for_home(obj: Object) -> list[bpy.types.Collection]:
    """Return the collections that a frame under an object goes into.

    Raises:
        AuthoringError: there is none.
    """
    homes = homes_beside(obj)
    if not homes:
        message = f"This scene is linked from another file: no joint can be added to {obj.name}."
        raise AuthoringError(message)
    return homes


def add_frame(name: str, body: Object, world: Matrix, size: float) -> Object:
    """Return a new empty under a body, beside it, exactly at a world matrix.

    The parent inverse takes the body's scale and shear out, so the empty's own numbers are those
    of the world and stay square. Its size, in m, is also the radius that the overlay draws with.

    Raises:
        AuthoringError: there is no collection that it can be in; then nothing is made.
    """
    homes = ask_for_home(body)
    frame = bpy.data.objects.new(name, None)
    for collection in homes:
        collection.objects.link(frame)
    frame.empty_display_type = "PLAIN_AXES"  # the overlay draws arrows of its own
    frame.empty_display_size = size
    frame.show_in_front = True
    frame.parent = body
    place_frame(frame, world)
    return frame


def place_frame(frame: Object, world: Matrix) -> None:
    """Put a frame exactly at a world matrix, whatever the scale of its body."""
    if world.to_3x3().is_orthogonal:
        frame.omi_physics_joint.property_unset("read_scale")
    if frame.parent is None:
        frame.matrix_basis = world
    elif frame.parent_type == "OBJECT":
        frame.matrix_parent_inverse = _space_below(frame, frame.parent).inverted_safe()
        frame.matrix_world = world  # for who asks before Blender has evaluated it
        frame.matrix_basis = world
    else:
        frame.matrix_world = world  # Blender knows where bones and vertices are


def _space_below(frame: Object, parent: Object) -> Matrix:
    """Return where the children of a parent begin: at the start of a curve that is a path."""
    if parent.type != "CURVE" or not parent.data.use_path:
        return parent.matrix_world
    frame.matrix_parent_inverse.identity()
    frame.matrix_basis.identity()
    bpy.context.view_layer.update()
    return frame.matrix_world.copy()


def frames_among(objects: Sequence[Object]) -> list[Object]:
    """Return the frames of joints among objects; a body that is a partner itself is none."""
    objects = [obj for obj in objects if not obj.omi_physics_body.is_body]
    partners = {joint.omi_physics_joint.connected_node for joint in joints_from(objects)}
    return [
        obj
        for obj in objects
        if obj.omi_physics_joint.is_joint or (obj in partners and is_plain_frame(obj))
    ]


def is_plain_frame(obj: Object | None) -> TypeGuard[Object]:
    """Return whether an object is an empty that is nothing but the end of a joint."""
    if obj is None or obj.data is not None or obj.instance_type != "NONE":
        return False
    return not obj.omi_physics_body.is_physical


def remove_joints(joints: Collection[Object]) -> None:
    """Remove joint frames, and their partners where they are nothing but that."""
    partners = {joint.omi_physics_joint.connected_node for joint in joints} - {*joints}
    remove_unused(partners, set(joints))


def remove_unused(partners: Set[Object | None], going: Set[Object] = frozenset()) -> None:
    """Remove joints, and the partners, plain frames without children, that no others use.

    All at once: Blender looks at all objects each time.
    """
    unused = [
        frame
        for frame in partners
        if is_plain_frame(frame)
        and frame.is_editable
        and not frame.omi_physics_joint.is_joint
        and set(joints_using(frame)) <= going
    ]
    parents = {obj.parent for obj in bpy.data.objects if obj not in going} if unused else ()
    bpy.data.batch_remove([*going, *(frame for frame in unused if frame not in parents)])


def suit_size(joint: Object) -> None:
    """Draw a joint as large as a new one between its bodies, if it is but an empty."""
    pair = pair_of(joint)
    if joint.type == "EMPTY" and pair is not None:
        joint.empty_display_size = _display_size(pair)


def _display_size(pair: Pair) -> float:
    """Return a size for the empty of a joint that lies within its bodies.

    What is larger is in front of them, and takes the clicks that are meant for a small one.
    """
    shares = ((pair.moving, OF_MOVING), (pair.still, OF_STILL))
    sizes = [share * size for obj, share in shares if (size := _size_of(obj)) > 0.0]
    return min(sizes, default=0.5 / bpy.context.scene.unit_settings.scale_length)


def _size_of(obj: Object) -> float:
    """Return how long an object is, or else what is below it, in m."""
    size = float(max(obj.dimensions))
    if size == 0.0:
        low, high = bounds_of(obj)
        size = max(high - low)
    return size
