# SPDX-License-Identifier: GPL-3.0-or-later
"""New joints where nothing is plain: a scene elsewhere, larger or smaller is joined alike.

Whatever is made of a scene at the origin is made of the same scene 24 m off, turned, of another
size and below a scaled parent: places, axes, ranges, masses and sizes go along.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import cos, inf, pi, sin
from typing import Any

import bpy
import bmesh
import pytest
from blender.anyhow import disc, parallel
from mathutils import Euler, Matrix, Vector
from redo import press
from scenes import box, joined, select, slab

from omi_physics_joint.blender.between_bodies.contact import contact_between
from omi_physics_joint.blender.between_bodies.remembered import places_of
from omi_physics_joint.blender.bridge.poses.second_frames import second_world
from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.blender.create.operators import OMI_JOINT_OT_create
from omi_physics_joint.blender.create.selection import by_neighbour
from omi_physics_joint.blender.create.standing import why_other_moves
from omi_physics_joint.blender.create.suited import automatic, suited_axes
from omi_physics_joint.blender.data.scene import PLACES
from omi_physics_joint.blender.joints.authoring import Pair
from omi_physics_joint.model.settings.spans import spans_of
from tests.blender.test_choices import Button
from tests.blender.test_suited import fan
from tests.blender.test_wrong_uses import MADE

ROUNDED = 0.01
"""Part by which what is told with three digits may differ."""
NEAR = 5e-3
"""m and 1, of a scene of a few m: what is tidied, and how finely it is found where bodies touch."""
AIMED = {"Hinge": (0, 1, 2, 3), "Slider": (0, 3), "Pin": (1, 3), "Weld": (3,)}
"""Columns of the frame of a joint that something says: where it is aimed, and where it is.

