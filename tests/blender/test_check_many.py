# SPDX-License-Identifier: GPL-3.0-or-later
"""What Check says of many objects alike: shown once, selected at once, and counted one by one."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from layouts import Context, Drawing, Layout
from omi_export import add_body, box_mesh
from scenes import door, instanced, issues

from omi_physics_joint.blender.check.panels import OMI_JOINT_UL_issues, draw_issue
from omi_physics_joint.blender.check.report import is_old
from omi_physics_joint.model.issue import ALIKE

CODE = "body-without-collider"


def lines() -> list[Any]:
    """Check, and return the lines of its list that are shown."""
    issues()
    report = bpy.context.window_manager.omi_physics_joint
    view = Drawing(OMI_JOINT_UL_issues, SimpleNamespace(bitflag_filter_item=1))
    flags, order = view.filter_items(bpy.context, report, "issues")
    assert order == []
    return [one for one, flag in zip(report.issues, flags, strict=True) if flag]


def fallers(count: int) -> list[bpy.types.Object]:
    """Add bodies that fall through everything, the last of them hidden."""
    found = [add_body(f"Faller {number}", data=box_mesh()) for number in range(count)]
    found[-1].hide_set(True)
    return found


@pytest.mark.parametrize("count", [ALIKE, ALIKE + 1])
def test_many_alike_are_one_line_and_one_click(
    count: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """Up to five have a line each; six have one, which counts, names and selects all of them."""
    bodies, is_one = fallers(count), count > ALIKE
    other = add_body("Wall", "static", data=box_mesh())
    other.omi_physics_body.use_collider = True
    other.select_set(True)
    capfd.readouterr()
    shown = [one for one in lines() if one.code == CODE]
    printed = [line for line in capfd.readouterr().err.splitlines() if "no collider" in line]
    assert len(shown) == len(printed) == (1 if is_one else count)
    report = bpy.context.window_manager.omi_physics_joint
    every = [one for one in report.issues if one.code == CODE]
    assert [one.where for one in every] == [one.object_name for one in every]
    assert {one.where for one in every} == {body.name for body in bodies}
    if is_one:
        names = "Faller 0, Faller 1, Faller 2 and 3 others"
        assert shown[0].told == f"{count} times ({names})"
        assert printed[0].startswith(f"hint: {count} times ({names}): This dynamic body")
    index = list(report.issues).index(shown[0])
    assert bpy.ops.omi_joint.issue_select(index=index) == {"FINISHED"}
    chosen = {obj.name for obj in bpy.context.selected_objects}
    assert chosen == ({body.name for body in bodies} if is_one else {bodies[0].name})
    assert bpy.context.object == bodies[0]
    assert "Wall" not in chosen


def test_what_is_gone_from_a_group_is_left_out() -> None:
    """Five of seven that are left are selected; another object of the name elsewhere is not."""
    bodies = fallers(ALIKE + 2)
    [line] = [one for one in lines() if one.code == CODE]
    bpy.data.objects.remove(bodies[2])
    bpy.context.scene.collection.objects.unlink(bodies[3])
    index = list(bpy.context.window_manager.omi_physics_joint.issues).index(line)
    assert bpy.ops.omi_joint.issue_select(index=index) == {"FINISHED"}
    left = {f"Faller {number}" for number in (0, 1, 4, 5, 6)}
    assert {obj.name for obj in bpy.context.selected_objects} == left


@pytest.mark.parametrize("inside", [False, True])
def test_what_is_inside_an_instance_is_not_mended_from_outside(inside: bool) -> None:
    """The line is of the instance that shows it, and mending that would mend something else."""
    frame, leaf, hinge = door()
    hinge.omi_physics_joint.mute = True
    shower = instanced(frame, leaf, hinge) if inside else hinge
    issues()
    found = bpy.context.window_manager.omi_physics_joint.issues
    told = [(one.object_name, one.can_fix) for one in found if one.code == "joint-muted"]
    assert told == [(shower.name, not inside)]


def leave(obj: bpy.types.Object) -> None:
    """Take an object out of the scene and leave it in the file."""
    for collection in obj.users_collection:
        collection.objects.unlink(obj)


GOING: dict[str, Callable[[bpy.types.Object], object]] = {
    "deleted": lambda obj: bpy.data.batch_remove([obj]),
    "renamed": lambda obj: setattr(obj, "name", "Other"),
    "unlinked": leave,
}


@pytest.mark.parametrize("go", GOING.values(), ids=GOING)
def test_fix_is_grey_for_what_is_gone(go: Callable[[bpy.types.Object], object]) -> None:
    """Neither button of a line can be pressed once its object is gone, and results are old."""
    _, leaf, hinge = door()
    hinge.omi_physics_joint.mute = True
    issues()
    report = bpy.context.window_manager.omi_physics_joint
    report.active = next(i for i, one in enumerate(report.issues) if one.code == "joint-muted")
    for is_gone in (False, True):
        if is_gone:
            go(hinge)
        layout = Layout()
        draw_issue(layout, Context(), report)
        drawn = "\n".join(layout.lines())
        assert drawn.count("{locked}") == 2 * is_gone, drawn
        assert is_old(report, bpy.context.scene) is is_gone
    assert leaf.name in bpy.context.scene.objects


def test_the_worst_is_shown_first_whatever_was_looked_at_before() -> None:
    """A new list begins at its head, also where it is shorter than the line that was active."""
    hinges = [door()[2] for _ in range(3)]
    report = bpy.context.window_manager.omi_physics_joint
    for hinge in hinges:
        hinge.omi_physics_joint.mute = True
        bpy.ops.omi_joint.check()
        assert report.active == 0
        report.active = len(report.issues) - 1
    assert report.active > 1
