# SPDX-License-Identifier: GPL-3.0-or-later
"""What the solver's tests need."""

from __future__ import annotations

import pytest

from omi_physics_joint.solver.engines.compiled import engine


@pytest.fixture(autouse=True)
def moves_by_the_kernel() -> None:
    """Leave tests out where the textbook would move everything: they would take hours by it."""
    if engine().name != "kernel":
        pytest.skip("there is no compiled kernel here (make kernel)")
