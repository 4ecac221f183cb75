# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes that steps begin with, and what they ask of them."""

from __future__ import annotations

from itertools import pairwise
from math import degrees, radians

import bpy
from window.sight import area_of, region_of, window

from omi_physics_joint.blender.presets.files import SUBDIR
from omi_physics_joint.blender.registration import ROOT

Triple = tuple[float, float, float]


def box(name: str, location: Triple, size: Triple) -> bpy.types.Object:
    """Add a box of a size in m."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=location)
    obj = bpy.context.view_layer.objects.active
    obj.name = name
    obj.scale = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    return obj


def select(*objects: bpy.types.Object) -> None:
    """Select objects; the last one becomes active."""
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj in objects)
    bpy.context.view_layer.objects.active = objects[-1]


def frame_and_door() -> None:
    """Put up a frame and a door, the door active, the 3D cursor between them."""
    with bpy.context.temp_override(window=window()):
        frame = box("Frame", (-0.55, 0.0, 1.0), (0.1, 0.2, 2.0))
        door = box("Door", (0.0, 0.0, 1.0), (1.0, 0.06, 2.0))
        bpy.context.scene.cursor.location = (-0.5, 0.0, 1.0)
    show("Frame", "Door")
    select(frame, door)


def hinged_door() -> None:
    """Hang the door into the frame: a hinge from 0 to 90 degrees, active."""
    frame_and_door()
    with bpy.context.temp_override(window=window()):
        bpy.ops.omi_joint.create("EXEC_DEFAULT", kind="HINGE")
        bpy.context.view_layer.update()


def trapdoor() -> None:
    """Hang a flap that gravity opens to 40 degrees: a hinge that is active, from -10 to 40."""
    with bpy.context.temp_override(window=window()):
        rim = box("Rim", (-0.55, 0.0, 1.0), (0.1, 1.0, 0.2))
        flap = box("Flap", (0.0, 0.0, 1.0), (1.0, 0.9, 0.06))
        bpy.context.scene.cursor.location = (-0.5, 0.0, 1.0)
        select(rim, flap)
        bpy.ops.omi_joint.create(
            "EXEC_DEFAULT",
            kind="HINGE",
            direction="GLOBAL_Y",
            angle_min=radians(-10.0),
            angle_max=radians(40.0),
        )
        bpy.context.view_layer.update()
    show("Rim", "Flap")


def show(*names: str) -> None:
    """Let the view show objects, whatever is selected."""
    chosen = bpy.context.view_layer.objects.active
    with bpy.context.temp_override(
        window=window(), area=area_of("VIEW_3D"), region=region_of("VIEW_3D")
    ):
        select(*(bpy.data.objects[name] for name in names))
        bpy.ops.view3d.view_selected()
        select(chosen)


def joints() -> list[str]:
    """Return the names of the joints in the scene."""
    return sorted(obj.name for obj in bpy.context.scene.objects if obj.omi_physics_joint.is_joint)


def bounds() -> tuple[float, ...]:
    """Return the bounds of the turning limit in degrees, the first that is no lock."""
    for obj in bpy.context.scene.objects:
        block = obj.omi_physics_joint.settings
        for limit in block.limits if block else ():
            if limit.freedom == "angular" and limit.angular_min != limit.angular_max:
                return round(degrees(limit.angular_min), 3), round(degrees(limit.angular_max), 3)
    return ()


def matrices() -> dict[str, tuple[float, ...]]:
    """Return the world matrix of every object, to be compared bit by bit."""
    bpy.context.view_layer.update()
    return {
        obj.name: tuple(value for row in obj.matrix_world for value in row)
        for obj in bpy.context.scene.objects
    }


def _pinned(links: list[bpy.types.Object], *, between: bool) -> None:
    """Pin each object to the one before it, half-way between them or at the first one's end."""
    for upper, lower in pairwise(links):
        middle = (upper.location + lower.location) / 2.0
        bpy.context.scene.cursor.location = middle if between else upper.location
        select(upper, lower)
        bpy.ops.omi_joint.create("EXEC_DEFAULT", kind="PIN", place="CURSOR")
    bpy.context.view_layer.update()


def rope() -> None:
    """Hang five links of 1 kg under a post, all pins selected as after creating them at once."""
    with bpy.context.temp_override(window=window()):
        links = [box("Post", (0.0, 0.0, 3.0), (0.3, 0.3, 0.2))]
        for number in range(5):
            place = (0.0, 0.0, 2.7 - 0.3 * number)
            links.append(box(f"Link {number}", place, (0.12, 0.12, 0.26)))
        _pinned(links, between=True)
        for link in links[1:]:
            link.omi_physics_body.type = "dynamic"
        pins = [obj for obj in bpy.context.scene.objects if obj.omi_physics_joint.is_joint]
        select(*pins)
        bpy.context.view_layer.update()
    show(*(link.name for link in links))
    select(*pins)


def ragdoll() -> None:
    """Put a head on a torso; both are moved by forces, and nothing holds them."""
    with bpy.context.temp_override(window=window()):
        torso = box("Torso", (0.0, 0.0, 1.0), (0.5, 0.3, 0.8))
        head = box("Head", (0.0, 0.0, 1.6), (0.25, 0.25, 0.3))
        _pinned([torso, head], between=True)
        torso.omi_physics_body.type = "dynamic"
        bpy.context.view_layer.update()
    show("Torso", "Head")


def boom() -> None:
    """Hold two bars level on hinges that nothing bounds: they swing, in steps of Godot."""
    with bpy.context.temp_override(window=window()):
        bars = [box("Mast", (-0.6, 0.0, 1.6), (0.1, 0.3, 0.3))]
        for number, x in enumerate((-0.15, 0.65)):
            bars.append(box(f"Bar {number}", (x, 0.0, 1.6), (0.76, 0.1, 0.1)))
        for one, other, x in ((0, 1, -0.55), (1, 2, 0.25)):
            bpy.context.scene.cursor.location = (x, 0.0, 1.6)
            select(bars[one], bars[other])
            bpy.ops.omi_joint.create(
                "EXEC_DEFAULT", kind="HINGE", direction="GLOBAL_Y", use_range=False
            )
        for bar in bars[1:]:
            bar.omi_physics_body.type = "dynamic"
        bpy.context.view_layer.update()
        bpy.context.scene.omi_physics_preview.steps = "godot"
    show("Mast", "Bar 0", "Bar 1")


def rod() -> None:
    """Hold a ball 1 m from a ceiling by the preset Strut; its joint is active."""
    with bpy.context.temp_override(window=window()):
        ceiling = box("Ceiling", (0.0, 0.0, 3.0), (2.4, 2.4, 0.1))
        ball = box("Ball", (0.0, 0.0, 1.0), (0.3, 0.3, 0.3))
        bpy.context.scene.cursor.location = (0.0, 0.0, 2.0)
        select(ceiling, ball)
        bpy.ops.omi_joint.create("EXEC_DEFAULT", kind="PIN", place="CURSOR")
        strut = ROOT / "presets" / SUBDIR / "Strut.json"
        bpy.ops.omi_joint.preset_apply(filepath=str(strut))
        bpy.context.view_layer.update()
    show("Ceiling", "Ball")


def lengths() -> tuple[float, float]:
    """Return the bounds of the first limit of the one joint in m."""
    (joint,) = (obj for obj in bpy.context.scene.objects if obj.omi_physics_joint.is_joint)
    limit = joint.omi_physics_joint.settings.limits[0]
    return round(limit.linear_min, 3), round(limit.linear_max, 3)
