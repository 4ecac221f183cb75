# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside Blender's window: takes the pictures of docs/images that show the window.

    take_pictures.py -- OUTPUT_FOLDER [--only WORD]

The mechanisms are those of examples/. What is pressed, dragged and pulled is done by mouse, so a
picture shows what a user sees.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from math import radians
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import bpy  # noqa: E402, TID251 - this runs inside Blender
from mathutils import Euler  # noqa: E402, TID251

from examples.gallery import EXHIBITS, build_gallery  # noqa: E402
from omi_physics_joint.blender.handles.places import placed_handles  # noqa: E402
from omi_physics_joint.drawing.mouse.handles import Part  # noqa: E402
from window.desk import (  # noqa: E402
    close_area,
    open_start,
    open_tab,
    set_up,
)
from window.hand import Hand  # noqa: E402
from window.said import say  # noqa: E402
from window.screen import Rect, read_screen, write_png  # noqa: E402
from window.sight import (  # noqa: E402
    Waiting,
    area_of,
    on_screen,
    rect_of,
    rect_of_view,
    window,
)
from window.steps import Ui  # noqa: E402

SCREEN = Path(os.environ["OMI_SCREEN"])
FALLEN = 6.0
"""Seconds until an arm has come to rest, on a machine that draws slowly."""
Shot = Callable[[Ui], Waiting]


def picture(name: str, where: Rect) -> None:
    """Keep a part of the screen."""
    write_png(OPTIONS.output / f"{name}.png", read_screen(SCREEN)[where.slices])
    say(f"taken {OPTIONS.output / name}.png")


def look_from(
    target: tuple[float, float, float], distance: float, pitch: float, turn: float
) -> None:
    """Let the 3D view look at a point, in metres and degrees, and show colours and shadows."""
    space = area_of("VIEW_3D").spaces[0]
    view = space.region_3d
    view.view_perspective = "PERSP"
    view.view_location, view.view_distance = target, distance
    view.view_rotation = Euler((radians(90.0 - pitch), 0.0, radians(turn))).to_quaternion()
    space.lens = 90.0
    shading = space.shading
    shading.type, shading.color_type = "SOLID", "MATERIAL"
    shading.studio_light = "paint.sl"
    shading.show_shadows, shading.shadow_intensity = True, 0.35
    shading.show_cavity, shading.cavity_type = True, "SCREEN"
    shading.curvature_ridge_factor = 0.5


def without_clutter() -> None:
    """Hide what the 3D view shows of empties, grid and cursor beside the joints."""
    overlay = area_of("VIEW_3D").spaces[0].overlay
    for name in ("extras", "cursor", "relationship_lines", "object_origins", "floor", "text"):
        setattr(overlay, f"show_{name}", False)
    overlay.show_axis_x = overlay.show_axis_y = False


def build(*titles: str, columns: int = 3) -> None:
    """Build mechanisms of the gallery by their titles."""
    chosen = [next(one for one in EXHIBITS if one.title == title) for title in titles]
    with bpy.context.temp_override(window=window()):
        build_gallery(chosen, columns)


def activate(name: str) -> bpy.types.Object:
    """Make an object the only selected one."""
    layer = bpy.context.view_layer
    for obj in layer.objects:
        obj.select_set(obj.name == name)
    layer.objects.active = bpy.data.objects[name]
    return bpy.data.objects[name]


def big_view() -> Waiting:
    """Leave the 3D view the whole window."""
    for kind in ("OUTLINER", "DOPESHEET_EDITOR", "PROPERTIES"):
        yield from close_area(kind)
    yield from open_tab()


def panels(ui: Ui) -> Waiting:
    """A door with its closer: the sidebar, and the joint in the properties."""
    yield from close_area("OUTLINER")
    yield from close_area("DOPESHEET_EDITOR")
    yield from open_tab()
    build("Door with closer", columns=1)
    look_from((0.55, 0.0, 0.9), 8.2, 30.0, -4.0)
    without_clutter()
    activate("Door Hinge")
    yield from ui.calm()  # the properties learn of the object when they are drawn
    area_of("PROPERTIES").spaces[0].context = "PHYSICS"
    yield from ui.park()
    picture("panels", _around(rect_of("VIEW_3D", ""), rect_of("PROPERTIES", "")))


