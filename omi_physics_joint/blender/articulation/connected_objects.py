# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects move together: the joints around an object, and the articulations that they are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeGuard

from bpy.types import ID, Object, Scene

from ...model.articulation.joints import Articulation, ArticulationJoint
from ...model.articulation.trees import articulations_of
from ...model.mechanics.islands import islands_of, nearest_first
from ..bridge.placed import (
    PlacedObject,
    bodies_of,
    body_of,
    is_dynamic,
    objects_in_scene,
    plain,
    with_parents,
    with_second_frames,
)
from ..bridge.poses.second_frames import below
from ..bridge.read_nodes import mechanism_from_placed
from ..data.joint import has_settings
from ..interface.signals import signals


def is_whole(joint: Object) -> bool:
    """Return whether an object is a joint that has all it needs and is not switched off."""
    data = joint.omi_physics_joint
    return (
        data.is_joint and not data.mute and data.settings is not None and below(joint) is not None
    )


def is_moving(body: Object | None) -> TypeGuard[Object]:
    """Return whether a body moves, by joints or by its animation."""
    return body is not None and body.omi_physics_body.type != "static"


def joints_around(
    obj: Object | None,
    scene: Scene,
    *,
    through: Callable[[Object | None], TypeGuard[Object]] = is_dynamic,
) -> list[Object]:
    """Return the joints of the mechanism that an object is part of, by name; nearest first.

    The object may be a body, anything below one, a joint or a partner; None is part of none. Bodies
    that do not lead ``through`` stand still and do not connect: a wall with a hundred doors belongs
    to all of them, a door to its own mechanism only.
    """
    if obj is None or not has_settings():
        return []
    whole = sorted((one for one in scene.objects if is_whole(one)), key=lambda one: one.name)
    ends = [bodies_of(one) for one in whole]
    movable = dict.fromkeys(body for pair in ends for body in pair if through(body))
    islands = islands_of(movable, ends)
    own = [i for i, one in enumerate(whole) if obj in (one, one.omi_physics_joint.connected_node)]
    body = body_of(obj)
    start = own or [i for i, pair in enumerate(ends) if body is not None and body in pair]
    near = [nearest_first(one, ends, [i for i in start if i in one.joints]) for one in islands]
    joints = dict.fromkeys([*start, *(i for part in near for i in part)])
    return [whole[i] for i in joints if any(is_dynamic(one) for one in ends[i])]


def placed_with(joints: Iterable[Object]) -> list[PlacedObject]:
    """Return the nodes of joints and of everything above them, see ``bridge.placed``."""
    number: dict[Object | None, int] = {}
    placed: list[PlacedObject] = []
    for obj in _ends_with_parents(joints):
        if obj not in number:
            number[obj] = len(placed)
            placed.append(PlacedObject(obj, number.get(obj.parent), plain(obj.matrix_world)))
    return with_second_frames(placed)


def _ends_with_parents(joints: Iterable[Object]) -> Iterator[Object]:
    """Yield the frames of joints that are objects, each after all that it is parented to."""
    for joint in joints:
        for end in filter(None, (joint, below(joint))):
            yield from reversed([*with_parents(end)])


@dataclass(frozen=True, slots=True)
class Whole:
    """The articulations that an object is part of: one, or all that hang on what stands still.

    Attributes:
        joints: all joints of them, as objects.
        articulations: their nodes are numbers in ``placed``.
        standing: the static body that the object belongs to, None where that moves.
    """

    joints: list[Object]
    placed: list[PlacedObject]
    articulations: tuple[Articulation, ...]
    standing: Object | None

    def object_of(self, node: int) -> Object:
        """Return the object that a node is."""
        return self.placed[node].owner

    def joint_of(self, obj: Object) -> ArticulationJoint | None:
        """Return what a joint is in its articulation."""
        stored = (joint for one in self.articulations for joint in one.stored_joints())
        known = ((joint, joint.node) for joint in stored if joint.node is not None)
        return next((joint for joint, node in known if self.object_of(node) == obj), None)

    @property
    def bodies(self) -> list[Object]:
        """The bodies that move, roots first in each articulation."""
        return [self.object_of(body) for one in self.articulations for body in one.bodies]


def whole_of(obj: Object | None, scene: Scene) -> Whole | None:
    """Return the articulations that an object of a scene is part of; None where there are none.

    It may be a body, anything below one, a joint or its second frame.
    """
    joints = joints_around(obj, scene, through=is_moving)
    return None if obj is None or not joints else _read(obj, joints, scene)


_shown: list[tuple[Hashable, Whole | None]] = []
"""What was shown last, and what that depends on."""


def shown_whole(obj: Object | None, scene: Scene) -> Whole | None:
    """Return the same for what is drawn again and again: kept while nothing has changed."""
    joints = joints_around(obj, scene, through=is_moving)
    if obj is None or not joints:
        return None
    key = (obj.as_pointer(), scene.as_pointer(), _state_of(joints))
    if not (_shown and _shown[0][0] == key):
        _shown[:] = [(key, _read(obj, joints, scene))]
    return _shown[0][1]


def _state_of(joints: Iterable[Object]) -> Hashable:
    """Return all that trees of joints depend on, but for where objects are."""
    ends = [(joint, *bodies_of(joint), joint.omi_physics_joint.settings) for joint in joints]
    bodies = dict.fromkeys(body for _, a, b, _ in ends for body in (a, b) if body is not None)
    return (
        (signals.generation, signals.settings, signals.edits),
        tuple(tuple(map(_id, parts)) for parts in ends),
        tuple((_id(body), _id(body.parent), _motion_of(body)) for body in bodies),
    )


def _id(obj: ID | None) -> int:
    return 0 if obj is None else obj.as_pointer()


def _motion_of(body: Object) -> Hashable:
    """Return what says whether a body may be a root, and how soon."""
    data = body.omi_physics_body
    fields = (data.inertia_diagonal, data.infinite_inertia)
    return (data.type, data.mass, data.infinite_mass, *(tuple(field) for field in fields))


def _read(obj: Object, joints: list[Object], scene: Scene) -> Whole | None:
    placed = _placed_as_in_scene(joints, scene)
    articulations = articulations_of(mechanism_from_placed(placed).mechanism)
    body = body_of(obj)
    is_frame = obj.omi_physics_joint.is_joint or body is None
    standing = None if is_frame or is_moving(body) else body
    return Whole(joints, placed, articulations, standing) if articulations else None


def _placed_as_in_scene(joints: Iterable[Object], scene: Scene) -> list[PlacedObject]:
    """Return the nodes of joints and of all above them, in the order of the scene.

    That is the order of a file: roots are those of the file, wherever the user is.
    """
    needed = set(_ends_with_parents(joints))
    every = objects_in_scene(scene)
    kept = [i for i, node in enumerate(every) if node.instance is None and node.object in needed]
    number: dict[int | None, int | None] = {old: new for new, old in enumerate(kept)}
    placed = [replace(every[i], parent=number.get(every[i].parent)) for i in kept]
    return with_second_frames(placed)


def objects_to_move(whole: Whole) -> list[Object]:
    """Return what must be moved for a whole mechanism to move; what is parented to it follows.

    These are its bodies, the static one that the user is at, and the ends of joints on what stands
    still otherwise: a hinge that is parented to the floor goes with the arm that it holds.
    """
    chosen = dict.fromkeys(filter(None, [*whole.bodies, whole.standing]))
    for joint in whole.joints:
        for end in filter(None, (joint, joint.omi_physics_joint.connected_node)):
            if chosen.keys().isdisjoint(with_parents(end)):
                chosen[end] = None
    return list(chosen)
