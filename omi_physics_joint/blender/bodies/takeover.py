# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes over Blender's own rigid bodies and rigid body constraints.

Blender measures the angles of HINGE, GENERIC and GENERIC_SPRING constraints from the second
object to the first, against the specification: their bounds are negated and swapped on the way.
So are both speeds of MOTOR, whose Max Impulse is its force in N or N m whatever the step.
Distances, and both of PISTON, agree with it. A threshold is the impulse of one step (all measured).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import radians

import bpy
from bpy.types import Object, RigidBodyConstraint
from mathutils import Matrix, Vector

from ...model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit, on_axes
from ...model.settings.reversal import is_reversible, reversed_settings
from ...model.wording.words import listed
from ..between_bodies.descendants import homes_beside
from ..bridge.animation import animated_paths, frame_of
from ..bridge.placed import bodies_of, body_of
from ..bridge.poses.second_frames import below
from ..bridge.write import new_settings
from ..data.body import fit_shape
from ..joints.authoring import add_frame, only_first_moves

REVERSED_ANGLES = frozenset({"HINGE", "GENERIC", "GENERIC_SPRING"})
SHAPES = {
    "BOX": "box",
    "SPHERE": "sphere",
    "CAPSULE": "capsule",
    "CYLINDER": "cylinder",
    "CONE": "cylinder",
    "CONVEX_HULL": "convex",
    "MESH": "trimesh",
    "COMPOUND": "none",
}
FIRST_OF_20 = [True] + 19 * [False]
"""The collision collections of a new rigid body."""
SAME_PLACE = 1e-4
"""Joints of the same two bodies that are no farther apart, in m, are one joint."""
FREE_AXES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "FIXED": ((), ()),
    "POINT": ((), AXES),
    "HINGE": ((), (2,)),
    "SLIDER": ((0,), ()),
    "PISTON": ((0,), (0,)),
}
"""The linear and angular axes that a kind of constraint does not simply hold."""


@dataclass(slots=True)
class Taken:
    """What was taken over."""

    bodies: int = 0
    parts: int = 0
    """Colliders that are parts of a compound body."""
    joints: int = 0
    sentences: list[str] = field(default_factory=list)
    """What could not be taken over, or is something else now."""


Present = tuple[frozenset[Object | None], Vector]
"""The bodies and the place of a joint that was there before."""


def take_over(objects: Sequence[Object]) -> Taken:
    """Take over rigid bodies and constraints of objects; Blender's own stay as they are.

    A constraint brings its two objects along, and a compound body its parts, unless they have
    physics of ours already. Pressed again, no joint is made twice.
    """
    scene, taken = bpy.context.scene, Taken()
    world = scene.rigidbody_world
    here = frame_of(scene)
    begins = here if world is None else (world.point_cache.frame_start, 0.0)
    if begins == here:
        bpy.context.view_layer.update()  # places of frames that were only just made
    else:
        scene.frame_set(begins[0])  # there constraints take their zero
    for obj in _with_their_bodies(objects):
        if _is_part(obj):  # it moves and weighs nothing by itself
            obj.omi_physics_body.is_body = False
            taken.parts += 1
        else:
            _take_body(obj, 1.0 if world is None else world.effector_weights.gravity)
            taken.bodies += 1
        taken.sentences += [f"{obj.name}: {what}" for what in _changed_body(obj)]
        _take_collider(obj)
    present = [
        (frozenset(bodies_of(obj)), obj.matrix_world.translation.copy())
        for obj in bpy.data.objects
        if obj.omi_physics_joint.is_joint and below(obj) is not None
    ]
    for obj in objects:
        if obj.rigid_body_constraint is not None:
            taken.joints += _take_constraint(obj, present, taken.sentences)
    if begins != here:
        scene.frame_set(here[0], subframe=here[1])
    if world is not None and world.time_scale != 1.0:
        what = f"Blender's Speed of {world.time_scale:g} is left out: Play > Options has one too."
        taken.sentences.append(what)
    return taken


def _with_their_bodies(objects: Sequence[Object]) -> list[Object]:
    """Return the objects that have rigid bodies, and those that are needed along with them."""
    chosen = dict.fromkeys(objects)
    found: dict[Object, None] = {}
    seen, waiting = set[Object](), list(objects)
    while waiting:
        obj = waiting.pop(0)
        if obj in seen:  # a constraint may be on what it joins
            continue
        seen.add(obj)
        constraint = obj.rigid_body_constraint
        if constraint is not None and obj in chosen:
            waiting += [end for end in (constraint.object1, constraint.object2) if end is not None]
        if obj.rigid_body is None or not obj.is_editable:
            continue
        body = obj.omi_physics_body
        if obj not in chosen and (body.is_body or body.use_collider):
            continue
        found[obj] = None
        if _is_part(obj):
            waiting.append(obj.parent)
        if obj.rigid_body.collision_shape == "COMPOUND":
            waiting += obj.children
    return list(found)


