# SPDX-License-Identifier: GPL-3.0-or-later
"""A door in a frame with a welded handle, a drawer in a cabinet, and a pinned rope.

Everything is made with the operators that a user presses.
"""

from __future__ import annotations

from math import radians

import bpy
from mathutils import Matrix, Vector

Triple = tuple[float, float, float]

BOX_FACES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))

COLORS = {
    "Wall": (0.62, 0.64, 0.68, 1.0),
    "Wood": (0.55, 0.33, 0.16, 1.0),
    "Light Wood": (0.80, 0.62, 0.40, 1.0),
    "Metal": (0.75, 0.72, 0.62, 1.0),
    "Rope": (0.83, 0.74, 0.55, 1.0),
    "Floor": (0.30, 0.31, 0.33, 1.0),
}


def build_workshop() -> None:
    """Build the mechanism in the open, empty scene."""
    slab("Floor", [((0.0, 0.0, -0.05), (6.0, 4.0, 0.1))], "Floor", motion="static")
    build_door()
    build_drawer()
    build_rope()
    bpy.context.scene.cursor.location = (0.0, 0.0, 0.0)
    light_and_camera()


def build_door() -> None:
    """Build a frame, a door that opens from 0 to 110 degrees, and a handle welded to it."""
    frame = slab(
        "Door Frame",
        [
            ((-2.05, 0.0, 1.05), (0.1, 0.15, 2.1)),
            ((-0.95, 0.0, 1.05), (0.1, 0.15, 2.1)),
            ((-1.5, 0.0, 2.15), (1.2, 0.15, 0.1)),
        ],
        "Wall",
    )
    door = slab("Door", [((-1.5, 0.0, 1.05), (0.98, 0.05, 2.06))], "Wood")
    handle = slab(
        "Handle",
        [((-1.12, -0.06, 1.05), (0.03, 0.08, 0.03)), ((-1.17, -0.1, 1.05), (0.13, 0.03, 0.03))],
        "Metal",
    )
    bpy.context.scene.cursor.location = (-1.99, 0.0, 0.35)
    join("HINGE", frame, door, direction="GLOBAL_Z", angle_min=radians(-110.0), angle_max=0.0)
    bpy.context.scene.cursor.location = (-1.12, -0.025, 1.05)
    join("WELD", door, handle)
    door.omi_physics_body.mass = 18.0
    handle.omi_physics_body.mass = 0.4


def build_drawer() -> None:
    """Build a cabinet and a drawer that slides out by 0.4 m."""
    cabinet = slab(
        "Cabinet",
        [
            ((-0.13, 0.2, 0.4), (0.04, 0.6, 0.8)),
            ((0.63, 0.2, 0.4), (0.04, 0.6, 0.8)),
            ((0.25, 0.2, 0.78), (0.72, 0.6, 0.04)),
            ((0.25, 0.2, 0.02), (0.72, 0.6, 0.04)),
            ((0.25, 0.48, 0.4), (0.72, 0.04, 0.72)),
        ],
        "Light Wood",
    )
    drawer = slab(
        "Drawer",
        [
            ((0.25, -0.1, 0.58), (0.7, 0.03, 0.3)),
            ((0.25, 0.15, 0.45), (0.68, 0.5, 0.02)),
            ((-0.08, 0.15, 0.55), (0.02, 0.5, 0.2)),
            ((0.58, 0.15, 0.55), (0.02, 0.5, 0.2)),
            ((0.25, -0.13, 0.58), (0.2, 0.03, 0.03)),
        ],
        "Wood",
    )
    drawer.omi_physics_body.mass = 3.0
    bpy.context.scene.cursor.location = (0.25, -0.1, 0.58)
    join(
        "SLIDER",
        cabinet,
        drawer,
        direction="GLOBAL_Y",
        distance_min=-0.4,
        distance_max=0.0,
    )


