# SPDX-License-Identifier: GPL-3.0-or-later
"""What many cases make of many outputs, as digests: breadth where texts would be too long to read.

A file in ``tests/approved`` has a line for each case and a digest for each of its outputs. A digest
says that something is another, never that it is right: what is right is said by other tests.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha1
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.approved import ANEW, FOLDER

TEXTS = "OMI_TEXTS"
"""The environment variable that names a folder for all texts that digests are of."""
Lines = Callable[[Any], Iterable[str]]
NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+|0)(?![\w.])")
OFF_EDGES = 1.0 + 3e-10
"""Numbers are rounded a little beside themselves: a short one at an edge may go either way."""
NOTHING = 1e-9
MOST_LINES = 80
HOW = """\
To see all that changed, run this test with {texts}=../now, then `git stash`, the same test with
{texts}=../before, `git stash pop`, and `diff -r ../before ../now`. What is changed on purpose
is approved with {anew}=1 before the same test: read that diff, and commit the file along."""


def rounded(text: str) -> str:
    """Return a text whose numbers have six digits, and no zero has a sign."""
    return NUMBER.sub(lambda found: _short(float(found[0])), text)


def _short(value: float, digits: int = 6) -> str:
    return "0" if abs(value) < NOTHING else f"{value * OFF_EDGES:.{digits}g}"


def numbers(values: Any, digits: int = 6) -> str:
    """Return numbers on one line."""
    return " ".join(_short(one, digits) for one in np.ravel(values).astype(float).tolist())


def places(values: Any, digits: int = 3) -> str:
    """Return numbers to so many digits, a little beside where short ones would tip over."""
    return numbers(np.round(np.asarray(values, np.float64) + 0.2 * 10.0**-digits, digits), 7)


def summed(values: Any) -> str:
    """Return an array as its shape and a weighted sum, in which each number and its place count."""
    found = np.asarray(values, np.float64)
    flat = np.where(np.isfinite(found), found, 77.0).ravel()
    total = float(flat @ np.cos(1.0 + np.arange(flat.size)))
    return f"{found.shape} {0.0 if abs(total) < 1e-5 else total + 3e-8:.4f}"


def approved_by_digest(name: str, outputs: Mapping[str, Lines], cases: Mapping[str, Any]) -> None:
    """Fail unless each output of each case is what the file of this name knows it to be.

    Args:
        name: The file in `tests/approved/`; written out, so that it is known who compares it.
        outputs: By name: the lines that are made of a case.
        cases: By name; those of the file that are not among them are left to another test.
    """
    texts = {(case, output): text for case, output, text in _texts(outputs, cases)}
    now = {
        key: sha1(text.encode(), usedforsecurity=False).hexdigest()[:6]
        for key, text in texts.items()
    }
    if os.environ.get(TEXTS):
        for (case, output), text in texts.items():
            path = Path(os.environ[TEXTS], Path(name).stem, case, f"{output}.txt")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    path = FOLDER / name
    before = path.read_text("utf-8").splitlines() if path.is_file() else []
    if os.environ.get(ANEW) == "1":
        known = {line.partition(":")[0]: line for line in before}
        for case in cases:
            known[case] = " ".join([f"{case}:", *(f"{one}={now[case, one]}" for one in outputs)])
        lines = (f"{known[case]}\n" for case in sorted(known))
        path.write_text("".join(lines), "utf-8", newline="\n")
        pytest.skip(f"written anew: read what {TEXTS} says of {name}")
    known = {key: digest for key, digest in _known(before) if key[0] in cases}
    other = [key for key in {**known, **now} if known.get(key) != now.get(key)]
    if other:
        said = "; ".join(f"{case}: {output}" for case, output in other[:12])
        shown = "\n".join(texts.get(other[0], "(is no more)").splitlines()[:MOST_LINES])
        how = HOW.format(texts=TEXTS, anew=ANEW)
        pytest.fail(
            f"{name}: {len(other)} of {len(now)} outputs are others: {said}"
            f"\n{how}\nThis is {': '.join(other[0])} now:\n{shown}",
            pytrace=False,
        )


def _texts(
    outputs: Mapping[str, Lines], cases: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """Yield case, output and its text."""
    for case, value in cases.items():
        for output, lines in outputs.items():
            try:
                yield case, output, rounded("\n".join(lines(value)))
            except Exception as error:
                error.add_note(f"This is {output} of case {case}.")
                raise


def _known(lines: Iterable[str]) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield case, output and digest of the lines of a file."""
    for line in lines:
        case, _, digests = line.partition(": ")
        for one in digests.split():
            output, _, digest = one.rpartition("=")
            yield (case, output), digest
