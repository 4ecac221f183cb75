# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in attributes, read and written."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.body import Quaternion, Vector3
from .element import Element, XmlError

LARGEST = 1e50
"""What is larger is no size and no mass; its powers would overflow."""


def floats(element: Element, name: str) -> tuple[float, ...]:
    """Return the numbers of an attribute; none where it is not there.

    Raises:
        XmlError: something in it is no number.
    """
    text = element.text(name)
    try:
        numbers = tuple(float(word) for word in text.split())
    except ValueError:
        numbers = (float("nan"),)
    if not all(abs(number) <= LARGEST for number in numbers):
        message = (
            f"line {element.line}: {name}={text[:60]!a} of <{element.tag}> is no list of numbers."
        )
        raise XmlError(message)
    return numbers


def number(element: Element, name: str, default: float) -> float:
    """Return the first number of an attribute."""
    return next(iter(floats(element, name)), default)


def vector(element: Element, name: str, default: Vector3 = (0.0, 0.0, 0.0)) -> Vector3:
    """Return three numbers of an attribute.

    Raises:
        XmlError: there are others.
    """
    numbers = floats(element, name)
    if not numbers:
        return default
    if len(numbers) != len(default):
        message = f"line {element.line}: {name} of <{element.tag}> wants three numbers."
        raise XmlError(message)
    return (numbers[0], numbers[1], numbers[2])


def spelled(numbers: Iterable[float]) -> str:
    """Return numbers as an attribute has them: the shortest that single out each double."""
    return " ".join(_spelled(number) for number in numbers)


def wxyz(q: Quaternion) -> Quaternion:
    """Return x y z w as w x y z, as MJCF has it."""
    return (q[3], q[0], q[1], q[2])


def _spelled(number: float) -> str:
    text = f"{number + 0.0:.15g}"  # never -0
    return "0" if text == "-0" else text
