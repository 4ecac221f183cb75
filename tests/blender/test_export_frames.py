# SPDX-License-Identifier: GPL-3.0-or-later
"""A frame in the file is where and how Blender shows it, whatever stands above it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix
from omi_export import (
    JOINT,
    Y_UP,
    add,
    add_body,
    assert_same_frame,
    box_mesh,
    connect,
    errors,
    export,
    extension,
    index_of,
    shown_frame,
    translation,
    turn_between,
    worlds,
)

from omi_physics_joint.model.joint import JointSettings
from omi_physics_joint.model.settings.recipes import hinge, weld

PARENTS = {
    "plain": {},
    "turned": {"turned": (0.4, 1.1, -2.0), "at": (3.0, -1.0, 0.5)},
    "scaled": {"scale": (3.0, 3.0, 3.0)},
    "uneven": {"scale": (1.0, 4.0, 0.5)},
    "turned and uneven": {"turned": (0.4, 1.1, -2.0), "scale": (1.0, 4.0, 0.5)},
    "mirrored": {"scale": (-1.0, 1.0, 1.0)},
    "turned, uneven and mirrored": {"turned": (0.4, 1.1, -2.0), "scale": (1.0, -4.0, 0.5)},
    "far away": {"at": (1e4, -2e4, 3e4), "turned": (0.4, 1.1, -2.0), "scale": (1.0, 4.0, 0.5)},
}
TURNED = Matrix.Translation((0.3, -0.2, 1.5)) @ Euler((0.7, -0.3, 1.9)).to_matrix().to_4x4()


def mechanism(place: dict[str, Any], frame: Matrix) -> bpy.types.Object:
    """Return a joint whose two bodies stand alike, the frame relative to where they are."""
    still = add_body("Still", "static", data=box_mesh(), **place)
    moving = add_body("Moving", data=box_mesh(), **place)
    world = Matrix.Translation(place.get("at", (0.0, 0.0, 0.0))) @ frame
    return connect(moving, still, hinge(1, -0.5, 1.0), world)


def settings_in_file_axes() -> JointSettings:
    """Return the hinge of ``mechanism`` as the file has it."""
    return hinge(2, -1.0, 0.5)


def frames(gltf: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return the joint frame and the connected frame as the file has them."""
    found = worlds(gltf)
    (joint,) = [i for i, node in enumerate(gltf["nodes"]) if JOINT in node.get("extensions", {})]
    other = gltf["nodes"][joint]["extensions"][JOINT]["connectedNode"]
    return found[joint], found[other]


@pytest.mark.parametrize("frame", [Matrix(), TURNED], ids=["world-aligned", "turned"])
@pytest.mark.parametrize("place", PARENTS)
def test_frame_is_where_blender_shows_it(place: str, frame: Matrix, tmp_path: Path) -> None:
    """Positions agree to 1e-6 and rotations to 1e-5 rad under any body, and both ends coincide."""
    joint = mechanism(PARENTS[place], frame)
    first, second = frames(export(tmp_path / "frame.glb"))
    shown = shown_frame(joint, settings_in_file_axes())
    assert_same_frame(first, shown)
    assert_same_frame(second, shown)


def test_plain_exporter_would_be_wrong_by_far(tmp_path: Path) -> None:
    """Without our part the exporter skews a frame under a turned, uneven body by about 0.8."""
    mechanism(PARENTS["turned and uneven"], Matrix())
    bpy.context.scene.omi_physics_joint.use_export = False
    gltf = export(tmp_path / "plain.glb")
    assert "extensionsUsed" not in gltf
    skewed = worlds(gltf)[index_of(gltf, "Joint")]
    assert np.abs(skewed[:3, :3] - np.eye(3)).max() > 0.3
    bpy.context.scene.omi_physics_joint.use_export = True
    right, _ = frames(export(tmp_path / "ours.glb"))
    assert np.abs(right - np.eye(4)).max() < 1e-6


