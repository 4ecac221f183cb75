# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives of joints are actuators of a model where they do something."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from pathlib import Path
from xml.etree import ElementTree

import pytest

from omi_physics_joint.model.joint import Drive, DriveMode, Freedom
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from tests.robots.test_write import door

IDLE = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2)


SPRING = replace(IDLE, stiffness=3.0, position_target=0.5)


@pytest.mark.parametrize(
    ("drives", "count"),
    [
        ((), 0),
        ((IDLE,), 0),
        ((SPRING,), 0),
        ((IDLE, SPRING), 0),
        ((replace(IDLE, max_force=5.0),), 1),
        ((SPRING, replace(SPRING, max_force=5.0)), 1),
    ],
)
def test_a_drive_that_does_nothing_changes_no_model(
    drives: tuple[Drive, ...], count: int, tmp_path: Path
) -> None:
    """Beside it a spring stays one of the joint, which no controller has to lead."""
    assert IDLE.max_force == inf
    package, _ = write_mjcf(door(replace(hinge(2), drives=drives)), tmp_path / "door.xml")
    model = ElementTree.fromstring(package.main)
    (stiffness,) = [one.get("stiffness") for one in model.iter("joint") if one.get("name")]
    assert stiffness == ("3" if SPRING in drives else None)
    assert len(model.findall("actuator/*")) == count
