# SPDX-License-Identifier: GPL-3.0-or-later
"""The members of a JSON object, handed out in the right type; what is wrong becomes an issue.

Every member that is asked for counts as known. What nobody asked for is left in ``unknown``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import inf, isfinite, isinf, isnan
from types import MappingProxyType
from typing import TypeGuard, TypeVar

from ...files.inputs import spend
from ...model.issue import Issue, Severity
from ...model.keys import Keys
from ...model.wording.words import one_line
from ..shared.kept import kept_under
from .json_text import Json, JsonObject, text_of

Choice = TypeVar("Choice", bound=StrEnum)
Fallback = TypeVar("Fallback")
Item = TypeVar("Item")
NO_CHANNELS: Mapping[str, Keys] = MappingProxyType({})
UNHARMED = frozenset(("duplicate-item", "extension-not-declared", "joint-not-alone"))
"""Codes of errors in spite of which all is read."""
ALLOWED = ("extras", "extensions", "name")
"""What every object of glTF may have."""
NO_INDEX = -1
"""What the text of OMI_physics_body, and Godot, write for an index that points nowhere."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the file a value is."""

    pointer: str = ""
    """JSON pointer (RFC 6901)."""
    name: str = ""
    """Name of the nearest named thing around it."""
    node: int | None = None

    def at(self, key: str | int) -> Place:
        """Return the place of a member or an item."""
        if isinstance(key, str):
            key = one_line(key.replace("~", "~0").replace("/", "~1"))
        return Place(f"{self.pointer}/{key}", self.name, self.node)

    def warning(self, code: str, message: str, fix: str = "") -> Issue:
        """Return a warning of what is here."""
        return Issue(Severity.WARNING, code, str(self), message, fix, self.node)

    def __str__(self) -> str:
        """Return such as ``/nodes/4 "Hinge"``, always one line."""
        pointer = self.pointer or "/"
        return f'{pointer} "{one_line(self.name)}"' if self.name else pointer


@dataclass(frozen=True, slots=True)
class Table:
    """An array of the file that indices point into."""

    what: str
    """What the items are called."""
    count: int
    """Number of items in the file."""
    index_from_file: Mapping[int, int]
    """Index in the mechanism of every item that could be read."""


