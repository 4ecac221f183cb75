# SPDX-License-Identifier: GPL-3.0-or-later
"""What buttons choose by themselves and say, before and after they have made a joint."""

from __future__ import annotations

from pathlib import Path
from types import MethodType, SimpleNamespace
from typing import Any

import bpy
import pytest
from mathutils import Euler, Vector

from omi_physics_joint.blender.create.operators import OMI_JOINT_OT_create
from omi_physics_joint.blender.create.panels import what_is_joined
from omi_physics_joint.blender.data.body import OMI_JOINT_PG_trigger_node
from omi_physics_joint.blender.joints.editing import direction_of
from omi_physics_joint.blender.joints.operators import OMI_JOINT_OT_reaim
from omi_physics_joint.blender.joints.parts import ranged_limit
from tests.layouts import in_redo_box
from tests.redo import adjust, press
from tests.scenes import box, door, issues, joined, select, slab


def joints() -> list[bpy.types.Object]:
    """Return the joints of the scene."""
    return [obj for obj in bpy.context.scene.objects if obj.omi_physics_joint.is_joint]


def test_axis_of_the_view_is_known_outside_of_it() -> None:
    """Axis: View takes the largest 3D view where a button of another editor or a panel is pressed.

    So do Change Axis and the redo box.
    """
    window = bpy.context.window_manager.windows[0]
    areas = [area for area in window.screen.areas if area.type == "VIEW_3D"]
    area = max(areas, key=lambda one: one.width * one.height)
    view = area.spaces.active.region_3d
    panel = next(region for region in area.regions if region.type == "UI")
    other = next(one for one in window.screen.areas if one.type == "PROPERTIES")
    places = [(area, panel), (other, other.regions[-1])]
    for (place, region), euler in zip(places, ((0.5, 0.1, 0.9), (1.2, 0.0, -0.4)), strict=True):
        view.view_rotation = Euler(euler).to_quaternion()
        towards_user = view.view_rotation @ Vector((0.0, 0.0, 1.0))
        select(box("Frame"), box("Door", (2.2, 0.0, 0.0)))
        for operator, options in (
            (bpy.ops.omi_joint.create, {"kind": "HINGE"}),
            (bpy.ops.omi_joint.reaim, {}),
        ):
            with bpy.context.temp_override(window=window, area=place, region=region):
                assert operator("EXEC_DEFAULT", direction="VIEW", **options) == {"FINISHED"}
            bpy.context.view_layer.update()
            axis = -bpy.context.object.matrix_world.to_3x3().col[1]  # Door alone moves
            assert (axis - towards_user).length < 1e-5, (operator, place.type)
            bpy.ops.omi_joint.reaim(direction="GLOBAL_X")
            bpy.context.view_layer.update()


@pytest.mark.parametrize("here", [0, 1])
def test_the_view_of_ones_own_window_is_meant(here: int) -> None:
    """A button without a view takes the largest view of its window, then those of others."""

    def window(*sizes: tuple[str, int]) -> SimpleNamespace:
        areas = [
            SimpleNamespace(
                type=kind,
                width=size,
                height=10,
                spaces=SimpleNamespace(
                    active=SimpleNamespace(
                        region_3d=SimpleNamespace(
                            view_rotation=Euler((0.001 * size, 0.0, 0.0)).to_quaternion()
                        )
                    )
                ),
            )
            for kind, size in sizes
        ]
        return SimpleNamespace(screen=SimpleNamespace(areas=areas))

    windows = [
        window(("VIEW_3D", 100), ("VIEW_3D", 300), ("OUTLINER", 900)),
        window(("VIEW_3D", 700), ("PROPERTIES", 500)),
    ]
    manager = SimpleNamespace(windows=windows)
    for chosen, largest in ((windows[here], (300, 700)[here]), (window(("INFO", 9)), 300)):
        context = SimpleNamespace(
            region_data=None, area=None, window=chosen, window_manager=manager
        )
        way = direction_of("VIEW", context, box("Any"))
        assert way.angle(Vector((0.0, 0.0, 1.0))) == pytest.approx(0.001 * largest, abs=1e-4)


