# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as JSON can hold them: finite, and never -0.0."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isnan

from .json_text import Json

LARGEST = 3.4028234663852886e38
"""Largest number of single precision, which stands for infinity where a file must hold a number."""


def number(value: float) -> float:
    """Return a number that JSON can hold: infinities become the largest, NaN becomes zero."""
    if isnan(value):
        return 0.0
    return min(max(float(value), -LARGEST), LARGEST) + 0.0  # -0.0 + 0.0 is 0.0


def endless(value: float) -> float:
    """Return a number as it was meant: the largest one stands for infinity."""
    return inf if value >= LARGEST else value


def numbers(values: Iterable[float]) -> list[Json]:
    """Return a vector that JSON can hold."""
    return [number(value) for value in values]


def magnitude(value: float) -> float:
    """Return a number that must not be negative; negative and NaN become zero."""
    return number(value) if value > 0.0 else 0.0


def infinite_if_negative(value: float) -> float:
    """Return a stiffness or a force as the specification reads it: negative is infinite."""
    return inf if value < 0.0 or isnan(value) else value
