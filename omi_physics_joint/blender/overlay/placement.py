# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the objects of joints are: all matrices of a file in one call, without touching objects."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import bpy
import numpy as np
from numpy.typing import NDArray

from ...drawing.layout import BLENDER_FROM_GLTF
from .survey import Chain, Row

GLTF_FROM_BLENDER = np.eye(4)
GLTF_FROM_BLENDER[:3, :3] = BLENDER_FROM_GLTF.T


class ObjectsReplacedError(Exception):
    """The objects of the file are no longer those that were looked up."""


def object_uids() -> NDArray[np.int32]:
    """Return the session uids of all objects of the file, in their order."""
    uids = np.empty(len(bpy.data.objects), np.int32)
    bpy.data.objects.foreach_get("session_uid", uids)
    return uids


class Placement:
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

    def worlds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return world from node of joints and partners in glTF's axes, (n, 4, 4) each.

        Raises:
            ObjectsReplacedError: objects came, went or were renamed.
        """
        if not np.array_equal(object_uids(), self.uids):
            raise ObjectsReplacedError
        flat = np.empty(16 * len(self.uids), np.float32)
        bpy.data.objects.foreach_get("matrix_world", flat)
        matrices = flat.reshape(-1, 4, 4).transpose(0, 2, 1)  # Blender stores columns
        return (
            self._worlds(matrices, self._joints, self._joint_chains),
            self._worlds(matrices, self._partners, self._partner_chains),
        )

    def _worlds(
        self,
        matrices: NDArray[np.float32],
        indices: NDArray[np.intp],
        chains: dict[Chain, list[int]],
    ) -> NDArray[np.float64]:
        worlds = matrices[indices].astype(np.float64)
        for chain, rows in chains.items():
            worlds[rows] = reduce(np.matmul, self._bases(matrices, chain), np.eye(4)) @ worlds[rows]
        mapped: NDArray[np.float64] = GLTF_FROM_BLENDER @ worlds @ GLTF_FROM_BLENDER.T
        return mapped

    def _bases(self, matrices: NDArray[np.float32], chain: Chain) -> list[NDArray[np.float64]]:
        bases = []
        for uid, offset in chain:
            back = np.eye(4)
            back[:3, 3] = np.negative(offset)
            bases.append(matrices[self._index_of[uid]].astype(np.float64) @ back)
        return bases


def _by_chain(chains: Sequence[Chain]) -> dict[Chain, list[int]]:
    """Return the rows that stand in instances, by their chain of instancers."""
    groups: dict[Chain, list[int]] = {}
    for row, chain in enumerate(chains):
        if chain:
            groups.setdefault(chain, []).append(row)
    return groups
