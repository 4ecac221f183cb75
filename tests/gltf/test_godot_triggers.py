# SPDX-License-Identifier: GPL-3.0-or-later
"""Triggers in files for Godot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from omi_physics_joint.model.body import Collider, Trigger
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import Matrix
from omi_physics_joint.model.godot.written import written
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.shape import Box, Convex
from tests.gltf.test_godot import SCALES, arm


@pytest.mark.parametrize("place", SCALES.values(), ids=SCALES)
@pytest.mark.parametrize("solid", [None, 0, 1], ids=["not solid", "solid box", "solid hull"])
@pytest.mark.parametrize("noticing", [0, 1], ids=["box", "hull"])
def test_a_trigger_of_a_scaled_body_goes_by_its_own_shape(
    place: Matrix, solid: int | None, noticing: int
) -> None:
    """Only what is a mesh has a scaled node, whatever the body collides with."""
    mechanism = arm(hinge(2), place=place)
    nodes = list(mechanism.nodes)
    collider = None if solid is None else Collider(solid)
    nodes[1] = replace(nodes[1], collider=collider, trigger=Trigger(noticing))
    shapes = (Box((1.0, 0.1, 0.2)), Convex(0))
    made = written(replace(mechanism, nodes=tuple(nodes), shapes=shapes))
    for part, shape in (("collider", solid), ("trigger", noticing)):
        holders = [node for node in made.nodes if getattr(node, part)]
        worlds = [rigid_frame(place) if shape == 0 else place] * (shape is not None)
        assert [node.world for node in holders] == [pytest.approx(np.array(one)) for one in worlds]
