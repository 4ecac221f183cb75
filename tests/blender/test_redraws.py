# SPDX-License-Identifier: GPL-3.0-or-later
"""What shows joints is drawn anew whenever one of our operators has changed something."""

from __future__ import annotations

from inspect import signature

import bpy
import pytest

from omi_physics_joint.blender import CLASSES
from omi_physics_joint.blender.check.report import is_old
from omi_physics_joint.blender.interface import redrawing
from omi_physics_joint.blender.registration import ROOT
from tests.scenes import box, door, issues, select


@pytest.fixture
def redraws(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows with every redraw that is asked for."""
    asked: list[int] = []
    monkeypatch.setattr(redrawing, "redraw", lambda: asked.append(1))
    return asked


def test_creating_editing_presets_and_fixes_redraw(redraws: list[int]) -> None:
    """Each button that edits a joint asks for a redraw when it is done, a preset too."""
    _, _, hinge = door()
    assert redraws
    (preset,) = (ROOT / "presets").rglob("Pin.json")
    for press in (
        lambda: bpy.ops.omi_joint.list_edit(target="limits", action="ADD"),
        lambda: bpy.ops.omi_joint.preset_apply(filepath=str(preset)),
        bpy.ops.omi_joint.settings_new,
        bpy.ops.omi_joint.swap_sides,
    ):
        select(hinge)
        redraws.clear()
        assert press() == {"FINISHED"}
        assert redraws


def test_a_fix_redraws(redraws: list[int]) -> None:
    """Fix asks for a redraw, and so does Check."""
    _, _, hinge = door()
    hinge.omi_physics_joint.settings = None
    redraws.clear()
    assert "joint-without-settings" in issues()
    assert redraws
    redraws.clear()
    assert bpy.ops.omi_joint.issue_fix(index=0) == {"FINISHED"}
    assert redraws


@pytest.mark.parametrize("action", ["ADD", "REMOVE", "UP", "DOWN"])
def test_what_was_found_is_old_only_where_a_button_has_done_something(action: str) -> None:
    """Of no drives none can be removed or moved, so what Check found is still true."""
    _, _, hinge = door()
    issues()
    select(hinge)
    does = action == "ADD"
    pressed = bpy.ops.omi_joint.list_edit(target="drives", action=action)
    assert pressed == {"FINISHED" if does else "CANCELLED"}
    assert is_old(bpy.context.window_manager.omi_physics_joint, bpy.context.scene) is does


def test_every_operator_of_ours_redraws() -> None:
    """No operator is left out, and Blender still counts the arguments that it knows."""
    ours = [one for one in CLASSES if issubclass(one, bpy.types.Operator)]
    assert len(ours) > 20
    for one in ours:
        for name, count in (("execute", 2), ("invoke", 3), ("modal", 3)):
            method = vars(one).get(name)
            if method is not None:
                assert hasattr(method, "__wrapped__"), f"{one.__name__}.{name}"
                assert len(signature(method).parameters) == count


def test_properties_and_3d_views_are_drawn_anew_and_nothing_else() -> None:
    """All regions of both editors are meant; the timeline and the outliner have no joints."""
    box("Anything")
    found = set()
    for screen in bpy.data.screens:
        regions = set(redrawing.regions_of(screen))
        for area in screen.areas:
            meant = {region in regions for region in area.regions}
            if meant:
                assert meant == {area.type in {"PROPERTIES", "VIEW_3D"}}
                found.add(area.type)
    assert {"PROPERTIES", "VIEW_3D"} <= found or not bpy.data.screens