class Members:
    """One JSON object of a file, while it is read."""

    def __init__(
        self,
        members: Mapping[str, Json],
        place: Place,
        issues: list[Issue],
        under: str = "",
        channels: Mapping[str, Keys] = NO_CHANNELS,
    ) -> None:
        """Take over what an object holds, where it is and where to note what is wrong with it.

        ``under`` is the dialect that keeps what nobody asks for; ``channels`` is what animations do
        with numbers of the file, by their JSON pointers.
        """
        spend("objects")
        self.json = members
        self.channels = channels
        self.place = place
        self._issues = issues
        self._under = under
        self._known: set[str] = set()

    def in_dialect(self, name: str) -> Members:
        """Return the same object; what is unknown in it and below it is kept under this name."""
        self._under = name
        return self

    def report(
        self, severity: Severity, code: str, message: str, fix: str = "", key: str = ""
    ) -> None:
        """Note an issue with this object, or with one of its members; what is wrong is not read."""
        place = self.place.at(key) if key else self.place
        loss = severity is Severity.ERROR and code not in UNHARMED
        self._issues.append(Issue(severity, code, str(place), message, fix, place.node, loss))

    def error(self, code: str, message: str, fix: str = "", key: str = "") -> None:
        """Note something that the specification forbids."""
        self.report(Severity.ERROR, code, message, fix, key)

    def warn(self, code: str, message: str, fix: str = "", key: str = "") -> None:
        """Note something that was changed on the way in."""
        self.report(Severity.WARNING, code, message, fix, key)

    def name(self) -> str:
        """Return the name of the object, by which it is known from now on."""
        name = self.text("name")
        self.place = Place(self.place.pointer, name, self.place.node)
        return name

    def has(self, key: str) -> bool:
        """Return whether a member is there, whatever it is."""
        self._known.add(key)
        return key in self.json

    def text(self, key: str, default: str = "") -> str:
        """Return a string, in characters that can be written anywhere."""
        value = self._take(key)
        if isinstance(value, str):
            return printable(value)
        return self._wrong(key, value, "a string", default)

    def flag(self, key: str) -> bool:
        """Return a boolean; one that is missing or wrong is false."""
        value = self._take(key)
        return value if isinstance(value, bool) else self._wrong(key, value, "a boolean", False)

    def choice(self, key: str, choices: type[Choice], default: Choice) -> Choice:
        """Return one of a closed set of strings."""
        value = self._take(key)
        if isinstance(value, str) and value in list(choices):
            return choices(value)
        listed = ", ".join(f'"{choice}"' for choice in choices)
        return self._wrong(key, value, f"one of {listed}", default)

    def number(self, key: str, default: float, *, infinite: bool = False) -> float:
        """Return a number; an infinity only where it has a meaning."""
        value = self._take(key)
        if not _is_number(value):
            return self._wrong(key, value, "a number", default)
        result = _float(value)
        if isnan(result) or (isinf(result) and not infinite):
            self.error("not-finite", f"{key} is {result}, which is not a JSON number.", key=key)
            return default
        if isinf(result):
            self.warn("infinite-number", f"{key} is infinite, which JSON cannot hold.", key=key)
        return result

    def magnitude(self, key: str, default: float, code: str) -> float:
        """Return a number that is not negative; a negative one is an issue of this code."""
        value = self.number(key, default)
        if value < 0.0:
            self.error(code, f"{key} is negative ({value:g}).", "It is read as 0.", key)
            return 0.0
        return value

    def infinite_if_negative(self, key: str) -> float:
        """Return a stiffness or a force: missing and negative are infinite."""
        value = self.number(key, inf, infinite=True)
        if value < 0.0:
            message = f"{key} is negative ({value:g}), which means infinite."
            self.warn("negative-is-infinite", message, "Leave it out.", key)
            return inf
        return value

    def vector(self, key: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """Return an array of as many finite numbers as the default has."""
        value = self._take(key)
        items = value if isinstance(value, list) else []
        result = tuple(_float(item) for item in items if _is_number(item))
        if not len(result) == len(items) == len(default):
            return self._wrong(key, value, f"an array of {len(default)} numbers", default)
        if not all(map(isfinite, result)):
            self.error("not-finite", f"{key} holds a number that JSON cannot hold.", key=key)
            return default
        return result

    def integer(self, key: str) -> int | None:
        """Return a whole number, or None where it is missing or wrong."""
        value = self._take(key)
        result = _whole(value)
        return self._wrong(key, value, "an integer", None) if result is None else result

    def integers(self, key: str, count: int, what: str) -> tuple[int, ...]:
        """Return an array of different whole numbers from 0 to count - 1."""
        result: dict[int, None] = {}
        for position, value in enumerate(self.items(key)):
            whole = _whole(value)
            if whole is None:
                self._wrong(f"{key}/{position}", value, "an integer", None)
            elif not 0 <= whole < count:
                message = f"There is no {what} {_short(whole)}: there are {count}."
                self.error("index-out-of-range", message, key=key)
            elif whole in result:
                self.error("duplicate-item", f"{what} {whole} is named twice.", key=key)
            else:
                result[whole] = None
        return tuple(result)

    def index(self, key: str, table: Table) -> int | None:
        """Return an index of the mechanism, or None where it points nowhere."""
        value = self.integer(key)
        if value is None or value == NO_INDEX:
            return None
        if not 0 <= value < table.count:
            message = f"{key} is {_short(value)}, but the file has only {table.count} {table.what}."
            self.error("index-out-of-range", message, "Point it at one of them.", key)
        elif value not in table.index_from_file:
            message = f"{key} is {value}, and that one of the {table.what} could not be read."
            self.error("unreadable-reference", message, key=key)
        return table.index_from_file.get(value)

    def strings(self, key: str) -> tuple[str, ...]:
        """Return an array of strings."""
        items = self.items(key)
        for position, value in enumerate(items):
            if not isinstance(value, str):
                self._wrong(f"{key}/{position}", value, "a string", None)
        return tuple(printable(value) for value in items if isinstance(value, str))

    def items(self, key: str) -> list[Json]:
        """Return the items of an array; none where it is missing or wrong."""
        value = self._take(key)
        return value if isinstance(value, list) else self._wrong(key, value, "an array", [])

    def child(self, key: str) -> Members | None:
        """Return an object, or None where it is missing, null or wrong."""
        value = self._take(key)
        if isinstance(value, dict):
            return Members(value, self.place.at(key), self._issues, self._under, self.channels)
        return None if value is None else self._wrong(key, value, "an object", None)

    def part(self, key: str, read: Callable[[Members], Item | None]) -> Item | None:
        """Return what is read of an object; None where that is missing, null or wrong."""
        members = self.child(key)
        return None if members is None else read(members)

    def extension(self, name: str) -> Members | None:
        """Return what an extension says of the object, if it does."""
        said = self.json.get("extensions")
        if isinstance(said, dict) and name not in said:
            return None
        extensions = self.child("extensions")
        return None if extensions is None else extensions.child(name)

    def item(self, key: str, position: int, members: Mapping[str, Json]) -> Members:
        """Return an object that is an item of an array."""
        place = self.place.at(key).at(position)
        return Members(members, place, self._issues, self._under, self.channels)

    def children(self, key: str) -> Iterator[tuple[int, Members]]:
        """Yield position and members of the objects of an array; the others become issues."""
        for position, value in enumerate(self.items(key)):
            if isinstance(value, dict):
                yield position, self.item(key, position, value)
            else:
                self._wrong(f"{key}/{position}", value, "an object", None)

    def unknown(self, **inner: Members | None) -> str:
        """Return the text of the members that nobody asked for; "" where there is none.

        Those of inner objects stand under their keys. Empty ``extras`` and ``extensions`` count as
        nothing.
        """
        kept = self._left()
        for key, members in inner.items():
            left = members._left() if members is not None else {}
            if left:
                kept[key] = left
        text = text_of(kept) if kept else ""
        return kept_under(self._under, text) if self._under else text

    def _left(self) -> JsonObject:
        kept: JsonObject = {}
        for key, value in self.json.items():
            if key in self._known or (key in ALLOWED and value in ({}, None)):
                continue
            try:
                text_of(value)
            except ValueError as error:
                message = f'The unknown member "{one_line(key)}" cannot be kept: {error}.'
                self.warn("unknown-not-kept", message, key=key)
                continue
            if key not in ALLOWED and "_" not in key:  # else a vendor's own
                message = f"No {one_line(key)} is known here, and it is not read."
                self.warn("unknown-member", message, "Look for slips of the pen.", key)
            kept[key] = value
        return kept

    def _take(self, key: str) -> Json:
        self._known.add(key)
        return self.json.get(key)

    def _wrong(self, key: str, value: Json, wanted: str, default: Fallback) -> Fallback:
        """Note a member of the wrong type, unless it is not there at all; return the default."""
        if value is not None or key in self.json or "/" in key:
            place = self.place
            for step in key.split("/"):
                place = place.at(step)
            message = f"{key} must be {wanted}, but it is {_described(value)}."
            issue = Issue(
                Severity.ERROR, "wrong-type", str(place), message, "", place.node, loss=True
            )
            self._issues.append(issue)
        return default


def quiet(members: Mapping[str, Json]) -> Members:
    """Return an object of a file whose faults are for others to note."""
    return Members(members, Place(), [])


def printable(text: str) -> str:
    """Return a string without the lone surrogates that JSON may hold and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_number(value: Json) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _float(value: float) -> float:
    """Return a JSON number in double precision; one too large is infinite."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _whole(value: Json) -> int | None:
    """Return a JSON integer; JSON Schema lets 1.0 be one, and some writers spell them so."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else None


def _short(value: int) -> str:
    """Return a whole number in a length that fits in a sentence."""
    return str(value) if abs(value) < 10**12 else f"{_float(value):g}"


JSON_TYPES = (dict, list, str, int, float, type(None))
"""Of all that JSON has."""


def _described(value: Json) -> str:
    parts = value if isinstance(value, list) else [value]
    odd = [type(one).__name__ for one in parts if not isinstance(one, JSON_TYPES)]
    if odd:  # scripts make documents
        return f"{odd[0]} of Python"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if value is None or isinstance(value, bool):
        return "null" if value is None else "a boolean"
    if isinstance(value, str):
        shown = value if len(value) <= 40 else value[:39] + "\N{HORIZONTAL ELLIPSIS}"
        return f'"{one_line(shown)}"'
    return f"{_float(value):g}"
