# SPDX-License-Identifier: GPL-3.0-or-later
"""Taylor polynomials of second order: a value and its first two derivatives along directions.

The first axis of the derivatives counts the directions. A value that is the same for all of them
need not repeat it.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import EllipsisType

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Taylor:
    """A quantity that moves."""

    value: Array
    first: Array
    second: Array

    @classmethod
    def still(cls, value: ArrayLike) -> Taylor:
        """Return what does not move."""
        array = np.asarray(value, dtype=np.float64)
        nothing = np.zeros((1, *array.shape))
        return cls(array[None], nothing, nothing)

    def __add__(self, other: Taylor) -> Taylor:
        parts = (self.value + other.value, self.first + other.first, self.second + other.second)
        return Taylor(*parts)

    def __sub__(self, other: Taylor) -> Taylor:
        parts = (self.value - other.value, self.first - other.first, self.second - other.second)
        return Taylor(*parts)

    def __mul__(self, other: Taylor) -> Taylor:
        return Taylor(
            self.value * other.value,
            self.first * other.value + self.value * other.first,
            self.second * other.value + 2.0 * self.first * other.first + self.value * other.second,
        )

    def times(self, factor: float) -> Taylor:
        """Return a multiple."""
        return Taylor(self.value * factor, self.first * factor, self.second * factor)

    def at(self, index: tuple[EllipsisType | slice | int | None, ...]) -> Taylor:
        """Return elements; the index begins with an ellipsis."""
        return Taylor(self.value[index], self.first[index], self.second[index])

    def spread(self, axes: int) -> Taylor:
        """Return the same with axes of length one at its end."""
        index = (..., *(np.newaxis,) * axes)
        return Taylor(self.value[index], self.first[index], self.second[index])

    def along(self, count: int) -> Taylor:
        """Return the same with derivatives along so many directions."""
        shape = (count, *self.first.shape[1:])
        first, second = np.broadcast_to(self.first, shape), np.broadcast_to(self.second, shape)
        return Taylor(self.value, first, second)

    def transposed(self) -> Taylor:
        """Return the transposes of matrices."""
        return Taylor(*(np.swapaxes(x, -1, -2) for x in (self.value, self.first, self.second)))

    def value_at(self, direction: int) -> Array:
        """Return the value along a direction: the same along all."""
        return np.asarray(self.value[direction if len(self.value) > 1 else 0])

    def through(self, value: Array, slope: Array, bend: Array) -> Taylor:
        """Return a function of this, from its value and its first two derivatives."""
        return Taylor(value, slope * self.first, slope * self.second + bend * self.first**2)


def sin(x: Taylor) -> Taylor:
    """Return the sine."""
    s, c = np.sin(x.value), np.cos(x.value)
    return x.through(s, c, -s)


def cos(x: Taylor) -> Taylor:
    """Return the cosine."""
    s, c = np.sin(x.value), np.cos(x.value)
    return x.through(c, -s, -c)


def root(x: Taylor) -> Taylor:
    """Return the square root."""
    r = np.sqrt(x.value)
    return x.through(r, 0.5 / r, -0.25 / r**3)


def inverse(x: Taylor) -> Taylor:
    """Return one over it."""
    r = 1.0 / x.value
    return x.through(r, -(r**2), 2.0 * r**3)


def products(a: Taylor, b: Taylor | Array) -> Taylor:
    """Return the product of matrices."""
    if not isinstance(b, Taylor):
        return Taylor(a.value @ b, a.first @ b, a.second @ b)
    return Taylor(
        a.value @ b.value,
        a.first @ b.value + a.value @ b.first,
        a.second @ b.value + 2.0 * (a.first @ b.first) + a.value @ b.second,
    )


def columns(a: Taylor, v: Array) -> Taylor:
    """Return matrices times a vector that is the same for all."""
    return Taylor(a.value @ v, a.first @ v, a.second @ v)


def rotation(axis: int, c: Taylor, s: Taylor) -> Taylor:
    """Return the rotation about an axis from cosine and sine."""
    return Taylor(
        *(
            _about(axis, *pair)
            for pair in (
                (c.value, s.value, 1.0),
                (c.first, s.first, 0.0),
                (c.second, s.second, 0.0),
            )
        )
    )


def _about(axis: int, c: Array, s: Array, one: float) -> Array:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out = np.zeros((len(c), 3, 3))
    out[:, axis, axis] = one
    out[:, i, i] = out[:, j, j] = c
    out[:, i, j], out[:, j, i] = -s, s
    return out
