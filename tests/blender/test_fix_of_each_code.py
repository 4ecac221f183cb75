# SPDX-License-Identifier: GPL-3.0-or-later
"""Fix of each code: the fault is gone and nothing else broken, in one step of undo, and it plays.

Scenes are those of ``faults``: tipped, 24 m from the origin, below a scaled parent.
"""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from scenes import issues, numbers

from omi_physics_joint.blender.check.fixes import FIXES
from tests.approved import approved
from tests.blender.faults import FAULTS
from tests.blender.stored import changes, stored
from tests.blender.test_check_bodies import report
from tests.blender.test_one_motion import moves, one_motion

SCENES = {make.__name__: (code, make) for code, several in FAULTS.items() for make in several}
FOLLOWS = {
    "no_mesh": {"mass-outdated"},  # a body with a box more holds more
    "locked_loop": {"godot-contacts"},  # what moves may meet
}
"""What is told besides of what is right now, by the scene."""
TURNED = {"under_static", "dynamic_keyed_with_others", "lid_stands"}
"""Where the joint is turned, as its sides are swapped."""
RESHAPED = {
    "scaled_shape": "Door",
    "uneven_ball": "Door",
    "apart": "Door Hinge Second Frame",
    "reset_joint": "Door Hinge",
    "joint_moved_off": "Door Hinge",
}
"""What else is to change its matrix, by the scene."""
STRAIGHT = {"mirrored", "sheared", "scaled_slider"}
"""Where the empty of the joint loses its scale."""
STANDS = {"without_settings", "narrow", "under_static", "scaled_slider", "scaled_import"}
"""Where nothing moves after it: it is locked, or nothing pushes it."""
EMPTY = {"second_body_gone", "one_body", "stray_frame"}
"""Where no joint is left."""
CHANGED: dict[str, list[str]] = {}
"""What Fix has changed, by the sentence of the scene."""
Told = set[tuple[str, str]]
State = dict[str, list[float]]


def told() -> Told:
    """Return what Check says: code and object."""
    issues()
    return {(one.code, one.object_name or one.where) for one in report().issues}


def state() -> State:
    """Return where all objects of the scene are."""
    bpy.context.view_layer.update()
    return {obj.name: numbers(obj.matrix_world) for obj in bpy.context.scene.objects}


def moved(before: State, after: State, by: float) -> set[str]:
    """Return what of two moments is elsewhere."""
    return {
        name
        for name in before.keys() & after.keys()
        if after[name] != pytest.approx(before[name], abs=by)
    }


def test_every_code_with_a_fix_has_a_scene() -> None:
    """So that a new Fix is pressed."""
    assert set(FAULTS) == set(FIXES)


@pytest.mark.parametrize("scene", SCENES)
def test_fix_mends_its_fault_and_nothing_else(scene: str, tmp_path: Path) -> None:
    """Check again, undo and redo; then the timeline and the file are one motion."""
    code, make = SCENES[scene]
    make()
    bpy.ops.ed.undo_push(message="Fault")
    before, was = told(), state()
    index, name = next(
        (i, one.object_name) for i, one in enumerate(report().issues) if one.code == code
    )
    assert report().issues[index].can_fix
    kept = stored()
    assert bpy.ops.omi_joint.issue_fix("EXEC_DEFAULT", True, index=index) == {"FINISHED"}
    done = changes(kept, stored())
    CHANGED[f"{code}. {make.__doc__}"] = [one for one in done if not one.startswith("report:")]
    after, now = told(), state()
    assert (code, name) not in after
    assert {one for one, _ in after} - {one for one, _ in before} <= FOLLOWS.get(scene, set())
    others = moved(was, now, 2e-5) - {RESHAPED.get(scene, "")}
    joints = {one for one in others if bpy.data.objects[one].omi_physics_joint.is_joint}
    assert not (joints if scene not in TURNED | STRAIGHT else set())
    assert others <= joints
    assert not moved(places(was), places(now), 2e-5) - {RESHAPED.get(scene, "")}
    bpy.ops.ed.undo()
    back = state()
    assert back.keys() == was.keys()
    assert not moved(was, back, 1e-6)
    assert told() == before
    bpy.ops.ed.redo()
    assert not moved(now, state(), 1e-6)
    assert told() == after
    if scene in EMPTY:
        assert not any(obj.omi_physics_joint.is_joint for obj in bpy.context.scene.objects)
        return
    motion = one_motion(tmp_path / "scene.glb", 0)
    assert any(moves(one) for one in motion.values()) is (scene not in STANDS)


def test_what_fix_changes_is_as_approved() -> None:
    """All that is stored, as the tests above have found it."""
    if len(CHANGED) < len(SCENES):
        pytest.skip("not all of them ran")
    approved("fixed_by_code.txt", CHANGED)


def places(of: State) -> State:
    """Return where objects are, however they are turned and scaled."""
    return {name: matrix[3::4] for name, matrix in of.items()}
