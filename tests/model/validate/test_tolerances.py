# SPDX-License-Identifier: GPL-3.0-or-later
"""What Check lets pass, as nobody sees it or single precision makes it, and what it tells of."""

from __future__ import annotations

import pytest
from model.building import DOOR, WALL, changed, codes, pair, product, shift, turn

from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.settings.recipes import hinge, weld
from omi_physics_joint.model.validate import check

OMI_GODOT = frozenset((Reader.GODOT_OMI,))


@pytest.mark.parametrize(
    ("place", "apart", "said"),
    [
        (20.0, shift(0, 5e-5), False),
        (20.0, shift(0, 5e-4), True),
        (2000.0, shift(0, 1e-3), False),
        (2000.0, shift(0, 5e-3), True),
        (20.0, turn(2, 5e-4), False),
        (20.0, turn(2, 5e-3), True),
    ],
)
def test_frames_are_apart_where_it_can_be_seen(place: float, apart: Matrix, said: bool) -> None:
    """From 0.1 mm on, or a millionth of where they are; from a thousandth of a radian."""
    at = compose((place, 2.0, 3.0))
    found = codes(check(pair(weld(), at, product(at, apart)), readers=OMI_GODOT))
    assert {one in found for one in ("frames-apart", "rest-outside-limits")} == {said}


@pytest.mark.parametrize(("scale", "said"), [(1.00005, False), (1.0005, True)])
def test_a_collider_is_scaled_where_it_can_be_seen(scale: float, said: bool) -> None:
    """By a ten thousandth, 0.1 mm of a metre."""
    mechanism = changed(pair(hinge(2)), WALL, world=compose(scale=(scale, scale, scale)))
    assert ("collider-scaled" in codes(check(mechanism))) is said


@pytest.mark.parametrize(
    ("scale", "says"),
    [
        ((1.0, -1.0, 1.0), "This collider is mirrored, which"),
        ((-2.0, 2.0, 2.0), "This collider is mirrored and scaled by 2 × 2 × 2, which"),
        ((-1.0, 1.0, -1.0), ""),
    ],
)
def test_a_collider_that_is_mirrored_is_told_as_one_that_is_scaled(
    scale: tuple[float, float, float], says: str
) -> None:
    """Two mirrors are a half turn, which every engine has."""
    place = product(compose((20.0, -13.0, 4.0)), turn(2, 0.4), compose(scale=scale))
    issues = check(changed(pair(hinge(2)), WALL, world=place))
    found = [one.message for one in issues if one.code == "collider-scaled"]
    assert [one.startswith(says) for one in found] == [True] * bool(says)


@pytest.mark.parametrize(("shear", "said"), [(4e-6, False), (4e-5, True)])
def test_a_body_is_sheared_by_more_than_rounding(shear: float, said: bool) -> None:
    """Parents that are scaled and turned leave a few millionths in single precision."""
    leaning = tuple((1.0, shear, 0.0, 0.0) if i == 0 else row for i, row in enumerate(IDENTITY))
    mechanism = changed(pair(hinge(2), IDENTITY), DOOR, world=leaning)
    assert ("body-sheared" in codes(check(mechanism))) is said
