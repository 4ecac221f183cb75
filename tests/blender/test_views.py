# SPDX-License-Identifier: GPL-3.0-or-later
"""What a 3D view shows of joints follows whatever it depends on, in each view by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from omi_physics_joint.blender.overlay import extras, labels, viewport
from omi_physics_joint.blender.overlay.viewport import Canvas
from omi_physics_joint.drawing.played import Arrow, TouchMarks
from omi_physics_joint.drawing.strokes import Pen, Role
from tests.blender.test_overlay import drawn
from tests.scenes import box, door, joined, select, separated

Look = list[np.ndarray]
HEIGHT = 400


@pytest.fixture(autouse=True)
def card(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A card that keeps the numbers of what it is given, and a view from above."""

    def batch(_kind: str, _shader: str, made: Any) -> tuple[np.ndarray, np.ndarray]:
        return made.points.copy(), made.colours.copy()

    monkeypatch.setattr(viewport, "_batch", batch)
    state = SimpleNamespace(viewport_get=lambda: (0, 0, HEIGHT, HEIGHT))
    matrix = SimpleNamespace(
        get_model_view_matrix=lambda: Matrix.Translation((0.0, 0.0, -10.0)),
        get_projection_matrix=lambda: Matrix.Diagonal((0.2, 0.2, -0.01, 1.0)),
    )
    monkeypatch.setattr(viewport, "gpu", SimpleNamespace(state=state, matrix=matrix))
    viewport._kept.clear()
    yield
    extras.show()
    viewport._kept.clear()


def view() -> bpy.types.SpaceView3D:
    """Return the 3D view of the first window."""
    area = bpy.context.window_manager.windows[0].screen.areas[0]
    area.type = "VIEW_3D"
    return area.spaces.active


def seen_in(layer: bpy.types.ViewLayer | None = None) -> SimpleNamespace:
    """Return the context of the view, of a view layer or else the active one."""
    layer = layer or bpy.context.view_layer
    return SimpleNamespace(
        scene=layer.id_data,
        view_layer=layer,
        space_data=view(),
        preferences=bpy.context.preferences,
        region=SimpleNamespace(width=HEIGHT, height=HEIGHT),
    )


def look(layer: bpy.types.ViewLayer | None = None) -> Look:
    """Return all numbers that a view gives to the card, after what Blender does in between.

    Of a view layer that is named two windows are drawn one after the other: nothing is in between.
    """
    if layer is None:
        bpy.context.view_layer.update()
    ready = viewport.update_view(seen_in(layer))
    parts = [part for one in ready for part in (*one.lines.values(), one.fills) if part]
    return [numbers for part in parts for numbers in part]


def first_look(layer: bpy.types.ViewLayer | None = None) -> Look:
    """Return the same as one sees it who has kept nothing."""
    kept = dict(viewport._kept)
    viewport._kept.clear()
    found = look(layer)
    viewport._kept.clear()
    viewport._kept.update(kept)
    return found


def summed(found: Look) -> list[float]:
    """Return what is drawn whichever of the two pools it is in."""
    points = [one for one in found if one.shape[1] == 3]
    colours = [one for one in found if one.shape[1] == 4]
    return [
        float(sum(len(one) for one in points)),
        *(sum(one.sum(0, dtype=float) for one in points) if points else ()),
        *(sum(one.sum(0, dtype=float) for one in colours) if colours else ()),
        *(sum((one**2).sum(0, dtype=float) for one in points) if points else ()),
    ]


def same(one: Look, other: Look) -> bool:
    """Return whether two views look alike."""
    mine, its = summed(one), summed(other)
    return len(mine) == len(its) and np.allclose(mine, its, rtol=1e-4, atol=1e-3)


Objects = tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]
Edit = Callable[[Objects, bool], None]


def option(name: str) -> Edit:
    """Return what sets an option of the overlay."""

    def edit(_: Objects, is_other: bool) -> None:
        options = bpy.context.scene.omi_physics_overlay
        usual = options.bl_rna.properties[name].default
        other = 2.0 * usual if isinstance(usual, float) else not usual
        setattr(options, name, other if is_other else usual)

    edit.__name__ = name
    return edit


def theme(group: str, name: str) -> Edit:
    """Return what sets a colour of the user's theme."""
    usual: list[tuple[float, ...]] = []

    def edit(_: Objects, is_other: bool) -> None:
        owner = getattr(bpy.context.preferences.themes[0], group)
        usual.append(tuple(getattr(owner, name)))
        setattr(owner, name, (0.1, 0.9, 0.3) if is_other else usual[0])

    edit.__name__ = name
    return edit


def active(objects: Objects, is_other: bool) -> None:
    """Make another object active."""
    select(objects[1] if is_other else objects[2])


def nothing_selected(objects: Objects, is_other: bool) -> None:
    """Select nothing at all."""
    select(objects[2])
    objects[2].select_set(not is_other)
    bpy.context.view_layer.objects.active = None if is_other else objects[2]


def hidden(objects: Objects, is_other: bool) -> None:
    """Hide the joint."""
    objects[2].hide_set(is_other)


