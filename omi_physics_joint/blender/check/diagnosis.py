# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that is wrong with what Blender holds: the validator, and what only Blender knows."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import replace
from itertools import compress

import bpy
from bpy.types import ID, Object, Scene

from ...gltf.animated.keyed import has_keys
from ...library.motion.trying import tried_in_godot
from ...model.geometry.transform import difference
from ...model.issue import Issue, Severity, worst_first
from ...model.mechanism import Mechanism
from ...model.readers import IN_STEPS, Reader, spoken_of
from ...model.validate import check
from ...model.validate.codes import issue_of
from ...model.wording.describe import BLENDER_AXES
from ...model.wording.words import some
from ...solver import lock_issues
from ..bridge.animation import animated_paths, frame_of, is_bent, shaped_by
from ..bridge.gravity import kept_gravity, pulled
from ..bridge.keyed import COLLISION, Samples, can_be_written
from ..bridge.placed import (
    PlacedObject,
    bodies_of,
    body_of,
    is_dynamic,
    is_muted,
    joints_in,
    objects_in,
    objects_in_scene,
    placed_in_scene,
)
from ..bridge.poses.away import rest_pose
from ..bridge.poses.moving import constrained
from ..bridge.poses.second_frames import PATHS
from ..bridge.read_groups import rows_in
from ..bridge.read_nodes import SceneReading, mechanism_from_placed
from ..bridge.solids import mark_of_object, measured_mechanism
from ..data.units import sayer
from ..migration import of_newer_release
from ..purpose.chosen import audience_of, readers_of, saved_options
from ..purpose.left_out import left_out_bodies
from ..purpose.lengths import odd_settings
from ..purpose.missing import missing
from ..simulated.reading import of_objects
from .since_joined import moved_since, with_edits

OURS = "omi_physics_"
REBOUND = "godot-stops"
"""Said by an export and by trying: any joint with a range might, so Check would always say it."""
PARTS = ("part-without-collider", "part-of-no-body")
MOVED = 1e-5
"""A body whose matrix differs by more than this between two frames has moved."""
ON_BONE = "Move the object itself, or parent it to what moves, as each mesh to its bone."


def diagnose(
    reading: SceneReading,
    placed: list[PlacedObject],
    scene: Scene,
    readers: frozenset[Reader],
    *,
    tries: bool = False,
) -> list[Issue]:
    """Return all issues of what was read from Blender for some readers, in units of a scene.

    With ``tries`` it is moved as Godot moves it, where Godot reads it.
    """
    measured = reading.mechanism
    spun = {at for at, one in measured.motions() if any(one.angular_velocity) and one.is_movable}
    if spun:
        measured = measured_mechanism(reading, placed, spun)
    words, (named, names) = BLENDER_AXES.saying(sayer(scene)), _told_apart(measured, placed)
    mechanism = pulled(named, scene)
    audience = audience_of(scene)
    target, spoken = audience.target, frozenset(audience.spoken)
    right: frozenset[int] = frozenset()
    tried: tuple[Issue, ...] = ()
    spoken_about = spoken_of(readers, target)
    if tries and spoken_about & IN_STEPS:
        manager = bpy.context.window_manager
        manager.progress_begin(0.0, 1.0)
        try:
            in_godot = tried_in_godot(mechanism, words.say, done=manager.progress_update)
        finally:
            manager.progress_end()
        right, tried = in_godot.right, in_godot.issues
    judged = check(
        mechanism, axis_names=words, target=target, readers=readers, spoken=spoken, right=right
    )
    found = _but_helpers(judged, placed)
    issues = [
        *reading.issues,
        *worst_first(
            [
                *of_objects(found, placed, exports=reading.exports),
                *tried,
                *lock_issues(mechanism, words.say),
            ]
        ),
        *_unread_keys(placed, mechanism, spoken_about),
        *_keyed(placed),
        *kept_gravity(scene),
        *_constrained(placed, mechanism),
        *_left_behind(placed),
        *_held_elsewhere(placed, scene),
        *_shaped_otherwise(reading, placed),
        *bodies_on_bones(one.object for one in placed),
        *odd_settings(mechanism, scene),
    ]
    return [replace(one, where=names[one.node]) if one.node in names else one for one in issues]


