# SPDX-License-Identifier: GPL-3.0-or-later
"""After a play, whatever ends it, not one transform, property or handler differs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.poses import away
from omi_physics_joint.blender.bridge.poses.transforms import keep
from omi_physics_joint.blender.play.session import STEP
from tests.blender.everything import differences, everything
from tests.scenes import box, door, joined, select


def started(seconds: float = 0.3) -> play.PlaySession:
    """Start to play the scene, and let it go on for a while."""
    session = play.start(bpy.context.scene)
    for _ in range(round(seconds / STEP)):
        assert session.tick(STEP), session.reason
    assert bpy.data.objects["Flap"].location.z < 0.0
    return session


@pytest.fixture(autouse=True)
def scene() -> None:
    """A scene with everything that can go wrong: scales, parents, modes, keys, unkeyed changes."""
    frame, flap, _ = door(direction="GLOBAL_Y")
    frame.name, flap.name = "Frame", "Flap"
    flap.rotation_euler = (-0.0, 0.0, -0.0)
    second = box("Second", (4.0, 0.0, 0.0))
    second.rotation_mode, second.scale = "QUATERNION", (1.0, 2.0, 0.5)
    second.rotation_axis_angle = (7.0, 0.3, 0.2, 0.1)
    bpy.context.scene.cursor.location = (3.0, 0.0, 0.0)
    joined("PIN", flap, second)
    held = box("Held", (0.0, 3.0, 0.0))
    held.parent = second
    held.matrix_parent_inverse = Matrix.Rotation(0.3, 4, "X")
    cart, load = box("Cart", (0.0, 6.0, 0.0)), box("Load", (2.0, 6.0, 0.0))
    bpy.context.scene.cursor.location = (1.0, 6.0, 0.0)
    joined("HINGE", cart, load, direction="GLOBAL_Y")
    cart.omi_physics_body.type = "kinematic"
    cart.keyframe_insert("location", frame=1)
    cart.location.x = 2.0
    cart.keyframe_insert("location", frame=30)
    load.keyframe_insert("rotation_euler", frame=3)
    bpy.context.scene.frame_set(3, subframe=0.125)
    cart.location.z = 0.7  # not keyed: going to another frame would lose it
    cart["speed"] = 1.0
    cart.keyframe_insert('["speed"]', frame=1)
    cart["speed"] = 4.0
    select(flap)
    bpy.context.view_layer.update()


def test_stop_leaves_nothing() -> None:
    """Everything is as before, to the bit."""
    before = everything()
    started()
    assert differences(before, everything())
    play.stop()
    assert differences(before, everything()) == []


def test_play_again_and_again_leaves_nothing() -> None:
    """Neither do three plays, one of them reset and paused, nor one that never moved."""
    before = everything()
    for _ in range(3):
        started().want_reset()
        play.current().tick(STEP)
        play.current().is_paused = True
        play.stop()
    play.start(bpy.context.scene)
    play.stop()
    assert differences(before, everything()) == []


def test_undo_during_play_and_after() -> None:
    """Undo stops the play before Blender goes back; every step holds the rest pose."""
    bpy.ops.ed.undo_push(message="one")
    before = everything()
    bpy.context.scene.objects["Flap"].name = "Flap"
    bpy.data.objects["Frame"].location.x = 1.0
    bpy.ops.ed.undo_push(message="two")
    second = everything()
    session = started()
    bpy.ops.ed.undo()
    assert session.is_over
    assert differences(before, everything()) == []
    session = started()
    bpy.ops.ed.redo()
    assert session.is_over
    assert differences(second, everything()) == []
    started()
    play.stop()
    bpy.ops.ed.undo()
    assert differences(before, everything()) == []


def test_save_during_play_holds_the_rest_pose(tmp_path: Path) -> None:
    """The file is the same as one saved before, frame and unkeyed values included."""
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    before = everything()
    session = started()
    there = tuple(bpy.data.objects["Flap"].location)
    frame = bpy.context.scene.frame_current_final
    bpy.ops.wm.save_mainfile()
    assert not session.is_over
    assert tuple(bpy.data.objects["Flap"].location) == there
    assert bpy.context.scene.frame_current_final == frame
    assert session.tick(STEP)
    play.stop()
    assert differences(before, everything()) == []
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert differences(before, everything()) == []


def test_play_click_save_undo_stop_undo_reload(tmp_path: Path) -> None:
    """The sequence of the issue: a change of a setting is the click."""
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    for step in ("before", "made"):
        bpy.ops.ed.undo_push(message=step)
    before = everything()
    session = started()
    session.settings.speed = 0.5
    bpy.ops.wm.save_mainfile()
    bpy.ops.ed.undo()
    assert session.is_over
    play.stop()
    bpy.ops.ed.redo()
    bpy.context.scene.omi_physics_preview.property_unset("speed")
    assert differences(before, everything()) == []
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert differences(before, everything()) == []


def test_addon_off_and_on_during_play() -> None:
    """Switching the add-on off stops the play first; on again everything is there."""
    import addon_utils

    before = everything()
    session = started()
    addon_utils.disable("omi_physics_joint")
    assert session.is_over
    assert tuple(bpy.data.objects["Flap"].location) == (2.0, 0.0, 0.0)
    addon_utils.enable("omi_physics_joint")
    assert differences(before, everything()) == []


def test_export_and_check_during_play_leave_the_play_alone(tmp_path: Path) -> None:
    """Both are about the rest pose, and it goes on afterwards where it was."""
    session = started()
    there = tuple(bpy.data.objects["Flap"].location)
    bpy.ops.omi_joint.check()
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "out.gltf"), export_format="GLTF_SEPARATE")
    assert tuple(bpy.data.objects["Flap"].location) == there
    assert session.tick(STEP)
    with away.rest_pose():
        assert bpy.context.scene.frame_current_final == 3.125
        assert bpy.data.objects["Cart"].location.z == pytest.approx(0.7)
        assert not session.tick(STEP)
    play.stop()


def raise_error(_session: play.PlaySession) -> None:
    """Have the solver fail in its next step."""

    def fail(_dt: float) -> None:
        message = "singular beyond repair"
        raise ArithmeticError(message)

    _session.run.step = fail


def make_nan(session: play.PlaySession) -> None:
    """Have the solver yield no numbers."""
    poses = session.run.simulation.groups[0].state.position
    poses[:] = float("nan")


def delete_body(_session: play.PlaySession) -> None:
    """Delete a body, as a script could."""
    bpy.data.objects.remove(bpy.data.objects["Second"])


def switch_scene(_session: play.PlaySession) -> None:
    """Show another scene."""
    bpy.context.window.scene = bpy.data.scenes.new("Elsewhere")


def switch_back() -> None:
    """Show the first scene again; Blender evaluates its animation anew."""
    bpy.context.window.scene = bpy.data.scenes["Scene"]
    bpy.data.scenes.remove(bpy.data.scenes["Elsewhere"])


def close_window(_session: play.PlaySession) -> None:
    """Do what Blender does with a running operator whose window is closed."""
    bpy.types.OMI_JOINT_OT_play.cancel(None, bpy.context)


FAULTS: dict[str, tuple[Callable[[play.PlaySession], None], str]] = {
    "solver exception": (raise_error, "singular beyond repair"),
    "NaN": (make_nan, "became unstable"),
    "body deleted": (delete_body, "'Second' was deleted"),
    "scene switched": (switch_scene, "another scene"),
    "window closed": (close_window, ""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_ends_the_play_and_restores(fault: str) -> None:
    """The play ends with a sentence, and everything else is as it was."""
    inject, words = FAULTS[fault]
    if inject is switch_scene:
        bpy.context.window.scene = bpy.data.scenes.new("Elsewhere")
        switch_back()
    before = everything()
    session = started()
    inject(session)
    assert not session.tick(STEP)
    assert session.is_over
    assert words in session.reason
    assert play.last_reason() == session.reason
    assert not play.is_playing()
    if inject is switch_scene:
        switch_back()
    changed = differences(before, everything())
    if inject is delete_body:
        rest = [line for line in changed if not line.startswith("objects[Second")]
        changed = [line for line in rest if ".location:" in line or ".rotation" in line]
    assert changed == []


def test_file_loaded_during_play(tmp_path: Path) -> None:
    """A file that is opened finds nothing of the play, and one that cannot be leaves it all."""
    path = tmp_path / "other.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    before = everything()
    session = started()
    with pytest.raises(RuntimeError):
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "missing.blend"))
    assert session.is_over
    assert differences(before, everything()) == []
    session = started()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert session.is_over
    assert differences(before, everything()) == []
    assert not session.tick(STEP)


def test_render_shows_the_rest_pose(tmp_path: Path) -> None:
    """A picture stops the play before anything of it is rendered."""
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.render.resolution_x = scene.render.resolution_y = 8
    scene.render.filepath = str(tmp_path / "out.png")
    seen = []

    def look(*_: object) -> None:
        seen.append(tuple(bpy.data.objects["Flap"].location))

    session = started()
    bpy.app.handlers.render_pre.append(look)
    bpy.ops.render.render(write_still=True)
    bpy.app.handlers.render_pre.remove(look)
    assert seen == [(2.0, 0.0, 0.0)]
    assert session.is_over
    assert "rest pose" in session.reason


def test_value_that_is_gone_keeps_nothing_else_in_mid_air(tmp_path: Path) -> None:
    """Where a keyed modifier was removed all else comes back and is saved, and it is said."""
    path = tmp_path / "scene.blend"
    cart = bpy.data.objects["Cart"]
    cart.modifiers.new("A wave", "WAVE").keyframe_insert("height", frame=1)
    cart["speed"] = 4.0
    flap = bpy.data.objects["Flap"]
    before = tuple(flap.location), cart.location.z, bpy.context.scene.frame_current_final
    session = started()
    cart.modifiers.remove(cart.modifiers[0])
    play.stop()
    assert session.is_over
    assert (tuple(flap.location), cart.location.z, bpy.context.scene.frame_current_final) == before
    assert cart["speed"] == 4.0
    assert session.reason == 'Stopped. Could not be put back: Cart: modifiers["A wave"].height'
    assert not away.is_anything_away()
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert tuple(bpy.data.objects["Flap"].location) == before[0]


def test_save_holds_the_rest_pose_where_a_value_is_gone(tmp_path: Path) -> None:
    """A file that is saved during such a play holds the rest pose."""
    path = tmp_path / "scene.blend"
    cart = bpy.data.objects["Cart"]
    cart.modifiers.new("A wave", "WAVE").keyframe_insert("height", frame=1)
    before = tuple(bpy.data.objects["Flap"].location)
    started()
    cart.modifiers.remove(cart.modifiers[0])
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert tuple(bpy.data.objects["Flap"].location) == before


@pytest.mark.parametrize("name", ['we"ird', "back\\slash", 'a]["b', "dot.ted", "deg [°]"])
def test_keyed_property_of_any_name_is_put_back(name: str) -> None:
    """Quotes and brackets in the name of a keyed property neither lose it nor make another one."""
    cart = bpy.data.objects["Cart"]
    cart[name], cart["row"] = 1.0, [1.0, 2.0]
    path = f'["{bpy.utils.escape_identifier(name)}"]'
    cart.keyframe_insert(path, frame=1)
    cart.keyframe_insert('["row"]', index=1, frame=1)
    cart[name], cart["row"] = 4.0, [3.0, 4.0]
    cart.update_tag()  # else Blender does not evaluate new curves
    keys = set(cart.keys())
    started()
    assert (cart[name], list(cart["row"])) == (1.0, [3.0, 2.0])
    play.stop()
    assert (cart[name], list(cart["row"])) == (4.0, [3.0, 4.0])
    assert set(cart.keys()) == keys


def test_nobody_is_away_in_a_file_that_was_opened(tmp_path: Path) -> None:
    """What was shown elsewhere goes with the file that it was in; one that cannot be read stays."""
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    away.leave(keep([bpy.data.objects["Flap"]]))
    with pytest.raises(RuntimeError):
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "none.blend"))
    assert away.is_anything_away()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert not away.is_anything_away()
