# SPDX-License-Identifier: GPL-3.0-or-later
"""What an author has said of articulations: where they begin, and which joints are in none.

It stands in the ``extras`` of a body or a joint, so that it goes through glTF and Blender to where
it came from. Source: UsdPhysics, "Articulations".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

ROOT, EXCLUDED = "articulationRoot", "excludeFromArticulation"
"""Of a body or of the joint that holds it to the world; of a joint."""
EXTRAS = "extras"


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
