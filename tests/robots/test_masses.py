# SPDX-License-Identifier: GPL-3.0-or-later
"""Masses of which a part is taken away."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_joint.model.mechanics.masses import Mass
from omi_physics_joint.robots.masses import without


def turned(moments: np.ndarray, draws: np.random.Generator) -> Mass:
    """Return 1 kg with principal moments, turned anyhow."""
    axes, _ = np.linalg.qr(draws.normal(size=(3, 3)))
    x, y, z = (tuple(row) for row in axes @ np.diag(moments) @ axes.T)
    return Mass(1.0, (0.0, 0.0, 0.0), (x, y, z))


@pytest.mark.parametrize("seed", range(20))
def test_what_is_left_is_a_body_or_nothing(seed: int) -> None:
    """Whichever moments the part has more of: two negative ones have a positive determinant."""
    draws = np.random.default_rng(seed)
    for _ in range(20):
        whole = turned(draws.uniform(0.2, 0.4, 3), draws)
        part = turned(draws.uniform(0.0, 0.6, 3), draws)
        found = without(whole, Mass(0.1, part.centre, part.inertia))
        left = np.linalg.eigvalsh(np.array(whole.inertia) - np.array(part.inertia))
        low, middle, high = left
        assert (found is not None) == bool(low > 0.0 and low + middle >= high)
        if found is not None:
            assert np.linalg.eigvalsh(np.array(found.inertia)) == pytest.approx(left)
