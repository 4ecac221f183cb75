# SPDX-License-Identifier: GPL-3.0-or-later
"""Quantities in the units of a scene: the one place that says them and reads typed ones.

Lengths are in Blender's own unit, as objects have them; angles in rad. What is said here is what
Blender shows in a field beside it, and what is read here may be typed into one.
"""

from __future__ import annotations

import re
from contextlib import redirect_stderr
from functools import lru_cache
from io import StringIO
from math import isfinite

import bpy
from bpy.types import Scene

from ...model.joint import Freedom
from ...model.wording.words import DIGITS, Say, number

_ARITHMETIC = re.compile(
    r"(?:[\s()+\-/]|\*(?!\*)|(?:\d++\.?+\d*+|\.\d++)\s*+(?:[a-df-z\N{DEGREE SIGN}][a-z]*|['\"])?)+",
    re.IGNORECASE,
)
"""Sums and products of numbers with units. Blender would evaluate whatever Python there is."""
_ADAPTIVE = "ADAPTIVE"
ROUGH = 3
"""Significant digits of what changes while one reads it."""

TYPED = frozenset("0123456789.,+-*/()\N{DEGREE SIGN}'\" abcdefghijklmnopqrstuvwxyz")
"""Characters that go on with a number."""
OPENING = frozenset("0123456789.,-(")
"""Characters that begin one."""
LONGEST = 40


def sayer(scene: Scene, digits: int = DIGITS) -> Say:
    """Return what puts quantities into the words of a scene, with so many significant digits."""
    return lambda value, freedom: said(value, freedom, scene, digits)


def said(value: float, freedom: Freedom, scene: Scene, digits: int = DIGITS) -> str:
    """Return a length or an angle with its unit, as the scene shows it, in significant digits."""
    units, to_string = scene.unit_settings, bpy.utils.units.to_string
    if freedom is Freedom.ANGULAR:
        if units.system_rotation == "RADIANS":
            return f"{number(value, digits)} rad"
        return _tidy(to_string("METRIC", "ROTATION", value, precision=digits))
    if units.system == "NONE":
        return number(value, digits)
    length = value * units.scale_length
    if units.length_unit == _ADAPTIVE:
        system = units.system
        return _tidy(to_string(system, "LENGTH", length, precision=digits, split_unit=False))
    worth, symbol = _unit(units.system, units.length_unit)
    return f"{number(length / worth, digits)}{symbol}"


def value_of(text: str, freedom: Freedom, scene: Scene) -> float | None:
    """Return a typed quantity in Blender's own unit of length or in rad; None while it is none.

    Such are ``45``, ``-1,5``, ``2ft+3cm``, ``90/4`` or ``0.5 rad``; a number without a unit is in
    the one that the scene shows.
    """
    text = text.replace(",", ".").strip()
    if not _ARITHMETIC.fullmatch(text):
        return None
    units = scene.unit_settings
    if freedom is Freedom.ANGULAR:
        bare = units.system_rotation == "RADIANS" and not re.search(r"[^\d\s.()+\-*/]", text)
        return _read("METRIC", "ROTATION", f"({text})r" if bare else text)
    if units.system == "NONE":
        return _read("METRIC", "LENGTH", text)
    value = _read(units.system, "LENGTH", text, _reference(units.length_unit))
    return None if value is None else value / units.scale_length


def after_key(text: str, character: str) -> str | None:
    """Return what is typed after one more character; None where it does not belong to a number."""
    allowed = TYPED if text else OPENING
    if len(character) != 1 or character.lower() not in allowed or len(text) >= LONGEST:
        return None
    return text + character.lower()


def unit_length(scene: Scene) -> float:
    """Return how long the unit that the scene shows is in Blender's own unit."""
    units = scene.unit_settings
    if units.system == "NONE":
        return 1.0
    scale: float = units.scale_length
    return _unit(units.system, units.length_unit)[0] / scale


@lru_cache
def _unit(system: str, name: str) -> tuple[float, str]:
    """Return what a unit of length is worth in m, and how it stands behind a number."""
    worth = _read(system, "LENGTH", "1", _reference(name)) or 1.0
    return worth, bpy.utils.units.to_string(system, "LENGTH", worth, precision=1).lstrip("1")


def _reference(name: str) -> str | None:
    """Return how Blender's own table calls a unit; None for the usual one of the system."""
    return None if name == _ADAPTIVE else name.lower()


def _read(system: str, category: str, text: str, unit: str | None = None) -> float | None:
    with redirect_stderr(StringIO()):  # half of a number is no reason for a traceback
        try:
            value = bpy.utils.units.to_value(system, category, text, str_ref_unit=unit)
        except ValueError:
            return None
    return value if isfinite(value) else None


def _tidy(text: str) -> str:
    """Return "0" for "-0"."""
    return text[1:] if re.match(r"-0(?![.\d])", text) else text
