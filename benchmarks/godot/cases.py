# SPDX-License-Identifier: GPL-3.0-or-later
"""Which cases there are, and what their files are called."""

from __future__ import annotations

from collections.abc import Sequence

from .body_cases import body_cases
from .building import Case
from .further_cases import further_cases
from .joint_cases import joint_cases
from .keyed_cases import keyed_cases


def chosen(words: Sequence[str]) -> dict[str, Case]:
    """Return the cases whose names have any of some words; all without words."""
    cases = joint_cases() | body_cases() | further_cases() | keyed_cases()
    return {
        name: case
        for name, case in cases.items()
        if not words or any(word in name for word in words)
    }


def file_name(name: str) -> str:
    """Return what the file of a case is called, without an ending."""
    return "".join(letter if letter.isalnum() else "_" for letter in name)
