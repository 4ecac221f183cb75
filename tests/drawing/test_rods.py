# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pictures of bounds on a distance: what is marked of them, and where."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from omi_physics_joint.drawing.marks.rods import END, rod_sketch
from omi_physics_joint.model.joint import AXES, Limit
from omi_physics_joint.model.settings.together import together_in

FAR = 2.0


@pytest.mark.parametrize("stiffness", [inf, 5.0])
@pytest.mark.parametrize("low", [-inf, 0.0, 0.1 * FAR, 0.7 * FAR, FAR])
def test_a_lower_bound_is_marked_where_there_is_one(low: float, stiffness: float) -> None:
    """One line across: not of a rod, which has one length, and not of what may come together."""
    limit = Limit(AXES, (), low, FAR, together=True, stiffness=stiffness)
    (one,) = together_in((limit,))
    lines = rod_sketch(one).lines
    across = lines[np.ptp(lines[..., 0], axis=1) < 1e-12]
    long = across[np.ptp(across[..., 2], axis=1) > END * FAR]
    assert long[:, 0, 0].tolist() == ([low] if 0.0 < low < FAR else [])
