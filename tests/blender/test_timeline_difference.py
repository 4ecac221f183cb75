# SPDX-License-Identifier: GPL-3.0-or-later
"""What has changed since a motion was simulated is named by its cause."""

from __future__ import annotations

import pytest

from omi_physics_joint.blender.timeline.cache.fingerprint import BODY, JOINT, PLACE, difference

DOOR, HINGE, HELD = (BODY, "Door", "1"), (JOINT, "Hinge", "2"), (PLACE, "Door", "3")


@pytest.mark.parametrize("parts", [(DOOR, HINGE, HELD), (HINGE, HELD, DOOR), (HELD, DOOR, HINGE)])
def test_a_joint_that_is_gone_is_named_before_its_body(
    parts: tuple[tuple[str, str, str], ...],
) -> None:
    """Without its joint a body takes no part, whether either is still in the scene."""
    assert difference(parts, (), {"Door", "Hinge"}) == "Hinge does not take part any more"
    assert difference(parts, (), ()) == "Hinge was deleted"