def test_refused_choice_is_said_in_the_redo_box() -> None:
    """The redo box says what it could not find until something else is chosen."""
    frame, door = box("Frame"), box("Door", (2.2, 0.0, 0.0))
    for part in ("vertices", "edges", "polygons"):
        mesh = getattr(door.data, part)
        mesh.foreach_set("select", [False] * len(mesh))
    select(frame, door)
    press("omi_joint.create", kind="HINGE")
    assert bpy.context.active_operator.properties.noted_warning == ""
    adjust(direction="EDGE")
    said = bpy.context.active_operator.properties.noted_warning
    assert said == "Select exactly one edge of Door in Edit Mode (0 are selected)."
    adjust(direction="GLOBAL_X")
    assert bpy.context.active_operator.properties.noted_warning == ""


@pytest.mark.parametrize(
    ("depth", "travel"),
    [(2.0, 0.5), (0.5, 0.5), (100.0, 50.0), (18.0, 10.0), (0.3, 0.2), (0.17, 0.1), (0.004, 0.002)],
)
def test_a_slider_goes_as_far_as_suits_its_body(depth: float, travel: float) -> None:
    """Half a metre for a drawer; a share of its length for what is modelled in centimetres."""
    cabinet = slab("Cabinet", (0.0, 0.0, 0.0), (depth, depth, depth))
    drawer = slab("Drawer", (0.0, -depth, 0.0), (2.0 * depth, depth, 0.1 * depth))
    select(cabinet, drawer)
    press("omi_joint.create", kind="SLIDER", direction="GLOBAL_Y")
    [joint] = joints()
    assert ranged_limit(joint.omi_physics_joint.settings).linear_max == pytest.approx(travel)
    adjust(distance_max=0.7, place="MIDDLE")  # what was said counts
    [joint] = joints()
    assert ranged_limit(joint.omi_physics_joint.settings).linear_max == pytest.approx(0.7)
    bpy.context.view_layer.update()
    bpy.ops.omi_joint.change_type(kind="HINGE", keep_range=False)
    bpy.context.view_layer.update()
    bpy.ops.omi_joint.change_type(kind="SLIDER", keep_range=False)
    [joint] = joints()
    assert ranged_limit(joint.omi_physics_joint.settings).linear_max == pytest.approx(travel)


@pytest.mark.parametrize(("thick", "travel"), [(0.02, 0.5), (0.1, 0.5), (8.0, 5.0)])
@pytest.mark.parametrize("far", [0.0, 20.0])
def test_a_plate_slides_as_far_as_its_rail_lets_it(thick: float, travel: float, far: float) -> None:
    """A platform 1 to 10 cm thick climbs its mast of 4 m; what is long by itself is no plate."""
    mast = slab("Mast", (far, 0.0, 2.0), (0.2, 0.2, 4.0))
    lift = slab("Platform", (far + 0.6, 0.0, 0.2), (1.0, 1.0, thick))
    select(mast, lift)
    press("omi_joint.create", kind="SLIDER", direction="GLOBAL_Z")
    [joint] = joints()
    assert ranged_limit(joint.omi_physics_joint.settings).linear_max == pytest.approx(travel)


class Button:
    """An operator when its button is pressed, before it does anything."""

    def __init__(self, operator: type[bpy.types.Operator], **fields: object) -> None:
        self.properties = SimpleNamespace(is_property_set=lambda _: False)
        self._operator = operator
        self.__dict__ |= fields

    def __getattr__(self, name: str) -> Any:
        """Find methods in the class."""
        return MethodType(getattr(self._operator, name), self)

    def execute(self, _context: bpy.types.Context) -> set[str]:
        """Do nothing."""
        return {"FINISHED"}

    def press(self) -> None:
        """Press it."""
        event = SimpleNamespace(type="LEFTMOUSE")
        assert self._operator.invoke(self, bpy.context, event) == {"FINISHED"}


def test_change_axis_takes_the_axis_of_the_sidebar() -> None:
    """The button has no field of its own: what stands above it counts."""
    button = Button(OMI_JOINT_OT_reaim, direction="GLOBAL_Z")
    bpy.context.scene.omi_physics_joint.direction = "GLOBAL_X"
    button.press()
    assert button.direction == "GLOBAL_X"


@pytest.mark.parametrize(
    ("count", "wanted", "place"),
    [
        (2, "CURSOR", "CURSOR"),
        (3, "CURSOR", "NEAREST"),
        (2, "AUTO", "NEAREST"),
        (3, "AUTO", "NEAREST"),
        (3, "MIDDLE", "MIDDLE"),
    ],
)
def test_the_position_of_the_sidebar_is_kept_for_two(count: int, wanted: str, place: str) -> None:
    """At the cursor several would all be at one point; what was automatic is said to be so."""
    select(*(box(name, (2.2 * x, 0.0, 0.0)) for x, name in enumerate("ABC"[:count])))
    bpy.context.scene.omi_physics_joint.place = wanted
    button = Button(OMI_JOINT_OT_create, kind="PIN", chain=False, swap=False)
    button.press()
    assert button.place == place
    assert button.noted_automatic == (place if wanted == "AUTO" else "")


