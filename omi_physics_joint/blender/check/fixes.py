# SPDX-License-Identifier: GPL-3.0-or-later
"""What "Fix" does for each kind of issue that can be mended without asking."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import bpy
from bpy.types import Object

from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.joint import AXES, AXIS_NAMES, Freedom
from ...model.settings.reach import idle_limits
from ...model.settings.recipes import weld
from ...model.settings.spans import spans_of
from ...model.validate.engines.alike import ACCELERATION
from ...model.validate.narrow import is_narrow
from ...model.wording.animated import ANIMATED_BODIES
from ...model.wording.words import counted, listed, some
from ...solver import stopped_limits
from ..bodies.mass import centre, fillings
from ..bridge.placed import body_of, is_dynamic, owner_of, placed_in_scene, with_parents
from ..bridge.poses.second_frames import below, set_value, value_of
from ..bridge.read_nodes import mechanism_from_placed, mesh_of
from ..bridge.read_settings import limit_from_item, settings_from_block, settings_of
from ..bridge.write import new_settings
from ..data.joint import OmiJointSettings
from ..joints.authoring import (
    AuthoringError,
    add_frame,
    ask_for_home,
    make_bodies,
    place_frame,
    remove_joints,
    remove_unused,
)
from ..joints.conversions import swap_sides
from ..joints.editing import frame_of, hand_over, snap_partner
from ..joints.settings_editing import AxisBounds, block_of, own_settings, set_bounds, users_of
from .forces import as_force
from .scale_applying import apply_scale
from .scaled_joints import grow_along, straighten

ALL = 6
"""Coordinates of a joint: along and about each axis."""
NAMED = 4
"""So many names stand in one sentence."""


class Fix(NamedTuple):
    """How one kind of issue is mended."""

    mend: Callable[[Object], str]
    """Mends what is wrong with an object and says in one sentence what it did."""
    promise: str | Callable[[Object], str]
    """What it is about to do; a function where that hangs on the object."""


def _give_settings(joint: Object) -> str:
    joint.omi_physics_joint.settings = new_settings(weld())
    return f"{joint.name} is a weld now; choose other settings for it."


def _find_partner(joint: Object) -> str:
    """Bring back what a joint is connected to, if it was only taken out of the scene.

    Otherwise the joint is removed.
    """
    data = joint.omi_physics_joint
    lost = below(joint)
    if lost is not None and _was_taken_out(lost, joint):
        for collection in ask_for_home(joint):
            if lost.name not in collection.objects:
                collection.objects.link(lost)
        return f"{lost.name} is back in the scene."
    data.connected_node = data.connected_body = None  # where it exists, it is another scene's
    return _remove(joint)


def _was_taken_out(lost: Object, joint: Object) -> bool:
    """Return whether an object that is in no scene any more belongs where a joint is."""
    if lost == joint.omi_physics_joint.connected_body:
        return not lost.users_scene
    body = body_of(lost)
    return body is not None and bool(set(body.users_scene) & set(joint.users_scene))


def _adopt(joint: Object) -> str:
    """Make what a joint is parented to a body, or the mesh that has got its; else remove it."""
    above = _above(joint)
    if above is None:
        return _remove(joint)
    done, world = _made_body(above, "dynamic"), joint.matrix_world.copy()
    if joint.parent != above:
        joint.parent = above
        place_frame(joint, world)
    return done


def _above(joint: Object) -> Object | None:
    """Return what a joint is parented to, or who has got the mesh of that since it is deleted."""
    is_there = joint.parent is not None and bool(joint.parent.users_collection)
    return joint.parent if is_there else _heir()


def _heir() -> Object | None:
    """Return the selected mesh that a body was joined into: it is below none, and active since."""
    obj = bpy.context.view_layer.objects.active
    is_one = obj is not None and obj.type == "MESH" and obj.select_get() and body_of(obj) is None
    return obj if is_one else None


def _adopt_partner(joint: Object) -> str:
    """Make what the second frame is parented to a static body, or give the world one."""
    data = joint.omi_physics_joint
    partner = data.connected_node
    owner = data.connected_body if partner is None else partner.parent
    if owner is not None:
        return _made_body(owner, "static")
    assert partner is not None  # a joint with neither has another issue
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
    return f"{partner.name} is parented to {anchor.name} now, a new static body."


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
        raise AuthoringError(f"{obj.name} is linked from another file: make it a body there.")


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


def _make_part(body: Object) -> str:
    """Make what was separated from a body a part of it, and anything else no body."""
    _ask_for_editable(body)
    whole, world = _whole_of(body), body.matrix_world.copy()
    body.omi_physics_body.is_body = False
    if whole is None:
        return f"{body.name} is no body any more."
    body.parent = whole
    place_frame(body, world)
    return f"{body.name} is a part of {whole.name} now."


def _to_make_part(body: Object) -> str:
    whole = _whole_of(body)
    return "make it no body" if whole is None else f"make it a part of {whole.name!r} again"


def _make_kinematic(body: Object) -> str:
    body.omi_physics_body.type = "kinematic"
    return f"{body.name} is kinematic now."


def _remove(joint: Object) -> str:
    """Remove a joint that nothing can be made of."""
    name = joint.name
    remove_joints((joint,))
    return f"{name} is removed, since nothing says what it joined; Undo brings it back."


def _remove_partner(partner: Object) -> str:
    name = partner.name
    remove_unused({partner})
    return f"{name} is removed, since no joint uses it."


def _swap(joint: Object) -> str:
    return f"{swap_sides(joint).name} has swapped sides."


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


def _lock(joint: Object) -> str:
    """Hold each axis that has no room to move: where the frames coincide, or else in its middle."""
    locked = []
    for span in spans_of(settings_of(joint).limits):
        if is_narrow(span):
            low, high = span.rigid_low, span.rigid_high
            at = 0.0 if low <= 0.0 <= high else 0.5 * (low + high)
            bounds = AxisBounds(span.freedom.value, span.axis, at, at)
            set_bounds([joint], bounds, own_copy=False)
            verb = "along" if span.freedom is Freedom.LINEAR else "about"
            locked.append(f"{verb} {AXIS_NAMES[span.axis]}")
    return f"{joint.name} is locked {listed(locked)} now."


def _ask_for_no_keys(joint: Object) -> OmiJointSettings:
    """Return the settings of a joint whose limits may be removed."""
    block = block_of(joint)
    if block.animation_data is not None:
        message = f"{block.name} is animated: remove the limit by hand, as keys count limits."
        raise AuthoringError(message)
    return block


def _free(joint: Object) -> str:
    """Remove the ranges of a loop that stop each other, in copies of what further joints share."""
    placed = placed_in_scene(bpy.context.scene)
    loops = (
        [(owner_of(placed, node), at) for node, at in loop]
        for loop in stopped_limits(mechanism_from_placed(placed).mechanism)
    )
    # From 6 on are bounds on several axes together, which no single range is.
    stopped = [(one, at) for loop in loops if joint in dict(loop) for one, at in loop if at < ALL]
    joints = list({one: _ask_for_no_keys(one) for one, _ in stopped if one is not None})
    if not joints:
        raise AuthoringError("Go to the frame that was checked, and widen the limits by hand.")
    for at in {at for _, at in stopped}:
        several = [one for one in joints if (one, at) in stopped]
        freedom = Freedom.ANGULAR if at >= len(AXES) else Freedom.LINEAR
        axis = Y_UP_FROM_Z_UP.axis.index(at % len(AXES))
        set_bounds(several, AxisBounds(freedom.value, axis, None, None), own_copy=True)
    return f"Without their ranges {some([one.name for one in joints], NAMED)} move freely now."


def _drop_idle_limits(joint: Object) -> str:
    """Remove limits that are never reached; of settings from another file in a copy."""
    block = _ask_for_no_keys(joint)
    block = own_settings(block, users_of(block))
    idle = idle_limits(settings_from_block(block).limits)
    for index in reversed(idle):
        block.limits.remove(index)
    block.active_limit = max(0, min(block.active_limit, len(block.limits) - 1))
    return f"{counted(len(idle), 'limit')} of {joint.name} that nothing reached removed."


def _swap_bounds(joint: Object) -> str:
    block = block_of(joint)
    for item in own_settings(block, users_of(block)).limits:
        low, high = (f"{item.freedom}_{end}" for end in ("min", "max"))
        if limit_from_item(item).is_reversed:
            bounds = getattr(item, high), getattr(item, low)
            setattr(item, low, bounds[0])
            setattr(item, high, bounds[1])
    return f"Minimum and maximum of {joint.name} are swapped."


def _drop_lost_parts(obj: Object) -> str:
    parts = obj.omi_physics_body.trigger.nodes
    for index in reversed(range(len(parts))):
        part = parts[index].object
        if part is None or not part.users_collection:
            parts.remove(index)
    return f"{obj.name} has {len(parts)} parts now."


def _use_box(obj: Object) -> str:
    for shape in obj.omi_physics_body.shapes:
        if shape.type in {"convex", "trimesh"} and mesh_of(obj, shape.mesh) is None:
            shape.type = "box"
    return f"{obj.name} has a box for a shape now; set its size."


def _center(body: Object) -> str:
    found = fillings(bpy.context.scene, [body])
    if not found:
        return f"{body.name} has no volume: give it a collider or a mesh."
    centre(found)
    return f"The center of mass of {body.name} is in the middle of its colliders now."


def _apply_scale(obj: Object) -> str:
    apply_scale(obj)
    return f"The scale of {obj.name} is in its shape now."


def promise(code: str, obj: Object) -> str:
    """Return in one sentence what the fix of an issue is going to do: the tool tip of Fix."""
    said = FIXES[code].promise
    return f"Fix: {said if isinstance(said, str) else said(obj)}"


def _to_find(joint: Object) -> str:
    lost = below(joint)
    if lost is not None and _was_taken_out(lost, joint):
        return f"bring {lost.name!r} back into the scene"
    return REMOVAL


def _to_adopt(joint: Object) -> str:
    above = _above(joint)
    where = "" if joint.parent == above else ", with this joint below it"
    return REMOVAL if above is None else f"make {above.name!r} a dynamic body{where}"


def _to_adopt_partner(joint: Object) -> str:
    data = joint.omi_physics_joint
    partner = data.connected_node
    if partner is not None and partner.parent is None:
        return f"put {partner.name!r} below a new static body"
    body = data.connected_body if partner is None else partner.parent
    return "make its second body static" if body is None else f"make {body.name!r} a static body"


REMOVAL = "remove the joint; Undo brings it back"
FIXES = {
    "joint-without-settings": Fix(_give_settings, "make it a weld, with settings of its own"),
    "joint-without-partner": Fix(_find_partner, _to_find),
    "joint-muted": Fix(_switch_on, "let it hold again"),
    "limit-reversed": Fix(_swap_bounds, "swap minimum and maximum"),
    "limit-narrow": Fix(_lock, "set minimum and maximum to the same value, which locks the axis"),
    "limits-lock": Fix(_free, "remove the ranges that stop this loop, so that its joints move"),
    "limit-never-reached": Fix(
        _drop_idle_limits, "remove the limits that nothing reaches; the joint moves as before"
    ),
    "joint-on-geometry": Fix(_move_to_empty, "move the joint to an empty below this object"),
    "trigger-part-missing": Fix(_drop_lost_parts, "take the parts that are gone off its list"),
    "shape-without-mesh": Fix(_use_box, "give it a box for a shape"),
    "joint-without-body": Fix(_adopt, _to_adopt),
    "connected-without-body": Fix(_adopt_partner, _to_adopt_partner),
    "joint-under-static": Fix(_swap, "swap the sides of the joint"),
    "frames-apart": Fix(_snap, "put the second frame onto the joint"),
    "static-below-dynamic": Fix(_set_free, "clear its parent and keep it where it is"),
    "body-without-joint": Fix(_make_part, _to_make_part),
    **dict.fromkeys(ANIMATED_BODIES, Fix(_make_kinematic, "make it kinematic")),
    "same-body": Fix(_remove, REMOVAL),
    "collider-scaled": Fix(_apply_scale, "put the scale into the shape"),
    "scaled-since-joined": Fix(grow_along, "scale the mass of its body, and its distances, too"),
    **dict.fromkeys(
        ("frame-mirrored", "frame-sheared"),
        Fix(straighten, "take the scale out of this frame; the joint moves as it does now"),
    ),
    "center-on-hinge": Fix(_center, "put the center of mass into the middle of the colliders"),
    **dict.fromkeys(
        ACCELERATION,
        Fix(as_force, "have drives work by force, weighed by what they move at rest"),
    ),
    "partner-of-no-joint": Fix(_remove_partner, "remove this frame, which no joint uses"),
}
"""By code of the issue; each takes the object that the issue is about."""
