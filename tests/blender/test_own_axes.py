# SPDX-License-Identifier: GPL-3.0-or-later
"""New joints go by how bodies look, not by which of its own axes an object has where."""

from __future__ import annotations

from math import pi

import bpy
import pytest
from mathutils import Euler, Matrix, Vector

from omi_physics_joint.blender.create.selection import hangs
from omi_physics_joint.blender.joints.authoring import Pair
from tests.blender.anyhow import disc
from tests.blender.test_create_awkward import AIMED, CASES, NEAR, ROUNDED, seen
from tests.redo import press
from tests.scenes import select, slab


def bob() -> None:
    """Select a beam and what hangs on it, round and hardly longer than wide."""
    beam = slab("Beam", (0.0, 0.0, 2.0), (3.0, 0.3, 0.2))
    select(beam, disc("Bob", Vector((0.0, 0.0, 1.625)), radius=0.2, depth=0.55, axis="Z"))


LIKE_OTHERS = ("drawer", "limbs", "limbs swapped", "wheel", "bob", "beam held")
"""What is joined by its looks: no axis is named, and none says to which side it opens."""


@pytest.mark.parametrize("case", LIKE_OTHERS)
def test_which_of_its_own_axes_is_which_is_the_same_to_a_body(case: str) -> None:
    """What looks alike is joined alike, though its object is turned and its mesh turned back."""
    found = []
    build, options = (CASES | {"bob": (bob, {"kind": "HINGE"})})[case]
    for turn in ((0, 0, 0), (pi, 0, 0), (pi / 2, pi / 2, 0)):
        way = Euler(turn).to_matrix().to_4x4()
        bpy.ops.wm.read_homefile(use_empty=True)
        build()
        for obj in bpy.context.selected_objects:
            obj.data.transform(way.inverted())
            obj.matrix_world = obj.matrix_world @ way
        assert press("omi_joint.create", **options) == {"FINISHED"}
        found.append(seen(Matrix(), AIMED | {"Hinge": (1, 3)}))
    plain, *others = found
    for made in others:
        assert made.said == plain.said
        for name, numbers_ in plain.places.items():
            assert made.places[name] == pytest.approx(numbers_, abs=NEAR), name
        for name, numbers_ in plain.ranges.items():
            assert made.ranges[name] == pytest.approx(numbers_, rel=ROUNDED, abs=1e-6), name
        for name, (mass, *_) in plain.masses.items():
            assert made.masses[name][0] == pytest.approx(mass, rel=ROUNDED), name


def test_what_is_aslant_hangs_alike_to_either_side() -> None:
    """Of a disc, from lying to standing as a wheel does, at every tilt."""
    seen_hanging = set()
    beam = slab("Beam", (0.0, 0.0, 2.0), (3.0, 0.3, 0.2))
    for steps in range(16):
        tilt, found = steps * pi / 30.0, set()
        for side in (1.0, -1.0):
            lamp = disc("Lamp", Vector(), radius=0.2, depth=0.3, axis="Z")
            lamp.data.transform(Euler((0.0, side * tilt, 0.0)).to_matrix().to_4x4())
            lamp.location.z = 1.9 - max(corner[2] for corner in lamp.bound_box)
            bpy.context.view_layer.update()
            found.add(hangs(Pair(beam, lamp)))
            bpy.data.objects.remove(lamp)
        assert len(found) == 1, tilt
        seen_hanging |= found
    assert seen_hanging == {False, True}
