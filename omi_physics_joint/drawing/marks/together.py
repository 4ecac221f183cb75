# SPDX-License-Identifier: GPL-3.0-or-later
"""Where joints stand to bounds on several axes together: how far out or turned, and how far beyond.

All follows from the coordinates as they are drawn. A distance or an angle has no sign, so it is the
same from the other side. What lies beyond is a line from the bound straight out, or an arc.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from ...model.joint import AXES, Freedom
from ...model.settings.together import Together
from ..bounds import beyond
from ..layout import Floats
from ..world_lines import Indices

SWEEP = 24
"""Pieces of a line or an arc from a bound to a value."""
NOWHERE = 1e-12
"""A length below which there is no direction."""
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TogetherArrays:
    """Bounds on several axes together of many joints, k in all."""

    bounds: tuple[Together, ...]
    owners: Indices
    """(k,): the joint of each."""
    straight: Bools
    """(k,): whether it is on a distance."""
    mask: Floats
    """(k, 3): 1.0 for each of its axes."""
    limits: Floats
    """(k, 2): lower and upper bound in m or rad, infinite where there is none."""
    rigid: Bools

    def of(self, which: Indices) -> TogetherArrays:
        """Return those of some joints."""
        return self.part(np.isin(self.owners, which))

    def part(self, chosen: Bools) -> TogetherArrays:
        """Return some of them."""
        bounds = tuple(compress(self.bounds, chosen.tolist()))
        return TogetherArrays(bounds, *(getattr(self, f.name)[chosen] for f in fields(self)[1:]))

    def at(self, values: Floats) -> Floats:
        """Return the distance in m or the angle in rad that each bounds, (k,).

        Here and below ``values`` are the coordinates of all joints as drawn, (n, 6).
        """
        own = values[self.owners]
        place, spin = own[:, :3] * self.mask, np.tan(0.5 * own[:, 3:])
        across, along = spin * self.mask, spin * (1.0 - self.mask)
        angle = 2.0 * np.arctan2(_length(across), np.sqrt(1.0 + (along * along).sum(axis=1)))
        return np.where(self.straight, _length(place), angle)

    def beyond(self, values: Floats) -> Floats:
        """Return how far each lies above (+) or below (-) its bounds, (k,); 0 is inside."""
        return beyond(self.at(values), *self.limits.T)

    def path(self, values: Floats, start: Floats, end: Floats, sizes: Floats) -> Floats:
        """Return points from one number of each to another, on its way out, in the drawn frame.

        Numbers (k,) are in m or rad, display radii (k,) and points (k, ``SWEEP`` + 1, 3) in m.
        """
        own = values[self.owners]
        steps = start[:, None] + np.linspace(0.0, 1.0, SWEEP + 1) * (end - start)[:, None]
        place = own[:, :3] * self.mask
        first = self.mask * (np.cumsum(self.mask, axis=1) == 1.0)
        out = _directed(place, first)
        straight = (own[:, :3] - place)[:, None] + steps[..., None] * out[:, None]
        zero, side = self._arms(np.tan(0.5 * own[:, 3:]))
        turned = np.cos(steps)[..., None] * zero[:, None] + np.sin(steps)[..., None] * side[:, None]
        arc = sizes[:, None, None] * turned
        return np.where(self.straight[:, None, None], straight, arc)

    def _arms(self, spin: Floats) -> tuple[Floats, Floats]:
        """Return where an angle is zero and where it is a quarter turn, both (k, 3).

        ``spin`` (k, 3) is v / s of the rotation (v, s).
        """
        cone = self.mask.sum(axis=1) < len(AXES)
        left = 1.0 - self.mask
        # Of a cone: its axis a, and where that leans to. R a - a is along t x a + t x (t x a).
        across = np.cross(spin, left)
        lean = across + np.cross(spin, across)
        lean -= (lean * left).sum(axis=1)[:, None] * left
        cone_side = _directed(lean, np.roll(left, 1, axis=1))
        # Of a whole angle: across its own axis, from zero of the axis nearest to that.
        about = _directed(spin, np.eye(3)[np.zeros(len(spin), np.intp)])
        zero = np.roll(np.eye(3), -1, axis=0)[np.abs(about).argmax(axis=1)]
        zero = _directed(zero - (zero * about).sum(axis=1)[:, None] * about, zero)
        return (
            np.where(cone[:, None], left, zero),
            np.where(cone[:, None], cone_side, np.cross(about, zero)),
        )


def together_arrays(found: Sequence[Sequence[Together]]) -> TogetherArrays:
    """Return the bounds on several axes together of joints, for each joint its own."""
    bounds = tuple(one for own in found for one in own)
    return TogetherArrays(
        bounds,
        np.repeat(np.arange(len(found), dtype=np.intp), [len(own) for own in found]),
        np.array([one.freedom is Freedom.LINEAR for one in bounds], np.bool_),
        np.array([[axis in one.axes for axis in AXES] for one in bounds], float).reshape(-1, 3),
        np.array([(one.low, one.high) for one in bounds], np.float64).reshape(-1, 2),
        np.array([not one.limit.is_soft for one in bounds], np.bool_),
    )


def _length(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt((vectors * vectors).sum(axis=-1)))


def _directed(vectors: Floats, otherwise: Floats) -> Floats:
    """Return vectors (k, 3) at length one, and something else where they have none."""
    length = _length(vectors)[:, None]
    return np.where(length > NOWHERE, vectors / np.maximum(length, NOWHERE), otherwise)
