# SPDX-License-Identifier: GPL-3.0-or-later
"""XML as elements, bounded in every way, both ways; no DTD and no entity is ever read.

Python's own expat, and not ``defusedxml``: the extension has no dependencies, and a reader that
refuses every DTD at its first word has nothing left to defuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

LARGEST_FILE = 32 * 1024 * 1024
"""Bytes of one file. The largest model of a robot that we know has two million."""
DEEPEST = 1000
"""Elements inside each other: a chain of so many links is read, and no stack overflows."""
MOST_ELEMENTS = 200_000
STEP = 64 * 1024
UNSAYABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class XmlError(Exception):
    """The file is not read; its text is one sentence for the user."""


@dataclass(slots=True)
class Element:
    """One element with what is in it; text between elements says nothing in these formats."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    line: int = 0
    """In its file, from 1; 0 is an element that is to be written."""

    def all(self, *tags: str) -> Iterator[Element]:
        """Yield the children with one of some tags."""
        return (child for child in self.children if child.tag in tags)

    def one(self, tag: str) -> Element | None:
        """Return the first child with a tag."""
        return next(self.all(tag), None)

    def text(self, name: str, default: str = "") -> str:
        """Return an attribute as it stands."""
        return self.attributes.get(name, default)

    def add(self, tag: str, **attributes: str | None) -> Element:
        """Append a child, without the attributes that are None or empty, and return it."""
        named = {name.rstrip("_"): text for name, text in attributes.items() if text}
        child = Element(tag, named)
        self.children.append(child)
        return child


def read_xml(path: Path) -> Element:
    """Return the root element of a file.

    Raises:
        XmlError: it cannot be read, is no XML, or has what no model needs.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            message = f"{path.name} has more than {LARGEST_FILE // 2**20} MB, which is not read."
            raise XmlError(message)
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        message = f"{path.name} cannot be read: {error.strerror}."
        raise XmlError(message) from None
    return parsed(content, path.name)


def parsed(content: bytes, name: str) -> Element:
    """Return the root element of a text.

    Raises:
        XmlError: see ``read_xml``.
    """
    if len(content) > LARGEST_FILE:
        message = f"{name} has more than {LARGEST_FILE // 2**20} MB, which is not read."
        raise XmlError(message)
    builder = _ElementBuilder(name)
    try:
        for first in range(0, max(len(content), 1), STEP):
            builder.parser.Parse(content[first : first + STEP], first + STEP >= len(content))
    except expat.ExpatError as error:
        message = (
            f"{name}, line {error.lineno}: this is no XML ({expat.errors.messages[error.code]})."
        )
        raise XmlError(message) from None
    except (ValueError, LookupError):  # an encoding that nobody knows
        message = f"{name} is in an encoding that cannot be read."
        raise XmlError(message) from None
    return builder.root.children[0]


class _ElementBuilder:
    """Makes elements of what expat tells."""

    def __init__(self, name: str) -> None:
        self.root = Element("")
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse
        self.parser.ExternalEntityRefHandler = self._refuse
        self._name = name
        self._open = [self.root]
        self._count = 0

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            self._fail(f"there are more than {MOST_ELEMENTS} elements, which are not read")
        if len(self._open) > DEEPEST:
            self._fail(f"elements are nested more than {DEEPEST} deep, which is not read")
        child = Element(tag, attributes, line=self.parser.CurrentLineNumber)
        self._open[-1].children.append(child)
        self._open.append(child)

    def _end(self, _tag: str) -> None:
        self._open.pop()

    def _refuse(self, *_declared: object) -> int:
        self._fail("it declares a document type or entities, which are never read")
        return 0

    def _fail(self, words: str) -> None:
        message = f"{self._name}, line {self.parser.CurrentLineNumber}: {words}."
        raise XmlError(message)


def unique(name: str, taken: set[str], between: str = " ") -> str:
    """Return a name that is not taken, with a number behind it where it is; now it is taken."""
    number, found = 2, name
    while found in taken:
        found, number = f"{name}{between}{number}", number + 1
    taken.add(found)
    return found


def plain(text: str) -> str:
    """Return a text without the characters that XML has no way to say."""
    return UNSAYABLE.sub("_", text)


def xml_text(root: Element) -> str:
    """Return an element as the text of a file."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>']
    waiting: list[tuple[Element | str, int]] = [(root, 0)]
    while waiting:
        one, depth = waiting.pop()
        indent = "  " * depth
        if isinstance(one, str):
            lines.append(f"{indent}{one}")
            continue
        words = [
            one.tag,
            *(f"{name}={quoteattr(plain(text))}" for name, text in one.attributes.items()),
        ]
        lines.append(f"{indent}<{' '.join(words)}{'' if one.children else '/'}>")
        if one.children:
            waiting.append((f"</{one.tag}>", depth))
            waiting += [(child, depth + 1) for child in reversed(one.children)]
    return "\n".join(lines) + "\n"
