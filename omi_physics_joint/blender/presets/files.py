# SPDX-License-Identifier: GPL-3.0-or-later
"""Preset files: Python that fills a scratch copy of joint settings, as Blender's presets do.

A file never touches a joint itself. So one that breaks half-way has changed nothing, and what it
yields is a model like any other.
"""

from __future__ import annotations

import runpy
import traceback
from dataclasses import replace
from pathlib import Path

import bpy
from bpy.props import CollectionProperty, PointerProperty, StringProperty

from ...model.joint import JointSettings
from ..addon_id import ROOT
from ..bridge.read_settings import is_damaged, settings_from_tree
from ..bridge.write import fill_settings
from ..properties.limits import OmiDrive, OmiLimit

SUBDIR = "omi_physics_joint"
"""Folder of the presets inside any folder of Blender's presets."""

DEFINES = ["preset = bpy.context.window_manager.omi_physics_joint_preset"]
VALUES = ["preset.limits", "preset.drives", "preset.foreign_drives", "preset.unknown"]
"""What Blender's own writer of presets puts into a file."""


class PresetError(Exception):
    """A preset cannot be read; the message says why in one sentence."""


class OmiPreset(bpy.types.PropertyGroup):
    """What a preset file fills: the same lists as joint settings, without a data-block."""

    limits: CollectionProperty(type=OmiLimit, name="Limits", options={"SKIP_SAVE"})
    drives: CollectionProperty(type=OmiDrive, name="Drives", options={"SKIP_SAVE"})
    foreign_drives: StringProperty(name="Foreign Drives", options={"SKIP_SAVE"})
    unknown: StringProperty(name="Unknown Members", options={"SKIP_SAVE"})


def shipped_root() -> Path:
    """Return the folder that holds ``presets``: inside the package where pip installed it."""
    packaged = Path(__file__).resolve().parents[2]
    return packaged if (packaged / "presets" / SUBDIR).is_dir() else ROOT


def is_shipped(path: str | None) -> bool:
    """Return whether a preset belongs to the add-on, wherever that is installed."""
    return path is not None and Path(path).resolve().is_relative_to(shipped_root() / "presets")


def preset_name(path: Path) -> str:
    """Return the name of a preset as menus show it."""
    name: str = bpy.path.display_name(path.name, title_case=False)
    return name


def read_preset(path: Path) -> JointSettings:
    """Return what a preset file says, in Blender's axes.

    Raises:
        PresetError: the file cannot be run, or says nothing of a joint.
    """
    name = preset_name(path)
    scratch = bpy.context.window_manager.omi_physics_joint_preset
    fill_settings(scratch, JointSettings())
    try:
        runpy.run_path(str(path))
        settings = settings_from_tree(scratch)
        if is_damaged(scratch):
            raise ValueError("its foreign drives are no JSON")
    except (Exception, SystemExit) as error:
        message = f"The preset {name!r} is broken and changed nothing: {_reason(error, path)}."
        raise PresetError(message) from error
    finally:
        fill_settings(scratch, JointSettings())
    if not (settings.limits or settings.drives or settings.foreign_drives):
        message = f"The preset {name!r} holds no limits and no drives, so it changed nothing."
        raise PresetError(message)
    return replace(settings, name=name)


def offer(settings: JointSettings) -> None:
    """Put settings where Blender's writer of presets finds them."""
    fill_settings(bpy.context.window_manager.omi_physics_joint_preset, settings)


def _reason(error: BaseException, path: Path) -> str:
    """Return why a file failed and in which line, on one line."""
    if isinstance(error, OSError):
        return error.strerror or "the file cannot be read"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == str(path)
    ]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    if isinstance(error, SystemExit):
        return f"line {line}, it would end Blender"
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    first = (text.strip().splitlines() or [type(error).__name__])[0].rstrip(".")
    return f"line {line}, {first}" if line else first


_register_classes, _unregister_classes = bpy.utils.register_classes_factory((OmiPreset,))


def register() -> None:
    """Register the scratch copy."""
    _register_classes()
    bpy.types.WindowManager.omi_physics_joint_preset = PointerProperty(type=OmiPreset)


def unregister() -> None:
    """Take the scratch copy away."""
    del bpy.types.WindowManager.omi_physics_joint_preset
    _unregister_classes()