def switched_off(objects: Objects, is_other: bool) -> None:
    """Switch the joint off in views."""
    objects[2].hide_viewport = is_other


def no_empties(_: Objects, is_other: bool) -> None:
    """Have the view show no empties."""
    view().show_object_viewport_empty = not is_other


def excluded(objects: Objects, is_other: bool) -> None:
    """Leave the joint's collection out of the view layer."""
    name = "Joints"
    if name not in bpy.data.collections:
        made = bpy.data.collections.new(name)
        bpy.context.scene.collection.children.link(made)
        made.objects.link(objects[2])
        bpy.context.scene.collection.objects.unlink(objects[2])
    bpy.context.view_layer.layer_collection.children[name].exclude = is_other
    if not is_other:  # Blender has let go of it
        objects[2].select_set(True)
        bpy.context.view_layer.objects.active = objects[2]


def broken(objects: Objects, is_other: bool) -> None:
    """Have play say that it broke."""
    extras.show(broken=[objects[2].name] if is_other else [])


def led(objects: Objects, is_other: bool) -> None:
    """Have the other body move, while that is active: the joint is seen from there."""
    select(objects[0])
    objects[0].omi_physics_body.type = "dynamic" if is_other else "static"


def gone(objects: Objects, is_other: bool) -> None:
    """Take the second body out of the scene."""
    links = bpy.context.scene.collection.objects
    (links.unlink if is_other else links.link)(objects[0])


EDITS: tuple[Edit, ...] = (
    *map(option, ("only_selected", "frames", "limits", "values", "drives", "size")),
    *(theme("user_interface", f"axis_{one}") for one in "xyz"),
    *(theme("view_3d", f"object_{one}") for one in ("selected", "active")),
    *(active, nothing_selected, hidden, switched_off, no_empties, excluded, broken, led),
)


@pytest.mark.parametrize("special", [False, True])
@pytest.mark.parametrize("edit", EDITS, ids=lambda one: one.__name__)
def test_a_view_follows_there_and_back(edit: Edit, *, special: bool) -> None:
    """It is what a first look shows, also in a view that shows less than the others."""
    objects = door(direction="GLOBAL_Z", angle_min=0.0, angle_max=1.0)
    drive = objects[2].omi_physics_joint.settings.drives.add()
    drive.freedom, drive.axis, drive.use_position_target = "angular", "2", True
    drive.angular_position_target = 0.5
    other = joined("PIN", box("Post", (0.0, 9.0, 0.0)), box("Ball", (2.0, 9.0, 0.0)))
    joined("WELD", box("Wall", (0.0, 18.0, 0.0)), box("Shelf", (2.0, 18.0, 0.0)))
    select(other, objects[2])
    if special:
        view().use_local_collections = True
    edit(objects, False)
    before = look()
    for _ in range(2):
        edit(objects, True)
        after = look()
        assert not same(after, before)
        assert same(after, first_look())
        edit(objects, False)
        assert same(look(), before)
        assert same(before, first_look())
    view().use_local_collections = False
    view().show_object_viewport_empty = True


@pytest.mark.parametrize("of_scene", [False, True])
def test_each_view_layer_and_scene_is_drawn_as_itself(of_scene: bool) -> None:
    """Whichever was drawn last, and whichever is active."""
    _, _, hinge = door(angle_min=0.0, angle_max=1.0)
    scene = bpy.context.scene
    if of_scene:
        other = bpy.data.scenes.new("Other")
        other.view_layers[0].name = bpy.context.view_layer.name
        for obj in (*scene.objects, *door()[:0]):
            other.collection.objects.link(obj)
        layers = [scene.view_layers[0], other.view_layers[0]]
    else:
        layers = [scene.view_layers[0], scene.view_layers.new("Second")]
    for layer in layers:  # what is active would tell them apart
        layer.objects.active = None
    hinge.hide_set(True, view_layer=layers[1])
    layers[1].update()
    shown, none = first_look(layers[0]), first_look(layers[1])
    assert shown
    assert not none
    for at in (0, 1, 0, 0, 1, 1, 0):
        assert same(look(layers[at]), (shown, none)[at])


def touches(size: float) -> TouchMarks:
    """Return a point where bodies touch."""
    one = np.ones(1)
    force = np.array([[0.0, size, 0.0]])
    return TouchMarks(np.zeros((1, 3)), force, 100.0 * one, one)


SHOWN: dict[str, Any] = {
    "forces": [Arrow((0.0, 0.0, 0.0), (100.0, 0.0, 0.0), "force", 10.0, 1.0)],
    "pins": [(1.0, 0.0, 0.0)],
    "spring": ((0.5, 0.5, 0.0), (1.5, 0.0, 0.0)),
    "touches": touches(50.0),
}


