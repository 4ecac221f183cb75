# SPDX-License-Identifier: GPL-3.0-or-later
"""Each way in which something is elsewhere is said, wherever what it hangs on stands."""

from __future__ import annotations

import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.changes.changes import changes, moved
from omi_physics_joint.model.geometry.transform import Matrix, compose, multiply
from omi_physics_joint.model.mechanism import Mechanism, Node

STANDS = compose((20.0, -3.0, 1.0), (0.5, 0.5, -0.5, 0.5))
SHEAR = ((1.0, 0.25, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
MIRROR = ((1.0, 0.0, 0.0, 0.0), (0.0, -1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
HALF = compose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (0.5, 1.0, 1.0))


@pytest.mark.parametrize("base", [compose(), STANDS])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (compose(), []),
        (compose((0.0, 3.0, 4.0)), ["moved by 5 m"]),
        (compose((0.0, 0.0, 0.0), (0.6, 0.0, 0.0, 0.8)), ["turned by"]),
        (HALF, ["scale"]),
        (MIRROR, ["mirrored"]),
        (SHEAR, ["scale", "turned by"]),
    ],
)
def test_what_is_elsewhere_is_said(base: Matrix, change: Matrix, said: list[str]) -> None:
    """And said of what is the same again is nothing."""
    before, after = multiply(base, STANDS), multiply(base, multiply(STANDS, change))
    facts = [*map(str, moved((base, before), (base, after)))]
    assert [fact[: len(word)] for fact, word in zip(facts, said, strict=True)] == said


@pytest.mark.parametrize("size", [0.01, 3.0])
def test_what_stays_beside_what_is_scaled_is_not_moved(size: float) -> None:
    """As a stage in centimeters that becomes a file in meters; nor is what is scaled along."""
    turn = (0.5, 0.5, -0.5, 0.5)
    base, scaled = STANDS, compose((20.0, -3.0, 1.0), turn, (size, size, size))
    kept = multiply(base, compose((0.2, 0.0, 0.4)))
    assert not list(moved((base, kept), (scaled, kept)))
    assert not list(moved((base, kept), (scaled, multiply(scaled, compose((0.2, 0.0, 0.4))))))
    away = multiply(base, compose((0.2, 0.3, 0.4)))
    assert any("moved by" in str(fact) for fact in moved((base, kept), (scaled, away)))


def test_a_body_that_stands_below_one_that_moves_is_no_part_of_it() -> None:
    """Where nothing moves above, what stands is the same with a motion and without."""
    for above, said in (
        (MotionType.DYNAMIC, ["Post: body part of the body above -> static"]),
        (MotionType.STATIC, []),
    ):
        body, part = Node("Door", motion=Motion(above), collider=Collider()), Collider()
        post = Node("Post", 0, STANDS, collider=part)
        stands = Node("Post", 0, STANDS, Motion(MotionType.STATIC), part)
        found = changes(Mechanism((body, post)), Mechanism((body, stands)))
        assert [*map(str, found)] == said
