# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of prims: identifiers, each once below a prim."""

from __future__ import annotations

from collections.abc import Iterable


def identifier(name: str, otherwise: str) -> str:
    """Return a name as one of a prim: letters of any script, digits and underscores."""
    kept = "".join(c if f"a{c}".isidentifier() else "_" for c in name)
    if not kept.strip("_"):
        return otherwise
    return kept if kept.isidentifier() else f"_{kept}"


class Paths:
    """Paths of prims in use: of a stage below all but ours, which are written anew, each once."""

    def __init__(self, taken: Iterable[str] = (), ours: Iterable[str] = ()) -> None:
        self._taken = {*taken} - {*ours}

    def take(self, parent: str, name: str, otherwise: str) -> str:
        """Return a path below a prim that is not in use, perhaps with a number; then it is."""
        plain = f"{parent.rstrip('/')}/{identifier(name, otherwise)}"
        path, number = plain, 0
        while path in self._taken:
            number += 1
            path = f"{plain}_{number}"
        self._taken.add(path)
        return path