def test_the_redo_box_shows_what_can_be_said_of_this_joint() -> None:
    """Bounds are in the unit of the kind; Chain is for three; bodies that were there stay so."""
    parts = [box(name, (2.2 * x, 0.0, 0.0)) for x, name in enumerate("ABC")]
    select(*parts[:2])
    press("omi_joint.create", kind="HINGE", place="NEAREST", noted_automatic="NEAREST")
    fields = in_redo_box(OMI_JOINT_OT_create)
    assert {"angle_min", "angle_max"} <= fields.keys()
    assert not {"distance_min", "distance_max", "chain"} & fields.keys()
    assert fields["place"].text.startswith("Automatic (")
    assert fields["active_motion"].enabled
    assert fields["other_motion"].enabled
    select(*parts)
    press("omi_joint.create", kind="SLIDER", place="MIDDLE")
    fields = in_redo_box(OMI_JOINT_OT_create)
    assert {"distance_min", "distance_max", "chain"} <= fields.keys()
    assert not {"angle_min", "angle_max"} & fields.keys()
    assert fields["place"].text == ""
    assert fields["active_motion"].enabled
    select(*parts)
    press("omi_joint.create", kind="PIN")
    fields = in_redo_box(OMI_JOINT_OT_create)
    assert not fields["active_motion"].enabled
    assert not fields["other_motion"].enabled


@pytest.mark.parametrize("active", ["", "before", "selected"])
def test_objects_without_an_active_one_are_told_apart_from_none(active: str) -> None:
    """With several selected and none of them or a lamp active, the sidebar says what is missing."""
    select(box("Arm", (2.2, 0.0, 0.0)), box("Torso"))
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.collection.objects.link(lamp)
    bpy.context.view_layer.objects.active = lamp if active else None
    lamp.select_set(active == "selected")
    expected = "None of these is active: Shift-click the one that moves"
    assert what_is_joined(bpy.context) == expected
    with pytest.raises(RuntimeError, match=expected):
        bpy.ops.omi_joint.create(kind="PIN")


def test_lights_and_cameras_among_others_are_left_out_and_named() -> None:
    """A lamp in the box that was selected is not joined, which is said; one that is meant is."""
    arm, torso = box("Arm", (2.2, 0.0, 0.0)), box("Torso")
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.collection.objects.link(lamp)
    select(lamp, torso, arm)
    assert what_is_joined(bpy.context) == "Arm, on Torso, without Lamp"
    press("omi_joint.create", kind="HINGE")
    assert [joint.name for joint in joints()] == ["Arm Hinge"]
    said = bpy.context.active_operator.properties.noted_warning
    assert said == "Lights and cameras are not joined: Lamp."
    select(torso, lamp)
    assert what_is_joined(bpy.context) == "Lamp, on Torso"
    press("omi_joint.create", kind="HINGE")
    select(torso, arm, lamp)
    assert what_is_joined(bpy.context) == "2 objects and Lamp", "it is a body now"


@pytest.mark.parametrize("name", ["body_add", "body_remove", "body_copy", "from_rigid_body"])
def test_joints_are_no_bodies_to_be_made(name: str) -> None:
    """Entries for bodies are grey where only joints are selected, and say why."""
    frame, door = box("Frame"), box("Door", (2.2, 0.0, 0.0))
    select(frame, door)
    press("omi_joint.create", kind="HINGE")
    operator = getattr(bpy.ops.omi_joint, name)
    assert not operator.poll()
    with pytest.raises(RuntimeError, match="these are joints"):
        operator()
    select(bpy.context.object, door)
    assert operator.poll()


def test_the_tip_of_a_grey_button_says_what_is_missing_once() -> None:
    """Blender puts the reason below the tip; the tip itself does not say it too."""
    button = SimpleNamespace(kind="HINGE")
    tip = OMI_JOINT_OT_create.description(bpy.context, button)
    assert tip == "Let the active body turn about one axis, like a door"


