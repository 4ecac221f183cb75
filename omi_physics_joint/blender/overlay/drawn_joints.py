# SPDX-License-Identifier: GPL-3.0-or-later
"""The joints of one scene as they are drawn now, kept up to date with as little work as possible.

Joints that never move rest in one pool of lines. Those that change wander into another, so that
dragging one among a thousand makes only its own lines anew.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix as BlenderMatrix
from numpy.typing import NDArray

from ...drawing.joint_table import JointTable, Poses, joint_table, joint_values, rigid_frames
from ...drawing.layout import Floats
from ...drawing.picture import Parts, Picture, picture, world_lines
from ...drawing.strokes import MUTED
from ...model.geometry.transform import Matrix
from ..bridge.poses.moving import BLENDER_FROM_GLTF
from ..bridge.poses.second_frames import square
from ..bridge.read_groups import rows_in
from ..data.joint import has_settings
from ..interface.signals import signals
from .extras import extras
from .survey import Chain, JointSurvey, Row, plain_value, read_block, survey, with_edited

GLTF_FROM_BLENDER = BLENDER_FROM_GLTF.T


class ObjectsReplacedError(Exception):
    """The objects of the file are no longer those that were looked up."""


def object_uids() -> NDArray[np.int32]:
    """Return the session uids of all objects of the file, in their order."""
    return rows_in(bpy.data.objects, "session_uid", 1, np.int32)[:, 0]


class FramePlaces:
    """Reads where the frames of joints are."""

    def __init__(self, rows: Sequence[Row]) -> None:
        """Look up where in the list of all objects those of the joints are."""
        self.uids = object_uids()
        self._index_of = index_of = {uid: index for index, uid in enumerate(self.uids.tolist())}
        self._ends = (
            np.array([index_of[row.joint] for row in rows], np.intp),
            np.array([index_of[row.partner] for row in rows], np.intp),
        )
        self._chains = (
            _by_chain([row.chain for row in rows]),
            _by_chain([row.partner_chain for row in rows]),
        )
        self._values, self._carried = [row.value for row in rows], [row.carried for row in rows]
        self._edited: set[int] = set()
        self._last: list[NDArray[np.float32]] | None = None

    def worlds(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
        """Return where joints that moved since last time are, and their partners, and their rows.

        World from node in glTF's axes, (k, 4, 4) each, and (k,). The first time these are all.

        Raises:
            ObjectsReplacedError: objects came, went or were renamed.
        """
        if not np.array_equal(object_uids(), self.uids):
            raise ObjectsReplacedError
        matrices = rows_in(bpy.data.objects, "matrix_world", 16)
        now = [matrices[end] for end in self._ends]
        if self._last is None or any(self._chains):
            moved = np.arange(len(now[0]))
        else:
            one, two = (new != old for new, old in zip(now, self._last, strict=True))
            changed = (one | two).any(axis=1)
            changed[list(self._edited)] = True
            moved = np.flatnonzero(changed)
        self._edited.clear()
        self._last = now
        own, second = (_columns_first(end[moved]) for end in now)
        for worlds, chains in zip((own, second), self._chains, strict=True):
            for chain, rows in chains.items():  # where there are any, all rows are here
                worlds[rows] = self._base(matrices, chain) @ worlds[rows]
        # From the objects that second frames go with to the frames themselves.
        for row, index in enumerate(moved.tolist()):
            if (carried := self._carried[index]) is not None:
                second[row] = second[row] @ carried
            elif (value := self._values[index]) is not None:
                second[row] = np.array(square(BlenderMatrix(second[row].tolist()))) @ value
        return _mapped(own), _mapped(second), moved

    def take_value(self, row: int, value: Matrix | None) -> None:
        """Take over what animation makes of the value of a joint."""
        if self._values[row] != value:
            self._values[row] = value
            self._edited.add(row)

    def forget(self) -> None:
        """Let all joints count as moved next time."""
        self._last = None

    def _base(self, matrices: NDArray[np.float32], chain: Chain) -> NDArray[np.float64]:
        """Return where a chain of instancers has the origin of what it instances."""
        base = np.eye(4)
        for uid, offset in chain:
            back = np.eye(4)
            back[:3, 3] = np.negative(offset)
            base = base @ (_columns_first(matrices[self._index_of[uid]][None])[0] @ back)
        return base


def _columns_first(matrices: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return matrices as Blender stores them, column by column, as (n, 4, 4)."""
    return matrices.reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)


