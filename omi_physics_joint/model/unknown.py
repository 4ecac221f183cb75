# SPDX-License-Identifier: GPL-3.0-or-later
"""Members of glTF that nobody here knows: kept as JSON text, so that other formats may lose them.

What an author has said of articulations, where they begin and which joints are in none, stands in
the ``extras`` among them of a body or a joint, so that it goes through glTF and Blender to where it
came from. Source: UsdPhysics, "Articulations".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from .body import Motion
from .joint import JointNode
from .mechanism import SHARED, Mechanism, Node

ROOT, EXCLUDED = "articulationRoot", "excludeFromArticulation"
"""Of a body or of the joint that holds it to the world; of a joint."""
EXTRAS, ROBOT = "extras", "robot"
"""What others may say, and in it of a joint what robots' files do, an object a coordinate."""


def says(unknown: str, word: str) -> bool:
    """Return whether unknown members of a body or a joint say one of these words."""
    return word in unknown and extras_in(unknown).get(word) is True


def saying(unknown: str, word: str) -> str:
    """Return the text of unknown members that say a word too."""
    return text_of({**members_in(unknown), EXTRAS: {**extras_in(unknown), word: True}})


def extras_in(unknown: str) -> dict[str, Any]:
    """Return the extras among unknown members."""
    found = members_in(unknown).get(EXTRAS)
    return found if isinstance(found, dict) else {}


def members_in(text: str) -> dict[str, Any]:
    """Return unknown members; none where the text is no object."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def text_of(members: Mapping[str, Any]) -> str:
    """Return members as text, always in one order; "" where there are none."""
    return json.dumps(members, sort_keys=True, separators=(",", ":")) if members else ""


def unknown_in(mechanism: Mechanism) -> Iterator[int | None]:
    """Yield nodes of which, or of what they share, something is said that nobody here knows.

    None is yielded where the whole document says such things.
    """
    if any(mechanism.unknown.values()):
        yield None
    for index, node in enumerate(mechanism.nodes):
        if any(map(_says_more, records_of(mechanism, node))):
            yield index


def records_of(mechanism: Mechanism, value: object) -> Iterator[object]:
    """Yield a record, all that it is made of, and what it shares with others."""
    if isinstance(value, tuple):
        for item in value:
            yield from records_of(mechanism, item)
    elif is_dataclass(value):
        yield value
        for one in fields(value):
            its = getattr(value, one.name)
            if one.name in SHARED and its is not None:
                its = getattr(mechanism, SHARED[one.name])[its]
            yield from records_of(mechanism, its)


def _says_more(record: object) -> bool:
    """Return whether a record has members that nobody knows."""
    unknown: str = getattr(record, "unknown", "")
    if isinstance(record, JointNode | Motion):
        return bool(members_in(unknown).keys() - {EXTRAS})
    return bool(unknown) and not (isinstance(record, Node) and unknown == saying("", ROOT))
