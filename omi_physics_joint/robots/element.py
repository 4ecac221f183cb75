# SPDX-License-Identifier: GPL-3.0-or-later
"""XML as elements with numbers, bounded in every way, both ways; no DTD or entity is ever read.

Python's own expat, and not ``defusedxml``: the extension has no dependencies, and a reader that
refuses every DTD at its first word has nothing left to defuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from ..files.inputs import spend, why_closed
from ..model.body import ZERO, Vector3

LARGEST_FILE = 32 * 1024 * 1024
"""Bytes of one file. The largest model of a robot that we know has two million."""
DEEPEST = 1000
"""Elements inside each other: a chain of so many links is read, and no stack overflows."""
LARGEST = 1e50
"""What is larger is no size and no mass; its powers would overflow."""
STEP = 64 * 1024
UNSAYABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Said = str | float | Sequence[float] | None
"""What an attribute is given; None and "" leave it out."""


class XmlError(Exception):
    """The file is not read; its text is one sentence for the user."""


@dataclass(slots=True)
class Element:
    """One element with what is in it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    line: int = 0
    """In its file, from 1; 0 is an element that is to be written."""
    words: str = ""
    """The first text in it, a few KB at most: little in these formats is said so."""

    def all(self, *tags: str) -> Iterator[Element]:
        """Yield the children with one of some tags."""
        return (child for child in self.children if child.tag in tags)

    def inside(self, tag: str, *tags: str) -> Iterator[Element]:
        """Yield what is in all children with a tag: what has one of some tags, or everything."""
        sections = self.all(tag)
        return (
            one for section in sections for one in section.children if one.tag in tags or not tags
        )

    def one(self, tag: str) -> Element | None:
        """Return the first child with a tag."""
        return next(self.all(tag), None)

    def inner(self, tag: str) -> Element:
        """Return the first child with a tag, or one that says nothing."""
        return self.one(tag) or Element(tag)

    def text(self, name: str, default: str = "") -> str:
        """Return an attribute as it stands."""
        return self.attributes.get(name, default)

    def floats(self, name: str, count: int = 0) -> tuple[float, ...]:
        """Return the numbers of an attribute; none where it is not there.

        Raises:
            XmlError: something in it is no number, or there are others than ``count``.
        """
        text = self.text(name)
        try:
            words = text.split()
            spend("numbers", len(words))
            numbers = tuple(map(float, words))
        except ValueError:
            numbers = (float("nan"),)
        if not all(abs(number) <= LARGEST for number in numbers):
            said = f"{name}={text[:60]!a} of <{self.tag}>"
            raise XmlError(f"line {self.line}: {said} is no list of numbers.")
        if numbers and count and len(numbers) != count:
            raise XmlError(f"line {self.line}: {name} of <{self.tag}> wants {count} numbers.")
        return numbers

    def number(self, name: str, default: float = 0.0) -> float:
        """Return the first number of an attribute."""
        return next(iter(self.floats(name)), default)

    def vector(self, name: str, default: Vector3 = ZERO) -> Vector3:
        """Return three numbers of an attribute.

        Raises:
            XmlError: there are others.
        """
        x, y, z = self.floats(name, 3) or default
        return (x, y, z)

    def add(self, tag: str, **attributes: Said) -> Element:
        """Append a child, without the attributes that say nothing, and return it."""
        child = Element(tag)
        child.say(**attributes)
        self.children.append(child)
        return child

    def say(self, **attributes: Said) -> None:
        """Set attributes, without those that say nothing."""
        said = {name: spelled(value) for name, value in attributes.items()}
        self.attributes |= {name: text for name, text in said.items() if text}


def read_xml(path: Path) -> Element:
    """Return the root element of a file.

    Raises:
        XmlError: it cannot be read, is no XML, or has what no model needs.
    """
    if why := why_closed(path, named=True):
        raise XmlError(f"{path.name} is not read: {why}.")
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise XmlError(f"{path.name} cannot be read: {error.strerror}.") from None
    return parsed(content, path.name)


def parsed(content: bytes, name: str) -> Element:
    """Return the root element of a text.

    Raises:
        XmlError: see ``read_xml``.
    """
    if len(content) > LARGEST_FILE:
        raise XmlError(f"{name} has more than {LARGEST_FILE // 2**20} MB, which is not read.")
    builder = _ElementBuilder(name)
    try:
        for first in range(0, max(len(content), 1), STEP):
            builder.parser.Parse(content[first : first + STEP], first + STEP >= len(content))
    except expat.ExpatError as error:
        raise XmlError(
            f"{name}, line {error.lineno}: this is no XML ({expat.errors.messages[error.code]})."
        ) from None
    except (ValueError, LookupError):  # an encoding that nobody knows
        raise XmlError(f"{name} is in an encoding that cannot be read.") from None
    return builder.root.children[0]


class _ElementBuilder:
    """Makes elements of what expat tells."""

    def __init__(self, name: str) -> None:
        self.root = Element("")
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._say
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse
        self.parser.ExternalEntityRefHandler = self._refuse
        self._name = name
        self._open = [self.root]

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        spend("elements")
        if len(self._open) > DEEPEST:
            self._fail(f"elements are nested more than {DEEPEST} deep, which is not read")
        child = Element(tag, attributes, line=self.parser.CurrentLineNumber)
        self._open[-1].children.append(child)
        self._open.append(child)

    def _end(self, _tag: str) -> None:
        self._open.pop()

    def _say(self, text: str) -> None:
        self._open[-1].words = self._open[-1].words or text.strip()

    def _refuse(self, *_declared: object) -> int:
        self._fail("it declares a document type or entities, which are never read")
        return 0

    def _fail(self, words: str) -> None:
        raise XmlError(f"{self._name}, line {self.parser.CurrentLineNumber}: {words}.")


def unique(name: str, taken: set[str]) -> str:
    """Return a name that XML can say and that is not taken, or with a number; now it is taken."""
    number, found = 2, (name := plain(name))
    while found in taken:
        found, number = f"{name} {number}", number + 1
    taken.add(found)
    return found


def spelled(said: Said) -> str:
    """Return what an attribute says; numbers are the shortest that single out each double."""
    if said is None or isinstance(said, str):
        return said or ""
    numbers = (said,) if isinstance(said, int | float) else said
    return " ".join(f"{number + 0.0:.15g}" for number in numbers)  # no minus before zero


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
        said = (f" {name}={quoteattr(plain(text))}" for name, text in one.attributes.items())
        words, tag = escape(plain(one.words)), f"{one.tag}{''.join(said)}"
        if words and not one.children:
            lines.append(f"{indent}<{tag}>{words}</{one.tag}>")
            continue
        lines.append(f"{indent}<{tag}{'' if one.children else '/'}>")
        if one.children:
            waiting.append((f"</{one.tag}>", depth))
            waiting += [(child, depth + 1) for child in reversed(one.children)]
    return "\n".join(lines) + "\n"