def _mapped(worlds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return world matrices of Blender in glTF's axes."""
    mapped: NDArray[np.float64] = GLTF_FROM_BLENDER @ worlds @ GLTF_FROM_BLENDER.T
    return mapped


def _by_chain(chains: Sequence[Chain]) -> dict[Chain, list[int]]:
    """Return the rows that stand in instances, by their chain of instancers."""
    groups: dict[Chain, list[int]] = {}
    for row, chain in enumerate(chains):
        if chain:
            groups.setdefault(chain, []).append(row)
    return groups


Mask = NDArray[np.bool_]

REST, LIVE = 0, 1
"""The two pools."""
WATCH = 6
"""Settings blocks that a redraw reads in turn, for edits that nothing announces."""


class DrawnJoints:
    """Joints of one scene in one view layer."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self.versions = [0, 0]
        """Grow when the lines of a pool change: of the one at rest, of the one that lives."""
        self.table: JointTable = joint_table((), ())
        self.muted: Mask = np.zeros(0, np.bool_)
        self._survey = JointSurvey()
        self._is_empty = True
        """Whether there was nothing to be found, nor is there anything to be kept up to date."""
        self._placement = FramePlaces(())
        self._uids: NDArray[np.int64] = np.zeros((0, 4), np.int64)
        """Of each joint: its objects and their bodies, 0 where there is none."""
        self._seen: dict[str, Any] = {}
        self._queue: deque[int] = deque()
        self._make_room(0)

    def _make_room(self, count: int) -> None:
        """Begin anew for so many joints, of which nothing is known but their settings."""
        self.joints: Floats = np.tile(np.eye(4), (count, 1, 1))
        self.partners: Floats = self.joints.copy()
        self.values: Floats = np.zeros((count, 6))
        self.active: int | None = None
        """The row of the active joint."""
        self.emphasis: NDArray[np.int64] = np.zeros(count, np.int64)
        self.visible: Mask = np.zeros(count, np.bool_)
        self.broken: Mask = np.zeros(count, np.bool_)
        self._stale: Mask = np.ones(count, np.bool_)
        self._live: Mask = np.zeros(count, np.bool_)

    def refresh(self, scene: bpy.types.Scene, layer: bpy.types.ViewLayer) -> None:
        """Bring everything up to date; costs next to nothing where nothing changed."""
        if self._is_empty and not has_settings():
            return
        try:
            self._refresh(scene, layer)
        except (ReferenceError, ObjectsReplacedError):
            self._seen.clear()  # a script removed what we knew: find everything anew
            self._refresh(scene, layer)
        self._is_empty = not self._survey.rows and not has_settings()

    def _refresh(self, scene: bpy.types.Scene, layer: bpy.types.ViewLayer) -> None:
        options, active = scene.omi_physics_overlay, layer.objects.active
        operators = bpy.context.window_manager.operators
        structure = (
            signals.generation,
            signals.structure,
            len(bpy.data.objects),
            options.size,
            # What changes whenever the user has pressed something.
            len(operators),
            operators[-1].as_pointer() if len(operators) else 0,
            # How the active body moves says from which side its joints are seen.
            active.omi_physics_body.type if active is not None else "",
            signals.away,
            signals.joints,
        )
        if self._is_new("structure", structure):
            found = survey(scene, options.size, self._survey.blocks)
            self._placement = FramePlaces(found.rows)
            self._take(found)
            self._seen.pop("pose", None)
            self._seen.pop("look", None)
        elif edited := self._edited_blocks(layer):
            self._take(with_edited(self._survey, edited))
            self._placement.forget()  # settings say how a mirrored frame is turned back
            self._seen.pop("pose", None)
        if self._is_new("pose", signals.pose):
            self._move()
        if self._is_new("look", signals.look):
            self._look(layer)
        if self._is_new("broken", extras.version["broken"]):
            self._break()

    def _is_new(self, key: str, value: object) -> bool:
        """Return whether a value differs from the last time, and remember it."""
        if key in self._seen and self._seen[key] == value:
            return False
        self._seen[key] = value
        return True

    def _edited_blocks(self, layer: bpy.types.ViewLayer) -> set[int]:
        """Return the settings blocks that were edited.

        Blender announces edits in panels, not those of scripts. So the block of the active joint is
        read in every redraw, and a few of the others in turn.
        """
        blocks = self._survey.blocks
        edited = set()
        last = self._seen.get("settings", 0)
        if self._is_new("settings", signals.settings):
            edited = {uid for uid in blocks if signals.blocks.get(uid, 0) > last}
        if not self._queue:
            self._queue.extend(blocks)
        due = [self._queue.popleft() for _ in range(min(WATCH, len(self._queue)))]
        active = layer.objects.active
        if active is not None and active.omi_physics_joint.settings is not None:
            due.append(active.omi_physics_joint.settings.session_uid)
        known = ((uid, *blocks[uid]) for uid in due if uid in blocks)
        return edited | {uid for uid, block, before in known if read_block(block) != before}

    def _take(self, found: JointSurvey) -> None:
        """Take over a survey; where the joints are the same, only those that differ change."""
        rows, old = found.rows, self._survey.rows
        self._survey = found
        if rows == old:
            return
        self._seen.pop("broken", None)
        self.table = joint_table(
            [row.settings for row in rows],
            [row.size for row in rows],
            [row.from_partner for row in rows],
        )
        uids = [(row.joint, row.frame, *row.bodies, 0, 0)[:4] for row in rows]
        self._uids = np.array(uids, np.int64).reshape(-1, 4)
        self.muted = np.array([row.muted for row in rows], np.bool_)
        if [(row.joint, row.chain) for row in rows] == [(row.joint, row.chain) for row in old]:
            self._change(np.array([a != b for a, b in zip(rows, old, strict=True)], np.bool_))
            return
        self._make_room(len(rows))
        self.versions[REST] += 1
        self.versions[LIVE] += 1

    def _move(self) -> None:
        """Take over where the objects are, and turn to the joints that moved."""
        for index, row in enumerate(self._survey.rows):
            if row.is_keyed:
                self._placement.take_value(index, plain_value(self._survey.objects[index]))
        joints, partners, moved = self._placement.worlds()
        if not len(moved):
            return
        settings = [self.table.settings[index] for index in moved.tolist()]
        new = rigid_frames(joints, settings), rigid_frames(partners, settings)
        changed = np.zeros(self.table.count, np.bool_)
        for frames, old in zip(new, (self.joints, self.partners), strict=True):
            changed[moved] |= (frames != old[moved]).any(axis=(1, 2))
            old[moved] = frames
        self._change(changed)

    def _look(self, layer: bpy.types.ViewLayer) -> None:
        """Take over what is selected, active and visible."""
        selected = {obj.session_uid for obj in layer.objects.selected}
        active = layer.objects.active.session_uid if layer.objects.active else 0
        lit = np.isin(self._uids, list(selected)).any(axis=1)
        emphasis: NDArray[np.int64] = np.asarray(lit, np.int64)
        chosen = np.flatnonzero((self._uids[:, :2] == active).any(axis=1))
        emphasis[chosen] = 2
        self.active = int(chosen[0]) if len(chosen) else None
        visible = self.visible_in(layer, None)
        changed = (emphasis != self.emphasis) | (visible != self.visible)
        self.emphasis, self.visible = emphasis, visible
        self._change(changed, values=False)

    def visible_in(self, layer: bpy.types.ViewLayer, space: bpy.types.SpaceView3D | None) -> Mask:
        """Return which joints can be seen in a view layer, or in one view of it."""
        where = {"view_layer": layer} | ({} if space is None else {"viewport": space})
        return np.array([obj.visible_get(**where) for obj in self._survey.shown_by], np.bool_)

    def _break(self) -> None:
        """Take over which joints are broken, or hold nothing in the first place."""
        before, found = self.broken, self._survey
        both = zip(found.rows, found.objects, strict=True)
        broken = [not row.holds or obj.name in extras.broken for row, obj in both]
        self.broken = np.array(broken, np.bool_)
        self._change(self.broken != before, values=False)

    def _change(self, changed: Mask, *, values: bool = True) -> None:
        """Make the lines of some joints anew, in the pool of what lives."""
        if not changed.any():
            return
        if values:
            self._stale |= changed
        if (changed & ~self._live).any():
            self._live |= changed
            if 2 * self._live.sum() > len(self._live):
                self._live[:] = False  # most change: one pool is simpler
            self.versions[REST] += 1
        self.versions[LIVE] += 1

    def picture(
        self, pool: int, visible: Mask, parts: Parts, colours: NDArray[np.float32]
    ) -> Picture:
        """Return one pool of lines as it looks in a view."""
        which = np.flatnonzero(visible & (self._live == bool(pool)))
        stale = which[self._stale[which]]
        self.values[stale] = joint_values(self.table, self.joints, self.partners, stale)
        self._stale[stale] = False
        poses = Poses(self.joints, self.partners, self.values)
        lines = world_lines(self.table, poses, which, self.broken, parts)
        return picture(lines, np.where(self.muted, MUTED, self.emphasis), colours)
