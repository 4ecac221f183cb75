# SPDX-License-Identifier: GPL-3.0-or-later
"""Every operator in random states of random scenes: done, or refused in a sentence, never half."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from .cases import FoundError, Tally, ask_for_calm
from .in_blender import bpy, empty_file, press
from .odd_scenes import ODDITIES, make_scene

CALLS = 6
NOT_PRESSED = {"run"}
"""`run` opens whatever file it is told to."""
NUMBERS = (0.0, -0.0, 1.0, -1.0, 1e-9, 1e9, 3.4e38, -7.5, 0.3)


def case(chance: Random, folder: Path, tally: Tally) -> None:
    """Press some buttons in one scene, after something was changed each time."""
    empty_file()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, chance.choice((1, 4, 8))
    if chance.random() < 0.8:
        make_scene(chance)
    if chance.random() < 0.3:
        _link_all(folder)
    names = sorted(set(dir(bpy.ops.omi_joint)) - NOT_PRESSED)
    for _ in range(CALLS):
        for _ in range(chance.randint(0, 3)):
            _upset(chance)
        chance.choice((_select, _select_joints, _select_joints, _leave))(chance)
        name = chance.choice(names)
        _press_one(name, chance, tally)


def _press_one(name: str, chance: Random, tally: Tally) -> None:
    """Press one button with random options."""
    operator = getattr(bpy.ops.omi_joint, name)
    if not operator.poll():
        tally.count("grey")
        return
    options = {
        prop.identifier: value
        for prop in operator.get_rna_type().properties
        if prop.identifier != "rna_type" and chance.random() < 0.5
        if (value := _value(prop, chance)) is not None
    }
    before = _state()
    result: set[str] = set()

    def pressed(**given: Any) -> None:  # noqa: ANN401
        result.update(operator(**given))

    said, refused = press(pressed, **options)
    ask_for_calm(f"{said}\n{refused}")
    if result == {"FINISHED"}:
        tally.count("done")
        return
    tally.count("refused")
    after = _state()
    if after != before:
        changed = sorted(before ^ after)
        message = (
            f"{name} changed {changed[0]} although it {'was refused' if refused else 'cancelled'}"
        )
        raise FoundError(message[:160])


def _value(prop: Any, chance: Random) -> Any:  # noqa: ANN401 - an RNA property
    """Return a value for a property; None leaves it alone."""
    if prop.type == "ENUM":
        items = [item.identifier for item in prop.enum_items]
        return chance.choice(items) if items and not prop.is_enum_flag else None
    if prop.type == "BOOLEAN" and not prop.is_array:
        return chance.random() < 0.5
    if prop.type == "FLOAT" and not prop.is_array:
        return chance.choice(NUMBERS)
    if prop.type == "INT" and not prop.is_array:
        return chance.choice((0, 1, -1, 2, 1000))
    if prop.type == "STRING":
        return chance.choice((*bpy.data.objects.keys()[:5], "", "nothing", "a\\b"))
    return None


def _state() -> set[str]:
    """Return what a refused button must not change."""
    found = {f"object {obj.name_full}" for obj in bpy.data.objects}
    found |= {f"block {tree.name_full}" for tree in bpy.data.node_groups}
    for obj in bpy.data.objects:
        joint, body = obj.omi_physics_joint, obj.omi_physics_body
        flags = (joint.is_joint, body.is_body, body.use_collider, body.use_trigger, body.type)
        found.add(f"physics of {obj.name_full}: {flags}")
    return found


def _upset(chance: Random) -> None:
    """Change the state that a button finds."""
    if bpy.context.mode == "OBJECT" and chance.random() < 0.3:
        chance.choice(ODDITIES)(chance)
        return
    chance.choice(UPSETS)(chance)
    bpy.context.view_layer.update()


def _objects() -> list[Any]:
    return [obj for obj in bpy.context.view_layer.objects if not obj.hide_get()]


def _select(chance: Random) -> None:
    if bpy.context.mode != "OBJECT":
        return
    for obj in bpy.context.view_layer.objects:
        obj.select_set(chance.random() < 0.3)
    objects = _objects()
    if objects:
        bpy.context.view_layer.objects.active = chance.choice(objects)


def _leave(_chance: Random) -> None:
    """Leave the selection as it is."""


def _select_joints(_chance: Random) -> None:
    if bpy.context.mode != "OBJECT":
        return
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj.omi_physics_joint.is_joint)
        if obj.omi_physics_joint.is_joint:
            bpy.context.view_layer.objects.active = obj


def _no_active(_chance: Random) -> None:
    bpy.context.view_layer.objects.active = None


def _mode(chance: Random) -> None:
    obj = bpy.context.object
    if obj is not None and bpy.ops.object.mode_set.poll():
        modes = {"MESH": ("EDIT", "SCULPT"), "ARMATURE": ("EDIT", "POSE")}.get(obj.type, ())
        press(bpy.ops.object.mode_set, mode=chance.choice((*modes, "OBJECT")))


def _damage(chance: Random) -> None:
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    if not joints:
        return
    joint = chance.choice(joints).omi_physics_joint
    what = chance.randrange(4)
    if what == 0:
        joint.settings = None
    elif what == 1:
        joint.connected_node = None
    elif what == 2 and joint.settings is not None:
        joint.settings.limits.clear()
    elif joint.settings is not None:
        joint.settings.foreign_drives = "[{"


def _place(chance: Random) -> None:
    objects = _objects()
    if objects:
        obj = chance.choice(objects)
        obj.location.x = chance.choice((float("nan"), 1e30, 0.0))
        obj.scale = [chance.choice((0.0, 1e-20, 1.0, -1.0)) for _ in "xyz"]


def _frame(chance: Random) -> None:
    bpy.context.scene.frame_set(chance.randint(0, 9))


def _check(_chance: Random) -> None:
    if bpy.ops.omi_joint.check.poll():
        press(bpy.ops.omi_joint.check)


def _undo(_chance: Random) -> None:
    if bpy.ops.ed.undo.poll():
        press(bpy.ops.ed.undo)


UPSETS = (
    _select,
    _select,
    _select_joints,
    _no_active,
    _mode,
    _damage,
    _place,
    _frame,
    _check,
    _undo,
)


def _link_all(folder: Path) -> None:
    """Put the scene into a library, and link or override what is in it."""
    path = folder / "library.blend"
    press(bpy.ops.wm.save_as_mainfile, filepath=str(path))
    empty_file()
    with bpy.data.libraries.load(str(path), link=True) as (there, here):
        here.objects = list(there.objects)
    for index, obj in enumerate(here.objects):
        if obj is not None:
            one = obj.override_create() if index % 2 else obj
            bpy.context.scene.collection.objects.link(one)
