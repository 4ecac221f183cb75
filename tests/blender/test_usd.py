# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics through Blender's own USD exporter and importer.

``OMI_CONVERSIONS=1000`` takes so many random mechanisms.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import pytest
from blender.empties import build
from scenes import box, door, select, separated
from usd_meaning import what_differs
from usd_samples import random_contents

from omi_physics_joint.blender.bridge.gravity import pulled
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.bridge.read_settings import settings_from_block
from omi_physics_joint.blender.bridge.write import apply_mechanism, fill_settings
from omi_physics_joint.blender.usd_hooks import HAS_USD
from omi_physics_joint.blender.usd_hooks.exporting import contents_of
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.geometry.frames import shear_of
from omi_physics_joint.model.geometry.scale import standing
from omi_physics_joint.model.geometry.transform import determinant, inverse, linear_part, multiply
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom
from omi_physics_joint.model.mechanism import Node
from omi_physics_joint.model.shape import Box
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.usd import stage as usd_stage
from omi_physics_joint.usd.reading.read import contents_of as read_contents
from omi_physics_joint.usd.stage import is_available

ROOT = Path(__file__).resolve().parents[2]
MANY = int(os.environ.get("OMI_CONVERSIONS", "12"))
SINGLE = 1e-4
"""Part by which numbers may differ that Blender and a stage hold in single precision."""


@pytest.fixture(autouse=True)
def with_usd(addon: object) -> None:
    """Skip where nothing can be written or read: Debian's Blender has no USD."""
    if not (HAS_USD and is_available()):
        pytest.skip("this Blender has no USD, or no pxr")


def in_scene(contents: Contents) -> None:
    """Make the objects of contents."""
    mechanism = contents.mechanism
    meshes = [
        mesh(name, data) for name, data in zip(mechanism.meshes, contents.meshes, strict=True)
    ]
    plain = tuple(Node(node.name, node.parent, node.world) for node in mechanism.nodes)
    objects = build(replace(mechanism, nodes=plain), bpy.context.scene.collection)
    apply_mechanism(mechanism, objects, lambda index, _: meshes[index])
    scene = bpy.context.scene
    if mechanism.gravity is not None:
        scene.use_gravity = any(mechanism.gravity)
        scene.gravity = Z_UP_FROM_Y_UP.vector(mechanism.gravity)


def plainly_named(contents: Contents) -> Contents:
    """Return contents without pictures, in which empties that say nothing are not compared.

    Blender's exporter writes no shear, which empties below unevenly scaled ones have.
    """
    nodes = (
        replace(node, name=node.name.replace("E", "X")) if not node.is_physical else node
        for node in contents.mechanism.nodes
    )
    return Contents(replace(contents.mechanism, nodes=tuple(nodes)), contents.meshes)


def mesh(name: str, data: Triangles | None) -> bpy.types.Mesh:
    """Return a new mesh."""
    assert data is not None
    made = bpy.data.meshes.new(name)
    made.from_pydata([Z_UP_FROM_Y_UP.vector(point) for point in data.points], [], data.triangles)
    return made


def of_scene() -> Contents:
    """Return what is in the scene."""
    placed = placed_in_scene(bpy.context.scene)
    reading = mechanism_from_placed(placed)
    mechanism = pulled(reading.mechanism, bpy.context.scene)
    # Where a joint is said from its other side, its empty is the second frame and has the name.
    nodes = (replace(node, name=node.name.removesuffix(".001")) for node in mechanism.nodes)
    mechanism = replace(mechanism, nodes=tuple(nodes))
    return replace(contents_of(reading, placed), mechanism=mechanism, shown={})


def codes() -> set[str]:
    """Return what was said of the last export or import."""
    return {issue.code for issue in bpy.context.window_manager.omi_physics_joint.issues}


def is_held_whole(contents: Contents) -> bool:
    """Return whether Blender's exporter writes all poses as they are.

    It leaves out shear, and turns what is mirrored about other axes, which is the same room.
    """
    nodes = contents.mechanism.nodes
    above = {node.parent for node in nodes}
    if any(determinant(linear_part(node.world)) < 0.0 for node in nodes):
        return False
    return not any(
        index in above
        and node.parent is not None
        and shear_of(linear_part(multiply(inverse(nodes[node.parent].world), node.world))) > SINGLE
        for index, node in enumerate(nodes)
    )


