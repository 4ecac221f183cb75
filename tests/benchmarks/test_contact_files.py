# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that show what readers make of bodies that touch: our solver does as is specified."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from benchmarks.contacts.in_files import rows
from benchmarks.contacts.readers import ours, said_to
from omi_physics_joint.model.readers import Reader

ROWS = rows()
DIFFERENT = {
    "friction": {"godot-combine", "physx-combine"},
    "sticking": {"godot-combine"},
    "bounce": {"godot-combine", "physx-combine"},
    "filters": {"physx-filter"},
    "joined": set(),
}
"""What engines were measured to do otherwise."""


@pytest.mark.parametrize("name", ROWS)
def test_our_solver_does_as_files_say(name: str, tmp_path: Path) -> None:
    """Friction, restitution, filters and joints of all lanes are those of the specifications."""
    row = ROWS[name]
    ways, _ = ours(row, tmp_path, Namespace())
    found = {lane.name: row.shown(ways[f"Lane{i}"]) for i, lane in enumerate(row.lanes)}
    assert found == {
        lane.name: pytest.approx(lane.expected, abs=0.005 if lane.within < 1.0 else 0.1)
        for lane in row.lanes
    }


@pytest.mark.parametrize("name", ROWS)
def test_check_says_what_engines_do_otherwise(name: str) -> None:
    """Of each file Check says what Godot and PhysX were measured to make another motion of."""
    said = {code for reader in (Reader.GODOT, Reader.PHYSX) for code in said_to(reader, ROWS[name])}
    assert {code for code in said if code.endswith(("-combine", "-filter"))} == DIFFERENT[name]
