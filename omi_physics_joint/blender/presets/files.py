# SPDX-License-Identifier: GPL-3.0-or-later
"""Preset files: joint settings as JSON, spelled as in glTF but in Blender's axes.

Members of ours are ``together`` of a limit, ``foreignDrives`` and what a preset says of itself
(``Said``). Nothing in a file is ever run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
from bl_operators.presets import AddPresetBase

from ...files.outputs import put_all, real
from ...gltf.document.json_text import Json, JsonObject, merged, text_of
from ...gltf.document.members import Members, Place
from ...gltf.shared.read_settings import read_limit, read_settings
from ...gltf.shared.spell_settings import spell_drive, spell_limit
from ...model.issue import Issue, Severity
from ...model.joint import JointSettings, Limit
from ..registration import ROOT
from . import old_files
from .applying import LOADS, MadeFor

SUBDIR = "omi_physics_joint"
"""Folder of the presets inside any folder of Blender's presets."""
ENDING, OLD_ENDING = ".json", ".py"
OURS = ("about", "group", "madeFor")
GROUPS = ("Doors and Drawers", "Balls and Cones", "Ropes and Rods", "Vehicles", "Plain")
YOURS = "Yours"
LARGEST = 1 << 20
"""Bytes: a longer file is no preset."""


class PresetError(Exception):
    """A preset cannot be read or written; the message says why in one sentence."""


def preset_name(path: Path) -> str:
    """Return the name of a preset as menus show it."""
    name: str = bpy.path.display_name(path.name, title_case=False)
    return name


@dataclass(frozen=True, slots=True)
class Said:
    """What a preset says of itself beside its settings."""

    about: str = ""
    """For the tool tip."""
    group: str = ""
    """Where it is listed; one of ``GROUPS``, or else it is the user's."""
    made_for: MadeFor | None = None
    """The load that its springs are for."""


def said_by(path: Path) -> Said:
    """Return what a preset says of itself: nothing where it is none."""
    try:
        preset = Members(_members(path), Place(), [])
    except (OSError, ValueError, RecursionError):
        return Said()
    made_for = preset.child("madeFor")
    loads = (MadeFor(kind, made_for.number(kind, 0.0)) for kind in LOADS) if made_for else ()
    load = next((load for load in loads if load.size > 0.0), None)
    return Said(preset.text("about"), preset.text("group"), load)


def grouped() -> dict[str, list[Path]]:
    """Return all presets by their group, those of the user last."""
    found: dict[str, list[Path]] = {group: [] for group in (*GROUPS, YOURS)}
    folders = map(Path, bpy.utils.preset_paths(SUBDIR))
    files = (path for folder in folders for path in folder.iterdir())
    for path in sorted(files, key=lambda path: preset_name(path).lower()):
        if path.suffix.lower() in {ENDING, OLD_ENDING} and not path.name.startswith("."):
            group = said_by(path).group if is_shipped(path) else YOURS
            found[group if group in found else YOURS].append(path)
    return {group: paths for group, paths in found.items() if paths}


def is_shipped(path: Path) -> bool:
    """Return whether a preset comes with the add-on."""
    return path.resolve().is_relative_to(ROOT / "presets")


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
    put_all({real(Path(folder) / f"{file_name}{ENDING}"): text.encode()})


def remove_preset(name: str) -> None:
    """Remove a preset of the user, named as menus show it.

    Raises:
        PresetError: there is none, or it belongs to the add-on.
        OSError: the file cannot be removed.
    """
    path = next(_found(name, display_name=True), None)
    if path is None:
        raise PresetError(f"There is no preset {name!r}.")
    if is_shipped(path):
        raise PresetError("Shipped presets cannot be removed.")
    path.unlink()


def _found(name: str, *, display_name: bool) -> Iterator[Path]:
    """Yield the presets of a name, old ones last."""
    for ending in (ENDING, OLD_ENDING):
        path = bpy.utils.preset_find(name, SUBDIR, display_name=display_name, ext=ending)
        if path:
            yield Path(path)


def _text(path: Path) -> str:
    """Return the text of a file; a ValueError says that it is too long, or none."""
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError("it is longer than 1 MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("it is no text") from error


def _members(path: Path) -> JsonObject:
    """Return the members of a preset; a ValueError says why they are no JSON object."""
    try:
        members: Json = json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}, {error.msg}") from error
    if not isinstance(members, dict):
        raise ValueError("it is no JSON object")
    return members


def _settings(members: JsonObject) -> JointSettings:
    """Return what the members of a preset say; a ValueError names the first that is wrong."""
    issues: list[Issue] = []
    preset = Members(members, Place(), issues)
    for name in OURS:
        preset.has(name)
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
