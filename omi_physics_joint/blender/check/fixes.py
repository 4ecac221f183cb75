# SPDX-License-Identifier: GPL-3.0-or-later
"""What "Fix" does for each kind of issue that can be mended without asking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

import bpy
from bpy.types import Object

from ...model.settings.recipes import weld
from ...model.validate.engines.alike import ACCELERATION
from ...model.wording.findings import ANIMATED_BODIES
from ...model.wording.words import counted, some
from ..between_bodies.descendants import joints_on
from ..between_bodies.remembered import cleared_from
from ..bodies.mass import Filling, centre, fillings, weigh_anew
from ..bridge.animation import drivers_of
from ..bridge.placed import bodies_of, body_of, is_dynamic, with_parents
from ..bridge.poses.second_frames import below, set_value, value_of
from ..bridge.read_nodes import bending, mesh_of
from ..bridge.write import new_settings
from ..joints.authoring import (
    AuthoringError,
    add_frame,
    ask_for_home,
    make_bodies,
    place_frame,
    remove_joints,
    remove_unused,
)
from ..joints.conversions import flip, swap_sides
from ..joints.editing import frame_of, hand_over, snap_partner
from .scale_applying import apply_scale
from .settings_fixes import as_force, drop_idle_limits, free_loop, free_motor, lock, swap_bounds
from .since_joined import (
    count_from_joined,
    grow_along,
    grow_body,
    heir_of,
    put_back,
    straighten,
)


class Fix(NamedTuple):
    """How one kind of issue is mended."""

    mend: Callable[[Object], str]
    """Mends what is wrong with an object and says in one sentence what it did."""
    promise: str | Callable[[Object], str]
    """What it is about to do; a function where that hangs on the object."""


def _give_settings(joint: Object) -> str:
    joint.omi_physics_joint.settings = new_settings(weld())
    return f"{joint.name} is a weld now; choose other settings for it."


def _find_partner(joint: Object) -> Iterator[str]:
    """Bring back what a joint is connected to, if it was only taken out of the scene.

    Otherwise the joint is removed.
    """
    data = joint.omi_physics_joint
    lost = below(joint)
    if lost is not None and _was_taken_out(lost, joint):
        yield f"bring {lost.name!r} back into the scene"
        for collection in ask_for_home(joint):
            if lost.name not in collection.objects:
                collection.objects.link(lost)
        yield f"{lost.name} is back in the scene."
        return
    yield REMOVAL
    data.connected_node = data.connected_body = None  # where it exists, it is another scene's
    yield _remove(joint)


def _was_taken_out(lost: Object, joint: Object) -> bool:
    """Return whether an object that is in no scene any more belongs where a joint is."""
    if lost == joint.omi_physics_joint.connected_body:
        return not lost.users_scene
    body = body_of(lost)
    return body is not None and bool(set(body.users_scene) & set(joint.users_scene))


def _adopt(joint: Object) -> Iterator[str]:
    """Make what a joint is parented to a body, or the mesh that has got its; else remove it."""
    above, world = _above(joint), joint.matrix_world.copy()
    if above is None:
        yield REMOVAL
        yield _remove(joint)
        return
    was_there = above == cleared_from(joint)
    if was_there or body_of(above) == above:
        yield f"put this joint below {above.name!r}" + " again" * was_there
        done = f"{joint.name} is below {above.name} {'again' if was_there else 'now'}."
    else:
        where = "" if joint.parent == above else ", with this joint below it"
        yield f"make {above.name!r} a dynamic body{where}"
        done = _made_body(above, "dynamic")
    if joint.parent != above:
        joint.parent = above
        place_frame(joint, world)
    yield done


def _above(joint: Object) -> Object | None:
    """Return what a joint is, or was, parented to, or who has got the mesh of what is deleted."""
    is_there = joint.parent is not None and bool(joint.parent.users_collection)
    return cleared_from(joint) or (joint.parent if is_there else heir_of(joint))


def _adopt_partner(joint: Object) -> Iterator[str]:
    """Make what the second frame is parented to a static body, or give the world one."""
    data = joint.omi_physics_joint
    partner = data.connected_node
    owner = data.connected_body if partner is None else partner.parent
    if owner is not None:
        yield f"make {owner.name!r} a static body"
        yield _made_body(owner, "static")
        return
    if partner is None:  # a joint with neither has another issue
        yield "make its second body static"
        return
    yield f"put {partner.name!r} below a new static body"
    _ask_for_editable(partner)
    homes = ask_for_home(partner)
    anchor = bpy.data.objects.new(f"{partner.name} Anchor", None)
    for collection in homes:
        collection.objects.link(anchor)
    make_bodies({anchor: "static"})
    world = partner.matrix_world.copy()
    partner.parent = anchor
    partner.matrix_parent_inverse.identity()
    partner.matrix_basis = world
    yield f"{partner.name} is parented to {anchor.name} now, a new static body."


def _made_body(obj: Object, motion: str) -> str:
    """Make an object a body that is below none yet."""
    owner = body_of(obj)
    if owner is not None:
        return f"{owner.name} is a body already."
    _ask_for_editable(obj)
    make_bodies({obj: motion})
    return f"{obj.name} is a {motion} body now."


def _ask_for_editable(obj: Object) -> None:
    """Refuse to change what is linked: it would be lost when the file is opened again."""
    if not obj.is_editable:
        raise AuthoringError(f"{obj.name} is linked from another file: change it there.")


def _set_free(body: Object) -> str:
    """Put a static body beside the topmost dynamic one that it is below."""
    _ask_for_editable(body)
    moving = [one for one in with_parents(body) if is_dynamic(one)]
    top = [one for one in moving if one.omi_physics_body.is_body][-1]
    world = body.matrix_world.copy()
    body.parent = top.parent
    place_frame(body, world)
    return f"{body.name} is no longer below {top.name}, and stands where it stood."


def _whole_of(part: Object) -> Object | None:
    """Return the body that something was separated from: it has its name and stands where it does.

    Separate names what it takes out "Door.001".
    """
    found = bpy.context.scene.objects.get(part.name.rpartition(".")[0])
    if found is None or not found.omi_physics_body.is_body:
        return None
    return found if found.matrix_world == part.matrix_world else None


def _make_part(body: Object) -> Iterator[str]:
    """Make what was separated from a body a part of it, and anything else no body."""
    whole, world = _whole_of(body), body.matrix_world.copy()
    yield "make it no body" if whole is None else f"make it a part of {whole.name!r} again"
    _ask_for_editable(body)
    body.omi_physics_body.is_body = False
    if whole is not None:
        body.parent = whole
        place_frame(body, world)
    now = "no body any more" if whole is None else f"a part of {whole.name} now"
    yield f"{body.name} is {now}."


def _make_kinematic(body: Object) -> Iterator[str]:
    """Make what is animated kinematic; what a joint has nothing else to move loses its keys."""
    joints, data = joints_on(body), body.animation_data
    if not is_dynamic(body) or all(is_dynamic(other) for _, other in joints):
        yield "make it kinematic"
        body.omi_physics_body.type = "kinematic"
        for joint, other in joints:
            if is_dynamic(other) and body_of(joint) == body:
                with suppress(AuthoringError):  # of several axes, of which Check speaks then
                    swap_sides(joint)
        yield f"{body.name} is kinematic now."
        return
    yield "take its action off, and keep that"
    if data is None or data.action is None:
        raise AuthoringError(f"{body.name} is all that its joints move: take out what animates it.")
    action = data.action
    action.use_fake_user, data.action = True, None
    yield f"{body.name} goes by its joints alone now; its keys are still in {action.name}."


def _mute_constraints(body: Object) -> str:
    for one in (*body.constraints, *drivers_of(body)):
        one.mute = True
    return f"What pulls at {body.name} beside its joints is muted."


def _stop_bending(body: Object) -> str:
    bends = bending(body)
    for modifier in bends:
        modifier.show_viewport = modifier.show_render = False
    return f"{some([one.name for one in bends])} of {body.name} switched off."


def _let_other_move(joint: Object) -> str:
    """Have the body stand that moves, and the other way round, as if joined so."""
    both = [body for body in bodies_of(joint) if body is not None]
    for body in both:
        _ask_for_editable(body)
    if is_dynamic(both[0]):
        joint = swap_sides(joint)
        bpy.context.view_layer.update()
    with suppress(AuthoringError):  # of several axes, which have no direction
        flip(joint)
    motions = dict(zip(both, [one.omi_physics_body.type for one in reversed(both)], strict=True))
    for body, motion in motions.items():
        data = body.omi_physics_body
        data.type = motion
        if data.use_collider and data.collider.shape.type in {"convex", "trimesh"}:
            data.use_collider = False
            make_bodies({body: motion})
    return f"{next(filter(is_dynamic, both)).name} moves now, and the other body stands."


def _drop_rigid_body(body: Object) -> str:
    _ask_for_editable(body)
    with bpy.context.temp_override(object=body, active_object=body):
        bpy.ops.rigidbody.object_remove()
    return f"{body.name} is no rigid body of Blender's any more."


def _remove(joint: Object) -> str:
    """Remove a joint that nothing can be made of."""
    name = joint.name
    remove_joints((joint,))
    return f"{name} is removed, since nothing says what it joined; Undo brings it back."


def _remove_partner(partner: Object) -> str:
    done = f"{partner.name} is removed, since no joint uses it."
    remove_unused({partner})
    return done


def _snap(joint: Object) -> str:
    snap_partner(joint)
    return f"Snapped the second frame of {joint.name} to the joint."


def _move_to_empty(obj: Object) -> str:
    """Move a joint from an object with geometry to an empty below it."""
    frame = add_frame(f"{obj.name} Joint", obj, frame_of(obj), 0.5)
    value = value_of(obj)
    hand_over(obj, frame)
    set_value(frame, value)
    return f"The joint is on {frame.name} now, an empty below {obj.name}."


def _switch_on(joint: Object) -> str:
    joint.omi_physics_joint.mute = False
    return f"{joint.name} is no longer muted."


def _drop_lost_parts(obj: Object) -> str:
    parts = obj.omi_physics_body.trigger.nodes
    for index in reversed(range(len(parts))):
        part = parts[index].object
        if part is None or not part.users_collection:
            parts.remove(index)
    return f"{obj.name} has {counted(len(parts), 'part')} now."


def _use_box(obj: Object) -> str:
    for shape in obj.omi_physics_body.shapes:
        if shape.type in {"convex", "trimesh"} and mesh_of(obj, shape.mesh) is None:
            shape.type = "box"
    return f"{obj.name} has a box for a shape now; set its size."


def _use_hull(obj: Object) -> str:
    _ask_for_editable(obj)
    if is_dynamic(obj) and obj.omi_physics_body.is_body:
        make_bodies({obj: "dynamic"})  # which weighs what never was
    obj.omi_physics_body.collider.shape.type = "convex"
    return f"{obj.name} is as solid as its convex hull now."


def _center(body: Object) -> str:
    centre({body: _filling(body)})
    return f"The center of mass of {body.name} is in the middle of its colliders now."


def _weigh(body: Object) -> str:
    _ask_for_editable(body)
    return weigh_anew(body, _filling(body))


def _filling(body: Object) -> Filling:
    """Return what a body holds; an AuthoringError where that is nothing."""
    found = fillings(bpy.context.scene, [body]).get(body)
    if found is None:
        raise AuthoringError(f"{body.name} has no volume: give it a collider or a mesh.")
    return found


def promise(code: str, obj: Object) -> str:
    """Return in one sentence what the fix of an issue is going to do: the tool tip of Fix."""
    said = FIXES[code].promise
    return f"Fix: {said if isinstance(said, str) else said(obj)}"


def _told(work: Callable[[Object], Iterator[str]]) -> Fix:
    """Return a fix that says first what it is about to do, and what it did at last."""
    return Fix(lambda obj: [*work(obj)][-1], lambda obj: next(work(obj)))


REMOVAL = "remove the joint; Undo brings it back"
FIXES = {
    "joint-without-settings": Fix(_give_settings, "make it a weld, with settings of its own"),
    "joint-without-partner": _told(_find_partner),
    "joint-muted": Fix(_switch_on, "let it hold again"),
    "limit-reversed": Fix(swap_bounds, "swap minimum and maximum"),
    "limit-narrow": Fix(lock, "set minimum and maximum to the same value, which locks the axis"),
    "limits-lock": Fix(free_loop, "remove the ranges that stop this loop, so that its joints move"),
    "motor-meets-bound": Fix(free_motor, "remove the range at which the motor stops"),
    "limit-never-reached": Fix(
        drop_idle_limits, "remove the limits that nothing reaches; the joint moves as before"
    ),
    "joint-on-geometry": Fix(_move_to_empty, "move the joint to an empty below this object"),
    "trigger-part-missing": Fix(_drop_lost_parts, "take the parts that are gone off its list"),
    "shape-without-mesh": Fix(_use_box, "give it a box for a shape"),
    "trimesh-moves": Fix(
        _use_hull, "use its convex hull, and the mass of that if none was entered"
    ),
    "joint-without-body": _told(_adopt),
    "connected-without-body": _told(_adopt_partner),
    "joint-under-static": Fix(
        lambda joint: f"{swap_sides(joint).name} has swapped sides.", "swap the sides of the joint"
    ),
    "frames-apart": Fix(_snap, "put the second frame onto the joint"),
    "static-below-dynamic": Fix(_set_free, "clear its parent and keep it where it is"),
    "body-without-joint": _told(_make_part),
    **dict.fromkeys(ANIMATED_BODIES, _told(_make_kinematic)),
    "constraint-on-body": Fix(_mute_constraints, "mute its constraints and drivers"),
    "rigid-body-too": Fix(_drop_rigid_body, "remove Blender's Rigid Body from it"),
    "soft-body-too": Fix(_stop_bending, "switch Cloth and Soft Body off, in views and renders"),
    "wrong-one-moves": Fix(_let_other_move, "let the other one of its two bodies move"),
    "same-body": Fix(_remove, REMOVAL),
    **dict.fromkeys(
        ("collider-scaled", "collider-uneven"), Fix(apply_scale, "put the scale into the shape")
    ),
    **dict.fromkeys(
        ("reset-since-joined", "off-since-joined"),
        Fix(put_back, "put it back to where it was beside its bodies"),
    ),
    "opened-since-joined": Fix(count_from_joined, "have its range stay where it was joined"),
    "scaled-since-joined": Fix(grow_along, "scale its distances and strengths too"),
    "scaled-since-read": Fix(grow_body, "scale its center of mass and moments of inertia too"),
    "mass-outdated": Fix(_weigh, "calculate the mass anew, with the density that it had"),
    "center-outdated": Fix(_weigh, "have the center of mass computed from its colliders"),
    **dict.fromkeys(
        ("frame-mirrored", "frame-sheared"),
        Fix(straighten, "take the scale out of this frame; the joint moves as it does now"),
    ),
    **dict.fromkeys(
        ("center-on-hinge", "center-outside"),
        Fix(_center, "put the center of mass into the middle of the colliders"),
    ),
    **dict.fromkeys(
        ACCELERATION,
        Fix(as_force, "have drives work by force, weighed by what they move at rest"),
    ),
    "partner-of-no-joint": Fix(_remove_partner, "remove this frame, which no joint uses"),
}
"""By code of the issue; each takes the object that the issue is about."""