def _told_apart(
    mechanism: Mechanism, placed: list[PlacedObject]
) -> tuple[Mechanism, dict[int, str]]:
    """Return a mechanism whose nodes in instances have names with these, and the names."""
    nodes, names = list(mechanism.nodes), {}
    for index, one in enumerate(placed):
        if one.instance is not None:
            names[index] = f"{nodes[index].name} in {nodes[one.instance].name}"
            nodes[index] = replace(nodes[index], name=names[index])
    return replace(mechanism, nodes=tuple(nodes)), names


def _but_helpers(found: Iterable[Issue], placed: list[PlacedObject]) -> list[Issue]:
    """Leave out what is said of parts that are no things, as of what cuts holes, and of skins."""
    return [
        one
        for one in found
        if one.code not in PARTS or one.node is None or _is_thing(placed[one.node])
    ]


def _is_thing(placed: PlacedObject) -> bool:
    """Return whether an object is rendered where it stands."""
    obj = placed.owner
    return not (_bent_by(obj) or obj.hide_render or obj.display_type in {"WIRE", "BOUNDS"})


def diagnose_scene(scene: Scene, *, tries: bool = False) -> tuple[list[Issue], list[PlacedObject]]:
    """Check a scene as it would be exported: at rest, and what is shown is put back afterwards."""
    with rest_pose():
        issues, placed = _diagnose_at_rest(scene, tries=tries)
    return [*missing([scene]), *_newer(), *left_out_bodies(placed, scene), *issues], placed


def _newer() -> Iterator[Issue]:
    """Yield a warning of data that a newer release of the add-on has saved."""
    names = of_newer_release()
    if names:
        what = f"A newer release of this add-on has saved {some(names)}."
        fix = "Update the add-on: this one does not know all that they say, and leaves it alone."
        yield Issue(Severity.WARNING, "newer-data", names[0], what, fix)


def _diagnose_at_rest(scene: Scene, *, tries: bool) -> tuple[list[Issue], list[PlacedObject]]:
    """Check a scene at the frame whose pose is exported."""
    current, (frame, subframe) = scene.frame_current, frame_of(scene)
    rest, readers = rest_frame(scene), readers_of(scene)
    before = rows_in(bpy.data.objects, "matrix_world", 16)
    if rest != current:
        scene.frame_set(rest)
    try:
        placed = placed_in_scene(scene)
        reading = mechanism_from_placed(placed)
        issues = diagnose(reading, placed, scene, readers, tries=tries)
        issues = [one for one in issues if tries or one.code != REBOUND]
        now = rows_in(bpy.data.objects, "matrix_world", 16)
        drifting = {*compress(bpy.data.objects, (before != now).any(axis=1))}
        moved = moved_since(reading, placed, scene)
        issues = with_edits(issues, moved, reading, placed, scene, is_moving=drifting.__contains__)
    finally:
        if rest != current:
            scene.frame_set(frame, subframe=subframe)
    here = objects_in_scene(scene) if drifting else []
    carried = moved_since(reading, placed, scene) if drifting else ()
    joints = dict(joints_in(placed))
    apart = [joints[one.node or 0] for one in carried]
    torn = {obj for joint in apart for obj in (joint, *bodies_of(joint))}
    return [*issues, *_moved(here, placed, current, rest, torn)], placed


def rest_frame(scene: Scene) -> int:
    """Return the frame whose pose the exporter takes for the rest pose.

    The exporter goes to frame 0 unless "Use Current Frame" was saved with the export settings.
    """
    return scene.frame_current if saved_options(scene).get("export_current_frame") else 0


def _moved(
    here: list[PlacedObject],
    rest: list[PlacedObject],
    current: int,
    frame: int,
    torn: Container[Object | None],
) -> Iterator[Issue]:
    """Yield a warning for each body or frame that is elsewhere at the rest frame.

    Where joints are ``torn`` apart now, nobody means this pose.
    """
    for index, (now, then) in enumerate(zip(here, rest, strict=False)):
        obj = now.object
        if obj is None or obj != then.object:
            continue
        has_place = obj.omi_physics_body.is_body or obj.omi_physics_joint.is_joint
        if has_place and now.world != then.world and difference(now.world, then.world) > MOVED:
            what = f"It is not at frame {current} where it is at frame {frame}, which is exported."
            fix = f"Go to frame {frame} to see the exported pose"
            fix += "." if obj in torn else ", or export with Use Current Frame."
            yield Issue(Severity.WARNING, "moved-from-rest", obj.name, what, fix, index)


