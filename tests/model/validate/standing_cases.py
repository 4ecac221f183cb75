# SPDX-License-Identifier: GPL-3.0-or-later
"""For every finding about where bodies stand a mechanism that has it, and its sound neighbour."""

from __future__ import annotations

from dataclasses import replace

from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.solid import Bounds
from tests.model.building import ANCHOR, DOOR, DYNAMIC, JOINT, WALL, changed, shift

from .cases import SOUND

AROUND = changed(
    changed(SOUND, DOOR, bounds=Bounds((-2.0, -2.0, -2.0), (2.0, 2.0, 2.0))),
    WALL,
    bounds=Bounds((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)),
)
"""What moves is around what stands, and hinges on a corner of it; a wheel does so in its middle."""

STANDING_CASES: dict[str, tuple[Mechanism, Mechanism]] = {
    "bodies-apart": (
        changed(SOUND, WALL, world=shift(0, 50.0)),
        changed(changed(SOUND, WALL, world=shift(0, 50.0)), ANCHOR, world=shift(0, 50.0)),
    ),
    "mass-extreme": (
        changed(SOUND, DOOR, motion=replace(DYNAMIC, mass=1e30)),
        changed(SOUND, DOOR, motion=replace(DYNAMIC, mass=1e9)),
    ),
    "wrong-one-moves": (
        AROUND,
        changed(changed(AROUND, JOINT, world=shift(0, 0.1)), ANCHOR, world=shift(0, 0.1)),
    ),
}
