# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the objects of joints are: all matrices of a file in one call, without touching objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

import bpy
import numpy as np
from mathutils import Matrix as BlenderMatrix
from numpy.typing import NDArray

from ...model.geometry.transform import Matrix
from ..bridge.poses.moving import BLENDER_FROM_GLTF
from ..bridge.poses.second_frames import square
from .survey import Chain, Row

GLTF_FROM_BLENDER = BLENDER_FROM_GLTF.T


class ObjectsReplacedError(Exception):
    """The objects of the file are no longer those that were looked up."""


def object_uids() -> NDArray[np.int32]:
    """Return the session uids of all objects of the file, in their order."""
    uids = np.empty(len(bpy.data.objects), np.int32)
    bpy.data.objects.foreach_get("session_uid", uids)
    return uids


class FramePlaces:
    """Reads where the frames of joints are."""

    def __init__(self, rows: Sequence[Row]) -> None:
        """Look up where in the list of all objects those of the joints are."""
        self.uids = object_uids()
        index_of = {uid: index for index, uid in enumerate(self.uids.tolist())}
        self._joints = np.array([index_of[row.joint] for row in rows], np.intp)
        self._partners = np.array([index_of[row.partner] for row in rows], np.intp)
        self._joint_chains = _by_chain([row.chain for row in rows])
        self._partner_chains = _by_chain([row.partner_chain for row in rows])
        self._index_of = index_of
        self._values = _matrices([row.value for row in rows])
        self._carried = _matrices([row.carried for row in rows])
        self._edited: set[int] = set()
        self._last: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None

    def worlds(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
        """Return world from node of joints and partners, and which joints moved since last time.

        Returns:
            World from node in glTF's axes of the joints that moved, of their partners, (k, 4, 4)
            each, and their rows, (k,). The first time these are all.

        Raises:
            ObjectsReplacedError: objects came, went or were renamed.
        """
        if not np.array_equal(object_uids(), self.uids):
            raise ObjectsReplacedError
        flat = np.empty(16 * len(self.uids), np.float32)
        bpy.data.objects.foreach_get("matrix_world", flat)
        matrices = flat.reshape(-1, 16)
        joints, partners = matrices[self._joints], matrices[self._partners]
        if self._last is None or self._joint_chains or self._partner_chains:
            moved = np.arange(len(self._joints))
        else:
            same = (joints == self._last[0]) & (partners == self._last[1])
            changed = ~same.all(axis=1)
            changed[list(self._edited)] = True
            moved = np.flatnonzero(changed)
        self._edited.clear()
        self._last = (joints, partners)
        own = self._worlds(matrices, joints, self._joint_chains, moved)
        second = self._worlds(matrices, partners, self._partner_chains, moved)
        self._apply(second, moved)
        return _mapped(own), _mapped(second), moved

    def _apply(self, second: NDArray[np.float64], moved: NDArray[np.intp]) -> None:
        """Take the objects that second frames go with to the frames themselves."""
        for row, index in enumerate(moved.tolist()):
            if index in self._carried:
                second[row] = second[row] @ self._carried[index]
            elif index in self._values:
                frame = square(BlenderMatrix(second[row].tolist()))
                second[row] = np.array(frame) @ self._values[index]

    def take_values(self, values: Iterable[tuple[int, Matrix | None]]) -> None:
        """Take over what animation makes of the values of some joints, by row."""
        for row, value in values:
            new = _matrices([value]).get(0)
            old = self._values.get(row)
            is_same = new is old if new is None or old is None else np.array_equal(new, old)
            if not is_same:
                self._edited.add(row)
                self._values.pop(row, None)
                if new is not None:
                    self._values[row] = new

    def forget(self) -> None:
        """Let all joints count as moved next time."""
        self._last = None

    def _worlds(
        self,
        matrices: NDArray[np.float32],
        own: NDArray[np.float32],
        chains: dict[Chain, list[int]],
        moved: NDArray[np.intp],
    ) -> NDArray[np.float64]:
        # Blender stores columns.
        worlds = own[moved].reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)
        for chain, rows in chains.items():  # where there are any, all rows are here
            worlds[rows] = reduce(np.matmul, self._bases(matrices, chain), np.eye(4)) @ worlds[rows]
        return worlds

    def _bases(self, matrices: NDArray[np.float32], chain: Chain) -> list[NDArray[np.float64]]:
        bases = []
        for uid, offset in chain:
            back = np.eye(4)
            back[:3, 3] = np.negative(offset)
            world = matrices[self._index_of[uid]].reshape(4, 4).T.astype(np.float64)
            bases.append(world @ back)
        return bases


def _mapped(worlds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return world matrices of Blender in glTF's axes."""
    mapped: NDArray[np.float64] = GLTF_FROM_BLENDER @ worlds @ GLTF_FROM_BLENDER.T
    return mapped


def _matrices(found: Sequence[Matrix | None]) -> dict[int, NDArray[np.float64]]:
    """Return the matrices of the rows that have one."""
    return {row: np.array(one) for row, one in enumerate(found) if one is not None}


def _by_chain(chains: Sequence[Chain]) -> dict[Chain, list[int]]:
    """Return the rows that stand in instances, by their chain of instancers."""
    groups: dict[Chain, list[int]] = {}
    for row, chain in enumerate(chains):
        if chain:
            groups.setdefault(chain, []).append(row)
    return groups
