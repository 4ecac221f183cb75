# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms of bodies as rows of numbers, and by what some were moved together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np
from bpy.types import Object
from mathutils import Matrix

from ....model.geometry.transform import difference
from ...bridge.poses.transforms import FIELDS, Kept
from ..properties import OMI_JOINT_PG_cached_body, OmiMotionCache
from .motion import Single
from .storage import frames_of

ENDS = (0, 3, 6, 10, 14, 17)
COLUMNS = {name: slice(*ends) for name, ends in zip(FIELDS, pairwise(ENDS), strict=True)}
"""Where the numbers of each of ``FIELDS`` are in a row of them all."""
ALIKE = 1e-4
"""By which what moves several objects alike differs."""


def numbers_of(owners: Iterable[Object | OMI_JOINT_PG_cached_body | None]) -> Single:
    """Return transforms as rows of numbers, zeros for what is gone: (bodies, numbers)."""
    rows = [
        (0.0,) * ENDS[-1]
        if one is None
        else [number for name in FIELDS for number in getattr(one, name)]
        for one in owners
    ]
    return np.array(rows, dtype=np.float32).reshape(len(rows), ENDS[-1])


def moved_along(cache: OmiMotionCache, written: Mapping[int, Single]) -> dict[int, Matrix]:
    """Return by what bodies that were moved with others were, below their parents, by uid.

    Of those that were moved alone nobody knows whether they are meant to stay there.
    """
    ways = [
        obj.matrix_world @ frame.inverted_safe() for obj, frame in frames_of(cache.stands).items()
    ]
    own: dict[int, tuple[Matrix, Matrix]] = {}
    for obj in [item.object for item in cache.bodies]:
        shown = None if obj is None else written.get(obj.session_uid)
        if obj is None or shown is None:
            continue
        kept, now = Kept.of(obj), obj.matrix_basis.copy()
        above = obj.matrix_world @ now.inverted_safe()
        for name, columns in COLUMNS.items():
            setattr(obj, name, shown[columns].tolist())
        way = now @ obj.matrix_basis.inverted_safe()
        kept.put_back()
        own[obj.session_uid] = way, above @ way @ above.inverted_safe()
    ways += [way for _, way in own.values()]
    ways = [way for way in ways if difference(way, Matrix()) > ALIKE]
    return {
        uid: way
        for uid, (way, world) in own.items()
        if sum(difference(world, one) <= ALIKE for one in ways) > 1
    }
