# SPDX-License-Identifier: GPL-3.0-or-later
"""In what two values differ, numbers by more than they may."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from math import isinf
from typing import Any

TOLERANCE = 1e-6
POSE_TOLERANCE = 1e-5
"""Blender composes and decomposes poses in single precision, several times over."""


def differences(a: Any, b: Any, where: str = "", tolerance: float = TOLERANCE) -> list[str]:
    """Return a line for everything in which two values differ; numbers may by the tolerance."""
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return [] if a is b else [f"{where}: {a!r} is not {b!r}"]
    if isinstance(a, int | float) and isinstance(b, int | float):
        if a == b:
            return []
        near = not isinf(a) and not isinf(b) and abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))
        return [] if near else [f"{where}: {a!r} is not {b!r}"]
    if is_dataclass(a) and type(a) is type(b):
        names = [field.name for field in fields(a)]
        pairs = [(name, getattr(a, name), getattr(b, name)) for name in names]
    elif isinstance(a, dict) and isinstance(b, dict) and set(a) == set(b):
        pairs = [(str(key), a[key], b[key]) for key in a]
    elif isinstance(a, tuple | list) and isinstance(b, tuple | list) and len(a) == len(b):
        pairs = [(str(i), x, y) for i, (x, y) in enumerate(zip(a, b, strict=True))]
    else:
        return [] if a == b else [f"{where}: {a!r} is not {b!r}"]
    found: list[str] = []
    for name, x, y in pairs:
        allowed = POSE_TOLERANCE if name == "world" else tolerance
        found += differences(x, y, f"{where}/{name}", allowed)
    return found
