# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to break one place of C or GDScript, found in its text, since Python reads no tree of it.

A fault replaces a piece and nothing else. Spared are comments, sentences, what is declared or
included, and sizes of arrays: a larger one means the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .faults import Fault

SWAPPED = {
    **{" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == "},
    **{" + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", " += ": " -= ", " -= ": " += "},
    **{" *= ": " /= ", " /= ": " *= ", " && ": " || ", " || ": " && ", " and ": " or "},
    **{" or ": " and ", " not in ": " in "},
}
"""Operators as formatters set them, between blanks."""
TYPES = "void|int|double|char|size_t|u?int[0-9]+_t|omi_[a-z]+"
SPARED_C = re.compile(
    r"/\*.*?\*/|0x[0-9a-f.]+p[+-]\d+|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\])+'|^#(?:include|if|endif|else)[^\n]*"
    r"|\b(?:" + TYPES + r")\b[ *]*\w+(?:\[[^\]=]*\])+|, \*?\w+(?:\[[^\]=(]*\])+(?=[,;])",
    re.DOTALL | re.MULTILINE,
)
SPARED_GD = re.compile(
    r"#[^\n]*|\"(?:\\.|[^\"\\\n])* (?:\\.|[^\"\\\n])*\""
    r"|^(?:extends|signal|class_name|func|static func)[^\n]*|\bpreload\([^)]*\)",
    re.MULTILINE,
)
NUMBER = re.compile(r"(?<![\w.\"$])(?:\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+)(?![\w.])")
WORD = re.compile(r"\"[^\"\\\s\0]+\"")
INVERTED = re.compile(r"!(?=[\w(*])|\bnot (?!in )")
NEGATED = re.compile(r"(?<=[(,=?:\[] )-(?=[\w(])|(?<=[(\[])-(?=[\w(])|(?<=return )-(?=[\w(])")
LEFT_OUT_C = re.compile(
    rf"(?!(?:static |const )*(?:{TYPES})\b|return .|for |if |while |else)"
    r"(?:[\w.>*(\[][^;{}]*?(?:[-+*/|]?= |\()[^;{}]*|break|continue|return);$"
)
LEFT_OUT_GD = re.compile(
    r"(?!(?:if|for|while|elif|match|return|await|assert)\b.)"
    r"(?:[\w.]+(?:\[[^\]]*\])*(?: [-+*/|]?= |\().*[^:,(\[{]|break|continue|return)$"
)


def text_faults_of(path: str, text: str) -> list[Fault]:
    """Return all faults of a file of C or GDScript, in the order of their places."""
    is_c = not path.endswith(".gd")
    spared = SPARED_C if is_c else SPARED_GD
    plain = spared.sub(lambda found: re.sub(r"[^\n]", "\0", found[0]), text)
    pieces = [*_signs(plain), *_constants(plain), *_conditions(plain, is_c=is_c)]
    pieces += _statements(plain, is_c=is_c)
    found = []
    for kind, start, end, new in pieces:
        line = text.count("\n", 0, start) + 1
        last = line + text.count("\n", start, end)
        found.append(Fault(path, line, (line, last), start, end, new, kind, text[start:end]))
    return sorted(set(found), key=lambda one: (one.start, one.end, one.new))


Piece = tuple[str, int, int, str]
"""What is broken, where that begins and ends, and what stands there instead."""


def _signs(plain: str) -> Iterator[Piece]:
    for old, new in SWAPPED.items():
        kind = "and/or" if old.strip() in {"&&", "||", "and", "or"} else "arithmetic"
        kind = "comparison" if old[1] in "<>=!n" else kind
        for found in re.finditer(re.escape(old), plain):
            yield kind, found.start(), found.end(), new
    for found in INVERTED.finditer(plain):
        yield "negation", found.start(), found.end(), ""
    for found in NEGATED.finditer(plain):
        yield "sign", found.start(), found.end(), ""


def _constants(plain: str) -> Iterator[Piece]:
    for found in NUMBER.finditer(plain):
        old = found[0]
        if old.isdigit():
            new = str(int(old) + 1)
        else:
            new = "1.0" if float(old) == 0.0 else repr(2.0 * float(old))
        yield "constant", found.start(), found.end(), new
    for found in WORD.finditer(plain):
        yield "constant", found.start(), found.end(), '"XX' + found[0][1:]
    for old, new in (("true", "false"), ("false", "true")):
        for found in re.finditer(rf"\b{old}\b", plain):
            yield "constant", found.start(), found.end(), new


def _conditions(plain: str, *, is_c: bool) -> Iterator[Piece]:
    """Yield negations of what is asked; in C it stands in brackets, in GDScript before a colon."""
    if not is_c:
        for found in re.finditer(r"^\t+(?:if|elif|while) (.+):$", plain, re.MULTILINE):
            yield "condition", *found.span(1), f"not ({found[1]})"
        return
    for found in re.finditer(r"\b(?:if|while) \(", plain):
        end = _closing(plain, found.end() - 1)
        if end > 0:
            inside = plain[found.end() : end]
            yield "condition", found.end(), end, f"!({inside})"


def _statements(plain: str, *, is_c: bool) -> Iterator[Piece]:
    """Yield what is left out: calls, what is stored, and where a loop or a function is left."""
    at = 0
    for line in plain.splitlines(keepends=True):
        body = line.strip()
        start = at + len(line) - len(line.lstrip())
        at += len(line)
        if not body or "\0" in body or _balance(body) or not line[0].isspace():
            continue
        if (LEFT_OUT_C if is_c else LEFT_OUT_GD).match(body):
            yield "statement", start, start + len(body), ";" if is_c else "pass"


def _balance(line: str) -> int:
    return sum(line.count(one) for one in "([{") - sum(line.count(one) for one in ")]}")


def _closing(plain: str, at: int) -> int:
    """Return where the bracket that opens at a place closes; -1 where it does not."""
    depth = 0
    for place in range(at, len(plain)):
        depth += {"(": 1, ")": -1}.get(plain[place], 0)
        if depth == 0:
            return place
    return -1
