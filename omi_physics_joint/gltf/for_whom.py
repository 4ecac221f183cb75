# SPDX-License-Identifier: GPL-3.0-or-later
"""The word of a document that says for whom it was written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..model.target import Target
from .document.json_text import Json, JsonObject, member_of
from .document.numbers import number

KEY = "physics_target"
"""Member of the ``extras`` of a document."""


def said(target: Target) -> JsonObject:
    """Return the extras of a document for a reader; none where it is for everybody."""
    return {} if target is Target.SPECIFIED else {KEY: target.value}


def with_ends(extension: JsonObject) -> None:
    """Spell shapes as Godot reads them: one radius, heights of capsules with both of their ends."""
    shapes: Any = extension.get("shapes", [])
    for shape in shapes:
        if shape.get("type") in ("capsule", "cylinder"):
            block = shape[shape["type"]]
            ends = block["radiusBottom"] + block["radiusTop"]
            block["radius"] = number(ends / 2.0)
            if shape["type"] == "capsule":
                block["height"] = number(block["height"] + ends)


def target_of(gltf: Mapping[str, Json]) -> Target:
    """Return for whom a document says that it was written; a word that is not known is nobody."""
    word = member_of(gltf, "extras", KEY)
    return Target(word) if isinstance(word, str) and word in list(Target) else Target.SPECIFIED
