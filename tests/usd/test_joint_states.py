# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a joint starts by its state is where its bodies are, or it is named."""

from __future__ import annotations

from math import cos, inf, radians, sin

import pytest
from usd_records import BODY, at, issues_of, joint, placed, prim

from omi_physics_joint.usd.prim import Stage

TURNED = at(rotation=(sin(radians(15.0)), 0.0, 0.0, cos(radians(15.0))))
LATER = {"physics:velocity": (0.0, 0.0, 1.0)}


def stage(kind: str, word: str, state: str, value: float, **said: tuple[float, ...]) -> Stage:
    """Return a hinge at 30 degrees, or a slider 30 cm out, with a state of a kind."""
    local = TURNED if kind != "PrismaticJoint" else at(30.0)
    name = f"state:{word}:physics:{state}"
    schemas = (f"PhysicsJointStateAPI:{word}",)
    return placed(
        prim("/A", schemas=(BODY,)),
        prim("/B", schemas=(BODY,), local=local, attributes=said),
        joint("/J", kind, "/A", "/B", schemas=schemas, attributes={name: value}),
        meters_per_unit=0.01,
    )


@pytest.mark.parametrize(
    ("kind", "word"),
    [("RevoluteJoint", "angular"), ("PrismaticJoint", "linear"), ("Joint", "rotX")],
)
@pytest.mark.parametrize(
    ("state", "value", "named"),
    [
        ("position", 30.0, False),
        ("position", 0.0, True),
        ("position", 29.0, True),
        ("position", -30.0, True),
        ("velocity", 0.0, False),
        ("velocity", 50.0, True),
        ("velocity", 360.0, True),
    ],
)
def test_a_state_that_is_not_that_of_the_bodies_is_named(
    kind: str, word: str, state: str, value: float, named: bool
) -> None:
    """In degrees and units of the stage, from body 0 to body 1."""
    assert ("usd-joint-state" in issues_of(stage(kind, word, state, value))) is named


@pytest.mark.parametrize("value", [390.0, -330.0, inf])
def test_a_turn_more_is_the_same_place_and_an_endless_one_is_none(value: float) -> None:
    """Wheels count on."""
    assert "usd-joint-state" not in issues_of(stage("RevoluteJoint", "angular", "position", value))


def test_what_bodies_say_of_their_speeds_themselves_goes_along() -> None:
    """Stages that were saved while they played say both; another place is named still."""
    for state, named in (("velocity", False), ("position", True)):
        found = issues_of(stage("RevoluteJoint", "angular", state, 50.0, **LATER))
        assert ("usd-joint-state" in found) is named


@pytest.mark.parametrize(("kind", "word"), [("RevoluteJoint", "linear"), ("FixedJoint", "angular")])
def test_a_state_of_what_cannot_move_is_none(kind: str, word: str) -> None:
    """Nobody takes it."""
    assert "usd-joint-state" not in issues_of(stage(kind, word, "velocity", 50.0))


KINDS = ("RevoluteJoint", "PrismaticJoint", "SphericalJoint", "DistanceJoint", "FixedJoint")


@pytest.mark.parametrize("word", ["rotY", "transX", "angular", "linear", "distance", "rotateX"])
@pytest.mark.parametrize("kind", [*KINDS, "Joint"])
def test_a_limit_where_none_can_be_is_named(kind: str, word: str) -> None:
    """A generic joint has them by axes and for the distance; all others in attributes of theirs."""
    said = {f"limit:{word}:physics:low": -1.0}
    schemas = (f"PhysicsLimitAPI:{word}",)
    ends = (prim("/A", schemas=(BODY,)), prim("/B", schemas=(BODY,)))
    bounded = placed(*ends, joint("/J", kind, "/A", "/B", schemas=schemas, attributes=said))
    fits = kind == "Joint" and word in {"rotY", "transX", "distance"}
    assert ("usd-drive-ignored" in issues_of(bounded)) is not fits
