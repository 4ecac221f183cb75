# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the objects of joints are: all matrices of a file in one call, without touching objects."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Matrix as BlenderMatrix
from numpy.typing import NDArray

from ...model.geometry.transform import Matrix
from ..bridge.poses.moving import BLENDER_FROM_GLTF
from ..bridge.poses.second_frames import square
from ..bridge.read_groups import rows_in
from .survey import Chain, Row

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