@pytest.mark.parametrize("name", SHOWN)
def test_each_thing_that_play_adds_is_drawn_alone_and_goes(name: str) -> None:
    """Whatever else there is or is not; forces by the size that the user gives them."""
    options = bpy.context.scene.omi_physics_overlay
    assert not look()
    seen = []
    for factor in (1.0, 0.5, 1.0):
        options.force_size = factor
        extras.show(**{name: SHOWN[name]})
        shown = look()
        assert shown
        assert same(shown, first_look())
        seen.append(summed(shown))
        options.force_size = 0.75
        assert same(look(), first_look())
        extras.show()
        assert not look()
    assert seen[0] == seen[2]
    assert (seen[0] != seen[1]) is (name in {"forces", "touches"})


@pytest.mark.parametrize("in_front", [False, True])
@pytest.mark.parametrize("pixel", [1.0, 2.0])
def test_a_floor_is_behind_what_stands_on_it(
    in_front: bool, pixel: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Joints and outlines may be in front of all; lines are as wide as the screen is fine."""
    door()
    asked: list[Canvas] = []
    monkeypatch.setattr(viewport, "draw", lambda _, canvas: asked.append(canvas))
    options = bpy.context.scene.omi_physics_overlay
    options.in_front, options.line_width = in_front, 1.5
    pen = Pen()
    pen.path([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)], Role.FLOOR)
    context = seen_in()
    system = SimpleNamespace(pixel_size=pixel, ui_scale=1.0)
    context.preferences = SimpleNamespace(system=system, themes=bpy.context.preferences.themes)
    for floor, expected in ((pen.sketch(), [False, in_front]), (None, [in_front])):
        extras.show(floor=floor)
        asked.clear()
        viewport._draw_joints(context)
        assert [one.in_front for one in asked] == expected
        assert {one.width for one in asked} == {1.5 * pixel}
        assert {one.size for one in asked} == {(HEIGHT, HEIGHT)}


@pytest.mark.parametrize(
    "edit", [hidden, switched_off, excluded, broken], ids=lambda one: one.__name__
)
def test_numbers_stand_beside_joints_that_are_seen_and_whole(edit: Edit) -> None:
    """There and back: a joint that is active and hidden has none."""
    objects = door(direction="GLOBAL_Z", angle_min=0.0, angle_max=1.0)
    for is_other in (False, True, False):
        edit(objects, is_other)
        if edit is not excluded:
            select(objects[2])
        assert bool([*labels._values(bpy.context, drawn())]) is not is_other


@pytest.mark.parametrize("outer", [False, True])
@pytest.mark.parametrize("inner", [False, True])
def test_joints_in_nested_instances_are_seen_with_what_shows_them(outer: bool, inner: bool) -> None:
    """The outermost instancer decides; that within stands in a collection of its own."""
    objects = door(angle_min=0.0, angle_max=1.0)
    made = [bpy.data.collections.new(name) for name in ("Doors", "House")]
    for obj in objects:
        bpy.context.scene.collection.objects.unlink(obj)
        made[0].objects.link(obj)
    shows = []
    for collection, home in ((made[0], made[1]), (made[1], bpy.context.scene.collection)):
        empty = bpy.data.objects.new(f"Of {collection.name}", None)
        empty.instance_type, empty.instance_collection = "COLLECTION", collection
        home.objects.link(empty)
        shows.append(empty)
    bpy.context.view_layer.update()
    assert look()
    shows[0].hide_viewport, shows[1].hide_viewport = inner, outer
    assert bool(look()) is not outer


@pytest.mark.parametrize("which", [0, 1])
def test_a_joint_whose_body_is_in_another_scene_holds_nothing(which: int) -> None:
    """It is drawn as one that is broken, until its body is here again."""
    objects = door(angle_min=0.0, angle_max=1.0)
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(objects[which])
    for is_there in (True, False, True):
        links = bpy.context.scene.collection.objects
        if is_there and objects[which].name not in links:
            links.link(objects[which])
        elif not is_there:
            links.unlink(objects[which])
        assert drawn().broken.tolist() == [not is_there]


def test_a_joint_of_a_body_with_itself_holds_nothing() -> None:
    """It is drawn as one that is broken, until it has a second body."""
    frame, leaf, hinge = door(angle_min=0.0, angle_max=1.0)
    own = leaf if hinge.parent == leaf else frame
    other = frame if own == leaf else leaf
    for is_whole in (True, False, True):
        hinge.omi_physics_joint.connected_body = other if is_whole else own
        assert drawn().broken.tolist() == [not is_whole]


@pytest.mark.parametrize("active", ["joint", "second", "body", "other body", "nothing"])
def test_a_joint_is_lit_by_its_frames_and_lit_less_by_its_bodies(active: str) -> None:
    """Each of its two frames stands for it; numbers are beside it then."""
    frame, leaf, hinge = door(angle_min=0.0, angle_max=1.0)
    second = separated(hinge)
    named = {"joint": hinge, "second": second, "body": leaf, "other body": frame}
    if active in named:
        select(named[active])
    else:
        for obj in bpy.context.selected_objects:
            obj.select_set(False)
        bpy.context.view_layer.objects.active = None
    lit = {"joint": 2, "second": 2, "body": 1, "other body": 1, "nothing": 0}[active]
    seen = drawn()
    assert seen.emphasis.tolist() == [lit]
    assert seen.active == (0 if lit == 2 else None)
