# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bodies a bound throws back, by how they go and not by how that is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from model.building import codes, pair

from omi_physics_joint.model.body import Motion, MotionType, Vector3
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom
from omi_physics_joint.model.mechanics.rebound import Lead, throws_back
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.validate import check

HINGE = Lead(turns=True, origin=(20.0, 1.0, -3.0), axis=(0.0, 1.0, 0.0), low=-1.0, high=1.0)


@pytest.mark.parametrize(("spin", "is_thrown"), [(0.1, True), (1e-4, False)])
@pytest.mark.parametrize("centre", [(0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.2, 0.0, -0.3)])
def test_a_body_goes_as_fast_as_its_mass_wherever_its_node_is(
    spin: float, is_thrown: bool, centre: Vector3
) -> None:
    """A weight 0.5 m from a level hinge goes round it at a tenth of a rad/s, or stands."""
    x, _, z = centre
    node = compose((20.5 - x, 1.0, -3.0 - z))
    # The node goes as its arm from the hinge, (0.5 - x, -z), has it go about Y.
    velocity = (-spin * z, 0.0, -spin * (0.5 - x))
    motion = Motion(
        MotionType.DYNAMIC,
        1.0,
        center_of_mass=centre,
        inertia_diagonal=(1e-4, 1e-4, 1e-4),
        linear_velocity=velocity,
        angular_velocity=(0.0, spin, 0.0),
    )
    mechanism = Mechanism((Node("Weight", None, node, motion),))
    assert throws_back(mechanism, 0, [0], HINGE, 0.5) is is_thrown


@pytest.mark.parametrize(
    ("drive", "is_thrown"),
    [
        (None, False),
        ({"velocity_target": 2.0, "damping": 1.0}, True),
        ({"velocity_target": 0.0, "damping": 1.0}, False),
        ({"velocity_target": 2.0}, False),
        ({"position_target": 0.5, "stiffness": 1.0}, True),
        ({"position_target": 0.5, "velocity_target": 0.0, "stiffness": 1.0}, True),
    ],
    ids=["nothing", "a motor", "a brake", "a motor without strength", "a spring", "a servo"],
)
@pytest.mark.parametrize("mode", DriveMode)
def test_what_is_driven_may_strike_its_bound(
    drive: dict[str, Any] | None, is_thrown: bool, mode: DriveMode
) -> None:
    """A door about an upright hinge stands where it is, unless something moves it."""
    settings = hinge(1, -1.0, 1.0)
    if drive is not None:
        settings = replace(settings, drives=(Drive(Freedom.ANGULAR, mode, 1, **drive),))
    found = check(pair(settings), readers=frozenset({Reader.GODOT}))
    assert ("godot-stops" in codes(found)) is is_thrown