SEEDS = [seed for seed in range(2 * MANY) if is_held_whole(random_contents(seed))]
OTHERWISE = (
    {
        "convert_orientation": True,
        "export_global_forward_selection": "NEGATIVE_Z",
        "export_global_up_selection": "Y",
    },
    {"convert_scene_units": "CENTIMETERS"},
)
"""Options of the exporter: another axis that is up, another unit of length."""


def there_and_back(seed: int, path: Path, **options: Any) -> tuple[Contents, Contents, set[str]]:
    """Return what is in the scene before an export and after an import, and what was said."""
    in_scene(plainly_named(random_contents(seed)))
    bpy.context.view_layer.update()
    before = of_scene()
    assert bpy.ops.wm.usd_export(filepath=str(path), **options) == {"FINISHED"}
    said = codes()
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.wm.usd_import(filepath=str(path)) == {"FINISHED"}
    bpy.context.view_layer.update()
    return before, of_scene(), said | codes()


@pytest.mark.parametrize("seed", SEEDS[:MANY])
def test_what_a_stage_can_say_comes_back(seed: int, tmp_path: Path) -> None:
    """Bodies, shapes, materials, filters and joints of every kind, without an error."""
    before, after, _ = there_and_back(seed, tmp_path / "stage.usda")
    assert what_differs(before, after, SINGLE) == []


@pytest.mark.parametrize("options", OTHERWISE)
@pytest.mark.parametrize("seed", SEEDS[:3])
def test_other_axes_and_units_change_nothing(
    seed: int, options: dict[str, Any], tmp_path: Path
) -> None:
    """Whatever the stage is in, the scene is as it was."""
    before, after, _ = there_and_back(seed, tmp_path / "stage.usdc", **options)
    assert what_differs(before, after, SINGLE) == []


def physics_of(path: Path) -> Contents:
    """Return what a file says."""
    return read_contents(usd_stage.read(path))[0]


def exported(path: Path, **options: Any) -> Contents:
    """Export the scene, and return what the file says."""
    bpy.context.view_layer.update()
    assert bpy.ops.wm.usd_export(filepath=str(path), **options) == {"FINISHED"}
    return physics_of(path)


def test_a_stage_in_centimetres_says_the_same_lengths(tmp_path: Path) -> None:
    """Of a scaled body its box and its centre of mass; and so they come back from there."""
    solid = box("Solid")
    bpy.ops.omi_joint.body_add(type="dynamic")
    solid.scale, body = (2.0, 1.0, 1.0), solid.omi_physics_body
    body.computed_center, body.center_of_mass = False, (0.3, 0.1, 0.2)
    body.collider.shape.type, body.collider.shape.size = "box", (1.0, 1.0, 1.0)
    said = exported(tmp_path / "stage.usda", convert_scene_units="CENTIMETERS")
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.wm.usd_import(filepath=str(tmp_path / "stage.usda")) == {"FINISHED"}
    bpy.context.view_layer.update()
    for mechanism in (said.mechanism, of_scene().mechanism):
        (motion,) = (motion for _, motion in mechanism.motions())
        assert motion.center_of_mass == pytest.approx((0.3, 0.2, -0.1))
        (part,) = (node for node in mechanism.nodes if node.collider is not None)
        shape = mechanism.shape_of(part)
        assert isinstance(shape, Box)
        size = getattr(standing(shape, part.world), "size", None)
        assert size == pytest.approx((2.0, 1.0, 1.0))