def _is_part(obj: Object) -> bool:
    """Return whether Bullet takes a rigid body for a part of its parent's."""
    above = obj.parent.rigid_body if obj.parent is not None else None
    return above is not None and above.collision_shape == "COMPOUND"


def _take_body(obj: Object, gravity: float) -> None:
    rigid, body = obj.rigid_body, obj.omi_physics_body
    body.is_body = True
    is_passive = rigid.type == "PASSIVE"
    body.type = "static" if is_passive else "dynamic"
    if rigid.kinematic or not (is_passive or rigid.enabled):
        body.type = "kinematic"
    body.mass = rigid.mass
    body.gravity_factor = gravity


def _changed_body(obj: Object) -> Iterator[str]:
    """Yield what a rigid body has that ours has not."""
    rigid = obj.rigid_body
    if rigid.type == "ACTIVE" and not rigid.enabled:
        yield "its rigid body is off, so it is kinematic."
    is_damped = max(rigid.linear_damping - 0.04, rigid.angular_damping - 0.1) > SAME_PLACE
    if rigid.type == "ACTIVE" and is_damped:  # more than a new one
        yield "its damping is left out, so it moves for longer: drives of joints can brake it."
    if [*rigid.collision_collections] != FIRST_OF_20:
        yield "its collision collections are left out: give it a Collision Filter."
    yield from _unkeyed(obj, "rigid_body")


def _unkeyed(obj: Object, owner: str) -> Iterator[str]:
    """Yield what keys or drivers write of Blender's rigid body or constraint of an object."""
    paths = animated_paths(obj.animation_data) if obj.animation_data is not None else ()
    fields = getattr(obj, owner).bl_rna.properties
    keyed = [one.name for one in fields if f"{owner}.{one.identifier}" in paths]
    if keyed:
        yield f"what is keyed of its {listed(keyed)} is left out: it stays as at the first frame."


def _take_collider(obj: Object) -> None:
    """Copy shape and surface; shapes get the size of the mesh without the object's scale."""
    rigid, body = obj.rigid_body, obj.omi_physics_body
    body.use_collider = True
    collider = body.collider
    collider.use_physics_material = True
    material = collider.physics_material
    material.static_friction = material.dynamic_friction = rigid.friction
    material.restitution = rigid.restitution
    shape = collider.shape
    shape.type = SHAPES[rigid.collision_shape]
    fit_shape(shape, obj)
    if rigid.collision_shape == "CONE":
        shape.radius_top = 0.0


def _take_constraint(obj: Object, present: Sequence[Present], sentences: list[str]) -> bool:
    """Make a joint of one constraint and return whether there is one now; note what could not be.

    The joints that are present were there before any was taken over: two constraints at one place,
    such as a hinge and its motor, still become two joints.
    """
    constraint = obj.rigid_body_constraint
    frame = Matrix.LocRotScale(*obj.matrix_world.decompose()[:2], None)
    reason = _refused(obj, frame.translation, present)
    if reason:
        sentences.append(f"{obj.name}: {reason}")
        return False
    holder, other = body_of(constraint.object1), body_of(constraint.object2)
    assert holder is not None
    assert other is not None
    settings = settings_from_constraint(constraint, obj.name)
    if only_first_moves(other, holder):
        if is_reversible(settings) or not (settings.limits or settings.drives):
            holder, other, settings = other, holder, reversed_settings(settings)
        else:
            sentences.append(
                f"{obj.name}: its joint moves on several axes, so it stays under {holder.name}, "
                "which is not dynamic."
            )
    size = max(0.05, obj.empty_display_size)
    joint = add_frame(f"{obj.name} Joint", holder, frame, size)
    data, breaking = joint.omi_physics_joint, joint.omi_physics_breaking
    data.is_joint = True
    if constraint.use_breaking:
        breaking.use_breaking = breaking.use_torque = True
        breaking.force = breaking.torque = constraint.breaking_threshold * _steps_a_second()
    data.connected_body = other
    data.enable_collision = not constraint.disable_collisions
    data.settings = new_settings(settings)
    sentences += [f"{obj.name}: {what}" for what in _changed(constraint)]
    return True


