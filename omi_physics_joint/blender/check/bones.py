# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies on bones: the bones lead them, and nothing leads the skin of these bones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import bpy
from bpy.types import Object

from ...model.issue import Issue, Severity
from ...model.wording.words import some

FIX = (
    "Give readers that move skins by bodies the file in which bodies are bones; "
    "bodies beside the armature lose nothing."
)


def bodies_on_bones(objects: Iterable[Object | None]) -> Iterator[Issue]:
    """Yield a warning for each armature with a skin some of whose bones have dynamic bodies."""
    found: dict[Object, dict[str, None]] = {}
    for obj in objects:
        if obj is None or obj.parent is None or obj.parent_type != "BONE":
            continue
        body = obj.omi_physics_body
        if body.is_body and body.type == "dynamic":
            found.setdefault(obj.parent, {})[obj.name] = None
    skinned = {
        modifier.object
        for obj in (bpy.data.objects if found else ())
        for modifier in obj.modifiers
        if modifier.type == "ARMATURE"
    }
    for armature in skinned & found.keys():
        names = list(found[armature])
        what = (
            f"{some(names)} {'is' if len(names) == 1 else 'are'} on bones: the skin does not move "
            "with bodies, and in a file they stand one node below their bones."
        )
        yield Issue(Severity.WARNING, "body-on-bone", armature.name, what, FIX)