What is about the axis of its hinge has no side that is zero."""


@dataclass(frozen=True)
class Made:
    """What is so of the joints of a scene, as seen from where all of it stands."""

    places: dict[str, list[float]]
    """Both frames of each joint, and what it hangs on."""
    ranges: dict[str, list[float]]
    """Angles, and how large empties are, as a multiple of the size of the scene."""
    masses: dict[str, list[float]]
    """Masses, as multiples of the size cubed, and centres of mass."""
    said: dict[str, str]
    """How bodies move, by which shape, and who is joined to whom."""


def seen(way: Matrix, aimed: dict[str, tuple[int, ...]]) -> Made:
    """Return what was made in a scene that stands and is scaled so."""
    bpy.context.view_layer.update()
    back, size = way.inverted(), way.to_scale().x
    places, ranges, masses, said = {}, {}, {}, {}
    for obj in bpy.context.scene.objects:
        data, body = obj.omi_physics_joint, obj.omi_physics_body
        if data.is_joint:
            frames = (obj.matrix_world, second_world(obj))
            rigid = [Matrix.LocRotScale(*(back @ one).decompose()[:2], None) for one in frames]
            shown = aimed[obj.name.rpartition(" ")[2]]
            places[obj.name] = [x for one in rigid for at in shown for x in one.col[at]]
            spans = spans_of(settings_of(obj).limits)
            angles = [end for span in spans[3:] for end in (span.low, span.high)]
            ranges[obj.name] = [*angles, obj.empty_display_size / size]
            said[obj.name] = f"{obj.parent.name} {data.connected_body.name}"
        if body.is_body and body.type == "dynamic":
            centre = (Vector(body.center_of_mass) / size)[:]
            masses[obj.name] = [body.mass / size**3, *centre]
        if body.is_body:
            said[obj.name] = f"{body.type} {body.collider.shape.type}"
    said["warning"] = bpy.context.active_operator.properties.noted_warning
    return Made(places, ranges, masses, said)


def door() -> None:
    """Select a post and a door."""
    post = slab("Post", (0.0, 0.0, 1.0), (0.1, 0.1, 2.0))
    select(post, slab("Door", (0.55, 0.0, 1.0), (0.9, 0.05, 2.0)))


def drawer() -> None:
    """Select a cabinet and a drawer, which is deeper than wide."""
    cabinet = slab("Cabinet", (0.0, 0.0, 0.5), (0.6, 0.5, 1.0))
    select(cabinet, slab("Drawer", (0.0, -0.5, 0.7), (0.3, 0.45, 0.2)))


def limbs() -> None:
    """Select limbs of other sizes, and the torso last."""
    sizes = (((0.9, 0.0, 0.3), (0.6, 0.2, 0.2)), ((0.0, -0.4, -0.9), (0.2, 0.3, 0.7)))
    found = [slab(f"Limb {number}", *one) for number, one in enumerate(sizes)]
    select(*found, slab("Torso", (0.0, 0.0, 0.0), (1.0, 0.8, 1.0)))


def wheel() -> None:
    """Select a chassis and a wheel."""
    chassis = slab("Chassis", (0.0, 0.0, 0.0), (2.0, 1.0, 0.3))
    select(chassis, disc("Wheel", Vector((0.7, 0.62, 0.0)), radius=0.3, depth=0.2, axis="Y"))


def links() -> None:
    """Select links of a chain, in no order, the one that stays last."""
    links = [
        slab(f"Link {n}", (0.9 * n, 0.0, 0.1 * n), (0.8, 0.2, 0.1 + 0.1 * n)) for n in range(4)
    ]
    select(*(links[n] for n in (2, 3, 1, 0)))


def beam() -> None:
    """Select a plate whose origin is at its corner, below its beam."""
    beam = slab("Beam", (0.0, 0.0, 2.0), (3.0, 0.3, 0.2))
    plate = slab("Plate", (0.4, 0.1, 1.2), (1.0, 0.1, 1.0))
    plate.data.transform(Matrix.Translation((1.0, 0.5, -1.0)))
    select(beam, plate)


def wrong_way(make: Callable[[], tuple[bpy.types.Object, bpy.types.Object]]) -> None:
    """Select what moves first, and what plainly stands last."""
    stands, moves = make()
    select(moves, stands)


CASES: dict[str, tuple[Callable[[], None], dict[str, Any]]] = {
    "door": (door, {"kind": "HINGE"}),
    "drawer": (drawer, {"kind": "SLIDER"}),
    "drawer aimed": (drawer, {"kind": "SLIDER", "direction": "LOCAL_Z", "place": "MIDDLE"}),
    "limbs": (limbs, {"kind": "PIN"}),
    "limbs swapped": (limbs, {"kind": "HINGE", "active_motion": "static", "place": "OTHER"}),
    "wheel": (wheel, {"kind": "HINGE"}),
    "links": (links, {"kind": "HINGE", "chain": True, "direction": "LOCAL_Y"}),
    "beam": (beam, {"kind": "HINGE", "place": "BOX", "side_x": "MAX", "side_z": "MIN"}),
    **{f"{make.__name__}, wrong": (partial(wrong_way, make), {"kind": "HINGE"}) for make in MADE},
    "beam held": (beam, {"kind": "WELD", "swap": True, "place": "ACTIVE"}),
}


@pytest.mark.parametrize("size", [0.05, 4.0])
@pytest.mark.parametrize("case", CASES)
def test_a_scene_elsewhere_is_joined_alike(case: str, size: float) -> None:
    """Moved, turned about the upright, scaled and below a parent that is scaled: all goes along."""
    found = []
    build, options = CASES[case]
    far = Matrix.LocRotScale((20.0, -13.0, 4.0), Euler((0.0, 0.0, 0.7)), (size, size, size))
    for way in (Matrix(), far):
        bpy.ops.wm.read_homefile(use_empty=True)
        build()
        root = bpy.data.objects.new("Root", None)
        bpy.context.scene.collection.objects.link(root)
        root.matrix_world = way
        for obj in bpy.context.selected_objects:
            obj.parent = root
        assert press("omi_joint.create", **options) == {"FINISHED"}
        found.append(seen(way, AIMED | {"Hinge": (1, 3)} if "wrong" in case else AIMED))
    plain, made = found
    assert ("wrong" in case) == bool(plain.said["warning"])
    assert made.said == plain.said
    for name, numbers_ in plain.places.items():
        assert made.places[name] == pytest.approx(numbers_, abs=NEAR), name
    for name, numbers_ in plain.ranges.items():
        assert made.ranges[name] == pytest.approx(numbers_, rel=ROUNDED, abs=1e-6), name
    for name, numbers_ in plain.masses.items():
        assert made.masses[name] == pytest.approx(numbers_, rel=ROUNDED, abs=1e-5), name


@pytest.mark.parametrize(
    ("axis", "least", "most"), [("X", 0.1, 0.2), ("Y", 0.5, 0.5), ("Z", 15, 25)]
)
def test_a_slider_goes_by_what_slides_along_itself(axis: str, least: float, most: float) -> None:
    """About half its length: 0.3 m, 3 m and 40 m, in a rail of 300 m, turned, 24 m off."""
    rail, block = (
        slab("Rail", (0.0, 0.0, 0.0), (300.0,) * 3),
        slab("Block", (0, 0, 160), (0.3, 3, 40)),
    )
    way = Matrix.LocRotScale((20.0, -13.0, 4.0), Euler((0.0, 0.0, 0.002)), None)
    for obj in (rail, block):
        obj.matrix_world = way @ obj.matrix_world
    slider = joined("SLIDER", rail, block, direction=f"LOCAL_{axis}", use_range=True)
    span = spans_of(settings_of(slider).limits)[0]
    assert span.low == 0.0
    assert least <= span.high <= most


@pytest.mark.parametrize("known", ["kinematic", "static"])
def test_a_new_body_is_not_made_like_the_one_beside_it(known: str) -> None:
    """Of three limbs one is a body already: it stays what it is, the others are what limbs are."""
    limbs()
    torso = bpy.context.object
    first, second = (one for one in bpy.context.selected_objects if one != torso)
    first.omi_physics_body.is_body = True
    first.omi_physics_body.type = known
    press("omi_joint.create", kind="PIN")
    motions = {obj: obj.omi_physics_body.type for obj in (torso, first, second)}
    assert list(motions.values()) == ["dynamic", known, "dynamic"]


@pytest.mark.parametrize("place", ["AUTO", "CURSOR"])
@pytest.mark.parametrize("count", [2, 3])
def test_the_cursor_is_for_one_joint(count: int, place: str) -> None:
    """A cursor on a body, or remembered by the sidebar, is for two; of three each has its own.

    Automatic is so where no button is pressed, too, as in a script.
    """
    limbs()
    torso = bpy.context.object
    chosen = [one for one in bpy.context.selected_objects if one != torso][: count - 1]
    select(*chosen, torso)
    bpy.context.scene.cursor.location = (0.3, 0.2, 0.1)
    options = bpy.context.scene.omi_physics_joint
    options.place, options.direction = place, "LOCAL_X"
    asked = Button(
        OMI_JOINT_OT_create, kind="PIN", place="AUTO", direction="AUTO", chain=False, swap=False
    )
    asked.press()
    assert asked.direction == "LOCAL_X"
    assert asked.place == ("CURSOR" if count == 2 else "NEAREST")
    assert asked.noted_automatic == (asked.place if place == "AUTO" else "")
    if place == "AUTO":
        press("omi_joint.create", kind="PIN")
        bpy.context.view_layer.update()
        made = bpy.context.selected_objects
        places = {tuple(round(x, 4) for x in one.matrix_world.translation) for one in made}
        assert len(places) == count - 1
        assert (places == {(0.3, 0.2, 0.1)}) is (count == 2)


def test_a_lamp_that_is_a_body_is_joined_and_others_are_not() -> None:
    """A hanging lamp that was made a body hangs; the lights of the scene do not."""
    chain, ceiling = (
        slab(name, (0.0, 0.0, z), (0.5, 0.4, 0.3)) for name, z in (("Chain", 1.0), ("Top", 2.0))
    )
    lamps = []
    for number in range(2):
        bpy.ops.object.light_add(location=(0.0, 0.1 * number, 0.4))
        lamps.append(bpy.context.object)
    lamps[1].omi_physics_body.is_body = True
    select(chain, *lamps, ceiling)
    press("omi_joint.create", kind="PIN")
    made = {obj.omi_physics_joint.connected_body for obj in bpy.context.selected_objects}
    made |= {obj.parent for obj in bpy.context.selected_objects}
    assert made == {chain, lamps[1], ceiling}


@pytest.mark.parametrize("size", [1e-4, 1.0, 1e4])
def test_a_chain_of_any_size_goes_by_gaps(size: float) -> None:
    """Gaps of a tenth of a link tell neighbours, of links of 0.1 mm and of 10 km."""
    first = slab("First", (0.0, 0.0, 0.0), (size, size, size))
    # Its middle is farther than that of the other, and its gap is the smaller one.
    long = slab("Long", (2.65 * size, 0.0, 0.0), (4.1 * size, size, size))
    short = slab("Short", (0.0, 1.2 * size, 0.0), (size, size, size))
    assert by_neighbour(first, [short, long]) == [first, long, short]


@pytest.mark.parametrize("tilt", [0.0, pi / 4])
def test_what_is_before_a_tilted_panel_is_not_within_it(tilt: float) -> None:
    """The room of a panel is counted along itself, in which a box before it has no place."""
    panel = slab("Panel", (0.0, 0.0, 0.0), (2.0, 2.0, 0.1))
    block = slab("Block", (0.0, -0.33 * sin(tilt), 0.33 * cos(tilt)), (0.55, 0.55, 0.55))
    panel.rotation_euler.x = tilt
    bpy.context.view_layer.update()
    assert why_other_moves("PIN", Pair(still=block, moving=panel)) == ""


@pytest.mark.parametrize(("far", "place"), [(0.12, "CURSOR"), (0.28, "NEAREST")])
def test_a_cursor_near_a_thin_door_is_on_it(far: float, place: str) -> None:
    """A tenth of its height away, though it is no thicker than that."""
    post, leaf = (
        slab("Post", (-5.0, 0.0, 0.0), (0.1, 0.1, 2.0)),
        slab("Leaf", (0, 0, 0), (1, 0.06, 2)),
    )
    bpy.context.scene.cursor.location = (0.2, 0.03 + far, 0.3)
    assert automatic(bpy.context, [Pair(post, leaf)]) == place


@pytest.mark.parametrize(
    ("size", "why"), [((0.2, 4.0, 0.2), "Rail"), ((1.5, 4.0, 0.2), "Global Z")]
)
def test_a_rail_is_long_beside_both_its_other_sides(size: tuple[float, ...], why: str) -> None:
    """What lies on a plate slides along no side of it that anybody could tell."""
    still = slab("Still", (0.0, 0.0, 0.0), size)
    moving = slab("Moving", (0.0, 0.3, 0.2), (0.2, 0.2, 0.2))
    assert suited_axes("SLIDER", [Pair(still, moving)])[0][1] == why


@pytest.mark.parametrize(
    ("known", "free"), [(("static", "static"), False), (("static", "dynamic"), True)]
)
def test_hinges_of_several_have_a_range_where_all_are_against_what_stands(
    known: tuple[str, str], *, free: bool
) -> None:
    """Two limbs of a torso that are bodies already: one that moves too lets all turn freely."""
    limbs()
    torso = bpy.context.object
    for obj, motion in zip(bpy.context.selected_objects, (*known, ""), strict=True):
        if obj != torso:
            obj.omi_physics_body.is_body, obj.omi_physics_body.type = True, motion
    press("omi_joint.create", kind="HINGE", direction="GLOBAL_Y")
    spans = spans_of(settings_of(bpy.context.object).limits)
    assert (spans[4].low == -inf) is free


@pytest.mark.parametrize("axis", ["GLOBAL_Y", "GLOBAL_X"])
def test_a_wheel_that_turns_about_another_line_is_held_where_it_touches(axis: str) -> None:
    """Only about its own axle does it have its hinge there; a caster has it where it is met."""
    wheel()
    moving = bpy.context.object
    chassis = next(one for one in bpy.context.selected_objects if one != moving)
    moving.matrix_world.translation.z += 0.2
    bpy.context.view_layer.update()
    touches = contact_between(moving, chassis).place
    press("omi_joint.create", kind="HINGE", direction=axis)
    bpy.context.view_layer.update()
    there = bpy.context.object.matrix_world.translation
    axle = moving.matrix_world.translation
    assert ((there - touches).length < 1e-4) is (axis == "GLOBAL_X")
    assert ((there - axle).xz.length < 1e-4) is (axis == "GLOBAL_Y")


@pytest.mark.parametrize("blades", ["three", "four", "loose"])
def test_blades_on_a_block_turn_about_their_own_middle(blades: str) -> None:
    """What holds them is neither slender nor flat nor round, and says nothing of an axis."""
    block, hub = fan(blades, ceiling=False)
    block.scale, block.location = (0.15, 0.15, 0.15), (0.0, 0.1, 1.9)
    bpy.context.view_layer.update()
    [(axis, why)] = suited_axes("HINGE", [Pair(block, hub)])
    assert parallel(axis, Vector((0.0, 1.0, 0.0)))
    assert why == "Own Middle"


@pytest.mark.parametrize("place", [place for place, *_ in PLACES])
def test_what_is_joined_in_edit_mode_is_joined_as_after_it(place: str) -> None:
    """Corners that were made and moved there count for where it is, and for what is remembered."""
    made = []
    for is_after in (False, True):
        there = Vector((0.0, 20.0 * is_after, 0.0))
        bpy.context.scene.cursor.location = there + Vector((1.2, 0.3, 0.0))
        frame, leaf = box("Frame", there), box("Door", there + Vector((2.5, 0.0, 0.0)))
        select(frame, leaf)
        bpy.ops.object.mode_set(mode="EDIT")
        edited = bmesh.from_edit_mesh(leaf.data)
        bmesh.ops.subdivide_edges(edited, edges=edited.edges[:], cuts=1)
        for corner in edited.verts:
            corner.co.x *= 1.25
            corner.select_set(corner.co.y > 0.5)
        edited.select_flush(True)
        bmesh.update_edit_mesh(leaf.data)
        if is_after:
            bpy.ops.object.mode_set(mode="OBJECT")
        press("omi_joint.create", kind="HINGE", place=place, direction="GLOBAL_Y")
        if not is_after:
            bpy.ops.object.mode_set(mode="OBJECT")
        bpy.context.view_layer.update()
        (joint,) = (one for one in leaf.children if one.omi_physics_joint.is_joint)
        assert None not in places_of(joint)
        made.append([*(joint.matrix_world.translation - there), *joint.omi_physics_joint.joined])
    assert made[0] == pytest.approx(made[1], abs=1e-4)
