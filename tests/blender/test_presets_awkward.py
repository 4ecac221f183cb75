# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets and drives on several joints at once that are not alike: what each is for, and keeps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix
from scenes import box, door, joined, numbers, select, separated, slab

from omi_physics_joint.blender.bridge.placed import bodies_of
from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.blender.presets.files import SUBDIR, read_preset, said_by
from omi_physics_joint.blender.presets.panels import thumbnail
from omi_physics_joint.blender.registration import ROOT
from omi_physics_joint.model.joint import Drive, JointSettings, Limit
from omi_physics_joint.model.settings.recipes import slider
from omi_physics_joint.model.wording.describe import drive_kind

SHIPPED = ROOT / "presets" / SUBDIR
ROUNDED = 0.012
"""Part by which what is told with three digits may differ."""
Joint = bpy.types.Object


def apply(name: str, *joints: Joint) -> Drive:
    """Apply a preset to joints, and return the drive that they share then."""
    select(*joints)
    path = str(SHIPPED / f"{name.replace(' ', '_')}.json")
    assert bpy.ops.omi_joint.preset_apply(filepath=path) == {"FINISHED"}
    [drive] = settings_of(joints[0]).drives
    assert all(settings_of(one).drives == (drive,) for one in joints)
    return drive


def strengths(drive: Drive) -> list[float]:
    """Return what grows with a load."""
    return [drive.stiffness, drive.damping, drive.max_force]


def sliders(*masses: float, kind: str = "SLIDER") -> list[Joint]:
    """Return a slider each for bodies of some masses, on hubs of their own, 24 m off."""
    found = []
    for number, mass in enumerate(masses):
        hub, load = box(f"Hub {number}", (9.0 * number, 0, 0)), box("Load", (9.0 * number, 0, 2.2))
        for obj in (hub, load):
            obj.matrix_world = Matrix.LocRotScale((20, -13, 4), Euler((0, 0, 1)), None) @ (
                obj.matrix_world
            )
        found.append(joined(kind, hub, load))
        load.omi_physics_body.mass = mass
    return found


def doors(*sizes: float) -> list[Joint]:
    """Return the hinges of doors of some sizes."""
    found = []
    for number, size in enumerate(sizes):
        frame = slab("Frame", (30.0 * number, 0.0, 0.0), (0.1 * size, 0.1 * size, 2.0 * size))
        middle = (30.0 * number + 0.55 * size, 0.0, 0.0)
        found.append(joined("HINGE", frame, slab("Leaf", middle, (size, 0.05 * size, 2.0 * size))))
    return found


@pytest.mark.parametrize(
    ("name", "make", "loads"),
    [
        ("Suspension", sliders, (2.0, 30.0, 700.0)),
        ("Door with Closer", doors, (1.0, 0.5, 2.0)),
        ("Wheel Motor", doors, (1.0, 0.5, 2.0)),
    ],
)
def test_several_share_what_is_for_their_mean(
    name: str, make: Callable[..., list[Joint]], loads: tuple[float, ...]
) -> None:
    """Of three joints each as strong as for its own load, in whatever order, a third of the sum.

    A fourth that carries nothing that moves does not count.
    """
    joints = make(*loads)
    alone = [strengths(apply(name, joint)) for joint in joints]
    idle = joined("HINGE", box("A", (0, 50, 0)), box("B", (3, 50, 0)), active_motion="static")
    mean = [sum(each) / len(each) for each in zip(*alone, strict=True)]
    assert min(mean) < 0.7 * max(max(one) for one in alone)
    for order in (joints, joints[::-1], [*joints, idle], [idle, *joints]):
        assert strengths(apply(name, *order)) == pytest.approx(mean, rel=ROUNDED)


