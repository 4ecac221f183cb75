# SPDX-License-Identifier: GPL-3.0-or-later
"""One mechanism while it is posed: objects in, joints kept, transforms and their values out.

When that may be: not while what is shown is not what the user made. A pose is an edit that stays,
so it leaves alone what it does not change: scales as they were typed, objects that did not move,
and the turns that an angle has made, since keyframes go through them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from bpy.types import Context, Object, Scene
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from ...model.body import Vector3
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.geometry.transform import compose, inverse, multiply, translation_of
from ...model.mechanism import Mechanism
from ...posing import Posed, Posing
from ..articulation.connected_objects import joints_around, placed_with
from ..bridge.placed import PlacedObject
from ..bridge.poses.moving import MovedBodies
from ..bridge.poses.second_frames import PATHS, between, keep_values, set_value, store
from ..bridge.poses.transforms import FIELDS, GROUP, NOISE, Kept, keep, put_back, rotation_field
from ..bridge.read_nodes import mechanism_from_placed
from ..timeline.cache.motion import values_after
from ..timeline.cache.storage import cache_of
from ..timeline.playback import is_blocked, is_simulating
from .stands import freedom_of, in_blender, in_model

Array = NDArray[np.float64]

STEADY = 2e-6
"""m, or parts of a column of a matrix: less is the rounding of Blender's single precision."""
SQUARE = 1e-4
"""How far a rotation may be from one, after the old scale is taken out, for that scale to stay."""


class JointValues:
    """Joints whose second frames are no objects, from the moment when this is made."""

    def __init__(
        self, placed: Sequence[PlacedObject], mechanism: Mechanism, moving: MovedBodies
    ) -> None:
        row = {node: k for k, node in enumerate(moving.nodes)}

        def end(index: int) -> tuple[int | None, Array]:
            above = (row[one] for one in mechanism.ancestry(index) if one in row)
            return next(above, None), np.array(placed[index].world)

        self.ends = {
            placed[node.second_of].owner: (end(node.second_of), end(index))
            for index, node in enumerate(placed)
            if node.second_of is not None
        }
        """Of both frames of each joint: which body carries it, and where it was in the world."""
        self._kept = keep_values(joint for joint in self.ends if joint.is_editable)
        self.changed: list[Object] = []
        """Joints that have got another value."""

    def write(self, way: Array, moved: Array) -> None:
        """Give joints the values that the motion of bodies has brought.

        Args:
            way: where each body is now, from where it was, in the world: (n, 4, 4).
            moved: which bodies moved at all: (n,).
        """
        self.changed = []
        for joint in self._kept:
            if not any(row is not None and moved[row] for row, _ in self.ends[joint]):
                continue
            frames = [own if row is None else way[row] @ own for row, own in self.ends[joint]]
            set_value(joint, between(*(Matrix(frame.tolist()) for frame in frames)))
            self.changed.append(joint)

    def restore(self) -> None:
        """Give all joints back what they had, bit by bit."""
        for joint, kept in self._kept.items():
            store(joint, kept)


