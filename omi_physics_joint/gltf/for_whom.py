# SPDX-License-Identifier: GPL-3.0-or-later
"""The word of a document that says for whom it was written."""

from __future__ import annotations

from collections.abc import Mapping

from ..model.target import Target
from .document.json_text import Json, JsonObject, member_of

KEY = "physics_target"
"""Member of the ``extras`` of a document."""


def said(target: Target) -> JsonObject:
    """Return the extras of a document for a reader; none where it is for everybody."""
    return {} if target is Target.SPECIFIED else {KEY: target.value}


def target_of(gltf: Mapping[str, Json]) -> Target:
    """Return for whom a document says that it was written; a word that is not known is nobody."""
    word = member_of(gltf, "extras", KEY)
    return Target(word) if isinstance(word, str) and word in list(Target) else Target.SPECIFIED
