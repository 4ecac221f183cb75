# SPDX-License-Identifier: GPL-3.0-or-later
"""What a simulation depends on, in short: tells an edit of a mechanism from any other edit.

It reads no pose of the bodies that a cache moves, so it can be taken while they are elsewhere.
Names are only kept to say what changed: to rename something is no edit. What moves an object but
the cache counts as well: where it stands, its keys, strips and drivers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b

import numpy as np
from bpy.types import ID, DriverTarget, FCurve, Object, Scene

from ....model.joint import Limit
from ....model.mechanics.sagging import carried_rigidly
from ....model.mechanism import Mechanism, Node
from ....model.shape import MeshShape
from ....solver import Options, SoftLocks, Steps
from ....weighing.inertia import guessed_bodies
from ...bridge.animation import animated_paths, curves_of, strips_of
from ...bridge.gravity import has_keys
from ...bridge.keyed import keyed_blocks, still
from ...bridge.placed import PlacedObject, owner_of, placed_in_scene
from ...bridge.poses.second_frames import FIELDS, PATHS
from ...bridge.read_groups import rows_in
from ...bridge.read_nodes import mechanism_from_placed
from ...data.joint import OmiJointSettings
from ...simulated.choice import islands_of, playing
from ...simulated.following import fps_of
from ...simulated.running import holds_by_itself, options_of

Part = tuple[str, str, str]
"""What kind of thing, its name, and a digest of all that matters of it."""

TIME, PLAY, GRAVITY, PLACE, BODY, JOINT = "time", "play", "gravity", "place", "body", "joint"
CONTACTS = "contacts"
SENTENCES = {
    CONTACTS: "contacts or the floor were changed",
    TIME: "the frame rate was changed",
    PLAY: "how soft limits and breaking joints are played was changed",
    GRAVITY: "gravity was changed",
    PLACE: "{} was moved",
    BODY: "the physics of {} was changed",
    JOINT: "the joint {} was changed",
}
"""Causes come first: whatever moves changes the digests of what hangs on it."""
STRIP = (
    "frame_start",
    "frame_end",
    "action_frame_start",
    "action_frame_end",
    "scale",
    "repeat",
    "blend_in",
    "blend_out",
    "influence",
    "mute",
    "use_reverse",
    "blend_type",
    "extrapolation",
)
"""What of a strip in the NLA changes what it does."""


def fingerprint(scene: Scene, moved: Iterable[Object]) -> list[Part]:
    """Return what the motion of a scene depends on, at any frame.

    The transforms of bodies that are ``moved`` do not count.
    """
    placed = placed_in_scene(scene)
    read = mechanism_from_placed(placed).mechanism
    options = options_of(scene.omi_physics_preview, scene)
    mechanism = playing(read, islands_of(read, contacts=options.contacts))
    pointers = {obj.as_pointer() for obj in moved}
    held = carried_rigidly(mechanism) if holds_by_itself(options) else {}
    pulls: object = options.gravity
    if has_keys(scene):
        keys = list(_animation(scene, pointers, frozenset()))
        pulls = keys, scene.omi_physics_preview.use_gravity
    parts: list[Part] = [
        (TIME, "", _digest(fps_of(scene))),
        (GRAVITY, "", _digest(pulls)),
        (PLAY, "", _digest(*_played(options, held))),
    ]
    places = _places(placed, pointers)
    touch = options.contacts
    if touch:
        parts.append((CONTACTS, "", _digest(options.floor)))
    bodies = list(map(partial(_body, mechanism, touch), mechanism.nodes, places))
    sized = _sized_by_mesh(mechanism, placed, touch)
    used: set[int] = set()
    keyed = set(keyed_blocks(placed))
    for kind, index, matters in _things(mechanism, touch):
        owners = _owners(mechanism, index)
        block = placed[index].owner.omi_physics_joint.settings if kind == JOINT else None
        said = list(own_settings(block, pointers)) if block in keyed else matters
        joint = mechanism.nodes[index].joint
        digest = _digest(
            said,
            sized.get(index),
            None if joint is None or not options.breaks else joint.breaking,
            *(("held",) if held.get(index) else ()),
            *(bodies[one] for one in owners),
        )
        parts.append((kind, placed[index].owner.name, digest))
        used.update(*map(mechanism.ancestry, owners))
    for index in sorted(used):
        owner = owner_of(placed, index)
        parts.append((PLACE, "" if owner is None else owner.name, places[index]))
    return parts


def _things(mechanism: Mechanism, touch: bool) -> Iterator[tuple[str, int, object]]:
    """Yield kind, node and settings of what takes part: dynamic bodies, and joints.

    Where bodies touch, so does what stands.
    """
    for index, node in enumerate(mechanism.nodes):
        body = mechanism.body_of(index)
        is_part = any(one is not None for one in (node.motion, node.collider, node.bounds))
        solid = touch and node.collider is not None
        if is_part and (solid or mechanism.is_dynamic(body)):
            yield BODY, index, None
        if node.joint is not None:
            settings = mechanism.settings[node.joint.settings]
            own = replace(settings, name="", unknown="")
            yield JOINT, index, (own, node.joint.enable_collision) if touch else own


def _played(options: Options, held: dict[int, frozenset[Limit]]) -> tuple[object, ...]:
    """Return how joints are played in effect.

    Soft limits are read literally where automatic finds nothing; Godot has one reading of them.
    """
    if options.steps is Steps.GODOT:
        return options.steps, options.breaks
    is_automatic = options.soft_locks is SoftLocks.AUTOMATIC and not any(held.values())
    return SoftLocks.LITERAL if is_automatic else options.soft_locks, options.breaks


def _sized_by_mesh(
    mechanism: Mechanism, placed: Sequence[PlacedObject], touch: bool
) -> dict[int, object]:
    """Return the sizes of meshes by which the inertia of a body is guessed, by node.

    Where bodies touch, those of all that are solid.

    Those of a mesh that its modifiers or shape keys may change from frame to frame do not count.
    """
    shaped = {
        mechanism.body_of(index)
        for index, node in enumerate(mechanism.nodes)
        if node.collider is not None and node.collider.shape is not None
    }
    guessed = guessed_bodies(mechanism)
    found: dict[int, object] = {}
    for index, node in enumerate(mechanism.nodes):
        obj, body = placed[index].object, mechanism.body_of(index)
        if obj is None or node.bounds is None or not (touch or body in guessed):
            continue
        if body in shaped and not isinstance(mechanism.shape_of(node), MeshShape):
            continue
        if not obj.modifiers and getattr(obj.data, "shape_keys", None) is None:
            found[index] = (node.bounds, len(getattr(obj.data, "vertices", ())))
    return found


def _owners(mechanism: Mechanism, index: int) -> list[int]:
    """Return the nodes that a thing is made of: itself, its partner, the bodies of both."""
    joint = mechanism.nodes[index].joint
    ends = [index] if joint is None else [index, joint.connected_node]
    return [*ends, *(body for end in ends if (body := mechanism.body_of(end)) is not None)]


def difference(before: Sequence[Part], now: Sequence[Part], there: Container[str]) -> str:
    """Return in words what changed, one thing for all; "" where nothing did.

    What is ``there`` are the names of the objects in the scene.
    """
    lost, new = _surplus(before, now), _surplus(now, before)
    if not lost and not new:
        return ""
    if any(kind == CONTACTS for kind, _, _ in (*lost, *new)):
        return SENTENCES[CONTACTS]  # with them what takes part is another
    if len(before) > len(now):
        names = {name for _, name, _ in now}
        lost.sort(key=lambda part: part[0] != JOINT)  # a body without its joint takes no part
        gone = [(kind, name) for kind, name, _ in lost if name and name not in names]
        for _, name in gone:
            if name not in there:
                return f"{name} was deleted"
        for kind, name in gone:
            if kind != PLACE:
                return f"{name} does not take part any more"
    if len(before) < len(now):
        names = {name for _, name, _ in before}
        for kind, name, _ in new:
            if kind != PLACE and name not in names:
                return f"{name} was added"
    order = list(SENTENCES)
    kind, name, _ = min(new or lost, key=lambda part: order.index(part[0]))
    return SENTENCES[kind].format(name)


def _surplus(some: Sequence[Part], others: Sequence[Part]) -> list[Part]:
    """Return the parts of one list that another has not, whatever they are called."""
    left = Counter((kind, digest) for kind, _, digest in others)
    surplus = []
    for kind, name, digest in some:
        left[kind, digest] -= 1
        if left[kind, digest] < 0:
            surplus.append((kind, name, digest))
    return surplus


def _digest(*values: object) -> str:
    return blake2b(repr(values).encode(), digest_size=8).hexdigest()


def _places(placed: Sequence[PlacedObject], moved: set[int]) -> list[str]:
    """Return for each node what says where it is, parents included."""
    found: list[str] = []
    for node in placed:
        above = "" if node.parent is None else found[node.parent]
        if node.second_of is None:
            own: Iterable[object] = own_place(node.object, moved)
        else:
            own = _value_of(placed[node.second_of].owner)
        found.append(_digest(above, *own))
    return found


def _value_of(joint: Object) -> Iterator[object]:
    """Yield what says where a second frame is that is no object; its joint has its keys."""
    data = joint.animation_data
    if data is None or animated_paths(data).isdisjoint(PATHS):
        yield [tuple(getattr(joint.omi_physics_joint, field)) for field in FIELDS]


def _body(mechanism: Mechanism, touch: bool, node: Node, place: str) -> str:
    """Return a digest of what a node is and where: what a solver reads of it, and no more."""
    motion: object = None if node.motion is None else replace(node.motion, unknown="")
    shape, solid = mechanism.shape_of(node), node.collider if touch else None
    if solid is not None:
        material, meets = solid.physics_material, solid.collision_filter
        motion = (
            motion,
            None if material is None else mechanism.physics_materials[material],
            None if meets is None else mechanism.collision_filters[meets],
        )
    if isinstance(shape, MeshShape):
        return _digest(place, motion, type(shape).__name__)
    return _digest(place, motion, None if shape is None else replace(shape, name="", unknown=""))


def is_animated(obj: Object) -> bool:
    """Return whether keys, strips or drivers may move an object."""
    data = obj.animation_data
    return data is not None and bool(data.action or data.nla_tracks or data.drivers)


def own_place(
    obj: Object | None, moved: Collection[int], seen: frozenset[int] = frozenset()
) -> Iterator[object]:
    """Yield what says where an object is below its parent; nothing of None.

    Matrices are taken in single precision: as arrays some releases of Blender give them in double.
    The own transform of bodies that are ``moved`` does not count; what is ``seen`` already is not
    looked at again, since drivers may go in circles. Both hold pointers.
    """
    if obj is None:
        return
    yield obj.parent_type, obj.parent_bone
    yield _bytes(obj.matrix_parent_inverse) if obj.parent is not None else b""
    for constraint in obj.constraints:
        yield constraint.type, constraint.mute, constraint.influence
    animation = list(_animation(obj, moved, seen | {obj.as_pointer()}))
    yield animation
    if obj.as_pointer() in moved:
        yield tuple(obj.scale), tuple(obj.delta_location), tuple(obj.delta_scale)
        yield tuple(obj.delta_rotation_euler), tuple(obj.delta_rotation_quaternion)
    elif not animation:
        yield _bytes(obj.matrix_basis)


def own_settings(block: OmiJointSettings, moved: Collection[int]) -> Iterator[object]:
    """Yield what an animated settings block says, in any frame: how it goes, and what stays."""
    yield list(_animation(block, moved, frozenset((block.as_pointer(),))))
    yield still(block)


def _bytes(matrix: Iterable[Iterable[float]]) -> bytes:
    return np.array(matrix, dtype=np.float32).tobytes()


def _animation(owner: ID, moved: Collection[int], seen: frozenset[int]) -> Iterator[object]:
    data = owner.animation_data
    if data is None:
        return
    for curve in data.drivers:
        yield list(_keys((curve,)))
        yield curve.driver.type, curve.driver.expression
        for variable in curve.driver.variables:
            yield variable.name, variable.type
            for target in variable.targets:
                yield list(_target(variable.type, target, moved, seen))
    for track in data.nla_tracks:
        yield track.mute, track.is_solo
    strips = list(strips_of(data))
    for strip in strips:
        yield tuple(getattr(strip, name) for name in STRIP)
    for user in (data, *strips):
        yield from _keys(curves_of(user.action, user.action_slot))


def _keys(curves: Iterable[FCurve]) -> Iterator[object]:
    for curve in curves:
        points, ends = curve.keyframe_points, ("co", "handle_left", "handle_right")
        keys = b"".join(rows_in(points, end, 2).tobytes() for end in ends)
        yield curve.data_path, curve.array_index, curve.mute, curve.extrapolation
        yield keys, rows_in(points, "interpolation", 1, np.int32).tobytes()
        yield [(one.type, one.mute, one.influence) for one in curve.modifiers]


def _target(
    kind: str, target: DriverTarget, moved: Collection[int], seen: frozenset[int]
) -> Iterator[object]:
    """Yield what a driver reads there: not the name, and no value that changes with the frame."""
    yield target.data_path, target.bone_target, target.transform_type
    yield target.transform_space, target.rotation_mode
    source = target.id
    if source is None or source.as_pointer() in seen:
        return
    if kind != "SINGLE_PROP":
        yield list(own_place(source, moved, seen))
        return
    yield list(_animation(source, moved, seen | {source.as_pointer()}))
    is_custom = target.data_path.endswith('"]')
    data = source.animation_data
    if is_custom and (data is None or target.data_path not in animated_paths(data)):
        yield _value(source, target.data_path)


def _value(source: ID, path: str) -> str:
    """Return a value that only the user changes, as text; "" where the path leads nowhere."""
    try:
        return repr(source.path_resolve(path))
    except ValueError:
        return ""