@pytest.mark.parametrize(
    ("mute", "fps", "rate"), [(False, 24, 24), (True, 24, 24), (False, 60, 24), (False, 60, 60)]
)
def test_keyed_target_leaves_as_samples_and_comes_back(
    mute: bool, fps: int, rate: int, tmp_path: Path
) -> None:
    """A motor that is keyed at frames runs as keyed on the stage, and in Blender again.

    So does that of a muted joint, which a stage keeps. Blender gives a stage the rate of the scene
    only where it exports animation; any other stage has 24 time codes a second.
    """
    bpy.context.scene.render.fps = fps
    _, _, hinge = door()
    hinge.omi_physics_joint.mute = mute
    block = hinge.omi_physics_joint.settings
    motor = Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, velocity_target=0.0, damping=2.0)
    fill_settings(block, replace(settings_from_block(block), drives=(motor,)))
    (drive,) = block.drives
    for frame, speed in ((1, 0.0), (13, 1.5), (25, -1.0)):
        drive.angular_velocity_target = speed
        drive.keyframe_insert("angular_velocity_target", frame=frame)
    bpy.context.scene.frame_end = 25  # the last frame counts too
    path = tmp_path / "door.usda"
    (settings,) = exported(path, export_animation=rate == fps == 60).mechanism.settings
    (keys,) = settings.drives[0].keys
    assert keys.at(13 / fps) == pytest.approx(-1.5, abs=1e-5)  # Z of the model is minus Y here
    assert keys.at(25 / fps) == pytest.approx(1.0, abs=1e-5)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.usd_import(filepath=str(path))
    (joint,) = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    frame, share = divmod(13 * rate / fps, 1.0)
    bpy.context.scene.frame_set(int(frame), subframe=share)
    (drive,) = joint.omi_physics_joint.settings.drives
    assert drive.angular_velocity_target == pytest.approx(1.5, abs=1e-5)


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_gravity_and_new_empties_are_as_large_as_the_scene(scale: float, tmp_path: Path) -> None:
    """Where the dialog has a stage made a hundred times as large, all of it is."""
    _, _, hinge = door()
    separated(hinge).location.z += 0.3
    path = tmp_path / "door.usda"
    bpy.context.scene.gravity = (0.0, 0.0, -1.62)
    exported(path, convert_scene_units="CENTIMETERS", root_prim_path="")
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.wm.usd_import(filepath=str(path), scale=scale) == {"FINISHED"}
    assert tuple(bpy.context.scene.gravity) == pytest.approx((0.0, 0.0, -1.62 * scale))
    (joint,) = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    frame = joint.omi_physics_joint.connected_node
    assert frame.empty_display_size == pytest.approx(0.1 * scale)


def test_what_is_not_exported_has_no_physics(tmp_path: Path) -> None:
    """With one of two bodies selected there is no joint in the file, and that is said."""
    frame, leaf, hinge = door()
    select(leaf, hinge)
    mechanism = exported(tmp_path / "leaf.usda", selected_objects_only=True).mechanism
    assert not list(mechanism.joints())
    assert "partner-left-out" in codes()
    assert frame.name not in {node.name for node in mechanism.nodes}


@pytest.mark.parametrize("is_shown", [False, True])
def test_instances_have_physics_of_their_own(is_shown: bool, tmp_path: Path) -> None:
    """A collection that stands in two places is two doors; a third where it is itself shown."""
    objects = door()
    collection = bpy.data.collections.new("Doors")
    for obj in objects:
        bpy.context.scene.collection.objects.unlink(obj)
        collection.objects.link(obj)
    if is_shown:
        bpy.context.scene.collection.children.link(collection)
    for place in (10.0, 20.0):
        bpy.ops.object.collection_instance_add(collection="Doors", location=(place, 0, 0))
    mechanism = exported(tmp_path / "doors.usda").mechanism
    stands = sorted(mechanism.nodes[at].world[0][3] for at, _, _ in mechanism.joints())
    assert stands == pytest.approx([*([1.0] if is_shown else []), 11.0, 21.0])
    assert len({mechanism.body_of(at) for at, _, _ in mechanism.joints()}) == len(stands)


def test_shared_instances_are_named(tmp_path: Path) -> None:
    """With Instancing on there is no prim of its own to write physics onto."""
    _, leaf, hinge = door()
    collection = bpy.data.collections.new("Leaves")
    for obj in (leaf, hinge):
        bpy.context.scene.collection.objects.unlink(obj)
        collection.objects.link(obj)
    for place in range(2):
        bpy.ops.object.collection_instance_add(collection="Leaves", location=(10.0 * place, 0, 0))
    exported(tmp_path / "leaves.usda", use_instancing=True)
    said = bpy.context.window_manager.omi_physics_joint.issues
    named = {issue.where for issue in said if issue.code == "usd-instanced"}
    assert named == {leaf.name, hinge.name}