@pytest.mark.parametrize("place", ["turned and uneven", "far away"])
def test_frame_is_right_with_z_up(place: str, tmp_path: Path) -> None:
    """With "+Y up" off the frame stands in the file as in Blender, axes included."""
    joint = mechanism(PARENTS[place], TURNED)
    first, second = frames(export(tmp_path / "z_up.glb", export_yup=False))
    codes = [one.code for one in bpy.context.window_manager.omi_physics_joint.issues]
    assert "z-up" in codes  # nobody else lets things fall along Z
    shown = Y_UP.T @ shown_frame(joint, settings_in_file_axes()) @ Y_UP
    assert_same_frame(first, shown)
    assert_same_frame(second, shown)


def test_frame_below_several_scaled_objects(tmp_path: Path) -> None:
    """Skew that gathers over several turned and uneven objects is in no frame either."""
    top = add("Top", turned=(0.3, 0.2, 0.1), scale=(1.0, 2.0, 3.0))
    still = add_body("Still", "static", parent=top, turned=(1.0, 0.0, 0.5), scale=(2.0, 1.0, 0.5))
    moving = add_body("Moving", at=(1.0, 0.0, 0.0))
    joint = connect(moving, still, weld(), TURNED)
    first, second = frames(export(tmp_path / "chain.glb"))
    assert_same_frame(first, shown_frame(joint))
    partner = joint.omi_physics_joint.connected_node
    # The body itself is skewed, which is an error of its own; its frame is put right against the
    # body as it stands in the file.
    assert "body-sheared" in errors()
    assert_same_frame(second, shown_frame(partner))


def test_moved_frame_is_squared(tmp_path: Path) -> None:
    """A frame that the user scaled and skewed by hand is still a rigid frame in the file."""
    joint = mechanism(PARENTS["turned and uneven"], Matrix())
    joint.matrix_parent_inverse.identity()  # now the body's scale skews it
    joint.rotation_euler = (0.5, 0.2, 0.9)
    bpy.context.view_layer.update()
    first, _ = frames(export(tmp_path / "skewed.glb"))
    assert_same_frame(first, shown_frame(joint, settings_in_file_axes()))


def test_frame_with_children_leaves_them_where_they_are(tmp_path: Path) -> None:
    """A frame that must be put right does not drag along what hangs below it."""
    joint = mechanism(PARENTS["turned and uneven"], TURNED)
    below = add("Below", joint, data=box_mesh("Below"), at=(1.0, 2.0, 3.0))
    gltf = export(tmp_path / "children.glb")
    first, second = frames(gltf)
    assert_same_frame(first, shown_frame(joint, settings_in_file_axes()))
    assert_same_frame(second, first)
    bpy.context.scene.omi_physics_joint.use_export = False
    plain = export(tmp_path / "plain.glb")
    same = [worlds(one)[index_of(one, below.name)] for one in (gltf, plain)]
    assert np.abs(same[0] - same[1]).max() < 1e-9


