# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of whole mechanisms is so now, of each object, and of as many as there are."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import bpy
import pytest

from omi_physics_joint.blender.articulation import panels
from omi_physics_joint.blender.articulation.connected_objects import shown_whole, whole_of
from tests.blender.test_mechanism_moves import chain, selected
from tests.layouts import Context, Layout
from tests.scenes import box, four_bar, joined, select


def told(whole: object) -> object:
    """Return all that can be seen of a whole mechanism, by names."""
    if whole is None:
        return None
    return (
        sorted(one.name for one in whole.joints),
        [one.name for one in whole.bodies],
        [panels.size_of(one) for one in whole.articulations],
        whole.standing and whole.standing.name,
    )


def heavier(body: bpy.types.PropertyGroup, is_other: bool) -> None:
    """Make it heavier."""
    body.mass = 50.0 if is_other else 1.0


def immovable(body: bpy.types.PropertyGroup, is_other: bool) -> None:
    """Have no force move it."""
    body.infinite_mass = is_other


def slow(body: bpy.types.PropertyGroup, is_other: bool) -> None:
    """Have it resist turning."""
    body.inertia_diagonal = (9.0, 9.0, 9.0) if is_other else (0.0, 0.0, 0.0)


def static(body: bpy.types.PropertyGroup, is_other: bool) -> None:
    """Have it stand."""
    body.type = "static" if is_other else "dynamic"


def kinematic(body: bpy.types.PropertyGroup, is_other: bool) -> None:
    """Have it be led."""
    body.type = "kinematic" if is_other else "dynamic"


EDITS = (heavier, immovable, slow, static, kinematic)


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize("edit", EDITS, ids=lambda one: one.__name__)
def test_what_is_shown_follows_each_body_there_and_back(edit: Callable[..., None], at: int) -> None:
    """It is what is found anew, from wherever it is looked at, one after the other."""
    bodies, joints = chain()
    scene = bpy.context.scene
    others = [bpy.data.scenes.new(name) for name in ("A part", "Without the last body")]
    for other, count in zip(others, (1, len(joints)), strict=True):
        for obj in bodies[:2] + joints[:count]:
            other.collection.objects.link(obj)
    for is_other in (False, True, False, True):
        edit(bodies[at].omi_physics_body, is_other)
        bpy.context.view_layer.update()
        for obj in (*bodies, joints[0]):
            for where in (scene, *others, scene):
                assert told(shown_whole(obj, where)) == told(whole_of(obj, where))


def drawn(obj: bpy.types.Object) -> list[str]:
    """Return the lines of the panel while an object is active."""
    select(obj)
    bpy.context.view_layer.update()
    layout = Layout()
    layout.context = Context()
    panel = SimpleNamespace(layout=layout)
    panels.OMI_JOINT_PT_sidebar_articulation.draw_inside(panel, layout, bpy_context(layout, obj))
    return layout.lines()


def bpy_context(layout: Layout, obj: bpy.types.Object) -> object:
    """Return a context in which an object is active."""
    return Context(object=obj, scene=bpy.context.scene)


@pytest.mark.parametrize("place", [(30.0, 0.0, 0.0), (0.0, 0.0, 0.0)])
def test_instances_of_a_mechanism_are_none_of_it(place: tuple[float, ...]) -> None:
    """What stands in the scene and is instanced there too is told as if it stood alone."""
    bodies, joints = chain()
    collection, scene = bpy.data.collections.new("Chain"), bpy.context.scene
    for obj in (*bodies, *joints):
        scene.collection.objects.unlink(obj)
        collection.objects.link(obj)
    scene.collection.children.link(collection)
    before = [told(whole_of(obj, scene)) for obj in (*bodies, *joints)]
    assert None not in before
    bpy.ops.object.collection_instance_add(collection="Chain", location=place)
    bpy.context.view_layer.update()
    assert [told(whole_of(obj, scene)) for obj in (*bodies, *joints)] == before