def _left_behind(placed: list[PlacedObject]) -> Iterator[Issue]:
    """Yield a hint for each partner frame whose joint is gone."""
    here = {joint.omi_physics_joint.connected_node for _, joint in joints_in(placed)}
    others = [pair for pair in objects_in(placed) if pair[1] not in here]
    partners = [pair for pair in others if pair[1].omi_physics_joint.is_partner]
    joints = [obj.omi_physics_joint for obj in (bpy.data.objects if partners else ())]
    used = {joint.connected_node for joint in joints if joint.is_joint}
    what = "It is the second frame of a joint that was removed."
    for index, obj in [pair for pair in partners if pair[1] not in used]:
        yield Issue(Severity.HINT, "partner-of-no-joint", obj.name, what, "Remove it.", index)


def _held_elsewhere(placed: list[PlacedObject], scene: Scene) -> Iterator[Issue]:
    """Yield a hint for each dynamic body whose joints are in other scenes only.

    What an export leaves out of this scene is no such joint; in one of all scenes there are none.
    """
    if len(bpy.data.scenes) == 1 or len({one.scene for one in placed}) > 1:
        return
    here = {obj: index for index, obj in reversed([*objects_in(placed)])}
    beside = {obj for one in bpy.data.scenes if one != scene for obj in one.objects}
    beside -= {*here, *scene.objects}
    found: dict[Object, list[str]] = {}
    for joint in bpy.data.objects:
        if joint in beside and joint.omi_physics_joint.is_joint and not is_muted(joint):
            for body in filter(is_dynamic, bodies_of(joint)):
                if body in here:
                    found.setdefault(body, []).append(repr(joint.name))
    for body, joints in found.items():
        hold, are = ("holds", "is") if len(joints) == 1 else ("hold", "are")
        what = f"In another scene {some(joints)} {hold} it, which {are} not here."
        fix = "Link that to this scene too, or leave it if it is meant to be loose here."
        yield Issue(Severity.HINT, "held-elsewhere", body.name, what, fix, here[body])


def _shaped_otherwise(reading: SceneReading, placed: list[PlacedObject]) -> Iterator[Issue]:
    """Yield what is not drawn as its shape is: by keys, bones or instances.

    With modifiers play takes what is drawn, and an export says what a file has instead.
    """
    owners = dict.fromkeys(one.owner for one in reading.meshes if one.owner is not None)
    what = (
        "Its shape keys are left out of its shape: what is solid is the basis, not what is drawn."
    )
    fix = "Apply its shape keys (Object > Apply > Visual Geometry to Mesh), or set them to 0."
    for index in owners:
        obj = placed[index].object
        if obj is None or obj.type != "MESH":
            continue
        if not obj.modifiers and _is_drawn_by_keys(obj):
            yield Issue(Severity.WARNING, "shape-keys-left-out", obj.name, what, fix, index)
        if is_bent(obj) and not (is_dynamic(obj) and _bent_by(obj)):
            stays = "Its mesh is bent by bones, a hook, keys or time; its collider stays behind."
            yield Issue(Severity.WARNING, "body-on-bone", obj.name, stays, ON_BONE, index)
        beside = [one for one in shaped_by(obj) if body_of(one) != body_of(obj)]
        if beside and is_dynamic(body_of(obj)):
            cut = f"{beside[0].name} shapes its mesh and does not move along, so that changes here."
            mend = "Parent that to it, or apply the modifier: files have the mesh as at rest."
            yield Issue(Severity.HINT, "mesh-changes", obj.name, cut, mend, index)
        if any(one.type == "NODES" for one in obj.modifiers) and not mark_of_object(obj):
            none = (
                "Its shape has no mesh, as its nodes draw instances: engines may refuse it, and "
                "its mass is not computed."
            )
            mend = "End them with Realize Instances, or give it a box for a shape, and a mass."
            yield Issue(Severity.HINT, "mesh-flat", obj.name, none, mend, index)


def _is_drawn_by_keys(obj: Object) -> bool:
    """Return whether shape keys draw a mesh other than its basis."""
    keys = obj.data.shape_keys
    if keys is None:
        return False
    if obj.show_only_shape_key:
        return bool(obj.active_shape_key_index)
    if not keys.use_relative:
        return bool(keys.eval_time)
    return any(one.value and not one.mute for one in keys.key_blocks[1:])


