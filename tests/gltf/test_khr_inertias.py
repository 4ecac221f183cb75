# SPDX-License-Identifier: GPL-3.0-or-later
"""Masses and inertias that are infinite or zero, which the dialects spell otherwise."""

from __future__ import annotations

from math import inf

import pytest

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.body import Motion, MotionType
from omi_physics_joint.model.mechanism import Mechanism, Node
from tests.gltf.test_khr import BODY, said


@pytest.mark.parametrize("spoken", list(Spoken))
def test_infinities_come_back_from_either_dialect(spoken: Spoken) -> None:
    """Khronos' zero and the largest number of OMI both mean that nothing turns the body."""
    motion = Motion(MotionType.DYNAMIC, inf, inertia_diagonal=(inf, 2.0, inf))
    mechanism = Mechanism((Node("A", motion=motion),))
    (node,) = read(said(mechanism, spoken)).mechanism.nodes
    assert node.motion == motion


def test_no_inertia_at_all_is_not_written_as_infinite() -> None:
    """What is really zero beside other moments is as little as the solver takes it for."""
    motion = Motion(MotionType.DYNAMIC, inertia_diagonal=(2.0, 2.0, 0.0))
    written = said(Mechanism((Node("A", motion=motion),)), Spoken.KHR)["nodes"][0]
    inertia = written["extensions"][BODY]["motion"]["inertiaDiagonal"]
    assert inertia == [2.0, 2.0, pytest.approx(2e-9)]
