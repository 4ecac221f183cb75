# SPDX-License-Identifier: GPL-3.0-or-later
"""What Check says, word for word: of the mechanism that earns each code, and of its neighbour."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import BLENDER_AXES, SEVERITIES, check
from tests.approved import approved
from tests.model.validate.test_rules import CASES, judged

READERS = frozenset(Reader)
NAMES = {"godot", "babylon", "unity", "viewers", "newton", "physx", "reader"}
"""What codes begin with that are about readers."""


def told(mechanism: Mechanism) -> set[str]:
    """Return all codes that somebody is told of a mechanism."""
    return {
        one.code for target in Target for one in check(mechanism, readers=READERS, target=target)
    }


def lines(code: str) -> Iterator[str]:
    """Yield what is said of what earns a code."""
    bad, good = CASES[code]
    found = [one for said in judged(code, bad) for one in said if one.code == code]
    for text in dict.fromkeys(f"{one}{' (loss)' if one.loss else ''}" for one in found):
        yield f"{code}: {text}"
    named = check(bad, readers=READERS, axis_names=BLENDER_AXES)
    for one in named:
        if one.code == code and str(one) not in map(str, found):
            yield f"    in Blender: {one}"
    with_it, without = told(bad) - {code}, told(good)
    for word, others in (("also", with_it - without), ("no", without - with_it)):
        if others:
            yield f"    {word} {', '.join(sorted(others))}"


def said_of(codes: list[str]) -> list[str]:
    """Return what is said of several codes."""
    return [line for code in codes for line in lines(code)]


@pytest.mark.long
def test_what_check_says_to_everybody_is_as_approved() -> None:
    """Of what specifications forbid and of what looks unintended."""
    known = [code for code in SEVERITIES if code.partition("-")[0] not in NAMES]
    approved("check_says.txt", {"Check says this whoever reads a file.": said_of(known)})


@pytest.mark.long
def test_what_check_says_of_readers_is_as_approved() -> None:
    """Of what each does otherwise, and what to do about it."""
    known = [code for code in SEVERITIES if code.partition("-")[0] in NAMES]
    approved(
        "check_says_of_readers.txt", {"Check says this to who names a reader.": said_of(known)}
    )