@pytest.mark.parametrize("count", [1, 2, 8, 9, 11])
def test_mechanisms_on_one_post_are_listed_and_the_rest_is_counted(count: int) -> None:
    """Eight of them, each with its root."""
    post = box("Post")
    for at in range(count):
        joined("HINGE", post, box(f"Arm {at}", (3.0 * at + 3.0, 0.0, 0.0)), direction="GLOBAL_Y")
    lines = drawn(post)
    roots = [at for at in range(count) if any(f'"Arm {at}"' in one for one in lines)]
    assert roots == list(range(min(count, 8)))
    more = [one for one in lines if "more" in one]
    assert len(more) == (count > 8)
    assert all(f"and {count - 8} more" in one for one in more)


@pytest.mark.parametrize("count", [0, 1, 2, 8, 9, 10])
def test_joints_that_close_loops_are_listed_and_counted(count: int) -> None:
    """All of one mechanism, by their names; one is a joint, two are joints."""
    bodies, joints = chain(2)
    for at in range(count):
        bpy.context.scene.cursor.location = (1.5, 0.0, 5.0 + at)
        loop = joined("PIN", bodies[0], bodies[1], place="CURSOR")
        loop.name = f"Loop {at}"
    names = {one.name for one in (*joints, *bpy.data.objects) if one.omi_physics_joint.is_joint}
    lines = drawn(bodies[0])
    heading = [one for one in lines if "closing a loop" in one]
    assert len(heading) == bool(count)
    noun = "1 joint closing" if count == 1 else f"{count} joints closing"
    assert all(noun in one for one in heading)
    listed = {name for name in names for one in lines if f'"{name}"' in one}
    assert len(listed) == min(count, 8)
    more = [one for one in lines if "more" in one]
    assert len(more) == (count > 8)
    assert all(f"and {count - 8} more" in one for one in more)


@pytest.mark.parametrize("motion", ["dynamic", "static", "kinematic"])
def test_a_joint_is_said_to_be_below_what_holds_it(motion: str) -> None:
    """Between two bodies by the names of both, whichever of them moves."""
    post, arm = box("Post"), box("Arm", (3.0, 0.0, 0.0))
    joint = joined("HINGE", post, arm, direction="GLOBAL_Y")
    post.omi_physics_body.type = motion
    (line,) = [one for one in drawn(joint) if " > " in one]
    assert "Post" in line
    assert "Arm" in line
    assert "the world" not in line


LEFT: dict[str, Callable[[bpy.types.Object], None]] = {
    "locked along one axis": lambda obj: setattr(obj, "lock_location", (False, True, False)),
    "locked along all": lambda obj: setattr(obj, "lock_location", (True, True, True)),
    "not to be selected": lambda obj: setattr(obj, "hide_select", True),
    "switched off": lambda obj: setattr(obj, "hide_viewport", True),
}


@pytest.mark.parametrize("which", [(), (0,), (2,), (0, 1), (0, 1, 2)])
@pytest.mark.parametrize("how", LEFT)
def test_all_that_would_be_left_behind_are_named(
    how: str, which: tuple[int, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    """And nothing else; what is hidden is shown, and what was selected elsewhere is let go."""
    bodies, _ = chain()
    bodies[1].hide_set(True)
    other = box("Bystander", (0.0, 9.0, 0.0))
    select(other, bodies[2])
    for at in which:
        LEFT[how](bodies[at])
    bpy.context.view_layer.objects.active = bodies[2]
    capfd.readouterr()
    assert bpy.ops.omi_joint.select_mechanism() == {"FINISHED"}
    said = capfd.readouterr()
    text = said.out + said.err
    assert not bodies[1].hide_get()
    assert "Bystander" not in selected()
    if which:
        assert [at for at in range(3) if f"Link {at}" in text] == list(which)
    else:
        assert "Selected 3 objects" in text


def test_four_bars_have_one_loop() -> None:
    """Whatever is active of it."""
    made = four_bar()
    for joint in made.values():
        assert len([one for one in drawn(joint) if "1 joint closing a loop" in one]) == 1