def build_rope() -> None:
    """Build a gallows with a rope of six links that share one settings block."""
    gallows = slab(
        "Beam",
        [((2.2, 0.0, 1.15), (0.1, 0.1, 2.3)), ((1.8, 0.0, 2.35), (0.9, 0.1, 0.1))],
        "Wood",
    )
    links = []
    for number in range(6):
        top = 2.3 - 0.25 * number
        link = slab(f"Rope {number + 1}", [((1.5, 0.0, top - 0.125), (0.05, 0.05, 0.25))], "Rope")
        link.location = (1.5, 0.0, top)
        link.data.transform(Matrix.Translation((0.0, 0.0, -0.125)))
        links.append(link)
    bpy.context.view_layer.update()
    select(gallows, links[0])
    bpy.ops.omi_joint.create(kind="PIN", place="ACTIVE", other_motion="static")
    joint = bpy.context.object
    first = None if joint is None else joint.omi_physics_joint.settings
    assert first is not None, "the joint was just made"
    first.name = "Rope"
    select(*reversed(links))
    bpy.ops.omi_joint.create(kind="PIN", place="ACTIVE", chain=True)
    for joint in bpy.context.selected_objects:
        joint.omi_physics_joint.settings = first
    for link in links:
        link.omi_physics_body.mass = 0.2


def join(kind: str, still: bpy.types.Object, moving: bpy.types.Object, **options: object) -> None:
    """Join two objects at the 3D cursor."""
    select(still, moving)
    bpy.ops.omi_joint.create(kind=kind, place="CURSOR", **options)


def select(*objects: bpy.types.Object) -> None:
    """Select objects; the last one becomes active."""
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    for obj in objects:
        obj.select_set(True)
    bpy.context.view_layer.objects.active = objects[-1]


def slab(
    name: str, boxes: list[tuple[Triple, Triple]], color: str, motion: str = ""
) -> bpy.types.Object:
    """Return an object made of boxes, each given by its middle and its size in m."""
    vertices: list[Triple] = []
    faces: list[tuple[int, ...]] = []
    for middle, size in boxes:
        first = len(vertices)
        for corner in range(8):
            signs = (corner & 1, corner >> 1 & 1, corner >> 2 & 1)
            x, y, z = (m + (s - 0.5) * d for m, s, d in zip(middle, signs, size, strict=True))
            vertices.append((x, y, z))
        faces += [tuple(first + i for i in face) for face in BOX_FACES]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.materials.append(material(color))
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    middle = sum((Vector(corner) for corner in obj.bound_box), Vector()) / 8.0
    mesh.transform(Matrix.Translation(-middle))
    obj.location = middle
    bpy.context.view_layer.update()
    if motion:
        select(obj)
        bpy.ops.omi_joint.body_add(type=motion)
    return obj


def material(name: str) -> bpy.types.Material:
    """Return a plain material of one colour."""
    found = bpy.data.materials.get(name)
    if found is None:
        found = bpy.data.materials.new(name)
        found.diffuse_color = COLORS[name]
        found.use_nodes = True
        shader = found.node_tree.nodes["Principled BSDF"]
        shader.inputs["Base Color"].default_value = COLORS[name]
        shader.inputs["Roughness"].default_value = 0.6
    return found


def light_and_camera() -> None:
    """Add a sun, a soft sky and a camera that sees everything."""
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy = 3.0
    sun.data.angle = radians(6.0)
    sun.rotation_euler = (radians(48.0), radians(8.0), radians(-32.0))
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location = (1.3, -6.0, 3.1)
    aim = Vector((0.05, 0.0, 1.02)) - camera.location
    camera.rotation_euler = aim.to_track_quat("-Z", "Y").to_euler()
    camera.data.lens = 40.0
    for obj in (sun, camera):
        bpy.context.scene.collection.objects.link(obj)
    bpy.context.scene.camera = camera
    world = bpy.data.worlds.new("World")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.75, 0.82, 0.9, 1.0)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.6
    bpy.context.scene.world = world