def door(ui: Ui) -> Waiting:
    """A first door, just made of two boxes, with what Adjust Last Operation offers."""
    for kind in ("OUTLINER", "DOPESHEET_EDITOR", "PROPERTIES"):
        yield from close_area(kind)
    yield from open_tab()
    for name, y, width in (("Frame", 0.0, 0.1), ("Door", 0.55, 1.0)):
        bpy.ops.mesh.primitive_cube_add(location=(0.0, y, 1.0))
        box = bpy.context.view_layer.objects.active
        box.name, box.dimensions = name, (0.1, width, 2.0)
        bpy.ops.object.transform_apply(location=False, rotation=False)
    look_from((0.0, 0.5, 0.95), 8.2, 20.0, 60.0)
    bpy.data.objects["Frame"].select_set(True)
    yield from ui.press("omi_joint.create", "kind='HINGE'")
    yield from ui.calm()
    adjust = rect_of("VIEW_3D", "HUD")
    yield from ui.click(adjust.left + 40, adjust.top + adjust.height // 2)
    yield from ui.park()
    picture("door", rect_of("VIEW_3D", ""))


def overlays(ui: Ui) -> Waiting:
    """Joints of several kinds as they are drawn."""
    yield from big_view()
    build("Arm with limits", "Door with closer", "Drawer on a spring")
    look_from((0.0, -0.3, 0.7), 12.2, 26.0, 0.0)
    without_clutter()
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj.omi_physics_joint.is_joint)
    bpy.context.view_layer.objects.active = None
    space = area_of("VIEW_3D").spaces[0]
    space.show_region_ui = space.show_region_toolbar = space.show_gizmo_navigate = False
    yield from ui.park()
    whole = rect_of("VIEW_3D")
    picture("overlays", _middle(whole, whole.width - 60, 600))


def handles(ui: Ui) -> Waiting:
    """The upper bound of a door while it is dragged."""
    yield from big_view()
    build("Door with closer", columns=1)
    look_from((0.1, -0.2, 0.95), 8.6, 30.0, 0.0)
    without_clutter()
    joint = activate("Door Hinge")
    yield from ui.park()
    place = next(one for one in placed_handles(joint) if one.handle.part is Part.MAX)
    x, y = on_screen(tuple(place.point))
    yield from ui.point(x, y)
    yield from ui.wait(0.5)
    ui.hand.down()
    for piece in range(1, 7):
        yield from ui.point(x - 12 * piece, y + piece)
    yield from ui.wait(0.5)
    picture("handles", _middle(rect_of_view(), 1000, 620))
    yield from ui.key("Escape")
    ui.hand.up()
    yield from ui.calm()


def play(ui: Ui) -> Waiting:
    """An arm that is pulled while it plays."""
    yield from big_view()
    build("Arm with limits", columns=1)
    look_from((0.25, -0.1, 0.75), 7.0, 20.0, 0.0)
    without_clutter()
    activate("Upper Arm Pin")
    for name in ("Upper Arm", "Forearm", "Hand"):
        body = bpy.data.objects[name].omi_physics_body
        body.linear_velocity = body.angular_velocity = (0.0, 0.0, 0.0)
    yield from ui.press("omi_joint.play()")
    yield from ui.rest_mouse()
    yield from ui.wait(FALLEN)
    x, y = on_screen(tuple(bpy.data.objects["Forearm"].matrix_world.translation))
    yield from ui.point(x, y)
    ui.hand.down()
    for piece in range(1, 16):
        yield from ui.point(x + 14 * piece, y - 16 * piece)
    yield from ui.wait(FALLEN)
    picture("play", _middle(rect_of_view(), 1000, 620))
    ui.hand.up()
    yield from ui.key_in_view("Escape")


def export_dialog(ui: Ui) -> Waiting:
    """The exporter's dialog with our options, without the places of this machine."""
    folder = Path(tempfile.gettempdir()) / "door"
    folder.mkdir(exist_ok=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "door.blend"))
    build("Door with closer", columns=1)
    with bpy.context.temp_override(window=window(), area=area_of("VIEW_3D")):
        bpy.ops.export_scene.gltf("INVOKE_DEFAULT")
    yield from ui.wait(1.0)
    area_of("FILE_BROWSER").spaces[0].show_region_toolbar = False
    yield from ui.calm()
    where = rect_of("FILE_BROWSER", "")
    picture("export_dialog", where)
    yield from ui.point(*where.middle)
    yield from ui.key("Escape")
    yield from ui.wait(0.5)


SHOTS: tuple[Shot, ...] = (panels, door, overlays, handles, play, export_dialog)


def _around(first: Rect, second: Rect) -> Rect:
    """Return the rectangle around two."""
    left, top = min(first.left, second.left), min(first.top, second.top)
    right = max(first.left + first.width, second.left + second.width)
    bottom = max(first.top + first.height, second.top + second.height)
    return Rect(left, top, right - left, bottom - top)


def _middle(whole: Rect, width: int, height: int) -> Rect:
    """Return the middle of a rectangle."""
    x, y = whole.middle
    return Rect(x - width // 2, y - height // 2, width, height)


def run() -> Waiting:
    """Take all pictures and end Blender."""
    yield from set_up(steady=False)
    for shot in SHOTS:
        if OPTIONS.only in shot.__name__:
            yield from open_start()
            yield from shot(Ui(Hand(), SCREEN, OPTIONS.output / shot.__name__))
    end(0)


def end(code: int) -> None:
    """End here: Blender's own way out can crash or hang."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def tick() -> float:
    """Go one step on."""
    try:
        return next(RUNNING)
    except BaseException:
        traceback.print_exc()
        end(1)
        raise


parser = argparse.ArgumentParser()
parser.add_argument("output", type=Path)
parser.add_argument("--only", default="", help="pictures with this word in their names")
OPTIONS = parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])
RUNNING = run()
bpy.app.timers.register(tick, first_interval=1.0, persistent=True)