def _refused(obj: Object, place: Vector, present: Sequence[Present]) -> str:
    """Return why a constraint becomes no joint, or nothing."""
    constraint = obj.rigid_body_constraint
    first, second = constraint.object1, constraint.object2
    if not constraint.enabled:
        return "its constraint is off, so it became no joint."
    if first is None or second is None:
        return "its constraint joins only one object; a joint needs two bodies."
    bodies = frozenset((body_of(first), body_of(second)))
    if None in bodies or len(bodies) == 1:
        return f"{first.name} and {second.name} are not two bodies yet."
    if not all(homes_beside(body) for body in bodies if body is not None):
        return "the scene is linked from another file, so it became no joint."
    if any(joined == bodies and (there - place).length <= SAME_PLACE for joined, there in present):
        return f"there is a joint between {first.name} and {second.name} here already."
    return ""


def _steps_a_second() -> float:
    scene = bpy.context.scene
    world, render = scene.rigidbody_world, scene.render
    return float(render.fps / render.fps_base * (world.substeps_per_frame if world else 1))


def _changed(constraint: RigidBodyConstraint) -> Iterator[str]:
    """Yield what a constraint has that a joint cannot have."""
    drives = list(_drives(constraint))
    old = constraint.type == "GENERIC_SPRING" and constraint.spring_type == "SPRING1"
    if old and any(drive.damping for drive in drives):
        yield "its springs are of Blender 2.7, whose damping is a share: set it in the drives."
    if constraint.type == "MOTOR" and not drives:
        yield "its motor is off, so its joint does nothing."
    yield from _unkeyed(constraint.id_data, "rigid_body_constraint")


def settings_from_constraint(constraint: RigidBodyConstraint, name: str) -> JointSettings:
    """Return the settings of a constraint, in Blender's axes."""
    limits = tuple(
        on_axes(Limit(min=bounds[0], max=bounds[1]), freedom, (axis,))
        for freedom, axis in product(Freedom, AXES)
        for bounds in [_bounds(constraint, freedom, axis)]
        if bounds is not None
    )
    return JointSettings(name, limits, tuple(_drives(constraint)))


def _bounds(
    constraint: RigidBodyConstraint, freedom: Freedom, axis: int
) -> tuple[float, float] | None:
    """Return the bounds of one axis; None is free."""
    linear = freedom is Freedom.LINEAR
    kind = constraint.type
    free_linear, free_angular = FREE_AXES.get(kind, (AXES, AXES))
    if axis not in (free_linear if linear else free_angular):
        return (0.0, 0.0)
    if kind in {"POINT", "MOTOR"}:
        return None
    part = f"{'lin' if linear else 'ang'}_{'xyz'[axis]}"
    if not getattr(constraint, f"use_limit_{part}"):
        return None
    low = getattr(constraint, f"limit_{part}_lower")
    high = getattr(constraint, f"limit_{part}_upper")
    if low > high:
        return None  # Bullet takes an upside-down range for a free axis
    if not linear and kind in REVERSED_ANGLES:
        low, high = -high, -low
    return (low + 0.0, high + 0.0)


def _drives(constraint: RigidBodyConstraint) -> Iterator[Drive]:
    if constraint.type == "GENERIC_SPRING":
        for freedom, prefix in ((Freedom.LINEAR, ""), (Freedom.ANGULAR, "ang_")):
            for axis, letter in enumerate("xyz"):
                if getattr(constraint, f"use_spring_{prefix}{letter}"):
                    stiffness = getattr(constraint, f"spring_stiffness_{prefix}{letter}")
                    damping = getattr(constraint, f"spring_damping_{prefix}{letter}")
                    spring = Drive(freedom, DriveMode.FORCE, axis, position_target=0.0)
                    yield replace(spring, stiffness=stiffness, damping=damping)
    if constraint.type == "MOTOR":
        for freedom, prefix in ((Freedom.LINEAR, "lin"), (Freedom.ANGULAR, "ang")):
            if getattr(constraint, f"use_motor_{prefix}"):
                yield _motor(constraint, freedom, prefix)


def _motor(constraint: RigidBodyConstraint, freedom: Freedom, prefix: str) -> Drive:
    """Return a motor along or about X, which does its most until it lacks a third of its unit."""
    speed = 0.0 - getattr(constraint, f"motor_{prefix}_target_velocity")
    force = getattr(constraint, f"motor_{prefix}_max_impulse")
    return Drive(
        freedom,
        DriveMode.FORCE,
        0,
        max_force=force,
        velocity_target=speed,
        damping=force / min(max(abs(speed), radians(1.0)), 1.0 / 3.0),
    )
