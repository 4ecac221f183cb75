# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared resources on their way into a document: once per value, in the order of their use."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from .json_text import JsonObject, text_of

NUMBER = re.compile(r"\.\d{3,}$")
"""What Blender adds to a name that is there already."""


class Named(Protocol):
    """A shared resource."""

    @property
    def name(self) -> str:
        """What the user calls it."""


Resource = TypeVar("Resource", bound=Named)


class Pool(Generic[Resource]):
    """Resources of one kind, written when first used, once per value."""

    def __init__(
        self,
        resources: Sequence[Resource],
        spell: Callable[[Resource], JsonObject | None],
        *,
        by_name: bool = False,
    ) -> None:
        """Take over resources.

        ``spell`` returns how one is written, without its name; None where it cannot be. By name,
        those that say the same stay apart where the user calls them otherwise.
        """
        self.entries: list[JsonObject] = []
        self._resources = resources
        self._spell = spell
        self._by_index: dict[int, int | None] = {}
        self._by_text: dict[str, dict[str, int]] = {}
        self._by_name = by_name

    def index_of(self, index: int) -> int | None:
        """Return the index in the file, or None where the resource cannot be written."""
        if index not in self._by_index:
            self._by_index[index] = self._add(index)
        return self._by_index[index]

    def _add(self, index: int) -> int | None:
        if not 0 <= index < len(self._resources):
            return None
        resource = self._resources[index]
        spelled = self._spell(resource)
        if spelled is None:
            return None
        called = NUMBER.sub("", resource.name) if self._by_name else ""
        equals = self._by_text.setdefault(text_of(spelled), {})
        if called not in equals:
            if "" in equals:  # one without a name takes that of the next
                equals[called] = equals.pop("")
            elif called or not equals:
                equals[called] = len(self.entries)
                self.entries.append(spelled)
        at = equals[called] if called else next(iter(equals.values()))
        if resource.name and "name" not in self.entries[at]:
            self.entries[at] = {"name": resource.name, **self.entries[at]}
        return at


def put(members: JsonObject, key: str, pool: Pool[Resource], index: int | None) -> bool:
    """Write an index where there is one to write; return whether there was."""
    at = None if index is None else pool.index_of(index)
    if at is not None:
        members[key] = at
    return at is not None