class PosingSession:
    """Poses some joints; nothing is written before ``write``."""

    def __init__(self, joints: Iterable[Object]) -> None:
        self.joints = list(joints)
        placed = placed_with(self.joints)
        self._node = {node.object: index for index, node in enumerate(placed)}
        mechanism = mechanism_from_placed(placed).mechanism
        own = [(i, node.object) for i, node in enumerate(placed) if node.instance is None]
        linked = {i: obj.name for i, obj in own if obj is not None and not obj.is_editable}
        self.linked = [name for i, name in linked.items() if mechanism.is_dynamic(i)]
        """Bodies of other files, which stay: a reload would take their pose back."""
        self.mechanism = mechanism = mechanism.with_standing(linked)
        """As it was when this was made."""
        self.posing = Posing(mechanism)
        self.moving = MovedBodies(placed, mechanism)
        self._values = JointValues(placed, mechanism, self.moving)
        self._rows = self.moving.rows_of(self.posing.body_nodes)
        self._start = self.moving.worlds(*self._poses())
        self._moved = np.zeros(len(self.moving.bodies), dtype=bool)
        self.last = Posed(True, 0.0)
        """How near the last change came to what was asked."""

    def _poses(self) -> tuple[Array, Array]:
        return self.posing.positions[self._rows], self.posing.rotations[self._rows]

    @property
    def bodies(self) -> list[Object]:
        """The objects that joints may move."""
        return [body.object for body in self.moving.bodies]

    @property
    def moved(self) -> list[Object]:
        """Those that were moved so far, and the joints that have got other values by it."""
        bodies = zip(self.moving.bodies, self._moved, strict=True)
        return [*(a.object for a, moved in bodies if moved), *self._values.changed]

    @property
    def valued(self) -> list[Object]:
        """The joints that hold their values themselves."""
        return list(self._values.ends)

    def can_pose(self, joint: Object) -> bool:
        """Return whether a joint takes part: some lack a body that could move."""
        return self._node.get(joint) in self.posing.joint_nodes

    def values(self) -> dict[Object, tuple[float, ...]]:
        """Return where all joints stand: six values each, in Blender's axes."""
        return {
            joint: in_blender(tuple(self.posing.values(self._node[joint]).tolist()))
            for joint in self.joints
            if self.can_pose(joint)
        }

    def set_value(self, joint: Object, number: int, value: float) -> None:
        """Set one of a joint's six values, in Blender's axes."""
        if self.can_pose(joint):
            axis, sign = Y_UP_FROM_Z_UP.axis[number % 3], Y_UP_FROM_Z_UP.sign[number % 3]
            way = (freedom_of(number), axis)
            self.last = self.posing.set_value(self._node[joint], *way, sign * value)

    def take_values(self, values: dict[Object, tuple[float, ...]]) -> None:
        """Set all values of some joints, in Blender's axes."""
        six = {self._node[joint]: np.array(in_model(own)) for joint, own in values.items()}
        self.last = self.posing.take_values(six)

    def local(self, body: Object, place: Sequence[float]) -> Vector3:
        """Return a place of Blender's world in the rigid frame of a body, glTF axes."""
        row = self.posing.body_nodes.index(self._node[body])
        there = compose(Y_UP_FROM_Z_UP.vector(place))
        return translation_of(multiply(inverse(self.posing.world_of(row)), there))

    def drag(
        self, body: Object, point: Vector3, target: Sequence[float], *, upright: bool = False
    ) -> Posed:
        """Bring a point of a body, see ``local``, to a place in Blender's world.

        It keeps its orientation where it stays ``upright``.
        """
        there = Y_UP_FROM_Z_UP.vector(target)
        self.last = self.posing.drag(self._node[body], point, there, keep_orientation=upright)
        return self.last

    def write(self) -> None:
        """Move the objects; those that stand where they stood keep their numbers bit by bit.

        Raises:
            ReferenceError: an object was deleted.
        """
        bodies, rest = self.moving.bodies, self.moving.rest
        worlds = self.moving.worlds(*self._poses())
        off = np.abs(worlds - self._start).reshape(len(bodies), -1).max(1, initial=0.0)
        self._moved |= off > STEADY
        before = keep(body.object for body in bodies)
        self.moving.write(*self._poses())
        carried = self._moved.copy()
        for k, body in enumerate(bodies):
            carried[k] |= body.above is not None and carried[body.above]
            if carried[k]:
                tidy(body.object, before[k])
            else:
                rest[k].put_back()
        self._values.write(worlds @ np.linalg.inv(self._start), carried)

    def restore(self) -> None:
        """Put everything back where it was when this was made, bit by bit."""
        put_back(self.moving.rest)
        self._values.restore()


def session_for(obj: Object | None, context: Context) -> PosingSession | None:
    """Return a session of the mechanism that an object is part of; None where it is in none."""
    context.view_layer.update()
    joints = joints_around(obj, context.scene)
    return PosingSession(joints) if joints else None


def note_rest(values: Mapping[Object, tuple[float, ...]]) -> None:
    """Keep where joints stand as their rest, for those that have none yet.

    Rest is kept as the values of the joints, on the joints themselves: it stays true when the whole
    mechanism is moved elsewhere, is saved, copied and undone with them, and asks for no frame.
    """
    for joint, six in values.items():
        data = joint.omi_physics_pose
        if not data.has_rest and joint.is_editable:
            data.rest = six
            data.has_rest = True


