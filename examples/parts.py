# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts that mechanisms are built from: boxes, bars and discs in plain colours, with soft edges."""

from __future__ import annotations

from math import atan2, cos, pi, sin

import bpy
from mathutils import Matrix, Vector

from examples.workshop import BOX_FACES, Triple, select

Color = tuple[float, float, float, float]

SLATE: Color = (0.13, 0.16, 0.21, 1.0)
STEEL: Color = (0.45, 0.50, 0.57, 1.0)
ORANGE: Color = (0.85, 0.27, 0.03, 1.0)
AMBER: Color = (0.90, 0.50, 0.06, 1.0)
TEAL: Color = (0.02, 0.36, 0.38, 1.0)
BLUE: Color = (0.05, 0.20, 0.52, 1.0)
SKIN: Color = (0.75, 0.36, 0.20, 1.0)
WOOD: Color = (0.48, 0.24, 0.09, 1.0)
PAPER: Color = (0.86, 0.87, 0.88, 1.0)
INK: Color = (0.08, 0.10, 0.13, 1.0)

ROUND = 32
"""Corners of a circle."""
EDGE = 0.012
"""Metres by which edges are rounded."""

Faces = list[tuple[int, ...]]


def part(
    name: str,
    boxes: list[tuple[Triple, Triple]],
    color: Color,
    motion: str = "",
    mass: float = 1.0,
) -> bpy.types.Object:
    """Return an object made of boxes, each given by its middle and its size in m.

    Args:
        name: of the object.
        boxes: middle and size of each.
        color: of all of them.
        motion: makes it a body that moves so.
        mass: of the body in kg.
    """
    vertices: list[Triple] = []
    faces: Faces = []
    for middle, size in boxes:
        first = len(vertices)
        for corner in range(8):
            signs = (corner & 1, corner >> 1 & 1, corner >> 2 & 1)
            x, y, z = (m + (s - 0.5) * d for m, s, d in zip(middle, signs, size, strict=True))
            vertices.append((x, y, z))
        faces += [tuple(first + i for i in face) for face in BOX_FACES]
    return _body(name, vertices, faces, color, motion, mass)


def bar(
    name: str, start: Triple, end: Triple, width: float, color: Color, mass: float
) -> bpy.types.Object:
    """Return a dynamic body from one point to another, with round ends as links have.

    Both points are equally far from the viewer, who looks along Y.
    """
    along = Vector(end) - Vector(start)
    half = ROUND // 2
    arc = [(width * sin(pi * k / half), width * cos(pi * k / half)) for k in range(half + 1)]
    outline = [(along.length + x, z) for x, z in arc] + [(-x, -z) for x, z in arc]
    turn = Matrix.Rotation(-atan2(along.z, along.x), 4, "Y")
    pose = Matrix.Translation(Vector(start)) @ turn
    return _slice(name, outline, 0.6 * width, pose, (color, mass))


def disc(
    name: str, middle: Triple, radius: float, thickness: float, color: Color, mass: float = 0.0
) -> bpy.types.Object:
    """Return a disc that faces the viewer; a dynamic body if it has a mass."""
    turns = [2.0 * pi * k / ROUND for k in range(ROUND)]
    outline = [(radius * sin(turn), radius * cos(turn)) for turn in turns]
    pose = Matrix.Translation(Vector(middle))
    return _slice(name, outline, 0.5 * thickness, pose, (color, mass))


def _slice(
    name: str,
    outline: list[tuple[float, float]],
    half: float,
    pose: Matrix,
    look: tuple[Color, float],
) -> bpy.types.Object:
    """Return an object with an outline in X and Z, clockwise, of twice a half thickness in Y.

    Its colour and mass are its look: without a mass it is no body.
    """
    count = len(outline)
    vertices = [tuple(pose @ Vector((x, y, z))) for y in (-half, half) for x, z in outline]
    faces: Faces = [tuple(range(count)), tuple(reversed(range(count, 2 * count)))]
    faces += [((k + 1) % count, k, count + k, count + (k + 1) % count) for k in range(count)]
    color, mass = look
    return _body(name, vertices, faces, color, "dynamic" if mass else "", mass)


def _body(
    name: str, vertices: list[Triple], faces: Faces, color: Color, motion: str, mass: float
) -> bpy.types.Object:
    """Return an object of one colour, its origin in the middle; a body if it moves somehow."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.materials.append(paint(color))
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    middle = sum((Vector(corner) for corner in obj.bound_box), Vector()) / 8.0
    mesh.transform(Matrix.Translation(-middle))
    obj.location = middle
    bevel = obj.modifiers.new("Soft Edges", "BEVEL")
    bevel.width, bevel.segments = EDGE, 2
    bpy.context.view_layer.update()
    if motion:
        select(obj)
        bpy.ops.omi_joint.body_add(type=motion)
        obj.omi_physics_body.mass = mass
    return obj


def paint(color: Color) -> bpy.types.Material:
    """Return a plain material of one colour."""
    name = "Paint " + " ".join(f"{channel:.2f}" for channel in color)
    found = bpy.data.materials.get(name)
    if found is None:
        found = bpy.data.materials.new(name)
        found.diffuse_color = color
        found.roughness = 0.55
    return found


def plinth(title: str, place: Vector) -> None:
    """Put a plinth with words on its front below a place."""
    slab = part("Plinth", [((0.0, 0.0, -0.17), (2.5, 2.2, 0.34))], PAPER)
    slab.location += place
    words = bpy.data.curves.new(title, "FONT")
    words.body = title
    words.align_x, words.align_y = "CENTER", "CENTER"
    words.size = 0.24
    words.materials.append(paint(INK))
    label = bpy.data.objects.new(title, words)
    bpy.context.scene.collection.objects.link(label)
    label.location = place + Vector((0.0, -1.105, -0.17))
    label.rotation_euler = (pi / 2.0, 0.0, 0.0)