@pytest.mark.parametrize("lengths", [(2.0, 0.03), (0.05, 2.0), (0.002, 0.002), (40.0, 9.0)])
def test_the_empty_of_a_joint_leaves_room_to_click_on_its_bodies(
    lengths: tuple[float, float],
) -> None:
    """It reaches over half of the smaller body at most: a handle on a door, a door on a pin."""
    sizes = [(0.5 * length, length, 0.1 * length) for length in lengths]
    still, moving = (slab("Body", (0.0, size[1], 0.0), size) for size in sizes)
    select(still, moving)
    press("omi_joint.create", kind="HINGE")
    [joint] = joints()
    shortest = min(lengths)
    assert 0.3 * shortest < joint.empty_display_size <= 0.5001 * shortest


@pytest.mark.parametrize("plain", [(True, False), (False, True), (True, True)])
def test_the_empty_of_a_joint_of_bodies_without_extent_is_seen(plain: tuple[bool, bool]) -> None:
    """What has no size says nothing of it: the other body does, or else half a metre."""
    pair = []
    for is_plain, name in zip(plain, ("Still", "Moving"), strict=True):
        mesh = bpy.data.meshes.new(name) if is_plain else None
        pair.append(bpy.data.objects.new(name, mesh) if is_plain else box(name))
        if is_plain:
            bpy.context.scene.collection.objects.link(pair[-1])
    joint = joined("HINGE", *pair)
    assert joint.empty_display_size == pytest.approx(0.5 if all(plain) else 0.35 * 2.0, rel=0.5)


def test_imported_joints_are_drawn_as_large_as_new_ones(tmp_path: Path) -> None:
    """A file says nothing of how large a joint is drawn: it suits the body that moves."""
    frame, door = box("Frame"), box("Door", (2.2, 0.0, 0.0))
    new = joined("HINGE", frame, door).empty_display_size
    for target in ("SPECIFIED", "GODOT"):
        bpy.context.scene.omi_physics_joint.target = target
        bpy.ops.export_scene.gltf(filepath=str(tmp_path / f"{target}.glb"))
    for target in ("SPECIFIED", "GODOT"):
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=str(tmp_path / f"{target}.glb"))
        [joint] = joints()
        assert joint.empty_display_size == pytest.approx(new), target


@pytest.mark.parametrize(
    ("data", "option", "label"),
    [("lights", "export_lights", "Punctual Lights"), ("cameras", "export_cameras", "Cameras")],
)
def test_a_lamp_as_a_body_is_said_to_be_left_out(data: str, option: str, label: str) -> None:
    """Add Joint and Check warn of bodies that the exporter leaves out, unless it writes them."""
    cabinet = box("Cabinet")
    kind = ("POINT",) if data == "lights" else ()
    lamp = bpy.data.objects.new("Lamp", getattr(bpy.data, data).new("Lamp", *kind))
    bpy.context.scene.collection.objects.link(lamp)
    lamp.location = (3.0, 0.0, 0.0)
    select(cabinet, lamp)
    press("omi_joint.create", kind="HINGE")
    said = f"glTF files have it only with {label} on at export."
    assert said in bpy.context.active_operator.properties.noted_warning
    assert issues()["body-left-out"] == "warning"
    bpy.context.scene["glTF2ExportSettings"] = {option: True}
    assert "body-left-out" not in issues()
    select(cabinet, lamp)
    press("omi_joint.create", kind="PIN")
    assert said not in bpy.context.active_operator.properties.noted_warning
    assert option in bpy.ops.export_scene.gltf.get_rna_type().properties


@pytest.mark.parametrize(("field", "other"), [("min", "max"), ("max", "min")])
def test_a_bound_that_is_typed_up_to_the_other_leaves_both_fields(field: str, other: str) -> None:
    """Who wants 90 to 180 degrees types 90 first, and then nothing is allowed for a moment."""
    _, _, joint = door()
    block = joint.omi_physics_joint.settings
    item = ranged_limit(block)
    setattr(item, f"angular_{field}", getattr(item, f"angular_{other}"))
    assert ranged_limit(block) == item


def test_parts_of_a_trigger_are_other_triggers() -> None:
    """Neither itself, nor what is solid, nor what is no body at all can be picked."""
    above, *parts, solid, other = map(box, ("Above", "Left", "Right", "Solid", "Other"))
    for obj in (above, *parts):
        obj.omi_physics_body.use_trigger = True
    solid.omi_physics_body.use_collider = True
    node = above.omi_physics_body.trigger.nodes.add()
    (poll,) = (
        field.keywords["poll"]
        for name, field in OMI_JOINT_PG_trigger_node.__annotations__.items()
        if name == "object"
    )
    assert [obj for obj in bpy.data.objects if poll(node, obj)] == [*parts], other.name
