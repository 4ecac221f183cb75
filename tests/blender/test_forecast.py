# SPDX-License-Identifier: GPL-3.0-or-later
"""The export dialog says what the file will hold, whatever part of the scenes is chosen."""

from __future__ import annotations

import inspect
from types import SimpleNamespace

import bpy
import pytest
from io_scene_gltf2.blender.exp import tree
from scenes import box, door, select

from omi_physics_joint.blender.gltf_hooks.forecast import SETTINGS, forecast, options_in

DOOR, BOTH = "2 bodies, 1 joint and 2 colliders", "3 bodies, 1 joint and 3 colliders"


def test_options_are_those_of_the_exporter() -> None:
    """Of its dialog, of its settings, and asked for where it walks its own tree."""
    dialog = bpy.ops.export_scene.gltf.get_rna_type().properties
    walked = inspect.getsource(tree)
    for setting, option in SETTINGS.items():
        assert option in dialog or option in bpy.types.ExportHandler.bl_rna.properties, option
        assert f"'{setting}'" in walked or f'"{setting}"' in walked, setting


def test_scenes_count_unless_one_is_meant() -> None:
    """The exporter writes all scenes, but of a collection or the active scene only this one."""
    door()
    here, there = bpy.context.scene, bpy.data.scenes.new("There")
    lone = box("Lone")
    here.collection.objects.unlink(lone)
    there.collection.objects.link(lone)
    lone.omi_physics_body.is_body = lone.omi_physics_body.use_collider = True
    parts = bpy.data.collections.new("Parts")
    here.collection.children.link(parts)
    for obj in list(here.collection.objects):
        parts.objects.link(obj)
    assert forecast({}) == (BOTH, "")
    assert forecast({"use_active_scene": True}) == (DOOR, "")
    assert forecast({"use_active_scene": False}) == (BOTH, "")
    assert forecast({"collection": "Parts"}) == (DOOR, "")


def test_what_is_hidden_stays_at_home_where_that_is_chosen() -> None:
    """Visible, renderable or selected objects alone, and what belongs to them."""
    _, leaf, _ = door()
    bpy.context.scene.omi_physics_joint.use_belonging = False
    for option, leave_out in (
        ("use_visible", lambda: leaf.hide_set(True)),
        ("use_renderable", lambda: setattr(leaf, "hide_render", True)),
        ("use_selection", lambda: leaf.select_set(False)),
    ):
        for obj in bpy.context.scene.objects:
            obj.select_set(True)
        leave_out()
        assert forecast({}) == (DOOR, "")
        assert forecast({option: True}) != (DOOR, "")
        leaf.hide_set(False)
        leaf.hide_render = False


@pytest.mark.parametrize("along", [True, False])
@pytest.mark.parametrize("selects", ["the door", "the door and its hinge", "what is visible"])
def test_a_joint_that_drops_out_is_said_with_the_body_that_it_wants(
    selects: str, *, along: bool
) -> None:
    """One body without the other has no joint in the file, whether its empty is there or not."""
    frame, leaf, hinge = door()
    bpy.context.scene.omi_physics_joint.use_belonging = along
    if selects == "what is visible":
        frame.hide_set(True)
    else:
        select(leaf)
        hinge.select_set("hinge" in selects)
    option = "use_visible" if "visible" in selects else "use_selection"
    said = ("1 body and 1 collider", "1 joint, for want of Frame")
    assert forecast({option: True}) == said
    hinge.omi_physics_joint.mute = True
    assert forecast({option: True}) == (said[0], "")


def test_options_of_a_collection_are_those_of_its_exporter() -> None:
    """In the tab of a collection; elsewhere there is no dialog to speak of."""
    chosen = SimpleNamespace(export_properties=SimpleNamespace(use_visible=True, use_camera=True))
    collection = SimpleNamespace(exporters=[chosen], active_exporter_index=0, name="Parts")
    tab = SimpleNamespace(type="PROPERTIES")
    context = SimpleNamespace(space_data=tab, collection=collection)
    assert options_in(context) == {"use_visible": True, "collection": "Parts"}
    tab.type = "VIEW_3D"
    assert options_in(context) == {}
    dialog = SimpleNamespace(use_selection=True, use_active_scene=False)
    context.space_data = SimpleNamespace(type="FILE_BROWSER", active_operator=dialog)
    assert options_in(context) == {"use_selection": True, "use_active_scene": False}