def test_connected_body_keeps_its_scale_and_its_mesh(tmp_path: Path) -> None:
    """A joint to a scaled body itself gets a frame of its own; the body stays as it is."""
    still = add_body("Still", "static", data=box_mesh(), scale=(2.0, 3.0, 4.0), at=(1.0, 0.0, 0.0))
    moving = add_body("Moving", data=box_mesh())
    joint = connect(moving, still, weld(), translation(1.0))
    joint.omi_physics_joint.connected_node = still
    gltf = export(tmp_path / "direct.glb")
    found = worlds(gltf)[index_of(gltf, "Still")]
    assert np.diag(found)[:3] == pytest.approx((2.0, 4.0, 3.0), abs=1e-6)
    assert extension(gltf, "Still", "OMI_physics_body")["motion"] == {"type": "static"}
    _, second = frames(gltf)
    assert_same_frame(second, np.array([[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]))


def test_body_that_is_a_joint_frame_itself(tmp_path: Path) -> None:
    """Where one empty is body and joint, scaled and with children, the body stays on its node."""
    still = add_body("Still", "static")
    moving = add_body("Moving", scale=(2.0, 1.0, 1.0), turned=(0.0, 0.0, 0.5))
    add("Skin", moving, data=box_mesh())
    joint = connect(moving, still, weld())
    moving.omi_physics_joint.is_joint = True
    moving.omi_physics_joint.settings = joint.omi_physics_joint.settings
    moving.omi_physics_joint.connected_node = joint.omi_physics_joint.connected_node
    bpy.data.objects.remove(joint)
    gltf = export(tmp_path / "both.glb")
    assert extension(gltf, "Moving", "OMI_physics_body") == {"motion": {"type": "dynamic"}}
    assert extension(gltf, "Moving") == {}
    first, _ = frames(gltf)
    assert_same_frame(first, shown_frame(moving))


@pytest.mark.parametrize("part", ["collider", "trigger"])
def test_a_shape_that_is_a_joint_frame_itself_stays(part: str, tmp_path: Path) -> None:
    """What is solid, or notices what is in it, is not turned with the frame that it is too."""
    still = add_body("Still", "static")
    moving = add_body("Moving", turned=(0.0, 0.0, 0.5))
    joint = connect(moving, still, weld(), TURNED)
    joint.scale, body = (2.0, -1.0, 1.0), joint.omi_physics_body
    setattr(body, f"use_{part}", True)
    getattr(body, part).shape.type = "box"
    bpy.context.view_layer.update()
    there = np.array(joint.matrix_world)
    gltf = export(tmp_path / f"{part}.glb")
    assert part in extension(gltf, "Joint", "OMI_physics_body")
    found = Y_UP.T @ worlds(gltf)[index_of(gltf, "Joint")] @ Y_UP
    assert np.abs(found - there).max() < 1e-5
    assert_same_frame(frames(gltf)[0], shown_frame(joint))


def test_right_nodes_get_no_helpers(tmp_path: Path) -> None:
    """Bodies and frames that stand well, or only as badly as single precision, add no nodes."""
    place = {"turned": (0.4, 1.1, -2.0), "at": (3.1, -1.7, 0.5), "scale": (1.7, 1.7, 1.7)}
    joint = mechanism(place, TURNED)
    add("Below", joint)
    gltf = export(tmp_path / "few.glb")
    names = {node["name"] for node in gltf["nodes"]}
    assert names == {"Still", "Moving", "Joint", "Joint Second Frame", "Below"}


def test_exports_do_not_pile_up_holders(tmp_path: Path) -> None:
    """A file with a helper node, imported and exported again, has the same nodes."""
    mechanism(PARENTS["turned, uneven and mirrored"], TURNED)
    first = export(tmp_path / "first.glb")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "first.glb"))
    second = export(tmp_path / "second.glb")
    names = [sorted(node["name"] for node in gltf["nodes"]) for gltf in (first, second)]
    assert "Joint holder" in names[0]
    assert names[0] == names[1]
    for one, other in zip(frames(first), frames(second), strict=True):
        assert np.abs(one[:3, 3] - other[:3, 3]).max() < 1e-5
        assert turn_between(one, other) < 1e-5


def test_frame_without_body_is_an_error_and_still_right(tmp_path: Path) -> None:
    """A frame at the root of the scene is a named error; nothing else in the file suffers."""
    still, moving = add_body("Still", "static"), add_body("Moving", scale=(1.0, 2.0, 3.0))
    joint = connect(moving, still, weld(), TURNED)
    partner = joint.omi_physics_joint.connected_node
    partner.parent, partner.matrix_basis = None, TURNED
    bpy.context.view_layer.update()
    gltf = export(tmp_path / "root.glb")
    assert errors() == {"connected-without-body": ["Joint"]}
    for frame in frames(gltf):
        assert_same_frame(frame, shown_frame(joint))


def test_flat_body_is_a_named_error(tmp_path: Path) -> None:
    """Under a body without thickness there is no frame: an error, and no crash."""
    mechanism({"scale": (1.0, 1.0, 0.0)}, Matrix())
    export(tmp_path / "flat.glb")
    assert {"body-flat", "frame-flat"} & set(errors())
