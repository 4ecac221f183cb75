# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn pairs of bodies: where they meet, what they are, and which joint buttons make of them.

As digests, like ``test_drawn_scenes.py``: that something is another, never that it is right. Some
have parts below them, stand below what is scaled or mirrored, or show a collection.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from random import Random
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector

from omi_physics_joint.blender.between_bodies import contact, forms, remembered, rim
from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.model.wording.words import metric
from tests.blender.test_operators import OURS, pressed
from tests.digests import approved_by_digest, numbers
from tests.scenes import select, slab

COUNT = 48
LEFT_OUT = {0, 4, 17, 28}
"""Pairs in which two directions are as good as each other: each machine takes its own."""
KINDS = ("WELD", "PIN", "HINGE", "SLIDER")
WAYS = ("beside", "on", "across", "along", "apart", "within")
ACROSS = Vector((1.0, 0.0, 0.0))
Object = bpy.types.Object


class Pair:
    """Draws two bodies."""

    def __init__(self, number: int) -> None:
        bpy.ops.wm.read_homefile(use_empty=True)
        self.random = Random(4000 + number)
        self.number = number
        low = self.size(0.4, 2.0)
        self.still, self.moving = self.shape("Still", low), self.shape("Moving", self.moved())
        self.put(low)
        for obj in (self.still, self.moving):
            if self.random.random() < 0.3:
                self.fitting(obj)
        self.place()

    def size(self, low: float, high: float) -> Vector:
        """Return three lengths in m, none like another."""
        return Vector([round(self.random.uniform(low, high), 3) for _ in range(3)])

    def moved(self) -> Vector:
        """Return the size of a plate, a bar, a block."""
        size = self.size(0.3, 1.6)
        size[self.random.randrange(3)] *= self.random.choice((0.05, 0.1, 1.0))
        return size

    def shape(self, name: str, size: Vector) -> Object:
        """Return a body of a size: a box, a cylinder, a ball or a sheet."""
        way = self.random.choice(("box", "box", "box", "cylinder", "sheet", "ball"))
        if way == "box":
            return slab(name, (0.0, 0.0, 0.0), tuple(size))
        if way == "cylinder":
            bpy.ops.mesh.primitive_cylinder_add(vertices=24, radius=0.5, depth=1.0)
            size.y = size.x
        elif way == "ball":
            bpy.ops.mesh.primitive_uv_sphere_add(segments=12, ring_count=6, radius=0.5)
            size.y = size.z = size.x
        else:
            bpy.ops.mesh.primitive_plane_add(size=1.0)
        made = bpy.context.object
        made.name, made.scale = name, size
        bpy.context.view_layer.update()
        return made

    def put(self, low: Vector) -> None:
        """Put the second body beside the first one, on it, across it, off it or within it."""
        half, other = 0.5 * low, 0.5 * Vector(self.moving.dimensions)
        off = 0.2 * self.size(-1.0, 1.0)
        gap = self.random.choice((0.0, 0.0, 0.01, 0.05))
        way = WAYS[self.number % len(WAYS)]
        if way in ("beside", "apart"):
            off.x = half.x + other.x + gap + 5.0 * (way == "apart")
        if way in ("on", "across"):
            off.z = half.z + other.z + gap
        if way == "across":
            self.moving.rotation_euler.z = self.random.uniform(0.3, 1.2)
        if way == "along":
            off.y = -half.y - other.y - gap
        self.moving.location = off
        bpy.context.view_layer.update()

    def fitting(self, obj: Object) -> None:
        """Put a part below a body: a handle, or a collection with an origin of its own."""
        part = slab(f"{obj.name} part", tuple(self.size(-0.5, 0.5)), tuple(self.size(0.05, 0.2)))
        part.parent = obj
        part.matrix_parent_inverse = obj.matrix_world.inverted()
        if self.random.random() < 0.4:
            shown = bpy.data.collections.new("Asset")
            shown.objects.link(part)
            bpy.context.scene.collection.objects.unlink(part)
            part.parent, part.location = None, (1.0, 0.0, 0.0)
            shown.instance_offset = (1.0, 0.1, 0.0)
            empty = bpy.data.objects.new(f"{obj.name} asset", None)
            empty.instance_type, empty.instance_collection = "COLLECTION", shown
            bpy.context.scene.collection.objects.link(empty)
            empty.parent = obj
        bpy.context.view_layer.update()

    def place(self) -> None:
        """Put both anywhere, below an object that is scaled, and one mirrored."""
        for obj in (self.still, self.moving):
            if self.random.random() < 0.2:
                obj.scale[self.random.randrange(3)] *= -1.0
        if self.number % 4 == 0:
            return
        scale = self.random.choice((1.0, 0.3, 10.0))
        turn = Euler([self.random.uniform(-3.0, 3.0) for _ in range(3)])
        at = min(scale, 1.0) * Vector([self.random.uniform(-9.0, 9.0) for _ in range(3)])
        above = bpy.data.objects.new("Above", None)
        bpy.context.scene.collection.objects.link(above)
        self.still.parent = self.moving.parent = above
        above.matrix_world = Matrix.LocRotScale(at, turn, (scale,) * 3)
        bpy.context.view_layer.update()


