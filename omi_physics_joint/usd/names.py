# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of prims: identifiers, each once below a prim."""

from __future__ import annotations

from collections.abc import Container, Iterable


def identifier(name: str, otherwise: str) -> str:
    """Return a name as one of a prim: letters of any script, digits and underscores."""
    kept = "".join(c if _may_follow(c) else "_" for c in name)
    if not kept.strip("_"):
        return otherwise
    return kept if kept.isidentifier() else f"_{kept}"


def unused(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken: itself, or with the first number behind it."""
    found, number = name, 0
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found


def _may_follow(character: str) -> bool:
    return f"a{character}".isidentifier()


class Paths:
    """Paths of prims that are in use.

    Args:
        taken: those of a stage below.
        ours: those of it that are written anew under the same names, each once.
    """

    def __init__(self, taken: Iterable[str] = (), ours: Iterable[str] = ()) -> None:
        self._taken = {*taken} - {*ours}

    def take(self, parent: str, name: str, otherwise: str) -> str:
        """Return a path below a prim that is not in use, which then is."""
        first = "" if parent == "/" else parent
        plain = f"{first}/{identifier(name, otherwise)}"
        path = unused(plain, self._taken)
        self._taken.add(path)
        return path
