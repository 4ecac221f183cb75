# SPDX-License-Identifier: GPL-3.0-or-later
"""Issues as lines, as JSON and as a count."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from omi_physics_joint.model.issue import (
    ALIKE,
    Issue,
    Severity,
    as_one,
    gathered,
    has_errors,
    summary,
)

ERROR = Issue(Severity.ERROR, "same-body", "Hinge", "Both ends are one.", "Move one.", 3)
HINT = Issue(Severity.HINT, "mass-ratio", "Rope", "It is heavy.")


def test_a_line_says_how_bad_where_what_and_what_to_do() -> None:
    """One issue is one line; without a fix it ends after the message."""
    assert str(ERROR) == "error: Hinge: Both ends are one. Move one."
    assert str(HINT) == "hint: Rope: It is heavy."


def test_json_holds_plain_values() -> None:
    """A report for machines has five texts for each issue, and whether something is lost."""
    assert json.loads(json.dumps(ERROR.as_json())) == {
        "severity": "error",
        "code": "same-body",
        "where": "Hinge",
        "message": "Both ends are one.",
        "fix": "Move one.",
        "loss": False,
    }


def test_only_errors_are_errors() -> None:
    """Hints and warnings do not stop a strict export."""
    warning = Issue(Severity.WARNING, "x", "y", "z")
    assert not has_errors([HINT, warning])
    assert has_errors([HINT, ERROR])
    assert not has_errors([])


def test_summary_counts_worst_first() -> None:
    """Counts stand from errors to hints, in the plural where it is one."""
    assert summary([HINT, ERROR, ERROR]) == "2 errors, 1 hint"
    assert summary([]) == "no issues"
    lost = Issue(Severity.HINT, "x", "y", "z", loss=True)
    assert summary([ERROR, lost]) == "1 error, 1 hint, 1 loss among them"
    assert summary([lost, lost, HINT]) == "3 hints, 2 losses among them"


@pytest.mark.parametrize("field", ["severity", "code", "message", "fix", "loss"])
def test_many_that_differ_only_in_whom_they_name_are_told_once(field: str) -> None:
    """Six are one, where the first was; five stay apart, as do six in all one of which differs."""
    many = [replace(HINT, where=f"Rope {n}", node=n) for n in range(ALIKE + 1)]
    mixed = [many[0], ERROR, *many[1:]]
    told = list(map(as_one, gathered(mixed)))
    names = "Rope 0, Rope 1, Rope 2 and 3 others"
    assert [str(one) for one in told] == [f"hint: 6 times ({names}): It is heavy.", str(ERROR)]
    assert gathered(mixed)[0] == many
    other = {"severity": Severity.ERROR, "loss": True}.get(field, "another")
    odd = [*mixed[:-1], replace(many[-1], **{field: other})]
    for few in (mixed[:-1], odd):
        assert list(map(as_one, gathered(few))) == few
