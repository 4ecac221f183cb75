# SPDX-License-Identifier: GPL-3.0-or-later
"""The word of a document that says for whom it was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..model.target import Target
from .document.json_text import Json, member_of
from .document.numbers import number
from .omi.names import SHAPE
from .write import Spelling

KEY = "physics_target"
"""Member of the ``extras`` of a document."""


def addressed(spelling: Spelling, target: Target) -> Spelling:
    """Return what goes into a document for a reader: with its word, and shapes as it reads them.

    Godot reads one radius, and heights of capsules with both of their ends. The mechanism is what
    ``model.godot.written`` returns.
    """
    if not (target.is_godots and spelling.extensions_used):
        return spelling
    shapes: Any = spelling.document.get(SHAPE, {}).get("shapes", [])
    for shape in shapes:
        if shape.get("type") in ("capsule", "cylinder"):
            block = shape[shape["type"]]
            ends = block["radiusBottom"] + block["radiusTop"]
            block["radius"] = number(ends / 2.0)
            if shape["type"] == "capsule":
                block["height"] = number(block["height"] + ends)
    return replace(spelling, extras={KEY: target.value})


def target_of(gltf: Mapping[str, Json]) -> Target:
    """Return for whom a document says that it was written; a word that is not known is nobody."""
    word = member_of(gltf, "extras", KEY)
    return Target(word) if isinstance(word, str) and word in list(Target) else Target.SPECIFIED
