# SPDX-License-Identifier: GPL-3.0-or-later
"""For whom the files of a scene are, and how they are spelled: by its own choice or by default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy
from bpy.types import AddonPreferences, Context, Scene

from ...gltf.dialects import Spoken, spoken_by
from ...gltf.for_whom import Audience
from ...model.readers import Reader, target_for
from ...model.target import Target
from ...model.wording.words import listed
from ..data.fields import choice
from ..data.scene import BY_PREFERENCES, BY_READERS, DIALECTS, outdate
from ..registration import MODULE

FAMILIES = {Spoken.OMI: "OMI", Spoken.KHR: "Khronos"}
"""What families of extensions are called in the interface."""


class OMI_JOINT_AP_preferences(AddonPreferences):
    """Choices of the user, which scenes follow unless they choose by themselves."""

    bl_idname = MODULE

    dialect = choice(
        "glTF Extensions",
        "Which extensions of glTF say the physics, where a scene does not choose",
        items=DIALECTS,
        default="BOTH",
        update=outdate,
    )

    def draw(self, _context: Context) -> None:
        """Draw the choices."""
        self.layout.use_property_split = True
        self.layout.prop(self, "dialect")


def readers_of(scene: Scene) -> frozenset[Reader]:
    """Return who reads the files of a scene."""
    return frozenset(Reader[one] for one in scene.omi_physics_joint.readers)


def audience_of(scene: Scene) -> Audience:
    """Return for whom files are written; where a scene leaves it open, its readers say it."""
    chosen = scene.omi_physics_joint.target
    left_open = chosen == BY_READERS
    target = target_for(readers_of(scene)) if left_open else Target(chosen.lower())
    return Audience(target, spoken_by("omi" if target.is_godots else _dialect_of(scene)))


def write_alike(scene: Scene, audience: Audience) -> None:
    """Have files of a scene written for whom one is that was read, if that is not everybody."""
    if audience.target.is_godots:
        scene.omi_physics_joint.target = audience.target.upper()


def chooses_dialect(scene: Scene) -> bool:
    """Return whether it is the user who says which extensions files have."""
    return not audience_of(scene).target.is_godots


def _dialect_of(scene: Scene) -> str:
    """Return which extensions files have for everybody; both where nobody has chosen."""
    chosen = scene.omi_physics_joint.dialect
    if chosen == BY_PREFERENCES:
        addon = bpy.context.preferences.addons.get(MODULE)
        preferences = addon.preferences if addon is not None else None
        chosen = "BOTH" if preferences is None else str(preferences.dialect)
    return chosen.lower()


def saved_options(scene: Scene) -> Mapping[str, Any]:
    """Return what "Remember Export Settings" of the glTF dialog has saved; nothing if damaged."""
    saved = scene.get("glTF2ExportSettings")
    return saved if hasattr(saved, "items") else {}


def extensions_in_words(scene: Scene) -> str:
    """Return "Files have OMI and Khronos"; nothing where the field of the scene says it itself."""
    if scene.omi_physics_joint.dialect != BY_PREFERENCES and chooses_dialect(scene):
        return ""
    spoken = audience_of(scene).spoken
    return f"Files have {listed([name for one, name in FAMILIES.items() if one in spoken])}"
