# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn mechanisms: what each wing makes of each is what it was."""

from __future__ import annotations

import pytest

from omi_physics_joint.model.contents import Contents
from tests.digests import approved_by_digest
from tests.drawn_cases import drawn
from tests.edited_cases import EDITED
from tests.outputs_of_cases import AGAIN, COMMANDS, COMPUTED, MOTION, ROBOTS, SAID, SHOWN, WRITTEN

Cases = dict[str, Contents]
SOME, COUNT = 40, 70
"""Cases that are taken in haste, and all."""


def cases(first: int = 0, end: int = COUNT, step: int = 1) -> Cases:
    """Return cases by name."""
    return {f"case {number:02}": drawn(number) for number in range(first, end, step)}


@pytest.fixture(
    scope="module", params=[(0, SOME), pytest.param((SOME, COUNT), marks=pytest.mark.long)]
)
def part(request: pytest.FixtureRequest) -> Cases:
    """A part of all cases: those that are always taken, and all others."""
    return cases(*request.param)


def test_what_is_said(part: Cases) -> None:
    """Check's findings of all readers, `info`, words for joints, and `diff`."""
    approved_by_digest("cases_said.txt", SAID, part)


def test_what_is_said_of_edits(part: Cases) -> None:
    """What `diff` says where nodes, joints, triggers, keys and planes are others."""
    approved_by_digest("cases_edited.txt", EDITED, part)


def test_what_is_written(part: Cases) -> None:
    """Documents for each audience in each dialect, one that is new, and a stage."""
    approved_by_digest("cases_written.txt", WRITTEN, part)


def test_what_is_shown(part: Cases) -> None:
    """What is drawn of joints, and their handles."""
    approved_by_digest("cases_shown.txt", SHOWN, part)


@pytest.mark.long
def test_what_is_computed() -> None:
    """Masses, and rows of the solver."""
    approved_by_digest("cases_computed.txt", COMPUTED, cases())


@pytest.mark.long
def test_what_robots_are() -> None:
    """MJCF and URDF, with what they cannot say."""
    approved_by_digest("cases_robots.txt", ROBOTS, cases(step=2))


@pytest.mark.long
def test_what_is_read_back() -> None:
    """What is another after the way through each format, and what is said of it."""
    approved_by_digest("cases_again.txt", AGAIN, cases(step=6))


@pytest.mark.long
def test_what_commands_do() -> None:
    """The words of commands on files."""
    approved_by_digest("cases_commands.txt", COMMANDS, cases(step=7))


@pytest.mark.long
def test_what_moves() -> None:
    """Three frames of those in which nothing is at odds at the start, and their poses."""
    approved_by_digest("cases_moved.txt", MOTION, cases(step=4))