def test_strict_writes_no_physics_and_says_why(tmp_path: Path) -> None:
    """The exporter reports that the hook failed; the list of Check says what is wrong."""
    frame, leaf, _ = door()
    leaf.omi_physics_body.type = "static"
    bpy.context.scene.omi_physics_joint.strict = True
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match="hook"):
        bpy.ops.wm.usd_export(filepath=str(tmp_path / "door.usda"))
    assert "nothing-dynamic" in codes()
    bpy.context.scene.omi_physics_joint.strict = False
    assert frame


def test_a_stage_is_judged_for_those_who_read_stages(tmp_path: Path) -> None:
    """What Newton does otherwise is said where the scene is for it; of readers of glTF nothing."""
    hinge = door()[2]
    hinge.omi_physics_breaking.use_breaking = True
    scene = bpy.context.scene.omi_physics_joint
    for readers, expected in (({"NEWTON", "GODOT_OMI"}, {"newton"}), ({"GODOT_OMI"}, set())):
        scene.readers = readers
        exported(tmp_path / "door.usda")
        starts = {code.partition("-")[0] for code in codes()}
        assert starts & {"newton", "godot"} == expected


def test_physics_may_stay_out(tmp_path: Path) -> None:
    """With the switch off the file is Blender's own."""
    door()
    bpy.context.scene.omi_physics_joint.use_export = False
    mechanism = exported(tmp_path / "door.usda").mechanism
    assert not any(node.is_physical for node in mechanism.nodes)


WITHOUT_PXR = """
import bpy, addon_utils, os, sys
def fail(error):
    raise error
addon_utils.enable("omi_physics_joint", default_set=True, handle_error=fail)
from omi_physics_joint.usd import stage as usd_stage
from omi_physics_joint.usd.reading.read import contents_of as read_contents
from omi_physics_joint.usd.stage import is_available
assert not is_available()
bpy.ops.mesh.primitive_cube_add()
print(bpy.ops.wm.usd_export(filepath=sys.argv[-1]), flush=True)
os._exit(0)
"""


@pytest.mark.long
def test_without_pxr_nothing_is_lost_but_physics(tmp_path: Path) -> None:
    """Blender exports its own part; a hook that is registered would end the process."""
    path = tmp_path / "cube.usda"
    words = [sys.executable, "-c", WITHOUT_PXR, str(path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "FINISHED" in done.stdout
    assert path.is_file()
    assert "physics stays out of USD files" in done.stderr


def test_what_a_stage_names_in_vain_is_said_by_the_import(tmp_path: Path) -> None:
    """A reference, and a prim that USD cannot read; what is whole comes along."""
    cube = 'def Cube "Whole" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {}\n'
    turned = "double3 xformOp:transform = (0, 0, 0)\nuniform token[] xformOpOrder = "
    turned = f'def Xform "Odd" {{\n{turned}["xformOp:transform"]\n}}\n'
    gone = 'def Xform "Arm" (\nreferences = @gone.usda@\n) {}\n'
    path = tmp_path / "robot.usda"
    path.write_text(f"#usda 1.0\n{cube}{turned}{gone}")
    assert bpy.ops.wm.usd_import(filepath=str(path)) == {"FINISHED"}
    assert {"usd-file-missing", "usd-prim-unread"} <= codes()
    assert bpy.data.objects["Whole"].omi_physics_body.is_body


@pytest.mark.parametrize("up", ["Y", "Z"])
@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_a_stage_of_which_blender_makes_nothing_is_as_large(
    unit: float, up: str, tmp_path: Path
) -> None:
    """A body that is not seen, in centimetres, with either axis up, becomes an empty of ours."""
    path = tmp_path / "hidden.usda"
    path.write_text(
        f'#usda 1.0\n(metersPerUnit = {unit}\nupAxis = "{up}")\n'
        'def Cube "Hidden" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {\n'
        'token visibility = "invisible"\n'
        f"double3 xformOp:translate = (0, {3.0 / unit}, {2.0 / unit})\n"
        'uniform token[] xformOpOrder = ["xformOp:translate"]\n}\n'
    )
    bpy.ops.wm.usd_import(filepath=str(path))
    hidden = bpy.data.objects["Hidden"]
    assert hidden.type == "EMPTY"
    assert hidden.omi_physics_body.is_body
    stands = (0.0, 3.0, 2.0) if up == "Z" else (0.0, -2.0, 3.0)
    assert tuple(hidden.matrix_world.translation) == pytest.approx(stands, abs=1e-5)
