# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a stage is not there: files that it names in vain, and prims that USD cannot read.

A stage goes on without them, and USD itself says no more of it than a line on standard error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..model.issue import Issue, Severity
from ..model.wording.words import capitalized, counted, one_line, some

FILE_FIX = "Put the file where the stage names it, or correct that name: what it holds is missing."
ARC_FIX = "Correct what the prim names there: what it should bring along is missing."
PRIM_FIX = "Correct these prims: nothing of them is read."
MOST_SAID = 300
"""Characters of what USD says."""
_QUOTED = re.compile(r" : '(.*?)'\s*(?:\n|\Z)", re.DOTALL)
"""What an error says, behind where it was raised."""
_FILE = ("Could not open", "Could not load", "Unresolved asset")
_SESSION = re.compile(r",@anon:[^@]*@")
_INNER = re.compile(r"\s*matching \S*(?:pxr|PXR)\S*")
"""What only USD's own sources know: addresses of layers without a name, names of its grammar."""


def said(error: object) -> str:
    """Return what an error of ``pxr`` says first, without where in its sources it says so."""
    found = _QUOTED.search(str(error))
    text = _INNER.sub("", _SESSION.sub("", found[1] if found else str(error)))
    return capitalized(one_line(" ".join(text.split()))[:MOST_SAID].rstrip(" .")) + "."


def not_composed(errors: Sequence[tuple[str, str]], name: str, folder: str) -> Iterator[Issue]:
    """Yield an issue for each thing that a stage names and that is not there.

    Errors are paths of prims, "/" of what concerns a layer as a whole, and what USD says. Paths in
    the folder of the stage's file are said from there.
    """
    told = set()
    for path, words in errors:
        text = said(words.replace(f"@{folder}/", "@") if folder else words)
        if (path, text) in told:  # what a layer lacks is found with and without its session
            continue
        told.add((path, text))
        is_file = text.startswith(_FILE)
        code, fix = ("usd-file-missing", FILE_FIX) if is_file else ("usd-not-composed", ARC_FIX)
        yield Issue(Severity.ERROR, code, name if path == "/" else path, text, fix)


def not_chosen(selections: Iterable[tuple[str, str, str, Sequence[str]]]) -> Iterator[Issue]:
    """Yield an issue for each variant that a prim chooses and does not have.

    Selections are paths of prims, names of sets, what is chosen, and what there is.
    """
    for path, name, chosen, there in selections:
        if chosen and chosen not in there:
            text = f'It chooses the variant "{chosen}" of "{name}", which is not there, so it has '
            text += f"none of what {some(there)} would say." if there else "no such variants."
            fix = "Choose one that is there, or take the choice out."
            yield Issue(Severity.WARNING, "usd-variant-missing", path, one_line(text), fix)


def unread(prims: Mapping[str, Sequence[str]]) -> Iterator[Issue]:
    """Yield an issue for each reason why prims, by their paths, cannot be read."""
    for reason, paths in prims.items():
        are = "is" if len(paths) == 1 else "are"
        who = f"{counted(len(paths), 'prim')} ({some(paths)}) {are} not read"
        text = f"{capitalized(who)}: {reason}"
        yield Issue(Severity.ERROR, "usd-prim-unread", paths[0], text, PRIM_FIX)