def seen(values: Any) -> str:
    """Return numbers to a hundredth, a little beside where short ones would tip over."""
    return numbers(np.round(np.asarray(values, np.float64) + 2e-3, 2))


def shown(value: Any) -> str:
    """Return what a function has found."""
    if isinstance(value, float):
        return seen(value)
    if isinstance(value, Vector):
        return seen(value)
    if isinstance(value, forms.FittedBox):
        way = abs(value.ways[:, 0]) if value.is_bar else ()
        return f"{seen(way)} {seen(value.middle)} {seen(value.half)}"
    if isinstance(value, forms.RoundShape | rim.HeldSide):
        return " ".join(shown(getattr(value, one.name)) for one in fields(value))
    return str(value)


def found(number: int) -> Iterator[str]:
    """Yield what two bodies are and where they meet, either way round."""
    pair = Pair(number)
    both = (pair.still, pair.moving)
    for obj in both:
        for ask in (forms.round_shape, forms.flat_shape, forms.fitted_box, forms.fills_box):
            yield f"{ask.__name__} {shown(ask(obj))}"
        hub = forms.round_shape(obj)
        yield f"{forms.bar_of(obj) is not None} {hub is not None and forms.is_hub(obj, hub)}"
        yield f"{[one.name for one in contact.parts_of(obj)]} {contact.longest_part(obj):.2f}"
        yield f"{seen(contact.bounds_of(obj))} {contact.width_along(obj, ACROSS):.2f}"
        other = both[obj == pair.still]
        yield seen(contact.bounds_of(obj, other.matrix_world.normalized()))
        surface = contact.surface_of(obj)
        yield f"{surface is not None and surface.has_inside(obj.matrix_world.translation)}"
    for one, other in (both, both[::-1]):
        met = contact.contact_between(one, other)
        yield f"{seen(met.place)} {met.area and seen((met.area.area, *met.area.lengths))}"
        yield f"{shown(rim.side_held(one, other))} {shown(forms.across_both(one, other))}"
        yield contact.far_apart(one, other, metric)


def joined(number: int) -> Iterator[str]:
    """Yield the joint that a button makes of them, what it says, and what is said if it strays."""
    pair = Pair(number)
    properties = OURS.create.get_rna_type().properties if number % 3 == 0 else ()
    chosen = {
        one.identifier: pair.random.choice([item.identifier for item in one.enum_items])
        for one in properties
        if one.type == "ENUM" and one.identifier in ("direction", "aim", "place")
    }
    chosen = {name: word for name, word in chosen.items() if word not in ("EDGE", "ACTIVE_EDGE")}
    if number % 5 == 1:
        bpy.context.scene.unit_settings.scale_length = 0.01
    select(pair.still, pair.moving)
    yield f"{chosen} {pressed('create', kind=KINDS[number // 2 % 4], **chosen)}"
    joints = [one for one in bpy.data.objects if one.omi_physics_joint.is_joint]
    for joint in joints:
        bpy.context.view_layer.update()
        yield f"{joint.name} {seen(joint.matrix_world)} {shown(joint.empty_display_size)}"
        yield f"{joint.parent.name} {settings_of(joint)}"
        for change in ("location", "rotation_euler", "far"):
            before = joint.matrix_basis.copy()
            if change == "far":
                joint.matrix_world.translation += 9.0 * Vector(joint.parent.dimensions)
            else:
                setattr(joint, change, (0.0, 0.0, 0.0))
            bpy.context.view_layer.update()
            scene = bpy.context.scene
            yield from (f"{one.code} {one}" for one in remembered.strayed([(0, joint)], scene))
            joint.matrix_basis = before
            bpy.context.view_layer.update()


@pytest.mark.parametrize("part", [(0, 12), pytest.param((12, COUNT), marks=pytest.mark.long)])
def test_what_pairs_of_bodies_are_and_become_is_as_approved(part: tuple[int, int]) -> None:
    """Boxes, cylinders, balls and sheets of any size, beside, on, across, off or in each other."""
    cases = {f"pair {number:02}": number for number in range(*part) if number not in LEFT_OUT}
    approved_by_digest("scenes_paired.txt", {"found": found, "joined": joined}, cases)
