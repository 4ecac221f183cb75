# SPDX-License-Identifier: GPL-3.0-or-later
"""Where there are several of a thing, each one counts, and the one that is meant."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest
from mathutils import Euler, Matrix, Vector

from omi_physics_joint.blender.articulation.connected_objects import whole_of
from omi_physics_joint.blender.bridge.placed import PlacedObject
from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.blender.gltf_hooks.forecast import options_in
from omi_physics_joint.blender.overlay.drawn_joints import FramePlaces
from omi_physics_joint.blender.overlay.survey import Row
from omi_physics_joint.blender.simulated.following import AnimatedValues
from omi_physics_joint.blender.usd_hooks.exporting import exported
from omi_physics_joint.model.geometry.transform import IDENTITY
from omi_physics_joint.model.joint import Freedom, JointSettings
from omi_physics_joint.model.wording.describe import summary
from tests.omi_export import add, add_body, box_mesh, errors, export
from tests.scenes import box, door, joined, select


@pytest.mark.parametrize("chosen", range(3))
def test_options_are_those_of_the_exporter_that_is_chosen(chosen: int) -> None:
    """A collection may have several; the tab shows one of them."""
    exporters = [
        SimpleNamespace(export_properties=SimpleNamespace(use_visible=index == chosen))
        for index in range(3)
    ]
    collection = SimpleNamespace(exporters=exporters, active_exporter_index=chosen, name="Parts")
    context = SimpleNamespace(space_data=SimpleNamespace(type="PROPERTIES"), collection=collection)
    assert options_in(context) == {"use_visible": True, "collection": "Parts"}


def masked(name: str, at: float) -> None:
    """Add a body of whose mesh a modifier leaves nothing."""
    body = add_body(name, "static", data=box_mesh(name), at=(at, 0.0, 0.0))
    body.omi_physics_body.use_collider = True
    body.omi_physics_body.collider.shape.type = "trimesh"
    body.vertex_groups.new(name="None")
    body.modifiers.new("Mask", "MASK").vertex_group = "None"


def melted(name: str, at: float) -> None:
    """Add two bodies below one parent that share a mesh, which "GPU Instances" would merge."""
    top, mesh = add(f"{name} Top"), box_mesh(name)
    for end in "ab":
        add_body(name + end, parent=top, data=mesh, at=(at, 0.0, 0.0))


@pytest.mark.parametrize(
    ("code", "build", "ends"),
    [("mesh-not-exported", masked, [""]), ("lost-to-gpu-instances", melted, ["a", "b"])],
)
def test_an_export_names_all_that_it_befell(
    code: str, build: Callable[[str, float], None], ends: list[str], tmp_path: Path
) -> None:
    """Not only the first that was found."""
    names = ["First", "Second", "Third"]
    for index, name in enumerate(names):
        build(name, 3.0 * index)
    export(tmp_path / "all.glb", export_apply=True, export_gpu_instances=True)
    assert errors()[code] == [name + end for name in names for end in ends]


def test_only_what_is_below_one_parent_is_melted(tmp_path: Path) -> None:
    """Bodies that share a mesh below parents of their own stay apart with "GPU Instances" too."""
    mesh = box_mesh()
    for index in range(3):
        top = add(f"Top {index}", at=(3.0 * index, 0.0, 0.0))
        add_body(f"Body {index}", parent=top, data=mesh)
    gltf = export(tmp_path / "gpu.glb", export_gpu_instances=True)
    assert not errors()
    assert {f"Body {index}" for index in range(3)} <= {node["name"] for node in gltf["nodes"]}


@pytest.mark.parametrize("count", [1, 2])
def test_instances_of_a_mechanism_are_none_of_its_articulation(count: int) -> None:
    """The tree of a door whose collection stands elsewhere too has each part of the door once."""
    objects = door()
    before = whole_of(objects[1], bpy.context.scene)
    collection = bpy.data.collections.new("Doors")
    bpy.context.scene.collection.children.link(collection)
    for obj in objects:
        bpy.context.scene.collection.objects.unlink(obj)
        collection.objects.link(obj)
    for place in range(count):
        bpy.ops.object.collection_instance_add(collection="Doors", location=(9.0 + place, 0, 0))
    whole = whole_of(objects[1], bpy.context.scene)
    assert whole is not None
    assert before is not None
    assert whole.bodies == before.bodies == [objects[1]]
    assert len(whole.articulations) == 1
    assert {node.object for node in whole.placed} == {node.object for node in before.placed}
    assert len(whole.placed) == len(before.placed)


@pytest.mark.parametrize("gone", range(3))
def test_animated_values_come_back_whichever_object_is_gone(gone: int) -> None:
    """One that was deleted meanwhile costs none of the others theirs."""
    objects = [box(f"Box {index}") for index in range(3)]
    for obj in objects:
        obj.keyframe_insert("location", frame=1)
        obj.keyframe_insert("scale", frame=1)
    kept = AnimatedValues()
    for obj in objects:
        obj.location = obj.scale = (2.0, 3.0, 4.0)
    bpy.data.objects.remove(objects.pop(gone))
    assert kept.put_back() == []
    for obj in objects:
        assert tuple(obj.location) == (0.0, 0.0, 0.0)
        assert tuple(obj.scale) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("between", range(4))
def test_a_parent_on_the_stage_is_the_nearest_that_is_there(between: int) -> None:
    """However many objects in between stay out of it."""
    last = between + 1
    placed = [
        PlacedObject(None, None if index == 0 else index - 1, IDENTITY) for index in range(last + 1)
    ]
    found, paths = exported(placed, {0: "/Top", last: "/Top/Part"})
    assert [node.parent for node in found] == [None, 0]
    assert paths == {0: "/Top", 1: "/Top/Part"}
    alone, _ = exported(placed, {last: "/Part"})
    assert [node.parent for node in alone] == [None]


@pytest.mark.parametrize("used", [*product((False, True), repeat=3)])
def test_each_shape_of_an_object_is_among_its_shapes(used: tuple[bool, ...]) -> None:
    """That of what is solid, of what notices and of gravity: what is asked of one is of all."""
    body = box("Body").omi_physics_body
    shapes = (body.collider.shape, body.trigger.shape, body.gravity_shape)
    for number, shape in enumerate(shapes):
        shape.radius = 1.0 + number
    body.use_collider, body.use_trigger, body.use_gravity_shape = used
    expected = [1.0 + number for number in range(3) if used[number]]
    assert [shape.radius for shape in body.shapes] == expected


CHAINS = ("", "a", "b", "ab", "ba")


@pytest.mark.parametrize("own", CHAINS)
@pytest.mark.parametrize("second", CHAINS)
def test_each_frame_of_a_joint_stands_in_its_own_instances(own: str, second: str) -> None:
    """The one may be in the scene and the other in an instance, or in another one."""
    places = {"a": Vector((5.0, 0.0, 0.0)), "b": Vector((0.0, 7.0, 0.0))}
    offset = (0.0, 0.0, 1.0)
    at = {name: add(name, at=place).session_uid for name, place in places.items()}
    joint, partner = add("Joint", at=(1.0, 2.0, 3.0)), add("Partner", at=(4.0, 5.0, 6.0))
    row = Row(
        joint=joint.session_uid,
        partner=partner.session_uid,
        block=0,
        settings=JointSettings(),
        size=1.0,
        bodies=(),
        chain=tuple((at[name], offset) for name in own),
        partner_chain=tuple((at[name], offset) for name in second),
    )
    *worlds, _ = FramePlaces([row]).worlds()
    for obj, chain, world in zip((joint, partner), (own, second), worlds, strict=True):
        x, y, z = sum((places[name] - Vector(offset) for name in chain), obj.location.copy())
        assert tuple(world[0, :3, 3]) == pytest.approx((x, z, -y))


def test_all_selected_joints_are_driven_and_limited(capfd: pytest.CaptureFixture[str]) -> None:
    """As a preset does, whatever settings they have; what has no such axis stays, and is named."""
    away, post = Matrix.LocRotScale((20.0, -3.0, 1.0), Euler((0.4, 1.0, 2.0)), None), box("Post")
    hinges = [joined("HINGE", post, box(f"Leaf {at}", (0.0, 2.0 + 3.0 * at, 0.0))) for at in (0, 1)]
    slider = joined("SLIDER", post, box("Part", (3.0, 0.0, 0.0)), direction="GLOBAL_X")
    pin = joined("PIN", post, box("Bob", (0.0, 0.0, -2.5)))
    other = joined("HINGE", post, box("Lid", (0.0, 0.0, 3.0)))
    shared = hinges[0].copy()
    bpy.context.collection.objects.link(shared)
    for obj in (*hinges, slider, pin):
        obj.matrix_world = away @ obj.matrix_world
    select(*hinges, pin, slider)
    bpy.ops.omi_joint.change_drive(kind="MOTOR")
    said = capfd.readouterr().out
    assert all("motor" in summary(settings_of(joint)) for joint in (*hinges, slider))
    assert settings_of(slider).drives[0].type == Freedom.LINEAR
    assert not settings_of(pin).drives + settings_of(other).drives
    assert f"{pin.name} stays as it is. Drives: several axes move" in said
    assert f"{slider.name}, {hinges[0].name} and {hinges[1].name} run free now" in said
    assert "1 other joint changed too" in said  # which is not selected
    assert bpy.ops.omi_joint.limit_range() == {"FINISHED"}
    for joint in (*hinges, slider):
        assert " to " in summary(settings_of(joint))
    select(*hinges, shared)
    capfd.readouterr()
    bpy.ops.omi_joint.change_drive(kind="NONE")
    assert not any(settings_of(joint).drives for joint in hinges)
    assert "shared" not in capfd.readouterr().out
