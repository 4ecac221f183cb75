# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers typed while dragging: sums and products of numbers with units."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from math import isfinite, pi

ANGLES: Mapping[str, float] = {
    **dict.fromkeys(("d", "deg", "\N{DEGREE SIGN}"), pi / 180.0),
    **dict.fromkeys(("r", "rad"), 1.0),
}
"""Units of angles in rad."""
LENGTHS: Mapping[str, float] = {
    "um": 1e-6,
    "mm": 1e-3,
    "cm": 1e-2,
    "m": 1.0,
    "km": 1e3,
    **dict.fromkeys(("in", '"'), 0.0254),
    **dict.fromkeys(("ft", "'"), 0.3048),
    "yd": 0.9144,
    "mi": 1609.344,
}
"""Units of lengths in m."""

TYPED = frozenset("0123456789.,+-*/()\N{DEGREE SIGN}'\" abcdefghijklmnopqrstuvwxyz")
"""Characters that go on with a number."""
OPENING = frozenset("0123456789.,-(")
"""Characters that begin one."""
LONGEST = 40

_NUMBER = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*([a-z\N{DEGREE SIGN}'\"]*)")
_OPERATIONS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def after_key(text: str, character: str) -> str | None:
    """Return what is typed after one more character; None where it does not belong to a number."""
    allowed = TYPED if text else OPENING
    if len(character) != 1 or character.lower() not in allowed or len(text) >= LONGEST:
        return None
    return text + character.lower()


def number_from(text: str, units: Mapping[str, float], default: float) -> float | None:
    """Return the value of a typed text; None while it is none.

    Args:
        text: such as ``45``, ``-1,5``, ``2ft``, ``90/4`` or ``0.5 rad``.
        units: what each unit is worth, ``ANGLES`` or ``LENGTHS``.
        default: what a number without a unit is worth.
    """
    unknown = []

    def worth(match: re.Match[str]) -> str:
        number, unit = match.groups()
        if unit and unit not in units:
            unknown.append(unit)
        return f"({float(number)!r}*{units.get(unit, 1.0)!r})" if unit else repr(float(number))

    has_unit = any(match[2] for match in _NUMBER.finditer(text.replace(",", ".")))
    spelled = _NUMBER.sub(worth, text.replace(",", ".").strip())
    if unknown:
        return None
    try:
        value = _value(ast.parse(spelled, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError):
        return None  # not finished yet, or nonsense: the caller says so
    value = value if has_unit else value * default
    return value if isfinite(value) else None


def _value(node: ast.expr) -> float:
    """Return the value of a sum of products.

    Raises:
        ValueError: it is anything else.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_value(node.left), _value(node.right))
    message = f"{ast.dump(node)} is no arithmetic"
    raise ValueError(message)