def bodies_on_bones(objects: Iterable[Object | None]) -> Iterator[Issue]:
    """Yield a warning for each dynamic body that is a skin, and each armature that carries some.

    Args:
        objects: Of nodes, in their order.
    """
    found: dict[Object, dict[str, None]] = {}
    for index, obj in enumerate(objects):
        if obj is None or not obj.omi_physics_body.is_body or not is_dynamic(obj):
            continue
        if _bent_by(obj):
            what = (
                "Its mesh is bent by an armature: in a file it is drawn where the bones are, "
                "and not where the body goes."
            )
            fix = "Apply or remove its Armature modifier, or make bodies of other meshes."
            yield Issue(Severity.WARNING, "body-on-bone", obj.name, what, fix, index)
        elif obj.parent is not None and obj.parent_type == "BONE":
            found.setdefault(obj.parent, {})[obj.name] = None
    skinned = {one for obj in (bpy.data.objects if found else ()) for one in _bent_by(obj)}
    for armature in skinned & found.keys():
        names = list(found[armature])
        what = (
            f"{some(names)} {'is' if len(names) == 1 else 'are'} on bones: the skin does not move "
            "with bodies, and in a file they stand one node below their bones."
        )
        fix = (
            "Give readers that move skins by bodies the file in which bodies are bones; "
            "bodies beside the armature lose nothing."
        )
        yield Issue(Severity.WARNING, "body-on-bone", armature.name, what, fix)


def _bent_by(obj: Object) -> list[Object]:
    """Return the armatures that bend an object's mesh."""
    return [one.object for one in obj.modifiers if one.type == "ARMATURE" and one.object]


def _unread_keys(
    placed: list[PlacedObject], mechanism: Mechanism, readers: frozenset[Reader]
) -> Iterator[Issue]:
    """Yield what ``check`` would say of animated settings, had they been looked up."""
    if Reader.GODOT_OMI not in readers or has_keys(mechanism):
        return
    animated = Samples(placed)
    for index, obj in joints_in(placed):
        data = obj.omi_physics_joint
        if not data.mute and (obj in animated.joints or data.settings in animated.blocks):
            yield issue_of("godot-keyed", obj.name, index)


def _keyed(placed: list[PlacedObject]) -> Iterator[Issue]:
    """Yield an error for physics that is animated and that no file can hold so."""
    seen: set[int] = set()
    for index, obj in objects_in(placed):
        if obj.animation_data is not None and animates(obj, OURS, but=(*PATHS, COLLISION)):
            yield _keyed_issue(obj.name, index)
        block = obj.omi_physics_joint.settings if placed[index].is_joint else None
        if block is not None and block.animation_data and block.as_pointer() not in seen:
            seen.add(block.as_pointer())
            if not all(map(can_be_written, animated_paths(block.animation_data))):
                yield _keyed_issue(f"{obj.name}: {block.name}", index)


def _constrained(placed: list[PlacedObject], mechanism: Mechanism) -> Iterator[Issue]:
    """Yield what play says of dynamic bodies with constraints, or locks that hold nothing here.

    What a joint holds, or is locked altogether, is locked against slips of the mouse.
    """
    held = {body for _, joint in joints_in(placed) for body in bodies_of(joint)}
    for index, obj in [one for one in objects_in(placed) if mechanism.is_dynamic(one[0])]:
        yield from constrained(index, obj)
        locks = (*obj.lock_location, *obj.lock_rotation)
        if any(locks) and not all(locks) and obj not in held:
            what = "Locks of its location and rotation do not hold it: forces move it anyhow."
            fix = "Join it to what stands, as by a slider for one way, or take the locks off."
            yield Issue(Severity.HINT, "locks-hold-nothing", obj.name, what, fix, index)


def _keyed_issue(where: str, index: int) -> Issue:
    what = "More than numbers of limits and drives is animated here, and the file keeps only one "
    fix = "Remove the keyframes or drivers of types, axes, switches and bodies."
    return Issue(Severity.ERROR, "keyed-physics", where, f"{what}value of each.", fix, index)


def animates(data: ID, prefix: str, but: Collection[str] = ()) -> bool:
    """Return whether a data-block animates a property whose path starts so, but for some."""
    found = animated_paths(data.animation_data).difference(but)
    return any(path.startswith(prefix) for path in found)
