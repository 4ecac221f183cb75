# SPDX-License-Identifier: GPL-3.0-or-later
"""The mechanisms of `make pictures`: sound, whole, and in motion."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from scenes import issues

from examples.contact_sheet import placed_in
from examples.gallery import EXHIBITS, Exhibit, build_gallery
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.solver.simulation import Simulation

TITLES = [exhibit.title for exhibit in EXHIBITS]


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=TITLES)
def test_exhibit_moves_and_holds_together(exhibit: Exhibit) -> None:
    """Check finds no error, every body moves, and no joint comes apart or passes its limits."""
    build_gallery([exhibit], columns=1)
    assert "ERROR" not in {severity.upper() for severity in issues().values()}
    reading = mechanism_from_placed(placed_in_scene(bpy.context.scene))
    simulation = Simulation(reading.mechanism)
    assert not reading.issues
    before = simulation.positions
    farthest = np.zeros(len(before))
    for _ in range(60):
        assert simulation.step(1 / 60).converged
        moved = np.sqrt(((simulation.positions - before) ** 2).sum(1))
        farthest = np.maximum(farthest, moved)
    report = simulation.joint_report()
    assert report.separation.max() < 1e-6
    assert report.misalignment.max() < 1e-6
    assert report.overshoot.max() < 1e-6
    dynamic = [
        row
        for row, node in enumerate(simulation.body_nodes)
        if reading.mechanism.nodes[node].motion.type.value == "dynamic"
    ]
    assert (farthest[dynamic] > 0.01).sum() >= len(dynamic) - 1  # a flywheel turns on the spot


def test_each_stands_in_a_collection_of_its_name() -> None:
    """Each mechanism has a collection, which holds its bodies and joints, and a plinth."""
    build_gallery()
    scene = bpy.context.scene
    assert [collection.name for collection in scene.collection.children] == TITLES
    assert not any(obj.omi_physics_joint.is_joint for obj in scene.collection.objects)
    for collection in scene.collection.children:
        assert any(obj.omi_physics_joint.is_joint for obj in collection.objects)
    assert sum(obj.type == "FONT" for obj in scene.collection.objects) == len(TITLES)


def test_the_picture_plays_each_exhibit_with_all_its_joints() -> None:
    """One exhibit of many is read as it is alone: no joint misses its second body."""
    build_gallery()
    whole = mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism
    joints = 0
    for collection in bpy.context.scene.collection.children:
        reading = mechanism_from_placed(placed_in(collection))
        assert not reading.issues
        joints += sum(1 for _ in reading.mechanism.joints())
    assert joints == sum(1 for _ in whole.joints()) > 0