@pytest.mark.parametrize("kind", ["SLIDER", "HINGE", "WELD"])
def test_springs_of_one_car_share_it_whatever_its_joints_were(kind: str) -> None:
    """Chosen together, four bear a quarter each though none of them slides yet; of one, all."""
    chassis = slab("Chassis", (0.0, 0.0, 1.0), (5.0, 3.0, 0.5))
    corners = ((-2.0, -1.0), (-2.0, 1.0), (2.0, -1.0), (2.0, 1.0))
    hubs = [slab("Hub", (x, y, 0.4), (0.3, 0.3, 0.5)) for x, y in corners]
    joints = [joined(kind, hub, chassis) for hub in hubs]
    chassis.omi_physics_body.mass = 900.0
    lone = sliders(225.0)
    expected = strengths(apply("Suspension", *lone))
    assert strengths(apply("Suspension", *joints)) == pytest.approx(expected, rel=ROUNDED)


@pytest.mark.parametrize("still", ["static", "kinematic", "infinite"])
@pytest.mark.parametrize("name", ["Suspension", "Door with Closer"])
def test_what_cannot_be_moved_is_no_load(name: str, still: str) -> None:
    """A post that weighs a ton, and stands in one way or another, changes nothing of a spring."""
    found = []
    for how in ("static", still):
        bpy.ops.wm.read_homefile(use_empty=True)
        [joint] = sliders(20.0) if name == "Suspension" else doors(1.0)
        post = next(one for one in bpy.data.objects if one.name in {"Hub 0", "Frame"})
        post.omi_physics_body.mass = 1000.0
        post.omi_physics_body.type = "dynamic" if how == "infinite" else how
        post.omi_physics_body.infinite_mass = how == "infinite"
        found.append(strengths(apply(name, joint)))
    assert found[1] == pytest.approx(found[0])


@pytest.mark.parametrize("kind", ["HINGE", "SLIDER"])
def test_a_drive_keeps_what_is_not_about_its_kind(kind: str) -> None:
    """Speed, place and what only a file knew outlive changes of kind, beside a drive elsewhere."""
    joint = joined(kind, box("Post"), box("Load", (2.5, 0.0, 0.0)), use_range=False)
    block = joint.omi_physics_joint.settings
    elsewhere = block.drives.add()
    elsewhere.freedom, elsewhere.axis = "angular" if kind == "SLIDER" else "linear", "2"
    before = settings_of(joint).drives[0]
    bpy.ops.omi_joint.change_drive(kind="MOTOR")
    assert block.active_drive == 1
    own = block.drives[1]
    own.unknown = '{"X_note":1}'
    for choice in ("SERVO", "MOTOR", "SPRING", "MOTOR"):
        block.active_drive = 0
        if drive_kind(settings_of(joint).drives[1]) != "motor":
            own.use_velocity_target = True
            setattr(own, f"{own.freedom}_velocity_target", -3.5)
        bpy.ops.omi_joint.change_drive(kind=choice)
        first, drive = settings_of(joint).drives
        assert first == before
        assert drive.unknown == '{"X_note":1}'
        assert drive.velocity_target == (-3.5 if choice == "MOTOR" else None)
        assert block.active_drive == 1
    bpy.ops.omi_joint.change_drive(kind="NONE")
    assert settings_of(joint).drives == (before,)
    assert block.active_drive == 0


def linked(file: Path, joints: list[Joint]) -> list[Joint]:
    """Save joints with all they need, and link them into this file."""
    names = [one.name for one in joints]
    bpy.data.libraries.write(str(file), {*joints})
    with bpy.data.libraries.load(str(file), link=True) as (_, target):
        target.objects = names
    for obj in target.objects:
        bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    return list(target.objects)


@pytest.mark.parametrize("first", ["linked", "own"])
def test_a_linked_joint_among_others_is_left_out(first: str, tmp_path: Path) -> None:
    """The one that can be changed is changed, and is as strong as if it had been chosen alone."""
    own, gone = sliders(10.0, 300.0)
    [other] = linked(tmp_path / "other.blend", [gone])
    before = [numbers(other.matrix_world), settings_of(other)]
    alone = strengths(apply("Suspension", own))
    order = [own, other] if first == "own" else [other, own]
    select(*order)
    assert bpy.ops.omi_joint.preset_apply(filepath=str(SHIPPED / "Suspension.json")) == {"FINISHED"}
    assert strengths(settings_of(own).drives[0]) == pytest.approx(alone)
    assert [numbers(other.matrix_world), settings_of(other)] == before


