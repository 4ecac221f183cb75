# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command's tests share."""

from __future__ import annotations

from math import inf

import pytest


@pytest.fixture(autouse=True)
def no_run_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no run say how far it is: that depends on what else the machine does."""
    monkeypatch.setattr("omi_physics_joint.cli.simulate.IN_A_LOG", inf)
