# SPDX-License-Identifier: GPL-3.0-or-later
"""For every finding about bounds on axes together a mechanism that has it, and one that has not."""

from __future__ import annotations

from math import inf

from omi_physics_joint.model.joint import AXES, Limit
from omi_physics_joint.model.mechanism import Mechanism

from .cases import limited

ROPE = Limit(AXES, (), -inf, 1.0, together=True)

TOGETHER_CASES: dict[str, tuple[Mechanism, Mechanism]] = {
    "limit-together": (
        limited(Limit((), (0, 1), max=1.0, together=True)),
        limited(Limit((), (0, 1), 0.0, 0.0, together=True)),
    ),
    "limit-impossible": (
        limited(Limit((), (0, 1), max=-1.0, together=True)),
        limited(Limit((), (0,), max=-1.0)),
    ),
    "limit-never-reached": (
        limited(ROPE, Limit((0,), (), -1.0, 1.0)),
        limited(ROPE, Limit((0,), (), -0.9, 1.0)),
    ),
}
