# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds of joints on stages that are none, or the wrong way round."""

from __future__ import annotations

from math import inf

import pytest
from usd_records import BODY, at, issues_of, joint, mechanism_of, placed, prim

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.usd.prim import Stage


def bodies(kind: str, *schemas: str, **attributes: float) -> Stage:
    """Return two bodies with a joint of a type."""
    said = {name.replace("__", ":"): value for name, value in attributes.items()}
    return placed(
        prim("/A", schemas=(BODY,)),
        prim("/B", schemas=(BODY,), local=at(1.0)),
        joint("/J", kind, "/A", "/B", schemas=schemas, attributes=said),
    )


@pytest.mark.parametrize("kind", ["RevoluteJoint", "PrismaticJoint"])
def test_bounds_the_wrong_way_round_are_told(kind: str) -> None:
    """UsdPhysics has low above high for a lock of generic joints alone."""
    said = {"physics__lowerLimit": 60.0, "physics__upperLimit": -60.0}
    assert "Exchange" in issues_of(bodies(kind, **said))["usd-bounds-reversed"].fix
    locked = {"limit__rotZ__physics__low": 1.0, "limit__rotZ__physics__high": -1.0}
    assert not issues_of(bodies("Joint", "PhysicsLimitAPI:rotZ", **locked))


@pytest.mark.parametrize("most", [3.4028234663852886e38, 1e30, inf])
@pytest.mark.parametrize("kind", ["RevoluteJoint", "PrismaticJoint"])
def test_the_largest_float_bounds_nothing(kind: str, most: float) -> None:
    """Programs write it for infinity."""
    free, half = (
        mechanism_of(bodies(kind, physics__lowerLimit=low, physics__upperLimit=most)).settings[0]
        for low in (-most, 0.0)
    )
    assert all(limit.is_lock for limit in free.limits)
    (limit,) = (one for one in half.limits if not one.is_lock)
    assert {abs(limit.min), abs(limit.max)} == {0.0, inf}


@pytest.mark.parametrize("angle", [180.0, 200.0, -1.0, inf, 179.0, 40.0])
def test_a_cone_of_half_a_turn_bounds_nothing(angle: float) -> None:
    """Every direction leans less; below that it is a bound."""
    said = {f"physics__coneAngle{number}Limit": angle for number in range(2)}
    (settings,) = mechanism_of(bodies("SphericalJoint", **said)).settings
    leans = [limit for limit in settings.limits if not limit.is_lock]
    assert len(leans) == (0.0 <= angle < 180.0)


@pytest.mark.parametrize("end", [0, 1])
def test_a_joint_to_nothing_is_one_to_a_body_that_stands(end: int) -> None:
    """All such joints are to the same one, which is static; nothing else was made."""
    body = prim("/B", schemas=(BODY,))
    ends = [("", "/B"), ("/B", "")][end]
    stage = placed(body, *(joint(f"/J{number}", "FixedJoint", *ends) for number in range(2)))
    mechanism = mechanism_of(stage)
    still = [node for node in mechanism.nodes if node.motion is not None and node.name != "B"]
    assert [node.motion.type for node in still if node.motion] == [MotionType.STATIC]
    assert len(list(mechanism.joints())) == 2
