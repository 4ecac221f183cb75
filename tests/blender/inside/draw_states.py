# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws all panels and menus for many states of a scene, and writes down what they show.

Nothing can be drawn on a screen here, but Blender lays out a panel that is called as a popup, with
its real `UILayout`, also without a window. It would crash on showing it: so the process ends from
inside the drawing.

    draw_states.py -- CHECKOUT ANSWER.json
"""

from __future__ import annotations

import ast
import json
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy

CHECKOUT, ANSWER = sys.argv[-2:]
sys.path[:0] = [CHECKOUT, str(Path(CHECKOUT) / "tests")]

import addon_utils

addon_utils.enable("omi_physics_joint", default_set=True)
bpy.ops.wm.read_homefile(use_empty=True)

from scenes import box, door, joined, select

from omi_physics_joint.blender import ui

State = tuple[bpy.types.Object | None, list[bpy.types.Object]]
"""The active object, and the selected ones."""


def joint_states() -> Iterator[tuple[str, State]]:
    """Make joints of all sorts."""
    frame, leaf, hinge = door()
    yield "hinge", (hinge, [hinge])
    yield "partner", (hinge.omi_physics_joint.connected_node, [])
    pins = [joined("PIN", frame, box(f"Ball {i}", (0.0, 4.0 + 3.0 * i, 0.0))) for i in range(2)]
    pins[1].omi_physics_joint.settings = pins[0].omi_physics_joint.settings
    yield "shared", (pins[0], pins)
    closer = joined("HINGE", frame, box("Closing", (-4.0, 0.0, 0.0)))
    presets = Path(CHECKOUT) / "presets" / "omi_physics_joint"
    bpy.ops.omi_joint.preset_apply(filepath=str(presets / "Door_with_Closer.py"))
    yield "closer", (closer, [closer])
    slider = joined("SLIDER", frame, box("Sliding", (-8.0, 0.0, 0.0)))
    tree = slider.omi_physics_joint.settings
    tree.limits[0].use_min = False
    tree.limits[1].use_stiffness = True
    drive = tree.drives.add()
    drive.mode, drive.use_velocity_target = "acceleration", True
    tree.foreign_drives = '[{"type":"magnetic"}]'
    yield "slider", (slider, [slider])
    blank = joined("WELD", frame, box("Blank", (-12.0, 0.0, 0.0)))
    blank.omi_physics_joint.settings = None
    yield "without settings", (blank, [blank])
    lonely = joined("WELD", frame, box("Lonely", (-16.0, 0.0, 0.0)))
    lonely.omi_physics_joint.connected_node = None
    yield "without partner", (lonely, [lonely])
    far = joined("WELD", frame, box("Far", (-20.0, 0.0, 0.0)))
    bpy.context.scene.collection.objects.unlink(far.omi_physics_joint.connected_node)
    yield "partner elsewhere", (far, [far])
    empty = joined("WELD", frame, box("Idle", (-24.0, 0.0, 0.0)))
    empty.omi_physics_joint.settings.limits.clear()
    yield "without limits", (empty, [empty])
    yield "linked", linked(hinge)


def linked(joint: bpy.types.Object) -> State:
    """Return a joint linked from another file."""
    path = Path(ANSWER).with_suffix(".blend")
    bpy.data.libraries.write(str(path), {joint})
    with bpy.data.libraries.load(str(path), link=True) as (_, target):
        target.objects = [joint.name]
    bpy.context.scene.collection.objects.link(target.objects[0])
    return target.objects[0], [target.objects[0]]


def body_states() -> Iterator[tuple[str, State]]:
    """Make bodies of all sorts."""
    yield "nothing", (None, [])
    plain = box("Plain", (0.0, 0.0, 20.0))
    yield "plain", (plain, [plain])
    rigid = box("Rigid", (0.0, 0.0, 24.0))
    bpy.ops.rigidbody.object_add()
    yield "rigid body", (rigid, [rigid])
    for index, shape in enumerate(("none", "box", "sphere", "capsule", "cylinder", "convex")):
        solid = box(f"Solid {shape}", (4.0 * index, 0.0, 28.0))
        bpy.ops.omi_joint.body_add(type=("static", "kinematic", "dynamic")[index % 3])
        body = solid.omi_physics_body
        body.use_collider = body.use_trigger = True
        body.collider.shape.type = body.trigger.shape.type = shape
        body.collider.use_physics_material = body.collider.use_collision_filter = True
        body.trigger.use_collision_filter = True
        body.trigger.collision_filter.mode = "only"
        yield f"{shape} body", (solid, [solid])
    child = box("Child", (0.0, 0.0, 30.0))
    child.parent = solid
    yield "child of a body", (child, [child])
    solid.omi_physics_body.trigger.nodes.add().object = child
    yield "compound trigger", (solid, [solid, child])
    hollow = bpy.data.objects.new("Hollow", None)
    bpy.context.scene.collection.objects.link(hollow)
    yield "empty", (hollow, [hollow])


def texts(layout: bpy.types.UILayout) -> list[str]:
    """Return all texts that a layout shows."""
    found: list[str] = []

    def visit(item: Any) -> None:
        if isinstance(item, dict):
            found.extend(str(item[key]) for key in ("draw_string", "text") if item.get(key))
            item = list(item.values())
        if isinstance(item, list | tuple):
            for part in item:
                visit(part)

    described = layout.introspect()
    visit(ast.literal_eval(described) if isinstance(described, str) else described)
    return found


def draw_one(probe: bpy.types.Panel, kind: type, context: bpy.types.Context) -> list[str]:
    """Draw one panel or menu into the layout of the probe, and return what came to it."""
    before = len(texts(probe.layout))
    instance = kind(probe)
    for method in ("draw_header", "draw_header_preset", "draw"):
        if method in dir(kind):
            getattr(instance, method)(context)
    return texts(probe.layout)[before:]


def is_shown(kind: type, context: bpy.types.Context, shown: dict[str, list[str]]) -> bool:
    """Return whether Blender would show a panel: a sub-panel only below its parent."""
    if issubclass(kind, bpy.types.UIList) or getattr(kind, "bl_parent_id", "") not in {"", *shown}:
        return False
    return "poll" not in dir(kind) or kind.poll(context)


def draw_all(probe: bpy.types.Panel, context: bpy.types.Context) -> dict[str, list[str]]:
    """Draw everything that shows itself, by name of its class."""
    shown: dict[str, list[str]] = {}
    for kind in (kind for part in ui.PARTS for kind in part.classes):
        if is_shown(kind, context, shown):
            shown[kind.__name__] = draw_one(probe, kind, context)
    return shown


class OMI_PT_probe(bpy.types.Panel):
    """Lends its layout to all others"""

    bl_label = "Probe"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw all states, write the answer, and end before Blender would show it."""
        code = 1
        try:
            answer = {}
            for name, (active, selected) in STATES.items():
                over = {"object": active, "active_object": active, "selected_objects": selected}
                with context.temp_override(**over):
                    answer[name] = draw_all(self, bpy.context)
            Path(ANSWER).write_text(json.dumps(answer), "utf-8")
            code = 0
        except Exception:  # noqa: BLE001 - whatever it is, the test shows it
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


STATES = dict([*joint_states(), *body_states()])
select(*(state[0] for name, state in STATES.items() if name == "hinge"))
bpy.ops.omi_joint.check()
bpy.utils.register_class(OMI_PT_probe)
window = bpy.context.window_manager.windows[0]
area = window.screen.areas[0]
region = next(region for region in area.regions if region.type == "WINDOW")
with bpy.context.temp_override(window=window, area=area, region=region):
    bpy.ops.wm.call_panel(name="OMI_PT_probe", keep_open=False)