def rest_of(joints: Iterable[Object]) -> dict[Object, tuple[float, ...]]:
    """Return where joints stood before they were posed; those that never were are left out."""
    return {
        joint: tuple(joint.omi_physics_pose.rest)
        for joint in joints
        if joint.omi_physics_pose.has_rest
    }


def forget_rest(joints: Iterable[Object]) -> None:
    """Take the present pose for the rest: there is nothing to go back to."""
    for joint in joints:
        if joint.omi_physics_pose.has_rest and joint.is_editable:
            for name in ("has_rest", "rest"):
                joint.omi_physics_pose.property_unset(name)


def obstacle_here(context: Context) -> str:
    """Return in a sentence why nothing can be posed in this mode and scene."""
    return obstacle(context.scene) if context.mode == "OBJECT" else "Go to Object Mode first"


def obstacle(scene: Scene) -> str:
    """Return in a sentence why nothing can be posed now; nothing where it can.

    A simulation in the timeline is outdated by a pose, as by any other edit, but where it shows
    motion the bodies are not where a pose would have to begin.
    """
    if is_simulating():
        return "Wait for the simulation to end, or press Esc, to pose"
    if is_blocked():
        return "Stop playing to pose"
    frame = frame_to_pose_at(scene)
    return "" if frame is None else f"Go to frame {frame}, where the simulation begins, to pose"


def frame_to_pose_at(scene: Scene) -> int | None:
    """Return the frame where bodies are at rest again; None where they are now."""
    cache = cache_of(scene)
    if cache is None or cache.outdated:
        return None
    is_later = scene.frame_current + scene.frame_subframe > cache.frame_start
    return cache.frame_start if is_later else None


def tidy(obj: Object, before: Kept) -> None:
    """Give an object whose matrix was set its scale back, and the turn nearest to the last one."""
    if not _is_plain(obj):
        return
    old = dict(zip(FIELDS, before.values, strict=True))
    scale = Vector(old["scale"])
    if 0.0 in scale:
        return
    inverse = Matrix.Diagonal([1.0 / x for x in scale])
    rotation = obj.matrix_basis.to_3x3() @ inverse
    off = rotation.transposed() @ rotation - Matrix.Identity(3)
    if max(abs(x) for row in off for x in row) > SQUARE or rotation.determinant() < 0.0:
        return
    obj.scale = scale
    if tuple(obj.delta_location) == (0.0, 0.0, 0.0):
        obj.location = _steady(obj.location, old["location"])
    field = rotation_field(obj.rotation_mode)
    turn = values_after(obj.rotation_mode, rotation.to_quaternion(), old[field])
    setattr(obj, field, _steady(turn, old[field]))


def _steady(new: Iterable[float], old: Iterable[float]) -> tuple[float, ...]:
    """Return new numbers, but old ones where the difference is rounding."""
    return tuple(b if abs(a - b) <= NOISE else a for a, b in zip(new, old, strict=True))


def _is_plain(obj: Object) -> bool:
    """Whether no delta transform is added to what the user types."""
    return (
        tuple(obj.delta_scale) == (1.0, 1.0, 1.0)
        and tuple(obj.delta_rotation_euler) == (0.0, 0.0, 0.0)
        and tuple(obj.delta_rotation_quaternion) == (1.0, 0.0, 0.0, 0.0)
    )


def key(objects: Iterable[Object], *, replace_only: bool = False) -> int:
    """Insert keyframes for the places and rotations of objects; return how many got some.

    A joint does not move by itself: its value is keyed, which belongs to the pose of its bodies.
    """
    options = {"INSERTKEY_REPLACE"} if replace_only else set()
    count = 0
    for obj in objects:
        if obj.is_editable:
            paths: tuple[str, ...] = ("location", rotation_field(obj.rotation_mode))
            if obj.omi_physics_joint.is_joint:
                paths = PATHS
            done = [obj.keyframe_insert(path, group=GROUP, options=options) for path in paths]
            count += any(done)
    return count


def key_automatically(scene: Scene, objects: Iterable[Object]) -> None:
    """Insert keyframes where the scene records every change."""
    tools = scene.tool_settings
    if tools.use_keyframe_insert_auto:
        key(objects, replace_only=tools.auto_keying_mode == "REPLACE_KEYS")
