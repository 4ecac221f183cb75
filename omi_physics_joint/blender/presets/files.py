# SPDX-License-Identifier: GPL-3.0-or-later
"""Preset files: joint settings as JSON, spelled as in glTF but in Blender's axes.

Four members are ours: ``together`` of a limit, ``foreignDrives``, ``about``, which is for the tool
tip, and ``madeFor``, the load that its springs are for. Nothing in a file is ever run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import bpy
from bl_operators.presets import AddPresetBase

from ...files.replacing import write_text
from ...gltf.document.json_text import Json, JsonObject, merged, text_of
from ...gltf.document.members import Members, Place
from ...gltf.shared.read_settings import read_limit, read_settings
from ...gltf.shared.spell_settings import spell_drive, spell_limit
from ...model.issue import Issue, Severity
from ...model.joint import JointSettings, Limit
from ..addon_id import ROOT
from . import old_files
from .loads import LOADS, MadeFor

SUBDIR = "omi_physics_joint"
"""Folder of the presets inside any folder of Blender's presets."""
ENDING, OLD_ENDING = ".json", ".py"
LARGEST = 1 << 20
"""Bytes: a longer file is no preset."""


class PresetError(Exception):
    """A preset cannot be read or written; the message says why in one sentence."""


def shipped_root() -> Path:
    """Return the folder that holds ``presets``: inside the package where it is no add-on."""
    packaged = Path(__file__).resolve().parents[2]
    return packaged if (packaged / "presets" / SUBDIR).is_dir() else ROOT


def preset_name(path: Path) -> str:
    """Return the name of a preset as menus show it."""
    name: str = bpy.path.display_name(path.name, title_case=False)
    return name


def about(path: Path) -> str:
    """Return what a preset says of itself; "" where it says nothing or is no preset."""
    try:
        return Members(_members(path), Place(), []).text("about")
    except (OSError, ValueError, RecursionError):
        return ""


def load_of(path: Path) -> MadeFor | None:
    """Return what the springs of a preset are made for; None where it does not say so."""
    try:
        preset = Members(_members(path), Place(), [])
    except (OSError, ValueError, RecursionError):
        return None
    made_for = preset.child("madeFor")
    loads = (MadeFor(kind, made_for.number(kind, 0.0)) for kind in LOADS) if made_for else ()
    return next((load for load in loads if load.size > 0.0), None)


def read_preset(path: Path) -> JointSettings:
    """Return what a preset file says, in Blender's axes.

    Raises:
        PresetError: the file cannot be read, or says nothing of a joint.
    """
    name = preset_name(path)
    try:
        is_old = path.suffix.lower() == OLD_ENDING
        settings = old_files.settings_of(_text(path)) if is_old else _settings(_members(path))
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        reason = (reason or type(error).__name__).rstrip(".")
        message = f"The preset {name!r} is broken and changed nothing: {reason}."
        raise PresetError(message) from error
    if not (settings.limits or settings.drives or settings.foreign_drives):
        message = f"The preset {name!r} holds no limits and no drives, so it changed nothing."
        raise PresetError(message)
    return replace(settings, name=name)


def save_preset(name: str, settings: JointSettings) -> None:
    """Write settings, in Blender's axes, as a preset of the user.

    Raises:
        PresetError: they cannot be one, or there is one of this name.
        OSError: the file cannot be written.
    """
    file_name = AddPresetBase.as_filename(name)
    if not file_name or any(_found(file_name, display_name=False)):
        raise PresetError(f"A preset cannot be called {name!r}: choose a name that is not taken.")
    text = json.dumps(_spelled(settings), indent=2) + "\n"
    try:
        _settings(json.loads(text))
    except ValueError as error:
        raise PresetError(f"These settings cannot be a preset: {error}") from error
    folder = bpy.utils.user_resource("SCRIPTS", path=f"presets/{SUBDIR}", create=True)
    write_text(Path(folder) / f"{file_name}{ENDING}", text)


def remove_preset(name: str) -> None:
    """Remove a preset of the user, named as menus show it.

    Raises:
        PresetError: there is none, or it belongs to the add-on.
        OSError: the file cannot be removed.
    """
    path = next(_found(name, display_name=True), None)
    if path is None:
        raise PresetError(f"There is no preset {name!r}.")
    if path.resolve().is_relative_to(shipped_root() / "presets"):
        raise PresetError("Shipped presets cannot be removed.")
    path.unlink()


def _found(name: str, *, display_name: bool) -> Iterator[Path]:
    """Yield the presets of a name, old ones last."""
    for ending in (ENDING, OLD_ENDING):
        path = bpy.utils.preset_find(name, SUBDIR, display_name=display_name, ext=ending)
        if path:
            yield Path(path)


def _text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is too long, or no text.
    """
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError("it is longer than 1 MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("it is no text") from error


def _members(path: Path) -> JsonObject:
    """Return the members of a preset.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no JSON object.
        RecursionError: it is nested too deeply.
    """
    try:
        members: Json = json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}, {error.msg}") from error
    if not isinstance(members, dict):
        raise ValueError("it is no JSON object")
    return members


def _settings(members: JsonObject) -> JointSettings:
    """Return what the members of a preset say.

    Raises:
        ValueError: one of them is wrong; the message says the first such.
    """
    issues: list[Issue] = []
    preset = Members(members, Place(), issues)
    preset.has("about")
    preset.has("madeFor")
    foreign = tuple(text_of(drive) for drive in preset.items("foreignDrives"))
    settings = read_settings(preset, _limit)
    for issue in issues:
        if issue.severity is Severity.ERROR:
            raise ValueError(f"at {issue.where}, {issue.message}")
    return replace(settings, foreign_drives=settings.foreign_drives + foreign)


def _limit(members: Members) -> Limit | None:
    together = members.flag("together")
    limit = read_limit(members)
    return limit and replace(limit, together=together)


def _spelled(settings: JointSettings) -> JsonObject:
    """Return settings as the members of a preset."""
    limits: list[Json] = [
        spell_limit(limit) | ({"together": True} if limit.together else {})
        for limit in settings.limits
    ]
    lists: JsonObject = {
        "limits": limits,
        "drives": [spell_drive(drive) for drive in settings.drives],
        "foreignDrives": [json.loads(text) for text in settings.foreign_drives],
    }
    return merged({name: items for name, items in lists.items() if items}, settings.unknown)
