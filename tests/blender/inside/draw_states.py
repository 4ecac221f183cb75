# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws all panels and menus for many states of a scene, and writes down what they show.

Nothing can be drawn on a screen here, but Blender lays out a panel that is called as a popup, with
its real `UILayout`, also without a window. It would crash on showing it: so the process ends from
inside the drawing.

    draw_states.py -- CHECKOUT still|simulated|playing ANSWER.txt
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, MethodType, SimpleNamespace
from typing import Any

import bpy

CHECKOUT, PART, ANSWER = sys.argv[-3:]
sys.path[:0] = [CHECKOUT, str(Path(CHECKOUT) / "tests")]

import addon_utils  # noqa: E402 - only there once bpy is

addon_utils.enable("omi_physics_joint", default_set=True)
bpy.ops.wm.read_homefile(use_empty=True)
bpy.context.scene.frame_end = 24

from scenes import box, door, joined, select, separated  # noqa: E402 - the add-on must be enabled

from omi_physics_joint.blender import CLASSES, menus, play  # noqa: E402
from omi_physics_joint.blender.bodies import panels as body_panels  # noqa: E402
from omi_physics_joint.blender.gltf_hooks import panels as dialogs  # noqa: E402
from omi_physics_joint.blender.play.session import STEP  # noqa: E402
from omi_physics_joint.blender.timeline.recording import Recorder  # noqa: E402

State = tuple[bpy.types.Object | None, list[bpy.types.Object]]
"""The active object, and the selected ones."""
MARK = "@"
"""Stands before the names of the state and the class, before what that class shows in it."""


def joint_states() -> Iterator[tuple[str, State]]:
    """Make joints of all sorts."""
    frame, _, hinge = door()
    yield "hinge", (hinge, [hinge])
    apart = joined("HINGE", frame, box("Apart", (0.0, -4.0, 0.0)))
    yield "partner", (separated(apart), [])
    yield "separate", (apart, [apart])
    pins = [joined("PIN", frame, box(f"Ball {i}", (0.0, 4.0 + 3.0 * i, 0.0))) for i in range(2)]
    pins[1].omi_physics_joint.settings = pins[0].omi_physics_joint.settings
    yield "shared", (pins[0], pins)
    closer = joined("HINGE", frame, box("Closing", (-4.0, 0.0, 0.0)))
    presets = Path(CHECKOUT) / "presets" / "omi_physics_joint"
    bpy.ops.omi_joint.preset_apply(filepath=str(presets / "Door_with_Closer.json"))
    closer.omi_physics_joint.settings.drives[0].damping = 12.0
    yield "closer", (closer, [closer])
    slider = joined("SLIDER", frame, box("Sliding", (-8.0, 0.0, 0.0)))
    block = slider.omi_physics_joint.settings
    block.limits[0].use_min = False
    block.limits[1].use_stiffness = True
    drive = block.drives.add()
    drive.mode, drive.use_velocity_target = "acceleration", True
    block.foreign_drives = '[{"type":"magnetic"}]'
    yield "slider", (slider, [slider])
    blank = joined("WELD", frame, box("Blank", (-12.0, 0.0, 0.0)))
    blank.omi_physics_joint.settings = None
    yield "without settings", (blank, [blank])
    lonely = joined("WELD", frame, box("Lonely", (-16.0, 0.0, 0.0)))
    lonely.omi_physics_joint.connected_body = None
    yield "without partner", (lonely, [lonely])
    away = box("Away", (-20.0, 3.0, 0.0))
    far = joined("WELD", away, box("Far", (-20.0, 0.0, 0.0)))
    bpy.context.scene.collection.objects.unlink(away)
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
    hollow.omi_physics_body.use_gravity_shape = True
    yield "gravity volume", (hollow, [hollow])


def simulated_states() -> Iterator[tuple[str, State]]:
    """Simulate a flap."""
    _, _, hinge = door(direction="GLOBAL_Y")
    recorder = Recorder(bpy.context.scene, range(1, 25))
    list(recorder.steps())
    recorder.keep()
    recorder.close()
    yield "simulated", (hinge, [hinge])


def playing_states() -> Iterator[tuple[str, State]]:
    """Play a flap as Godot does, and a weld that breaks."""
    frame, _, hinge = door(direction="GLOBAL_Y")
    weak = joined("WELD", frame, box("Weak", (0.0, 4.0, 0.0)))
    weak.omi_physics_breaking.use_breaking = weak.omi_physics_breaking.use_force = True
    weak.omi_physics_breaking.force = 1.0
    settings = bpy.context.scene.omi_physics_preview
    settings.steps, settings.show_ghost = "godot", True
    select(hinge)
    session = play.start(bpy.context.scene)
    for _ in range(60):
        session.tick(STEP)
    yield "playing", (hinge, [hinge])


