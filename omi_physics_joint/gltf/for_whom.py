# SPDX-License-Identifier: GPL-3.0-or-later
"""For whom a document is written: how it is spelled then, and the word of it that says so."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..model.godot.written import seen, written
from ..model.mechanism import Mechanism
from ..model.shape import without_ends
from ..model.target import Target
from .dialects import Dialect, Spoken
from .document.files import DocumentError
from .document.json_text import Json, member_of
from .document.new_nodes import Numbering
from .document.numbers import number
from .omi.names import SHAPE
from .write import KEY, OMI, Spelling, spell

FOR_GODOT = (
    "The file is written for Godot, and other readers take it otherwise: "
    "export it anew, or write it with OMI's extensions alone."
)


@dataclass(frozen=True, slots=True)
class Audience:
    """Who reads a document, and the dialects that it is written in."""

    target: Target = Target.SPECIFIED
    spoken: Collection[Spoken] = OMI

    def told(self, mechanism: Mechanism) -> Mechanism:
        """Return a mechanism as the document says it; its nodes keep their indices."""
        return written(mechanism) if self.target.is_godots else mechanism

    def understood(self, told: Mechanism) -> Mechanism:
        """Return what is meant by what the document says: the way back."""
        if not self.target.is_godots:
            return told
        return seen(replace(told, shapes=tuple(map(without_ends, told.shapes))))

    def spell(self, told: Mechanism, numbering: Numbering) -> Spelling:
        """Return what goes into the document: with its word, and shapes as they are read.

        Godot reads one radius, and heights of capsules with both of their ends.
        """
        spelling = spell(told, numbering, spoken=self.spoken)
        if not (self.target.is_godots and spelling.extensions_used):
            return spelling
        shapes: Any = spelling.document.get(SHAPE, {}).get("shapes", [])
        for shape in shapes:
            if shape.get("type") in ("capsule", "cylinder"):
                block = shape[shape["type"]]
                ends = block["radiusBottom"] + block["radiusTop"]
                block["radius"] = number(ends / 2.0)
                if shape["type"] == "capsule":
                    block["height"] = number(block["height"] + ends)
        return replace(spelling, extras={KEY: self.target.value})

    def is_written(self, spoken: Collection[Spoken]) -> bool:
        """Return whether a document stays as it is where it is to have these dialects.

        Raises:
            DocumentError: it cannot have them.
        """
        if self.target.is_godots and set(spoken) | set(self.spoken) != OMI:
            raise DocumentError(FOR_GODOT)
        return self.target.is_godots


EVERYBODY = Audience()


def audience_of(gltf: Mapping[str, Json], dialects: Collection[Dialect]) -> Audience:
    """Return who reads a document in these dialects; a word that is not known is nobody."""
    word = member_of(gltf, "extras", KEY)
    target = Target(word) if isinstance(word, str) and word in list(Target) else Target.SPECIFIED
    return Audience(target, tuple(dialect.spoken for dialect in dialects))
