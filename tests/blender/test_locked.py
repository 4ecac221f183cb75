# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that cannot all hold are named by Check, play and the timeline, with size and fix."""

from __future__ import annotations

import bpy
import pytest
from scenes import box, door, issues, joined, separated

from examples.gallery import build_gallery
from examples.workshop import build_workshop
from omi_physics_joint.blender import preview
from omi_physics_joint.blender.diagnosis import diagnose_scene
from omi_physics_joint.blender.preview.session import STEP
from omi_physics_joint.blender.timeline.recording import Recorder, Span

NEW = {"joints-contradict", "joints-lock", "limit-narrow"}


def contradicting() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return a hinge and a weld on one door that want it 10 cm apart, beside a sound door."""
    frame, leaf, hinge = door()
    weld = joined("WELD", frame, leaf)
    separated(weld).location.x += 0.1
    still, moving = box("Other Frame", (9.0, 0.0, 0.0)), box("Other Door", (11.0, 0.0, 0.0))
    bpy.context.scene.cursor.location = (10.0, 0.0, 0.0)
    joined("HINGE", still, moving)
    bpy.context.view_layer.update()
    return hinge, weld


def said() -> dict[str, tuple[str, str, str]]:
    """Return where, what and what to do, by code."""
    found, _, _ = diagnose_scene(bpy.context.scene)
    return {one.code: (one.where, one.message, one.fix) for one in found if one.code in NEW}


def test_check_names_joints_that_contradict_each_other() -> None:
    """Where, by how much in the scene's units, and what to do; moved into place nothing is said."""
    hinge, weld = contradicting()
    bpy.context.scene.unit_settings.length_unit = "CENTIMETERS"
    where, message, fix = said()["joints-contradict"]
    assert where in {hinge.name, weld.name}
    assert set(message.split(" cannot both hold")[0].split(" and ")) == {hinge.name, weld.name}
    assert message.endswith(" in this pose: up to 5 cm apart.")
    assert fix == "Move their frames together, or free an axis of one."
    assert issues()["joints-contradict"] == "warning"
    weld.omi_physics_joint.connected_node.location.x -= 0.1
    bpy.context.view_layer.update()
    assert said().keys() == {"joints-lock"}  # a hinge that is welded cannot turn


def test_play_names_the_joints_and_how_far_they_are_apart() -> None:
    """Both joints are named in the panel while it plays, the sound door is not."""
    hinge, weld = contradicting()
    session = preview.start(bpy.context.scene)
    for _ in range(60):
        session.run.step(STEP)
    lost = [one for one in session.troubles if "cannot both hold in this pose" in one]
    rough = [one for one in session.troubles if one.startswith("Only roughly computed in ")]
    preview.stop()
    (sentence,) = lost
    assert {hinge.name, weld.name} <= set(sentence.split(" cannot")[0].split(" and "))
    assert ": up to 0.05 m apart. " in sentence
    assert sentence.endswith("Move their frames together, or free an axis of one")
    assert rough[0].endswith((f": {hinge.name} and {weld.name}", f": {weld.name} and {hinge.name}"))
    assert ", as they cannot all hold: " in rough[0]
    assert all("Other" not in one for one in lost + rough)


def test_the_timeline_names_them_too() -> None:
    """The warning of a recorded run has both names, the size and the fix."""
    hinge, weld = contradicting()
    recorder = Recorder(bpy.context.scene, Span(1, 40))
    list(recorder.steps())
    recorder.close()
    (issue,) = [one for one in recorder.issues if one.code == "not-converged"]
    assert hinge.name in issue.message
    assert weld.name in issue.message
    assert " cannot both hold at this frame" in issue.message
    assert " apart" in issue.message
    assert issue.fix == "Move their frames together, or free an axis of one."


@pytest.mark.parametrize("build", [build_gallery, build_workshop])
def test_examples_are_left_alone(build: object) -> None:
    """What we ship as good examples earns none of these warnings."""
    build()
    assert said() == {}