def reset(layout: bpy.types.UILayout) -> None:
    """Give a layout back to the next panel as Blender hands it out."""
    layout.enabled = layout.active = True
    layout.use_property_split = False
    layout.use_property_decorate = True
    layout.emboss = "NORMAL"
    layout.operator_context = "INVOKE_REGION_WIN"


class Standing:
    """An instance of a panel or menu with a layout of our choice: Blender makes none itself."""

    def __init__(self, kind: type, layout: bpy.types.UILayout) -> None:
        self.layout = layout
        self._kind = kind

    def __getattr__(self, name: str) -> Any:
        """Find everything but the layout in the class, methods bound to this."""
        found = getattr(self._kind, name)
        return MethodType(found, self) if isinstance(found, FunctionType) else found


def is_shown(kind: type, context: bpy.types.Context, shown: set[str]) -> bool:
    """Return whether Blender would show a panel: a sub-panel only below its parent."""
    if issubclass(kind, bpy.types.UIList) or getattr(kind, "bl_parent_id", "") not in {"", *shown}:
        return False
    return "poll" not in dir(kind) or kind.poll(context)


def draw_all(probe: bpy.types.Panel, state: str, context: bpy.types.Context) -> None:
    """Draw everything that shows itself into the layout of the probe, with a mark before each."""
    shown: set[str] = set()
    drawn = (bpy.types.Panel, bpy.types.Menu, bpy.types.UIList)
    for kind in (kind for kind in CLASSES if issubclass(kind, drawn)):
        if not is_shown(kind, context, shown):
            continue
        shown.add(kind.__name__)
        reset(probe.layout)
        probe.layout.label(text=f"{MARK}{state}{MARK}{kind.__name__}", translate=False)
        instance = Standing(kind, probe.layout)
        for method in ("draw_header", "draw_header_preset", "draw"):
            if method in dir(kind):
                getattr(instance, method)(context)
    reset(probe.layout)
    probe.layout.label(text=f"{MARK}{state}{MARK}export dialog", translate=False)
    # A popup has no panels that fold.
    unfolded = SimpleNamespace(panel=lambda *_, **__: (probe.layout, probe.layout))
    dialogs.draw_export(context, unfolded)
    if context.object is not None:
        reset(probe.layout)
        probe.layout.label(text=f"{MARK}{state}{MARK}PHYSICS_PT_add", translate=False)
        body_panels.draw_add(probe, context)
        draw_right_clicks(probe, state, context.object)


def draw_right_clicks(probe: bpy.types.Panel, state: str, obj: bpy.types.Object) -> None:
    """Draw what the right mouse button adds on fields of an object and of its settings."""
    block = obj.omi_physics_joint.settings
    fields = [("body", obj.omi_physics_body)]
    if block is not None:
        fields += [(type(one).__name__, one) for one in (*block.limits[:1], *block.drives[:1])]
    for name, owner in fields:
        probe.layout.label(text=f"{MARK}{state}{MARK}right click: {name}", translate=False)
        with bpy.context.temp_override(button_pointer=owner):
            menus.draw_field(probe, bpy.context)


class OMI_JOINT_PT_probe(bpy.types.Panel):  # noqa: N801 - Blender wants such names
    """Lends its layout to all others."""

    bl_label = "Probe"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw all states, write the answer, and end before Blender would show it."""
        code = 1
        try:
            for name, (active, selected) in STATES.items():
                over = {"object": active, "active_object": active, "selected_objects": selected}
                report = context.window_manager.omi_physics_joint
                report.title = "Export" if name == "nothing" else CHECKED
                with context.temp_override(**over):
                    draw_all(self, name, bpy.context)
            # In Python 3.14 Blender's description of a layout corrupts memory: no work after it.
            gc.disable()
            with Path(ANSWER).open("w", encoding="utf-8") as answer:
                answer.write(str(self.layout.introspect()))
            code = 0
        except Exception:  # noqa: BLE001 - whatever it is, the test shows it
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if PART == "still":
    STATES = dict([*joint_states(), *body_states()])
    select(*(state[0] for name, state in STATES.items() if name == "hinge"))
    bpy.ops.omi_joint.check()
else:
    STATES = dict(simulated_states() if PART == "simulated" else playing_states())
CHECKED = bpy.context.window_manager.omi_physics_joint.title
bpy.utils.register_class(OMI_JOINT_PT_probe)
window = bpy.context.window_manager.windows[0]
area = window.screen.areas[0]
region = next(region for region in area.regions if region.type == "WINDOW")
with bpy.context.temp_override(window=window, area=area, region=region):
    bpy.ops.wm.call_panel(name="OMI_JOINT_PT_probe", keep_open=False)
