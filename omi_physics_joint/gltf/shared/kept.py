# SPDX-License-Identifier: GPL-3.0-or-later
"""Which dialect an unknown member belongs to.

One model is spelled in several dialects, and each has members that this project does not know.
Those of OMI stand in the ``unknown`` texts of the model as they are; those of others stand there
under the name of the extension, so that each goes back to where it came from. ``extras`` are
everybody's: glTF has them in all objects, so they go along into every dialect.
"""

from __future__ import annotations

from ..document.json_text import members_of, text_of
from ..khr.names import BODY

GRAVITY = "OMI_physics_gravity"
"""Its own extension, beside every dialect; that of nodes is kept as it is."""
UNDER_THEIR_NAME = frozenset((BODY, GRAVITY))
EXTRAS = "extras"


def kept_under(dialect: str, text: str) -> str:
    """Return a text of members as those that only one dialect keeps, under its name."""
    members = members_of(text)
    shared = {EXTRAS: members.pop(EXTRAS)} if dialect == BODY and EXTRAS in members else {}
    kept = {dialect: members} if members else {}
    return text_of({**shared, **kept}) if text else ""


def kept_for(dialect: str, text: str) -> str:
    """Return of a text of members those that a dialect keeps; of none but the first by name."""
    if not text:
        return ""
    members = members_of(text)
    if dialect in UNDER_THEIR_NAME:
        own = members.get(dialect)
        found = dict(own) if isinstance(own, dict) else {}
        if dialect == BODY and EXTRAS in members:
            found.setdefault(EXTRAS, members[EXTRAS])
        return text_of(found) if found else ""
    kept = {key: value for key, value in members.items() if key not in UNDER_THEIR_NAME}
    return text_of(kept) if kept else ""


def both(text: str, other: str) -> str:
    """Return the members of two texts; those of the first win."""
    members = {**members_of(other), **members_of(text)}
    return text_of(members) if members else ""
