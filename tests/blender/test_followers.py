# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes by a body that forces move, without being moved by them, and what shapes its mesh."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix

from tests.omi_export import issues as told
from tests.scenes import box, door, issues

Way = Callable[[bpy.types.Object, bpy.types.Object], None]


def pulled(obj: bpy.types.Object, by: bpy.types.Object) -> None:
    """Have a constraint lead it."""
    obj.constraints.new("COPY_ROTATION").target = by


def muted(obj: bpy.types.Object, by: bpy.types.Object) -> None:
    """Have a constraint that does nothing."""
    pulled(obj, by)
    obj.constraints[0].mute = True


def driven(obj: bpy.types.Object, by: bpy.types.Object, kind: str = "TRANSFORMS") -> None:
    """Have a driver turn it, as a gear by another."""
    variable = obj.driver_add("rotation_euler", 2).driver.variables.new()
    variable.type = kind
    variable.targets[0].id = by
    if kind == "SINGLE_PROP":
        variable.targets[0].data_path = "rotation_euler[2]"


def read(obj: bpy.types.Object, by: bpy.types.Object) -> None:
    """Have a driver read the number of a field."""
    driven(obj, by, "SINGLE_PROP")


def read_mass(obj: bpy.types.Object, by: bpy.types.Object) -> None:
    """Have a driver read what no force changes."""
    read(obj, by)
    curve = obj.animation_data.drivers[0]
    curve.driver.variables[0].targets[0].data_path = "omi_physics_body.mass"


def hooked(obj: bpy.types.Object, by: bpy.types.Object) -> None:
    """Have its mesh hang on the body, as a hose."""
    hook = obj.modifiers.new("Hook", "HOOK")
    hook.object = by
    hook.vertex_indices_set([0, 1])


def skinned(obj: bpy.types.Object, by: bpy.types.Object) -> None:
    """Have it be the skin of a rig on the body, whose bones are below that in a file."""
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    rig.parent = by
    obj.modifiers.new("Rig", "ARMATURE").object = rig
    obj.vertex_groups.new(name="Bone").add([0, 1, 2], 1.0, "ADD")


WAYS: dict[str, tuple[Way, bool]] = {
    "constraint": (pulled, True),
    "muted": (muted, False),
    "driver": (driven, True),
    "field": (read, True),
    "mass": (read_mass, False),
    "hook": (hooked, True),
    "skin": (skinned, False),
}


@pytest.mark.parametrize("motion", ["", "static", "kinematic"])
@pytest.mark.parametrize("way", WAYS)
def test_what_follows_a_body_is_told_of_where_a_file_has_it_stand(
    way: str, motion: str, tmp_path: Path
) -> None:
    """By whatever, be it a body or not, and of a part of the body: no file has that."""
    _, leaf, _ = door()
    handle, gear = box("Handle", (2.0, 0.5, 0.0)), box("Gear", (20.0, 0.0, 0.0))
    handle.parent, handle.matrix_parent_inverse = leaf, leaf.matrix_world.inverted()
    gear.rotation_euler = (0.3, 0.2, 0.1)
    if motion:
        gear.omi_physics_body.is_body, gear.omi_physics_body.type = True, motion
    follow, is_told = WAYS[way]
    follow(gear, handle)
    bpy.context.view_layer.update()
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "x.gltf"))
    assert ("body-not-led" in told()) is is_told


def test_what_goes_along_with_a_body_follows_nothing(tmp_path: Path) -> None:
    """A handle on the door that is turned as the door is."""
    _, leaf, _ = door()
    handle = box("Handle", (2.0, 0.5, 0.0))
    handle.parent, handle.matrix_parent_inverse = leaf, leaf.matrix_world.inverted()
    pulled(handle, leaf)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "x.gltf"))
    assert "body-not-led" not in told()


def cut(obj: bpy.types.Object, by: bpy.types.Object) -> None:
    """Cut a hole."""
    obj.modifiers.new("Hole", "BOOLEAN").object = by


def mirrored(obj: bpy.types.Object, by: bpy.types.Object) -> None:
    """Mirror it about another."""
    obj.modifiers.new("Leaves", "MIRROR").mirror_object = by


def repeated(obj: bpy.types.Object, by: bpy.types.Object) -> None:
    """Repeat it as far apart as another is from it."""
    array = obj.modifiers.new("Links", "ARRAY")
    array.use_object_offset, array.offset_object = True, by


def shaded(obj: bpy.types.Object, by: bpy.types.Object) -> None:
    """Take normals from another, which leaves its shape as it is."""
    obj.modifiers.new("Normals", "NORMAL_EDIT").target = by


@pytest.mark.parametrize(
    ("shape", "is_told"), [(cut, 1), (mirrored, 1), (repeated, 1), (shaded, 0)]
)
@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_a_mesh_that_changes_as_its_body_moves_is_told_of(
    shape: Way, turn: float, *, is_told: bool
) -> None:
    """Until what shapes it goes along; of what stands nothing is said."""
    frame, leaf, _ = door()
    beside = box("Beside", (2.4, 0.3, 0.2))
    shape(leaf, beside)
    for obj in (frame, leaf, beside):
        obj.matrix_world = Matrix.Rotation(turn, 4, (1.0, 2.0, 3.0)) @ obj.matrix_world
    bpy.context.view_layer.update()
    assert ("mesh-changes" in issues()) is (shape is not shaded)
    beside.parent, beside.matrix_parent_inverse = leaf, leaf.matrix_world.inverted()
    bpy.context.view_layer.update()
    assert "mesh-changes" not in issues()
    leaf.modifiers.clear()
    shape(frame, beside)
    assert "mesh-changes" not in issues()
