# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers typed while dragging."""

from __future__ import annotations

from math import pi, radians

import pytest

from omi_physics_joint.drawing.number_entry import ANGLES, LENGTHS, after_key, number_from

DEGREE = pi / 180.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("45", radians(45.0)),
        ("-3.5", radians(-3.5)),
        ("1,5", radians(1.5)),
        (".5", radians(0.5)),
        ("90/4", radians(22.5)),
        ("2*(10+5)", radians(30.0)),
        ("0.5r", 0.5),
        ("1 rad", 1.0),
        ("45\N{DEGREE SIGN}", radians(45.0)),
        ("-(90d)", radians(-90.0)),
    ],
)
def test_angles_are_read_in_degrees_unless_they_say_otherwise(text: str, expected: float) -> None:
    """Numbers, sums and products, with a comma or a point, with units."""
    assert number_from(text, ANGLES, DEGREE) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "default", "expected"),
    [
        ("2", 1.0, 2.0),
        ("2", 0.01, 0.02),
        ("25cm", 1.0, 0.25),
        ("1m+5mm", 1.0, 1.005),
        ("3'6\"", 0.3048, None),
        ("3'+6\"", 0.3048, 1.0668),
        ("0,3ft", 1.0, 0.09144),
    ],
)
def test_lengths_are_read_in_the_unit_shown(
    text: str, default: float, expected: float | None
) -> None:
    """A length without a unit is in the scene's; others are converted."""
    value = number_from(text, LENGTHS, default)
    assert value == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize("text", ["", "-", "1+", "abc", "5x", "1/0", "(2", "2**9", "1e999", "4 5"])
def test_what_is_no_number_is_none(text: str) -> None:
    """Unfinished and nonsense texts have no value, and nothing is evaluated but arithmetic."""
    assert number_from(text, LENGTHS, 1.0) is None


def test_typing_begins_with_a_digit_and_goes_on_with_units() -> None:
    """Letters are shortcuts until a number has begun; other keys never count."""
    assert after_key("", "4") == "4"
    assert after_key("", "-") == "-"
    assert after_key("", "x") is None
    assert after_key("4", "C") == "4c"
    assert after_key("4", "") is None
    assert after_key("4", "\x1a") is None
    assert after_key("4" * 40, "4") is None
