# SPDX-License-Identifier: GPL-3.0-or-later
"""Files, checks and exports hold the rest pose while objects are shown elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix

from omi_physics_joint.blender.bridge.poses import away
from omi_physics_joint.blender.bridge.poses.transforms import Kept, keep, put_back
from tests.scenes import box, door, issues

ELSEWHERE = 5.0


@pytest.fixture
def leaf() -> Iterator[bpy.types.Object]:
    """A door whose leaf is shown elsewhere."""
    _, leaf, _ = door()
    bpy.context.scene.frame_set(0)
    gone = away.leave(keep([leaf]))
    leaf.location.x += ELSEWHERE
    bpy.context.view_layer.update()
    yield leaf
    away.come_back(gone)


def place_in(path: Path) -> float:
    """Return where a .gltf has the door."""
    nodes = json.loads(path.read_text("utf-8"))["nodes"]
    return next(node for node in nodes if node["name"] == "Door")["translation"][0]


@pytest.mark.parametrize("on", [True, False])
def test_export_holds_the_rest_pose(leaf: bpy.types.Object, tmp_path: Path, *, on: bool) -> None:
    """The exported door stands where the user put it, also in an export without our extension."""
    bpy.context.scene.omi_physics_joint.use_export = on
    path = tmp_path / "door.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    assert place_in(path) == pytest.approx(2.0)
    assert leaf.matrix_world.translation.x == pytest.approx(2.0 + ELSEWHERE)


def test_at_home_the_second_frame_of_a_joint_is_its_own() -> None:
    """And so it is while files are written; else its second body takes it along."""
    _, _, hinge = door()
    taken = Matrix.Translation((3.0, 0.0, 0.0))
    gone = away.leave((), carried={hinge.session_uid: taken})
    found = [away.carried_frame(hinge)]
    gone.is_home = True
    found.append(away.carried_frame(hinge))
    gone.is_home = False
    with away.rest_pose():
        found.append(away.carried_frame(hinge))
    found.append(away.carried_frame(hinge))
    away.come_back(gone)
    assert [*found, away.carried_frame(hinge)] == [taken, None, None, taken, None]


def test_saved_file_holds_the_rest_pose(leaf: bpy.types.Object, tmp_path: Path) -> None:
    """The file has the rest pose, and the door is shown elsewhere again at once."""
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    assert leaf.location.x == pytest.approx(2.0 + ELSEWHERE)
    with bpy.data.libraries.load(str(path)) as (_, into):
        into.objects = ["Door"]
    assert into.objects[0].location.x == pytest.approx(2.0)


def test_save_that_fails_shows_the_pose_again(leaf: bpy.types.Object, tmp_path: Path) -> None:
    """Nothing is left at rest where a file cannot be written."""
    with pytest.raises(RuntimeError):
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "no" / "door.blend"), copy=True)
    assert leaf.location.x == pytest.approx(2.0 + ELSEWHERE)


def test_check_is_about_the_rest_pose(leaf: bpy.types.Object) -> None:
    """A leaf pulled out of its hinge while it plays is no fault of the scene."""
    found = issues()
    assert not {"rest-outside-limits", "frames-apart"} & set(found)
    assert leaf.location.x == pytest.approx(2.0 + ELSEWHERE)


def test_check_inside_an_export_stays_at_rest(leaf: bpy.types.Object) -> None:
    """A rest pose within a rest pose ends with the outer one."""
    with away.rest_pose():
        with away.rest_pose():
            assert leaf.location.x == pytest.approx(2.0)
        assert leaf.location.x == pytest.approx(2.0)
    assert leaf.location.x == pytest.approx(2.0 + ELSEWHERE)


class Broken:
    """Something beside the objects that cannot go to rest, nor come back."""

    def suspend(self) -> None:
        """Fail."""
        raise RuntimeError

    resume = suspend


def test_what_fails_beside_them_leaves_no_object_elsewhere(
    leaf: bpy.types.Object, tmp_path: Path
) -> None:
    """All objects are saved at rest, and shown again, whatever else cannot be put back."""
    frame = bpy.data.objects["Frame"]
    gone = away.leave(keep([frame]), Broken())
    frame.location.z = ELSEWHERE
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    away.come_back(gone)
    assert leaf.location.x == pytest.approx(2.0 + ELSEWHERE)
    with bpy.data.libraries.load(str(path)) as (_, into):
        into.objects = ["Door", "Frame"]
    assert [tuple(obj.location) for obj in into.objects] == [(2.0, 0.0, 0.0), (0.0, 0.0, 0.0)]


def test_an_object_is_found_again_though_it_is_called_otherwise_now() -> None:
    """What an undo step has replaced has its number, and another may have its name by now."""
    gone, renamed, other = box("Gone"), box("Renamed"), box("Other")
    numbers = {obj: obj.session_uid for obj in (renamed, other)}
    bpy.data.objects.remove(gone)
    other.name, renamed.name = "Kept", "Renamed since"
    place = ((7.0, 0.0, 0.0),)
    kept = keep([renamed])[0]
    kept = Kept(gone, numbers[renamed], "Kept", (place[0], *kept.values[1:]))
    assert kept.find() == renamed
    assert kept.put_back()
    assert renamed.location.x == 7.0
    assert other.location.x == 0.0
    bpy.data.objects.remove(renamed)
    assert put_back([kept]) == ["Kept"]
