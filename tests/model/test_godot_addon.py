# SPDX-License-Identifier: GPL-3.0-or-later
"""What our add-on for Godot says in numbers is what Check, play and files say.

Godot itself is not needed: the numbers are read where the scripts define them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from omi_physics_joint.gltf.animated import keyed
from omi_physics_joint.gltf.document import numbers
from omi_physics_joint.model import mechanism
from omi_physics_joint.model.godot import settings
from omi_physics_joint.model.mechanics import rebound, sagging
from omi_physics_joint.model.validate.engines import (
    alike,
    godot_bodies,
    godot_joints,
    godot_tumbling,
)

ADDON = Path(__file__).resolve().parents[2] / "clients/godot/addons/omi_physics_joint"
DEFINED = re.compile(r"^const (\w+) := ([-+.\de]+)$", re.MULTILINE)
SAME = {
    "loads.FAR": godot_joints.FAR,
    "loads.FASTEST": alike.FASTEST,
    "loads.GRAVITY": mechanism.GRAVITY,
    "loads.NOTICED": godot_joints.NOTICED,
    "loads.POINT": sagging.POINT,
    "layout.NOTICED": godot_joints.NOTICED,
    "pointers.FINE": keyed.FINE,
    "rebound.ANGLE": rebound.ANGLE,
    "rebound.LOOKS": rebound.LOOKS,
    "rebound.PASSES": rebound.PASSES,
    "rebound.ROUNDED": rebound.ROUNDED,
    "rebound.SECONDS": rebound.SECONDS,
    "rebound.WAY": rebound.WAY,
    "room.FAINT": settings.FAINT,
    "room.SOFTNESS": sagging.SOFTNESS,
    "solids.SMALLEST": godot_bodies.SMALLEST,
    "tumbling.ASIDE": godot_tumbling.ASIDE,
    "tumbling.EVEN": godot_tumbling.EVEN,
    "tumbling.PARALLEL": godot_tumbling.PARALLEL,
}
"""By script and name: what Python says of the same."""
GODOTS_OWN = {
    *("frames.FLAT", "frames.NEAR", "layout.NEAR"),  # single precision, in which Godot computes
    *("loads.ENDLESS", "shapes.ENDLESS", "keyed.ENDLESS"),  # what Jolt and tracks can hold
    *("shapes.RINGS", "shapes.SIDES", "shapes.THIN", "surfaces.LAYERS"),
    *("keyed.HALVINGS", "keyed.SAME", "pointers.BEFORE"),
    "reading.LARGEST",
}
"""What only nodes of Godot know."""


def constants() -> dict[str, float]:
    """Return the numbers that the scripts of the add-on define."""
    return {
        f"{path.stem}.{name}": float(value)
        for path in sorted(ADDON.glob("*.gd"))
        for name, value in DEFINED.findall(path.read_text("utf-8"))
    }


def test_the_addon_and_check_say_the_same_numbers() -> None:
    """A number that is changed in one language alone is noticed, and a new one has its place."""
    found = constants()
    assert {name: found.get(name) for name in SAME} == pytest.approx(SAME)
    assert found.keys() - SAME.keys() == GODOTS_OWN


def test_an_infinite_number_of_a_file_is_one_in_godot() -> None:
    """What stands for infinity is the largest single number, which the add-on takes from 3.4e38."""
    assert 0.99 * numbers.LARGEST < constants()["reading.LARGEST"] <= numbers.LARGEST
