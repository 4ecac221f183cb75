# SPDX-License-Identifier: GPL-3.0-or-later
r"""Takes pictures of the panels in a real Blender window, for looking at them and for docs/.

    xvfb-run -s "-screen 0 1600x1000x24 +extension GLX" blender --factory-startup \
        --window-geometry 0 0 1600 1000 --gpu-backend opengl \
        --python scripts/screenshot_ui.py -- OUTPUT_FOLDER

Needs ImageMagick's `import`: Blender's own screenshots are black without a graphics card.
"""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import bpy  # noqa: E402, TID251 - this runs inside Blender

OUTPUT = Path(sys.argv[-1])
PRESETS = ROOT / "presets" / "omi_physics_joint"
PAUSE = 1.0
"""Seconds between two steps: panels take their new height slowly."""


def window() -> Any:  # noqa: ANN401 - Blender's own type
    """Return the one window; no context says it once an area has been closed."""
    return bpy.context.window_manager.windows[0]


def area(kind: str) -> Any:  # noqa: ANN401
    """Return the area of one kind."""
    return next(one for one in window().screen.areas if one.type == kind)


def close(kind: str) -> None:
    """Close an area, so that its neighbour gets its place."""
    with bpy.context.temp_override(window=window(), area=area(kind)):
        bpy.ops.screen.area_close()


def box(name: str, location: tuple[float, ...], size: tuple[float, ...]) -> Any:  # noqa: ANN401
    """Add a box."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=location)
    bpy.context.object.name = name
    bpy.context.object.scale = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    return bpy.context.object


def select(*objects: Any) -> None:  # noqa: ANN401
    """Select objects; the last one becomes active."""
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj in objects)
    bpy.context.view_layer.objects.active = objects[-1]


def picture(name: str) -> None:
    """Take a picture of the whole screen."""
    subprocess.run(["import", "-window", "root", str(OUTPUT / f"{name}.png")], check=True)


def story() -> Iterator[None]:
    """Author a door and a broken joint, with a picture of each step; each pause is a yield."""
    close("OUTLINER")
    yield
    close("DOPESHEET_EDITOR")
    yield
    area("VIEW_3D").spaces[0].show_region_ui = True
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    frame = box("Frame", (-0.55, 0.0, 1.0), (0.1, 0.2, 2.0))
    leaf = box("Door", (0.0, 0.0, 1.0), (1.0, 0.06, 2.0))
    bpy.context.scene.cursor.location = (-0.5, 0.0, 1.0)
    select(frame, leaf)
    bpy.ops.view3d.view_selected()
    yield
    sidebar = next(region for region in area("VIEW_3D").regions if region.type == "UI")
    sidebar.active_panel_category = "Joints"
    area("PROPERTIES").spaces[0].context = "PHYSICS"
    yield
    picture("ui_two_boxes")
    bpy.ops.omi_joint.create("EXEC_DEFAULT", kind="HINGE")
    hinge = bpy.context.object
    hinge.omi_physics_joint.settings.active_limit = 2
    yield
    picture("ui_hinge")
    bpy.ops.omi_joint.preset_apply(filepath=str(PRESETS / "Door_with_Closer.py"))
    yield
    picture("ui_closer")
    select(leaf)
    yield
    picture("ui_body")
    shelf = box("Shelf", (2.0, 0.0, 0.5), (0.5, 0.3, 0.1))
    select(shelf, box("Lamp", (2.0, 0.0, 0.7), (0.2, 0.2, 0.2)))
    bpy.ops.omi_joint.create("EXEC_DEFAULT", kind="WELD", place="ACTIVE")
    bpy.data.objects.remove(bpy.context.object.omi_physics_joint.connected_node)
    bpy.ops.omi_joint.check()
    yield
    picture("ui_check")


def step() -> float:
    """Go one step on; end Blender after the last one."""
    view = area("VIEW_3D")
    region = next(region for region in view.regions if region.type == "WINDOW")
    try:
        with bpy.context.temp_override(window=window(), area=view, region=region):
            next(STEPS)
    except StopIteration:
        os._exit(0)
    except Exception:  # noqa: BLE001 - a timer would go on without it
        traceback.print_exc()
        os._exit(1)
    for one in window().screen.areas:
        one.tag_redraw()
    return PAUSE


OUTPUT.mkdir(parents=True, exist_ok=True)
STEPS = story()
bpy.context.preferences.view.show_splash = False
bpy.ops.preferences.addon_enable(module="omi_physics_joint")
bpy.app.timers.register(step, first_interval=1.0)
