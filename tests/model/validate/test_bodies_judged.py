# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of bodies are judged by their size, whatever other numbers they resemble."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omi_physics_joint.model.body import Collider, PhysicsMaterial, Vector3
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import check
from tests.model.building import DOOR, DYNAMIC, changed, codes, pair

SOUND = pair(hinge(2, -1.0, 1.0))
TURNED = (0.0, 0.0, 0.6, 0.8)


@pytest.mark.parametrize(("inertia", "lacks"), [((2.0, 2.0, 0.0), True), ((2.0, 2.0, 1.0), False)])
def test_an_inertia_lacks_a_part_that_is_zero(inertia: Vector3, lacks: bool) -> None:
    """One of 1 kg m^2 is a part like any other."""
    body = changed(SOUND, DOOR, motion=replace(DYNAMIC, inertia_diagonal=inertia))
    assert ("inertia-part-missing" in codes(check(body))) is lacks


@pytest.mark.parametrize("size", [0.02, 1.0, 50.0])
@pytest.mark.parametrize(("uneven", "turns"), [(0.0005, False), (0.1, True)])
def test_a_turn_of_an_even_inertia_is_none_at_any_size(
    size: float, uneven: float, turns: bool
) -> None:
    """How uneven an inertia is counts against the inertia itself."""
    inertia = (size, size * (1.0 + uneven), size)
    motion = replace(DYNAMIC, inertia_diagonal=inertia, inertia_orientation=TURNED)
    found = check(changed(SOUND, DOOR, motion=motion), target=Target.GODOT)
    assert ("godot-inertia-turned" in codes(found)) is turns


def test_a_wrong_material_is_shown_at_the_body_that_has_it() -> None:
    """So that a click on the issue leads somewhere."""
    made = replace(SOUND, physics_materials=(PhysicsMaterial(restitution=-0.1),))
    used = changed(made, DOOR, collider=Collider(0, physics_material=0))
    (issue,) = [one for one in check(used) if one.code == "material-negative"]
    assert issue.node == DOOR
