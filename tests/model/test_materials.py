# SPDX-License-Identifier: GPL-3.0-or-later
"""How materials combine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omi_physics_joint.model.body import Combine, PhysicsMaterial, mixed


def test_materials_combine_as_the_first_way_says() -> None:
    """Friction and restitution of two materials, each by the way that ``Combine`` names first."""
    soft = PhysicsMaterial("", 0.2, 0.1, 0.5, Combine.MINIMUM, Combine.MULTIPLY)
    hard = PhysicsMaterial("", 0.8, 0.6, 0.4, Combine.MAXIMUM, Combine.MULTIPLY)
    assert mixed(soft, hard) == mixed(hard, soft) == (0.2, 0.1, 0.2)
    plain = replace(hard, friction_combine=Combine.AVERAGE, restitution_combine=Combine.AVERAGE)
    assert mixed(soft, plain) == pytest.approx((0.5, 0.35, 0.45))