def test_a_frame_of_another_file_is_not_turned(tmp_path: Path) -> None:
    """A second frame that is linked stays, and the joint gets one of its own that turns with it."""
    _, _, hinge = door()
    second = separated(hinge)
    [frame] = linked(tmp_path / "frame.blend", [second])
    hinge.omi_physics_joint.connected_node = frame
    before, line = numbers(frame.matrix_basis), numbers(hinge.matrix_world.col[1])
    select(hinge)
    path = str(SHIPPED / "Door_with_Closer.json")
    assert bpy.ops.omi_joint.preset_apply(filepath=path) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert numbers(frame.matrix_basis) == before
    for one in (hinge, hinge.omi_physics_joint.connected_node):
        assert one != frame
        assert numbers(one.matrix_world.col[2]) == pytest.approx(line, abs=1e-6)


@pytest.mark.parametrize("size", [0.1, 10.0])
@pytest.mark.parametrize(
    ("name", "make", "power"),
    [("Suspension", sliders, 3), ("Door with Closer", doors, 5), ("Wheel Motor", doors, 5)],
)
def test_a_scaled_scene_has_scaled_springs(
    name: str, make: Callable[..., Any], power: int, size: float
) -> None:
    """Ten times as large, of the same stuff: a thousand times the mass, its inertia 10 to the 5."""
    found = []
    for scale in (1.0, size):
        bpy.ops.wm.read_homefile(use_empty=True)
        [joint] = make(1.0)
        root = bpy.data.objects.new("Root", None)
        bpy.context.scene.collection.objects.link(root)
        for obj in bpy.context.scene.objects:
            if obj.parent is None and obj != root:
                obj.parent = root
            if obj.omi_physics_body.is_body:
                obj.omi_physics_body.mass *= scale**3
        root.scale = (scale, scale, scale)
        bpy.context.view_layer.update()
        found.append(strengths(apply(name, joint)))
    plain, scaled = found
    assert scaled == pytest.approx([one * size**power for one in plain], rel=ROUNDED)


@pytest.mark.parametrize("ends", [(-2.0, 0.0), (-2.0, 0.5), (0.25, 3.0), (-3.0, -1.0)])
def test_a_picture_is_the_same_in_every_unit(ends: tuple[float, float]) -> None:
    """Of a slider as far as it goes on either side, and of a rope, 250 times as long."""
    for make in (lambda size: slider(1, *(size * end for end in ends)), rope):
        plain, large = thumbnail(make(1.0)), thumbnail(make(250.0))
        assert np.abs(plain - large).max() < 1e-3


def rope(size: float) -> JointSettings:
    """Return settings that hold a point within a distance."""
    return JointSettings("", (Limit((0, 1, 2), (), max=0.7 * size, together=True),))


@pytest.mark.parametrize("lost", ["holder", "other", "both"])
@pytest.mark.parametrize("name", ["Door_with_Closer", "Wheel_Motor", "Suspension"])
def test_where_nothing_is_carried_a_preset_says_what_its_file_says(name: str, lost: str) -> None:
    """A joint that has lost a body gets it all the same, and of what is left the strength."""
    frame, leaf, hinge = door()
    frame.omi_physics_body.type = "static"
    if lost != "other":
        hinge.parent = None
    if lost != "holder":
        hinge.omi_physics_joint.connected_body = None
    bpy.context.view_layer.update()
    select(hinge)
    path = SHIPPED / f"{name}.json"
    assert bpy.ops.omi_joint.preset_apply(filepath=str(path)) == {"FINISHED"}
    found, said = settings_of(hinge), read_preset(path)
    heavy = [body for body in bodies_of(hinge) if body is leaf]
    if not heavy or said_by(path).made_for.kind == "inertia":
        assert found.limits == said.limits
        assert found.drives == said.drives
