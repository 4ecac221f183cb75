# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the open .blend file that become files of their own: scenes, or collections of one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import bpy
from bpy.types import LayerCollection, Scene

from ...cli.batch.tasks import PART
from ...model.contents import ContentsError
from ...model.issue import Issue, Severity
from ...model.wording.words import counted

UNNAMEABLE = re.compile(r'[<>:"/\\|?*\x00-\x1f]|[. ]+$')
"""What names of files cannot have, on one system or another."""


class PartsMeetError(ContentsError):
    """Two parts would be one file."""


@dataclass(frozen=True, slots=True)
class FilePart:
    """What becomes a file.

    Attributes:
        output: That file.
        name: As it is called in the .blend file; "" of all of it.
        scene: Where it is; None is wherever Blender is.
        options: Of Blender's exporters, for this part alone.
    """

    output: Path
    name: str = ""
    scene: Scene | None = None
    options: Mapping[str, str | bool] = field(default_factory=dict)

    def enter(self) -> None:
        """Have Blender be in the scene of this part."""
        if self.scene is not None and self.scene != bpy.context.scene:
            bpy.context.window_manager.windows[0].scene = self.scene


def parts_of(output: Path, split: str | None) -> tuple[list[FilePart], tuple[Issue, ...]]:
    """Return the parts of the open file, and what is in none of them.

    Args:
        output: Where to, with ``{part}`` where the name of a part stands.
        split: ``scene``, ``collection``, or None: all in one.

    Raises:
        ContentsError: there is none.
        PartsMeetError: two of them would be one file.
    """
    if split is None:
        return [FilePart(output)], ()
    left: tuple[Issue, ...] = ()
    named: list[tuple[str, Scene, dict[str, str | bool]]]
    if split == "scene":
        scenes = [one for one in bpy.data.scenes if one.collection.all_objects and not one.library]
        named = [(one.name, one, {"use_active_scene": True}) for one in scenes]
    else:
        scene, shown = bpy.context.scene, _collections()
        named = [(one.name, scene, {"collection": one.name}) for one in shown]
        left = _left_out(scene, shown)
    if not named:
        raise ContentsError(f"It has no {split} with objects in it, so there is nothing to write.")
    parts: dict[str, FilePart] = {}
    for name, scene, options in named:
        place = UNNAMEABLE.sub("_", name)
        part = FilePart(Path(str(output).replace(PART, place)), name, scene, options)
        other = parts.setdefault(place.casefold(), part)
        if other is not part:
            both = f"{other.name!r} and {name!r}"
            raise PartsMeetError(f"Nothing was written: {both} would be one file.")
    return list(parts.values()), left


def _collections() -> list[LayerCollection]:
    """Return the collections directly below the scene that hold something, unless excluded."""
    below = bpy.context.view_layer.layer_collection.children
    return [one for one in below if not one.exclude and one.collection.all_objects]


def _left_out(scene: Scene, shown: Sequence[LayerCollection]) -> tuple[Issue, ...]:
    """Return an issue where objects of a scene are in none of some collections."""
    inside = {obj for one in shown for obj in one.collection.all_objects}
    left = [obj.name for obj in scene.collection.objects if obj not in inside]
    if not left:
        return ()
    message = f"{counted(len(left), 'object')} of the scene {scene.name!r} are in no file: they "
    message += "are in no collection below it."
    fix = "Move them into a collection."
    return (Issue(Severity.WARNING, "left-out-of-export", left[0], message, fix),)
